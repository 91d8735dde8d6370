// SPDX-License-Identifier: MIT
// reduce over a tile. The order is nvcc's: a butterfly, for offset = size/2, ..., 2, 1 each lane takes
// op(its own, that of lane xor offset). So lane i's sum is commuted, but not reassociated, against lane 0's, and all
// lanes get the same bits from a commutative operation.
#ifndef REDUCTIO_SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define REDUCTIO_SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

namespace cooperative_groups {

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned Size, class Parent, class T, class Operation>
T reduce(const thread_block_tile<Size, Parent> &tile, T value, Operation &&operation, SIMT_PLACE) {
    for (unsigned offset = Size / 2; offset > 0; offset /= 2)
        value = operation(value, tile.shfl_xor(value, offset, place));
    return value;
}

} // namespace cooperative_groups

#endif
