// SPDX-License-Identifier: MIT
// What the schedules of a study reached on the emulator, input by input: every result with the cell that brings it
// back, how far they lie apart, and how that compares with the any-order bound and with what a GPU showed.
#include "reports/reports.h"
#include "reports/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESULTS_SHOWN = 40 };

struct reached {
    const char *bits;
    double value, ulps;
    size_t schedules;
    const json_t *first; // the cell that gave it first
};

// The results of one input under all schedules, in ascending order.
struct reach {
    struct reached *results;
    size_t count, schedules;
    const json_t *variant;
    const json_t *base;
    const json_t *dataset;
};

static bool is_schedule_of(const json_t *cell, const json_t *base) {
    return cell == base || (!strcmp(text_of(cell, "attack"), "same bits: run") &&
                            !strcmp(text_of(cell, "compared_with"), text_of(base, "id")));
}

static void add_result(struct reach *reach, const json_t *cell) {
    const char *bits = text_of(cell, "bits");
    size_t i = 0;
    reach->schedules++;
    while (i < reach->count && strcmp(reach->results[i].bits, bits) != 0)
        i++;
    if (i == reach->count)
        reach->results[reach->count++] = (struct reached){.bits = bits,
                                                          .value = strtod(text_of(cell, "got_hex"), NULL),
                                                          .ulps = figure_of(cell, "ulps"),
                                                          .first = cell};
    reach->results[i].schedules++;
}

