// SPDX-License-Identifier: MIT
// From what a worker answered and what is true, to the findings of one cell.
#ifndef REDUCTIO_VERDICT_H
#define REDUCTIO_VERDICT_H

#include "harness/claim.h"
#include "harness/result.h"
#include "reference/exact_sum.h"

// Everything that a verdict on one cell may rest on.
struct evidence {
    const struct variant_card *card;
    enum float_type in, out;
    const struct exact_sum *exact; // NULL for the coverage map
    const void *x;                 // the elements; NULL where they are not at hand
    const struct work_reply *reply;
    const struct work_run *runs;       // reply->runs of them
    const unsigned char *multiplicity; // of the coverage map: n bytes
    struct reductio_shape shape;
    uint64_t n;
};

// Fill the findings, claims, detail and figures of *cell, whose coordinates are set already. judge_cell handles every
// outcome; a reply that is not WORK_DONE leaves no figures.
void judge_cell(struct cell_result *cell, const struct evidence *evidence);

// Adds a bad or good finding. A bad one names its detector; that of the head is also the cell's. The sentence may be
// NULL.
void add_finding(struct cell_result *cell, enum finding finding, const char *detector, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// What kept the harness itself from checking a request with this outcome; NULL where it was checked.
const char *harness_fault(enum work_outcome outcome);
void mark_broken(struct cell_result *cell, enum claim claim);

// Findings of a sum that ran (judge_sum.c) and of a coverage map (judge_coverage.c).
void judge_sum(struct cell_result *cell, const struct evidence *evidence);
void judge_coverage(struct cell_result *cell, const struct evidence *evidence);

// Says in words which elements of 0..n-1 are marked, e.g. "lanes 160..179 of each 180-thread block (100 elements)".
// threads = 0: no blocks. From malloc.
char *describe_positions(const bool *marked, uint64_t n, unsigned threads);

#endif
