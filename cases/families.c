// SPDX-License-Identifier: MIT
#include "cases/families.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FAMILY(name, control, refusal, fill, data, what_for, source)                                                   \
    {name, what_for, source, 0, control, refusal, fill, data},
const struct case_values families[] = {
#include "cases/families.def"
};
#undef FAMILY
const size_t family_count = sizeof families / sizeof families[0];

void store_bits(enum float_type type, void *x, uint64_t index, uint64_t bits) {
    if (type == FLOAT_F32) {
        uint32_t narrow = (uint32_t)bits;
        memcpy((char *)x + index * sizeof narrow, &narrow, sizeof narrow);
    } else {
        memcpy((char *)x + index * sizeof bits, &bits, sizeof bits);
    }
}

void store_value(enum float_type type, void *x, uint64_t index, double value) {
    if (type == FLOAT_F32)
        ((float *)x)[index] = (float)value;
    else
        ((double *)x)[index] = value;
}

void store_zeros(enum float_type type, void *x, uint64_t first, uint64_t n) {
    size_t size = float_format(type)->size;
    if (first < n)
        memset((char *)x + first * size, 0, (n - first) * size);
}

double largest_finite(enum float_type type) {
    return type == FLOAT_F32 ? (double)FLT_MAX : DBL_MAX;
}

double smallest_subnormal(enum float_type type) {
    const struct float_format *format = float_format(type);
    return ldexp(1, format->min_exponent - format->precision + 1);
}

const char *refuse_nothing(enum float_type type, uint64_t n) {
    return NULL;
}

const char *refuse_empty(enum float_type type, uint64_t n) {
    return n < 1 ? "it needs at least 1 element" : NULL;
}

const char *refuse_below_2(enum float_type type, uint64_t n) {
    return n < 2 ? "it needs at least 2 elements" : NULL;
}

const char *refuse_below_3(enum float_type type, uint64_t n) {
    return n < 3 ? "it needs at least 3 elements" : NULL;
}

const char *refuse_below_4(enum float_type type, uint64_t n) {
    return n < 4 ? "it needs at least 4 elements" : NULL;
}

const char *refuse_below_5(enum float_type type, uint64_t n) {
    return n < 5 ? "it needs at least 5 elements" : NULL;
}

const char *refuse_beyond_precision(enum float_type type, uint64_t n) {
    return n > UINT64_C(1) << float_format(type)->precision
               ? "more than 2^p whole numbers above 0 cannot sum exactly in every order"
               : NULL;
}
