// SPDX-License-Identifier: MIT
// CUB's single-call sums, which CCCL 3.1 added.
#ifndef REDUCTIO_KERNELS_VENDOR_SINGLE_CALL_H
#define REDUCTIO_KERNELS_VENDOR_SINGLE_CALL_H

#include "kernels/vendor/cccl.h"

#if CUB_VERSION >= 300100 // else CUB's sums, which take nvcc long, are not needed
#include <cub/device/device_reduce.cuh>
#include <cuda/std/execution>
#include <cuda/stream_ref>

#if __has_include(<cuda/execution.require.h>)
#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>
#else
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/require.h>
#endif

#define SINGLE_CALL_ABSENT         nullptr
#define SINGLE_CALL_SUMMARY(level) "cub::DeviceReduce::Sum in one call, " level ", of " CUB_TEXT

// CUB takes its temporary memory from the device's pool in stream order, as its users' calls do.
#define SINGLE_CALL_SUM(level, in, out, n, stream)                                                                     \
    cub::DeviceReduce::Sum(in, out, n,                                                                                 \
                           cuda::std::execution::env{cuda::execution::require(cuda::execution::determinism::level),    \
                                                     cuda::stream_ref{stream}})
#else
#define SINGLE_CALL_ABSENT         "not in this CCCL (" CUB_TEXT "; the call came with CUB 300100, CCCL 3.1)"
#define SINGLE_CALL_SUMMARY(level) "cub::DeviceReduce::Sum in one call, " level
#define SINGLE_CALL_SUM(level, in, out, n, stream)                                                                     \
    (static_cast<void>(in), static_cast<void>(out), static_cast<void>(n), static_cast<void>(stream),                   \
     cudaErrorNotSupported)
#endif

#endif
