// SPDX-License-Identifier: MIT
// Golden facts of the page: what it must say, in which order, and that hostile text stays text.
#include "reports/sample_result.h"
#include "reports/series.h"
#include "reports/svg.h"
#include "reports/test_text.h"
#include "reports/text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

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

// What a row is and where it comes from are two sentences.
START_TEST(page_says_where_a_row_was_published) {
    char *text = text_from(report_write_html, good_result());
    expect(text, "</p>\n<p class=dim>Published: first tutorial, v2.</p>");
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
    expect(known,
           ": 1 of 4 cells, as known: <span class=dim>upstream issue, accepted &lt;until&gt; fixed</span></summary>");
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

START_TEST(page_charts_each_type_that_ran) {
    struct run_result result = sample_large_result(2000);
    for (size_t v = 0; v < result.variant_count; v++)
        if (!strcmp(result.variants[v].type, "f32"))
            replace(&result.variants[v].type, "bf16:f16");
    for (size_t d = 0; d < result.dataset_count; d++)
        if (!strcmp(result.datasets[d].type, "f32"))
            replace(&result.datasets[d].type, "bf16");
    char *text = text_from(report_write_html, result);
    static const char *const titles[] = {": relative error against condition number", ": err/(u·A) against n, on ",
                                         ": accuracy against throughput"};
    for (size_t t = 0; t < sizeof titles / sizeof *titles; t++) {
        char wide[96], narrow[96];
        snprintf(wide, sizeof wide, "f64%s", titles[t]);
        snprintf(narrow, sizeof narrow, "bf16:f16%s", titles[t]);
        ck_assert_uint_gt(count(text, wide), 0);
        ck_assert_uint_eq(count(text, narrow), count(text, wide));
        ck_assert_uint_eq(count(text, titles[t]), 2 * count(text, wide)); // and of no third type
    }
    free(text);
    // What a result is rounded to counts: f16 has 11 bits, bf16 8 (IEEE 754-2019, table 3.5; half of an f32).
    ck_assert_double_eq(unit_roundoff("bf16:f16"), 0x1p-11);
    ck_assert_double_eq(unit_roundoff("bf16"), 0x1p-8);
    ck_assert_double_eq(unit_roundoff("f32"), 0x1p-24);
    ck_assert_double_eq(unit_roundoff("f32:f64"), 0x1p-53);
    ck_assert_double_nan(unit_roundoff("f8"));
}
END_TEST

// Ties go to the nearest in IEEE arithmetic: half an ulp low is as well rounded as half an ulp high.
START_TEST(page_counts_both_ties_as_rounded) {
    struct run_result result = sample_large_result(2000);
    for (size_t i = 0; i < result.cell_count; i++)
        result.cells[i].ulps = i % 2 ? 0.5 : -0.5;
    char *text = text_from(report_write_html, result);
    expect(text, "<td class=r>−½<td class=r>½<td class=r>");
    ck_assert_uint_eq(count(text, "<td class=r>−2<td class=r>−½<td class=r>0\n"),
                      count(text, "<td class=r>−2<td class=r>−½"));
    ck_assert_uint_eq(count(text, "<td class=r>½<td class=r>2<td class=r>0\n"),
                      count(text, "<td class=r>½<td class=r>2<td"));
    free(text);
}
END_TEST

START_TEST(page_leaves_out_charts_of_exact_sums) {
    struct run_result result = sample_large_result(2000);
    for (size_t i = 0; i < result.cell_count; i++)
        if (!strcmp(result.variants[result.cells[i].variant].type, "f32"))
            result.cells[i].relative_error = result.cells[i].error_over_uA = 0;
    char *text = text_from(report_write_html, result);
    refuse(text, "f32: relative error");
    refuse(text, "f32: err/(u·A)");
    expect(text, "f64: relative error");
    expect(text, "f64: err/(u·A)");
    free(text);
}
END_TEST

// The mark in an item of a key: "<li><svg …><path class="mark s0" d="M7.0 6.0m-4 0…"/></svg> name".
static char *read_mark(const char *item) {
    const char *from = expect(item, "<path class=\"mark "), *to = expect(from, "\"/>");
    return strndup(from, (size_t)(to - from));
}

static char *write_mark(unsigned mark, const char *name) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    write_series_item(mark, name, "", out);
    fclose(out);
    return text;
}

