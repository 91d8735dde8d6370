// SPDX-License-Identifier: MIT
// One line a cell, RFC 4180: the columns below, then claims and figures as the JSON spells them.
#include "reports/reports.h"
#include "reports/timing.h"
#include "reports/view.h"

#include <inttypes.h>

static const char *const cell_columns[] = {"id",
                                           "shape",
                                           "schedule",
                                           "head",
                                           "detector",
                                           "bits",
                                           "got_hex",
                                           "rounded_bits",
                                           "rounded_hex",
                                           "ulps",
                                           "relative_error",
                                           "error_over_uA",
                                           "error_over_bound",
                                           "bound_over_sum",
                                           "bound",
                                           "min_ulps",
                                           "max_ulps",
                                           "vs",
                                           "gigabytes_per_second",
                                           "bandwidth_share",
                                           "detail"};
enum { CELL_COLUMNS = sizeof cell_columns / sizeof *cell_columns };

static void write_header(FILE *out) {
    fputs("variant,backend,type,values,order,n,offset,runs,patterns,known", out);
    for (size_t i = 0; i < CELL_COLUMNS; i++)
        fprintf(out, ",%s", cell_columns[i]);
    fputs(",median_ns\r\n", out);
}

// Empty where the cell has no samples.
static bool write_median(const json_t *cell, FILE *out) {
    double low, median, high;
    bool made = timing_of_samples(cell, &low, &median, &high);
    fputc(',', out);
    if (median > 0)
        fprintf(out, "%.1f", median);
    return made;
}

static bool write_cell(const struct run_view *view, const struct cell_view *cell, FILE *out) {
    const json_t *variant = view->variants[cell->variant].json;
    write_csv_field(text_of(variant, "name"), out);
    fputc(',', out);
    write_csv_field(text_of(variant, "backend"), out);
    fputc(',', out);
    write_csv_field(text_of(variant, "type"), out);
    fputc(',', out);
    write_csv_field(view->families[cell->family], out);
    fputc(',', out);
    write_csv_field(text_of(cell->dataset, "order"), out);
    fprintf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%zu,%s", (int64_t)count_of(cell->json, "n"),
            (int64_t)count_of(cell->json, "offset"), (int64_t)count_of(cell->json, "runs"),
            json_array_size(json_object_get(cell->json, "patterns")), flag_of(cell->json, "known") ? "yes" : "no");
    for (size_t i = 0; i < CELL_COLUMNS; i++) {
        fputc(',', out);
        write_csv_field(text_of(cell->json, cell_columns[i]), out);
    }
    bool made = write_median(cell->json, out);
    fputs("\r\n", out);
    return made;
}

bool report_write_csv(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    bool made = run_view_make(&view, run);
    if (made) {
        write_header(out);
        for (size_t i = 0; i < view.cell_count && made; i++)
            made = write_cell(&view, &view.cells[i], out);
    }
    if (!made)
        snprintf(message, REPORT_MESSAGE, "The CSV does not fit in memory.");
    run_view_free(&view);
    return made;
}
