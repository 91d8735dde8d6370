// SPDX-License-Identifier: MIT
#include "reports/sample_result.h"
#include "reports/test_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(verdict_first_then_failures_in_full) {
    char *text = text_from(report_print_terminal, sample_result());
    ck_assert_ptr_eq(strstr(text, "1 of 2 variants breaks a claim"), text);
    expect(text, "beyond bound, found by bound: evil");
    expect(text, "backend simt, type f32, case cancels_to_zero, n 64, seed 0x1239");
    expect(text, "got      0x1.002p+9  0x44001000  = 512.25");
    expect(text, "rounded  0x1.002002p+9  0x44001001  = 512.250061");
    expect(text, "error    -inf ulps, bound height = 0.000305, err/bound inf");
    expect(text, "claim accuracy = height: broken in 2 of 40 cells; lost elements at n = 1025");
    expect(text, "3 of 4 cells failed");
    expect(text, "hung, found by bound");
    free(text);
}
END_TEST

START_TEST(paste_lines_survive_a_shell) {
    char *text = text_from(report_print_terminal, sample_result());
    expect(text, "reductio run --cell 'evil</script><img src=x "
                 "onerror=alert(1)>'\\''\"&@simt/f32/plus_infinity/63/given/t256/0/inorder' mine.cu -- '-DX=<a b>'");
    free(text);
}
END_TEST

START_TEST(planted_faults_are_no_failures) {
    char *text = text_from(report_print_terminal, sample_result());
    expect(text, "caught  drops_tail@simt f32: lost elements, by coverage map");
    ck_assert_ptr_null(strstr(text, "--cell 'drops_tail"));
    free(text);
}
END_TEST

START_TEST(no_escape_sequence_gets_through) {
    char *text = text_from(report_print_terminal, sample_result());
    ck_assert_ptr_null(strchr(text, '\033'));
    free(text);
}
END_TEST

START_TEST(eleventh_failure_is_counted) {
    struct run_result result = sample_result();
    size_t extra = 20;
    result.cells = realloc(result.cells, (result.cell_count + extra) * sizeof *result.cells);
    ck_assert_ptr_nonnull(result.cells);
    for (size_t i = 0; i < extra; i++) {
        char id[32];
        snprintf(id, sizeof id, "extra%zu", i);
        result.cells[result.cell_count++] =
            (struct cell_result){.id = strdup(id),
                                 .dataset = SIZE_MAX,
                                 .shape = strdup("t1"),
                                 .schedule = strdup("hw"),
                                 .head = i < 8 ? FINDING_CRASHED : FINDING_RACED,
                                 .findings = 1u << (i < 8 ? FINDING_CRASHED : FINDING_RACED)};
    }
    char *text = text_from(report_print_terminal, result);
    expect(text, "and 10 more: 10 raced");
    expect(text, "--cell 'extra9'");
    ck_assert_ptr_null(strstr(text, "--cell 'extra10'"));
    free(text);
}
END_TEST

START_TEST(an_interrupted_empty_run_says_so) {
    char *text = text_from(report_print_terminal, sample_empty_result());
    ck_assert_ptr_eq(strstr(text, "Interrupted before the first cell."), text);
    expect(text, "Interrupted: what follows is what was done until then.");
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("terminal");
    TCase *tests = tcase_create("terminal");
    tcase_add_test(tests, verdict_first_then_failures_in_full);
    tcase_add_test(tests, paste_lines_survive_a_shell);
    tcase_add_test(tests, planted_faults_are_no_failures);
    tcase_add_test(tests, no_escape_sequence_gets_through);
    tcase_add_test(tests, eleventh_failure_is_counted);
    tcase_add_test(tests, an_interrupted_empty_run_says_so);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
