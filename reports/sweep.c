// SPDX-License-Identifier: MIT
// A sweep as a tidy table (RFC 4180): one line for each variant, family of values and size; over the cells of that line
// (orders, schedules, launch shapes, placements), each by its worst run, the least, the median and the largest figure.
#include "reports/reports.h"
#include "reports/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct figures {
    double *values;
    size_t count;
};

static int compare_steps(const void *a, const void *b, void *cells) {
    const struct cell_view *x = (const struct cell_view *)cells + *(const size_t *)a;
    const struct cell_view *y = (const struct cell_view *)cells + *(const size_t *)b;
    json_int_t n = count_of(x->json, "n"), m = count_of(y->json, "n");
    if (x->variant != y->variant)
        return x->variant < y->variant ? -1 : 1;
    if (x->family != y->family)
        return x->family < y->family ? -1 : 1;
    return n != m ? (n < m ? -1 : 1) : (x->index > y->index) - (x->index < y->index);
}

static bool same_step(const struct cell_view *a, const struct cell_view *b) {
    return a->variant == b->variant && a->family == b->family && count_of(a->json, "n") == count_of(b->json, "n");
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// NaN figures (a special sum, a cell without a result) are left out.
static void collect(struct figures *figures, const struct run_view *view, const size_t *cells, size_t count,
                    const char *member) {
    figures->count = 0;
    for (size_t i = 0; i < count; i++) {
        double figure = figure_of(view->cells[cells[i]].json, member);
        if (!isnan(figure))
            figures->values[figures->count++] = figure;
    }
    qsort(figures->values, figures->count, sizeof *figures->values, compare_doubles);
}

static void write_range(const struct figures *figures, FILE *out) {
    char text[FIGURE_TEXT];
    const size_t n = figures->count;
    if (!n) {
        fputs(",nan,nan,nan", out);
        return;
    }
    // of two middle ones the mean, which two infinities of one sign survive
    double low = figures->values[(n - 1) / 2], high = figures->values[n / 2];
    const double range[] = {figures->values[0], low == high ? low : (low + high) / 2, figures->values[n - 1]};
    for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
        format_figure(range[i], text);
        fprintf(out, ",%s", text);
    }
}

// False when memory is out.
static bool count_patterns(const struct run_view *view, const size_t *cells, size_t count, size_t *distinct) {
    json_t *seen = json_object(), *pattern;
    size_t p;
    bool good = seen != NULL;
    for (size_t i = 0; good && i < count; i++)
        json_array_foreach(json_object_get(view->cells[cells[i]].json, "patterns"), p, pattern) {
            good = good && json_object_set_new(seen, text_of(pattern, "bits"), json_true()) == 0;
        }
    *distinct = json_object_size(seen);
    json_decref(seen);
    return good;
}

static bool write_step(const struct run_view *view, const size_t *cells, size_t count, struct figures *figures,
                       FILE *out) {
    const struct cell_view *first = &view->cells[cells[0]];
    const json_t *variant = view->variants[first->variant].json;
    size_t distinct;
    json_int_t runs = 0;
    if (!count_patterns(view, cells, count, &distinct))
        return false;
    for (size_t i = 0; i < count; i++)
        runs += count_of(view->cells[cells[i]].json, "runs");
    write_csv_field(text_of(variant, "name"), out);
    fputc(',', out);
    write_csv_field(text_of(variant, "backend"), out);
    fputc(',', out);
    write_csv_field(text_of(variant, "type"), out);
    fputc(',', out);
    write_csv_field(view->families[first->family], out);
    fprintf(out, ",%" PRId64 ",%s,%zu,%" PRId64 ",%zu", (int64_t)count_of(first->json, "n"),
            first->dataset ? text_of(first->dataset, "condition") : "nan", count, (int64_t)runs, distinct);
    collect(figures, view, cells, count, "error_over_uA");
    write_range(figures, out);
    collect(figures, view, cells, count, "ulps");
    write_range(figures, out);
    fputs("\r\n", out);
    return true;
}

static bool write_steps(const struct run_view *view, size_t *cells, struct figures *figures, FILE *out) {
    bool good = true;
    for (size_t i = 0; i < view->cell_count; i++)
        cells[i] = i;
    qsort_r(cells, view->cell_count, sizeof *cells, compare_steps, view->cells);
    for (size_t i = 0, end; good && i < view->cell_count; i = end) {
        for (end = i + 1; end < view->cell_count; end++)
            if (!same_step(&view->cells[cells[i]], &view->cells[cells[end]]))
                break;
        good = write_step(view, cells + i, end - i, figures, out);
    }
    return good;
}

bool report_write_sweep(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    bool made = run_view_make(&view, run);
    size_t *cells = made ? calloc(view.cell_count + 1, sizeof *cells) : NULL;
    struct figures figures = {.values = made ? calloc(view.cell_count + 1, sizeof *figures.values) : NULL};
    fputs("variant,backend,type,values,n,condition,cells,runs,patterns,error_over_uA_min,error_over_uA_median,"
          "error_over_uA_max,ulps_min,ulps_median,ulps_max\r\n",
          out);
    made = made && cells && figures.values && write_steps(&view, cells, &figures, out);
    if (!made)
        snprintf(message, REPORT_MESSAGE, "The table of the sweep does not fit in memory.");
    free(cells);
    free(figures.values);
    run_view_free(&view);
    return made;
}