START_TEST(marks_are_the_names_own) {
    struct series series;
    char *marks[SVG_MARKS];
    ck_assert(series_make(&series, SVG_MARKS));
    for (unsigned m = 0; m < SVG_MARKS; m++) {
        char name[16];
        snprintf(name, sizeof name, "row%u", m / 2);
        unsigned got = series_mark(&series, m % 2 ? SERIES_CLAIM : SERIES_VARIANT, strdup(name));
        ck_assert_uint_eq(got, m); // a claim and a variant of one name are two things
        char *item = write_mark(got, name);
        marks[m] = read_mark(item);
        free(item);
        for (unsigned other = 0; other < m; other++)
            ck_assert_str_ne(marks[other], marks[m]);
    }
    ck_assert_uint_eq(series_mark(&series, SERIES_VARIANT, "row3"), 6);
    ck_assert_uint_eq(series_mark(&series, SERIES_CLAIM, "row3"), 7);
    for (size_t m = 0; m < SVG_MARKS; m++) {
        free((char *)series.names[m].name);
        free(marks[m]);
    }
    series_free(&series);
}
END_TEST

// f64 has one claim less than f32, and the claims come in another order.
static struct run_result result_of_unlike_types(void) {
    struct run_result result = sample_large_result(4000);
    for (size_t v = 0; v < result.variant_count; v++)
        if (!strcmp(result.variants[v].type, "f64"))
            replace(&result.variants[v].claims[0].value, v < 8 ? "double word" : "any order");
    return result;
}

// Of every chart's key: a name has one mark all over the page.
START_TEST(page_gives_each_claim_one_mark) {
    static const char *const claims[] = {"height", "any order", "double word"};
    char *text = text_from(report_write_html, result_of_unlike_types());
    for (size_t c = 0; c < sizeof claims / sizeof *claims; c++) {
        char words[64], *mark = NULL;
        size_t charts = 0;
        snprintf(words, sizeof words, "</svg> %s<", claims[c]);
        for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
            const char *item = at;
            while (strncmp(item, "<li>", 4) != 0)
                item--;
            char *found = read_mark(item);
            if (mark)
                ck_assert_str_eq(found, mark);
            free(mark);
            mark = found;
            charts++;
        }
        ck_assert_uint_ge(charts, 2);
        free(mark);
    }
    free(text);
}
END_TEST

START_TEST(page_shows_what_schedules_did_to_a_sum) {
    char *text = text_from(report_write_html, sample_result());
    // 0x44001000 is 512.25, 0x44001003 three ulps of 2^-14 above: 1 - |S/S1| = -3.574e-7.
    const char *row = expect(expect(text, "id=variation"), "3 in 16");
    ck_assert(expect(row, "<td class=r>3<td class=r>−3.57e-07<td>more than one result is reachable") < row + 120);
    free(text);
}
END_TEST

// 13 of 16 results were 0x44001000. The emulator's schedules are no sample of anything; calls of a program are.
START_TEST(page_counts_how_often_a_program_gave_a_result) {
    struct run_result result = sample_result();
    char *text = text_from(report_write_html, result);
    refuse(text, "the commonest in");
    free(text);
    result = sample_result();
    replace(&result.variants[0].backend, "exec");
    text = text_from(report_write_html, result);
    expect(expect(text, "id=variation"), "<td>the commonest in 81.2 % of runs");
    free(text);
}
END_TEST

START_TEST(page_folds_many_notes) {
    struct run_result result = good_result();
    char *text = text_from(report_write_html, result);
    refuse(text, " notes</summary>");
    free(text);
    result = good_result();
    for (size_t i = 0; i < result.note_count; i++)
        free(result.notes[i]);
    free(result.notes);
    result.note_count = 5;
    result.notes = calloc(result.note_count, sizeof *result.notes);
    ck_assert_ptr_nonnull(result.notes);
    for (size_t i = 0; i < result.note_count; i++)
        result.notes[i] = strdup("<said>");
    text = text_from(report_write_html, result);
    expect(expect(text, "<details><summary>5 notes</summary>"), "<p class=note>&lt;said&gt;</p>");
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

int main(void) {
    Suite *suite = suite_create("html");
    TCase *tests = tcase_create("html");
    tcase_add_test(tests, page_escapes_and_bars_what_is_not_its_own);
    tcase_add_test(tests, page_opens_with_verdict_then_failures);
    tcase_add_test(tests, page_says_first_whether_to_merge);
    tcase_add_test(tests, page_names_the_programs_that_summed);
    tcase_add_test(tests, page_says_where_a_row_was_published);
    tcase_add_test(tests, page_folds_known_defects_with_their_reason);
    tcase_add_test(tests, page_orders_the_map_by_sums_of_some_size);
    tcase_add_test(tests, page_draws_each_order_once);
    tcase_add_test(tests, page_charts_each_type_that_ran);
    tcase_add_test(tests, page_counts_both_ties_as_rounded);
    tcase_add_test(tests, page_leaves_out_charts_of_exact_sums);
    tcase_add_test(tests, marks_are_the_names_own);
    tcase_add_test(tests, page_gives_each_claim_one_mark);
    tcase_add_test(tests, page_shows_what_schedules_did_to_a_sum);
    tcase_add_test(tests, page_counts_how_often_a_program_gave_a_result);
    tcase_add_test(tests, page_folds_many_notes);
    tcase_add_test(tests, page_of_an_empty_run_is_whole);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
