// SPDX-License-Identifier: MIT
// Misuse ends a launch with a sentence that names place, kernel, block and thread. The lines that sentences name are
// marked in the kernels.
#include "harness/simt/test_support.hpp"

#include <signal.h>

static const schedule IN_ORDER = {SCHEDULE_IN_ORDER, 0, 0};

static __global__ void part_at_barriers(int *out) {
    if (threadIdx.x < 5)
        __syncthreads(); // line 12
    else
        __syncthreads(); // line 14
    *out = 1;
}

START_TEST(different_barriers) {
    int out = 0;
    simt_begin(IN_ORDER);
    part_at_barriers<<<3, 8>>>(&out);
    expect_ended(WORK_MISUSED, "test_misuse.cu:14: kernel part_at_barriers, block 0, thread 5: waits at this "
                               "__syncthreads while other threads of its block wait at the one in test_misuse.cu:12");
    ck_assert_int_eq(out, 0);
    ck_assert_int_eq(cudaPeekAtLastError(), cudaSuccess);
    part_at_barriers<<<1, 1>>>(&out); // the device stays broken until the next run
    expect_ended(WORK_MISUSED, "test_misuse.cu:14: kernel part_at_barriers, block 0, thread 5: waits at this "
                               "__syncthreads while other threads of its block wait at the one in test_misuse.cu:12");
    ck_assert_int_eq(out, 0);
    simt_begin(IN_ORDER);
    part_at_barriers<<<1, 1>>>(&out);
    expect_done();
    ck_assert_int_eq(out, 1);
}
END_TEST

static __global__ void use_mask(unsigned mask) {
    if (threadIdx.x % 32 < 20 && threadIdx.y == 1)
        __shfl_down_sync(mask, 1.0f, 1); // line 39
}

START_TEST(masks_that_name_exited_or_missing_lanes_or_not_the_caller) {
    simt_begin({SCHEDULE_REVERSED, 0, 0});
    use_mask<<<dim3(1, 2), dim3(32, 2)>>>(0xffffffffu);
    expect_ended(WORK_MISUSED,
                 "test_misuse.cu:39: kernel use_mask, block (0,1,0), thread (19,1,0): calls __shfl_down_sync with mask "
                 "0xffffffff, which names lane 20, but that thread has exited");
    simt_begin(IN_ORDER);
    use_mask<<<1, dim3(20, 2)>>>(0xffffffffu); // lane 20 is thread (0,1,0)
    expect_ended(WORK_MISUSED, "test_misuse.cu:39: kernel use_mask, block 0, thread (0,1,0): calls __shfl_down_sync "
                               "with mask 0xffffffff, which names lane 0, but that thread has exited");
}
END_TEST

static __global__ void use_partial_warp(unsigned mask) {
    __shfl_xor_sync(mask, threadIdx.x, 1); // line 56
}

START_TEST(masks_in_partial_warps) {
    simt_begin(IN_ORDER);
    use_partial_warp<<<1, 48>>>(0xffffffffu);
    expect_ended(WORK_MISUSED, "test_misuse.cu:56: kernel use_partial_warp, block 0, thread 32: calls __shfl_xor_sync "
                               "with mask 0xffffffff, which names lane 16, but the block has no such thread");
    simt_begin(IN_ORDER);
    use_partial_warp<<<1, 32>>>(0xfffffffeu);
    expect_ended(WORK_MISUSED, "test_misuse.cu:56: kernel use_partial_warp, block 0, thread 0: calls __shfl_xor_sync "
                               "with mask 0xfffffffe, which does not name its own lane 0");
}
END_TEST

static __global__ void wait_for_lane_3() {
    if (threadIdx.x == 3)
        __syncthreads(); // line 73
    else
        __ballot_sync(0xffffffffu, 1); // line 75
}

START_TEST(lanes_that_wait_for_each_other) {
    simt_begin(IN_ORDER);
    wait_for_lane_3<<<2, 32>>>();
    expect_ended(WORK_MISUSED, "test_misuse.cu:75: kernel wait_for_lane_3, block 0, thread 0: waits for ever at "
                               "__ballot_sync with mask 0xffffffff: lane 3, which it names, waits at __syncthreads "
                               "(test_misuse.cu:73)");
}
END_TEST

static __global__ void mix_operations() {
    if (threadIdx.x < 9)
        __any_sync(0xffffffffu, 1); // line 89
    else
        __shfl_sync(0xffffffffu, 1, 0); // line 91
}

static __global__ void leave_others() {
    if (threadIdx.x == 30)
        return;
    __all_sync(0xffffffffu, 1); // line 97
}

static __global__ void use_width(int width) {
    __shfl_down_sync(0xffffffffu, 1, 1, width); // line 101
}

