// SPDX-License-Identifier: MIT
// The kill matrix of runs made by hand, whose right counts are seen at a glance.
#include "reports/kill_matrix.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static json_t *make_run(void) {
    return json_pack("{sss[]s[]}", "command", "selftest", "variants", "cells");
}

// Adds a variant; a fault if it has a detector. Returns its index.
static int add_variant(json_t *run, const char *name, const char *detector) {
    json_t *variants = json_object_get(run, "variants"), *variant = json_pack("{ssss}", "name", name, "summary", "Sum");
    if (detector) {
        json_object_set_new(variant, "fault_finding", json_string("lost elements"));
        json_object_set_new(variant, "fault_detector", json_string(detector));
    }
    json_array_append_new(variants, variant);
    return (int)json_array_size(variants) - 1;
}

// Adds a cell in which `first` and, unless NULL, `second` found something.
static void add_cell(json_t *run, int variant, const char *first, const char *second) {
    json_t *cell = json_pack("{siss}", "variant", variant, "head", first ? "lost elements" : "within bound");
    if (first) {
        json_object_set_new(cell, "detector", json_string(first));
        json_object_set_new(cell, "detectors", json_pack("[ss*]", first, second));
    }
    json_array_append_new(json_object_get(run, "cells"), cell);
}

static size_t index_of(const char *name) {
    size_t detector = 0;
    while (strcmp(kill_detector_name(detector), name) != 0)
        detector++;
    return detector;
}

static struct kill_matrix matrix_of(const json_t *run) {
    struct kill_matrix matrix;
    struct run_view view;
    ck_assert(run_view_make(&view, run) && kill_matrix_make(&matrix, &view));
    run_view_free(&view); // the matrix keeps nothing of it
    return matrix;
}

START_TEST(test_types_of_a_fault_count_together) {
    json_t *run = make_run();
    int real = add_variant(run, "honest", NULL), f32 = add_variant(run, "faulty", "poison"),
        f64 = add_variant(run, "faulty", "poison");
    add_cell(run, real, "guard", NULL);
    add_cell(run, f32, "poison", "bound");
    add_cell(run, f32, NULL, NULL);
    add_cell(run, f64, "poison", NULL);
    struct kill_matrix matrix = matrix_of(run);
    ck_assert_uint_eq(matrix.row_count, 1);
    ck_assert_int_eq(matrix.rows[0].outcome, FAULT_CAUGHT);
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        ck_assert_uint_eq(matrix.rows[0].cells[d], d == index_of("poison") ? 2 : d == index_of("bound") ? 1 : 0);
    ck_assert(!kill_is_alone(&matrix.rows[0], index_of("poison")));
    ck_assert_uint_eq(kill_count_alone(&matrix, index_of("poison")), 0);
    kill_matrix_free(&matrix);
    json_decref(run);
}
END_TEST

// One fault for each detector that needs no build of its own, found by it alone.
static json_t *make_tight_run(const char *without) {
    json_t *run = make_run();
    for (size_t d = 0; d < KILL_DETECTORS - 2; d++)
        if (!without || strcmp(kill_detector_name(d), without) != 0)
            add_cell(run, add_variant(run, kill_detector_name(d), kill_detector_name(d)), kill_detector_name(d), NULL);
    return run;
}

static bool is_tight(const json_t *run) {
    struct kill_matrix matrix = matrix_of(run);
    bool tight = kill_matrix_is_tight(&matrix);
    kill_matrix_free(&matrix);
    return tight;
}

START_TEST(test_each_detector_needs_a_fault_of_its_own) {
    json_t *run = make_tight_run(NULL);
    ck_assert(is_tight(run));
    json_decref(run);
    run = make_tight_run("repeats");
    ck_assert(!is_tight(run));
    int fault = add_variant(run, "varies", "repeats");
    add_cell(run, fault, "repeats", NULL);
    ck_assert(is_tight(run));
    add_cell(run, fault, "schedules", NULL); // in another cell of the same fault: repeats are not needed
    ck_assert(!is_tight(run));
    json_decref(run);
}
END_TEST

