// SPDX-License-Identifier: MIT
// The 16-bit floating-point types: numbers, pairs, arithmetic, atomics. cuda_fp16.h and cuda_bf16.h give them CUDA's
// names.
//
// Each operation is rounded once, to nearest with ties to even, as `add.f16`, `fma.rn.bf16` and their like are (PTX
// ISA, "Half Precision Floating Point Instructions"); none flushes subnormals. It is done in double and rounded from
// there. The sum, the difference, the product and the quotient of numbers of p bits come out as if rounded once where
// the wider format has 2p + 2 bits (Figueroa 1995, "When is double rounding innocuous?"): 53 are enough for 11 and 8.
#ifndef REDUCTIO_SIMT_FLOAT_16_HPP
#define REDUCTIO_SIMT_FLOAT_16_HPP

#include <cuda_runtime.h>

#include "reference/float_16.h"

#include <type_traits>

namespace simt {

// `Stored` bits of the significand are stored: 10 of f16, 7 of bf16.
template <int Stored>
struct float_16 {
    uint16_t bits;

    float_16() = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    float_16(T value) : bits(float_16_from_double(double(value), Stored)) {}
    operator float() const { return float(wide()); }
    double wide() const { return float_16_to_double(bits, Stored); }

    static float_16 of_bits(uint16_t bits) {
        float_16 x;
        x.bits = bits;
        return x;
    }
    uint16_t magnitude() const { return bits & 0x7fff; }
    static constexpr uint16_t infinity = uint16_t(((1 << (15 - Stored)) - 1) << Stored);

    friend float_16 operator+(float_16 a, float_16 b) { return a.wide() + b.wide(); }
    friend float_16 operator-(float_16 a, float_16 b) { return a.wide() - b.wide(); }
    friend float_16 operator*(float_16 a, float_16 b) { return a.wide() * b.wide(); }
    friend float_16 operator/(float_16 a, float_16 b) { return a.wide() / b.wide(); }
    friend float_16 operator-(float_16 a) { return of_bits(a.bits ^ 0x8000); }
    friend float_16 operator+(float_16 a) { return a; }
    friend float_16 &operator+=(float_16 &a, float_16 b) { return a = a + b; }
    friend float_16 &operator-=(float_16 &a, float_16 b) { return a = a - b; }
    friend float_16 &operator*=(float_16 &a, float_16 b) { return a = a * b; }
    friend float_16 &operator/=(float_16 &a, float_16 b) { return a = a / b; }
    friend float_16 &operator++(float_16 &a) { return a = a + float_16(1); }
    friend float_16 &operator--(float_16 &a) { return a = a - float_16(1); }
    friend bool operator==(float_16 a, float_16 b) { return a.wide() == b.wide(); }
    friend bool operator!=(float_16 a, float_16 b) { return a.wide() != b.wide(); }
    friend bool operator<(float_16 a, float_16 b) { return a.wide() < b.wide(); }
    friend bool operator<=(float_16 a, float_16 b) { return a.wide() <= b.wide(); }
    friend bool operator>(float_16 a, float_16 b) { return a.wide() > b.wide(); }
    friend bool operator>=(float_16 a, float_16 b) { return a.wide() >= b.wide(); }
};

// a·b + c rounded once. The product is exact in double; their sum is rounded to odd there, so that what is cut off is
// not forgotten when it is rounded to 16 bits (Boldo and Melquiond 2008).
template <int Stored>
float_16<Stored> fused(float_16<Stored> a, float_16<Stored> b, float_16<Stored> c) {
    const double product = a.wide() * b.wide(), addend = c.wide(), sum = product + addend;
    const double from_addend = sum - product;
    const double error = (product - (sum - from_addend)) + (addend - from_addend); // two_sum: exact
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (error == error && error != 0 && (bits & 1) == 0) // even, and not exact: the neighbour on the error's side
        bits += (error > 0) == (sum > 0) ? 1 : uint64_t(-1);
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}

// NaN only if both are; -0 below +0.
template <int Stored>
float_16<Stored> larger(float_16<Stored> a, float_16<Stored> b) {
    if (a.magnitude() > a.infinity)
        return b;
    if (b.magnitude() > b.infinity)
        return a;
    return a > b || (a == b && a.bits == 0) ? a : b;
}
template <int Stored>
float_16<Stored> smaller(float_16<Stored> a, float_16<Stored> b) {
    if (a.magnitude() > a.infinity)
        return b;
    if (b.magnitude() > b.infinity)
        return a;
    return a < b || (a == b && a.bits == 0x8000) ? a : b;
}

template <int Stored>
struct alignas(4) float_16_pair {
    float_16<Stored> x, y;
};
template <int Stored>
float_16_pair<Stored> operator+(float_16_pair<Stored> a, float_16_pair<Stored> b) {
    return {a.x + b.x, a.y + b.y};
}
template <int Stored>
float_16_pair<Stored> operator-(float_16_pair<Stored> a, float_16_pair<Stored> b) {
    return {a.x - b.x, a.y - b.y};
}
template <int Stored>
float_16_pair<Stored> operator*(float_16_pair<Stored> a, float_16_pair<Stored> b) {
    return {a.x * b.x, a.y * b.y};
}
template <int Stored>
float_16_pair<Stored> &operator+=(float_16_pair<Stored> &a, float_16_pair<Stored> b) {
    return a = a + b;
}

template <int Stored>
constexpr bool can_shuffle<float_16<Stored>> = true;
template <int Stored>
constexpr bool can_shuffle<float_16_pair<Stored>> = true;

// `atom.add.noftz`: subnormals are kept, in global as in shared memory.
template <int Stored>
float_16<Stored> add(float_16<Stored> *address, float_16<Stored> value, simt_place place) {
    simt_yield_float(value.wide(), place);
    const float_16<Stored> old = load(address);
    store(address, old + value);
    return old;
}

} // namespace simt

