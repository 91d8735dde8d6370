// SPDX-License-Identifier: MIT
// Every ill-conditioned dataset of the tiers reaches its condition number within a factor 3: measured by mpfr_sum where
// it is quick enough, and by exact_sum at every size up to 2^20 + 3.
#include "cases/test_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MPFR_LIMIT = 4097, LARGEST = 1 << 21, ENOUGH = 100 };

static void take_term(mpfr_t signed_term, mpfr_t magnitude, enum float_type type, const void *x, uint64_t index) {
    double value = float_to_double(type, float_load(type, x, index));
    ck_assert(isfinite(value));
    mpfr_init2(signed_term, 53);
    mpfr_init2(magnitude, 53);
    mpfr_set_d(signed_term, value, MPFR_RNDN);
    mpfr_abs(magnitude, signed_term, MPFR_RNDN);
}

// Σ|x| / |Σx|, each sum correctly rounded to 53 bits by mpfr_sum.
static double measured_by_mpfr(enum float_type type, const void *x, uint64_t n) {
    mpfr_t *terms = malloc(2 * n * sizeof *terms), sum, abs_sum;
    mpfr_ptr *pointers = malloc(2 * n * sizeof *pointers);
    ck_assert(terms && pointers);
    for (uint64_t i = 0; i < n; i++)
        take_term(terms[i], terms[n + i], type, x, i);
    for (uint64_t i = 0; i < 2 * n; i++)
        pointers[i] = terms[i];
    mpfr_inits2(53, sum, abs_sum, (mpfr_ptr)NULL);
    mpfr_sum(sum, pointers, n, MPFR_RNDN);
    mpfr_sum(abs_sum, pointers + n, n, MPFR_RNDN);
    mpfr_div(abs_sum, abs_sum, sum, MPFR_RNDN);
    double condition = fabs(mpfr_get_d(abs_sum, MPFR_RNDN));
    for (uint64_t i = 0; i < 2 * n; i++)
        mpfr_clear(terms[i]);
    mpfr_clears(sum, abs_sum, (mpfr_ptr)NULL);
    free(terms);
    free(pointers);
    return condition;
}

static double measured_by_exact_sum(enum float_type type, const void *x, uint64_t n) {
    struct exact_sum exact;
    exact_sum(&exact, type, x, n);
    double condition = exact_sum_condition(&exact);
    exact_sum_clear(&exact);
    return condition;
}

static void check_condition(const struct dataset_key *key, uint64_t seed) {
    double wanted = atof(key->values->name + strlen("cond"));
    void *x = test_fill(key, seed);
    double reached =
        key->n <= MPFR_LIMIT ? measured_by_mpfr(key->type, x, key->n) : measured_by_exact_sum(key->type, x, key->n);
    char name[DATASET_TEXT];
    dataset_name(key, name);
    ck_assert_msg(reached > wanted / 3 && reached < wanted * 3, "%s, seed %llu: %g", name, (unsigned long long)seed,
                  reached);
    free(x);
}

static bool is_condition(const struct case_values *values) {
    return strncmp(values->name, "cond", 4) == 0;
}

START_TEST(tiers_reach_their_condition_numbers) {
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++) {
        struct dataset *list;
        size_t count = tier_datasets(TIER_FULL, type, LARGEST, &list), checked = 0;
        for (size_t i = 0; i < count; i++)
            if (is_condition(list[i].key.values)) {
                check_condition(&list[i].key, TEST_SEED);
                checked++;
            }
        ck_assert_uint_ge(checked, type == FLOAT_F16 ? 14 : 24); // cond1e12 and worse are beyond f16
        free(list);
    }
}
END_TEST

// From the fewest elements that are not refused upwards, with many seeds: there the last step has the least room.
START_TEST(smallest_sizes_reach_their_condition_numbers) {
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
        for (size_t v = 0; v < case_values_count(); v++) {
            const struct case_values *values = case_values_at(v);
            if (!is_condition(values))
                continue;
            uint64_t fewest = 0;
            if (values->refusal(values, type, ENOUGH)) {
                ck_assert(type == FLOAT_F16 && atof(values->name + strlen("cond")) > 1e8);
                continue;
            }
            while (values->refusal(values, type, fewest))
                fewest++;
            // Each further element of p bits can add at most p bits to the condition number (and the first one bit);
            // p - 2 of them are made use of.
            double bits = log2(atof(values->name + strlen("cond")));
            ck_assert_double_ge((double)fewest, 1 + (bits - 1) / float_format(type)->precision);
            ck_assert_double_le((double)fewest, 2 + bits / (float_format(type)->precision - 2));
            for (uint64_t n = fewest; n < fewest + (type > FLOAT_F64 ? 15 : 40); n++)
                for (uint64_t seed = 0; seed < 10; seed++) {
                    struct dataset_key key = test_key(type, values->name, n, "given");
                    check_condition(&key, seed);
                }
        }
}
END_TEST

START_TEST(refusals_say_why) {
    const struct case_values *mild = case_values_find("cond1e2"), *worst = case_values_find("cond1e40");
    ck_assert_ptr_nonnull(worst->refusal(worst, FLOAT_F32, 6));
    ck_assert_ptr_null(worst->refusal(worst, FLOAT_F32, 7));
    ck_assert_ptr_nonnull(strstr(worst->refusal(worst, FLOAT_F32, 6), "log2(cond)"));
    ck_assert_ptr_nonnull(strstr(worst->refusal(worst, FLOAT_F16, 4097), "exponents"));
    ck_assert_ptr_null(worst->refusal(worst, FLOAT_BF16, 4097));
    ck_assert_ptr_nonnull(mild->refusal(mild, FLOAT_F64, 1));
    ck_assert_ptr_null(mild->refusal(mild, FLOAT_F64, 2));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("conditions");
    TCase *tests = tcase_create("conditions");
    tcase_add_test(tests, tiers_reach_their_condition_numbers);
    tcase_add_test(tests, smallest_sizes_reach_their_condition_numbers);
    tcase_add_test(tests, refusals_say_why);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
