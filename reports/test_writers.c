// SPDX-License-Identifier: MIT
// Golden facts of JUnit, Markdown, CSV, TAP, annotations and study: what each must say, and that hostile text stays
// text.
#include "reports/sample_parts.h"
#include "reports/sample_result.h"
#include "reports/test_text.h"
#include "reports/text.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char message[REPORT_MESSAGE];

START_TEST(junit_is_a_suite_a_variant_and_a_test_a_claim) {
    char *text = text_from(report_write_junit, sample_result());
    expect(text, "<testsuite name=\"tree_sequential@simt/f32\" tests=\"5\" failures=\"0\" errors=\"0\" skipped=\"3\">");
    expect(text, "<skipped message=\"one GPU at most\"/>");
    expect(text, "<failure type=\"broken\" message=\"lost elements at n = 1025\">");
    expect(text, "/cancels_to_zero/64/given/t256/0/inorder");
    expect(text, "<testsuite name=\"drops_tail@simt/f32\" tests=\"1\" failures=\"0\"");
    ck_assert_uint_eq(count(text, "<testsuite "), 3);
    refuse(text, "<img");
    refuse(text, "\033");
    free(text);
}
END_TEST

START_TEST(tap_is_a_test_a_claim) {
    char *text = text_from(report_write_tap, sample_result());
    // 5 claims of one row, as many of the other, one test of the planted fault
    ck_assert_ptr_eq(strstr(text, "TAP version 13\n1..11\n# 1 of 2 variants breaks a claim"), text);
    ck_assert_uint_eq(count(text, "\nok ") + count(text, "\nnot ok "), 11);
    expect(text, "\nok 1 - tree_sequential@simt/f32: accuracy\n");
    expect(text, " # SKIP one GPU at most\n");
    expect(text, " # SKIP not claimed\n");
    expect(text, "  ---\n  message: \"lost elements at n = 1025\"\n  cells:\n    - cell: \"evil");
    expect(text, "\nok 11 - drops_tail@simt/f32: planted fault is caught\n");
    refuse(text, "\033");
    refuse(text, "Bail out!");
    free(text);
}
END_TEST

START_TEST(tap_of_an_empty_interrupted_run_says_both) {
    char *text = text_from(report_write_tap, sample_empty_result());
    expect(text, "1..0 # SKIP no cell was run\n");
    expect(text, "\nBail out! interrupted");
    free(text);
}
END_TEST

START_TEST(github_gets_an_annotation_a_broken_claim) {
    char *text = text_from(report_write_github, sample_result());
    ck_assert_uint_eq(count(text, "::error "), count(text, "\n") - 1);
    expect(text, "::error title=evil</script><img src=x onerror=alert(1)>'\"&@simt/f32%3A ");
    expect(text, "::lost elements at n = 1025");
    expect(text, "\n::notice title=Reductio::1 of 2 variants breaks a claim");
    free(text);
}
END_TEST

// A name or a reason that holds a line end must not begin a workflow command of its own.
START_TEST(github_commands_cannot_be_smuggled_in) {
    struct run_result result = sample_result();
    free(result.variants[1].name);
    result.variants[1].name = strdup("a,b:c%\n::set-env name=X::y");
    char *text = text_from(report_write_github, result);
    expect(text, "::error title=a%2Cb%3Ac%25%0A%3A%3Aset-env name=X%3A%3Ay@simt/f32%3A ");
    refuse(text, "\n::set-env");
    free(text);
}
END_TEST

START_TEST(github_warns_of_an_interrupted_run) {
    char *text = text_from(report_write_github, sample_empty_result());
    ck_assert_str_eq(text, "::warning title=Reductio::Interrupted before the first cell.\n");
    free(text);
}
END_TEST

START_TEST(markdown_names_the_worst_and_stays_text) {
    char *text = text_from(report_write_markdown, sample_result());
    ck_assert_ptr_eq(strstr(text, "## Reductio: 1 of 2 variants"), text);
    expect(text, "| **beyond bound** |");
    expect(text, "| flushed (known) |");
    refuse(text, "drops&#95;tail&#64;simt/f32/coverage"); // a planted fault is no failure
    refuse(text, "<img");
    refuse(text, "<script");
    free(text);
}
END_TEST

START_TEST(markdown_is_bounded) {
    char *text = text_from(report_write_markdown, sample_large_result(20000));
    ck_assert_uint_lt(strlen(text), 100000);
    ck_assert_uint_eq(count(text, "<code>"), 20);
    free(text);
}
END_TEST

START_TEST(csv_has_a_line_a_cell) {
    char *text = text_from(report_write_csv, sample_result());
    ck_assert_uint_eq(count(text, "\r\n"), 11);
    expect(text, "variant,backend,type,values,order,n,offset,runs,patterns,known,id,");
    expect(text, "\"evil</script><img src=x onerror=alert(1)>'\"\"&\",simt,f32,cancels_to_zero,given,64,0,8,1,no,");
    expect(text, ",-inf,inf,1.5,inf,"); // ulps, relative error, err/(u·A), err/bound
    free(text);
}
END_TEST

