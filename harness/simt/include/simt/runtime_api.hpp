// SPDX-License-Identifier: MIT
// The runtime functions that a launch function calls. Device memory is the process's own, and every stream is finished
// when a call returns.
#ifndef REDUCTIO_SIMT_RUNTIME_API_HPP
#define REDUCTIO_SIMT_RUNTIME_API_HPP

#include "harness/simt/runtime.h"

#include "simt/launch.hpp"

#include <stdlib.h>
#include <string.h>

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

struct cudaDeviceProp {
    char name[256];
    size_t sharedMemPerBlock, sharedMemPerBlockOptin;
    int warpSize, maxThreadsPerBlock, multiProcessorCount, maxThreadsPerMultiProcessor, major, minor;
    int maxGridSize[3], maxThreadsDim[3];
    int cooperativeLaunch;
};

namespace simt {
inline cudaError_t note(int error) {
    return (cudaError_t)simt_note_error(error);
}
} // namespace simt

inline cudaError_t cudaGetLastError() {
    return (cudaError_t)simt_last_error(1);
}
inline cudaError_t cudaPeekAtLastError() {
    return (cudaError_t)simt_last_error(0);
}
inline const char *cudaGetErrorName(cudaError_t error) {
    return simt_error_name(error);
}
inline const char *cudaGetErrorString(cudaError_t error) {
    return simt_error_string(error);
}

inline cudaError_t cudaDeviceSynchronize() {
    return cudaPeekAtLastError();
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaPeekAtLastError();
}

// Memory of the caller's own starts as NaNs; a hazard build finds accesses beyond its end.
template <class T>
cudaError_t cudaMalloc(T **address, size_t bytes) {
    void *memory = nullptr;
    if (bytes && posix_memalign(&memory, 256, bytes) != 0)
        return simt::note(cudaErrorMemoryAllocation);
    if (bytes)
        memset(memory, 0xff, bytes);
    *address = static_cast<T *>(memory);
    return cudaSuccess;
}
inline cudaError_t cudaFree(void *address) {
    free(address);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMallocAsync(T **address, size_t bytes, cudaStream_t) {
    return cudaMalloc(address, bytes);
}
inline cudaError_t cudaFreeAsync(void *address, cudaStream_t) {
    return cudaFree(address);
}
template <class T>
cudaError_t cudaMallocHost(T **address, size_t bytes) {
    return cudaMalloc(address, bytes);
}
inline cudaError_t cudaFreeHost(void *address) {
    return cudaFree(address);
}

// Streams and events are all done when they are asked: calls end before they return.
typedef struct CUevent_st *cudaEvent_t;
inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    *stream = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) {
    return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return cudaPeekAtLastError();
}
inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = 0; // an emulator's time is no measure of a kernel
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t) {
    return cudaSuccess;
}

inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t = nullptr) {
    if (bytes)
        memmove(to, from, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t = nullptr) {
    if (bytes)
        memset(to, value, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    return cudaMemsetAsync(to, value, bytes);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = nullptr) {
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return simt::note(cudaErrorInvalidValue);
    memcpy((char *)&symbol + offset, from, bytes);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0) {
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void **address, T &symbol) {
    *address = (void *)&symbol;
    return cudaSuccess;
}

// simt keeps one limit for all kernels together.
template <class F>
cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute attribute, int value) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    if (value < 0 || value > SIMT_SHARED_OPT_IN)
        return simt::note(cudaErrorInvalidValue);
    simt_allow_dynamic((size_t)value);
    return cudaSuccess;
}

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
};

// What of these exists here; sizes and registers, which a CPU's compiler does not tell, are 0.
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *) {
    *attributes = {};
    attributes->maxThreadsPerBlock = SIMT_MAX_THREADS;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = SIMT_SHARED_OPT_IN;
    return cudaSuccess;
}

template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *, int threads, size_t dynamic_bytes) {
    if (threads < 1 || threads > SIMT_MAX_THREADS || dynamic_bytes > SIMT_SHARED_OPT_IN) {
        *blocks = 0;
        return simt::note(cudaErrorInvalidValue);
    }
    *blocks = (int)simt_blocks_per_multiprocessor((unsigned)threads, dynamic_bytes);
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *least_grid, int *threads, F *, size_t dynamic_bytes = 0,
                                               int limit = 0) {
    *threads = limit > 0 && limit < SIMT_MAX_THREADS ? limit : SIMT_MAX_THREADS;
    *least_grid = SIMT_MULTIPROCESSORS * (int)simt_blocks_per_multiprocessor((unsigned)*threads, dynamic_bytes);
    return cudaSuccess;
}

inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : simt::note(cudaErrorInvalidDevice);
}

inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    if (device != 0)
        return simt::note(cudaErrorInvalidDevice);
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = SIMT_MAX_THREADS;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = SIMT_SHARED_DEFAULT;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = SIMT_SHARED_OPT_IN;
        return cudaSuccess;
    case cudaDevAttrWarpSize:
        *value = SIMT_WARP;
        return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
        *value = SIMT_MULTIPROCESSORS;
        return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = SIMT_MULTIPROCESSOR_THREADS;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
        *value = 9;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
        *value = 0;
        return cudaSuccess;
    case cudaDevAttrCooperativeLaunch:
        *value = 1;
        return cudaSuccess;
    }
    return simt::note(cudaErrorInvalidValue);
}

inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    if (device != 0)
        return simt::note(cudaErrorInvalidDevice);
    *properties = {"simt, CUDA on the CPU",
                   SIMT_SHARED_DEFAULT,
                   SIMT_SHARED_OPT_IN,
                   SIMT_WARP,
                   SIMT_MAX_THREADS,
                   SIMT_MULTIPROCESSORS,
                   SIMT_MULTIPROCESSOR_THREADS,
                   9,
                   0,
                   {SIMT_MAX_GRID_X, SIMT_MAX_GRID_YZ, SIMT_MAX_GRID_YZ},
                   {SIMT_MAX_THREADS, SIMT_MAX_THREADS, SIMT_MAX_BLOCK_Z},
                   1};
    return cudaSuccess;
}

#endif
