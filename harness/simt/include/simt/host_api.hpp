// SPDX-License-Identifier: MIT
// What only the host code around a user's kernel calls, in a file that is built by itself (reductio check mine.cu).
#ifndef REDUCTIO_SIMT_HOST_API_HPP
#define REDUCTIO_SIMT_HOST_API_HPP

#include "simt/runtime_api.hpp"

// The host and the device share one memory here, so that all of it is managed.
#define __managed__
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4, cudaCpuDeviceId = -1 };
template <class T>
cudaError_t cudaMallocManaged(T **address, size_t bytes, unsigned = cudaMemAttachGlobal) {
    return cudaMalloc(address, bytes);
}
inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = nullptr) {
    return cudaSuccess;
}
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };
template <class T>
cudaError_t cudaHostAlloc(T **address, size_t bytes, unsigned) {
    return cudaMalloc(address, bytes);
}

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    return cudaStreamCreate(stream);
}
inline cudaError_t cudaStreamQuery(cudaStream_t) {
    return cudaPeekAtLastError();
}
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    return cudaEventCreate(event);
}
inline cudaError_t cudaEventQuery(cudaEvent_t) {
    return cudaPeekAtLastError();
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int) {
    return cudaStreamCreate(stream);
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = *greatest = 0; // as where a device has no priorities
    return cudaSuccess;
}
inline const cudaStream_t cudaStreamLegacy = (cudaStream_t)1, cudaStreamPerThread = (cudaStream_t)2;
inline cudaError_t cudaDeviceReset() {
    return cudaSuccess;
}

// Pools of memory keep nothing here: what they lend is made and freed like all other.
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic,
    cudaMemPoolReuseAllowInternalDependencies,
    cudaMemPoolAttrReleaseThreshold
};
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    *pool = nullptr;
    return device == 0 ? cudaSuccess : simt::note(cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return cudaDeviceGetDefaultMemPool(pool, device);
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **address, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
    return cudaMallocAsync(address, bytes, stream);
}

// Preferences, which change no result.
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
template <class F>
cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache) {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return cudaSuccess;
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = nullptr) {
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return simt::note(cudaErrorInvalidValue);
    memcpy(to, (const char *)&symbol + offset, bytes);
    return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0) {
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset);
}

#endif
