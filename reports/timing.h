// SPDX-License-Identifier: MIT
// The timed cells of a run, in groups that may be compared: one backend, one input type, one input. Rows that give f64
// from f32 read the same bytes as rows that give f32, and stand beside them.
#ifndef REDUCTIO_TIMING_H
#define REDUCTIO_TIMING_H

#include "reports/view.h"

#include <stdint.h>

struct timing {
    const struct cell_view *cell;
    const char *name, *backend, *type, *values, *shape;
    uint64_t n;
    double median, low, high; // ns of a call
    double rate;              // GB/s of the median
    double share;             // of a kernel that only reads; 0 if not measured
};

struct timings {
    struct timing *items; // groups one after the other; sizes ascending; in a group the fastest first
    size_t count;
};

// False when memory is out; free with timings_free in either case.
bool timings_make(struct timings *timings, const struct run_view *view);
void timings_free(struct timings *timings);
// One past the last of the group, or of the series of groups that differ by n alone, that `first` begins.
size_t timings_group_end(const struct timings *timings, size_t first);
size_t timings_series_end(const struct timings *timings, size_t first);
// The row of a group that others are held against, cub_sum; NULL where it was not timed.
const struct timing *timings_reference(const struct timings *timings, size_t first);
// "f32" of "f32:f64": bytes of a text that are the input type.
int timing_input_type(const char *type);
// Of the samples of a cell; all 0 if it has none. False when memory is out.
bool timing_of_samples(const json_t *cell, double *low, double *median, double *high);

#endif
