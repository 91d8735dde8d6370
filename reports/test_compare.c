// SPDX-License-Identifier: MIT
// What a comparison says of a pair of cells.
#include "reports/test_pair.h"

#include <check.h>
#include <string.h>

static char message[REPORT_MESSAGE];

static void expect_only(struct pair *pair, size_t index, enum change change, const char *why) {
    compare(pair);
    for (size_t i = 0; i < pair->comparison.cell_count; i++)
        ck_assert_msg(pair->comparison.cells[i].change == (i == index ? change : CHANGE_SAME), "cell %zu is %s: %s", i,
                      change_word(pair->comparison.cells[i].change), pair->comparison.cells[i].why);
    ck_assert_msg(strstr(pair->comparison.cells[index].why, why) != NULL, "%s", pair->comparison.cells[index].why);
    ck_assert_int_eq(comparison_regressed(&pair->comparison), change == CHANGE_WORSE || change == CHANGE_GONE);
    drop(pair);
}

START_TEST(a_run_is_the_same_as_itself) {
    struct pair pair;
    make_pair(&pair);
    compare(&pair);
    ck_assert_uint_eq(pair.comparison.counts[CHANGE_SAME], 10);
    ck_assert(pair.comparison.times_compared);
    ck_assert(!comparison_regressed(&pair.comparison));
    drop(&pair);
}
END_TEST

START_TEST(a_larger_error_is_worse_and_a_smaller_one_better) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    expect_only(&pair, 0, CHANGE_WORSE, "bits 0x44001000 -> 0x44001005; err/bound 0.25 -> 0.5");
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001001", "0.125");
    expect_only(&pair, 0, CHANGE_BETTER, "err/bound 0.25 -> 0.125");
}
END_TEST

START_TEST(a_smaller_error_under_a_smaller_bound_is_better) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001001", "0.5"); // 0.25 of the larger bound before
    set(cell_at(pair.after, 0), "bound_decimal", json_string("1.0e-9"));
    set(cell_at(pair.before, 0), "error_over_uA", json_string("4"));
    set(cell_at(pair.after, 0), "error_over_uA", json_string("1"));
    expect_only(&pair, 0, CHANGE_BETTER, "err/(uA) 4 -> 1");
}
END_TEST

START_TEST(other_bits_with_the_same_error_are_ambiguous) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001002", "0.25");
    expect_only(&pair, 0, CHANGE_AMBIGUOUS, "bits 0x44001000 -> 0x44001002");
}
END_TEST

START_TEST(a_bad_finding_is_worse_and_a_mended_one_better) {
    struct pair pair;
    make_pair(&pair);
    set(cell_at(pair.after, 4), "head", json_string("lost elements"));
    expect_only(&pair, 4, CHANGE_WORSE, "within bound -> lost elements");
    make_pair(&pair);
    set(cell_at(pair.after, 7), "head", json_string("faithful"));
    expect_only(&pair, 7, CHANGE_BETTER, "hung -> faithful");
}
END_TEST

// Who does not look sees nothing bad, and nothing good.
START_TEST(a_cell_that_is_not_checked_any_more_is_ambiguous) {
    struct pair pair;
    make_pair(&pair);
    set(cell_at(pair.after, 7), "head", json_string("not checked"));
    expect_only(&pair, 7, CHANGE_AMBIGUOUS, "hung -> not checked");
    make_pair(&pair);
    set(cell_at(pair.after, 4), "head", json_string("not checked"));
    expect_only(&pair, 4, CHANGE_AMBIGUOUS, "within bound -> not checked");
}
END_TEST

START_TEST(a_better_sum_that_varies_is_ambiguous) {
    struct pair pair;
    make_pair(&pair);
    json_t *cell = cell_at(pair.after, 0);
    set(cell, "patterns", json_deep_copy(json_object_get(cell_at(pair.before, 1), "patterns")));
    set(cell, "error_over_bound", json_string("0.1"));
    expect_only(&pair, 0, CHANGE_AMBIGUOUS, "1 -> 3 bit patterns");
}
END_TEST

