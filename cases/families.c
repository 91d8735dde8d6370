// SPDX-License-Identifier: MIT
#include "cases/families.h"

#include <math.h>
#include <string.h>

#define FAMILY(name, control, refusal, fill, data, what_for, source)                                                   \
    {name, what_for, source, 0, control, refusal, fill, data},
const struct case_values families[] = {
#include "cases/families.def"
};
#undef FAMILY
const size_t family_count = sizeof families / sizeof families[0];

void store_value(enum float_type type, void *x, uint64_t index, double value) {
    switch (type) { // the two that large arrays are of, without a look at the format
    case FLOAT_F32:
        ((float *)x)[index] = (float)value;
        return;
    case FLOAT_F64:
        ((double *)x)[index] = value;
        return;
    default:
        float_store(type, x, index, float_from_double(type, value));
    }
}

void store_zeros(enum float_type type, void *x, uint64_t first, uint64_t n) {
    size_t size = float_format(type)->size;
    if (first < n)
        memset((char *)x + first * size, 0, (n - first) * size);
}

double largest_finite(enum float_type type) {
    return float_to_double(type, float_format(type)->max_finite);
}

int top_exponent(enum float_type type, uint64_t n) {
    int count_bits = n ? 64 - __builtin_clzll(n) : 0;
    return float_format(type)->max_exponent - count_bits;
}

double smallest_subnormal(enum float_type type) {
    const struct float_format *format = float_format(type);
    return ldexp(1, format->min_exponent - format->precision + 1);
}

const char *refuse_nothing(const struct case_values *self, enum float_type type, uint64_t n) {
    return NULL;
}

const char *refuse_empty(const struct case_values *self, enum float_type type, uint64_t n) {
    return n < 1 ? "it needs at least 1 element" : NULL;
}

const char *refuse_below_2(const struct case_values *self, enum float_type type, uint64_t n) {
    return n < 2 ? "it needs at least 2 elements" : NULL;
}

const char *refuse_below_3(const struct case_values *self, enum float_type type, uint64_t n) {
    return n < 3 ? "it needs at least 3 elements" : NULL;
}

const char *refuse_below_4(const struct case_values *self, enum float_type type, uint64_t n) {
    return n < 4 ? "it needs at least 4 elements" : NULL;
}

const char *refuse_below_5(const struct case_values *self, enum float_type type, uint64_t n) {
    return n < 5 ? "it needs at least 5 elements" : NULL;
}

const char *refuse_beyond_precision(const struct case_values *self, enum float_type type, uint64_t n) {
    const uint64_t *block = self->data, used = *block ? 3 * (n / *block + 1) : n; // places that are not 0, at most
    return used > UINT64_C(1) << float_format(type)->precision
               ? "more than 2^p whole numbers above 0 cannot sum exactly in every order"
               : NULL;
}
