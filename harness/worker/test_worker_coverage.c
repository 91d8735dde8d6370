// SPDX-License-Identifier: MIT
// Coverage maps from the worker on the host backend: how often each element was added, exactly.
#include "harness/worker/test_worker.h"

enum { COVERED = 100 };

START_TEST(right_sum_covers_each_element_once) {
    static const uint64_t sizes[] = {0, 1, 11, 12, 13, 25, 26, 27, 53, 100, 1025};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct kept *kept = run_one("test_variant_right", types[_i], coverage_of(sizes[i]));
        ck_assert_outcome(kept, WORK_DONE);
        ck_assert_uint_eq(kept->reply.payload, sizes[i]);
        for (uint64_t j = 0; j < sizes[i]; j++)
            ck_assert_uint_eq(kept->payload[j], 1);
    }
}
END_TEST

// One element has another multiplicity, everything else is added once.
static const struct {
    const char *variant;
    int element, multiplicity;
} coverages[] = {
    {"drops_element", 30, 0},      {"doubles_element", 17, 2},
    {"quadruples_element", 17, 4}, {"quadruples_last_of_group", 35, 4},
    {"counts_too_often", 17, 255},
};

START_TEST(coverage_map_says_exactly_which) {
    const struct kept *kept = run_one(coverages[_i].variant, "f32", coverage_of(COVERED));
    ck_assert_outcome(kept, WORK_DONE);
    for (int i = 0; i < COVERED; i++)
        ck_assert_msg(kept->payload[i] == (i == coverages[_i].element ? coverages[_i].multiplicity : 1),
                      "element %d: %d", i, kept->payload[i]);
}
END_TEST

START_TEST(carries_past_the_last_element_are_seen) {
    const struct kept *kept = run_one("quintuples_element", "f32", coverage_of(18));
    ck_assert_outcome(kept, WORK_DONE);
    for (int i = 0; i < 18; i++)
        ck_assert_uint_eq(kept->payload[i], i == 17 ? 5 : 1);
}
END_TEST

static const char *const unreadable[] = {"gives_nan", "gives_minus", "gives_half", "never_writes"};

START_TEST(coverage_of_nonsense_is_not_told) {
    const struct kept *kept = run_one(unreadable[_i], "f32", coverage_of(COVERED));
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert_uint_eq(kept->reply.output_untouched, strcmp(unreadable[_i], "never_writes") == 0);
    for (int i = 0; i < COVERED; i++)
        ck_assert_uint_eq(kept->payload[i], 255);
}
END_TEST

static void add_tests(TCase *tcase) {
    tcase_add_loop_test(tcase, right_sum_covers_each_element_once, 0, TYPES);
    tcase_add_loop_test(tcase, coverage_map_says_exactly_which, 0, sizeof coverages / sizeof *coverages);
    tcase_add_test(tcase, carries_past_the_last_element_are_seen);
    tcase_add_loop_test(tcase, coverage_of_nonsense_is_not_told, 0, sizeof unreadable / sizeof *unreadable);
}

int main(void) {
    return run_worker_suite("worker coverage", add_tests);
}
