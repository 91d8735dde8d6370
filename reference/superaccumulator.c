// SPDX-License-Identifier: MIT
// One long fixed-point number in two's complement style: limb i counts units of 2^(32·i - 1074) in a signed 64-bit
// word, of which 32 bits are its own and the rest is room for carries. An element touches the two or three limbs that
// its mantissa spans, each by less than 2^32; carries move up every 2^30 elements, long before 2^31 of those can pile
// up. The range 2^-1074 .. 2^(1024+40) needs 67 limbs.
#include "reference/superaccumulator.h"

#include <string.h>

enum { LIMBS = 68, LIMB_BITS = 32, LOWEST = -1074 };
static const int64_t limb_base = INT64_C(1) << LIMB_BITS;

struct accumulator {
    int64_t limb[LIMBS];
    bool nan, plus_infinity, minus_infinity;
    bool only_minus_zeros;
};

// Brings every limb but the last into 0 .. 2^32 - 1; the last one carries the sign.
static void move_carries(struct accumulator *sum) {
    for (int i = 0; i + 1 < LIMBS; i++) {
        int64_t own = sum->limb[i] & (limb_base - 1);
        sum->limb[i + 1] += (sum->limb[i] - own) / limb_base;
        sum->limb[i] = own;
    }
}

// Adds ±mantissa·2^exponent.
static void add_scaled(struct accumulator *sum, uint64_t mantissa, int exponent, bool negative) {
    int place = exponent - LOWEST;
    int shift = place % LIMB_BITS;
    int64_t *limb = &sum->limb[place / LIMB_BITS];
    uint64_t low = (mantissa & 0xffffffff) << shift;
    uint64_t high = (mantissa >> LIMB_BITS) << shift;
    int64_t parts[3] = {(int64_t)(low & 0xffffffff), (int64_t)((low >> LIMB_BITS) + (high & 0xffffffff)),
                        (int64_t)(high >> LIMB_BITS)};
    for (int i = 0; i < 3; i++) {
        if (parts[i] != 0) {
            limb[i] += negative ? -parts[i] : parts[i];
        }
    }
}

static void add_element(struct accumulator *sum, enum float_type in, uint64_t bits) {
    const struct float_format *format = float_format(in);
    bool negative = float_is_negative(in, bits);
    uint64_t hidden = UINT64_C(1) << (format->precision - 1);
    uint64_t mantissa = bits & (hidden - 1);
    int field = (int)((bits & (format->sign_bit - 1)) / hidden);
    sum->only_minus_zeros &= bits == format->sign_bit;
    if (float_is_nan(in, bits)) {
        sum->nan = true;
    } else if (float_is_infinite(in, bits)) {
        *(negative ? &sum->minus_infinity : &sum->plus_infinity) = true;
    } else if (field == 0) {
        add_scaled(sum, mantissa, format->min_exponent - format->precision + 1, negative);
    } else {
        add_scaled(sum, mantissa + hidden, format->min_exponent - format->precision + field, negative);
    }
}

static void negate(struct accumulator *sum) {
    for (int i = 0; i < LIMBS; i++) {
        sum->limb[i] = -sum->limb[i];
    }
    move_carries(sum);
}

static int highest_bit(const struct accumulator *sum) { // -1 for zero
    for (int i = LIMBS - 1; i >= 0; i--) {
        if (sum->limb[i] != 0) {
            return i * LIMB_BITS + 63 - __builtin_clzll((uint64_t)sum->limb[i]);
        }
    }
    return -1;
}

static uint64_t bit_at(const struct accumulator *sum, int place) {
    if (place < 0) {
        return 0;
    }
    // The last limb holds all that is above it.
    int i = place / LIMB_BITS < LIMBS ? place / LIMB_BITS : LIMBS - 1;
    return (uint64_t)sum->limb[i] >> (place - i * LIMB_BITS) & 1;
}

static bool any_bit_below(const struct accumulator *sum, int place) {
    for (int i = 0; i < place; i++) {
        if (bit_at(sum, i) != 0) {
            return true;
        }
    }
    return false;
}

// Rounds a sum that is not negative: to nearest, ties to even.
static uint64_t round_magnitude(const struct accumulator *sum, enum float_type out) {
    const struct float_format *format = float_format(out);
    int top = highest_bit(sum);
    if (top < 0) {
        return 0;
    }
    int smallest = format->min_exponent - format->precision + 1 - LOWEST; // place of the format's last bit
    int last = top - format->precision + 1 > smallest ? top - format->precision + 1 : smallest;
    uint64_t kept = 0;
    for (int place = top; place >= last; place--) {
        kept = kept << 1 | bit_at(sum, place);
    }
    bool half = bit_at(sum, last - 1) != 0;
    if (half && ((kept & 1) != 0 || any_bit_below(sum, last - 1))) {
        kept++;
    }
    uint64_t hidden = UINT64_C(1) << (format->precision - 1);
    if (kept < hidden) {
        return kept; // subnormal
    }
    if (kept == 2 * hidden) {
        kept = hidden;
        last++;
    }
    int field = last - smallest + 1;
    if (field > 2 * format->max_exponent) {
        return format->infinity;
    }
    return (uint64_t)field * hidden + (kept - hidden);
}

static uint64_t finish(struct accumulator *sum, enum float_type out, bool minus_zero) {
    const struct float_format *format = float_format(out);
    if (sum->nan || (sum->plus_infinity && sum->minus_infinity)) {
        return format->infinity + (UINT64_C(1) << (format->precision - 2));
    }
    if (sum->plus_infinity || sum->minus_infinity) {
        return format->infinity + (sum->minus_infinity ? format->sign_bit : 0);
    }
    move_carries(sum);
    bool negative = sum->limb[LIMBS - 1] < 0;
    if (negative) {
        negate(sum);
    }
    return round_magnitude(sum, out) + (negative || minus_zero ? format->sign_bit : 0);
}

uint64_t superaccumulator_sum(enum float_type in, const void *x, size_t n, enum float_type out) {
    struct accumulator sum;
    memset(&sum, 0, sizeof sum);
    sum.only_minus_zeros = true;
    for (size_t i = 0; i < n; i++) {
        add_element(&sum, in, float_load(in, x, i));
        if (i % (UINT32_C(1) << 30) == 0) {
            move_carries(&sum);
        }
    }
    return finish(&sum, out, n > 0 && sum.only_minus_zeros);
}
