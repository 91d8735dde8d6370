// SPDX-License-Identifier: MIT
// Findings on sums whose truth is known by hand.
#include "harness/support.h"
#include "harness/verdict.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A variant that claims everything, with the bound of an addition tree of height n - 1.
static struct variant_card strict_card(void) {
    return (struct variant_card){.accuracy = REDUCTIO_HEIGHT,
                                 .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                                 .keeps_subnormals = REDUCTIO_YES,
                                 .may_overflow_early = REDUCTIO_NO,
                                 .specials = REDUCTIO_YES,
                                 .empty = REDUCTIO_YES,
                                 .all_minus_zero = REDUCTIO_PLUS,
                                 .backend = "simt"};
}

// Judges the results of several runs on x[0..n); the caller frees with free_cell.
static struct cell_result judge_runs(const struct variant_card *card, const float *x, size_t n, const float *results,
                                     uint32_t runs) {
    struct exact_sum exact;
    struct work_run answers[8] = {0};
    struct work_reply reply = {.outcome = WORK_DONE, .runs = runs, .height = n ? n - 1 : 0};
    for (uint32_t i = 0; i < runs; i++)
        answers[i] = (struct work_run){bits32(results[i]), 1000};
    exact_sum(&exact, FLOAT_F32, x, n);
    struct evidence evidence = {
        .card = card, .in = FLOAT_F32, .out = FLOAT_F32, .exact = &exact, .reply = &reply, .runs = answers, .n = n};
    struct cell_result cell = {0};
    judge_cell(&cell, &evidence);
    exact_sum_clear(&exact);
    return cell;
}

static struct cell_result judge(const struct variant_card *card, const float *x, size_t n, float result) {
    return judge_runs(card, x, n, &result, 1);
}

static void free_cell(struct cell_result *cell) {
    free(cell->detail);
    free(cell->harness_fault);
    free(cell->detector);
    for (size_t i = 0; i < cell->detector_count; i++)
        free(cell->detectors[i]);
    free(cell->detectors);
    free(cell->got_hex);
    free(cell->got_decimal);
    free(cell->rounded_hex);
    free(cell->rounded_decimal);
    free(cell->bound);
    free(cell->bound_decimal);
    free(cell->patterns);
    free(cell->ns);
}

static void expect(const struct variant_card *card, const float *x, size_t n, float result, enum finding head,
                   claim_set broken) {
    struct cell_result cell = judge(card, x, n, result);
    ck_assert_msg(cell.head == head, "%a: found \"%s\", wanted \"%s\"; %s", (double)result, finding_word(cell.head),
                  finding_word(head), cell.detail ? cell.detail : "");
    ck_assert_msg(cell.broken == broken, "%a: broke claims %#x, wanted %#x", (double)result, cell.broken, broken);
    free_cell(&cell);
}

enum {
    ACCURACY = 1u << CLAIM_ACCURACY,
    SPECIALS = 1u << CLAIM_SPECIALS,
    SUBNORMALS = 1u << CLAIM_KEEPS_SUBNORMALS,
    OVERFLOW_ = 1u << CLAIM_NO_EARLY_OVERFLOW,
    EMPTY = 1u << CLAIM_EMPTY,
    MINUS = 1u << CLAIM_ALL_MINUS_ZERO,
    RUN = 1u << CLAIM_SAME_BITS_RUN
};

// 0.1f + 0.2f = 0.3000000044703484 exactly; its neighbours in f32 are 0x1.333334p-2 (rounded) and 0x1.333332p-2.
// γ_1·A is a little above u·0.3 = 1.79e-8, and one ulp there is 2.98e-8.
START_TEST(test_accuracy_of_two_terms) {
    struct variant_card card = strict_card();
    const float x[] = {0.1f, 0.2f};
    expect(&card, x, 2, 0x1.333334p-2f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, x, 2, 0x1.333336p-2f, FINDING_BEYOND_BOUND, ACCURACY);
    expect(&card, x, 2, 0.0f, FINDING_BEYOND_BOUND, ACCURACY);
    expect(&card, x, 2, NAN, FINDING_WRONG_CLASS, ACCURACY);
    expect(&card, x, 2, INFINITY, FINDING_WRONG_CLASS, ACCURACY);
}
END_TEST

