// SPDX-License-Identifier: MIT
// Known defects: what a line matches, when it is stale, and which lines are refused.
#include "harness/known.h"
#include "harness/support.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *load_text(struct known_list *known, const char *text) {
    char path[] = "/tmp/reductio-known-XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    char *fault = known_load(known, path, false);
    unlink(path);
    return fault;
}

static const struct {
    const char *condition;
    bool holds;
} conditions[] = {
    {"-", true},
    {"cuda.cccl<3.7", true},
    {"cuda.cccl<=3.6", true},
    {"cuda.cccl<3.6", false},
    {"cuda.cccl>=3.6.0", true},
    {"cuda.cccl>3.10", false}, // number by number, not letter by letter
    {"cuda.cccl==3.6", true},
    {"cuda.cccl>=3.1 cuda.cccl<3.6", false},
    {"cuda.cccl>=3.1 cuda.cccl<3.6.1", true},
    {"cuda.absent>=0", false},
    {"cuda.ccc>=0", false},
};

START_TEST(test_conditions) {
    struct text_pair environment[] = {{"mpfr", "4.2.0"}, {"cuda.cccl", "3.6.0"}};
    ck_assert_msg(known_condition_holds(conditions[_i].condition, environment, 2) == conditions[_i].holds, "%s",
                  conditions[_i].condition);
}
END_TEST

static const struct {
    const char *text, *says;
} faults[] = {
    {"a@b/* | flushed | -\n", "a line is"},
    {"a@b/* | purple | - | why\n", "no bad finding"},
    {"a@b/* | faithful | - | why\n", "no bad finding"},
    {"a@b/* | flushed | cccl | why\n", "no condition"},
    {"a@b/* | flushed | cccl=3 | why\n", "no condition"},
    {"a@b/* | flushed | <3 | why\n", "no condition"},
    {"a@b/* | flushed | | why\n", "no condition"},
    {"a@b/* | flushed | - |\n", "must not be empty"},
    {" | flushed | - | why\n", "must not be empty"},
};

START_TEST(test_malformed_lines_are_refused) {
    struct known_list known;
    char text[256];
    snprintf(text, sizeof text, "# comment\n\n%s", faults[_i].text);
    char *fault = load_text(&known, text);
    ck_assert_ptr_nonnull(fault);
    ck_assert_msg(strstr(fault, faults[_i].says) && strstr(fault, ":3:"), "%s", fault);
    free(fault);
    known_free(&known);
}
END_TEST

START_TEST(test_an_absent_file) {
    struct known_list known;
    ck_assert_ptr_null(known_load(&known, "/nonexistent/known.txt", true));
    known_free(&known);
    char *fault = known_load(&known, "/nonexistent/known.txt", false);
    ck_assert_msg(fault && strstr(fault, "cannot read"), "%s", fault);
    free(fault);
    known_free(&known);
}
END_TEST

static struct run_result make_result(struct cell_result *cells) {
    cells[0] = (struct cell_result){.id = "cub@cuda/f32/a/1", .broken = 2, .head = FINDING_BEYOND_BOUND};
    cells[1] = (struct cell_result){.id = "cub@cuda/f32/b/1", .broken = 2, .head = FINDING_WRONG_CLASS};
    cells[2] = (struct cell_result){.id = "cub@cuda/f32/c/1", .head = FINDING_FAITHFUL};
    return (struct run_result){.cells = cells, .cell_count = 3};
}

static void free_marks(struct run_result *result) {
    for (size_t i = 0; i < result->cell_count; i++)
        free(result->cells[i].known_reason);
    for (size_t i = 0; i < result->note_count; i++)
        free(result->notes[i]);
    free(result->notes);
}

START_TEST(test_marks_only_the_finding_it_names) {
    struct known_list known;
    struct cell_result cells[3];
    struct run_result result = make_result(cells);
    ck_assert_ptr_null(load_text(&known, "cub@cuda/* | beyond bound | - | issue 7 | and more\n"));
    known_apply(&known, &result);
    ck_assert(cells[0].known && !cells[1].known && !cells[2].known);
    ck_assert_str_eq(cells[0].known_reason, "issue 7 | and more");
    ck_assert_uint_eq(result.stale_known_lines, 0);
    free_marks(&result);
    known_free(&known);
}
END_TEST

START_TEST(test_a_line_whose_defect_is_gone_is_stale) {
    struct known_list known;
    struct cell_result cells[3];
    struct run_result result = make_result(cells);
    ck_assert_ptr_null(load_text(&known, "*/c/1 | beyond bound | - | fixed\n"      // stale
                                         "*/d/1 | beyond bound | - | not run\n"    // matches no cell: says nothing
                                         "*/c/1 | beyond bound | x<1 | other\n")); // condition does not hold
    known_apply(&known, &result);
    ck_assert_uint_eq(result.stale_known_lines, 1);
    ck_assert_uint_eq(result.note_count, 1);
    ck_assert_msg(strstr(result.notes[0], "no longer happens"), "%s", result.notes[0]);
    free_marks(&result);
    known_free(&known);
}
END_TEST

// Of what nobody looked at nothing follows.
START_TEST(test_a_line_whose_cells_were_not_checked_is_not_stale) {
    struct known_list known;
    struct cell_result cells[3];
    char lost[] = "worker lost";
    struct run_result result = make_result(cells);
    ck_assert_ptr_null(load_text(&known, "*/c/1 | beyond bound | - | fixed\n"));
    result.interrupted = _i == 0;
    for (size_t i = 0; i < 3 && _i == 1; i++)
        cells[i].harness_fault = lost;
    known_apply(&known, &result);
    ck_assert_uint_eq(result.stale_known_lines, 0);
    free_marks(&result);
    known_free(&known);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("known");
    TCase *tests = tcase_create("known defects");
    tcase_add_loop_test(tests, test_conditions, 0, sizeof conditions / sizeof *conditions);
    tcase_add_loop_test(tests, test_malformed_lines_are_refused, 0, sizeof faults / sizeof *faults);
    tcase_add_test(tests, test_an_absent_file);
    tcase_add_test(tests, test_marks_only_the_finding_it_names);
    tcase_add_test(tests, test_a_line_whose_defect_is_gone_is_stale);
    tcase_add_loop_test(tests, test_a_line_whose_cells_were_not_checked_is_not_stale, 0, 2);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
