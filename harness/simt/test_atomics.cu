// SPDX-License-Identifier: MIT
// Atomics and schedules. The flushing is what an H200 does, and what the PTX ISA says of `atom.add.f32`.
#include "harness/simt/test_support.hpp"

#include <set>

static __global__ void add_one(float *cell, float value, float *old) {
    *old = atomicAdd(cell, value);
}

static __global__ void add_one_shared(float *cell, float value) {
    __shared__ float shared;
    shared = *cell;
    atomicAdd(&shared, value);
    *cell = shared;
}

static __global__ void add_one_double(double *cell, double value) {
    atomicAdd(cell, value);
}

START_TEST(float_atomics_flush_in_global_memory_only) {
    static const struct {
        float start, value, global, shared;
    } CASES[] = {
        {0.0f, 1e-40f, 0.0f, 1e-40f},
        {-1e-40f, -0.0f, -0.0f, -1e-40f},
        {1.5e-38f, -1.4e-38f, 0.0f, 1.5e-38f - 1.4e-38f},
        {-1.5e-38f, 1.4e-38f, -0.0f, -1.5e-38f + 1.4e-38f},
        {0x1p-126f, 0x1p-149f, 0x1p-126f, 0x1p-126f + 0x1p-149f},
        {1.0f, 2.0f, 3.0f, 3.0f},
    };
    for (const auto &c : CASES) {
        float global = c.start, shared = c.start, old = 0;
        begin(0);
        add_one<<<1, 1>>>(&global, c.value, &old);
        add_one_shared<<<1, 1>>>(&shared, c.value);
        expect_done();
        ck_assert_uint_eq(__float_as_uint(global), __float_as_uint(c.global));
        ck_assert_uint_eq(__float_as_uint(shared), __float_as_uint(c.shared));
        ck_assert_uint_eq(__float_as_uint(old), __float_as_uint(c.start));
    }
    double cell = 0;
    add_one_double<<<1, 1>>>(&cell, 1e-310);
    expect_done();
    ck_assert(cell == 1e-310);
}
END_TEST

static __global__ void use_scopes(float *f, double *d, int *i, unsigned *u) {
    atomicAdd_block(f, 1.0f);
    atomicAdd_system(f, 1.0f);
    atomicAdd_block(d, 1.0);
    atomicAdd_system(i, -1);
    atomicMax_block(i + 1, (int)threadIdx.x);
    atomicInc_block(u, 9u);
    atomicCAS_system(u + 1, 0u, 7u);
    atomicExch_block(u + 2, 5u);
}

START_TEST(atomics_of_a_scope_lose_nothing) {
    float f = 0;
    double d = 0;
    int i[2] = {0, -5};
    unsigned u[3] = {0, 0, 0};
    begin(_i);
    use_scopes<<<1, 64>>>(&f, &d, i, u);
    expect_done();
    ck_assert(f == 128 && d == 64);
    ck_assert_int_eq(i[0], -64);
    ck_assert_int_eq(i[1], 63);
    ck_assert_uint_eq(u[0], 64 % 10);
    ck_assert_uint_eq(u[1], 7);
    ck_assert_uint_eq(u[2], 5);
}
END_TEST

static __global__ void use_integers(int *i, unsigned *u, unsigned long long *l) {
    atomicAdd(i, -1);
    atomicMax(i + 1, (int)threadIdx.x);
    atomicMin(i + 2, -(int)threadIdx.x);
    atomicAdd(u, 2u);
    atomicInc(u + 1, 9u);
    atomicDec(u + 2, 9u);
    atomicOr(u + 3, 1u << threadIdx.x % 32);
    atomicAdd(l, 1ull << 33);
    unsigned long long seen, next = l[1];
    do {
        seen = next;
        next = atomicCAS(l + 1, seen, seen + threadIdx.x);
    } while (next != seen);
    atomicExch(l + 2, 5ull);
}

