// SPDX-License-Identifier: MIT
// Cooperative groups as the blog posts have them: the grid's numbers, a thread_group handed to a device function, tiles
// whose size is known at run time, coalesced threads that share one atomic, and managed memory in the program's main.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <iostream>
namespace cg = cooperative_groups;

__device__ float group_sum(cg::thread_group group, float *scratch, float value) {
    unsigned rank = group.thread_rank();
    for (unsigned half = group.size() / 2; half > 0; half /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < half)
            value += scratch[rank + half];
        group.sync();
    }
    return value; // of rank 0
}

__device__ void add_once(float *total, float value) {
    auto active = cg::coalesced_threads();
    float sum = 0;
    for (unsigned rank = 0; rank < active.size(); rank++)
        sum += active.shfl(value, rank);
    if (active.thread_rank() == 0)
        atomicAdd(total, sum);
}

__global__ void cooperative_grid_sum(const float *data, float *result, unsigned n) {
    __shared__ float scratch[256];
    auto grid = cg::this_grid();
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition(block, 32);
    auto quad = cg::tiled_partition<4>(block);
    float sum = 0;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
        sum += data[i];
    sum = cg::reduce(quad, sum, cg::plus<float>());
    if (quad.thread_rank() != 0)
        sum = 0;
    sum = group_sum(warp, scratch + cg::thread_rank(block) / 32 * 32, sum);
    if (warp.thread_rank() == 0)
        add_once(result, sum);
}

int main() {
    float *data, *result;
    cudaMallocManaged(&data, 1000 * sizeof(float));
    cudaMallocManaged(&result, sizeof(float));
    for (int i = 0; i < 1000; i++)
        data[i] = 1;
    *result = 0;
    cooperative_grid_sum<<<4, 256>>>(data, result, 1000);
    cudaDeviceSynchronize();
    std::cout << *result << std::endl;
    cudaFree(data);
    cudaFree(result);
}

#include <reductio.h>

static cudaError_t launch(const float *in, size_t n, float *out, void *, reductio_shape, cudaStream_t stream) {
    cudaMemsetAsync(out, 0, sizeof *out, stream);
    cooperative_grid_sum<<<2, 256, 0, stream>>>(in, out, (unsigned)n);
    return cudaGetLastError();
}
REDUCTIO_VARIANT(cooperative_grid, .summary = "tiles, groups and coalesced threads",
                 .claims = {.keeps_subnormals = REDUCTIO_NO});
