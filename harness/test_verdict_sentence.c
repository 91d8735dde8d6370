// SPDX-License-Identifier: MIT
// What heads every report, from records made by hand.
#include "harness/verdict_sentence.h"

#include "harness/claim.h"
#include "harness/finding.h"

#include <check.h>
#include <stdlib.h>

enum { ROWS = 5 };

static struct claim_result claims[ROWS][CLAIM_COUNT];
static struct variant_result variants[ROWS];
static struct cell_result cells[ROWS];

// Rows of the names a, a, b, c, d, each with a cell in which `finding` was found by `detector`.
static struct run_result record(char *command, char *detector, enum finding finding) {
    static char *const names[ROWS] = {"a", "a", "b", "c", "d"};
    for (size_t v = 0; v < ROWS; v++) {
        for (size_t c = 0; c < CLAIM_COUNT; c++)
            claims[v][c] = (struct claim_result){.status = CLAIM_HELD};
        variants[v] = (struct variant_result){.name = names[v],
                                              .backend = "simt",
                                              .type = v == 1 ? "f64" : "f32",
                                              .fault_finding = "lost elements",
                                              .fault_detector = "coverage map",
                                              .claims = claims[v],
                                              .claim_count = CLAIM_COUNT};
        cells[v] = (struct cell_result){.variant = v, .head = finding, .detector = detector};
    }
    return (struct run_result){
        .command = command, .variants = variants, .variant_count = ROWS, .cells = cells, .cell_count = ROWS};
}

static void expect_sentence(const struct run_result *result, const char *wanted) {
    char *sentence = verdict_sentence(result);
    ck_assert_str_eq(sentence, wanted);
    free(sentence);
}

START_TEST(a_variant_counts_once) {
    struct run_result result = record("check", NULL, FINDING_WITHIN_BOUND);
    expect_sentence(&result, "None of 4 variants breaks a claim.");
    claims[0][CLAIM_ACCURACY].status = claims[1][CLAIM_ACCURACY].status = CLAIM_BROKEN;
    expect_sentence(&result, "1 of 4 variants breaks a claim.");
    claims[2][CLAIM_SAME_BITS_RUN] = (struct claim_result){.status = CLAIM_NOT_CLAIMED, .differing = 3};
    claims[3][CLAIM_ACCURACY].status = CLAIM_KNOWN;
    expect_sentence(&result,
                    "1 of 4 variants breaks a claim; 1 varies from run to run, as it says; 1 has known defects.");
    claims[4][CLAIM_SAME_BITS_RUN] = (struct claim_result){.status = CLAIM_NOT_CLAIMED, .differing = 1};
    result.interrupted = true;
    expect_sentence(&result, "1 of 4 variants breaks a claim; 2 vary from run to run, as they say; 1 has known defects "
                             "(interrupted: not all cells were run).");
}
END_TEST

START_TEST(nothing_checked_is_said) {
    struct run_result result = record("run", NULL, FINDING_NOT_CHECKED);
    expect_sentence(&result, "None of 4 variants breaks a claim, and nothing was checked.");
    cells[4].head = FINDING_WITHIN_BOUND;
    expect_sentence(&result, "None of 4 variants breaks a claim.");
    result = record("run", NULL, FINDING_NOT_CHECKED);
    for (size_t i = 0; i < ROWS; i++)
        cells[i].harness_fault = "worker lost";
    expect_sentence(&result, "None of 4 variants breaks a claim (5 of 5 cells could not be checked).");
    for (size_t i = 1; i < ROWS; i++)
        cells[i].harness_fault = NULL;
    expect_sentence(&result, "None of 4 variants breaks a claim, and nothing was checked (1 of 5 cells could not be "
                             "checked).");
}
END_TEST

START_TEST(a_selftest_counts_what_came_of_each_fault) {
    struct run_result result = record("selftest", "coverage map", FINDING_LOST_ELEMENTS);
    expect_sentence(&result, "4 of 4 planted faults caught.");
    cells[1].head = FINDING_BEYOND_BOUND; // one row of two is not enough
    cells[2].detector = "bound";          // nor is another detector
    expect_sentence(&result, "2 of 4 planted faults caught, 2 found otherwise.");
    variants[3].fault_detector = "tsan"; // whose build took no part
    expect_sentence(&result, "1 of 3 planted faults caught, 2 found otherwise; 1 not tried.");
    cells[2].head = FINDING_WITHIN_BOUND;
    expect_sentence(&result, "1 of 3 planted faults caught, 1 found otherwise, 1 survived; 1 not tried.");
    cells[0].head = FINDING_WITHIN_BOUND; // in one type nothing finds it
    expect_sentence(&result, "1 of 3 planted faults caught, 2 survived; 1 not tried.");
    variants[3].backend = "tsan";
    cells[3].detector = "tsan";
    expect_sentence(&result, "2 of 4 planted faults caught, 2 survived.");
    cells[4].harness_fault = "It was killed.";
    expect_sentence(&result, "2 of 4 planted faults caught, 2 survived (1 of 5 cells could not be checked).");
}
END_TEST

// A fault that has not been looked at in all cells has not survived, and what was found so far is not all.
START_TEST(a_fault_that_was_not_checked_has_not_survived) {
    struct run_result result = record("selftest", "coverage map", FINDING_LOST_ELEMENTS);
    cells[2].head = cells[4].head = FINDING_NOT_CHECKED;
    cells[4].harness_fault = "It was killed.";
    expect_sentence(&result, "2 of 4 planted faults caught, 2 not checked (1 of 5 cells could not be checked).");
    cells[4].harness_fault = NULL;
    cells[4].head = FINDING_WITHIN_BOUND;
    cells[3].head = FINDING_WRONG_CLASS;
    expect_sentence(&result, "1 of 4 planted faults caught, 1 found otherwise, 1 survived, 1 not checked.");
    result.interrupted = true;
    expect_sentence(&result, "1 of 4 planted faults caught, 3 not checked (interrupted: not all cells were run).");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("verdict sentence");
    TCase *tests = tcase_create("verdict sentence");
    tcase_add_test(tests, a_variant_counts_once);
    tcase_add_test(tests, nothing_checked_is_said);
    tcase_add_test(tests, a_selftest_counts_what_came_of_each_fault);
    tcase_add_test(tests, a_fault_that_was_not_checked_has_not_survived);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
