// SPDX-License-Identifier: MIT
// Golden facts of HTML, JUnit, Markdown, CSV, TAP, annotations and study: what each must say, and that hostile text
// stays text.
#include "reports/reports.h"
#include "reports/sample_result.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char message[REPORT_MESSAGE];

static char *text_from(report_writer *writer, struct run_result result) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    json_t *run = report_of_result(&result, message);
    ck_assert_ptr_nonnull(run);
    json_t *before = json_deep_copy(run);
    ck_assert_msg(writer(run, out, message), "%s", message);
    ck_assert_msg(json_equal(run, before), "the writer changed the run");
    ck_assert_int_eq(fclose(out), 0);
    json_decref(before);
    json_decref(run);
    run_result_free(&result);
    return text;
}

static void expect(const char *text, const char *words) {
    ck_assert_msg(strstr(text, words) != NULL, "no \"%s\" in:\n%.3000s", words, text);
}

static void refuse(const char *text, const char *words) {
    ck_assert_msg(strstr(text, words) == NULL, "\"%s\" is in the text", words);
}

static size_t count(const char *text, const char *words) {
    size_t found = 0;
    for (; (text = strstr(text, words)); text += strlen(words))
        found++;
    return found;
}

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
    expect(text,
           "f32  0x0p+0, 0x1p-140                   0x0p+0                     0x0p+0                   ! 0x1p-140");
    ck_assert_uint_eq(count(text, "+0 and a <subnormal>"), 1);
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
    expect(
        text,
        "uniform                        1025  idle         8         1           0    0.00e+00     100.0 %      1.00");
    expect(
        text,
        "cond1e8                         257  busy50       8         3           3   -2.50e-07      62.5 %      2.00  "
        "|█    ▄         ▂|");
    expect(text, "all_minus_zero (control)");
    free(text);
}
END_TEST

START_TEST(page_escapes_and_bars_what_is_not_its_own) {
    char *text = text_from(report_write_html, sample_result());
    refuse(text, "<img");
    refuse(text, "<script>document");
    refuse(text, "unsafe-inline");
    expect(text, "default-src 'none'; style-src 'sha256-");
    expect(text, "evil&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&quot;&amp;");
    ck_assert_uint_eq(count(text, "<script"), 3);
    ck_assert_uint_eq(count(text, "</script>"), 3);
    refuse(text, "http://");
    refuse(text, "https://");
    free(text);
}
END_TEST

START_TEST(page_opens_with_verdict_then_failures) {
    char *text = text_from(report_write_html, sample_result());
    static const char *const order[] = {"<a href=\"#kills\">",
                                        "<h1>1 of 2 variants",
                                        "No GPU took part",
                                        "id=failures",
                                        "caught</span>",
                                        "id=kills",
                                        "id=variation",
                                        "id=map",
                                        "id=charts",
                                        "id=cells",
                                        "id=variants",
                                        "id=cases",
                                        "id=legend"};
    const char *at = text;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *found = strstr(at, order[i]);
        ck_assert_msg(found != NULL, "no \"%s\" in its place", order[i]);
        at = found;
    }
    free(text);
}
END_TEST

static void replace(char **text, const char *with) {
    free(*text);
    *text = with ? strdup(with) : NULL;
}

// Without what is bad: the second variant breaks a claim, and its cells fail.
static struct run_result good_result(void) {
    struct run_result result = sample_result();
    replace(&result.command, "check");
    result.variants[1].claims[0].status = CLAIM_HELD;
    for (size_t i = 0; i < result.cell_count; i++)
        if (finding_is_bad(result.cells[i].head) && !result.cells[i].known) {
            result.cells[i].head = FINDING_WITHIN_BOUND;
            result.cells[i].findings = 1u << FINDING_WITHIN_BOUND;
        }
    return result;
}

START_TEST(page_says_first_whether_to_merge) {
    struct run_result result = sample_result();
    replace(&result.command, "check"); // in a selftest the question is another one
    char *text = text_from(report_write_html, result);
    expect(text, "<header class=bad>");
    expect(text, "May I merge this? <b class=bad>No</b>:</p>\n<ul>\n<li><b>1</b> broken claim: <a href=#f1>evil&lt;");
    free(text);
    text = text_from(report_write_html, good_result());
    expect(text, "<header class=good>");
    expect(text, "May I merge this? <b class=good>Yes</b>");
    expect(text, "<a href=#known>which and why</a>");
    expect(text, "No GPU took part: what only hardware shows is open");
    free(text);
    result = good_result();
    replace(&result.refusal, "Cells that are worse than in the baseline <main>: 3; gone: 0.");
    text = text_from(report_write_html, result);
    expect(text, "<b class=bad>No</b>:</p>\n<ul>\n<li>Cells that are worse than in the baseline &lt;main&gt;: 3");
    free(text);
    result = good_result();
    result.interrupted = true;
    text = text_from(report_write_html, result);
    expect(text, "May I merge this? <b class=known>Open</b>");
    free(text);
    text = text_from(report_write_html, sample_empty_result());
    refuse(text, "<b class=good>Yes</b>"); // nothing was run
    free(text);
}
END_TEST