START_TEST(operations_that_do_not_match) {
    simt_begin(IN_ORDER);
    mix_operations<<<1, 32>>>();
    expect_ended(WORK_MISUSED, "test_misuse.cu:91: kernel mix_operations, block 0, thread 9: calls __shfl_sync with "
                               "mask 0xffffffff while other lanes of the mask wait at __any_sync (line 89)");
    simt_begin(IN_ORDER);
    leave_others<<<1, 32>>>();
    expect_ended(WORK_MISUSED, "test_misuse.cu:97: kernel leave_others, block 0, thread 30: has exited while other "
                               "lanes wait for it at __all_sync with mask 0xffffffff");
    simt_begin(IN_ORDER);
    use_width<<<1, 32>>>(24);
    expect_ended(WORK_MISUSED, "test_misuse.cu:101: kernel use_width, block 0, thread 0: calls __shfl_down_sync with "
                               "width 24, which is not a power of two up to 32");
}
END_TEST

static __global__ void write_past_static(int index) {
    __shared__ int first[5]; // line 121
    __shared__ int second[5];
    second[0] = 0;
    int *from_first = first; // of an array whose end the compiler sees UBSan would report the access itself
    from_first[index] = 0;
}

static __global__ void write_past_dynamic(int index) {
    extern __shared__ int values[];
    values[index] = 0;
}

START_TEST(writes_outside_of_shared_memory) {
    simt_begin(IN_ORDER);
    write_past_static<<<1, 1>>>(4);
    expect_done();
    write_past_static<<<2, 1>>>(5);
    expect_ended(WORK_OUT_OF_BOUNDS, "test_misuse.cu:121: kernel write_past_static, block 0: a thread wrote past the "
                                     "end of the shared variable first");
    simt_begin(IN_ORDER);
    write_past_dynamic<<<1, 1, 20>>>(5); // line 141
    expect_ended(WORK_OUT_OF_BOUNDS, "test_misuse.cu:141: kernel write_past_dynamic, block 0: a thread wrote past the "
                                     "end of dynamic shared memory");
    simt_begin(IN_ORDER);
    write_past_dynamic<<<1, 1, 20>>>(-1); // line 145
    expect_ended(WORK_OUT_OF_BOUNDS, "test_misuse.cu:145: kernel write_past_dynamic, block 0: a thread wrote before "
                                     "the start of dynamic shared memory");
}
END_TEST

#ifndef __SANITIZE_ADDRESS__ // it takes the signal
START_TEST(dynamic_shared_memory_ends_at_an_unmapped_page) {
    simt_begin(IN_ORDER);
    write_past_dynamic<<<1, 1, 32>>>(8);
}
END_TEST
#endif

static __global__ void need_too_much() {
    __shared__ double half[4096], other[4096]; // line 160
    half[0] = other[0] = 1;
}

static __global__ void launch_inside() {
    need_too_much<<<1, 1>>>(); // line 165
}

#ifndef __SANITIZE_ADDRESS__ // its stacks are larger
static __global__ void overrun_stack(char *out) {
    volatile char large[40000];
    for (int i = 39999; i >= 0; i--)
        large[i] = 1;
    *out = large[7];
}
#endif

START_TEST(resources_that_simt_does_not_have) {
    simt_begin(IN_ORDER);
    need_too_much<<<1, 1>>>();
    expect_ended(WORK_MISUSED, "test_misuse.cu:160: kernel need_too_much, block 0, thread 0: needs more than 49152 "
                               "bytes of static shared memory for other");
    simt_begin(IN_ORDER);
    launch_inside<<<1, 1>>>();
    expect_ended(WORK_MISUSED, "test_misuse.cu:165: kernel launch_inside, block 0, thread 0: launches a kernel, but "
                               "simt has no dynamic parallelism");
}
END_TEST

#ifndef __SANITIZE_ADDRESS__
START_TEST(stacks_that_are_overrun) {
    simt_begin(IN_ORDER);
    char out;
    overrun_stack<<<1, 64>>>(&out);
    const char *message;
    ck_assert_int_eq(simt_ended(&message), WORK_MISUSED);
    ck_assert_str_eq(message, "kernel overrun_stack: a thread has overrun its stack of 32768 bytes");
}
END_TEST
#endif

#ifdef REDUCTIO_SIMT_ALIGNMENT
static __global__ void load_four(const float *from, float *to) {
    float4 four = *reinterpret_cast<const float4 *>(from); // line 203
    *to = four.x + four.w;
}

static __global__ void load_members(const float *from, float *to) {
    const float4 *four = reinterpret_cast<const float4 *>(from);
    *to = four->x + four->w; // line 209
}

alignas(16) static float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};