// Figures set by hand, so that the middle one is known: three orders of one dataset, and a fourth without a result.
START_TEST(sweep_has_a_line_a_step) {
    struct run_result result = sample_result();
    static const double errors[] = {0.5, 0.125, INFINITY};
    static const double ulps[] = {-2, 0.5, 3};
    for (size_t i = 0; i < 3; i++) {
        struct cell_result *cell = &result.cells[i];
        cell->dataset = 0;
        cell->n = 1025;
        cell->error_over_uA = errors[i];
        cell->ulps = ulps[i];
        cell->runs = 1;
        cell->pattern_count = 1;
        cell->patterns[0].bits = i == 2 ? 7 : 5;
    }
    result.cells[3].dataset = 0;
    result.cells[3].n = 1025;
    result.cells[3].runs = 1;
    result.cells[3].has_result = false;
    char *text = text_from(report_write_sweep, result);
    expect(text, "variant,backend,type,values,n,condition,cells,runs,patterns,error_over_uA_min,");
    // four cells, two patterns; least, median, largest
    expect(text, "tree_sequential,simt,f32,uniform,1025,1,4,4,2,0.125,0.5,inf,-2,0.5,3\r\n");
    free(text);
    text = text_from(report_write_sweep, sample_empty_result());
    ck_assert_uint_eq(count(text, "\r\n"), 1);
    free(text);
}
END_TEST

// A row of the command line comes back only with what brought it.
START_TEST(lines_to_paste_bring_their_row) {
    char *text = text_from(report_write_html, sample_result());
    expect(text, "/inorder&#39; mine.cu -- &#39;-DX=&lt;a b&gt;&#39;</pre>");
    free(text);
    text = text_from(report_write_junit, sample_result());
    expect(text, "/inorder&#39; mine.cu -- &#39;-DX=&lt;a b&gt;&#39;\n");
    free(text);
}
END_TEST

START_TEST(study_says_what_was_reached) {
    char *text = text_from(report_write_study, sample_result());
    // 8 runs of the base and 8 of the attacking cell: 0x44001000 13 times, two others.
    // The third input never rounds: it is the control.
    expect(text, "1 of 2 inputs gave more than one result, control 0 of 1; up to 3 in 16 runs, 3 ulps apart");
    expect(text, "reductio run --cell 'tree_sequential@simt/f32/uniform/1025/given/t256/0/inorder'");
    expect(text, "what is reachable, not how often");
    free(text);
}
END_TEST

START_TEST(study_says_at_its_end_that_it_was_interrupted) {
    static const char words[] = "\nThe study was interrupted: not all of its cells were run.\n";
    struct run_result run = sample_result();
    run.interrupted = true;
    char *text = text_from(report_write_study, run);
    expect(text, words);
    ck_assert_str_eq(text + strlen(text) - strlen(words), words);
    free(text);
    text = text_from(report_write_study, sample_result());
    refuse(text, "interrupted");
    free(text);
}
END_TEST

START_TEST(machines_answers_stand_side_by_side) {
    char *text = text_from(report_write_hardware, sample_result());
    expect(text, "  type operands         stated   simt       cuda    \n"
                 "  f32  0x0p+0, 0x1p-140 0x0p+0   0x0p+0   ! 0x1p-140  +0 and a <subnormal>\n");
    ck_assert_uint_eq(count(text, "+0 and a <subnormal>"), 1);
    free(text);
    struct run_result wide = sample_result();
    for (size_t i = 0; i < wide.hardware_count; i++) {
        free(wide.hardware[i].operands);
        wide.hardware[i].operands = strdup("0x1.fffffffffffffp+1023, 0x1.fffffffffffffp+1023");
    }
    text = text_from(report_write_hardware, wide);
    const char *header = expect(text, "  type operands"), *row = expect(text, "  f32  0x1.ff");
    ck_assert_int_eq(expect(header, "stated") - header, expect(row, " 0x0p+0") + 1 - row);
    free(text);
    text = text_from(report_write_html, sample_result());
    expect(text, "1 of 2 answers are as stated");
    expect(text, "<td>+0 and a &lt;subnormal&gt;");
    expect(text, "<code>0x1p-140</code> <span class=bad>differs</span>");
    free(text);
    text = text_from(report_write_html, sample_empty_result());
    refuse(text, "id=hardware");
    free(text);
}
END_TEST

// Of repeats that differ, what is printed as the result is the worst, with its own bits; "bits" is the first run's.
START_TEST(worst_result_has_its_own_bits) {
    json_t *cell = json_pack("{s:s, s:[{s:s,s:s},{s:s,s:s},{s:s,s:s}]}", "bits", "0x1", "patterns", "bits", "0x1",
                             "ulps", "0.5", "bits", "0x2", "ulps", "-3", "bits", "0x3", "ulps", "2");
    ck_assert_ptr_nonnull(cell);
    ck_assert_str_eq(worst_bits_of(cell), "0x2");
    json_object_set_new(json_array_get(json_object_get(cell, "patterns"), 2), "ulps", json_string("nan"));
    ck_assert_str_eq(worst_bits_of(cell), "0x3");
    json_decref(cell);
}
END_TEST

