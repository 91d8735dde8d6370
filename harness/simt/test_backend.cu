// SPDX-License-Identifier: MIT
// harness/backend.h on simt: a small variant of its own, launched as the worker does it.
#include "harness/simt/test_support.hpp"

#include <signal.h>
#include <unistd.h>

static __global__ void add_elements(const float *in, size_t n, float *out, float *workspace, int beyond) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        workspace[i] = in[i + (i == n - 1 ? beyond : 0)];
    __syncthreads();
    if (i == 0) {
        float sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += workspace[j];
        *out = sum;
    }
}

static int launch_beyond(const void *in, size_t n, void *out, void *workspace, reductio_shape shape, int beyond) {
    add_elements<<<1, shape.threads>>>(static_cast<const float *>(in), n, static_cast<float *>(out),
                                       static_cast<float *>(workspace), beyond);
    return cudaGetLastError();
}

static int launch_right(const void *in, size_t n, void *out, void *workspace, reductio_shape shape, void *) {
    return launch_beyond(in, n, out, workspace, shape, 0);
}

static reductio_variant variant_of(reductio_launch launch) {
    reductio_variant variant = {};
    variant.launch = launch;
    return variant;
}

// Ones in an input of n floats, `offset` bytes past a boundary; everything else is poison.
static void place(size_t n, size_t offset) {
    char message[BACKEND_MESSAGE];
    float *in = static_cast<float *>(backend_place(ROLE_INPUT, n * sizeof(float), offset, message));
    ck_assert_ptr_nonnull(in);
    ck_assert_uint_eq((uintptr_t)in % 256, offset);
    ck_assert_ptr_nonnull(backend_place(ROLE_OUTPUT, sizeof(float), 0, message));
    ck_assert_ptr_nonnull(backend_place(ROLE_WORKSPACE, n * sizeof(float), 0, message));
    for (int role = 0; role < ROLE_COUNT; role++)
        backend_poison((backend_role)role, 9);
    float ones[256];
    for (float &one : ones)
        one = 1;
    backend_upload(ROLE_INPUT, ones, n * sizeof(float));
}

START_TEST(launches_and_returns_what_the_variant_leaves) {
    char message[BACKEND_MESSAGE] = "";
    uint64_t ns = 0;
    reductio_variant variant = variant_of(launch_right);
    for (size_t offset = 0; offset < 64; offset += 4) {
        place(100, offset);
        ck_assert(backend_is_poison(ROLE_OUTPUT, 9));
        ck_assert_int_eq(backend_launch(&variant, 100, {128, 0}, SCHEDULES[_i], &ns, message), WORK_DONE);
        ck_assert_int_eq(backend_check_slack(message), WORK_DONE);
        ck_assert(!backend_is_poison(ROLE_OUTPUT, 9));
        float sum = 0;
        backend_download(ROLE_OUTPUT, &sum, sizeof sum);
        ck_assert(sum == 100);
        ck_assert_uint_gt(ns, 0);
    }
}
END_TEST

START_TEST(a_refused_launch_leaves_the_poison) {
    char message[BACKEND_MESSAGE] = "";
    uint64_t ns;
    reductio_variant variant = variant_of(launch_right);
    place(100, 0);
    ck_assert_int_eq(backend_launch(&variant, 100, {2048, 0}, SCHEDULES[0], &ns, message), WORK_REFUSED);
    ck_assert_str_eq(message, "cudaErrorInvalidConfiguration (invalid configuration argument)");
    ck_assert(backend_is_poison(ROLE_OUTPUT, 9));
}
END_TEST

static int launch_with_64_kib(const void *in, size_t n, void *out, void *workspace, reductio_shape shape, void *) {
    add_elements<<<1, shape.threads, 64 << 10>>>(static_cast<const float *>(in), n, static_cast<float *>(out),
                                                 static_cast<float *>(workspace), 0);
    return cudaGetLastError();
}