START_TEST(test_a_sanitizer_counts_once_its_build_took_part) {
    json_t *run = make_tight_run(NULL);
    int fault = add_variant(run, "races", "tsan");
    ck_assert(is_tight(run)); // on the plain emulator alone: nobody has asked the sanitizer
    json_t *row = json_array_get(json_object_get(run, "variants"), (size_t)fault);
    json_object_set_new(row, "backend", json_string("tsan"));
    struct kill_matrix matrix = matrix_of(run);
    ck_assert(matrix.took_part[index_of("tsan")] && !matrix.took_part[index_of("asan")]);
    ck_assert_int_eq(matrix.rows[matrix.row_count - 1].outcome, FAULT_NOT_CHECKED); // it has no cell
    kill_matrix_free(&matrix);
    ck_assert(!is_tight(run));
    add_cell(run, fault, "tsan", NULL);
    ck_assert(is_tight(run));
    json_decref(run);
}
END_TEST

START_TEST(test_an_unknown_detector_catches_nothing) {
    json_t *run = make_run();
    add_cell(run, add_variant(run, "odd", "intuition"), NULL, NULL);
    struct kill_matrix matrix = matrix_of(run);
    ck_assert_int_eq(matrix.rows[0].outcome, FAULT_SURVIVED);
    ck_assert_uint_eq(matrix.rows[0].named, KILL_DETECTORS);
    kill_matrix_free(&matrix);
    json_decref(run);
}
END_TEST

enum form { COMPLETE, PARTIAL, MARKDOWN };

static char *written(const json_t *run, enum form form) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct kill_matrix matrix = matrix_of(run);
    if (form == MARKDOWN)
        write_kill_matrix_markdown(&matrix, out);
    else
        write_kill_matrix_text(&matrix, form == COMPLETE, out);
    kill_matrix_free(&matrix);
    ck_assert(fclose(out) == 0);
    return text;
}

START_TEST(test_other_commands_have_no_matrix) {
    json_t *run = make_tight_run(NULL);
    json_object_set_new(run, "command", json_string("run")); // faults run by name, like any row
    struct kill_matrix matrix = matrix_of(run);
    ck_assert_uint_eq(matrix.row_count, 0);
    kill_matrix_free(&matrix);
    json_decref(run);
}
END_TEST

START_TEST(test_what_is_written) {
    json_t *run = make_tight_run("limits");
    add_cell(run, add_variant(run, "hidden | fault", "limits"), "guard", NULL);
    char *text = written(run, COMPLETE), *partial = written(run, PARTIAL), *markdown = written(run, MARKDOWN);
    ck_assert_ptr_nonnull(strstr(text, "guard alone finds guard, hidden | fault\n"));
    ck_assert_ptr_nonnull(strstr(text, "limits FINDS NOTHING that no other detector finds\n"));
    ck_assert_ptr_null(strstr(text, "tsan"));
    ck_assert_ptr_nonnull(strstr(partial, "guard alone finds"));
    ck_assert_ptr_null(strstr(partial, "FINDS NOTHING"));
    ck_assert_ptr_nonnull(strstr(markdown, "| coverage map | Sum | lost elements | coverage map | |\n| `poison` |"));
    ck_assert_ptr_nonnull(strstr(markdown, "| limits (**found otherwise**) | guard |\n"));
    ck_assert_ptr_null(strstr(markdown, "hidden | fault"));
    ck_assert_ptr_nonnull(strstr(markdown, "| repeats | the same call again | 1 | 1 | `repeats` |\n"));
    ck_assert_ptr_nonnull(strstr(markdown, " compared afterwards | 2 | 2 | `guard` |\n"));
    ck_assert_ptr_nonnull(strstr(markdown, " each other for ever | 0 | 0 |  |\n"));
    free(text);
    free(partial);
    free(markdown);
    json_decref(run);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("kill matrix");
    TCase *tests = tcase_create("matrix");
    tcase_add_test(tests, test_types_of_a_fault_count_together);
    tcase_add_test(tests, test_each_detector_needs_a_fault_of_its_own);
    tcase_add_test(tests, test_a_sanitizer_counts_once_its_build_took_part);
    tcase_add_test(tests, test_an_unknown_detector_catches_nothing);
    tcase_add_test(tests, test_other_commands_have_no_matrix);
    tcase_add_test(tests, test_what_is_written);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
