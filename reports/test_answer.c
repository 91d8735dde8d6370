// SPDX-License-Identifier: MIT
// The first screen of the page answers the question of the command that ran.
#include "reports/sample_parts.h"
#include "reports/sample_result.h"
#include "reports/test_text.h"

#include <check.h>
#include <stdlib.h>

// The words of a record are not made anew.
static struct run_result with_verdict(void) {
    struct run_result result = sample_result();
    sample_set_text(&result.verdict, "5 of 7 planted faults caught.");
    return result;
}

START_TEST(page_says_the_verdict_of_the_record) {
    char *text = text_from(report_write_html, with_verdict());
    expect(text, "<title>Reductio: 5 of 7 planted faults caught.</title>");
    expect(text, "<h1>5 of 7 planted faults caught.</h1>");
    free(text);
    text = text_from(report_write_terminal, with_verdict());
    ck_assert_ptr_eq(strstr(text, "5 of 7 planted faults caught.\n"), text);
    free(text);
}
END_TEST

// Of hazards one claim is at stake, on the emulator.
START_TEST(page_of_hazards_asks_for_hazards) {
    struct run_result result = sample_result();
    sample_set_text(&result.command, "hazards");
    sample_set_text(&result.backends[0], "tsan");
    char *text = text_from(report_write_html, result);
    expect(text, "Is it free of races and of accesses out of bounds? <b class=bad>No</b>:");
    expect(text, "<strong>No GPU took part: kernels ran on simt");
    free(text);
    result = sample_result();
    sample_set_text(&result.command, "hazards");
    result.variants[1].claims[0].status = CLAIM_NOT_TESTED;
    for (size_t i = 0; i < result.cell_count; i++) {
        result.cells[i].head = FINDING_WITHIN_BOUND;
        result.cells[i].findings = 1u << FINDING_WITHIN_BOUND;
    }
    text = text_from(report_write_html, result);
    expect(text, "Is it free of races and of accesses out of bounds? <b class=good>Yes</b>");
    refuse(text, "claims were not tested");
    free(text);
}
END_TEST

// A run in which the workers of all cells were lost, or whose detector could not look anywhere, tells nothing.
static struct run_result unchecked(const char *command, const char *harness_fault) {
    struct run_result result = sample_result();
    sample_set_text(&result.command, command);
    result.variants[1].claims[0].status = CLAIM_NOT_TESTED;
    for (size_t i = 0; i < result.cell_count; i++) {
        result.cells[i].head = FINDING_NOT_CHECKED;
        result.cells[i].findings = 1u << FINDING_NOT_CHECKED;
        result.cells[i].known = false;
        result.cells[i].harness_fault = harness_fault ? strdup(harness_fault) : NULL;
    }
    return result;
}

START_TEST(a_run_without_a_checked_cell_is_open) {
    static const struct {
        const char *command, *harness_fault, *question;
    } runs[] = {{"check", "worker lost", "May I merge this?"},
                {"run", NULL, "May I merge this?"},
                {"hazards", NULL, "Is it free of races and of accesses out of bounds?"},
                {"sum", "worker lost", "Does every row keep its claims on this array?"},
                {"selftest", "worker lost", "Is every planted fault caught?"}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        char *text = text_from(report_write_html, unchecked(runs[r].command, runs[r].harness_fault));
        const char *answer = expect(text, runs[r].question);
        ck_assert_ptr_eq(expect(answer, " <b class=known>Open</b>: no cell could be checked.</p>"),
                         answer + strlen(runs[r].question));
        expect(text, "<header class=open>");
        refuse(text, "<li class=good>");
        free(text);
        text = text_from(report_write_github, unchecked(runs[r].command, runs[r].harness_fault));
        expect(text, "::warning title=Reductio::");
        free(text);
    }
}
END_TEST

START_TEST(one_checked_cell_answers) {
    static const struct {
        report_writer *write;
        const char *says;
    } formats[] = {{report_write_html, "May I merge this? <b class=good>Yes</b>"},
                   {report_write_html, "<li>9 cells could not be checked\n"},
                   {report_write_github, "::notice title=Reductio::"}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        struct run_result result = unchecked("check", "worker lost");
        result.cells[0].head = FINDING_WITHIN_BOUND;
        char *text = text_from(formats[f].write, result);
        expect(text, formats[f].says);
        free(text);
    }
}
END_TEST

START_TEST(an_open_answer_says_why) {
    static const struct {
        const char *command, *says;
        bool interrupted;
    } runs[] = {
        {"check", "May I merge this? <b class=known>Open</b>: the run was interrupted.</p>", true},
        {"check", "May I merge this? <b class=known>Open</b>: no cell was run.</p>", false},
        {"hardware", "Does the machine do as stated? <b class=known>Open</b>: no question was answered.</p>", false}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        struct run_result result = sample_empty_result();
        sample_set_text(&result.command, runs[r].command);
        result.interrupted = runs[r].interrupted;
        char *text = text_from(report_write_html, result);
        expect(text, runs[r].says);
        free(text);
    }
}
END_TEST

