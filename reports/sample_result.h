// SPDX-License-Identifier: MIT
// Test support: results made by hand, with everything that a writer may stumble over.
#ifndef REDUCTIO_SAMPLE_RESULT_H
#define REDUCTIO_SAMPLE_RESULT_H

#include "harness/result.h"

// Two real variants and a planted fault; broken, known, held and untested claims; NaN, infinities, -0; several bit
// patterns; hostile names; a cell with no result, a coverage map. Aborts when memory is out; free with run_result_free.
struct run_result sample_result(void);
// The same with `cells` cells of many families and sizes, for pages of real weight.
struct run_result sample_large_result(size_t cells);
// The same, and all cells hold but one: of two terms, of the last family, an error far below its bound.
struct run_result sample_one_broken_result(size_t cells);
// No variants and no cells.
struct run_result sample_empty_result(void);

// Names that must come out as text, whatever the format.
extern const char sample_hostile_name[];
extern const char sample_hostile_detail[];

#endif
