// SPDX-License-Identifier: MIT
// Cooperative launches: all blocks are resident, and grid.sync() holds their threads together. The lines that sentences
// name are marked in the kernels.
#include "harness/simt/test_support.hpp"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Each round, a thread reads what the thread as far from the end of the grid wrote in the round before.
static __global__ void mirror(int rounds, unsigned *values) {
    cg::grid_group grid = cg::this_grid();
    unsigned rank = (unsigned)grid.thread_rank(), threads = (unsigned)grid.num_threads();
    unsigned *now = values, *next = values + threads;
    now[rank] = rank;
    for (int round = 0; round < rounds; round++) {
        grid.sync();
        next[threads - 1 - rank] = now[rank] + 1;
        unsigned *old = now;
        now = next;
        next = old;
    }
}

static const struct { unsigned grid, block; } SHAPES[] = {{1, 1}, {2, 33}, {7, 96}, {128, 5}, {128, 64}, {8, 1024}};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

START_TEST(grids_meet) {
    static unsigned values[2 * SIMT_MULTIPROCESSORS * SIMT_MULTIPROCESSOR_THREADS];
    for (const auto &shape : SHAPES) {
        for (int rounds = 0; rounds < 4; rounds++) {
            unsigned *in = values, threads = shape.grid * shape.block;
            void *arguments[] = {&rounds, &in};
            begin(_i);
            ck_assert_int_eq(cudaLaunchCooperativeKernel((void *)mirror, shape.grid, shape.block, arguments),
                             cudaSuccess);
            expect_done();
            for (unsigned i = 0; i < threads; i++)
                ck_assert_uint_eq(values[rounds % 2 * threads + i],
                                  (unsigned)rounds + (rounds % 2 ? threads - 1 - i : i));
        }
    }
}
END_TEST

// The way of NVIDIA's reductionMultiBlockCG: partial sums of blocks, then the first thread of the grid adds them.
template <int THREADS, class T>
static __global__ void reduce(const T *in, size_t n, T *partial, T *out) {
    extern __shared__ unsigned char bytes[];
    T *shared = reinterpret_cast<T *>(bytes);
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    T sum = 0;
    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        sum += in[i];
    shared[threadIdx.x] = sum;
    cg::sync(block);
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        cg::sync(block);
    }
    if (block.thread_rank() == 0)
        partial[blockIdx.x] = shared[0];
    cg::sync(grid);
    if (grid.thread_rank() == 0) {
        for (unsigned i = 1; i < gridDim.x; i++)
            partial[0] += partial[i];
        *out = partial[0];
    }
}

START_TEST(partial_sums_are_added) {
    static double in[3000];
    double partial[16], sum = 0;
    for (int i = 0; i < 3000; i++)
        in[i] = i;
    size_t n = 3000;
    const double *from = in;
    double *parts = partial, *out = &sum;
    void *arguments[] = {(void *)&from, (void *)&n, (void *)&parts, (void *)&out};
    cudaError_t (*const launches[])(void **) = {
        [](void **a) {
            return cudaLaunchCooperativeKernel((void *)reduce<64, double>, dim3(16), dim3(64), a, 512, nullptr);
        },
        [](void **a) {
            return cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(&reduce<64, double>), 16, 64, a, 512);
        },
        [](void **a) { return cudaLaunchCooperativeKernel(reduce<64, double>, 16, 64, a, 512); },
        [](void **a) {
            auto *kernel = reduce<64, double>;
            return cudaLaunchCooperativeKernel((const void *)kernel, 16, 64, a, 512);
        }};
    for (auto launch : launches) {
        sum = 0;
        begin(_i);
        ck_assert_int_eq(launch(arguments), cudaSuccess);
        expect_done();
        ck_assert(sum == 3000 * 2999 / 2);
    }
}
END_TEST

struct three {
    char first;
    double second;
    bool operator==(const three &) const = default;
};

static __global__ void take(char a, three b, const float *c, short d, bool *same) {
    if (cg::this_grid().thread_rank() == 0)
        *same = a == 'x' && b == three{'y', 0.5} && *c == 2 && d == -7;
}

START_TEST(arguments_are_copied_by_their_types) {
    struct {
        char pad, a;
        alignas(1) unsigned char d[2];
    } small = {0, 'x', {0, 0}};
    const short d = -7;
    memcpy(small.d, &d, sizeof d);
    three b = {'y', 0.5};
    const float value = 2, *c = &value;
    bool same = false, *out = &same;
    void *arguments[] = {&small.a, &b, &c, small.d, &out};
    begin(0);
    ck_assert_int_eq(cudaLaunchCooperativeKernel(take, 2, 2, arguments), cudaSuccess);
    expect_done();
    ck_assert(same);
}
END_TEST

