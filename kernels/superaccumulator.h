// SPDX-License-Identifier: MIT
// A fixed-point number wide enough for any sum, and its one rounding.
//
// Digit d counts multiples of 2^(UNIT + 32 d) and is a 64-bit integer of which a single addition uses 33 bits: carries
// wait in the upper half ("carry-save"), so that up to 2^30 values are added without looking at any carry, in any
// order, with plain integer additions. Kulisch 1971; Neal 2015, "Fast exact summation using small and large
// superaccumulators", section 2. All of it is integer arithmetic and exact until round_digits.
//
//     unit    2^UNIT: a divisor of the least number of the input, so that the rounding position lies above bit 0
//     digits  room for 2^40 times the largest number, 2^319 units of f32 and 2^2151 of f64, and two more, so that a
//     value
//             whose upper pieces only hold its sign can be added at the top
#ifndef REDUCTIO_KERNELS_SUPERACCUMULATOR_H
#define REDUCTIO_KERNELS_SUPERACCUMULATOR_H

#include <cuda_runtime.h>

#include <float.h>
#include <stdint.h>
#include <string.h>

template <typename T>
struct superaccumulator;

template <>
struct superaccumulator<float> {
    static constexpr int UNIT = -150;
    static constexpr unsigned DIGITS = 12;
};

template <>
struct superaccumulator<double> {
    static constexpr int UNIT = -1086;
    static constexpr unsigned DIGITS = 70;
};

// What a sum has met, as a set.
enum seen : unsigned { SEEN_NAN = 1, SEEN_PLUS_INFINITY = 2, SEEN_MINUS_INFINITY = 4, SEEN_NOT_MINUS_ZERO = 8 };

static __device__ __forceinline__ unsigned class_of_special(double x) {
    return x != x ? SEEN_NAN : x > 0 ? SEEN_PLUS_INFINITY : SEEN_MINUS_INFINITY;
}

// Adds value * 2^(UNIT + position) to digits that other threads add to as well.
static __device__ __forceinline__ void add_to_digits(unsigned long long *digits, long long value, unsigned position) {
    const unsigned first = position / 32, shift = position % 32;
    const long long above = value >> (32 - shift); // arithmetic: the sign goes with the highest piece
    atomicAdd(&digits[first], static_cast<unsigned long long>(value) << shift & 0xffffffff);
    if (above != 0)
        atomicAdd(&digits[first + 1], static_cast<unsigned long long>(above) & 0xffffffff);
    if (above >> 32 != 0)
        atomicAdd(&digits[first + 2], static_cast<unsigned long long>(above >> 32));
}

// Brings every digit but the highest into 0 .. 2^32 - 1. True if the number is negative.
template <unsigned DIGITS>
static __device__ __forceinline__ bool carry_digits(long long *digits) {
    long long carry = 0;
    for (unsigned d = 0; d + 1 < DIGITS; d++) {
        const long long digit = digits[d] + carry;
        digits[d] = digit & 0xffffffff;
        carry = digit >> 32;
    }
    digits[DIGITS - 1] += carry;
    return digits[DIGITS - 1] < 0;
}

// 64 bits from bit `position` on; two zero digits follow the highest one.
static __device__ __forceinline__ uint64_t bits_at(const long long *digits, unsigned position) {
    const unsigned first = position / 32, shift = position % 32;
    const uint64_t low = uint64_t(digits[first]) | uint64_t(digits[first + 1]) << 32;
    return shift == 0 ? low : low >> shift | uint64_t(digits[first + 2]) << (64 - shift);
}

template <typename Out>
struct bits_of;
template <>
struct bits_of<float> {
    typedef uint32_t type;
};
template <>
struct bits_of<double> {
    typedef uint64_t type;
};

// The float of this sign and magnitude, the latter in units of the least subnormal number: as bits the floats of one
// sign are in order, and a mantissa that was rounded up to 2^p carries into the exponent field by itself.
template <typename Out>
static __device__ __forceinline__ Out assemble(bool negative, uint64_t magnitude) {
    constexpr uint64_t infinity = (uint64_t(2) * DBL_MAX_EXP - 1) << 52, infinity_f32 = uint64_t(255) << 23;
    constexpr uint64_t limit = sizeof(Out) == 4 ? infinity_f32 : infinity;
    magnitude = magnitude < limit ? magnitude : limit;
    const auto bits = typename bits_of<Out>::type(magnitude | uint64_t(negative) << (8 * sizeof(Out) - 1));
    Out x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// To nearest, ties to even, gradual underflow, IEEE 754's overflow threshold. The digits are a carried magnitude,
// `bits` its length; 2^UNIT is at most half of Out's least number.
template <typename Out, int UNIT>
static __device__ __forceinline__ Out round_magnitude(const long long *digits, unsigned bits, bool negative) {
    constexpr int precision = sizeof(Out) == 4 ? FLT_MANT_DIG : DBL_MANT_DIG;
    constexpr int least = sizeof(Out) == 4 ? FLT_MIN_EXP - FLT_MANT_DIG : DBL_MIN_EXP - DBL_MANT_DIG;
    constexpr unsigned lowest = unsigned(least - UNIT); // place of the least number's bit
    const unsigned place = bits > lowest + precision ? bits - precision : lowest;
    uint64_t mantissa = bits_at(digits, place);
    const bool half = bits_at(digits, place - 1) & 1;
    bool rest = false;
    for (unsigned d = 0; d < (place - 1) / 32; d++)
        rest |= digits[d] != 0;
    rest |= (digits[(place - 1) / 32] & ((1ll << (place - 1) % 32) - 1)) != 0;
    mantissa += half && (rest || (mantissa & 1));
    return assemble<Out>(negative, mantissa + (uint64_t(place - lowest) << (precision - 1)));
}

// The result; one thread's work. digits[DIGITS] and digits[DIGITS + 1] are 0. No elements at all count as -0.
template <typename Out, int UNIT, unsigned DIGITS>
static __device__ Out round_digits(long long *digits, unsigned seen) {
    const bool both = (seen & SEEN_PLUS_INFINITY) && (seen & SEEN_MINUS_INFINITY);
    if ((seen & SEEN_NAN) || both)
        return Out(NAN);
    if (seen & (SEEN_PLUS_INFINITY | SEEN_MINUS_INFINITY))
        return seen & SEEN_PLUS_INFINITY ? Out(INFINITY) : -Out(INFINITY);
    const bool negative = carry_digits<DIGITS>(digits);
    if (negative) {
        for (unsigned d = 0; d < DIGITS; d++)
            digits[d] = -digits[d];
        carry_digits<DIGITS>(digits);
    }
    unsigned top = DIGITS;
    while (top > 0 && digits[top - 1] == 0)
        top--;
    if (top == 0)
        return seen & SEEN_NOT_MINUS_ZERO ? Out(0) : -Out(0);
    const unsigned bits = 32 * top - unsigned(__clz(int(digits[top - 1])));
    return round_magnitude<Out, UNIT>(digits, bits, negative);
}

#endif
