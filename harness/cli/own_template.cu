// @NAME@: a sum of your own, to start from. Try it:
//     reductio check @NAME@.cu                  what breaks, on the CPU and, where nvcc and a GPU are, there
//     reductio check @NAME@.cu -- -O3 -arch=native   with your own flags for nvcc
//     reductio hazards @NAME@.cu                races and accesses out of bounds
//     reductio order @NAME@.cu -n 16            in which order it adds
//
// Leave out of the next line what your kernel cannot sum:
// Types: f32 f64
#include <reductio.h>

constexpr unsigned THREADS = 256, MOST_BLOCKS = 256;

// Each thread adds elements that lie a grid apart, each block halves what its threads have.
template <typename In, typename Out>
__global__ void __launch_bounds__(THREADS) sum_blocks(const In *in, size_t n, Out *out) {
    __shared__ Out part[THREADS];
    Out sum = 0;
    for (size_t i = blockIdx.x * size_t(THREADS) + threadIdx.x; i < n; i += size_t(THREADS) * gridDim.x)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

// ---- what Reductio has to know; reductio.h says what else a descriptor can claim ----

// reductio_in and reductio_out are float or double: the file is compiled once for each type.
static unsigned blocks_for(size_t n) {
    size_t blocks = (n + THREADS - 1) / THREADS;
    return blocks < 1 ? 1 : blocks < MOST_BLOCKS ? unsigned(blocks) : MOST_BLOCKS;
}

static size_t workspace_bytes(size_t n, reductio_shape) {
    return blocks_for(n) * sizeof(reductio_out);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape,
                          cudaStream_t stream) {
    reductio_out *parts = static_cast<reductio_out *>(workspace);
    sum_blocks<<<blocks_for(n), THREADS, 0, stream>>>(in, n, parts);
    sum_blocks<<<1, THREADS, 0, stream>>>(parts, blocks_for(n), out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(@NAME@, .summary = "Strided sums of threads, halved in each block, then over the blocks",
                 .workspace_bytes = workspace_bytes, .shapes = {{THREADS}},
                 .claims = {.same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT, .keeps_subnormals = REDUCTIO_YES,
                            .specials = REDUCTIO_YES, .empty = REDUCTIO_YES});