// Only the machine was asked; in one of the two answers it does otherwise.
static struct run_result machine(bool as_stated) {
    struct run_result full = sample_result(), result = sample_empty_result();
    result.interrupted = false;
    sample_set_text(&result.command, "hardware");
    sample_set_text(&result.verdict, "Answers.");
    result.hardware = full.hardware;
    result.hardware_count = full.hardware_count;
    full.hardware = NULL;
    full.hardware_count = 0;
    run_result_free(&full);
    result.hardware[1].as_stated = as_stated;
    return result;
}

START_TEST(page_of_the_machine_tells_of_nothing_else) {
    static const char *const of_sums[] = {"id=failures", "id=variation", "id=map",      "id=charts",
                                          "id=variants", "id=cases",     "cells failed"};
    char *text = text_from(report_write_html, machine(false));
    expect(text, "<header class=bad>");
    expect(text, "Does the machine do as stated? <b class=bad>No</b>:</p>\n<ul>\n<li><b>1</b> answer of the machine is "
                 "<a href=#hardware>not as stated</a>");
    for (size_t i = 0; i < sizeof of_sums / sizeof *of_sums; i++)
        refuse(text, of_sums[i]);
    refuse(text, "href=\"#map\"");
    expect(text, "<section id=cells hidden>");
    expect(text, "<details open><summary>The questions</summary>");
    free(text);
    text = text_from(report_write_html, machine(true));
    expect(text, "<header class=good>");
    expect(text, "Does the machine do as stated? <b class=good>Yes</b>");
    free(text);
    struct run_result early = machine(true);
    early.interrupted = true;
    text = text_from(report_write_html, early);
    expect(text, "Does the machine do as stated? <b class=known>Open</b>");
    free(text);
}
END_TEST

// The nearest row first; the exact sum before them.
START_TEST(page_of_an_array_begins_with_its_sum) {
    struct run_result result = sample_result();
    sample_set_text(&result.command, "sum");
    result.cells[3].ulps = 0.25;
    char *text = text_from(report_write_html, result);
    expect(text, "Does every row keep its claims on this array? <b class=bad>No</b>");
    const char *at = expect(text, "<section id=given>"), *end = expect(at, "</section>");
    at = expect(at, "<dt>exact sum<dd>");
    at = expect(at, "<td class=r>0.25<td>");
    at = expect(at, "<td class=r>−1.25<td>");
    ck_assert(at < end && end < expect(text, "<section id=failures>"));
    at = expect(text, "<section id=given>");
    const char *again = strstr(at, "<a href=#c1>"); // the same call again
    ck_assert(!again || again > end);
    expect(text, "; differs from call to call, as its claims allow\n");
    free(text);
    result = sample_result();
    sample_set_text(&result.command, "sum");
    result.cells[1].findings = 1u << FINDING_VARIED; // the claim is made, and broken
    text = text_from(report_write_html, result);
    expect(text, "; differs from call to call\n");
    refuse(text, "differs from call to call, as");
    free(text);
    result = sample_result();
    sample_set_text(&result.command, "sum");
    result.cells[1].differs = false;
    sample_set_patterns(&result.cells[1], result.cells[1].patterns, 1);
    text = text_from(report_write_html, result);
    refuse(text, "differs from call to call");
    free(text);
    text = text_from(report_write_html, sample_result());
    refuse(text, "id=given");
    free(text);
}
END_TEST

// Each name of an accuracy claim is explained.
START_TEST(legend_explains_each_bound) {
    static const char *const bounds[] = {
        "any order",   "height",           "Kahan",          "Kahan, merged", "compensated",
        "double word", "wide accumulator", "binned, fold 3", "faithful",      "correctly rounded"};
    char *text = text_from(report_write_html, sample_result());
    const char *legend = expect(text, "<section id=legend>");
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        char words[64];
        snprintf(words, sizeof words, "<b>%s</b>", bounds[i]);
        expect(legend, words);
    }
    expect(legend, "<dt>found by<dd><b>bound</b>: ");
    free(text);
}
END_TEST

// What a variant's claims come to is one word in all reports.
START_TEST(status_of_a_variant_is_one_word) {
    struct run_result result = sample_result();
    sample_set_text(&result.command, "check");
    sample_set_text(&result.variants[1].name, "excused");
    result.variants[1].claims[0].status = CLAIM_KNOWN;
    for (size_t i = 0; i < result.cell_count; i++)
        if (result.cells[i].variant == 1)
            result.cells[i].known = true;
    char *text = text_from(report_write_markdown, result);
    expect(text, "| excused | simt | f32 | known |");
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("answer");
    TCase *tests = tcase_create("answer");
    tcase_add_test(tests, page_says_the_verdict_of_the_record);
    tcase_add_test(tests, page_of_hazards_asks_for_hazards);
    tcase_add_test(tests, a_run_without_a_checked_cell_is_open);
    tcase_add_test(tests, one_checked_cell_answers);
    tcase_add_test(tests, an_open_answer_says_why);
    tcase_add_test(tests, page_of_the_machine_tells_of_nothing_else);
    tcase_add_test(tests, page_of_an_array_begins_with_its_sum);
    tcase_add_test(tests, legend_explains_each_bound);
    tcase_add_test(tests, status_of_a_variant_is_one_word);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
