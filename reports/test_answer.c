// SPDX-License-Identifier: MIT
// The first screen of the page answers the question of the command that ran, and all reports say the same of a fault.
#include "reports/sample_parts.h"
#include "reports/sample_result.h"
#include "reports/test_text.h"

#include <check.h>
#include <stdlib.h>

static void set_fault(struct variant_result *variant, const char *finding, const char *detector) {
    free(variant->fault_finding);
    free(variant->fault_detector);
    variant->fault_finding = strdup(finding);
    variant->fault_detector = strdup(detector);
}

// Three planted faults, of which the last, of the sample itself, is caught.
static struct run_result selftest(const char *finding, const char *detector) {
    struct run_result result = sample_result();
    sample_set_text(&result.verdict, "5 of 7 planted faults caught.");
    for (size_t v = 0; v < 2; v++)
        set_fault(&result.variants[v], finding, detector);
    return result;
}

START_TEST(page_says_the_verdict_of_the_record) {
    char *text = text_from(report_write_html, selftest("lost elements", "nobody"));
    expect(text, "<title>Reductio: 5 of 7 planted faults caught.</title>");
    expect(text, "<h1>5 of 7 planted faults caught.</h1>");
    free(text);
    text = text_from(report_write_terminal, selftest("lost elements", "nobody"));
    ck_assert_ptr_eq(strstr(text, "5 of 7 planted faults caught.\n"), text);
    free(text);
}
END_TEST

START_TEST(page_of_a_selftest_names_what_was_missed) {
    char *text = text_from(report_write_html, selftest("lost elements", "nobody"));
    const char *answer = expect(text, "Is every planted fault caught? <b class=bad>No</b>:</p>\n<ul>\n<li>Not caught:");
    const char *end = expect(answer, "</ul>");
    ck_assert(expect(answer, "<a href=#v0>") < end && expect(answer, "<a href=#v1>evil") < end);
    refuse(text, "every claim held");
    refuse(text, "cells failed");
    ck_assert_uint_eq(count(text, "<span class=bad>missed</span>"), 2);
    expect(text, "1 of 3 rows of planted faults caught</summary>");
    free(text);
}
END_TEST

// The wrong finding in a cell's set, or one by another detector, is no catch; nor is one that does not head the cell.
START_TEST(a_catch_is_a_cell_headed_by_the_finding) {
    struct run_result result = selftest("lost elements", "nobody");
    set_fault(&result.variants[1], "wrong class", "bound"); // of cells[8]
    result.cells[8].findings |= 1u << FINDING_HUNG;
    char *text = text_from(report_write_html, result);
    ck_assert_uint_eq(count(text, "<span class=bad>missed</span>"), 1);
    free(text);
    result = selftest("lost elements", "nobody");
    set_fault(&result.variants[1], "wrong class", "bound");
    result.cells[8].head = FINDING_HUNG;
    result.cells[8].findings |= 1u << FINDING_HUNG;
    text = text_from(report_write_html, result);
    ck_assert_uint_eq(count(text, "<span class=bad>missed</span>"), 2);
    free(text);
}
END_TEST

// The detector took no part: its faults are neither caught nor missed, whatever the format.
START_TEST(faults_of_an_absent_sanitizer_are_not_tried) {
    static const struct {
        report_writer *write;
        const char *says, *never;
        size_t times;
    } formats[] = {{report_write_html, "not tried</span>", "missed</span>", 4}, // in two sections
                   {report_write_terminal, "  not tried  ", "MISSED", 2},
                   {report_write_markdown, "| not tried |", "**missed**", 2},
                   {report_write_tap, "# SKIP not tried", "not ok", 2},
                   {report_write_junit, "<skipped message=\"not tried\"/>", "<failure", 2}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char *text = text_from(formats[f].write, selftest("raced", "tsan"));
        refuse(text, formats[f].never);
        ck_assert_msg(count(text, formats[f].says) == formats[f].times, "%zu in %s", count(text, formats[f].says),
                      text);
        free(text);
    }
    char *text = text_from(report_write_html, selftest("raced", "tsan"));
    expect(text, "Is every planted fault caught? <b class=good>Yes</b>, each by the detector that it names.");
    free(text);
}
END_TEST

// Once the build of the sanitizer took part, what it did not see is missed on all backends.
START_TEST(faults_of_a_present_sanitizer_are_missed) {
    struct run_result result = selftest("raced", "tsan");
    sample_set_text(&result.variants[0].name, "same_fault");
    sample_set_text(&result.variants[1].name, "same_fault");
    sample_set_text(&result.variants[1].backend, "tsan");
    char *text = text_from(report_write_terminal, result);
    ck_assert_uint_eq(count(text, "MISSED  same_fault@"), 2);
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
    tcase_add_test(tests, page_of_a_selftest_names_what_was_missed);
    tcase_add_test(tests, a_catch_is_a_cell_headed_by_the_finding);
    tcase_add_test(tests, faults_of_an_absent_sanitizer_are_not_tried);
    tcase_add_test(tests, faults_of_a_present_sanitizer_are_missed);
    tcase_add_test(tests, page_of_hazards_asks_for_hazards);
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