template <int Stored>
simt::float_16<Stored> atomicAdd(simt::float_16<Stored> *address, simt::float_16<Stored> value, SIMT_PLACE) {
    return simt::add(address, value, place);
}
// Each half is an atomic of its own (CUDA C++ Programming Guide, "atomicAdd").
template <int Stored>
simt::float_16_pair<Stored> atomicAdd(simt::float_16_pair<Stored> *address, simt::float_16_pair<Stored> value,
                                      SIMT_PLACE) {
    return {simt::add(&address->x, value.x, place), simt::add(&address->y, value.y, place)};
}

// The functions that both headers have under the same names.
#define SIMT_FLOAT_16_FUNCTIONS(type, pair)                                                                            \
    inline type __hadd(type a, type b) {                                                                               \
        return a + b;                                                                                                  \
    }                                                                                                                  \
    inline type __hsub(type a, type b) {                                                                               \
        return a - b;                                                                                                  \
    }                                                                                                                  \
    inline type __hmul(type a, type b) {                                                                               \
        return a * b;                                                                                                  \
    }                                                                                                                  \
    inline type __hdiv(type a, type b) {                                                                               \
        return a / b;                                                                                                  \
    }                                                                                                                  \
    inline type __hadd_rn(type a, type b) {                                                                            \
        return a + b;                                                                                                  \
    }                                                                                                                  \
    inline type __hsub_rn(type a, type b) {                                                                            \
        return a - b;                                                                                                  \
    }                                                                                                                  \
    inline type __hmul_rn(type a, type b) {                                                                            \
        return a * b;                                                                                                  \
    }                                                                                                                  \
    inline type __hfma(type a, type b, type c) {                                                                       \
        return simt::fused(a, b, c);                                                                                   \
    }                                                                                                                  \
    inline type __hneg(type a) {                                                                                       \
        return -a;                                                                                                     \
    }                                                                                                                  \
    inline type __habs(type a) {                                                                                       \
        return type::of_bits(a.magnitude());                                                                           \
    }                                                                                                                  \
    inline type __hmax(type a, type b) {                                                                               \
        return simt::larger(a, b);                                                                                     \
    }                                                                                                                  \
    inline type __hmin(type a, type b) {                                                                               \
        return simt::smaller(a, b);                                                                                    \
    }                                                                                                                  \
    inline bool __hisnan(type a) {                                                                                     \
        return a.magnitude() > type::infinity;                                                                         \
    }                                                                                                                  \
    inline int __hisinf(type a) {                                                                                      \
        return a.magnitude() != type::infinity ? 0 : a.bits >> 15 ? -1 : 1;                                            \
    }                                                                                                                  \
    inline bool __heq(type a, type b) {                                                                                \
        return a == b;                                                                                                 \
    }                                                                                                                  \
    inline bool __hne(type a, type b) {                                                                                \
        return a < b || a > b;                                                                                         \
    }                                                                                                                  \
    inline bool __hlt(type a, type b) {                                                                                \
        return a < b;                                                                                                  \
    }                                                                                                                  \
    inline bool __hle(type a, type b) {                                                                                \
        return a <= b;                                                                                                 \
    }                                                                                                                  \
    inline bool __hgt(type a, type b) {                                                                                \
        return a > b;                                                                                                  \
    }                                                                                                                  \
    inline bool __hge(type a, type b) {                                                                                \
        return a >= b;                                                                                                 \
    }                                                                                                                  \
    inline pair __hadd2(pair a, pair b) {                                                                              \
        return a + b;                                                                                                  \
    }                                                                                                                  \
    inline pair __hsub2(pair a, pair b) {                                                                              \
        return a - b;                                                                                                  \
    }                                                                                                                  \
    inline pair __hmul2(pair a, pair b) {                                                                              \
        return a * b;                                                                                                  \
    }                                                                                                                  \
    inline pair __hfma2(pair a, pair b, pair c) {                                                                      \
        return {simt::fused(a.x, b.x, c.x), simt::fused(a.y, b.y, c.y)};                                               \
    }

#endif