static int compare_reached(const void *a, const void *b) {
    double x = ((const struct reached *)a)->value, y = ((const struct reached *)b)->value;
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

// False when memory is out.
static bool collect(struct reach *reach, const struct run_view *view, size_t base) {
    const struct cell_view *cells = view->cells;
    size_t end = base + 1;
    while (end < view->cell_count && has_text(cells[end].json, "attack"))
        end++;
    *reach = (struct reach){
        .variant = view->variants[cells[base].variant].json, .base = cells[base].json, .dataset = cells[base].dataset};
    reach->results = calloc(end - base, sizeof *reach->results);
    for (size_t i = base; reach->results && i < end; i++)
        if (flag_of(cells[i].json, "has_result") && is_schedule_of(cells[i].json, reach->base))
            add_result(reach, cells[i].json);
    if (reach->results)
        qsort(reach->results, reach->count, sizeof *reach->results, compare_reached);
    return reach->results != NULL;
}

static size_t find_worst(const struct reach *reach) {
    size_t worst = 0;
    for (size_t i = 1; i < reach->count; i++)
        if (!(fabs(reach->results[i].ulps) <= fabs(reach->results[worst].ulps)))
            worst = i;
    return worst;
}

static void write_result(const struct reach *reach, size_t i, FILE *out) {
    const struct reached *result = &reach->results[i];
    fprintf(out, "    %12.6g ulps  %-24s %zu of %zu  ", result->ulps, text_of(result->first, "got_hex"),
            result->schedules, reach->schedules);
    write_paste_line(reach->variant, text_of(result->first, "id"), write_printable, out);
    fputs(i == find_worst(reach) ? "  the worst\n" : "\n", out);
}

// The first and the last ones, and the worst, where there are too many for a screen.
static void write_results(const struct reach *reach, FILE *out) {
    size_t half = RESULTS_SHOWN / 2, worst = find_worst(reach);
    for (size_t i = 0; i < reach->count; i++) {
        bool shown = reach->count <= RESULTS_SHOWN || i < half || i >= reach->count - half || i == worst;
        if (shown)
            write_result(reach, i, out);
        else if (i == half)
            fprintf(out, "    ... %zu more in between (--json, --csv hold all) ...\n", reach->count - RESULTS_SHOWN);
    }
}

// Whatever the order, a result lies within (n-1) u A of the exact sum: the results of all orders span at most twice
// that. An input that is not finite has no such span.
static void write_span(const struct reach *reach, FILE *out) {
    const struct reached *low = &reach->results[0], *high = &reach->results[reach->count - 1];
    double n = (double)count_of(reach->dataset, "n"), span = high->value - low->value;
    double interval = 2 * (n - 1) * unit_roundoff(text_of(reach->variant, "type")) *
                      strtod(text_of(reach->dataset, "abs_sum_decimal"), NULL);
    fprintf(out, "%zu schedules reached %zu results, from %.6g to %.6g ulps of the exact sum\n", reach->schedules,
            reach->count, low->ulps, high->ulps);
    if (isfinite(span) && interval > 0)
        fprintf(out, "    span %.6g: %.3g of what the any-order bound leaves room for, 2(n-1)uA = %.6g\n", span,
                span / interval, interval);
}

// ---- what a GPU showed ----

typedef bool same_data(const json_t *recorded, const json_t *wanted);

static bool is_same(const json_t *recorded, const json_t *wanted) {
    return !strcmp(text_of(recorded, "name"), text_of(wanted, "name")) &&
           !strcmp(text_of(recorded, "exact_hex"), text_of(wanted, "exact_hex"));
}

static bool has_same_values(const json_t *recorded, const json_t *wanted) {
    return !strcmp(text_of(recorded, "values"), text_of(wanted, "values")) &&
           !strcmp(text_of(recorded, "order"), text_of(wanted, "order"));
}

// The row on a GPU, on data that are the same in the sense asked for; NULL where there is no such cell.
static const json_t *find_cell(const json_t *gallery, const json_t *variant, const json_t *dataset, same_data *same) {
    const json_t *variants = json_object_get(gallery, "variants"), *datasets = json_object_get(gallery, "datasets");
    size_t i;
    json_t *cell;
    json_array_foreach(json_object_get(gallery, "cells"), i, cell) {
        const json_t *row = json_array_get(variants, (size_t)count_of(cell, "variant"));
        const json_t *data = json_array_get(datasets, (size_t)count_of(cell, "dataset"));
        if (!has_text(cell, "attack") && flag_of(cell, "has_result") && data &&
            !strcmp(text_of(row, "backend"), "cuda") && !strcmp(text_of(row, "name"), text_of(variant, "name")) &&
            !strcmp(text_of(row, "type"), text_of(variant, "type")) && same(data, dataset))
            return cell;
    }
    return NULL;
}

static size_t count_reached(const struct reach *reach, const json_t *patterns) {
    size_t i, found = 0;
    json_t *pattern;
    json_array_foreach(patterns, i, pattern) {
        for (size_t r = 0; r < reach->count; r++)
            found += !strcmp(reach->results[r].bits, text_of(pattern, "bits"));
    }
    return found;
}

static void write_gpu(const struct reach *reach, const json_t *gallery, FILE *out) {
    const json_t *cell = find_cell(gallery, reach->variant, reach->dataset, is_same);
    const char *gpu = text_of(json_object_get(gallery, "environment"), "cuda.gpu");
    if (!cell) {
        const json_t *other = find_cell(gallery, reach->variant, reach->dataset, has_same_values);
        fputs("    the recording has no run of this row on these data on a GPU", out);
        if (other)
            fprintf(out, "; it has one with -n %" PRId64, (int64_t)count_of(other, "n"));
        fputc('\n', out);
        return;
    }
    const json_t *patterns = json_object_get(cell, "patterns");
    double low = figure_of(cell, "min_ulps"), high = figure_of(cell, "max_ulps");
    bool inside = reach->results[0].ulps <= low && high <= reach->results[reach->count - 1].ulps;
    fprintf(out, "    on ");
    write_printable(*gpu ? gpu : "the GPU", out);
    fprintf(out,
            ": %zu distinct in %" PRId64 " runs, from %.6g to %.6g ulps: %s what was reached here; %zu of them are "
            "among these bit for bit\n",
            json_array_size(patterns), (int64_t)count_of(cell, "runs"), low, high, inside ? "within" : "not all within",
            count_reached(reach, patterns));
}

static void write_reach(const struct reach *reach, const json_t *gallery, FILE *out) {
    fputs("  ", out);
    write_printable(text_of(reach->dataset, "name"), out);
    fputs(": ", out);
    if (reach->count == 1)
        fprintf(out, "%zu schedule%s reached one result, %s, %.6g%s off\n", reach->schedules,
                reach->schedules == 1 ? "" : "s", text_of(reach->results[0].first, "got_hex"), reach->results[0].ulps,
                ulps_word(reach->results[0].ulps));
    else {
        write_span(reach, out);
        write_results(reach, out);
    }
    if (gallery)
        write_gpu(reach, gallery, out);
}

static bool write_variant(const struct run_view *view, size_t variant, const json_t *gallery, FILE *out) {
    bool good = true;
    write_variant_label(view->variants[variant].json, out);
    fputs(" under schedules\n", out);
    for (size_t i = 0; good && i < view->cell_count; i++) {
        const struct cell_view *cell = &view->cells[i];
        struct reach reach;
        if (cell->variant != variant || !cell->dataset || has_text(cell->json, "attack"))
            continue;
        good = collect(&reach, view, i);
        if (good && reach.schedules > 1)
            write_reach(&reach, gallery, out);
        free(reach.results);
    }
    fputc('\n', out);
    return good;
}

bool report_write_schedules(const json_t *run, const json_t *gallery, FILE *out, char *message) {
    struct run_view view;
    bool made = run_view_make(&view, run);
    for (size_t v = 0; made && v < view.variant_count; v++)
        if (!strcmp(text_of(view.variants[v].json, "backend"), "simt"))
            made = write_variant(&view, v, gallery, out);
    if (!made)
        snprintf(message, REPORT_MESSAGE, "The schedules do not fit in memory.");
    run_view_free(&view);
    return made;
}