static int launch_after_asking(const void *in, size_t n, void *out, void *workspace, reductio_shape shape, void *) {
    cudaFuncSetAttribute(add_elements, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
    return launch_with_64_kib(in, n, out, workspace, shape, nullptr);
}

// A worker may serve several rows: that one has asked for much shared memory allows it to no other.
START_TEST(shared_memory_is_allowed_to_the_row_that_asks) {
    char message[BACKEND_MESSAGE] = "";
    uint64_t ns;
    reductio_variant asks = variant_of(launch_after_asking), forgets = variant_of(launch_with_64_kib);
    place(100, 0);
    ck_assert_int_eq(backend_launch(&asks, 100, {128, 0}, SCHEDULES[0], &ns, message), WORK_DONE);
    ck_assert_int_eq(backend_launch(&forgets, 100, {128, 0}, SCHEDULES[0], &ns, message), WORK_REFUSED);
}
END_TEST

// Thread 0 hands on a word of shared memory that no one wrote, as it is or added to.
static __global__ void take_unwritten(float *out, bool from_dynamic, bool add, int word) {
    extern __shared__ float dynamic[];
    __shared__ float first[3];
    __shared__ float part[8];
    if (threadIdx.x == 0) {
        first[0] = part[0] = dynamic[0] = 0;
        const float *from = from_dynamic ? &dynamic[word] : &part[word];
        add ? *out = *from + 1 : *out = *from;
    }
}

static __global__ void do_nothing() {}

static int launch_unwritten(const void *, size_t n, void *out, void *, reductio_shape shape, void *) {
    do_nothing<<<1, shape.threads>>>();
    take_unwritten<<<1, shape.threads, 64>>>(static_cast<float *>(out), n & 1, n & 2, n & 4 ? 5 : 4);
    return cudaGetLastError();
}

START_TEST(a_nan_of_shared_memory_is_traced) {
    char message[BACKEND_MESSAGE] = "", place_of_it[BACKEND_MESSAGE];
    uint64_t ns, bits = 0;
    reductio_variant variant = variant_of(launch_unwritten);
    place(100, 0);
    ck_assert_int_eq(backend_launch(&variant, (size_t)_i, {32, 0}, SCHEDULES[0], &ns, message), WORK_DONE);
    backend_download(ROLE_OUTPUT, &bits, sizeof(float));
    ck_assert(backend_trace_poison(bits, sizeof(float), message));
    snprintf(place_of_it, sizeof place_of_it, "byte %d of the %s of block 0 in launch 2", _i & 4 ? 20 : 16,
             _i & 1 ? "dynamic shared memory" : "shared variable part");
    ck_assert_str_eq(message, place_of_it);
}
END_TEST

START_TEST(writes_into_slack_are_seen) {
    char message[BACKEND_MESSAGE] = "";
    uint64_t ns;
    reductio_variant variant = variant_of(launch_right);
    place(100, 0);
    char small[BACKEND_MESSAGE];
    ck_assert_ptr_nonnull(backend_place(ROLE_WORKSPACE, 99 * sizeof(float), 0, small));
    backend_poison(ROLE_WORKSPACE, 9);
    ck_assert_int_eq(backend_launch(&variant, 100, {128, 0}, SCHEDULES[0], &ns, message), WORK_DONE);
    ck_assert_int_eq(backend_check_slack(message), WORK_OUT_OF_BOUNDS);
    ck_assert_str_eq(message, "It wrote outside its arrays, just past the end of the workspace.");
}
END_TEST

#ifndef __SANITIZE_ADDRESS__ // it takes the signal
static int launch_far(const void *in, size_t n, void *out, void *workspace, reductio_shape shape, void *) {
    return launch_beyond(in, n, out, workspace, shape, 1000);
}

static void explain(int, siginfo_t *info, void *) {
    static char message[BACKEND_MESSAGE];
    bool known = backend_explain_address(info->si_addr, message);
    static const char EXPECTED[] = "3996 bytes past the end of the input, kernel add_elements, block 0, thread 63";
    _exit(known && strcmp(message, EXPECTED) == 0 ? 42 : 1);
}

START_TEST(a_fault_is_explained) {
    char message[BACKEND_MESSAGE];
    uint64_t ns;
    reductio_variant variant = variant_of(launch_far);
    struct sigaction action = {};
    action.sa_sigaction = explain;
    action.sa_flags = SA_SIGINFO;
    ck_assert_int_eq(sigaction(SIGSEGV, &action, nullptr), 0);
    place(64, 0);
    backend_launch(&variant, 64, {64, 0}, SCHEDULES[0], &ns, message);
}
END_TEST
#endif

START_TEST(the_environment_says_that_it_is_emulated) {
    const char *key, *value;
    ck_assert(backend_environment(0, &key, &value));
    ck_assert_str_eq(key, "emulated");
    ck_assert_str_eq(value, "CUDA on the CPU (simt)");
    int count = 0;
    while (backend_environment(count, &key, &value))
        count++;
    ck_assert_int_eq(count, 4);
    char message[BACKEND_MESSAGE];
    ck_assert(backend_open(0, message));
    ck_assert(!backend_open(1, message));
    ck_assert_str_eq(message, "simt has one device, number 0, and no number 1");
}
END_TEST

int main() {
    TCase *tests = tcase_create("backend");
    tcase_add_loop_test(tests, launches_and_returns_what_the_variant_leaves, 0, SCHEDULE_COUNT);
    tcase_add_test(tests, a_refused_launch_leaves_the_poison);
    tcase_add_test(tests, shared_memory_is_allowed_to_the_row_that_asks);
    tcase_add_loop_test(tests, a_nan_of_shared_memory_is_traced, 0, 8);
    tcase_add_test(tests, writes_into_slack_are_seen);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_exit_test(tests, a_fault_is_explained, 42);
#endif
    tcase_add_test(tests, the_environment_says_that_it_is_emulated);
    return run_suite("backend", tests);
}
