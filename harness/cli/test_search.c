// SPDX-License-Identifier: MIT
// What study --search is made of: mutants stay numbers of their type.
#include "harness/cli/search.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

enum { N = 33, MUTANTS = 2000 };

static void start(double *x, double *mate) {
    for (int i = 0; i < N; i++) {
        x[i] = i + 1;
        mate[i] = -1.5 / (1 << i % 20);
    }
}

// Every edit keeps numbers of the type, in range and not 0; after many, the start is not to be recognised.
START_TEST(mutants_are_numbers_of_the_type) {
    enum float_type type = _i ? FLOAT_F64 : FLOAT_F32;
    double x[N], mate[N];
    int changed = 0;
    struct prng prng = prng_seeded(7);
    start(x, mate);
    for (int m = 0; m < MUTANTS; m++) {
        mutate_input(x, mate, N, type, &prng);
        for (int i = 0; i < N; i++) {
            ck_assert(fabs(x[i]) >= 0x1p-41 && fabs(x[i]) <= 0x1p40 && (type == FLOAT_F64 || x[i] == (float)x[i]));
        }
    }
    for (int i = 0; i < N; i++)
        changed += x[i] != i + 1;
    ck_assert_int_ge(changed, N - 2);
}
END_TEST

START_TEST(a_seed_gives_the_same_mutants) {
    double a[N], b[N], mate[N];
    struct prng first = prng_seeded(11), second = prng_seeded(11);
    start(a, mate);
    start(b, mate);
    for (int m = 0; m < 100; m++) {
        mutate_input(a, mate, N, FLOAT_F64, &first);
        mutate_input(b, mate, N, FLOAT_F64, &second);
    }
    ck_assert_mem_eq(a, b, sizeof a);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("search");
    TCase *tests = tcase_create("search");
    tcase_add_loop_test(tests, mutants_are_numbers_of_the_type, 0, 2);
    tcase_add_test(tests, a_seed_gives_the_same_mutants);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
