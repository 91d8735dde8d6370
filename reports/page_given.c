// SPDX-License-Identifier: MIT
// Of an array of the user's own: its exact sum, and what each row makes of it, the nearest first.
#include "reports/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool page_is_of_given(const struct page *page) {
    return !strcmp(text_of(page->run, "command"), "sum") && json_array_size(json_object_get(page->run, "datasets"));
}

static double distance(const struct cell_view *cell) {
    return isnan(cell->ulps) ? INFINITY : fabs(cell->ulps);
}

static int compare_distances(const void *a, const void *b) {
    const struct cell_view *x = *(const struct cell_view *const *)a, *y = *(const struct cell_view *const *)b;
    if (distance(x) != distance(y))
        return distance(x) < distance(y) ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void write_truth(const struct page *page, const json_t *dataset) {
    static const char *const members[][2] = {
        {"exact sum", "exact_decimal"}, {"in hexadecimal", "exact_hex"}, {"Σ|x|", "abs_sum_decimal"}};
    fprintf(page->out, "<dl class=figures><dt>numbers<dd>%" PRId64 " of ", (int64_t)count_of(dataset, "n"));
    write_member(page, dataset, "type");
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        fprintf(page->out, "<dt>%s<dd>", members[m][0]);
        write_member(page, dataset, members[m][1]);
    }
    fputs("<dt>condition number<dd>", page->out);
    write_figure(figure_of(dataset, "condition"), page->out);
    fputs(flag_of(dataset, "never_rounds") ? ": no addition rounds, in any order</dl>\n" : "</dl>\n", page->out);
}

// Whether calls of the row gave different bits, and whether its claims allow that.
static void write_repeats(const struct page *page, const struct variant_view *variant) {
    bool differs = false;
    finding_set findings = 0;
    for (size_t i = 0; i < variant->cell_count; i++) {
        const struct cell_view *cell = &page->view->cells[variant->cells[i]];
        differs |= flag_of(cell->json, "differs") || json_array_size(json_object_get(cell->json, "patterns")) > 1;
        findings |= cell->findings;
    }
    if (differs)
        fprintf(page->out, "; differs from call to call%s",
                finding_in(findings, FINDING_VARIED) ? "" : ", as its claims allow");
}

static void write_result(const struct page *page, const struct cell_view *cell) {
    fputs("<tr><th>", page->out);
    write_variant_link(page, cell->variant);
    fputs("<td class=r>", page->out);
    write_member(page, cell->json, "got_decimal");
    fprintf(page->out, "<td><a href=#c%zu><code>", cell->index);
    write_member(page, cell->json, "got_hex");
    fputs("</code></a><td class=r>", page->out);
    write_figure(cell->ulps, page->out);
    fputs("<td>", page->out);
    write_finding_mark(page, cell);
    write_repeats(page, &page->view->variants[cell->variant]);
    fputs("\n", page->out);
}

bool page_given(const struct page *page) {
    if (!page_is_of_given(page))
        return true;
    const struct cell_view **order = calloc(page->view->cell_count + 1, sizeof *order);
    size_t count = 0;
    if (!order)
        return false;
    for (size_t i = 0; i < page->view->cell_count; i++)
        if (!has_text(page->view->cells[i].json, "attack")) // the same call again is no row of its own
            order[count++] = &page->view->cells[i];
    qsort(order, count, sizeof *order, compare_distances);
    fputs("<section id=given><h2>The sum of your array</h2>\n", page->out);
    write_truth(page, json_array_get(json_object_get(page->run, "datasets"), 0));
    fputs(
        "<div class=scroll><table class=sticky><thead><tr><th>row<th class=r>result<th>in hexadecimal<th class=r>ulps "
        "off<th>finding</thead>\n",
        page->out);
    for (size_t i = 0; i < count; i++)
        write_result(page, order[i]);
    fputs("</table></div>\n</section>\n", page->out);
    free(order);
    return true;
}
