// SPDX-License-Identifier: MIT
#include "reports/compare.h"
#include "reports/sample_result.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char message[REPORT_MESSAGE];

struct pair {
    json_t *before, *after;
    struct comparison comparison;
};

static void make_pair(struct pair *pair) {
    struct run_result result = sample_result();
    pair->before = report_of_result(&result, message);
    ck_assert_ptr_nonnull(pair->before);
    pair->after = json_deep_copy(pair->before);
    run_result_free(&result);
}

static json_t *cell_at(json_t *run, size_t index) {
    return json_array_get(json_object_get(run, "cells"), index);
}

static void set(json_t *object, const char *member, json_t *value) {
    ck_assert_int_eq(json_object_set_new(object, member, value), 0);
}

static void compare(struct pair *pair) {
    ck_assert_msg(comparison_make(&pair->comparison, pair->before, pair->after, message), "%s", message);
}

static void drop(struct pair *pair) {
    comparison_free(&pair->comparison);
    json_decref(pair->before);
    json_decref(pair->after);
}

static void set_bits(json_t *cell, const char *bits, const char *error_over_bound) {
    set(cell, "bits", json_string(bits));
    set(cell, "patterns", json_pack("[{sssissss}]", "bits", bits, "count", 8, "ulps", "0", "first_at", "inorder"));
    set(cell, "error_over_bound", json_string(error_over_bound));
}

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

START_TEST(slower_is_worse_only_in_the_same_environment) {
    struct pair pair;
    make_pair(&pair);
    set_times(cell_at(pair.before, 0), 1000);
    set_times(cell_at(pair.after, 0), 1100);
    expect_only(&pair, 0, CHANGE_WORSE, "slower (rank test p = ");
    make_pair(&pair);
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

static char *written(const struct comparison *comparison, bool markdown) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (markdown)
        comparison_write_markdown(comparison, out);
    else
        comparison_write_terminal(comparison, 1, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(text_names_environment_counts_and_cells) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    set(cell_at(pair.after, 7), "head", json_string("faithful"));
    set(json_object_get(pair.after, "environment"), "cpu", json_string("<b>"));
    compare(&pair);
    char *text = written(&pair.comparison, false), *markdown = written(&pair.comparison, true);
    ck_assert_ptr_eq(strstr(text, "cpu: A <processor> & co -> <b>\nThe environments differ"), text);
    ck_assert_ptr_nonnull(strstr(text, "1 WORSE, 0 GONE, 0 AMBIGUOUS, 1 BETTER, 0 NEW, 8 SAME"));
    ck_assert_ptr_nonnull(strstr(text, "WORSE     tree_sequential@simt/f32/uniform/1025"));
    ck_assert_ptr_nonnull(strstr(text, "and 1 more"));
    ck_assert_ptr_nonnull(strstr(markdown, "## Reductio: regression"));
    ck_assert_ptr_nonnull(strstr(markdown, "| BETTER | <code>evil&#60;/script&#62;"));
    ck_assert_ptr_null(strstr(markdown, "<b>"));
    free(text);
    free(markdown);
    drop(&pair);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("compare");
    TCase *tests = tcase_create("compare");
    tcase_add_test(tests, a_run_is_the_same_as_itself);
    tcase_add_test(tests, a_larger_error_is_worse_and_a_smaller_one_better);
    tcase_add_test(tests, other_bits_with_the_same_error_are_ambiguous);
    tcase_add_test(tests, a_bad_finding_is_worse_and_a_mended_one_better);
    tcase_add_test(tests, a_better_sum_that_varies_is_ambiguous);
    tcase_add_test(tests, a_cell_that_varies_may_show_other_patterns);
    tcase_add_test(tests, slower_is_worse_only_in_the_same_environment);
    tcase_add_test(tests, gone_counts_and_new_does_not);
    tcase_add_test(tests, other_seeds_are_refused);
    tcase_add_test(tests, text_names_environment_counts_and_cells);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
