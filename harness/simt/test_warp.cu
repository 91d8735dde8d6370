// SPDX-License-Identifier: MIT
// Warps: shuffles with widths and partial warps, votes, masks, tiles. What each gives is taken from the PTX ISA's
// description of `shfl.sync`, written down here once more and independently: by case, not by formula.
#include "harness/simt/test_support.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

static const unsigned ALL = 0xffffffffu;

template <class T>
static __global__ void shuffle(int kind, int argument, int width, unsigned mask, T *out) {
    int lane = (int)threadIdx.x % 32;
    if (!(mask >> lane & 1))
        return;
    __syncwarp(mask);
    T value = (T)(100 + (int)threadIdx.x), got = 0;
    if (kind == 0)
        got = __shfl_sync(mask, value, argument, width);
    else if (kind == 1)
        got = __shfl_up_sync(mask, value, (unsigned)argument, width);
    else if (kind == 2)
        got = __shfl_down_sync(mask, value, (unsigned)argument, width);
    else
        got = __shfl_xor_sync(mask, value, argument, width);
    out[threadIdx.x] = got;
}

static int expected_source(int kind, int lane, int argument, int width) {
    int segment = lane / width, place = lane % width;
    switch (kind) {
    case 0:
        return segment * width + (argument % width + width) % width;
    case 1:
        return place >= argument ? lane - argument : lane;
    case 2:
        return place + argument < width ? lane + argument : lane;
    default: // may look back, not ahead
        return (lane ^ argument) / width <= segment ? lane ^ argument : lane;
    }
}

template <class T>
static void check_shuffles() {
    T out[64];
    for (int kind = 0; kind < 4; kind++) {
        for (int width = 1; width <= 32; width *= 2) {
            for (int argument = 0; argument < 32; argument++) {
                shuffle<T><<<1, 64>>>(kind, argument, width, ALL, out);
                expect_done();
                for (int t = 0; t < 64; t++) {
                    T expected = (T)(100 + t / 32 * 32 + expected_source(kind, t % 32, argument, width));
                    if (out[t] != expected) // Check's own assertions take longer than the shuffles
                        ck_abort_msg("kind %d width %d argument %d thread %d", kind, width, argument, t);
                }
            }
        }
    }
}

START_TEST(shuffles_of_every_type_distance_and_width) {
    begin(_i);
    check_shuffles<int>();
    check_shuffles<unsigned>();
    check_shuffles<long long>();
    check_shuffles<unsigned long long>();
    check_shuffles<float>();
    check_shuffles<double>();
}
END_TEST

START_TEST(shuffles_of_partial_warps_give_poison_where_nobody_is) {
    begin(_i);
    double f64[32];
    float f32[32];
    shuffle<double><<<1, 20>>>(2, 8, 32, (1u << 20) - 1, f64);
    shuffle<float><<<1, 20>>>(2, 8, 32, (1u << 20) - 1, f32);
    expect_done();
    for (int t = 0; t < 20; t++) {
        ck_assert(t + 8 < 20 ? f64[t] == 108 + t : isnan(f64[t]));
        ck_assert(t + 8 < 20 ? f32[t] == 108 + t : isnan(f32[t]));
    }
    shuffle<double><<<1, 32>>>(3, 1, 32, 0x0000000fu, f64);
    shuffle<float><<<1, 32>>>(0, 5, 32, 0x0000000fu, f32);
    expect_done();
    for (int t = 0; t < 4; t++) {
        ck_assert(f64[t] == 100 + (t ^ 1));
        ck_assert(isnan(f32[t]));
    }
}
END_TEST

static __global__ void vote(unsigned *out) {
    unsigned lane = threadIdx.x;
    out[lane] = __ballot_sync(ALL, lane % 3 == 0);
    out[32 + lane] = (unsigned)(__any_sync(ALL, lane == 31) * 4 + __any_sync(ALL, 0) * 2 + __all_sync(ALL, lane < 31));
    if (lane < 16)
        out[64 + lane] = __ballot_sync(0xffffu, lane & 1) | (unsigned)__all_sync(0xffffu, lane < 16) << 31;
    else
        out[64 + lane] = __ballot_sync(0xffff0000u, lane > 20);
    out[96 + lane] = __match_any_sync(ALL, lane / 10);
    out[128 + lane] = __reduce_add_sync(ALL, lane) + (unsigned)__reduce_min_sync(ALL, -(int)lane);
}

START_TEST(votes_count_the_lanes_of_their_mask) {
    unsigned out[160];
    begin(_i);
    vote<<<1, 32>>>(out);
    expect_done();
    for (unsigned lane = 0; lane < 32; lane++) {
        ck_assert_uint_eq(out[lane], 0x49249249u);
        ck_assert_uint_eq(out[32 + lane], 4);
        ck_assert_uint_eq(out[64 + lane], lane < 16 ? 0x8000aaaau : 0xffe00000u);
        ck_assert_uint_eq(out[96 + lane], lane < 30 ? 0x3ffu << lane / 10 * 10 : 0xc0000000u);
        ck_assert_uint_eq(out[128 + lane], 496u - 31u);
    }
}
END_TEST

