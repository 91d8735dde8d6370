// SPDX-License-Identifier: MIT
// Known races, to find out whether the race detector still hears: the first and the last thread of a block write to one
// word, so do the first threads of two blocks, and so do the first thread of one and the last of the next, between
// which lie the most threads.
#include <cuda_runtime.h>

static __global__ void race(unsigned *cells) {
    __syncthreads();
    if (blockIdx.x == 0 && (threadIdx.x == 0 || threadIdx.x == blockDim.x - 1))
        cells[0] += 1;
    if (threadIdx.x == 0)
        cells[16] += 1;
    if (threadIdx.x == (blockIdx.x == 0 ? 0 : blockDim.x - 1))
        cells[32] += 1;
}

extern "C" void simt_canary_launch(unsigned *cells, unsigned threads, unsigned blocks, bool cooperative);
extern "C" void simt_canary_launch(unsigned *cells, unsigned threads, unsigned blocks, bool cooperative) {
    void *arguments[] = {&cells};
    if (cooperative)
        cudaLaunchCooperativeKernel(race, blocks, threads, arguments);
    else
        race<<<blocks, threads>>>(cells);
}
