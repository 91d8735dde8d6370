// SPDX-License-Identifier: MIT
// A kernel launched while the one before it in the stream still runs: its blocks are there as soon as the last of that
// one's are done, 2 to 3 microseconds earlier than after an ordinary launch (H200). CUDA C++ Programming Guide,
// "Programmatic Dependent Launch"; compute capability 9.0. Older devices launch as always.
#ifndef REDUCTIO_KERNELS_DEPENDENT_LAUNCH_H
#define REDUCTIO_KERNELS_DEPENDENT_LAUNCH_H

#include <algorithm>
#include <cuda_runtime.h>

// In the later kernel, before its first access to global memory: waits until the one before has ended and its writes
// are visible.
static __device__ __forceinline__ void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

// Lets the later kernel take its places as soon as every block has come here, instead of when every block has ended.
static __device__ __forceinline__ void let_next_kernel_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

struct dependent_launch {
    cudaLaunchConfig_t config;
    cudaLaunchAttribute attribute;
};

// Whether the code of `kernel` waits: only what was compiled for 9.0 does. Code for an older device, translated by the
// driver for a newer one, does not, and must not start early. Asking takes 0.5 microseconds of every call (H200's
// host), so it is left out where all code of this file waits, or none.
template <typename Kernel>
static inline cudaError_t find_whether_it_waits(Kernel *kernel, bool *waits) {
#ifdef __CUDA_ARCH_LIST__
    constexpr int oldest = std::min({__CUDA_ARCH_LIST__}), newest = std::max({__CUDA_ARCH_LIST__});
    *waits = oldest >= 900;
    if (oldest >= 900 || newest < 900)
        return cudaSuccess;
#endif
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    *waits = error == cudaSuccess && attributes.ptxVersion >= 90;
    return error;
}

// For cudaLaunchKernelEx(&launch->config, kernel, ...). config points into *launch.
template <typename Kernel>
static inline cudaError_t prepare_dependent_launch(dependent_launch *launch, Kernel *kernel, unsigned blocks,
                                                   unsigned threads, size_t shared, cudaStream_t stream) {
    bool waits = false;
    const cudaError_t error = find_whether_it_waits(kernel, &waits);
    *launch = {};
    launch->attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    launch->attribute.val.programmaticStreamSerializationAllowed = 1;
    launch->config.gridDim = blocks;
    launch->config.blockDim = threads;
    launch->config.dynamicSmemBytes = shared;
    launch->config.stream = stream;
    launch->config.attrs = &launch->attribute;
    launch->config.numAttrs = waits;
    return error;
}

#endif
