// SPDX-License-Identifier: MIT
#include "cases/orders.h"
#include "cases/test_support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const all_orders[] = {"given", "reversed", "ascending", "descending", "shuffled1", "shuffled2"};
enum { ORDERS = sizeof all_orders / sizeof all_orders[0] };

static int compare_bits(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// The bits of all elements in ascending order: equal for two arrays exactly when one permutes the other.
static uint64_t *sorted_bits(enum float_type type, const void *x, uint64_t n) {
    uint64_t *bits = malloc((n + 1) * sizeof *bits);
    ck_assert_ptr_nonnull(bits);
    for (uint64_t i = 0; i < n; i++)
        bits[i] = float_load(type, x, i);
    qsort(bits, n, sizeof *bits, compare_bits);
    return bits;
}

static void check_permutation(enum float_type type, const char *values, uint64_t n, const char *order) {
    struct dataset_key given = test_key(type, values, n, "given"), permuted = test_key(type, values, n, order);
    void *x = test_fill(&given, TEST_SEED), *y = test_fill(&permuted, TEST_SEED);
    uint64_t *a = sorted_bits(type, x, n), *b = sorted_bits(type, y, n);
    ck_assert_msg(memcmp(a, b, n * sizeof *a) == 0, "%s %s of %llu is no permutation", values, order,
                  (unsigned long long)n);
    bool same = memcmp(x, y, n * float_format(type)->size) == 0;
    ck_assert_msg(same == (strcmp(order, "given") == 0 || n < 2), "%s %s", values, order);
    free(a);
    free(b);
    free(x);
    free(y);
}

START_TEST(orders_are_permutations) {
    static const uint64_t sizes[] = {0, 1, 33, 1025};
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
        for (int o = 0; o < ORDERS; o++)
            for (int i = 0; i < 4; i++) {
                check_permutation(type, "symmetric", sizes[i], all_orders[o]);
                if (sizes[i] > 2)
                    check_permutation(type, "nan_middle", sizes[i], all_orders[o]);
            }
}
END_TEST

START_TEST(sorting_is_by_magnitude_stable_and_puts_nan_last) {
    static const float given[] = {
        2, -1, -0.0f, 1, -2, __builtin_nanf("1"), 0, -INFINITY, 0x1p-149f, -__builtin_nanf("2"), INFINITY};
    static const int ascending[] = {2, 6, 8, 1, 3, 0, 4, 7, 10, 5, 9},
                     descending[] = {7, 10, 0, 4, 1, 3, 8, 2, 6, 5, 9};
    enum { N = sizeof given / sizeof given[0] };
    for (int down = 0; down < 2; down++) {
        float x[N];
        memcpy(x, given, sizeof x);
        ck_assert(apply_order(down ? "descending" : "ascending", FLOAT_F32, x, N, 0));
        for (int i = 0; i < N; i++)
            ck_assert_msg(memcmp(&x[i], &given[down ? descending[i] : ascending[i]], sizeof x[i]) == 0, "%d: place %d",
                          down, i);
    }
}
END_TEST

START_TEST(reversing_and_shuffling) {
    double x[] = {1, 2, 3}, y[] = {1, 2, 3};
    ck_assert(apply_order("reversed", FLOAT_F64, x, 3, 0));
    ck_assert(x[0] == 3 && x[1] == 2 && x[2] == 1);
    // Each of the 6 permutations of 3 comes up: 6000 shuffles, 1000 each expected, standard deviation 29, six of them.
    unsigned seen[322] = {0};
    for (uint64_t seed = 0; seed < 6000; seed++) {
        double z[] = {1, 2, 3};
        ck_assert(apply_order("shuffled1", FLOAT_F64, z, 3, seed));
        seen[(int)(100 * z[0] + 10 * z[1] + z[2])]++;
    }
    static const int permutations[] = {123, 132, 213, 231, 312, 321};
    for (int i = 0; i < 6; i++)
        ck_assert_msg(seen[permutations[i]] > 824 && seen[permutations[i]] < 1176, "%d: %u", permutations[i],
                      seen[permutations[i]]);
    ck_assert(apply_order("given", FLOAT_F64, y, 3, 7));
    ck_assert(y[0] == 1 && y[1] == 2 && y[2] == 3);
}
END_TEST

START_TEST(order_names) {
    for (int o = 0; o < ORDERS; o++)
        ck_assert(case_order_known(all_orders[o]));
    ck_assert(case_order_known("shuffled1234567"));
    static const char *const unknown[] = {"",           "Given",      "sorted",     "shuffled", "shuffled0",
                                          "shuffled01", "shuffled1x", "shuffled-1", "given ",   "shuffled12345678"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        ck_assert_msg(!case_order_known(unknown[i]), "%s", unknown[i]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("orders");
    TCase *tests = tcase_create("orders");
    tcase_add_test(tests, orders_are_permutations);
    tcase_add_test(tests, sorting_is_by_magnitude_stable_and_puts_nan_last);
    tcase_add_test(tests, reversing_and_shuffling);
    tcase_add_test(tests, order_names);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
