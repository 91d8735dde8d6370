// SPDX-License-Identifier: MIT
// The families at the ends of the range and beside rounding boundaries: each has the sum that its name promises.
#include "cases/test_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t rounded(const struct dataset_key *key, const struct exact_sum *exact) {
    return exact_sum_round(exact, key->type);
}

static bool is_normal(const struct dataset_key *key, double value) {
    return isfinite(value) && fabs(value) >= test_least_normal(key);
}

static bool is_subnormal(const struct dataset_key *key, double value) {
    return value != 0 && fabs(value) < test_least_normal(key);
}

static double largest(const struct dataset_key *key) {
    return float_to_double(key->type, float_format(key->type)->max_finite);
}

static double rounded_value(const struct dataset_key *key, const struct exact_sum *exact) {
    return float_to_double(key->type, rounded(key, exact));
}

// ---- cancellation and compensation ----

static void check_pairs(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    double rest = (key->n % 2 ? 1 : 2) * test_unit(key);
    CHECK_DATA(mpfr_cmp_d(exact->sum, rest) == 0);
    if (key->n >= 31)
        CHECK_DATA(exact_sum_condition(exact) >
                   fmin(1 / test_unit(key) / test_unit(key), ldexp(1, float_format(key->type)->max_exponent)));
}

START_TEST(pairs_leave_the_small_rest) {
    check_families(FAMILIES("cancel_pairs"), check_pairs);
}
END_TEST

static void check_kahan_trap(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    uint64_t ones = 0;
    for (uint64_t i = 0; i < key->n; i++)
        ones += test_element(key, x, i) == 1;
    CHECK_DATA(ones == key->n / 4 * 2 + key->n % 4);
    CHECK_DATA(mpfr_cmp_ui(exact->sum, ones) == 0);
}

START_TEST(the_trap_sums_to_its_ones) {
    check_families(FAMILIES("kahan_trap"), check_kahan_trap);
}
END_TEST

static void check_growing(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    enum { LEAST_STEPS = 5 }; // f16 has room for no more where there are 65537 terms
    bool outgrown = true;
    double before = 0, last = 0;
    uint64_t start = 0;
    for (uint64_t i = 0; i < key->n; i++) {
        double value = test_element(key, x, i);
        if (value < last) { // from the start again
            outgrown &= i - start == 32 || (key->type == FLOAT_F16 && i - start >= LEAST_STEPS);
            start = i;
            before = 0;
        }
        outgrown &= value > before;
        before += last = value;
    }
    CHECK_DATA(outgrown);
    CHECK_DATA(mpfr_cmp_d(exact->sum, largest(key)) < 0);
}

START_TEST(growing_terms_outgrow_their_sum) {
    check_families(FAMILIES("growing"), check_growing);
}
END_TEST

// ---- boundaries ----

static void check_halfway(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool above = strcmp(key->values->name, "double_rounding") == 0;
    bool below = strcmp(key->values->name, "halfway_below") == 0;
    CHECK_DATA(rounded_value(key, exact) == 1 + (above ? 2 * test_unit(key) : 0));
    mpfr_t midpoint;
    mpfr_init2(midpoint, 128);
    mpfr_set_d(midpoint, test_unit(key), MPFR_RNDN);
    mpfr_add_ui(midpoint, midpoint, 1, MPFR_RNDN);
    int beyond = mpfr_cmp(exact->sum, midpoint);
    mpfr_clear(midpoint);
    CHECK_DATA((beyond > 0) == above && (beyond < 0) == below);
}

START_TEST(halfway_cases_lie_at_the_midpoint) {
    check_families(FAMILIES("halfway_below", "halfway", "double_rounding"), check_halfway);
}
END_TEST

// Data summed exactly, rounded to a wider format first and to their own then: wrong. f32 through f64, the 16-bit
// formats through f32.
static void check_double_rounding(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    enum float_type wide = key->type == FLOAT_F32 ? FLOAT_F64 : FLOAT_F32;
    double once = float_to_double(wide, exact_sum_round(exact, wide));
    if (key->type != FLOAT_F64)
        CHECK_DATA(float_to_double(key->type, float_from_double(key->type, once)) == 1);
}

START_TEST(double_rounding_fools_a_wider_accumulator) {
    check_families(FAMILIES("double_rounding"), check_double_rounding);
}
END_TEST

static void check_overflow(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool below = strcmp(key->values->name, "overflow_below") == 0;
    CHECK_DATA(rounded_value(key, exact) == (below ? largest(key) : (double)INFINITY));
    CHECK_DATA(mpfr_cmp_d(exact->sum, largest(key)) > 0);
}

START_TEST(overflow_is_decided_by_the_threshold) {
    check_families(FAMILIES("overflow_below", "overflow_tie", "overflow_above", "overflow_far"), check_overflow);
}
END_TEST

static void check_early_overflow(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    CHECK_DATA(rounded_value(key, exact) == (key->n % 2 ? 1 : 2));
    CHECK_DATA(test_element(key, x, 0) / 2 + test_element(key, x, 1) / 2 > largest(key) / 2);
}

START_TEST(early_overflow_has_a_finite_sum) {
    check_families(FAMILIES("early_overflow"), check_early_overflow);
}
END_TEST

