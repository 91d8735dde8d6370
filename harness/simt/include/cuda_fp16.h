// SPDX-License-Identifier: MIT
// Stands in for CUDA's header of this name: binary16, each operation rounded once as `add.f16` and its like are.
#ifndef REDUCTIO_SIMT_CUDA_FP16_H
#define REDUCTIO_SIMT_CUDA_FP16_H

#include "simt/float_16.hpp"

typedef simt::float_16<FLOAT_16_STORED_F16> __half;
typedef simt::float_16_pair<FLOAT_16_STORED_F16> __half2;
typedef __half half;
typedef __half2 half2;
SIMT_FLOAT_16_FUNCTIONS(__half, __half2)

inline __half __float2half(float x) {
    return x;
}
inline __half __float2half_rn(float x) {
    return x;
}
inline __half __double2half(double x) {
    return x;
}
inline __half __int2half_rn(int x) {
    return x;
}
inline float __half2float(__half x) {
    return x;
}
inline unsigned short __half_as_ushort(__half x) {
    return x.bits;
}
inline __half __ushort_as_half(unsigned short bits) {
    return __half::of_bits(bits);
}
inline __half2 __halves2half2(__half x, __half y) {
    return {x, y};
}
inline __half2 make_half2(__half x, __half y) {
    return {x, y};
}
inline __half2 __half2half2(__half x) {
    return {x, x};
}
inline __half2 __float2half2_rn(float x) {
    return {x, x};
}
inline __half2 __floats2half2_rn(float x, float y) {
    return {x, y};
}
inline __half2 __float22half2_rn(float2 x) {
    return {x.x, x.y};
}
inline float2 __half22float2(__half2 x) {
    return {x.x, x.y};
}
inline __half __low2half(__half2 x) {
    return x.x;
}
inline __half __high2half(__half2 x) {
    return x.y;
}
inline float __low2float(__half2 x) {
    return x.x;
}
inline float __high2float(__half2 x) {
    return x.y;
}

#endif
