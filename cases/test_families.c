// SPDX-License-Identifier: MIT
// What each family promises, checked on the exact sum of its data.
#include "cases/test_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- all families ----

static void check_finite_or_special(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool special = strncmp(key->values->name, "nan_", 4) == 0 || strncmp(key->values->name, "inf_", 4) == 0;
    CHECK_DATA((exact->class_ != SUM_FINITE) == special);
}

START_TEST(only_the_special_families_hold_specials) {
    for (size_t i = 0; i < case_values_count(); i++)
        if (!case_values_at(i)->fixed_n)
            check_family(case_values_at(i)->name, check_finite_or_special);
}
END_TEST

// Every byte is written, none before or behind, and twice the same: from two different fillings of the memory.
static void check_extent(const struct dataset_key *key) {
    size_t size = key->n * float_format(key->type)->size, slack = 64;
    unsigned char *a = malloc(size + 2 * slack), *b = malloc(size + 2 * slack);
    ck_assert(a && b);
    memset(a, 0x55, size + 2 * slack);
    memset(b, 0xaa, size + 2 * slack);
    ck_assert(dataset_fill(key, TEST_SEED, a + slack) && dataset_fill(key, TEST_SEED, b + slack));
    CHECK_DATA(memcmp(a + slack, b + slack, size) == 0);
    bool untouched = true;
    for (size_t i = 0; i < slack; i++)
        untouched &= a[i] == 0x55 && a[slack + size + i] == 0x55;
    CHECK_DATA(untouched);
    free(a);
    free(b);
}

START_TEST(fills_write_their_elements_and_nothing_else) {
    for (size_t v = 0; v < case_values_count(); v++)
        for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
            for (int i = 0; i < TEST_SIZES; i++) {
                const struct case_values *values = case_values_at(v);
                uint64_t n = values->fixed_n ? values->fixed_n : test_sizes[i];
                struct dataset_key key = test_key(type, values->name, n, i % 2 ? "shuffled1" : "given");
                if (values->refusal(values, type, n) || n > 70000 || (values->fixed_n && i > 1))
                    continue;
                check_extent(&key);
            }
}
END_TEST

START_TEST(names_are_unique_short_and_explained) {
    for (size_t i = 0; i < case_values_count(); i++) {
        const struct case_values *values = case_values_at(i);
        ck_assert_ptr_eq(case_values_find(values->name), values);
        ck_assert_uint_gt(strlen(values->what_for), 0);
        ck_assert_uint_le(strlen(values->name), values->fixed_n ? 71 : 15);
        ck_assert_msg(strpbrk(values->name, "*?[]@ ") == NULL, "%s", values->name);
    }
    ck_assert_ptr_null(case_values_find("unheard_of"));
}
END_TEST

START_TEST(seeds_depend_on_every_part_of_the_name) {
    struct dataset_key base = test_key(FLOAT_F32, "uniform", 1025, "given");
    struct dataset_key others[] = {
        test_key(FLOAT_F64, "uniform", 1025, "given"), test_key(FLOAT_F32, "normal", 1025, "given"),
        test_key(FLOAT_F32, "uniform", 1024, "given"), test_key(FLOAT_F32, "uniform", 1025, "shuffled1")};
    char text[DATASET_TEXT];
    dataset_name(&base, text);
    ck_assert_str_eq(text, "f32/uniform/1025/given");
    for (int i = 0; i < 4; i++)
        ck_assert_uint_ne(dataset_seed(&base, 1), dataset_seed(&others[i], 1));
    ck_assert_uint_ne(dataset_seed(&base, 1), dataset_seed(&base, 2));
    ck_assert_uint_eq(dataset_seed(&base, 1), dataset_seed(&base, 1));
}
END_TEST