// Integers: no addition rounds, so one unit off is a fault although γ_h·A would allow it.
START_TEST(test_exact_data_must_give_the_exact_sum) {
    struct variant_card card = strict_card();
    card.accuracy = REDUCTIO_ACCURACY_NOT_CLAIMED;
    float x[1024];
    for (int i = 0; i < 1024; i++)
        x[i] = 16384;
    expect(&card, x, 1024, 16777216, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, x, 1024, 16777215, FINDING_BEYOND_BOUND, ACCURACY);
}
END_TEST

// 1e8 + 1 - 1e8 in f32 is 8, 0 or 1 by order; the bound 2u·2e8 = 24 exceeds the sum, so nothing is said.
START_TEST(test_a_bound_above_the_sum_says_nothing) {
    struct variant_card card = strict_card();
    const float x[] = {1e8f, 1.5f, -1e8f};
    expect(&card, x, 3, 0, FINDING_BOUND_SAYS_NOTHING, 0);
    expect(&card, x, 3, 8, FINDING_BOUND_SAYS_NOTHING, 0);
    expect(&card, x, 3, 64, FINDING_BEYOND_BOUND, ACCURACY);
    struct cell_result cell = judge(&card, x, 3, 0);
    ck_assert_msg(!(cell.tested & ACCURACY), "a bound that says nothing tests nothing");
    free_cell(&cell);
}
END_TEST

START_TEST(test_specials) {
    struct variant_card card = strict_card();
    const float nan_in[] = {1, NAN, 2}, inf_in[] = {1, INFINITY, 2}, both[] = {INFINITY, 1, -INFINITY};
    expect(&card, nan_in, 3, NAN, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, nan_in, 3, -NAN, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, nan_in, 3, 3, FINDING_WRONG_CLASS, SPECIALS);
    expect(&card, inf_in, 3, INFINITY, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, inf_in, 3, -INFINITY, FINDING_WRONG_CLASS, SPECIALS);
    expect(&card, inf_in, 3, NAN, FINDING_WRONG_CLASS, SPECIALS);
    expect(&card, both, 3, NAN, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, both, 3, 1, FINDING_WRONG_CLASS, SPECIALS);
    card.specials = REDUCTIO_NO;
    expect(&card, inf_in, 3, NAN, FINDING_BOUND_SAYS_NOTHING, 0);
}
END_TEST

START_TEST(test_zeros) {
    struct variant_card card = strict_card();
    const float minus[] = {-0.0f, -0.0f}, cancels[] = {1, -1};
    expect(&card, NULL, 0, 0.0f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, NULL, 0, -0.0f, FINDING_WRONG_CLASS, EMPTY);
    expect(&card, NULL, 0, 1, FINDING_WRONG_CLASS, EMPTY);
    expect(&card, cancels, 2, 0.0f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, cancels, 2, -0.0f, FINDING_WRONG_CLASS, ACCURACY);
    expect(&card, minus, 2, 0.0f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, minus, 2, -0.0f, FINDING_WRONG_CLASS, MINUS);
    card.all_minus_zero = REDUCTIO_MINUS;
    expect(&card, minus, 2, -0.0f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, minus, 2, 0.0f, FINDING_WRONG_CLASS, MINUS);
    card.all_minus_zero = REDUCTIO_ZERO_UNSTATED;
    expect(&card, minus, 2, 0.0f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, minus, 2, -0.0f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, minus, 2, 1, FINDING_WRONG_CLASS, ACCURACY); // of the sign alone nothing is claimed
    card.empty = REDUCTIO_UNSTATED;
    expect(&card, NULL, 0, -0.0f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, NULL, 0, 1, FINDING_WRONG_CLASS, ACCURACY);
}
END_TEST

START_TEST(test_flushed_subnormals) {
    struct variant_card card = strict_card();
    const float x[] = {1e-40f, 1e-40f}; // the sum is exact with gradual underflow
    expect(&card, x, 2, 1e-40f + 1e-40f, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, x, 2, 0.0f, FINDING_FLUSHED, SUBNORMALS);
    expect(&card, x, 2, -0.0f, FINDING_FLUSHED, SUBNORMALS);
    expect(&card, x, 2, 1.0f, FINDING_BEYOND_BOUND, ACCURACY);
    card.keeps_subnormals = REDUCTIO_UNSTATED; // the bound is exceeded, whatever the reason
    expect(&card, x, 2, 0.0f, FINDING_FLUSHED, ACCURACY);
    card.keeps_subnormals = REDUCTIO_NO;
    expect(&card, x, 2, 0.0f, FINDING_WITHIN_BOUND, 0);
}
END_TEST

