// SPDX-License-Identifier: MIT
#include "reference/float_type.h"

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
                   .sign_bit = 0x80000000u,
                   .infinity = 0x7f800000u,
                   .max_finite = 0x7f7fffffu},
    [FLOAT_F64] = {.name = "f64",
                   .size = 8,
                   .precision = 53,
                   .max_exponent = 1023,
                   .min_exponent = -1022,
                   .sign_bit = 0x8000000000000000u,
                   .infinity = 0x7ff0000000000000u,
                   .max_finite = 0x7fefffffffffffffu},
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
    if (type == FLOAT_F32) {
        uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, sizeof value);
        return value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t float_load(enum float_type type, const void *array, size_t index) {
    if (type == FLOAT_F32) {
        uint32_t bits;
        memcpy(&bits, (const char *)array + index * sizeof bits, sizeof bits);
        return bits;
    }
    uint64_t bits;
    memcpy(&bits, (const char *)array + index * sizeof bits, sizeof bits);
    return bits;
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
        snprintf(text, FLOAT_TEXT, "%.*g", type == FLOAT_F32 ? 9 : 17, float_to_double(type, bits));
    }
}

bool float_parse(enum float_type type, const char *text, uint64_t *bits) {
    char *end;
    uint64_t parsed = 0;
    if (type == FLOAT_F32) { // strtod and a cast would round twice
        float value = strtof(text, &end);
        memcpy(&parsed, &value, sizeof value);
    } else {
        double value = strtod(text, &end);
        memcpy(&parsed, &value, sizeof value);
    }
    if (end == text || *end)
        return false;
    *bits = parsed;
    return true;
}
