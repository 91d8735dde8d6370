// SPDX-License-Identifier: MIT
// Timings from the worker on the host backend.
#include "harness/worker/test_worker.h"

#include <math.h>

START_TEST(samples_of_a_timing_are_times_of_right_sums) {
    const char *type = types[_i];
    struct pool_item items[] = {time_of(ELEMENTS), time_of(1), time_of(0)};
    for (size_t i = 0; i < 3 && strcmp(type, "f64") == 0; i++)
        items[i].request.data_offset = ELEMENTS * sizeof(float);
    run_items("test_variant_right", type, items, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct kept *kept = &answers.kept[i];
        ck_assert_outcome(kept, WORK_DONE);
        ck_assert_uint_eq(kept->reply.runs, 5);
        ck_assert_uint_eq(kept->reply.output_untouched, 0);
        ck_assert_uint_eq(kept->reply.read_ns, 0); // a CPU has no such kernel
        for (size_t run = 0; run < 5; run++)
            ck_assert_double_eq(value_of(type, run_at(kept, run).bits), i == 0 ? ELEMENTS * (ELEMENTS - 1) / 2.0 : 0);
    }
}
END_TEST

// `sleeps` takes 100 µs and a little: a sample that were the sum of its calls would take the span of 2 ms.
START_TEST(a_sample_is_the_time_of_one_call) {
    const struct kept *kept = run_one("sleeps", "f32", time_of(10));
    uint64_t least = UINT64_MAX;
    ck_assert_outcome(kept, WORK_DONE);
    for (size_t run = 0; run < 5; run++) {
        uint64_t ns = run_at(kept, run).ns;
        ck_assert_uint_ge(ns, 100000);
        least = ns < least ? ns : least;
    }
    ck_assert_uint_lt(least, 1000000);
}
END_TEST

// tells_distance returns the distance of its input from that of the process' first call, in elements.
START_TEST(calls_go_around_copies_that_no_cache_holds) {
    const struct kept *kept = run_one("tells_distance", "f32", time_of(ELEMENTS));
    ck_assert_outcome(kept, WORK_DONE);
    double last = 0, stride = ELEMENTS * sizeof(float) / 256 * 256 + 256;
    for (size_t run = 0; run < 5; run++) {
        double distance = value_of("f32", run_at(kept, run).bits) * sizeof(float);
        ck_assert_double_gt(distance, last); // fewer calls than copies: it has not come around
        ck_assert_double_eq(fmod(distance, stride), 0);
        last = distance;
    }
}
END_TEST

START_TEST(copies_keep_the_offset) {
    struct pool_item item = time_of(100);
    item.request.offset = 7;
    const struct kept *kept = run_one("tells_place", "f32", item);
    for (size_t run = 0; run < 5; run++)
        ck_assert_double_eq(value_of("f32", run_at(kept, run).bits), 7);
}
END_TEST

START_TEST(failure_of_a_timing_is_explained) {
    ck_assert_outcome(run_one("writes_past_workspace", "f32", time_of(64)), WORK_OUT_OF_BOUNDS);
    ck_assert_outcome(run_one("fails_to_launch", "f32", time_of(64)), WORK_REFUSED);
    ck_assert_says(&answers.kept[0], "returned the error 9");
    ck_assert_outcome(run_one("divides", "f32", time_of(64)), WORK_CRASHED);
    ck_assert_says(run_one("drops_element", "f32", time_of(1001)), "takes at most 1000 elements");
    ck_assert_uint_eq(run_one("never_writes", "f32", time_of(64))->reply.output_untouched, 1);
}
END_TEST

static void add_tests(TCase *tcase) {
    tcase_add_loop_test(tcase, samples_of_a_timing_are_times_of_right_sums, 0, TYPES);
    tcase_add_test(tcase, a_sample_is_the_time_of_one_call);
    tcase_add_test(tcase, calls_go_around_copies_that_no_cache_holds);
    tcase_add_test(tcase, copies_keep_the_offset);
    tcase_add_test(tcase, failure_of_a_timing_is_explained);
}

int main(void) {
    return run_worker_suite("worker time", add_tests);
}