START_TEST(test_overflow) {
    struct variant_card card = strict_card();
    const float early[] = {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX / 2}, truly[] = {FLT_MAX, FLT_MAX};
    const float near[] = {FLT_MAX, FLT_MAX, -FLT_MAX}; // the threshold lies within the bound: infinity is no fault
    expect(&card, early, 4, FLT_MAX / 2, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, near, 3, INFINITY, FINDING_WITHIN_BOUND, 0);
    expect(&card, early, 4, INFINITY, FINDING_OVERFLOWED_EARLY, OVERFLOW_);
    expect(&card, truly, 2, INFINITY, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, truly, 2, -INFINITY, FINDING_WRONG_CLASS, ACCURACY);
    // what overflows to the other infinity before it meets that of the data makes NaN of it, and nothing else
    const float opposed[] = {-FLT_MAX, -FLT_MAX, INFINITY}, alike[] = {FLT_MAX, FLT_MAX, INFINITY};
    expect(&card, opposed, 3, NAN, FINDING_WRONG_CLASS, SPECIALS);
    card.may_overflow_early = REDUCTIO_YES;
    expect(&card, early, 4, INFINITY, FINDING_BOUND_SAYS_NOTHING, 0);
    expect(&card, early, 4, NAN, FINDING_BOUND_SAYS_NOTHING, 0);
    expect(&card, opposed, 3, NAN, FINDING_BOUND_SAYS_NOTHING, 0);
    expect(&card, opposed, 3, INFINITY, FINDING_CORRECTLY_ROUNDED, 0);
    expect(&card, opposed, 3, -INFINITY, FINDING_WRONG_CLASS, SPECIALS);
    expect(&card, opposed, 3, 1, FINDING_WRONG_CLASS, SPECIALS);
    expect(&card, alike, 3, NAN, FINDING_WRONG_CLASS, SPECIALS);
}
END_TEST

START_TEST(test_repeats) {
    struct variant_card card = strict_card();
    const float x[] = {0.1f, 0.2f, 0.4f};
    const float results[] = {0.1f + 0.2f + 0.4f, 0.1f + 0.2f + 0.4f, 0.1f + (0.2f + 0.4f)};
    const float differing[] = {results[0], results[0], nextafterf(results[0], 0)};
    struct cell_result cell = judge_runs(&card, x, 3, differing, 3);
    ck_assert_int_eq(cell.head, FINDING_VARIED);
    ck_assert_uint_eq(cell.broken & RUN, RUN);
    ck_assert_str_eq(cell.detector, "repeats");
    ck_assert_uint_eq(cell.detector_count, 1);
    ck_assert_uint_eq(cell.pattern_count, 2);
    ck_assert_uint_eq(cell.patterns[0].count, 2);
    ck_assert_uint_eq(cell.patterns[0].bits, bits32(differing[0]));
    free_cell(&cell);
    card.same_bits = 0;
    cell = judge_runs(&card, x, 3, differing, 3);
    ck_assert(!(cell.broken & RUN) && (cell.findings & (1u << FINDING_VARIES_AS_CLAIMED)));
    free_cell(&cell);
}
END_TEST

START_TEST(test_every_detector_is_noted) {
    struct variant_card card = strict_card();
    const float x[] = {1, 2}, results[] = {3, 4, 5};
    struct cell_result cell = judge_runs(&card, x, 2, results, 3);
    ck_assert_int_eq(cell.head, FINDING_BEYOND_BOUND);
    ck_assert_str_eq(cell.detector, "bound");
    ck_assert_uint_eq(cell.detector_count, 2); // the bound found two results, and is noted once
    ck_assert_str_eq(cell.detectors[0], "bound");
    ck_assert_str_eq(cell.detectors[1], "repeats");
    free_cell(&cell);
    cell = judge(&card, x, 2, 3);
    ck_assert_uint_eq(cell.detector_count, 0);
    free_cell(&cell);
}
END_TEST

