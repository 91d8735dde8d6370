// SPDX-License-Identifier: MIT
// study --search: looks for the input on which a row comes nearest to its bound, or beyond it.
#ifndef REDUCTIO_SEARCH_H
#define REDUCTIO_SEARCH_H

#include "cases/prng.h"
#include "harness/cli/commands.h"

// One input: n numbers of the type, each held exactly in a double.
struct input {
    double *x;
    double score; // err/bound; infinite where a claim is broken otherwise, -1 where nothing can be said
};

// Changes x in one to four places: exponents, signs, mantissas, order, or a piece taken from `mate`. Numbers stay
// within 2^-40 .. 2^40, far from underflow and overflow, and none is 0.
void mutate_input(double *x, const double *mate, uint64_t n, enum float_type type, struct prng *prng);

// Hill climbing for each selected row: the families of cases first, then generations of mutants of the best few. Prints
// the worst err/bound found and its input; with --name it becomes a case.
int search_worst_inputs(struct catalog *catalog, const struct command_line *line);

#endif