START_TEST(misaligned_members) {
    float sum = 0;
    simt_begin(IN_ORDER);
    load_members<<<1, 1>>>(values + 4, &sum);
    expect_done();
    ck_assert(sum == 13);
    load_members<<<1, 1>>>(values + 1, &sum);
    expect_ended(WORK_MISUSED,
                 "test_misuse.cu:209: kernel load_members, block 0, thread 0: misaligned address: it lies "
                 "4 bytes past a multiple of 16, which the access needs");
}
END_TEST

START_TEST(misaligned_vectors) {
#ifdef __clang__
    SKIP_TEST("clang checks members of vectors, and not whole ones");
#endif
    float sum = 0;
    simt_begin(IN_ORDER);
    load_four<<<1, 1>>>(values + 4, &sum);
    expect_done();
    ck_assert(sum == 13);
    load_four<<<1, 1>>>(values + 1, &sum);
    expect_ended(WORK_MISUSED, "test_misuse.cu:203: kernel load_four, block 0, thread 0: misaligned address: it lies 4 "
                               "bytes past a multiple of 16, which the access needs");
}
END_TEST
#endif

#ifndef __SANITIZE_ADDRESS__ // it takes the signal
// Of each block that is resident, also of those that the launch before had no use for.
static void leave_what_a_larger_launch_had(unsigned blocks) {
    simt_begin({SCHEDULE_SEEDED, 0, 1});
    ck_assert_int_eq(cudaFuncSetAttribute(write_past_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024),
                     cudaSuccess);
    write_past_dynamic<<<4, 1, 200 * 1024>>>(0);
    expect_done();
    write_past_dynamic<<<1, 1, 32>>>(0);
    expect_done();
    write_past_dynamic<<<blocks, 1, 32>>>(-150 * 1024 / 4);
}

START_TEST(less_dynamic_shared_memory_unmaps_what_more_had) {
    leave_what_a_larger_launch_had(_i ? 4 : 1);
}
END_TEST
#endif

// Many small frames, each with an array that AddressSanitizer poisons the surroundings of.
static __device__ int descend(int depth, bool part) {
    volatile int small[5];
    for (int i = 0; i < 5; i++)
        small[i] = depth;
    if (depth == 0 && part && threadIdx.x % 2 == 0)
        __syncthreads();
    else if (depth == 0)
        __syncthreads();
    return depth == 0 ? small[0] : small[depth % 5] + descend(depth - 1, part);
}

static __global__ void end_in_small_frames(bool part, int *out) {
    *out = descend(20, part);
}

static __global__ void use_one_large_frame(int *out) {
    volatile int large[2000];
    for (int i = 0; i < 2000; i++)
        large[i] = i;
    *out = large[*out];
}

// Later threads have the stacks of earlier ones: whether those came to an end, or their launch was given up.
START_TEST(stacks_that_others_have_left) {
    for (int part = 0; part < 2; part++) {
        int out = 0;
        simt_begin(IN_ORDER);
        end_in_small_frames<<<40, 64>>>(part, &out);
        const char *message;
        ck_assert_int_eq(simt_ended(&message), part ? WORK_MISUSED : WORK_DONE);
        ck_assert_int_eq(out, part ? 0 : 20 * 21 / 2);
        cudaGetLastError();
        simt_begin(IN_ORDER);
        out = 1234;
        use_one_large_frame<<<40, 64>>>(&out);
        expect_done();
        ck_assert_int_eq(out, 1234);
    }
}
END_TEST

int main() {
    TCase *tests = tcase_create("misuse");
    tcase_add_test(tests, different_barriers);
    tcase_add_test(tests, masks_that_name_exited_or_missing_lanes_or_not_the_caller);
    tcase_add_test(tests, masks_in_partial_warps);
    tcase_add_test(tests, lanes_that_wait_for_each_other);
    tcase_add_test(tests, operations_that_do_not_match);
    tcase_add_test(tests, writes_outside_of_shared_memory);
#ifndef __SANITIZE_ADDRESS__ // it takes the signal, and its stacks are larger
    tcase_add_test_raise_signal(tests, dynamic_shared_memory_ends_at_an_unmapped_page, SIGSEGV);
    tcase_add_loop_test_raise_signal(tests, less_dynamic_shared_memory_unmaps_what_more_had, SIGSEGV, 0, 2);
    tcase_add_test(tests, stacks_that_are_overrun);
#endif
    tcase_add_test(tests, resources_that_simt_does_not_have);
    tcase_add_test(tests, stacks_that_others_have_left);
#ifdef REDUCTIO_SIMT_ALIGNMENT
    tcase_add_test(tests, misaligned_members);
    tcase_add_test(tests, misaligned_vectors);
#endif
    return run_suite("misuse", tests);
}
