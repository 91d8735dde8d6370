// SPDX-License-Identifier: MIT
#include "harness/throughput.h"

#include <check.h>
#include <stdlib.h>

START_TEST(the_median_is_in_the_middle) {
    uint64_t odd[] = {9, 1, 5}, even[] = {40, 10, 20, 31}, one[] = {7};
    ck_assert_double_eq(median_ns(odd, 3), 5);
    ck_assert_double_eq(median_ns(even, 4), 25.5);
    ck_assert_double_eq(median_ns(one, 1), 7);
    ck_assert_double_eq(median_ns(NULL, 0), 0);
}
END_TEST

static struct cell_result timed_cell(uint64_t *ns, size_t count, enum finding head) {
    return (struct cell_result){.has_result = true, .head = head, .ns = ns, .ns_count = count};
}

START_TEST(throughput_is_bytes_over_the_median) {
    uint64_t ns[] = {3000, 1000, 2000};
    struct cell_result cell = timed_cell(ns, 3, FINDING_WITHIN_BOUND);
    note_throughput(&cell, 8000000, 1500); // 8 MB in 2 µs: 4000 GB/s
    ck_assert_double_eq(cell.gigabytes_per_second, 4000);
    ck_assert_double_eq(cell.bandwidth_share, 0.75);
    ck_assert_uint_eq(ns[0], 3000); // samples stay in the order in which they were taken
    note_throughput(&cell, 8000000, 0);
    ck_assert_double_eq(cell.bandwidth_share, 0);
}
END_TEST

START_TEST(wrong_and_missing_results_are_not_timed) {
    uint64_t ns[] = {1000};
    struct cell_result wrong = timed_cell(ns, 1, FINDING_BEYOND_BOUND), none = timed_cell(NULL, 0, FINDING_FAITHFUL),
                       zero = timed_cell((uint64_t[]){0}, 1, FINDING_FAITHFUL), missing = wrong;
    missing.has_result = false;
    struct cell_result *cells[] = {&wrong, &none, &zero, &missing};
    for (size_t i = 0; i < 4; i++) {
        note_throughput(cells[i], 4096, 500);
        ck_assert_double_eq(cells[i]->gigabytes_per_second, 0);
        ck_assert_double_eq(cells[i]->bandwidth_share, 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("throughput");
    TCase *tcase = tcase_create("throughput");
    tcase_add_test(tcase, the_median_is_in_the_middle);
    tcase_add_test(tcase, throughput_is_bytes_over_the_median);
    tcase_add_test(tcase, wrong_and_missing_results_are_not_timed);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
