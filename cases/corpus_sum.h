// SPDX-License-Identifier: MIT
// The numbers of a corpus file, and whether they add up to what the file states.
#ifndef REDUCTIO_CORPUS_SUM_H
#define REDUCTIO_CORPUS_SUM_H

#include "cases/corpus_file.h"

// Number `index` of a run, before it is rounded to a type. Every operation is one IEEE operation in double.
double corpus_run_value(const struct corpus_run *run, uint64_t index);

// Whether the exact sum of the numbers, in the type, is the stated one: a file that was cut short states another. The
// sign of 0 counts.
bool corpus_sum_is(const struct corpus_file *file, enum float_type type, const char *stated);

#endif
