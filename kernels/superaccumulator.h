// SPDX-License-Identifier: MIT
// A fixed-point number wide enough for any sum, and its one rounding.
//
// Digit d counts multiples of 2^(UNIT + 32 d) and is a 64-bit integer of which a single addition uses 33 bits: carries
// wait in the upper half ("carry-save"), so that up to 2^30 values are added without looking at any carry, in any
// order, with plain integer additions. Kulisch 1971; Neal 2015, "Fast exact summation using small and large
// superaccumulators", section 2. All of it is integer arithmetic and exact until round_digits.
//
//     unit    2^UNIT: a divisor of the least number of the input, so that the rounding position lies above bit 0
//     digits  room for 2^40 times the largest number, 2^319 units of f32 and 2^2151 of f64, and two more, so that one
//             whose upper pieces only hold its sign can be added at the top
#ifndef REDUCTIO_KERNELS_SUPERACCUMULATOR_H
#define REDUCTIO_KERNELS_SUPERACCUMULATOR_H

#include <cuda_runtime.h>
#ifdef REDUCTIO_16_BITS
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

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

// A digit, in halves: an atomic addition of 32 bits is an instruction on shared memory, one of 64 bits is a loop that
// tries again whenever another thread was faster.
struct alignas(8) superdigit {
    unsigned low, high;

    __device__ __forceinline__ long long value() const { return static_cast<long long>(uint64_t(high) << 32 | low); }
    static __device__ __forceinline__ superdigit of(long long value) {
        return {unsigned(value), unsigned(value >> 32)};
    }

    // Modulo 2^64, whatever other threads add meanwhile: each carry out of `low` is some addition's.
    __device__ __forceinline__ void add(unsigned x_low, unsigned x_high) {
        const unsigned before = atomicAdd(&low, x_low);
        x_high += before + x_low < x_low;
        if (x_high != 0)
            atomicAdd(&high, x_high);
    }
};

// Adds value * 2^(UNIT + position) to digits that other threads add to as well.
static __device__ __forceinline__ void add_to_digits(superdigit *digits, long long value, unsigned position) {
    const unsigned first = position / 32, shift = position % 32;
    const long long above = value >> (32 - shift); // arithmetic: the sign goes with the highest piece
    digits[first].add(unsigned(static_cast<unsigned long long>(value) << shift), 0);
    if (above != 0)
        digits[first + 1].add(unsigned(above), 0);
    if (above >> 32 != 0)
        digits[first + 2].add(unsigned(above >> 32), unsigned(above >> 63));
}

static constexpr unsigned WHOLE_WARP = 0xffffffff;

// The digits held by LANES threads, a whole warp or one thread alone, PER_LANE consecutive ones in each, as a two's
// complement number of that many digits: room for the sign above DIGITS.
template <unsigned DIGITS, unsigned LANES>
struct lane_digits {
    static_assert(LANES == 1 || LANES == 32, "shuffles name a whole warp");
    static constexpr unsigned PER_LANE = DIGITS / LANES + 1;
    long long digits[PER_LANE];
    unsigned lane;

    __device__ __forceinline__ unsigned index(unsigned k) const { return lane * PER_LANE + k; }

    __device__ __forceinline__ explicit lane_digits(const superdigit *from) : lane(LANES == 1 ? 0 : threadIdx.x % 32) {
#pragma unroll
        for (unsigned k = 0; k < PER_LANE; k++)
            digits[k] = index(k) < DIGITS ? from[index(k)].value() : 0;
        carry(0);
    }

    // Adds `incoming` to each lane's lowest digit and brings all digits into 0 .. 2^32 - 1. After two rounds a lane has
    // at most 1 or -1 to hand on, and one that handed it on is not full, or not empty, itself: where all of them have
    // one sign, the lanes that it reaches are those of a carry in the addition of two masks.
    __device__ __forceinline__ void carry(long long incoming) {
        incoming = hand_on(hand_on(incoming));
        for (;;) {
            const unsigned plus = ballot(incoming > 0), minus = ballot(incoming < 0);
            if ((plus | minus) == 0)
                return;
            if (plus == 0 || minus == 0) {
                const unsigned through = ballot(all_are(plus != 0 ? 0xffffffff : 0)), start = plus | minus;
                const unsigned reached = start | ((through + start) ^ through ^ start);
                hand_on((reached >> lane & 1) == 0 ? 0 : plus != 0 ? 1 : -1);
                return;
            }
            incoming = hand_on(incoming);
        }
    }

    __device__ __forceinline__ bool is_negative() const {
        return from_lane(digits[PER_LANE - 1], LANES - 1) >> 31 & 1;
    }

    __device__ __forceinline__ void negate() {
#pragma unroll
        for (unsigned k = 0; k < PER_LANE; k++)
            digits[k] ^= 0xffffffff;
        carry(lane == 0);
    }

    // Places up to the highest bit; 0 for zero.
    __device__ __forceinline__ unsigned length() const {
        unsigned own = 0;
#pragma unroll
        for (unsigned k = 0; k < PER_LANE; k++)
            own = digits[k] != 0 ? 32 * (index(k) + 1) - unsigned(__clz(int(digits[k]))) : own;
        const unsigned holders = ballot(own != 0);
        return holders == 0 ? 0 : from_lane(own, 31 - __clz(int(holders)));
    }

    __device__ __forceinline__ bool any_below(unsigned position) const {
        bool own = false;
#pragma unroll
        for (unsigned k = 0; k < PER_LANE; k++) {
            const int places = int(position) - int(32 * index(k)); // of this digit that lie below
            own |= places >= 32 ? digits[k] != 0 : places > 0 && (digits[k] & ((1ll << places) - 1)) != 0;
        }
        return ballot(own) != 0;
    }

