// SPDX-License-Identifier: MIT
// Cooperative groups all the way: tiles, reduce with plus, one atomic a block. The sum of blocks has no fixed order,
// and nothing of the kind is claimed.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <reductio.h>

namespace cg = cooperative_groups;

namespace detail {

template <int TILE, typename T>
__device__ T reduce_block(const cg::thread_block &block, T value, T *scratch) {
    auto tile = cg::tiled_partition<TILE>(block);
    value = cg::reduce(tile, value, cg::plus<T>());
    if (tile.thread_rank() == 0)
        scratch[tile.meta_group_rank()] = value;
    block.sync();
    T total = 0;
    if (block.thread_rank() == 0)
        for (unsigned t = 0; t < tile.meta_group_size(); ++t)
            total += scratch[t];
    return total;
}

template <int THREADS, int TILE, typename T>
__global__ void __launch_bounds__(THREADS) sum_kernel(T *out, const T *in, const size_t n) {
    __shared__ T scratch[THREADS / TILE];
    const auto block = cg::this_thread_block();
    T value = 0;
    for (size_t i = block.group_index().x * size_t(THREADS) + block.thread_rank(); i < n;
         i += size_t(gridDim.x) * THREADS)
        value += in[i];
    value = reduce_block<TILE>(block, value, scratch);
    if (block.thread_rank() == 0)
        atomicAdd(out, value);
}

} // namespace detail

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape shape,
                          cudaStream_t stream) {
    constexpr int threads = 128;
    const unsigned blocks = static_cast<unsigned>(min(n / (8 * threads) + 1, size_t(65536)));
    if (cudaError_t error = cudaMemsetAsync(out, 0, sizeof *out, stream); error != cudaSuccess)
        return error;
    if (shape.threads == 32)
        detail::sum_kernel<threads, 32><<<blocks, threads, 0, stream>>>(out, in, n);
    else
        detail::sum_kernel<threads, 16><<<blocks, threads, 0, stream>>>(out, in, n);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(cooperative, .summary = "cg::reduce over tiles, blocks by atomicAdd", .shapes = {{32}, {16}},
                 .claims = {.keeps_subnormals = REDUCTIO_NO});
