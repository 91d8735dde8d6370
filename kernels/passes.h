// SPDX-License-Identifier: MIT
// What a tree needs besides the tree once the data exceed one block: each block leaves one partial sum in the
// workspace, and the partial sums are summed by the same kernel until one is left. The order is fixed and nothing is
// atomic.
//
//     for (pass pass = first_pass(in, n, out, workspace, per_block); pass.blocks != 0; pass = next_pass(pass))
//         kernel<<<pass.blocks, ...>>>(pass.from, pass.n, pass.to);
//
// Only variants whose input and output are of one type use this.
#ifndef REDUCTIO_KERNELS_PASSES_H
#define REDUCTIO_KERNELS_PASSES_H

#include "kernels/trees.h"

struct pass {
    const reductio_in *from;
    size_t n; // elements at `from`
    reductio_out *to;
    unsigned blocks; // 0: nothing is left to do
    size_t per_block;
    reductio_out *spare, *out; // where the next pass writes, unless it is the last; where the last one writes
};

// Bytes for the partial sums of the first pass and, beside them, of the second; later passes use the two in turn.
static constexpr size_t passes_workspace(size_t n, size_t per_block) {
    const size_t first = ceil_div(n, per_block);
    return first <= 1 ? 0 : (first + ceil_div(first, per_block)) * sizeof(reductio_out);
}

static inline pass plan_pass(const reductio_in *from, size_t n, reductio_out *to, const pass &rest) {
    const size_t blocks = ceil_div(n, rest.per_block);
    return {from, n, blocks == 1 ? rest.out : to, unsigned(blocks), rest.per_block, rest.spare, rest.out};
}

// n is at least 1, and ceil_div(n, per_block) at most max_grid.
static inline pass first_pass(const reductio_in *in, size_t n, reductio_out *out, void *workspace, size_t per_block) {
    reductio_out *partials = static_cast<reductio_out *>(workspace);
    const pass rest = {in, n, out, 0, per_block, partials + ceil_div(n, per_block), out};
    return plan_pass(in, n, partials, rest);
}

static inline pass next_pass(const pass &done) {
    if (done.to == done.out)
        return {done.to, 1, done.out, 0, done.per_block, done.spare, done.out};
    pass rest = done;
    rest.spare = done.to;
    return plan_pass(done.to, done.blocks, done.spare, rest);
}

// Longest path where a block sums its m elements in a tree of ceil_log2(m) levels. Element 0 lies on it: block 0 is the
// fullest one of each pass, and its partial sum is the first of the next pass.
static inline size_t passes_height(size_t n, size_t per_block) {
    size_t height = 0;
    for (; n > per_block; n = ceil_div(n, per_block))
        height += ceil_log2(per_block);
    return height + ceil_log2(n);
}

#endif
