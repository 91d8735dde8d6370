// SPDX-License-Identifier: MIT
// One rounding of a multiple-precision value to a float, in integer arithmetic. Internal to reference/.
#ifndef REDUCTIO_ROUNDING_H
#define REDUCTIO_ROUNDING_H

#include "reference/float_type.h"

#include <mpfr.h>

// The finite value cut to the format (toward zero; magnitudes above the largest finite number give that number).
// *exact tells whether nothing was cut. bits + 1 is the neighbour away from zero. Zero keeps its sign.
uint64_t truncate_to_float(const mpfr_t value, enum float_type out, bool *exact);

// A finite float as an exact multiple-precision number; `rop` needs 53 bits. Infinity stands at 2^(emax+1), the place
// that IEEE 754's rounding gives it.
void set_float(mpfr_t rop, enum float_type type, uint64_t bits);

#endif