START_TEST(a_cell_that_varies_may_show_other_patterns) {
    struct pair pair;
    make_pair(&pair);
    json_t *patterns = json_object_get(cell_at(pair.after, 1), "patterns");
    set(json_array_get(patterns, 2), "bits", json_string("0x44001007"));
    compare(&pair);
    ck_assert_uint_eq(pair.comparison.counts[CHANGE_SAME], 10);
    drop(&pair);
}
END_TEST

static void set_times(json_t *cell, int first) {
    json_t *ns = json_array();
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(json_array_append_new(ns, json_integer(first + i)), 0);
    set(cell, "ns", ns);
}

static void put_on_gpu(struct pair *pair) {
    set(json_array_get(json_object_get(pair->before, "variants"), 0), "backend", json_string("cuda"));
    set(json_array_get(json_object_get(pair->after, "variants"), 0), "backend", json_string("cuda"));
}

// Its claim of the same bits from run to run is "no", and 3 patterns were seen, before and after.
START_TEST(a_row_that_varies_by_itself_may_give_any_of_its_results) {
    struct pair pair;
    make_pair(&pair);
    put_on_gpu(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    compare(&pair);
    ck_assert_uint_eq(pair.comparison.counts[CHANGE_SAME], 10);
    drop(&pair);
    make_pair(&pair);
    put_on_gpu(&pair);
    set(cell_at(pair.after, 0), "head", json_string("lost elements")); // what is bad stays bad
    expect_only(&pair, 0, CHANGE_WORSE, "-> lost elements");
    make_pair(&pair);
    put_on_gpu(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    json_t *row = json_array_get(json_object_get(pair.before, "variants"), 0);
    set(json_array_get(json_object_get(row, "claims"), 1), "differing", json_integer(0));
    expect_only(&pair, 0, CHANGE_WORSE, "err/bound 0.25 -> 0.5"); // it did not vary before
}
END_TEST

START_TEST(times_of_a_cpu_or_within_the_spread_say_nothing) {
    struct pair pair;
    make_pair(&pair);
    set_times(cell_at(pair.before, 0), 1000);
    set_times(cell_at(pair.after, 0), 1100);
    compare(&pair);
    ck_assert_uint_eq(pair.comparison.counts[CHANGE_SAME], 10);
    drop(&pair);
    make_pair(&pair);
    put_on_gpu(&pair);
    set_times(cell_at(pair.before, 0), 1000);
    set_times(cell_at(pair.after, 0), 1009); // 20 samples a step apart: ranks differ, middle halves touch
    compare(&pair);
    ck_assert_uint_eq(pair.comparison.counts[CHANGE_SAME], 10);
    drop(&pair);
}
END_TEST

START_TEST(slower_is_worse_only_in_the_same_environment) {
    struct pair pair;
    make_pair(&pair);
    put_on_gpu(&pair);
    set_times(cell_at(pair.before, 0), 1000);
    set_times(cell_at(pair.after, 0), 1100);
    expect_only(&pair, 0, CHANGE_WORSE, "slower: median 1.0095 -> 1.1095 us (rank test p = ");
    make_pair(&pair);
    put_on_gpu(&pair);
    set_times(cell_at(pair.before, 0), 1000);
    set_times(cell_at(pair.after, 0), 1100);
    set(json_object_get(pair.after, "environment"), "cpu", json_string("another"));
    compare(&pair);
    ck_assert(!pair.comparison.times_compared);
    ck_assert_uint_eq(pair.comparison.counts[CHANGE_SAME], 10);
    drop(&pair);
}
END_TEST

START_TEST(gone_counts_and_new_does_not) {
    struct pair pair;
    make_pair(&pair);
    ck_assert_int_eq(json_array_remove(json_object_get(pair.after, "cells"), 9), 0);
    compare(&pair);
    ck_assert_uint_eq(pair.comparison.counts[CHANGE_GONE], 1);
    ck_assert(comparison_regressed(&pair.comparison));
    drop(&pair);
    make_pair(&pair);
    ck_assert_int_eq(json_array_remove(json_object_get(pair.before, "cells"), 9), 0);
    compare(&pair);
    ck_assert_uint_eq(pair.comparison.counts[CHANGE_NEW], 1);
    ck_assert(!comparison_regressed(&pair.comparison));
    drop(&pair);
}
END_TEST

START_TEST(other_seeds_are_refused) {
    struct pair pair;
    make_pair(&pair);
    set(pair.after, "seed", json_string("0x2"));
    ck_assert(!comparison_make(&pair.comparison, pair.before, pair.after, message));
    ck_assert_msg(strstr(message, "seeds 0xfedcba9876543210 and 0x2") != NULL, "%s", message);
    drop(&pair);
}
END_TEST

START_TEST(changed_variants_count_by_name) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    set_bits(cell_at(pair.after, 2), "0x3f800000", "0.5");
    compare(&pair);
    ck_assert_uint_eq(comparison_changed_variants(&pair.comparison), 1);
    drop(&pair);
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    set_bits(cell_at(pair.after, 5), "0x3f800000", "0.5");
    compare(&pair);
    ck_assert_uint_eq(comparison_changed_variants(&pair.comparison), 2);
    drop(&pair);
}
END_TEST

START_TEST(minus_zero_is_not_plus_zero) {
    struct pair pair;
    make_pair(&pair);
    ck_assert_str_eq(json_string_value(json_object_get(cell_at(pair.before, 2), "got_hex")), "-0x0p+0");
    set_bits(cell_at(pair.before, 2), "0x80000000", "nan");
    set_bits(cell_at(pair.after, 2), "0x0", "nan");
    expect_only(&pair, 2, CHANGE_AMBIGUOUS, "bits 0x80000000 -> 0x0");
}
END_TEST

START_TEST(an_infinite_error_is_the_worst) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x7f800000", "inf");
    expect_only(&pair, 0, CHANGE_WORSE, "err/bound 0.25 -> inf");
}
END_TEST