START_TEST(test_nan_payloads_are_one_result) {
    struct variant_card card = strict_card();
    const float x[] = {NAN, 1}, results[] = {NAN, -NAN};
    struct cell_result cell = judge_runs(&card, x, 2, results, 2);
    ck_assert_uint_eq(cell.pattern_count, 1);
    ck_assert_uint_eq(cell.broken, 0);
    free_cell(&cell);
}
END_TEST

// Figures by hand: x = {1, 2^-25}, exact 1 + 2^-25, rounded 1; the result 1 + 2^-23 is one ulp above it.
START_TEST(test_figures) {
    struct variant_card card = strict_card();
    const float x[] = {1, 0x1p-25f};
    struct cell_result cell = judge(&card, x, 2, 1 + 0x1p-23f);
    ck_assert_double_eq_tol(cell.ulps, 0.75, 1e-12); // (2^-23 - 2^-25) / 2^-23
    ck_assert_double_eq_tol(cell.relative_error, 0x3p-25 / (1 + 0x1p-25), 1e-20);
    ck_assert_double_eq_tol(cell.error_over_uA, 1.5 / (1 + 0x1p-25), 1e-9);
    ck_assert_double_eq_tol(cell.error_over_bound, 1.5, 1e-6); // γ_1 = u/(1-u), and here h·u > (n-1)·u is not smaller
    ck_assert_str_eq(cell.got_hex, "0x1.000002p+0");
    ck_assert_str_eq(cell.rounded_hex, "0x1p+0");
    free_cell(&cell);
}
END_TEST

static struct cell_result judge_outcome(uint32_t outcome, uint32_t untouched, uint32_t changed) {
    static struct variant_card card;
    const float x[] = {1, 2};
    struct exact_sum exact;
    struct work_run run = {bits32(3), 1};
    struct work_reply reply = {
        .outcome = outcome, .runs = outcome == WORK_DONE, .output_untouched = untouched, .input_changed = changed};
    card = strict_card();
    strcpy(reply.message, "what happened");
    exact_sum(&exact, FLOAT_F32, x, 2);
    struct evidence evidence = {
        .card = &card, .in = FLOAT_F32, .out = FLOAT_F32, .exact = &exact, .reply = &reply, .runs = &run, .n = 2};
    struct cell_result cell = {0};
    judge_cell(&cell, &evidence);
    exact_sum_clear(&exact);
    return cell;
}

