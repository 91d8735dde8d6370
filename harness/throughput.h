// SPDX-License-Identifier: MIT
// From the samples of a timed cell to its throughput.
#ifndef REDUCTIO_THROUGHPUT_H
#define REDUCTIO_THROUGHPUT_H

#include "harness/result.h"

#include <stdint.h>

// Of an even number of samples the mean of the two in the middle; 0 for none. Sorts them.
double median_ns(uint64_t *ns, size_t count);

// Fills in gigabytes_per_second (10^9 bytes of input a second, each counted once, at the median) and, where read_ns is
// not 0, bandwidth_share: the time of a kernel that only reads the same bytes over the median. A cell whose result is
// wrong or missing stays untimed: how fast a wrong sum comes says nothing.
void note_throughput(struct cell_result *cell, uint64_t input_bytes, uint64_t read_ns);

#endif