static __global__ void validate(int *valid) {
    if (cg::this_grid().thread_rank() == 0)
        *valid = cg::this_grid().is_valid();
}

START_TEST(grids_are_valid_in_cooperative_launches) {
    int valid = -1, *out = &valid;
    void *arguments[] = {&out};
    begin(0);
    validate<<<1, 1>>>(out);
    ck_assert_int_eq(valid, 0);
    cudaLaunchCooperativeKernel((void *)validate, 1, 1, arguments);
    ck_assert_int_eq(valid, 1);
    cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeCooperative, .val = {.cooperative = 0}};
    cudaLaunchConfig_t config = {1, 1, 0, nullptr, &attribute, 1};
    ck_assert_int_eq(cudaLaunchKernelEx(&config, validate, out), cudaSuccess);
    ck_assert_int_eq(valid, 0);
    attribute.val.cooperative = 1;
    ck_assert_int_eq(cudaLaunchKernelEx(&config, validate, out), cudaSuccess);
    ck_assert_int_eq(valid, 1);
    expect_done();
}
END_TEST

static __global__ void count(unsigned *ran) {
    atomicAdd(ran, 1u);
    cg::this_grid().sync();
}

// Of compute capability 9.0: 64 warps, 32 blocks and 228 KiB a multiprocessor, one of them lost with each block.
static const struct {
    int threads;
    size_t bytes;
    int blocks;
} FITS[] = {{1, 0, 32},
            {32, 0, 32},
            {64, 0, 32},
            {65, 0, 21},
            {256, 0, 8},
            {1000, 0, 2},
            {1024, 0, 2},
            {32, 48 << 10, 4},
            {32, 37 << 10, 6},
            {32, (37 << 10) + 1, 5},
            {1, 113000, 2},
            {1, 113 << 10, 2},
            {1, (113 << 10) + 1, 1},
            {1, 227 << 10, 1},
            {256, 16 << 10, 8}};

START_TEST(as_many_blocks_as_the_occupancy_says) {
    int attribute, processors, blocks, threads;
    cudaDeviceProp properties;
    begin(_i);
    cudaGetDeviceProperties(&properties, 0);
    cudaDeviceGetAttribute(&attribute, cudaDevAttrCooperativeLaunch, 0);
    ck_assert(attribute == 1 && properties.cooperativeLaunch == 1);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    ck_assert_int_eq(processors, properties.multiProcessorCount);
    cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10);
    unsigned ran = 0, *out = &ran;
    void *arguments[] = {&out};
    for (const auto &fits : FITS) {
        ran = 0;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, fits.threads, fits.bytes);
        ck_assert_int_eq(blocks, fits.blocks);
        unsigned most = (unsigned)(blocks * processors);
        ck_assert_int_eq(cudaLaunchCooperativeKernel((void *)count, most + 1, fits.threads, arguments, fits.bytes),
                         cudaErrorCooperativeLaunchTooLarge);
        ck_assert_int_eq(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
        ck_assert_uint_eq(ran, 0);
        ck_assert_int_eq(cudaLaunchCooperativeKernel((void *)count, most, fits.threads, arguments, fits.bytes),
                         cudaSuccess);
        expect_done();
        ck_assert_uint_eq(ran, most * (unsigned)fits.threads);
    }
    ck_assert_int_eq(cudaLaunchCooperativeKernel((void *)count, 1, 1025, arguments), cudaErrorInvalidConfiguration);
    ck_assert_str_eq(cudaGetErrorString(cudaErrorCooperativeLaunchTooLarge), "too many blocks in cooperative launch");
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, count, 0, 33);
    ck_assert(threads == 33 && blocks == 32 * processors);
}
END_TEST

// What a barrier of one's own needs: that all blocks are there, whatever the schedule.
static __global__ void meet(unsigned *arrived) {
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x)
            ;
    }
    __syncthreads();
}

START_TEST(all_blocks_are_resident) {
    unsigned arrived = 0, *out = &arrived;
    void *arguments[] = {&out};
    begin(_i);
    cudaLaunchCooperativeKernel((void *)meet, 40, 40, arguments);
    expect_done();
    ck_assert_uint_eq(arrived, 40);
}
END_TEST

// Under a schedule in order, the first block is the first between two barriers too.
static __global__ void note_order(unsigned *next, unsigned *order) {
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x == 0)
            order[(*next)++] = blockIdx.x;
        grid.sync();
    }
}

