// SPDX-License-Identifier: MIT
// Blocks: indices, barriers, exited threads, shared memory, several resident blocks, limits.
#include "harness/simt/test_support.hpp"

static __global__ void write_indices(unsigned *out) {
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    __syncthreads();
    out[block * threads + thread] += block * 1000 + thread;
}

START_TEST(every_thread_of_every_block_runs_once) {
    static unsigned out[30 * 24];
    memset(out, 0, sizeof out);
    begin(_i);
    write_indices<<<dim3(5, 3, 2), dim3(4, 3, 2)>>>(out);
    expect_done();
    for (unsigned b = 0; b < 30; b++) {
        for (unsigned t = 0; t < 24; t++)
            ck_assert_uint_eq(out[b * 24 + t], b * 1000 + t);
    }
}
END_TEST

// Each round reads what the neighbour wrote in the last: a missing or early barrier shows.
static __global__ void rotate(int rounds, unsigned *out) {
    __shared__ unsigned values[2][1024];
    values[0][threadIdx.x] = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
        values[(r + 1) % 2][threadIdx.x] = values[r % 2][(threadIdx.x + 1) % blockDim.x];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = values[rounds % 2][threadIdx.x];
}

START_TEST(barriers_separate_phases) {
    static unsigned out[3 * 1024];
    for (unsigned threads : {1u, 31u, 48u, 128u, 1024u}) {
        begin(_i);
        rotate<<<3, threads>>>(7, out);
        expect_done();
        for (unsigned i = 0; i < 3 * threads; i++)
            ck_assert_uint_eq(out[i], (i % threads + 7) % threads);
    }
}
END_TEST

static __global__ void count_predicates(int *out) {
    int count = __syncthreads_count(threadIdx.x % 3 == 0);
    int all = __syncthreads_and(threadIdx.x < 100), none = __syncthreads_or(threadIdx.x == 100);
    int most = __syncthreads_and(threadIdx.x < 99), one = __syncthreads_or(threadIdx.x == 99);
    if (count != 34 || !all || none || most || !one)
        atomicAdd(out, 1);
}

START_TEST(barriers_count_predicates) {
    int wrong = 0;
    begin(_i);
    count_predicates<<<2, 100>>>(&wrong);
    expect_done();
    ck_assert_int_eq(wrong, 0);
}
END_TEST

static __global__ void leave_early(unsigned *out) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if (threadIdx.x >= 40)
        return;
    atomicAdd(&sum, 1u);
    __syncthreads(); // the others have exited, or will
    if (threadIdx.x >= 7)
        return;
    atomicAdd(&sum, 100u);
    __syncthreads();
    out[threadIdx.x] = sum;
}

START_TEST(exited_threads_do_not_count_at_a_barrier) {
    unsigned out[7] = {0};
    begin(_i);
    leave_early<<<1, 100>>>(out);
    expect_done();
    for (unsigned sum : out)
        ck_assert_uint_eq(sum, 740);
}
END_TEST

// One name, two types, static and dynamic; one function template, two instantiations.
static __global__ void use_float(float *out) {
    extern __shared__ float shared[];
    __shared__ float kept;
    shared[threadIdx.x] = 0.5f;
    kept = 1.5f;
    __syncthreads();
    out[threadIdx.x] = shared[threadIdx.x] + kept;
}

static __global__ void use_double(double *out) {
    extern __shared__ double shared[];
    __shared__ double kept[2], other;
    shared[threadIdx.x] = 0.25;
    kept[1] = 2.5;
    other = 10;
    __syncthreads();
    out[threadIdx.x] = shared[threadIdx.x] + kept[1] + other;
}

template <class T, int N>
static __device__ T fill(T value) {
    __shared__ T values[N];
    values[threadIdx.x % N] = value;
    __syncthreads();
    return values[(threadIdx.x + 1) % N];
}

static __global__ void use_template(double *out) {
    float a = fill<float, 8>(1.0f);
    double b = fill<double, 8>(2.0), c = fill<double, 4>(4.0);
    float d = fill<float, 8>(8.0f);
    out[threadIdx.x] = a + b + c + d;
}

START_TEST(shared_arrays_of_one_name_are_apart) {
    float f[32];
    double d[32], t[32];
    begin(_i);
    use_float<<<1, 32, 32 * sizeof(float)>>>(f);
    use_double<<<1, 32, 32 * sizeof(double)>>>(d);
    use_template<<<1, 32>>>(t);
    expect_done();
    for (int i = 0; i < 32; i++) {
        ck_assert(f[i] == 2.0f);
        ck_assert(d[i] == 12.75);
        ck_assert(t[i] == 15.0);
    }
}
END_TEST