START_TEST(integer_atomics_lose_nothing) {
    int i[3] = {0, -5, 5};
    unsigned u[4] = {0, 0, 0, 0};
    unsigned long long l[3] = {0, 0, 0};
    begin(_i);
    use_integers<<<4, 64>>>(i, u, l);
    expect_done();
    ck_assert_int_eq(i[0], -256);
    ck_assert_int_eq(i[1], 63);
    ck_assert_int_eq(i[2], -63);
    ck_assert_uint_eq(u[0], 512);
    ck_assert_uint_eq(u[1], 256 % 10);
    ck_assert_uint_eq(u[2], (10 - 256 % 10) % 10);
    ck_assert_uint_eq(u[3], 0xffffffffu);
    ck_assert_uint_eq(l[0], 256ull << 33);
    ck_assert_uint_eq(l[1], 4 * 63 * 64 / 2);
    ck_assert_uint_eq(l[2], 5);
}
END_TEST

static __global__ void note_order(unsigned *next, unsigned *order) {
    unsigned ticket = atomicAdd(next, 1u);
    order[ticket] = blockIdx.x * blockDim.x + threadIdx.x;
}

static void order_of(schedule schedule, unsigned *order) {
    unsigned next = 0;
    simt_begin(schedule);
    note_order<<<4, 32>>>(&next, order);
    expect_done();
}

START_TEST(schedules_decide_the_order) {
    unsigned order[128];
    order_of({SCHEDULE_IN_ORDER, 0, 0}, order);
    for (unsigned i = 0; i < 128; i++)
        ck_assert_uint_eq(order[i], i);
    order_of({SCHEDULE_REVERSED, 0, 0}, order);
    for (unsigned i = 0; i < 128; i++)
        ck_assert_uint_eq(order[i], 127 - i);
    order_of({SCHEDULE_LAST_BLOCK, 0, 2}, order);
    for (unsigned i = 0; i < 32; i++) {
        ck_assert_uint_eq(order[64 + i], 96 + i);
        ck_assert_uint_eq(order[96 + i], 64 + i);
    }
}
END_TEST

START_TEST(seeds_give_many_orders_and_each_the_same_for_ever) {
    std::set<unsigned> first;
    unsigned mixed = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        unsigned order[128], again[128];
        order_of({SCHEDULE_SEEDED, 0, seed}, order);
        order_of({SCHEDULE_SEEDED, 0, seed}, again);
        ck_assert_int_eq(memcmp(order, again, sizeof order), 0);
        first.insert(order[0]);
        for (unsigned i = 1; i < 128; i++)
            mixed += order[i] / 32 != order[i - 1] / 32;
    }
    ck_assert_uint_gt(first.size(), 20);    // of 128 threads; 35 expected of 40 draws
    ck_assert_uint_gt(mixed, 40 * 127 / 2); // blocks alternate: expected 3/4 of all steps
}
END_TEST

static __global__ void add_all(const float *values, float *sum, unsigned *next, float *order) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(sum, values[i]);
    order[atomicAdd(next, 1u)] = values[i];
}

START_TEST(magnitude_orders_float_atomics) {
    float values[256], order[256];
    for (int i = 0; i < 256; i++)
        values[i] = (i % 2 ? -1.0f : 1.0f) * (float)(i * 37 % 256 + 1);
    for (auto kind : {SCHEDULE_ASCENDING, SCHEDULE_DESCENDING}) {
        float sum = 0;
        unsigned next = 0;
        simt_begin({(uint32_t)kind, 0, 0});
        add_all<<<8, 32>>>(values, &sum, &next, order);
        expect_done();
        for (int i = 0; i < 256; i++)
            ck_assert(fabsf(order[i]) == (float)(kind == SCHEDULE_ASCENDING ? i + 1 : 256 - i));
    }
}
END_TEST

int main() {
    TCase *tests = tcase_create("atomics");
    tcase_add_test(tests, float_atomics_flush_in_global_memory_only);
    tcase_add_loop_test(tests, atomics_of_a_scope_lose_nothing, 0, SCHEDULE_COUNT);
    tcase_add_loop_test(tests, integer_atomics_lose_nothing, 0, SCHEDULE_COUNT);
    tcase_add_test(tests, schedules_decide_the_order);
    tcase_add_test(tests, seeds_give_many_orders_and_each_the_same_for_ever);
    tcase_add_test(tests, magnitude_orders_float_atomics);
    return run_suite("atomics", tests);
}