START_TEST(blocks_go_on_in_the_order_of_the_schedule) {
    const struct {
        schedule how;
        unsigned order[4];
    } ORDERS[] = {{{SCHEDULE_IN_ORDER, 0, 0}, {0, 1, 2, 3}},
                  {{SCHEDULE_REVERSED, 0, 0}, {3, 2, 1, 0}},
                  {{SCHEDULE_LAST_BLOCK, 0, 1}, {0, 2, 3, 1}}};
    for (const auto &expected : ORDERS) {
        unsigned next = 0, order[12], *out[] = {&next, order};
        void *arguments[] = {&out[0], &out[1]};
        simt_begin(expected.how);
        cudaLaunchCooperativeKernel((void *)note_order, 4, 8, arguments);
        expect_done();
        for (unsigned i = 0; i < 12; i++)
            ck_assert_uint_eq(order[i], expected.order[i % 4]);
    }
}
END_TEST

static __global__ void leave(unsigned block, unsigned thread) {
    cg::grid_group grid = cg::this_grid();
    if (blockIdx.x == block && threadIdx.x >= thread)
        return;
    grid.sync(); // line 269
}

static __global__ void part(bool at_block) {
    if (blockIdx.x == 1 && at_block && threadIdx.x > 3)
        __syncthreads(); // line 274
    else if (blockIdx.x == 1 && threadIdx.x > 3)
        __shfl_sync(0xffffffffu, 1, 0); // line 276
    else
        cg::this_grid().sync(); // line 278
}

static __global__ void not_cooperative(unsigned *ran) {
    atomicAdd(ran, 1u);
    cg::this_grid().sync(); // line 283
    atomicAdd(ran, 1u);
}

static void launch_leave(unsigned block, unsigned thread) {
    void *arguments[] = {&block, &thread};
    cudaLaunchCooperativeKernel((void *)leave, 3, 32, arguments);
}

static void launch_part(bool at_block) {
    void *arguments[] = {&at_block};
    cudaLaunchCooperativeKernel((void *)part, 2, 32, arguments);
}

START_TEST(threads_that_never_come) {
    begin(_i);
    launch_leave(1, 0);
    expect_ended(WORK_MISUSED, "test_grid.cu:269: kernel leave, block 0, thread 0: waits for ever at grid.sync(): "
                               "thread 0 of block 1 has exited without it");
    begin(_i);
    launch_leave(0, 31);
    expect_ended(WORK_MISUSED, "test_grid.cu:269: kernel leave, block 0, thread 0: waits for ever at grid.sync(): "
                               "thread 31 of block 0 has exited without it");
    begin(_i);
    launch_part(true);
    expect_ended(WORK_MISUSED, "test_grid.cu:278: kernel part, block 0, thread 0: waits for ever at grid.sync(): "
                               "thread 4 of block 1 waits at __syncthreads (test_grid.cu:274)");
    begin(_i);
    launch_part(false);
    expect_ended(WORK_MISUSED, "test_grid.cu:276: kernel part, block 1, thread 4: waits for ever at __shfl_sync with "
                               "mask 0xffffffff: lane 0, which it names, waits at grid.sync() (test_grid.cu:278)");
    // the machine is whole again
    begin(_i);
    launch_leave(3, 0);
    expect_done();
}
END_TEST

START_TEST(an_ordinary_launch_cannot_be_synchronised) {
    unsigned ran = 0;
    begin(0);
    not_cooperative<<<2, 2>>>(&ran);
    expect_ended(WORK_MISUSED, "test_grid.cu:283: kernel not_cooperative, block 0, thread 0: calls grid.sync() in "
                               "a launch that is not cooperative: cudaLaunchCooperativeKernel makes one");
    ck_assert_uint_eq(ran, 1);
}
END_TEST

int main() {
    TCase *tests = tcase_create("grid");
    tcase_add_loop_test(tests, grids_meet, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, partial_sums_are_added, 0, SCHEDULE_COUNT);
    tcase_add_test(tests, arguments_are_copied_by_their_types);
    tcase_add_test(tests, grids_are_valid_in_cooperative_launches);
    tcase_add_loop_test(tests, as_many_blocks_as_the_occupancy_says, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, all_blocks_are_resident, 0, SCHEDULE_COUNT);
    tcase_add_test(tests, blocks_go_on_in_the_order_of_the_schedule);
    tcase_add_loop_test(tests, threads_that_never_come, 0, SCHEDULE_COUNT);
    tcase_add_test(tests, an_ordinary_launch_cannot_be_synchronised);
    return run_suite("grid", tests);
}
