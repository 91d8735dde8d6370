// SPDX-License-Identifier: MIT
// Stands in for CUDA's header of this name: the upper half of an f32, each operation rounded once as `fma.rn.bf16` is.
#ifndef REDUCTIO_SIMT_CUDA_BF16_H
#define REDUCTIO_SIMT_CUDA_BF16_H

#include "simt/float_16.hpp"

typedef simt::float_16<FLOAT_16_STORED_BF16> __nv_bfloat16;
typedef simt::float_16_pair<FLOAT_16_STORED_BF16> __nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
SIMT_FLOAT_16_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)

inline __nv_bfloat16 __float2bfloat16(float x) {
    return x;
}
inline __nv_bfloat16 __float2bfloat16_rn(float x) {
    return x;
}
inline __nv_bfloat16 __double2bfloat16(double x) {
    return x;
}
inline __nv_bfloat16 __int2bfloat16_rn(int x) {
    return x;
}
inline float __bfloat162float(__nv_bfloat16 x) {
    return x;
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
    return x.bits;
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return __nv_bfloat16::of_bits(bits);
}
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return {x, y};
}
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
    return {x, y};
}
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
    return {x, x};
}
inline __nv_bfloat162 __float2bfloat162_rn(float x) {
    return {x, x};
}
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return {x, y};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 x) {
    return {x.x, x.y};
}
inline float2 __bfloat1622float2(__nv_bfloat162 x) {
    return {x.x, x.y};
}
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) {
    return x.x;
}
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) {
    return x.y;
}
inline float __low2float(__nv_bfloat162 x) {
    return x.x;
}
inline float __high2float(__nv_bfloat162 x) {
    return x.y;
}

#endif
