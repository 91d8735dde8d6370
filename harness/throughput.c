// SPDX-License-Identifier: MIT
#include "harness/throughput.h"

#include "harness/support.h"

#include <stdlib.h>
#include <string.h>

static int compare_times(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double median_ns(uint64_t *ns, size_t count) {
    if (!count)
        return 0;
    qsort(ns, count, sizeof *ns, compare_times);
    return ((double)ns[(count - 1) / 2] + (double)ns[count / 2]) / 2;
}

void note_throughput(struct cell_result *cell, uint64_t input_bytes, uint64_t read_ns) {
    if (!cell->has_result || finding_is_bad(cell->head) || !cell->ns_count)
        return;
    uint64_t *sorted = must_calloc(cell->ns_count, sizeof *sorted); // the record keeps the order of measurement
    memcpy(sorted, cell->ns, cell->ns_count * sizeof *sorted);
    double median = median_ns(sorted, cell->ns_count);
    free(sorted);
    if (median <= 0)
        return;
    cell->gigabytes_per_second = (double)input_bytes / median;
    cell->bandwidth_share = (double)read_ns / median;
}
