// SPDX-License-Identifier: MIT
// tree_sequential whose threads load the whole 16-byte vector that their element lies in and take the element out of
// it. Where the array does not begin and end at a multiple of 16 bytes, the rest of the first and last vector lies
// outside. The sum is right, and no page boundary is ever crossed: on a GPU it is an access that nobody notices until
// the bytes around belong to someone who writes them.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

#include <stdint.h>

static constexpr unsigned WIDTH = 16 / sizeof(reductio_in);

struct alignas(16) whole_vector {
    reductio_in x[WIDTH];
};

static __device__ __forceinline__ reductio_in load_from_vector(const reductio_in *element) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(element);
    const whole_vector vector = *reinterpret_cast<const whole_vector *>(address / 16 * 16);
    return vector.x[address % 16 / sizeof(reductio_in)];
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_block(i < n ? load_from_vector(from + i) : no_element, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(loads_whole_vectors,
                 .summary = "Loads the whole 16-byte vector around each element: at the ends of an array that is not "
                            "aligned it reads what lies outside, and drops it",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "out of bounds", .detector = "asan"});