START_TEST(page_names_the_programs_that_summed) {
    struct run_result result = good_result();
    replace(&result.backends[0], "exec");
    replace(&result.environment[0].key, "exec.lib.library");
    replace(&result.environment[0].value, "Lib <1.0>");
    replace(&result.environment[1].key, "exec.lib.device");
    replace(&result.environment[1].value, "a GPU");
    char *text = text_from(report_write_html, result);
    expect(text, ", on exec. Programs: Lib &lt;1.0&gt; (a GPU). Started ");
    refuse(text, "No GPU took part"); // nobody knows what a program ran on but itself
    free(text);
}
END_TEST

START_TEST(page_folds_known_defects_with_their_reason) {
    char *text = text_from(report_write_html, good_result());
    const char *known = strstr(text, "<h3 id=known>Known defects</h3>"), *end = strstr(text, "<section id=variation>");
    ck_assert_msg(known && end && known < end, "known defects do not stand among the failures");
    const char *fold = strstr(known, "<details><summary>"),
               *reason = strstr(known, "<span class=known>known</span> in ");
    ck_assert_msg(fold && reason && fold < reason && reason < end, "they are not folded");
    free(text);
}
END_TEST

// Two terms meet their bound whatever the method; such a cell must not stand for its variant.
START_TEST(page_orders_the_map_by_sums_of_some_size) {
    struct run_result result = good_result();
    static const struct {
        uint64_t n;
        double ratio;
    } cells[] = {{2, 1}, {31, 0.75}, {32, 0.125}, {1025, 0.0625}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        struct cell_result *cell = &result.cells[i];
        cell->variant = cell->dataset = 0;
        cell->known = false;
        cell->n = cells[i].n;
        cell->has_result = true;
        cell->head = FINDING_FAITHFUL;
        cell->findings = 1u << FINDING_FAITHFUL;
        cell->error_over_bound = cells[i].ratio;
    }
    for (size_t i = sizeof cells / sizeof *cells; i < result.cell_count; i++)
        result.cells[i].has_result &= result.cells[i].variant != 0;
    char *text = text_from(report_write_html, result);
    expect(text, "nearest to its bound: err/bound 0.125 on uniform, n = 32</span>");
    expect(text, "<td class=r>−0.9<td class=on>uniform/32"); // log10 of an eighth
    free(text);
}
END_TEST

START_TEST(page_draws_each_order_once) {
    struct run_result result = sample_result();
    // The fault has the order of the first variant.
    result.variants[2].order_count = 1;
    result.variants[2].orders = calloc(1, sizeof *result.variants[2].orders);
    ck_assert_ptr_nonnull(result.variants[2].orders);
    result.variants[2].orders[0] = (struct order_result){.n = 4,
                                                         .shape = strdup("t256"),
                                                         .kind = strdup("tree"),
                                                         .height = 2,
                                                         .hash = 0xabc,
                                                         .formula = strdup("((x0+x2)+(x1+x3))")};
    char *text = text_from(report_write_html, result);
    ck_assert_uint_eq(count(text, "<symbol id=o0_0 "), 1);
    ck_assert_uint_eq(count(text, "<use href=#o0_0 />"), 2);
    ck_assert_uint_eq(count(text, "<use href=#o0_1 />"), 1);
    ck_assert_uint_eq(count(text, "<p class=dim>The same order: "), 2);
    expect(text, "n = 4, t256: varies; x1 and x2 meet elsewhere under &lt;seed 3&gt;");
    free(text);
}
END_TEST

START_TEST(page_of_an_empty_run_is_whole) {
    char *text = text_from(report_write_html, sample_empty_result());
    expect(text, "Interrupted: what follows");
    expect(text, "</html>");
    free(text);
}
END_TEST

START_TEST(page_of_many_cells_stays_small) {
    struct run_result result = sample_large_result(100000);
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
    while (ftell(out) < end && lines < 100001 && fscanf(out, "%*[^\n]\n") != EOF)
        lines++;
    ck_assert_uint_eq(lines, 100001);
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
    tcase_add_test(tests, study_tells_a_busy_gpu_from_an_idle_one);
    tcase_add_test(tests, page_escapes_and_bars_what_is_not_its_own);
    tcase_add_test(tests, page_opens_with_verdict_then_failures);
    tcase_add_test(tests, page_says_first_whether_to_merge);
    tcase_add_test(tests, page_names_the_programs_that_summed);
    tcase_add_test(tests, page_folds_known_defects_with_their_reason);
    tcase_add_test(tests, page_orders_the_map_by_sums_of_some_size);
    tcase_add_test(tests, page_draws_each_order_once);
    tcase_add_test(tests, page_of_an_empty_run_is_whole);
    tcase_add_test(tests, page_of_many_cells_stays_small);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