// Computed by a second implementation of FNV-1a, splitmix64 and xoshiro256** in Python, with integers and fractions:
// the same data on every machine, and in every later release.
START_TEST(data_are_the_same_on_every_machine) {
    struct dataset_key key = test_key(FLOAT_F32, "uniform", 1025, "given");
    ck_assert_uint_eq(dataset_seed(&key, TEST_SEED), UINT64_C(0x937aace25d3487da));
    float *narrow = test_fill(&key, TEST_SEED);
    ck_assert(narrow[0] == 0x1.158af8p-3f && narrow[1] == 0x1.188dbcp-2f && narrow[2] == 0x1.65e34p-1f);
    free(narrow);
    key = test_key(FLOAT_F64, "uniform", 1025, "given");
    double *x = test_fill(&key, TEST_SEED);
    ck_assert(x[0] == 0x1.ff4ac4106d108p-4 && x[1] == 0x1.71eba4bd71c17p-1 && x[2] == 0x1.5b55c12ce1ae2p-1);
    free(x);
    key = test_key(FLOAT_F64, "normal", 33, "given");
    x = test_fill(&key, TEST_SEED);
    ck_assert(x[0] == -0x1.5073041e2dcc4p-1 && x[1] == 0x1.77f6f5e65649ap-1 && x[2] == 0x1.b654bd30fae6ap+0);
    free(x);
}
END_TEST

START_TEST(base_seeds_change_random_data) {
    static const char *const random[] = {"uniform", "symmetric", "normal", "integers", "cond1e8", "full_range"};
    for (size_t i = 0; i < sizeof random / sizeof random[0]; i++) {
        struct dataset_key key = test_key(FLOAT_F64, random[i], 33, "given");
        void *a = test_fill(&key, 1), *b = test_fill(&key, 2);
        ck_assert_msg(memcmp(a, b, 33 * sizeof(double)) != 0, "%s", random[i]);
        free(a);
        free(b);
    }
}
END_TEST

// ---- controls ----

static void check_never_rounds(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    CHECK_DATA(exact_sum_never_rounds(exact, key->type));
}

START_TEST(integer_controls_never_round) {
    unsigned families = 0;
    for (size_t i = 0; i < case_values_count(); i++)
        if (case_values_at(i)->integer_control) {
            check_family(case_values_at(i)->name, check_never_rounds);
            families++;
        }
    ck_assert_uint_ge(families, 10);
    // At sizes beyond 2^p / n >= 1 as well: f32, n = 2^24 + 5.
    struct dataset_key key = test_key(FLOAT_F32, "integers", (1 << 24) + 5, "given");
    check_key(&key, check_never_rounds);
    key = test_key(FLOAT_F32, "position", 1 << 24, "given");
    check_key(&key, check_never_rounds);
    ck_assert_ptr_nonnull(key.values->refusal(key.values, FLOAT_F32, (1 << 24) + 1));
}
END_TEST

START_TEST(ordinary_data_do_round) {
    static const char *const rounding[] = {"uniform",  "symmetric",  "normal", "tenth",
                                           "harmonic", "full_range", "cond1e8"};
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
        for (size_t i = 0; i < sizeof rounding / sizeof rounding[0]; i++) {
            struct dataset_key key = test_key(type, rounding[i], 1025, "given");
            void *x = test_fill(&key, TEST_SEED);
            struct exact_sum exact;
            exact_sum(&exact, type, x, key.n);
            ck_assert_msg(!exact_sum_never_rounds(&exact, type), "%s", rounding[i]);
            exact_sum_clear(&exact);
            free(x);
        }
}
END_TEST

// Losing any run of elements, or doubling it, changes the sum: all elements are 1 or more; neighbours differ wherever
// the budget allows.
static void check_positions(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool positive = true, differing = true;
    for (uint64_t i = 0; i < key->n; i++) {
        positive &= test_element(key, x, i) >= 1;
        differing &= i == 0 || test_element(key, x, i) != test_element(key, x, i - 1);
    }
    CHECK_DATA(positive);
    const bool budget_allows = 2 * key->n <= UINT64_C(1) << float_format(key->type)->precision; // of 1, 2, 3 in turn
    CHECK_DATA(differing || !budget_allows);
}

START_TEST(positions_show_in_the_values) {
    check_families(FAMILIES("position"), check_positions);
}
END_TEST

static void check_edges(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    uint64_t block = strtoull(key->values->name + strlen("edges"), NULL, 10);
    bool right = true;
    for (uint64_t i = 0; i < key->n; i++) {
        bool edge = i % block == 0 || (i + 1) % block == 0 || (i + block - 1) % block == 0;
        right &= (test_element(key, x, i) != 0) == edge;
    }
    CHECK_DATA(right);
}

START_TEST(edges_stand_at_multiples_of_the_block) {
    check_families(FAMILIES("edges32", "edges256", "edges1024"), check_edges);
}
END_TEST

static void check_single(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    CHECK_DATA(exact->nonzero == 1);
    CHECK_DATA(test_element(key, x, key->values->name[0] == 'f' ? 0 : key->n - 1) == 1);
}

