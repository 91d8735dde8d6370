// SPDX-License-Identifier: MIT
#include "reference/float_type.h"

#include "reference/float_16.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct float_format formats[] = {
    [FLOAT_F32] = {.name = "f32",
                   .size = 4,
                   .precision = 24,
                   .max_exponent = 127,
                   .min_exponent = -126,
                   .decimal_digits = 9,
                   .sign_bit = 0x80000000u,
                   .infinity = 0x7f800000u,
                   .max_finite = 0x7f7fffffu},
    [FLOAT_F64] = {.name = "f64",
                   .size = 8,
                   .precision = 53,
                   .max_exponent = 1023,
                   .min_exponent = -1022,
                   .decimal_digits = 17,
                   .sign_bit = 0x8000000000000000u,
                   .infinity = 0x7ff0000000000000u,
                   .max_finite = 0x7fefffffffffffffu},
    [FLOAT_F16] = {.name = "f16",
                   .size = 2,
                   .precision = FLOAT_16_STORED_F16 + 1,
                   .max_exponent = 15,
                   .min_exponent = -14,
                   .decimal_digits = 5,
                   .sign_bit = 0x8000u,
                   .infinity = 0x7c00u,
                   .max_finite = 0x7bffu},
    [FLOAT_BF16] = {.name = "bf16",
                    .size = 2,
                    .precision = FLOAT_16_STORED_BF16 + 1,
                    .max_exponent = 127,
                    .min_exponent = -126,
                    .decimal_digits = 4,
                    .sign_bit = 0x8000u,
                    .infinity = 0x7f80u,
                    .max_finite = 0x7f7fu},
};

const struct float_format *float_format(enum float_type type) {
    return &formats[type];
}

bool float_type_parse(const char *name, enum float_type *type) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            *type = (enum float_type)i;
            return true;
        }
    }
    return false;
}

double float_to_double(enum float_type type, uint64_t bits) {
    const uint32_t narrow = (uint32_t)bits;
    float single;
    double value;
    switch (type) {
    case FLOAT_F32:
        memcpy(&single, &narrow, sizeof single);
        return single;
    case FLOAT_F64:
        memcpy(&value, &bits, sizeof value);
        return value;
    default:
        return float_16_to_double((uint16_t)bits, formats[type].precision - 1);
    }
}

uint64_t float_from_double(enum float_type type, double value) {
    const float single = (float)value;
    uint32_t narrow;
    uint64_t bits;
    switch (type) {
    case FLOAT_F32:
        memcpy(&narrow, &single, sizeof narrow);
        return narrow;
    case FLOAT_F64:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    default:
        return float_16_from_double(value, formats[type].precision - 1);
    }
}

uint64_t float_load(enum float_type type, const void *array, size_t index) {
    uint16_t half;
    uint32_t single;
    uint64_t bits;
    switch (formats[type].size) {
    case sizeof half:
        memcpy(&half, (const char *)array + index * sizeof half, sizeof half);
        return half;
    case sizeof single:
        memcpy(&single, (const char *)array + index * sizeof single, sizeof single);
        return single;
    default:
        memcpy(&bits, (const char *)array + index * sizeof bits, sizeof bits);
        return bits;
    }
}

void float_store(enum float_type type, void *array, size_t index, uint64_t bits) {
    const uint16_t half = (uint16_t)bits;
    const uint32_t single = (uint32_t)bits;
    switch (formats[type].size) {
    case sizeof half:
        memcpy((char *)array + index * sizeof half, &half, sizeof half);
        return;
    case sizeof single:
        memcpy((char *)array + index * sizeof single, &single, sizeof single);
        return;
    default:
        memcpy((char *)array + index * sizeof bits, &bits, sizeof bits);
    }
}

static uint64_t magnitude(enum float_type type, uint64_t bits) {
    return bits & (formats[type].sign_bit - 1);
}

bool float_is_nan(enum float_type type, uint64_t bits) {
    return magnitude(type, bits) > formats[type].infinity;
}