// What varies has no tree, whichever was seen last; that it varies is a change of kind.
START_TEST(an_order_that_begins_to_vary_has_changed) {
    struct pair pair;
    make_pair(&pair);
    set(order_at(pair.after, 0), "kind", json_string("varies"));
    set(order_at(pair.after, 0), "hash", json_string("0x0"));
    set(order_at(pair.after, 0), "height", json_integer(0));
    compare(&pair);
    ck_assert_uint_eq(json_array_size(pair.comparison.orders), 1);
    comparison_free(&pair.comparison);
    set(order_at(pair.after, 0), "n", json_integer(6)); // another size: nothing to hold it against
    compare(&pair);
    ck_assert_uint_eq(json_array_size(pair.comparison.orders), 0);
    drop(&pair);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("compare");
    TCase *tests = tcase_create("compare");
    tcase_add_test(tests, a_run_is_the_same_as_itself);
    tcase_add_test(tests, a_larger_error_is_worse_and_a_smaller_one_better);
    tcase_add_test(tests, a_smaller_error_under_a_smaller_bound_is_better);
    tcase_add_test(tests, other_bits_with_the_same_error_are_ambiguous);
    tcase_add_test(tests, a_bad_finding_is_worse_and_a_mended_one_better);
    tcase_add_test(tests, a_cell_that_is_not_checked_any_more_is_ambiguous);
    tcase_add_test(tests, a_better_sum_that_varies_is_ambiguous);
    tcase_add_test(tests, a_cell_that_varies_may_show_other_patterns);
    tcase_add_test(tests, a_row_that_varies_by_itself_may_give_any_of_its_results);
    tcase_add_test(tests, times_of_a_cpu_or_within_the_spread_say_nothing);
    tcase_add_test(tests, slower_is_worse_only_in_the_same_environment);
    tcase_add_test(tests, gone_counts_and_new_does_not);
    tcase_add_test(tests, other_seeds_are_refused);
    tcase_add_test(tests, changed_variants_count_by_name);
    tcase_add_test(tests, minus_zero_is_not_plus_zero);
    tcase_add_test(tests, an_infinite_error_is_the_worst);
    tcase_add_test(tests, an_order_that_begins_to_vary_has_changed);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
