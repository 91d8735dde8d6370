// SPDX-License-Identifier: MIT
// The part of cooperative groups that reductions use: grids, blocks, tiles of up to a warp and coalesced threads.
// Several devices, clusters and partitions by value are refused by the translator.
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

// A block, or a tile of it whose size is known at run time alone.
class thread_group {
    unsigned size_; // 0: the block

  public:
    explicit thread_group(unsigned size) : size_(size) {}
    thread_group(const thread_block &) : size_(0) {}
    template <unsigned Size, class Parent>
    thread_group(const thread_block_tile<Size, Parent> &) : size_(Size) {}
    void sync(SIMT_PLACE) const {
        if (size_ == 0)
            return thread_block::sync(place);
        unsigned first = simt_lane_of(simt_here) & ~(size_ - 1);
        __syncwarp((size_ == SIMT_WARP ? 0xffffffffu : (1u << size_) - 1) << first, place);
    }
    unsigned thread_rank() const { return size_ ? simt_lane_of(simt_here) & (size_ - 1) : thread_block::thread_rank(); }
    unsigned num_threads() const { return size_ ? size_ : thread_block::num_threads(); }
    unsigned size() const { return num_threads(); }
};

inline thread_group tiled_partition(const thread_group &, unsigned size, SIMT_PLACE) {
    if (size < 1 || size > SIMT_WARP || (size & (size - 1)) != 0)
        simt_trap(place);
    return thread_group(size);
}

// The lanes of a warp that are at this place together: of those that could be, as many as can.
class coalesced_group {
    unsigned mask_;
    int lane_of_rank(unsigned rank) const {
        unsigned mask = mask_;
        while (rank--)
            mask &= mask - 1;
        return __ffs((int)mask) - 1;
    }

  public:
    explicit coalesced_group(unsigned mask) : mask_(mask) {}
    void sync(SIMT_PLACE) const { __syncwarp(mask_, place); }
    unsigned thread_rank() const { return (unsigned)__popc(mask_ & ((1u << simt_lane_of(simt_here)) - 1)); }
    unsigned num_threads() const { return (unsigned)__popc(mask_); }
    unsigned size() const { return num_threads(); }
    static unsigned meta_group_rank() { return 0; }
    static unsigned meta_group_size() { return 1; }
    // Beyond the last rank CUDA promises nothing; a caller's own value is what shfl_up and shfl_down give there.
    template <class T>
    T shfl(T value, unsigned source, SIMT_PLACE) const {
        return __shfl_sync(mask_, value, lane_of_rank(source % num_threads()), SIMT_WARP, place);
    }
    template <class T>
    T shfl_up(T value, unsigned delta, SIMT_PLACE) const {
        unsigned rank = thread_rank();
        return __shfl_sync(mask_, value, lane_of_rank(rank < delta ? rank : rank - delta), SIMT_WARP, place);
    }
    template <class T>
    T shfl_down(T value, unsigned delta, SIMT_PLACE) const {
        unsigned rank = thread_rank(), source = rank + delta;
        return __shfl_sync(mask_, value, lane_of_rank(source < num_threads() ? source : rank), SIMT_WARP, place);
    }
    int any(int predicate, SIMT_PLACE) const { return __any_sync(mask_, predicate, place); }
    int all(int predicate, SIMT_PLACE) const { return __all_sync(mask_, predicate, place); }
};

inline coalesced_group coalesced_threads(SIMT_PLACE) {
    return coalesced_group(__activemask(place));
}

// It can be synchronised in a cooperative launch; in others it has its numbers, for a loop over the grid.
class grid_group {
  public:
    static void sync(SIMT_PLACE) { simt_grid_barrier(place); }
    static bool is_valid() { return simt_here->block->launch->cooperative; }
    static unsigned long long block_rank() {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
    static unsigned long long size() { return num_threads(); }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
};

inline grid_group this_grid() {
    return {};
}

template <class Group>
void sync(const Group &group, SIMT_PLACE) {
    group.sync(place);
}
template <class Group>
auto thread_rank(const Group &group) {
    return group.thread_rank();
}
template <class Group>
auto group_size(const Group &group) {
    return group.num_threads();
}

} // namespace cooperative_groups

#endif
