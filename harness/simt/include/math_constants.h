// SPDX-License-Identifier: MIT
// The constants of CUDA's header of this name that sums use.
#ifndef REDUCTIO_SIMT_MATH_CONSTANTS_H
#define REDUCTIO_SIMT_MATH_CONSTANTS_H

#include <cuda_runtime.h>
#include <float.h>

#define CUDART_INF_F        __int_as_float(0x7f800000)
#define CUDART_NAN_F        __int_as_float(0x7fffffff)
#define CUDART_MAX_NORMAL_F FLT_MAX
#define CUDART_MIN_DENORM_F __int_as_float(1)
#define CUDART_NEG_ZERO_F   __int_as_float((int)0x80000000)
#define CUDART_ZERO_F       0.0f
#define CUDART_ONE_F        1.0f
#define CUDART_INF          __longlong_as_double(0x7ff0000000000000)
#define CUDART_NAN          __longlong_as_double((long long)0xfff8000000000000)
#define CUDART_NEG_ZERO     __longlong_as_double((long long)0x8000000000000000)
#define CUDART_MIN_DENORM   __longlong_as_double(1)
#define CUDART_ZERO         0.0
#define CUDART_ONE          1.0

#endif