START_TEST(test_outcomes) {
    static const struct {
        uint32_t outcome, untouched, changed;
        enum finding finding;
        const char *detector;
    } expected[] = {
        {WORK_REFUSED, 0, 0, FINDING_DID_NOT_RUN, "limits"}, {WORK_MISUSED, 0, 0, FINDING_MISUSED, "misuse"},
        {WORK_RACED, 0, 0, FINDING_RACED, "tsan"},           {WORK_OUT_OF_BOUNDS, 0, 0, FINDING_OUT_OF_BOUNDS, "guard"},
        {WORK_CRASHED, 0, 0, FINDING_CRASHED, "limits"},     {WORK_HUNG, 0, 0, FINDING_HUNG, "limits"},
        {WORK_DONE, 1, 0, FINDING_DID_NOT_RUN, "poison"},    {WORK_DONE, 0, 1, FINDING_OUT_OF_BOUNDS, "guard"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct cell_result cell = judge_outcome(expected[i].outcome, expected[i].untouched, expected[i].changed);
        ck_assert_msg(cell.head == expected[i].finding, "row %zu: %s", i, finding_word(cell.head));
        ck_assert_str_eq(cell.detector, expected[i].detector);
        ck_assert_uint_eq(cell.broken, 1u << CLAIM_SOUND);
        free_cell(&cell);
    }
}
END_TEST

// What the harness could not run says nothing of the row, and is no pass.
START_TEST(test_fault_of_the_harness_is_no_verdict) {
    static const struct {
        uint32_t outcome;
        const char *fault;
    } expected[] = {{WORK_NOT_POSSIBLE, "not possible"}, {WORK_LOST, "worker lost"}};
    struct cell_result cell = judge_outcome(expected[_i].outcome, 0, 0);
    ck_assert_int_eq(cell.head, FINDING_NOT_CHECKED);
    ck_assert_str_eq(cell.harness_fault, expected[_i].fault);
    ck_assert_str_eq(cell.detail, "what happened");
    ck_assert_uint_eq(cell.detector_count, 0);
    ck_assert_uint_eq(cell.tested | cell.broken, 0);
    free_cell(&cell);
}
END_TEST

// Where a detector cannot see, nothing was found and nothing was tested.
START_TEST(test_not_checked_is_no_fault) {
    struct cell_result cell = judge_outcome(WORK_NOT_CHECKED, 0, 0);
    ck_assert_int_eq(cell.head, FINDING_NOT_CHECKED);
    ck_assert_str_eq(cell.detail, "what happened");
    ck_assert_ptr_null(cell.detector);
    ck_assert_uint_eq(cell.detector_count, 0);
    ck_assert_uint_eq(cell.tested | cell.broken, 0);
    free_cell(&cell);
}
END_TEST

static char *words(const char *marks, unsigned threads) {
    bool marked[64];
    for (size_t i = 0; marks[i]; i++)
        marked[i] = marks[i] == 'x';
    return describe_positions(marked, strlen(marks), threads);
}

START_TEST(test_positions_in_words) {
    static const struct {
        const char *marks;
        unsigned threads;
        const char *text;
    } expected[] = {
        {"..x.....", 0, "elements 2 (1 of 8)"},
        {"..xxx..x", 0, "elements 2..4, 7 (4 of 8)"},
        {"...x...x...x", 4, "lanes 3 of each 4-thread block (3 of 12 elements)"},
        {"..xx..xx..x", 4, "lanes 2..3 of each 4-thread block (5 of 11 elements)"},
        {"..xx..x.", 4, "elements 2..3, 6 (3 of 8)"},
        {"xxxx", 2, "all 4 elements"},
        {"x.x.x.x.x.", 0, "elements 0, 2, 4, 6, ... (5 of 10)"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char *text = words(expected[i].marks, expected[i].threads);
        ck_assert_str_eq(text, expected[i].text);
        free(text);
    }
}
END_TEST

START_TEST(test_coverage_findings) {
    struct variant_card card = strict_card();
    struct work_reply reply = {.outcome = WORK_DONE};
    const unsigned char right[] = {1, 1, 1}, lost[] = {1, 0, 1}, twice[] = {1, 1, 2}, both[] = {0, 3, 1},
                        unreadable[] = {255, 255, 1};
    const struct {
        const unsigned char *map;
        enum finding head;
    } expected[] = {{right, FINDING_CORRECTLY_ROUNDED},
                    {lost, FINDING_LOST_ELEMENTS},
                    {twice, FINDING_DOUBLE_COUNTED},
                    {both, FINDING_LOST_ELEMENTS},
                    {unreadable, FINDING_WRONG_CLASS}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct evidence evidence = {.card = &card, .reply = &reply, .multiplicity = expected[i].map, .n = 3};
        struct cell_result cell = {0};
        judge_cell(&cell, &evidence);
        ck_assert_int_eq(cell.head, expected[i].head);
        ck_assert_uint_eq(cell.broken, i ? 1u << CLAIM_SOUND : 0);
        free_cell(&cell);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("verdict");
    TCase *tests = tcase_create("findings");
    tcase_add_test(tests, test_accuracy_of_two_terms);
    tcase_add_test(tests, test_exact_data_must_give_the_exact_sum);
    tcase_add_test(tests, test_a_bound_above_the_sum_says_nothing);
    tcase_add_test(tests, test_specials);
    tcase_add_test(tests, test_zeros);
    tcase_add_test(tests, test_flushed_subnormals);
    tcase_add_test(tests, test_overflow);
    tcase_add_test(tests, test_repeats);
    tcase_add_test(tests, test_every_detector_is_noted);
    tcase_add_test(tests, test_nan_payloads_are_one_result);
    tcase_add_test(tests, test_figures);
    tcase_add_test(tests, test_outcomes);
    tcase_add_test(tests, test_not_checked_is_no_fault);
    tcase_add_loop_test(tests, test_fault_of_the_harness_is_no_verdict, 0, 2);
    tcase_add_test(tests, test_positions_in_words);
    tcase_add_test(tests, test_coverage_findings);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