// The same call again in two launch shapes, which else are alike.
START_TEST(study_tells_launch_shapes_apart) {
    struct run_result run = sample_result();
    sample_set_text(&run.variants[0].backend, "cuda");
    sample_set_text(&run.cells[1].shape, "t1024b2048");
    run.cells[1].dataset = run.cells[0].dataset;
    run.cells[1].n = run.cells[0].n;
    char *text = text_from(report_write_study, run);
    const char *header = expect(text, "    repeats of "), *shape = expect(header, "shape ");
    const char *first = expect(header, "    uniform                        1025  t256       idle         8 ");
    const char *second = expect(first, "    uniform                        1025  t1024b2048 idle         8 ");
    ck_assert_int_eq(shape - header, expect(first, "t256") - first);
    ck_assert_int_eq(shape - header, expect(second, "t1024b2048") - second);
    free(text);
}
END_TEST

// Of results at -1.25 (5 times), -0.25 (twice) and 1.75 ulps (once), in sixteen bars of eight steps.
START_TEST(study_tells_a_busy_gpu_from_an_idle_one) {
    struct run_result run = sample_result();
    free(run.variants[0].backend);
    run.variants[0].backend = strdup("cuda");
    free(run.cells[1].schedule);
    run.cells[1].schedule = strdup("busy50");
    run.cells[1].vs = -2.5e-7;
    run.cells[1].ns[0] = 2400;
    run.cells[1].ns[1] = 2200;
    char *text = text_from(report_write_study, run);
    expect(text, "uniform                        1025  t256       idle         8         1           0    0.00e+00     "
                 "100.0 %      1.00");
    expect(text,
           "cond1e8                         257  t256       busy50       8         3           3   -2.50e-07      "
           "62.5 %      2.00  |█    ▄         ▂|");
    expect(text, "all_minus_zero (control)");
    free(text);
}
END_TEST

// Under a sanitizer each cell costs several times as much, and is like the others.
#if defined(__SANITIZE_ADDRESS__)
enum { MANY_CELLS = 10000 };
#else
enum { MANY_CELLS = 100000 };
#endif

START_TEST(reports_of_many_cells_stay_small) {
    struct run_result result = sample_large_result(MANY_CELLS);
    json_t *run = report_of_result(&result, message);
    FILE *out = tmpfile();
    ck_assert(run && out);
    ck_assert_msg(report_write_html(run, out, message), "%s", message);
    ck_assert_int_lt(ftell(out), 25 << 20);
    // The others take as many: at most some failures of each variant, or one line a cell.
    static const struct {
        report_writer *writer;
        long most;
    } others[] = {{report_write_terminal, 1 << 18}, {report_write_junit, 1 << 20},  {report_write_markdown, 1 << 17},
                  {report_write_tap, 1 << 20},      {report_write_github, 1 << 20}, {report_write_study, 1 << 20},
                  {report_write_csv, 64 << 20}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        rewind(out);
        ck_assert_msg(others[i].writer(run, out, message), "%s", message);
        ck_assert_msg(ftell(out) < others[i].most, "writer %zu takes %ld bytes", i, ftell(out));
    }
    size_t lines = 0;
    long end = ftell(out);
    rewind(out);
    while (ftell(out) < end && lines < MANY_CELLS + 1 && fscanf(out, "%*[^\n]\n") != EOF)
        lines++;
    ck_assert_uint_eq(lines, MANY_CELLS + 1);
    fclose(out);
    json_decref(run);
    run_result_free(&result);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("writers");
    TCase *tests = tcase_create("writers");
    tcase_add_test(tests, junit_is_a_suite_a_variant_and_a_test_a_claim);
    tcase_add_test(tests, tap_is_a_test_a_claim);
    tcase_add_test(tests, tap_of_an_empty_interrupted_run_says_both);
    tcase_add_test(tests, github_gets_an_annotation_a_broken_claim);
    tcase_add_test(tests, github_commands_cannot_be_smuggled_in);
    tcase_add_test(tests, github_warns_of_an_interrupted_run);
    tcase_add_test(tests, markdown_names_the_worst_and_stays_text);
    tcase_add_test(tests, markdown_is_bounded);
    tcase_add_test(tests, csv_has_a_line_a_cell);
    tcase_add_test(tests, sweep_has_a_line_a_step);
    tcase_add_test(tests, lines_to_paste_bring_their_row);
    tcase_add_test(tests, study_says_what_was_reached);
    tcase_add_test(tests, study_says_at_its_end_that_it_was_interrupted);
    tcase_add_test(tests, machines_answers_stand_side_by_side);
    tcase_add_test(tests, worst_result_has_its_own_bits);
    tcase_add_test(tests, study_tells_launch_shapes_apart);
    tcase_add_test(tests, study_tells_a_busy_gpu_from_an_idle_one);
    tcase_add_test(tests, reports_of_many_cells_stay_small);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
