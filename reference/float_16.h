// SPDX-License-Identifier: MIT
// The one place where numbers of the 16-bit formats are converted, for the oracles, the loops in C and the emulator.
//
// f16 is IEEE 754's binary16, bf16 the upper half of an f32. Both are a sign, an exponent field and `stored` bits of
// the significand, 10 or 7, which settles the rest: the exponent field has 15 - stored bits, its bias is emax. Every
// such number is an f32 and an f64 number.
#ifndef REDUCTIO_FLOAT_16_H
#define REDUCTIO_FLOAT_16_H

#include <stdint.h>
#include <string.h>

enum { FLOAT_16_STORED_F16 = 10, FLOAT_16_STORED_BF16 = 7 };

// The bits' value, exact; a NaN keeps its payload in the leading bits.
static inline double float_16_to_double(uint16_t bits, int stored) {
    const int bias = (1 << (14 - stored)) - 1, special = 2 * bias + 1;
    const int field = (bits & 0x7fff) >> stored;
    const uint64_t fraction = bits & ((1u << stored) - 1);
    uint64_t wide = fraction << (52 - stored);
    double value;
    if (field == 0) { // a multiple of the least number, 2^(1 - bias - stored): the product is exact
        const uint64_t least = (uint64_t)(1 - bias - stored + 1023) << 52;
        memcpy(&value, &least, sizeof value);
        value *= (double)fraction;
        return bits >> 15 ? -value : value;
    }
    wide |= (uint64_t)(field == special ? 0x7ff : field - bias + 1023) << 52 | (uint64_t)(bits >> 15) << 63;
    memcpy(&value, &wide, sizeof value);
    return value;
}

// The value rounded once, to nearest with ties to even: gradual underflow, infinity from half a last place beyond the
// largest number on. A NaN becomes a quiet one with the leading bits of its payload.
static inline uint16_t float_16_from_double(double value, int stored) {
    const int bias = (1 << (14 - stored)) - 1;
    const uint16_t infinity = (uint16_t)((2 * bias + 1) << stored);
    uint64_t wide;
    memcpy(&wide, &value, sizeof wide);
    const uint16_t sign = (uint16_t)(wide >> 63 << 15);
    const int exponent = (int)(wide >> 52 & 0x7ff) - 1023;
    const uint64_t fraction = wide & ((UINT64_C(1) << 52) - 1);
    if (exponent == 1024 && fraction != 0)
        return (uint16_t)(sign | infinity | 1u << (stored - 1) | (uint16_t)(fraction >> (52 - stored)));
    if (exponent > bias)
        return (uint16_t)(sign | infinity);
    // The significand is cut where the format's last place is: one of the subnormals' for what is below the normals.
    const int below = exponent < 1 - bias ? 1 - bias - exponent : 0, cut = 52 - stored + below;
    if (exponent == -1023 || cut > 53)
        return sign; // less than half the least number
    const uint64_t significand = fraction | UINT64_C(1) << 52, half = UINT64_C(1) << (cut - 1);
    const uint64_t rest = significand & (2 * half - 1);
    uint64_t kept = significand >> cut;
    kept += rest > half || (rest == half && (kept & 1));
    // The leading one of `kept`, where there is one, raises the exponent field; and so does a carry, up to infinity.
    return (uint16_t)(sign | (((uint64_t)(below ? 0 : exponent + bias - 1) << stored) + kept));
}

#endif