    __device__ __forceinline__ void store(superdigit *to) const {
#pragma unroll
        for (unsigned k = 0; k < PER_LANE; k++)
            if (index(k) < DIGITS)
                to[index(k)] = superdigit::of(digits[k]);
        if (LANES != 1)
            __syncwarp();
    }

  private:
    // Returns what arrives from the lane below.
    __device__ __forceinline__ long long hand_on(long long incoming) {
#pragma unroll
        for (unsigned k = 0; k < PER_LANE; k++) {
            incoming += digits[k];
            digits[k] = incoming & 0xffffffff;
            incoming >>= 32;
        }
        incoming = LANES == 1 ? 0 : __shfl_up_sync(WHOLE_WARP, incoming, 1);
        return lane == 0 ? 0 : incoming;
    }

    __device__ __forceinline__ bool all_are(long long digit) const {
        bool same = true;
#pragma unroll
        for (unsigned k = 0; k < PER_LANE; k++)
            same &= digits[k] == digit;
        return same;
    }

    static __device__ __forceinline__ unsigned ballot(bool own) {
        return LANES == 1 ? own : __ballot_sync(WHOLE_WARP, own);
    }

    template <typename T>
    static __device__ __forceinline__ T from_lane(T value, int holder) {
        return LANES == 1 ? value : __shfl_sync(WHOLE_WARP, value, holder);
    }
};

// 64 bits from bit `position` on; two zero digits follow the highest one.
static __device__ __forceinline__ uint64_t bits_at(const superdigit *digits, unsigned position) {
    const unsigned first = position / 32, shift = position % 32;
    const uint64_t low = digits[first].low | uint64_t(digits[first + 1].low) << 32; // carried: no digit has a high half
    return shift == 0 ? low : low >> shift | uint64_t(digits[first + 2].low) << (64 - shift);
}

// A result's format: p, the exponent of its least number, the bits of infinity.
template <typename Out>
struct format_of;
template <>
struct format_of<float> {
    typedef uint32_t bits;
    static constexpr int PRECISION = FLT_MANT_DIG, LEAST = FLT_MIN_EXP - FLT_MANT_DIG;
    static constexpr uint64_t INFINITE = uint64_t(255) << 23;
};
template <>
struct format_of<double> {
    typedef uint64_t bits;
    static constexpr int PRECISION = DBL_MANT_DIG, LEAST = DBL_MIN_EXP - DBL_MANT_DIG;
    static constexpr uint64_t INFINITE = uint64_t(2047) << 52;
};
#ifdef REDUCTIO_16_BITS
template <>
struct format_of<__half> {
    typedef uint16_t bits;
    static constexpr int PRECISION = 11, LEAST = -24;
    static constexpr uint64_t INFINITE = uint64_t(31) << 10;
};
template <>
struct format_of<__nv_bfloat16> {
    typedef uint16_t bits;
    static constexpr int PRECISION = 8, LEAST = -133;
    static constexpr uint64_t INFINITE = uint64_t(255) << 7;
};
#endif

// The float of this sign and magnitude, the latter in units of the least subnormal number: as bits the floats of one
// sign are in order, and a mantissa that was rounded up to 2^p carries into the exponent field by itself.
template <typename Out>
static __device__ __forceinline__ Out assemble(bool negative, uint64_t magnitude) {
    constexpr uint64_t limit = format_of<Out>::INFINITE;
    magnitude = magnitude < limit ? magnitude : limit;
    const auto bits = typename format_of<Out>::bits(magnitude | uint64_t(negative) << (8 * sizeof(Out) - 1));
    Out x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// To nearest, ties to even, gradual underflow, IEEE 754's overflow threshold, of a magnitude that is not 0; 2^UNIT is
// at most half of Out's least number.
template <typename Out, int UNIT, unsigned DIGITS, unsigned LANES>
static __device__ __forceinline__ Out round_magnitude(const lane_digits<DIGITS, LANES> &sum, const superdigit *digits,
                                                      bool negative) {
    constexpr int precision = format_of<Out>::PRECISION;
    constexpr unsigned lowest = unsigned(format_of<Out>::LEAST - UNIT); // place of the least number's bit
    const unsigned bits = sum.length(), place = bits > lowest + precision ? bits - precision : lowest;
    uint64_t mantissa = bits_at(digits, place);
    const bool half = bits_at(digits, place - 1) & 1, rest = sum.any_below(place - 1);
    mantissa += half && (rest || (mantissa & 1));
    return assemble<Out>(negative, mantissa + (uint64_t(place - lowest) << (precision - 1)));
}

// The result, in every lane. LANES = 32: one whole warp's work, all lanes with the same arguments, every digit written
// before (__syncwarp or a barrier). digits[DIGITS] and digits[DIGITS + 1] are 0. No elements at all count as -0.
template <typename Out, int UNIT, unsigned DIGITS, unsigned LANES = 32>
static __device__ Out round_digits(superdigit *digits, unsigned seen) {
    const bool both = (seen & SEEN_PLUS_INFINITY) && (seen & SEEN_MINUS_INFINITY);
    if ((seen & SEEN_NAN) || both)
        return Out(NAN);
    if (seen & (SEEN_PLUS_INFINITY | SEEN_MINUS_INFINITY))
        return seen & SEEN_PLUS_INFINITY ? Out(INFINITY) : -Out(INFINITY);
    lane_digits<DIGITS, LANES> sum(digits);
    const bool negative = sum.is_negative();
    if (negative)
        sum.negate();
    if (sum.length() == 0)
        return seen & SEEN_NOT_MINUS_ZERO ? Out(0) : -Out(0);
    sum.store(digits);
    return round_magnitude<Out, UNIT, DIGITS, LANES>(sum, digits, negative);
}

#endif