bool float_is_infinite(enum float_type type, uint64_t bits) {
    return magnitude(type, bits) == formats[type].infinity;
}

bool float_is_negative(enum float_type type, uint64_t bits) {
    return (bits & formats[type].sign_bit) != 0;
}

bool float_same(enum float_type type, uint64_t a, uint64_t b) {
    return a == b || (float_is_nan(type, a) && float_is_nan(type, b));
}

// Writes "nan", "inf" or "-inf" and returns true; false for a finite number.
static bool write_special(enum float_type type, uint64_t bits, char *text) {
    if (magnitude(type, bits) < formats[type].infinity) {
        return false;
    }
    const char *word = float_is_negative(type, bits) ? "-inf" : "inf";
    strcpy(text, float_is_nan(type, bits) ? "nan" : word);
    return true;
}

// Subnormals are written with a leading 1 too, unlike printf's "%a", so that one value has one spelling in both
// formats.
void float_to_hex(enum float_type type, uint64_t bits, char *text) {
    if (write_special(type, bits, text)) {
        return;
    }
    const struct float_format *format = &formats[type];
    int stored = format->precision - 1;
    const char *sign = float_is_negative(type, bits) ? "-" : "";
    uint64_t rest = magnitude(type, bits);
    if (rest == 0) {
        snprintf(text, FLOAT_TEXT, "%s0x0p+0", sign);
        return;
    }
    uint64_t field = rest >> stored;
    uint64_t mantissa = rest & ((UINT64_C(1) << stored) - 1);
    int exponent = (field == 0 ? 1 : (int)field) - format->max_exponent;
    if (field != 0) {
        mantissa |= UINT64_C(1) << stored;
    } else {
        int shift = stored + 1 - (64 - __builtin_clzll(mantissa));
        mantissa <<= shift;
        exponent -= shift;
    }
    uint64_t fraction = mantissa << (64 - stored); // the leading 1 is shifted out
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)fraction);
    int length = 16;
    while (length > 0 && digits[length - 1] == '0') {
        length--;
    }
    snprintf(text, FLOAT_TEXT, "%s0x1%s%.*sp%+d", sign, length > 0 ? "." : "", length, digits, exponent);
}

void float_to_decimal(enum float_type type, uint64_t bits, char *text) {
    if (!write_special(type, bits, text)) {
        snprintf(text, FLOAT_TEXT, "%.*g", formats[type].decimal_digits, float_to_double(type, bits));
    }
}

// The number that the text stands for, cut to a double whose last bit is set where anything was cut off. Rounding that
// to at most 51 bits is rounding the text's number: no tie arises that was none (Boldo and Melquiond 2008, "Emulation
// of FMA and correctly rounded sums: proved algorithms using rounding to odd").
static double read_to_odd(const char *text, char **end) {
    const int mode = fegetround();
    fexcept_t before;
    uint64_t bits;
    fegetexceptflag(&before, FE_ALL_EXCEPT);
    feclearexcept(FE_INEXACT);
    fesetround(FE_TOWARDZERO);
    double value = strtod(text, end);
    const bool cut = fetestexcept(FE_INEXACT) != 0;
    fesetround(mode);
    fesetexceptflag(&before, FE_ALL_EXCEPT);
    memcpy(&bits, &value, sizeof bits);
    bits |= cut;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool float_parse(enum float_type type, const char *text, uint64_t *bits) {
    char *end;
    uint64_t parsed = 0;
    switch (type) { // each as the format itself would be read: strtod and a cast would round twice
    case FLOAT_F32:
        parsed = float_from_double(type, strtof(text, &end));
        break;
    case FLOAT_F64:
        parsed = float_from_double(type, strtod(text, &end));
        break;
    default:
        parsed = float_from_double(type, read_to_odd(text, &end));
    }
    if (end == text || *end)
        return false;
    *bits = parsed;
    return true;
}
