// SPDX-License-Identifier: MIT
#include "harness/cuda/busy_load.h"

#include <chrono>

enum { ARRIVED, ONE, WORDS };

static __device__ unsigned arrivals; // of the launch under way

static __device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// One thread of each block waits, on a word of device memory, so that waiting sends nothing over the bus to the host.
// The block's shared memory is all that the multiprocessor has, so that no block of
// another kernel finds room beside it.
static __global__ void occupy(volatile unsigned *arrived, const volatile unsigned *released) {
    extern __shared__ unsigned char all_of_it[];
    all_of_it[threadIdx.x] = 1;
    if (atomicAdd(&arrivals, 1u) == gridDim.x - 1) {
        arrivals = 0;
        *arrived = 1;
    }
    const unsigned long long start = nanoseconds();
    while (*released == 0 && nanoseconds() - start < BUSY_MOST_NS)
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
        error = cudaMalloc(reinterpret_cast<void **>(&load->released), sizeof *load->released);
    if (error == cudaSuccess)
        error = cudaHostAlloc(reinterpret_cast<void **>(&load->page), WORDS * sizeof(unsigned), cudaHostAllocMapped);
    if (error == cudaSuccess)
        load->page[ONE] = 1;
    // Non-blocking: a call on the default stream must not wait for them.
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&load->releasing, cudaStreamNonBlocking);
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
    volatile unsigned *page = load->page;
    page[ARRIVED] = 0;
    unsigned *seen_by_gpu = nullptr;
    error = cudaHostGetDevicePointer(reinterpret_cast<void **>(&seen_by_gpu), load->page, 0);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(load->released, 0, sizeof *load->released, load->stream);
    if (error != cudaSuccess)
        return error;
    occupy<<<blocks, 1, load->room, load->stream>>>(&seen_by_gpu[ARRIVED], load->released);
    error = cudaGetLastError();
    if (error == cudaSuccess && !all_arrive(page))
        error = cudaErrorNotReady;
    return error;
}

// By a copy, which needs no multiprocessor. It too must be over: it would let the next load go.
cudaError_t busy_load_stop(busy_load *load) {
    cudaError_t error = cudaMemcpyAsync(load->released, &load->page[ONE], sizeof *load->released,
                                        cudaMemcpyHostToDevice, load->releasing);
    for (const cudaStream_t stream : {load->releasing, load->stream}) {
        const cudaError_t over = cudaStreamSynchronize(stream);
        error = error != cudaSuccess ? error : over;
    }
    return error;
}