// The halves of a warp take different ways; each is in step with itself only.
static __global__ void sync_halves(unsigned *out) {
    __shared__ unsigned values[32];
    unsigned lane = threadIdx.x, half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    values[lane] = lane;
    for (int rounds = 0; rounds < (lane < 16 ? 3 : 5); rounds++) {
        __syncwarp(half);
        unsigned next = values[(lane & 16) | ((lane + 1) & 15)];
        __syncwarp(half);
        values[lane] = next;
    }
    __syncwarp();
    out[lane] = values[lane ^ 16];
}

START_TEST(warp_barriers_with_masks_separate_phases) {
    unsigned out[32];
    begin(_i);
    sync_halves<<<1, 32>>>(out);
    expect_done();
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned source = lane ^ 16, rounds = source < 16 ? 3 : 5;
        ck_assert_uint_eq(out[lane], (source & 16) | ((source + rounds) & 15));
    }
}
END_TEST

static __global__ void sync_after_exit(unsigned *out) {
    if (threadIdx.x % 2)
        return;
    __syncwarp(); // CUDA asks the non-exited lanes only
    atomicAdd(out, 1u);
}

START_TEST(warp_barriers_do_not_wait_for_exited_or_missing_lanes) {
    unsigned out = 0;
    begin(_i);
    sync_after_exit<<<2, 48>>>(&out);
    expect_done();
    ck_assert_uint_eq(out, 48);
}
END_TEST

static __global__ void find_active(unsigned *out) {
    unsigned lane = threadIdx.x;
    if (lane < 10)
        out[lane] = __activemask();
    else if (lane < 25)
        out[lane] = __activemask() + 0;
    else
        out[lane] = 7;
    __syncwarp();
}

START_TEST(active_lanes_are_those_at_one_place) {
    unsigned out[32];
    begin(_i);
    find_active<<<1, 32>>>(out);
    expect_done();
    for (unsigned lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(out[lane], lane < 10 ? 0x3ffu : lane < 25 ? 0x1fffc00u : 7u);
}
END_TEST

// Lanes are not in lockstep: without __syncwarp the neighbour's value is the old or the new one, by schedule.
static __global__ void read_neighbour(unsigned *out) {
    __shared__ volatile unsigned values[32];
    values[threadIdx.x] = 0;
    __syncwarp();
    values[threadIdx.x] = 1;
    out[threadIdx.x] = values[threadIdx.x ^ 1];
}

START_TEST(lanes_are_not_in_lockstep) {
    unsigned out[32], seen = 0;
    begin(_i);
    read_neighbour<<<1, 32>>>(out);
    expect_done();
    for (unsigned value : out)
        seen += value;
    ck_assert_uint_eq(seen, 16); // of each pair, one ran first
}
END_TEST

template <unsigned Size>
static __global__ void use_tiles(float *out, unsigned *ranks) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<Size>(block);
    unsigned rank = block.thread_rank();
    out[rank] = cg::reduce(tile, ldexpf(1.0f, (int)(rank % Size)) + 0x1p-20f, cg::plus<float>());
    tile.sync();
    ranks[rank] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
    ranks[rank] += 1000000 * (tile.shfl_down(rank, 1) - rank) + 10000000 * (tile.ballot(1) == (1ull << Size) - 1);
    block.sync();
}

template <unsigned Size>
static void check_tiles() {
    float out[128];
    unsigned ranks[128];
    use_tiles<Size><<<1, 128>>>(out, ranks);
    expect_done();
    for (unsigned t = 0; t < 128; t++) {
        float lanes[Size]; // the butterfly, lane by lane
        for (unsigned i = 0; i < Size; i++)
            lanes[i] = ldexpf(1.0f, (int)i) + 0x1p-20f;
        for (unsigned offset = Size / 2; offset > 0; offset /= 2) {
            for (unsigned i = 0; i < Size; i++) {
                if (!(i & offset))
                    lanes[i] = lanes[i | offset] = lanes[i] + lanes[i | offset];
            }
        }
        ck_assert(out[t] == lanes[t % Size]);
        unsigned last = t % Size == Size - 1;
        ck_assert_uint_eq(ranks[t], t % Size + 100 * (t / Size) + 10000 * (128 / Size) + 1000000 * !last + 10000000);
    }
}

START_TEST(tiles_reduce_by_butterfly) {
    begin(_i);
    check_tiles<32>();
    check_tiles<8>();
    check_tiles<2>();
}
END_TEST

int main() {
    TCase *tests = tcase_create("warp");
    tcase_add_loop_test(tests, shuffles_of_every_type_distance_and_width, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, shuffles_of_partial_warps_give_poison_where_nobody_is, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, votes_count_the_lanes_of_their_mask, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, warp_barriers_with_masks_separate_phases, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, warp_barriers_do_not_wait_for_exited_or_missing_lanes, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, active_lanes_are_those_at_one_place, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, lanes_are_not_in_lockstep, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, tiles_reduce_by_butterfly, 0, SCHEDULE_COUNT);
    return run_suite("warp", tests);
}