START_TEST(single_elements_stand_alone) {
    check_families(FAMILIES("first_only", "last_only"), check_single);
}
END_TEST

// ---- everyday values ----

static void check_uniform(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool both = strcmp(key->values->name, "symmetric") == 0;
    bool within = true;
    double mean = 0;
    for (uint64_t i = 0; i < key->n; i++) {
        double value = test_element(key, x, i);
        within &= fabs(value) <= 1 && value != 0 && (both || value > 0);
        mean += value / (double)key->n;
    }
    CHECK_DATA(within);
    // Variance 1/12 and 1/3: six standard deviations of the mean.
    if (key->n >= 31)
        CHECK_DATA(fabs(mean - (both ? 0 : 0.5)) < 6 * sqrt((both ? 1.0 / 3 : 1.0 / 12) / (double)key->n));
}

START_TEST(uniform_is_uniform) {
    check_families(FAMILIES("uniform", "symmetric"), check_uniform);
}
END_TEST

static void check_normal(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool within = true;
    double mean = 0, square = 0, n = (double)key->n;
    for (uint64_t i = 0; i < key->n; i++) {
        double value = test_element(key, x, i);
        within &= fabs(value) <= 6;
        mean += value / n;
        square += value * value / n;
    }
    CHECK_DATA(within);
    // The mean has variance 1/n; the mean square, with kurtosis 3 - 1/10, 1.9/n. Six standard deviations.
    if (key->n >= 31) {
        CHECK_DATA(fabs(mean) < 6 * sqrt(1 / n));
        CHECK_DATA(fabs(square - 1) < 6 * sqrt(1.9 / n));
    }
}

START_TEST(normal_has_the_moments_of_a_normal) {
    check_families(FAMILIES("normal"), check_normal);
}
END_TEST

static void check_decay(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    bool up = strcmp(key->values->name, "decay_up") == 0;
    bool sorted = true;
    for (uint64_t i = 1; i < key->n; i++) {
        double before = test_element(key, x, i - 1), after = test_element(key, x, i);
        sorted &= before > 0 && after > 0 && (up ? before <= after : before >= after);
    }
    CHECK_DATA(sorted);
    if (key->n >= 128) {
        double range = test_element(key, x, 0) / test_element(key, x, key->n - 1);
        CHECK_DATA((up ? 1 / range : range) > 0.25 / test_unit(key) / test_unit(key));
    }
}

START_TEST(decays_are_sorted) {
    check_families(FAMILIES("decay_up", "decay_down"), check_decay);
}
END_TEST

// A running sum in the type never moves from 2^p: the definition of stagnation.
static void check_stagnation(const struct dataset_key *key, const void *x, const struct exact_sum *exact) {
    double start = 1 / test_unit(key), running = test_element(key, x, 0);
    for (uint64_t i = 1; i < key->n; i++) // in f32 2^p + 1 is exact in double, and then rounded once
        running = float_to_double(key->type, float_from_double(key->type, running + test_element(key, x, i)));
    CHECK_DATA(running == start);
    CHECK_DATA(mpfr_cmp_d(exact->sum, start) > 0);
}

START_TEST(stagnation_stops_a_running_sum) {
    check_families(FAMILIES("stagnation"), check_stagnation);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("families");
    TCase *tests = tcase_create("families");
    tcase_add_test(tests, only_the_special_families_hold_specials);
    tcase_add_test(tests, fills_write_their_elements_and_nothing_else);
    tcase_add_test(tests, names_are_unique_short_and_explained);
    tcase_add_test(tests, seeds_depend_on_every_part_of_the_name);
    tcase_add_test(tests, data_are_the_same_on_every_machine);
    tcase_add_test(tests, base_seeds_change_random_data);
    tcase_add_test(tests, integer_controls_never_round);
    tcase_add_test(tests, ordinary_data_do_round);
    tcase_add_test(tests, positions_show_in_the_values);
    tcase_add_test(tests, edges_stand_at_multiples_of_the_block);
    tcase_add_test(tests, single_elements_stand_alone);
    tcase_add_test(tests, uniform_is_uniform);
    tcase_add_test(tests, normal_has_the_moments_of_a_normal);
    tcase_add_test(tests, decays_are_sorted);
    tcase_add_test(tests, stagnation_stops_a_running_sum);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