static __global__ void read_unset(double *f64, float *f32) {
    __shared__ double values[4];
    extern __shared__ float dynamic[];
    f64[blockIdx.x] = values[2];
    f32[blockIdx.x] = dynamic[3];
}

START_TEST(shared_memory_starts_as_poison) {
    double f64[2] = {0, 0};
    float f32[2] = {0, 0};
    begin(_i);
    read_unset<<<2, 1, 20>>>(f64, f32);
    expect_done();
    ck_assert(isnan(f64[0]) && isnan(f64[1]) && isnan(f32[0]) && isnan(f32[1]));
    ck_assert_int_ne(memcmp(&f64[0], &f64[1], sizeof(double)), 0);
}
END_TEST

// Block 1 waits for block 0 or the other way round: only where both are resident can both end.
static __global__ void meet(unsigned *arrived) {
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < 2)
        ;
}

START_TEST(several_blocks_are_resident_where_the_schedule_says_so) {
    unsigned arrived = 0;
    simt_begin({SCHEDULE_SEEDED, 0, 5});
    meet<<<2, 32>>>(&arrived);
    expect_done();
    ck_assert_uint_eq(arrived, 64);
}
END_TEST

static __global__ void wait_for_block_1(unsigned *flag) {
    if (blockIdx.x == 1)
        atomicExch(flag, 1u);
    while (atomicAdd(flag, 0u) == 0) // line 180
        ;
}

START_TEST(a_block_that_spins_on_another_hangs) {
    unsigned flag = 0;
    simt_begin({SCHEDULE_IN_ORDER, 0, 0});
    wait_for_block_1<<<2, 1>>>(&flag);
    expect_ended(WORK_HUNG, "test_block.cu:180: kernel wait_for_block_1, block 0, thread 0: goes round and round here: "
                            "no thread of a resident block has come to a barrier or to its end");
}
END_TEST

static __global__ void set(int *flag) {
    *flag = 1;
}

START_TEST(limits_are_errors_and_nothing_runs) {
    int flag = 0;
    begin(0);
    const struct {
        dim3 grid, block;
        size_t bytes;
        cudaError_t error;
    } BAD[] = {{1, 1025, 0, cudaErrorInvalidConfiguration},
               {1, 0, 0, cudaErrorInvalidConfiguration},
               {0, 1, 0, cudaErrorInvalidConfiguration},
               {1, dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration},
               {dim3(1, 65536), 1, 0, cudaErrorInvalidConfiguration},
               {2147483648u, 1, 0, cudaErrorInvalidConfiguration},
               {1, dim3(32, 33), 0, cudaErrorInvalidConfiguration},
               {1, 1, 48 * 1024 + 1, cudaErrorInvalidValue}};
    for (const auto &bad : BAD) {
        set<<<bad.grid, bad.block, bad.bytes>>>(&flag);
        ck_assert_int_eq(cudaGetLastError(), bad.error);
        cudaLaunchConfig_t config = {.gridDim = bad.grid, .blockDim = bad.block, .dynamicSmemBytes = bad.bytes};
        ck_assert_int_eq(cudaLaunchKernelEx(&config, set, &flag), bad.error);
        cudaGetLastError();
        expect_done();
        ck_assert_int_eq(flag, 0);
    }
    ck_assert_int_eq(cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1),
                     cudaErrorInvalidValue);
    cudaGetLastError();
    ck_assert_int_eq(cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024), cudaSuccess);
    cudaLaunchConfig_t config = {.gridDim = 1, .blockDim = 1, .dynamicSmemBytes = 64 * 1024};
    ck_assert_int_eq(cudaLaunchKernelEx(&config, set, &flag), cudaSuccess);
    expect_done();
    ck_assert_int_eq(flag, 1);
}
END_TEST

int main() {
    TCase *tests = tcase_create("block");
    tcase_add_loop_test(tests, every_thread_of_every_block_runs_once, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, barriers_separate_phases, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, barriers_count_predicates, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, exited_threads_do_not_count_at_a_barrier, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, shared_arrays_of_one_name_are_apart, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, shared_memory_starts_as_poison, 0, SCHEDULE_COUNT);
    tcase_add_test(tests, several_blocks_are_resident_where_the_schedule_says_so);
    tcase_add_test(tests, a_block_that_spins_on_another_hangs);
    tcase_add_test(tests, limits_are_errors_and_nothing_runs);
    return run_suite("block", tests);
}
