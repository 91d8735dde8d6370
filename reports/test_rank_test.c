// SPDX-License-Identifier: MIT
// Exact probabilities are counted again here by going through every choice of ranks.
#include "reports/rank_test.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

// Two-sided exact probability of values 0..count-1, those in `mask` being a's.
static double count_choices(unsigned mask, int count, int a) {
    double all = 0, as_extreme = 0, mean = a * (count - a) / 2.0, distance = -1;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned choice = 0; choice < 1u << count; choice++) {
            if (__builtin_popcount(choice) != a || (pass == 0 && choice != mask))
                continue;
            double u = 0;
            for (int i = 0; i < count; i++)
                for (int j = 0; j < i; j++)
                    u += (choice >> i & 1) && !(choice >> j & 1);
            if (pass == 0)
                distance = fabs(u - mean);
            all += pass;
            as_extreme += pass && fabs(u - mean) >= distance;
        }
    return as_extreme / all;
}

static double test_mask(unsigned mask, int count, int *shift) {
    uint64_t a[16], b[16];
    size_t a_count = 0, b_count = 0;
    for (int i = 0; i < count; i++)
        if (mask >> i & 1)
            a[a_count++] = (uint64_t)i * 10;
        else
            b[b_count++] = (uint64_t)i * 10;
    return rank_test(a, a_count, b, b_count, shift);
}

START_TEST(agrees_with_every_choice_counted) {
    int shift;
    for (int count = 2; count <= 9; count++)
        for (unsigned mask = 1; mask < (1u << count) - 1; mask++) {
            double wanted = count_choices(mask, count, __builtin_popcount(mask));
            ck_assert_double_eq_tol(test_mask(mask, count, &shift), wanted, 1e-12);
        }
}
END_TEST

START_TEST(five_against_five_apart) {
    int shift;
    ck_assert_double_eq_tol(test_mask(0x3e0, 10, &shift), 2.0 / 252, 1e-15); // 252 = 10 choose 5
    ck_assert_int_eq(shift, 1);
    test_mask(0x1f, 10, &shift);
    ck_assert_int_eq(shift, -1);
}
END_TEST

START_TEST(equal_or_empty_samples_say_nothing) {
    const uint64_t same[] = {7, 7, 7, 7, 7};
    int shift;
    ck_assert_double_eq(rank_test(same, 5, same, 5, &shift), 1);
    ck_assert_int_eq(shift, 0);
    ck_assert_double_eq(rank_test(same, 0, same, 5, &shift), 1);
}
END_TEST

// Ties: the variance of U by its definition, from all choices of places, must be what the correction gives.
START_TEST(tie_correction_matches_the_variance_counted) {
    static const uint64_t pooled[] = {1, 1, 2, 2, 2, 3, 4, 4, 5, 6};
    enum { COUNT = 10, A = 4 };
    double sum = 0, squares = 0, all = 0;
    for (unsigned choice = 0; choice < 1u << COUNT; choice++) {
        double u = 0;
        if (__builtin_popcount(choice) != A)
            continue;
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < COUNT; j++)
                if ((choice >> i & 1) && !(choice >> j & 1))
                    u += pooled[i] > pooled[j] ? 1 : pooled[i] == pooled[j] ? 0.5 : 0;
        sum += u;
        squares += u * u;
        all++;
    }
    double mean = sum / all, deviation = sqrt(squares / all - mean * mean);
    const uint64_t a[] = {4, 4, 5, 6}, b[] = {1, 1, 2, 2, 2, 3};
    int shift;
    double wanted = erfc((24 - mean - 0.5) / deviation / sqrt(2));
    ck_assert_double_eq_tol(rank_test(a, 4, b, 6, &shift), wanted, 1e-12);
}
END_TEST

START_TEST(large_samples_use_the_normal_tail) {
    uint64_t a[30], b[30];
    for (uint64_t i = 0; i < 30; i++) {
        a[i] = 2 * i;
        b[i] = 2 * i + 1;
    }
    int shift;
    // U = 30·29/2 = 435 against a mean of 450, variance 900·61/12 = 4575.
    ck_assert_double_eq_tol(rank_test(a, 30, b, 30, &shift), erfc(14.5 / sqrt(2 * 4575.0)), 1e-12);
    ck_assert_int_eq(shift, -1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rank test");
    TCase *tests = tcase_create("rank test");
    tcase_add_test(tests, agrees_with_every_choice_counted);
    tcase_add_test(tests, five_against_five_apart);
    tcase_add_test(tests, equal_or_empty_samples_say_nothing);
    tcase_add_test(tests, tie_correction_matches_the_variance_counted);
    tcase_add_test(tests, large_samples_use_the_normal_tail);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