static void check_full_range(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    CHECK_DATA(mpfr_cmp_d(exact->abs_sum, largest(key)) < 0);
    if (key->n < 1023)
        return;
    double most = 0, least = INFINITY;
    for (uint64_t i = 0; i < key->n; i++) {
        most = fmax(most, fabs(test_element(key, x, i)));
        least = fmin(least, fabs(test_element(key, x, i)));
    }
    const int emax = float_format(key->type)->max_exponent, count_bits = 64 - __builtin_clzll(key->n);
    CHECK_DATA(most > ldexp(1, emax - count_bits - emax / 8) && least < ldexp(1, emax / 8 - emax));
}

START_TEST(full_range_spans_it_and_cannot_overflow) {
    check_families(FAMILIES("full_range"), check_full_range);
}
END_TEST

// ---- underflow ----

static void check_subnormals(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool up = strcmp(key->values->name, "subnormals_up") == 0, down = strcmp(key->values->name, "normals_down") == 0;
    bool right = true, more_than_units = !up && !down && key->n >= 1 / (2 * test_unit(key)); // then there are zeros
    for (uint64_t i = 0; i < key->n; i++)
        right &= (down ? is_normal : is_subnormal)(key, test_element(key, x, i)) ||
                 (more_than_units && test_element(key, x, i) == 0);
    CHECK_DATA(right);
    CHECK_DATA(key->n == 0 || (up ? is_normal : is_subnormal)(key, rounded_value(key, exact)));
}

START_TEST(subnormal_sums_are_what_they_say) {
    check_families(FAMILIES("subnormals", "subnormals_up", "normals_down"), check_subnormals);
}
END_TEST

static void check_zeros(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool minus = strcmp(key->values->name, "minus_zeros") == 0;
    CHECK_DATA(exact->all_minus_zero == minus && exact->nonzero == 0);
    CHECK_DATA(rounded(key, exact) == (minus ? float_format(key->type)->sign_bit : 0));
}

START_TEST(zeros_keep_their_sign) {
    check_families(FAMILIES("minus_zeros", "plus_zeros"), check_zeros);
}
END_TEST

static void check_tiny(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    CHECK_DATA(rounded(key, exact) == 1); // the bits of the smallest subnormal
    CHECK_DATA(exact->nonzero == 1 && float_load(key->type, x, key->n / 2) == 1);
    CHECK_DATA(key->n == 1 || float_load(key->type, x, 0) == float_format(key->type)->sign_bit || key->n / 2 == 0);
}

START_TEST(tiny_stands_among_minus_zeros) {
    check_families(FAMILIES("tiny"), check_tiny);
}
END_TEST

// ---- specials ----

static void check_nan(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    const char *place = key->values->name + strlen("nan_");
    uint64_t index = strcmp(place, "first") == 0 ? 0 : strcmp(place, "middle") == 0 ? key->n / 2 : key->n - 1;
    uint64_t bits = float_load(key->type, x, index);
    uint64_t quiet = UINT64_C(1) << (float_format(key->type)->precision - 2);
    CHECK_DATA(exact->class_ == SUM_NAN);
    CHECK_DATA(float_is_nan(key->type, bits) && (bits & quiet) && (bits & (quiet - 1)));
    uint64_t nans = 0;
    for (uint64_t i = 0; i < key->n; i++)
        nans += float_is_nan(key->type, float_load(key->type, x, i));
    CHECK_DATA(nans == 1);
}

START_TEST(nan_stands_where_it_should) {
    check_families(FAMILIES("nan_first", "nan_middle", "nan_last", "nan_inf"), check_nan);
}
END_TEST

static void check_infinity(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    static const struct {
        const char *name;
        enum sum_class class_;
    } wanted[] = {{"inf_first", SUM_PLUS_INFINITY},
                  {"inf_last", SUM_PLUS_INFINITY},
                  {"inf_all", SUM_PLUS_INFINITY},
                  {"inf_minus", SUM_MINUS_INFINITY},
                  {"inf_both", SUM_NAN}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        CHECK_DATA(strcmp(key->values->name, wanted[i].name) != 0 || exact->class_ == wanted[i].class_);
    CHECK_DATA(strcmp(key->values->name, "inf_last") != 0 || test_element(key, x, key->n - 1) == (double)INFINITY);
    CHECK_DATA(strcmp(key->values->name, "inf_first") != 0 || test_element(key, x, 0) == (double)INFINITY);
}

START_TEST(infinities_win_or_cancel_to_nan) {
    check_families(FAMILIES("inf_first", "inf_last", "inf_minus", "inf_both", "inf_all"), check_infinity);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hostile");
    TCase *tests = tcase_create("hostile");
    tcase_add_test(tests, pairs_leave_the_small_rest);
    tcase_add_test(tests, the_trap_sums_to_its_ones);
    tcase_add_test(tests, growing_terms_outgrow_their_sum);
    tcase_add_test(tests, halfway_cases_lie_at_the_midpoint);
    tcase_add_test(tests, double_rounding_fools_a_wider_accumulator);
    tcase_add_test(tests, overflow_is_decided_by_the_threshold);
    tcase_add_test(tests, early_overflow_has_a_finite_sum);
    tcase_add_test(tests, full_range_spans_it_and_cannot_overflow);
    tcase_add_test(tests, subnormal_sums_are_what_they_say);
    tcase_add_test(tests, zeros_keep_their_sign);
    tcase_add_test(tests, tiny_stands_among_minus_zeros);
    tcase_add_test(tests, nan_stands_where_it_should);
    tcase_add_test(tests, infinities_win_or_cancel_to_nan);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
