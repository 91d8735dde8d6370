// SPDX-License-Identifier: MIT
// The part of cooperative groups that reductions use: blocks and tiles of up to a warp. Groups of a grid or cluster,
// and groups made at run time (coalesced_threads, partitions by value), are refused by the translator.
#ifndef REDUCTIO_SIMT_COOPERATIVE_GROUPS_H
#define REDUCTIO_SIMT_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

namespace cooperative_groups {

class thread_block {
  public:
    static void sync(SIMT_PLACE) { simt_barrier(place, false); }
    static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned size() { return num_threads(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};

inline thread_block this_thread_block() {
    return {};
}

template <unsigned Size, class Parent = thread_block>
class thread_block_tile {
    static_assert(Size >= 1 && Size <= SIMT_WARP && (Size & (Size - 1)) == 0,
                  "simt has tiles of 1, 2, 4, 8, 16 and 32 threads");
    static unsigned first() { return simt_lane_of(simt_here) & ~(Size - 1); }
    static unsigned mask() { return (Size == SIMT_WARP ? 0xffffffffu : (1u << Size % SIMT_WARP) - 1) << first(); }

  public:
    static void sync(SIMT_PLACE) { __syncwarp(mask(), place); }
    static unsigned thread_rank() { return simt_lane_of(simt_here) & (Size - 1); }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    static unsigned meta_group_rank() { return thread_block::thread_rank() % Parent::num_threads() / Size; }
    static unsigned meta_group_size() { return (Parent::num_threads() + Size - 1) / Size; }
    template <class T>
    T shfl(T value, int source, SIMT_PLACE) const {
        return __shfl_sync(mask(), value, source, Size, place);
    }
    template <class T>
    T shfl_up(T value, unsigned delta, SIMT_PLACE) const {
        return __shfl_up_sync(mask(), value, delta, Size, place);
    }
    template <class T>
    T shfl_down(T value, unsigned delta, SIMT_PLACE) const {
        return __shfl_down_sync(mask(), value, delta, Size, place);
    }
    template <class T>
    T shfl_xor(T value, unsigned lanes, SIMT_PLACE) const {
        return __shfl_xor_sync(mask(), value, (int)lanes, Size, place);
    }
    int any(int predicate, SIMT_PLACE) const { return __any_sync(mask(), predicate, place); }
    int all(int predicate, SIMT_PLACE) const { return __all_sync(mask(), predicate, place); }
    unsigned ballot(int predicate, SIMT_PLACE) const { return __ballot_sync(mask(), predicate, place) >> first(); }
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return {};
}

template <class Group>
void sync(const Group &group, SIMT_PLACE) {
    group.sync(place);
}

} // namespace cooperative_groups

#endif
