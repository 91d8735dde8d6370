// SPDX-License-Identifier: MIT
// What the generators share among themselves: the types of their two functions, their parameters, and how an element is
// stored. The families themselves are listed in families.def, one line each.
#ifndef REDUCTIO_FAMILIES_H
#define REDUCTIO_FAMILIES_H

#include "cases/cases.h"
#include "cases/prng.h"

typedef bool case_fill(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed);
typedef const char *case_refusal(const struct case_values *self, enum float_type type, uint64_t n);

// Every fill and every refusal that the table names.
#define FAMILY(name, control, refusal, fill, data, what_for, source)                                                   \
    case_refusal refusal;                                                                                              \
    case_fill fill;
#include "cases/families.def"
#undef FAMILY

extern const struct case_values families[];
extern const size_t family_count;

// Stores `value` rounded to nearest in the type.
void store_value(enum float_type type, void *x, uint64_t index, double value);
void store_zeros(enum float_type type, void *x, uint64_t first, uint64_t n); // +0 in x[first..n)
double largest_finite(enum float_type type);
// Magnitudes below 2^top_exponent sum to less than 2^emax, in any order, where there are n of them.
int top_exponent(enum float_type type, uint64_t n);
double smallest_subnormal(enum float_type type);

// Whole multiples of a unit whose magnitudes add up to at most 2^p units; where `subnormal`, the unit is the smallest
// subnormal and they add up to less than the smallest normal number.
struct integer_family {
    bool mixed_signs;
    bool subnormal;         // unit: the smallest subnormal; budget one unit less than the smallest normal
    int scale[FLOAT_TYPES]; // by enum float_type: otherwise the unit is 2^scale
};

// A number, the half of its last place, and a little more or less: the sum lies at or beside a rounding boundary.
struct boundary_family {
    bool at_overflow; // beside the largest finite number; else beside 1
    int beyond;       // -1 just below the midpoint, 0 on it, 1 just above
};

enum special { SPECIAL_NONE, SPECIAL_NAN, SPECIAL_PLUS_INFINITY, SPECIAL_MINUS_INFINITY };
struct special_family {
    enum special first, middle, last; // middle: index n / 2
};

enum placement { PLACE_FIRST, PLACE_MIDDLE, PLACE_LAST };
struct single_family {
    enum placement place;
    bool tiny; // the smallest subnormal among -0; else 1 among +0
};

#endif
