// SPDX-License-Identifier: MIT
// The kill matrix: planted faults against detectors.
#include "reports/kill_matrix.h"
#include "reports/page.h"

static void write_row(const struct page *page, const struct kill_matrix *matrix, const struct kill_row *row) {
    fprintf(page->out, "<tr><th scope=row><a href=\"#v%zu\">", row->index);
    write_member(page, row->variant, "name");
    fputs("</a><td>", page->out);
    write_member(page, row->variant, "fault_finding");
    for (size_t d = 0; d < KILL_DETECTORS; d++) {
        if (!matrix->took_part[d])
            continue;
        if (d == row->named)
            fprintf(page->out, "<td class=r><b class=%s title=\"the detector that the fault names\">%zu</b>",
                    row->cells[d] ? "good" : "bad", row->cells[d]);
        else if (row->cells[d])
            fprintf(page->out, "<td class=r>%zu", row->cells[d]);
        else
            fputs("<td>", page->out);
    }
    fputc('\n', page->out);
}

static void write_counts_alone(const struct page *page, const struct kill_matrix *matrix) {
    fputs("<tr><th scope=row>faults that it alone finds<td>", page->out);
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        if (matrix->took_part[d]) {
            size_t alone = kill_count_alone(matrix, d);
            fprintf(page->out, "<td class=r><b class=%s>%zu</b>", alone ? "good" : "bad", alone);
        }
    fputc('\n', page->out);
}

static void write_matrix(const struct page *page, const struct kill_matrix *matrix) {
    fputs("<section id=kills><h2>Kill matrix</h2>\n<p>In how many cells each detector found each planted fault, all "
          "types together. Marked: the detector that the fault names. A detector is worth its code if some fault is "
          "found by it alone.</p>\n<div class=\"scroll tall\"><table class=\"sticky kills\"><thead><tr><th>planted "
          "fault<th>must show",
          page->out);
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        if (matrix->took_part[d])
            fprintf(page->out, "<th scope=col class=up title=\"%s\"><span>%s</span>", kill_detector_how(d),
                    kill_detector_name(d));
    fputs("<tbody>\n", page->out);
    for (size_t i = 0; i < matrix->row_count; i++)
        write_row(page, matrix, &matrix->rows[i]);
    write_counts_alone(page, matrix);
    fputs("</table></div>\n</section>\n", page->out);
}

bool page_kills(const struct page *page) {
    struct kill_matrix matrix;
    bool made = kill_matrix_make(&matrix, page->view);
    if (made && matrix.row_count)
        write_matrix(page, &matrix);
    kill_matrix_free(&matrix);
    return made;
}
