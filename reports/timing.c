// SPDX-License-Identifier: MIT
#include "reports/timing.h"

#include <stdlib.h>
#include <string.h>

static int compare_samples(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool timing_of_samples(const json_t *cell, double *low, double *median, double *high) {
    const json_t *samples = json_object_get(cell, "ns");
    size_t count = json_array_size(samples);
    *low = *median = *high = 0;
    if (!count)
        return true;
    double *sorted = calloc(count, sizeof *sorted);
    for (size_t i = 0; sorted && i < count; i++)
        sorted[i] = (double)json_integer_value(json_array_get(samples, i));
    if (!sorted)
        return false;
    qsort(sorted, count, sizeof *sorted, compare_samples);
    *low = sorted[0];
    *median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    *high = sorted[count - 1];
    free(sorted);
    return true;
}

int timing_input_type(const char *type) {
    return (int)strcspn(type, ":");
}

static int compare_text(const char *a, int a_length, const char *b, int b_length) {
    int order = strncmp(a, b, (size_t)(a_length < b_length ? a_length : b_length));
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

// All but n: 0 for timings of one series.
static int compare_series(const struct timing *a, const struct timing *b) {
    int order = strcmp(a->backend, b->backend);
    if (!order)
        order = compare_text(a->type, timing_input_type(a->type), b->type, timing_input_type(b->type));
    return order ? order : strcmp(a->values, b->values);
}

static int compare_timings(const void *a, const void *b) {
    const struct timing *x = a, *y = b;
    int order = compare_series(x, y);
    if (order)
        return order;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->median != y->median)
        return x->median < y->median ? -1 : 1;
    return strcmp(x->name, y->name);
}

static bool read_timing(const struct run_view *view, const struct cell_view *cell, struct timing *timing) {
    const json_t *variant = view->variants[cell->variant].json;
    *timing = (struct timing){.cell = cell,
                              .name = text_of(variant, "name"),
                              .backend = text_of(variant, "backend"),
                              .type = text_of(variant, "type"),
                              .values = text_of(cell->dataset, "values"),
                              .shape = text_of(cell->json, "shape"),
                              .n = (uint64_t)count_of(cell->json, "n"),
                              .rate = figure_of(cell->json, "gigabytes_per_second"),
                              .share = figure_of(cell->json, "bandwidth_share")};
    return timing_of_samples(cell->json, &timing->low, &timing->median, &timing->high);
}

static bool is_timed(const struct cell_view *cell) {
    return cell->dataset && figure_of(cell->json, "gigabytes_per_second") > 0 &&
           json_array_size(json_object_get(cell->json, "ns")) > 0;
}

bool timings_make(struct timings *timings, const struct run_view *view) {
    *timings = (struct timings){.items = calloc(view->cell_count + 1, sizeof *timings->items)};
    bool good = timings->items != NULL;
    for (size_t i = 0; good && i < view->cell_count; i++)
        if (is_timed(&view->cells[i]))
            good = read_timing(view, &view->cells[i], &timings->items[timings->count++]);
    if (good)
        qsort(timings->items, timings->count, sizeof *timings->items, compare_timings);
    return good;
}

void timings_free(struct timings *timings) {
    free(timings->items);
    *timings = (struct timings){0};
}

size_t timings_series_end(const struct timings *timings, size_t first) {
    size_t end = first;
    while (end < timings->count && compare_series(&timings->items[first], &timings->items[end]) == 0)
        end++;
    return end;
}

size_t timings_group_end(const struct timings *timings, size_t first) {
    size_t end = first, last = timings_series_end(timings, first);
    while (end < last && timings->items[end].n == timings->items[first].n)
        end++;
    return end;
}

const struct timing *timings_reference(const struct timings *timings, size_t first) {
    size_t end = timings_group_end(timings, first);
    for (size_t i = first; i < end; i++)
        if (!strcmp(timings->items[i].name, "cub_sum"))
            return &timings->items[i];
    return NULL;
}
