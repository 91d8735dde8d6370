// SPDX-License-Identifier: MIT
// The floating-point formats of inputs and results. Values of every format travel as raw bits in a uint64_t.
#ifndef REDUCTIO_FLOAT_TYPE_H
#define REDUCTIO_FLOAT_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// f16 is IEEE 754's binary16; bf16 the upper half of an f32.
enum float_type { FLOAT_F32, FLOAT_F64, FLOAT_F16, FLOAT_BF16 };
#define FLOAT_TYPES 4
// Their names, as a sentence lists them.
#define FLOAT_TYPE_NAMES "f32, f64, f16 or bf16"

// The format's parameters (IEEE 754-2019, table 3.2 and 3.5), all exact.
struct float_format {
    const char *name;    // "f32", "f64", "f16", "bf16"
    size_t size;         // bytes
    int precision;       // p: 24, 53, 11, 8; the unit roundoff u is 2^-p
    int max_exponent;    // emax: 127, 1023, 15, 127
    int min_exponent;    // emin = 1 - emax, of the smallest normal number
    int decimal_digits;  // 1 + ceil(p·log10(2)): with so many a number reads back the same
    uint64_t sign_bit;   // mask
    uint64_t infinity;   // bits of +infinity; NaN is above it
    uint64_t max_finite; // bits of the largest finite number
};

const struct float_format *float_format(enum float_type type);
bool float_type_parse(const char *name, enum float_type *type);

double float_to_double(enum float_type type, uint64_t bits);    // exact, NaN stays NaN
uint64_t float_from_double(enum float_type type, double value); // rounded once, to nearest with ties to even
uint64_t float_load(enum float_type type, const void *array, size_t index);
void float_store(enum float_type type, void *array, size_t index, uint64_t bits);
bool float_is_nan(enum float_type type, uint64_t bits);
bool float_is_infinite(enum float_type type, uint64_t bits);
bool float_is_negative(enum float_type type, uint64_t bits); // sign bit set, -0 included
// Same value class: equal bits, or both NaN (payloads and signs of NaN do not count).
bool float_same(enum float_type type, uint64_t a, uint64_t b);

// "0x1.8p+1", "-0x0p+0", "inf", "-inf", "nan". `text` needs FLOAT_TEXT bytes.
enum { FLOAT_TEXT = 40 };
void float_to_hex(enum float_type type, uint64_t bits, char *text);
void float_to_decimal(enum float_type type, uint64_t bits, char *text); // in the format's decimal_digits
// A whole text as strtod reads it (decimal, hexadecimal, "inf", "nan"), rounded once to the type. False, and
// *bits left alone, for any other.
bool float_parse(enum float_type type, const char *text, uint64_t *bits);

#endif
