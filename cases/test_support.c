// SPDX-License-Identifier: MIT
#include "cases/test_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dataset_key test_key(enum float_type type, const char *values, uint64_t n, const char *order) {
    struct dataset_key key = {.type = type, .values = case_values_find(values), .n = n};
    ck_assert_msg(key.values != NULL, "no values named %s", values);
    strcpy(key.order, order);
    return key;
}

void *test_fill(const struct dataset_key *key, uint64_t base_seed) {
    void *x = malloc(key->n ? key->n * float_format(key->type)->size : 1);
    ck_assert_ptr_nonnull(x);
    ck_assert(dataset_fill(key, base_seed, x));
    return x;
}

const uint64_t test_sizes[TEST_SIZES] = {0,  1,   2,   3,   4,    5,    7,    31,   32,   33,   48,
                                         63, 127, 255, 257, 1023, 1024, 1025, 2049, 4097, 65537};

void check_key(const struct dataset_key *key, sum_check *check) {
    void *x = test_fill(key, TEST_SEED);
    struct exact_sum exact;
    exact_sum(&exact, key->type, x, key->n);
    check(key, x, &exact);
    exact_sum_clear(&exact);
    free(x);
}

unsigned check_family(const char *name, sum_check *check) {
    unsigned checked = 0;
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
        for (int i = 0; i < TEST_SIZES; i++) {
            struct dataset_key key = test_key(type, name, test_sizes[i], "given");
            if (key.values->refusal(key.values, type, key.n))
                continue;
            check_key(&key, check);
            checked++;
        }
    return checked;
}

void check_families(const char *const *names, sum_check *check) {
    for (; *names; names++)
        ck_assert_uint_ge(check_family(*names, check), (FLOAT_TYPES - 1) * (TEST_SIZES - 5));
}

double test_element(const struct dataset_key *key, const void *x, uint64_t index) {
    return float_to_double(key->type, float_load(key->type, x, index));
}

double test_unit(const struct dataset_key *key) {
    return ldexp(1, -float_format(key->type)->precision);
}

double test_least_normal(const struct dataset_key *key) {
    return ldexp(1, float_format(key->type)->min_exponent);
}

int test_run(Suite *suite) {
    const char *complaint = cases_load(NULL);
    if (complaint) {
        fprintf(stderr, "%s\n", complaint);
        return EXIT_FAILURE;
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
