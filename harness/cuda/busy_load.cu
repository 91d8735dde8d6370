// SPDX-License-Identifier: MIT
#include "harness/cuda/busy_load.h"

#include <chrono>

enum { ARRIVED, RELEASED, WORDS };

static __device__ unsigned arrivals; // of the launch under way

static __device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// One thread of each block waits. The block's shared memory is all that the multiprocessor has, so that no block of
// another kernel finds room beside it.
static __global__ void occupy(volatile unsigned *page) {
    extern __shared__ unsigned char all_of_it[];
    all_of_it[threadIdx.x] = 1;
    if (atomicAdd(&arrivals, 1u) == gridDim.x - 1) {
        arrivals = 0;
        page[ARRIVED] = 1;
    }
    const unsigned long long start = nanoseconds();
    while (page[RELEASED] == 0 && nanoseconds() - start < BUSY_MOST_NS)
        __nanosleep(1000);
}

static cudaError_t prepare(busy_load *load) {
    if (load->stream)
        return cudaSuccess;
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&load->processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&load->room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(occupy, cudaFuncAttributeMaxDynamicSharedMemorySize, load->room);
    if (error == cudaSuccess)
        error =
            cudaHostAlloc(reinterpret_cast<void **>(&load->shared_page), WORDS * sizeof(unsigned), cudaHostAllocMapped);
    // Non-blocking: a call on the default stream must not wait for it.
    return error == cudaSuccess ? cudaStreamCreateWithFlags(&load->stream, cudaStreamNonBlocking) : error;
}

// True once all blocks are there; false where something else keeps them from a multiprocessor for a second.
static bool all_arrive(const volatile unsigned *page) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (page[ARRIVED] == 0)
        if (std::chrono::steady_clock::now() > until)
            return false;
    return true;
}

cudaError_t busy_load_start(busy_load *load, unsigned percent) {
    cudaError_t error = prepare(load);
    if (error != cudaSuccess)
        return error;
    const unsigned share = unsigned(load->processors) * percent / 100, blocks = share ? share : 1;
    volatile unsigned *page = load->shared_page;
    page[ARRIVED] = 0;
    page[RELEASED] = 0;
    unsigned *seen_by_gpu = nullptr;
    error = cudaHostGetDevicePointer(reinterpret_cast<void **>(&seen_by_gpu), load->shared_page, 0);
    if (error != cudaSuccess)
        return error;
    occupy<<<blocks, 1, load->room, load->stream>>>(seen_by_gpu);
    error = cudaGetLastError();
    if (error == cudaSuccess && !all_arrive(page))
        error = cudaErrorNotReady;
    return error;
}

cudaError_t busy_load_stop(busy_load *load) {
    static_cast<volatile unsigned *>(load->shared_page)[RELEASED] = 1;
    return cudaStreamSynchronize(load->stream);
}
