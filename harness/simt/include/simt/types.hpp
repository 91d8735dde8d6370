// SPDX-License-Identifier: MIT
// Qualifiers, vector types and dim3. Sizes and alignments are those of the CUDA C++ Programming Guide, table
// "Alignment Requirements".
#ifndef REDUCTIO_SIMT_TYPES_HPP
#define REDUCTIO_SIMT_TYPES_HPP

#include "harness/simt/machine.h"

#define __global__ __attribute__((unused))
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n)    __attribute__((aligned(n)))
#define __restrict __restrict__

// __shared__ and __noinline__ are left to the translator: no macro can do the first, and the second would break the
// attribute of that name in the C++ library's own headers.

#define SIMT_VECTORS(name, type, align2, align4)                                                                       \
    struct name##1 {                                                                                                   \
        type x;                                                                                                        \
    };                                                                                                                 \
    struct alignas(align2) name##2 {                                                                                   \
        type x, y;                                                                                                     \
    };                                                                                                                 \
    struct alignas(align4) name##4 {                                                                                   \
        type x, y, z, w;                                                                                               \
    };                                                                                                                 \
    inline name##1 make_##name##1(type x) {                                                                            \
        return {x};                                                                                                    \
    }                                                                                                                  \
    inline name##2 make_##name##2(type x, type y) {                                                                    \
        return {x, y};                                                                                                 \
    }                                                                                                                  \
    inline name##4 make_##name##4(type x, type y, type z, type w) {                                                    \
        return {x, y, z, w};                                                                                           \
    }

// Apart, because uint3 is what threadIdx is.
#define SIMT_TRIPLE(name, type)                                                                                        \
    struct name##3 {                                                                                                   \
        type x, y, z;                                                                                                  \
    };                                                                                                                 \
    inline name##3 make_##name##3(type x, type y, type z) {                                                            \
        return {x, y, z};                                                                                              \
    }

typedef simt_index uint3;
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
    return {x, y, z};
}
SIMT_TRIPLE(char, signed char)
SIMT_TRIPLE(uchar, unsigned char)
SIMT_TRIPLE(short, short)
SIMT_TRIPLE(ushort, unsigned short)
SIMT_TRIPLE(int, int)
SIMT_TRIPLE(longlong, long long)
SIMT_TRIPLE(ulonglong, unsigned long long)
SIMT_TRIPLE(float, float)
SIMT_TRIPLE(double, double)
#undef SIMT_TRIPLE

SIMT_VECTORS(uint, unsigned, 8, 16)
SIMT_VECTORS(char, signed char, 2, 4)
SIMT_VECTORS(uchar, unsigned char, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(ushort, unsigned short, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(long, long, 16, 16)
SIMT_VECTORS(ulong, unsigned long, 16, 16)
SIMT_VECTORS(longlong, long long, 16, 16)
SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)
#undef SIMT_VECTORS

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

extern "C" dim3 blockDim, gridDim;
constexpr int warpSize = SIMT_WARP;

#endif
