// SPDX-License-Identifier: MIT
// Rows that claim no accuracy are told of once for each source.
#include "harness/runner.h"

#include <check.h>
#include <stdlib.h>

enum { ROWS = 6 };

static struct claim_result unclaimed[CLAIM_ACCURACY + 1], claimed[CLAIM_ACCURACY + 1];

static struct variant_result row(const char *name, const char *arguments, const struct claim_result *claims) {
    return (struct variant_result){.name = (char *)name,
                                   .arguments = (char *)arguments,
                                   .claims = (struct claim_result *)claims,
                                   .cell_count = 1,
                                   .brought = arguments != NULL};
}

START_TEST(each_source_is_told_of_once) {
    unclaimed[CLAIM_ACCURACY].value = (char *)accuracy_name(REDUCTIO_ACCURACY_NOT_CLAIMED);
    claimed[CLAIM_ACCURACY].value = (char *)accuracy_name(REDUCTIO_HEIGHT);
    struct variant_result rows[ROWS] = {
        row("lib.a", "--exec 'lib'", unclaimed), row("own", NULL, unclaimed),
        row("lib.b", "--exec 'lib'", unclaimed), row("lib.a", "--exec 'lib'", unclaimed),
        row("mine", "mine.cu", unclaimed),       row("lib.c", "--exec 'lib'", claimed)};
    struct run_result result = {.variants = rows, .variant_count = ROWS};
    note_unclaimed_accuracy(&result);
    ck_assert_uint_eq(result.note_count, 2);
    ck_assert_str_eq(result.notes[0],
                     "lib.a, lib.b claim no accuracy and were held to the bound that any order of additions meets. "
                     "What they could claim: reductio order --exec 'lib'");
    ck_assert_str_eq(result.notes[1],
                     "mine claims no accuracy and was held to the bound that any order of additions meets. What it "
                     "could claim: reductio order mine.cu");
    for (size_t i = 0; i < result.note_count; i++)
        free(result.notes[i]);
    free(result.notes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("unclaimed");
    TCase *tests = tcase_create("unclaimed");
    tcase_add_test(tests, each_source_is_told_of_once);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
