// SPDX-License-Identifier: MIT
// How long a thread takes for a barrier, in a tree like those of kernels/.
#include <cuda_runtime.h>

#include <time.h>

extern "C" const char simt_fiber_kind[];

static __global__ void sum_blocks(const float *from, float *to) {
    extern __shared__ float shared[];
    const unsigned thread = threadIdx.x;
    shared[thread] = from[blockIdx.x * blockDim.x + thread];
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static double read_clock() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The best of a few runs, in seconds of processor time.
static double measure(const float *from, float *to, unsigned blocks, unsigned threads) {
    double best = 1e9;
    for (int run = 0; run < 7; run++) {
        double start = read_clock();
        sum_blocks<<<blocks, threads, threads * sizeof(float)>>>(from, to);
        double seconds = read_clock() - start;
        best = seconds < best ? seconds : best;
    }
    return best;
}

int main() {
    const unsigned n = 1 << 20;
    float *from = static_cast<float *>(malloc(n * sizeof(float)));
    float *to = static_cast<float *>(malloc(n * sizeof(float)));
    if (!from || !to)
        return 1;
    for (unsigned i = 0; i < n; i++)
        from[i] = 1;
    for (unsigned threads = 1024; threads >= 32; threads /= threads == 1024 ? 8 : 4) {
        double seconds = measure(from, to, n / threads, threads);
        if (cudaGetLastError() != cudaSuccess || to[0] != (float)threads)
            return 1;
        double barriers = n * (1.0 + __builtin_ctz(threads));
        printf("%-20s %4u threads: %6.1f million thread-barriers a second, %5.1f ns each\n", simt_fiber_kind, threads,
               barriers / seconds / 1e6, seconds / barriers * 1e9);
    }
    free(from);
    free(to);
    return 0;
}
