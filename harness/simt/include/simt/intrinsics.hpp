// SPDX-License-Identifier: MIT
// Device functions that are plain arithmetic.
#ifndef REDUCTIO_SIMT_INTRINSICS_HPP
#define REDUCTIO_SIMT_INTRINSICS_HPP

#include <bit>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <type_traits>

template <class T>
T __ldg(const T *address) {
    return *address;
}
template <class T>
T __ldcg(const T *address) {
    return *address;
}
template <class T>
T __ldca(const T *address) {
    return *address;
}
template <class T>
T __ldcs(const T *address) {
    return *address;
}
template <class T>
T __ldlu(const T *address) {
    return *address;
}
template <class T>
T __ldcv(const T *address) {
    return *address;
}
template <class T>
void __stwb(T *address, std::type_identity_t<T> value) {
    *address = value;
}
template <class T>
void __stcg(T *address, std::type_identity_t<T> value) {
    *address = value;
}
template <class T>
void __stcs(T *address, std::type_identity_t<T> value) {
    *address = value;
}
template <class T>
void __stwt(T *address, std::type_identity_t<T> value) {
    *address = value;
}

inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
inline int __clz(int x) {
    return x ? __builtin_clz((unsigned)x) : 32;
}
inline int __clzll(long long x) {
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
inline int __ffs(int x) {
    return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long reversed = 0;
    for (int i = 0; i < 64; i++)
        reversed |= (x >> i & 1) << (63 - i);
    return reversed;
}
inline unsigned __brev(unsigned x) {
    return (unsigned)(__brevll(x) >> 32);
}

inline unsigned __float_as_uint(float x) {
    return std::bit_cast<unsigned>(x);
}
inline int __float_as_int(float x) {
    return std::bit_cast<int>(x);
}
inline float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}
inline float __int_as_float(int x) {
    return std::bit_cast<float>(x);
}
inline long long __double_as_longlong(double x) {
    return std::bit_cast<long long>(x);
}
inline double __longlong_as_double(long long x) {
    return std::bit_cast<double>(x);
}
inline int __double2hiint(double x) {
    return (int)(std::bit_cast<uint64_t>(x) >> 32);
}
inline int __double2loint(double x) {
    return (int)std::bit_cast<uint64_t>(x);
}
inline double __hiloint2double(int high, int low) {
    return std::bit_cast<double>((uint64_t)(uint32_t)high << 32 | (uint32_t)low);
}

// Rounded to nearest, never contracted: the build forbids contraction everywhere.
inline float __fadd_rn(float a, float b) {
    return a + b;
}
inline float __fsub_rn(float a, float b) {
    return a - b;
}
inline float __fmul_rn(float a, float b) {
    return a * b;
}
inline float __fdiv_rn(float a, float b) {
    return a / b;
}
inline float __frcp_rn(float a) {
    return 1.0f / a;
}
inline float __fsqrt_rn(float a) {
    return sqrtf(a);
}
inline float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
inline double __dadd_rn(double a, double b) {
    return a + b;
}
inline double __dsub_rn(double a, double b) {
    return a - b;
}
inline double __dmul_rn(double a, double b) {
    return a * b;
}
inline double __ddiv_rn(double a, double b) {
    return a / b;
}
inline double __drcp_rn(double a) {
    return 1.0 / a;
}
inline double __dsqrt_rn(double a) {
    return sqrt(a);
}
inline double __fma_rn(double a, double b, double c) {
    return fma(a, b, c);
}
inline float __double2float_rn(double a) {
    return (float)a;
}
inline float __int2float_rn(int a) {
    return (float)a;
}
inline float __uint2float_rn(unsigned a) {
    return (float)a;
}
inline double __ll2double_rn(long long a) {
    return (double)a;
}
inline double __ull2double_rn(unsigned long long a) {
    return (double)a;
}
inline float __saturatef(float a) {
    return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f;
}

#define SIMT_MIN_MAX(type)                                                                                             \
    inline type min(type a, type b) {                                                                                  \
        return a < b ? a : b;                                                                                          \
    }                                                                                                                  \
    inline type max(type a, type b) {                                                                                  \
        return a > b ? a : b;                                                                                          \
    }
SIMT_MIN_MAX(int)
SIMT_MIN_MAX(unsigned)
SIMT_MIN_MAX(long)
SIMT_MIN_MAX(unsigned long)
SIMT_MIN_MAX(long long)
SIMT_MIN_MAX(unsigned long long)
#undef SIMT_MIN_MAX
inline float min(float a, float b) {
    return fminf(a, b);
}
inline float max(float a, float b) {
    return fmaxf(a, b);
}
inline double min(double a, double b) {
    return fmin(a, b);
}
inline double max(double a, double b) {
    return fmax(a, b);
}
// Mixed signs compare as unsigned, as in CUDA.
inline unsigned min(int a, unsigned b) {
    return min((unsigned)a, b);
}
inline unsigned min(unsigned a, int b) {
    return min(a, (unsigned)b);
}
inline unsigned max(int a, unsigned b) {
    return max((unsigned)a, b);
}
inline unsigned max(unsigned a, int b) {
    return max(a, (unsigned)b);
}

inline long long clock64() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

#endif
