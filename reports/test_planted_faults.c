// SPDX-License-Identifier: MIT
// What came of a planted fault is said by all reports alike.
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
    for (size_t v = 0; v < 2; v++)
        set_fault(&result.variants[v], finding, detector);
    return result;
}

// Of the sample's first row no cell is bad; of its second four are, by the detector "bound".
START_TEST(page_of_a_selftest_names_what_was_not_caught) {
    char *text = text_from(report_write_html, selftest("lost elements", "nobody"));
    const char *answer = expect(text, "Is every planted fault caught? <b class=bad>No</b>:</p>\n<ul>\n<li><b>1</b> "
                                      "survived, found by no detector: <a href=#v0>tree_sequential</a>");
    const char *otherwise = expect(answer, "<li><b>1</b> found otherwise, as something else or by another detector: ");
    ck_assert(expect(otherwise, "<a href=#v1>evil") < expect(answer, "</ul>"));
    refuse(text, "every claim held");
    refuse(text, "cells failed");
    ck_assert_uint_eq(count(text, "<span class=bad>survived</span>"), 1);
    const char *row = expect(text, "<span class=bad>found otherwise</span>");
    expect(row,
           "<td>lost elements<td>nobody<td><a href=#c7>hung</a> by bound in 1 cell, <a href=#c8>wrong class</a> by "
           "bound in 1 cell, <a href=#c6>beyond bound</a> by bound in 1 cell, <a href=#c5>flushed</a> by bound in "
           "1 cell\n"); // the last of which is known
    ck_assert_uint_eq(count(text, "<span class=bad>found otherwise</span>"), 1);
    expect(text, "1 of 3 rows of planted faults caught</summary>");
    free(text);
}
END_TEST

// Either is a no.
START_TEST(a_fault_that_is_not_caught_as_named_is_a_no) {
    struct run_result result = selftest("hung", "bound"); // of the second row
    char *text = text_from(report_write_html, result);
    expect(text, "Is every planted fault caught? <b class=bad>No</b>:</p>\n<ul>\n<li><b>1</b> survived");
    refuse(text, "found otherwise</span>");
    free(text);
    result = selftest("lost elements", "nobody");
    result.cells[0].head = FINDING_DOUBLE_COUNTED;
    text = text_from(report_write_html, result);
    expect(text, "Is every planted fault caught? <b class=bad>No</b>:</p>\n<ul>\n<li><b>2</b> found otherwise");
    refuse(text, "survived</span>");
    free(text);
}
END_TEST

// A finding by two detectors is told by each.
START_TEST(what_was_found_instead_is_told_by_detector) {
    struct run_result result = selftest("lost elements", "nobody");
    for (size_t i = 5; i < 9; i++) {
        result.cells[i].head = FINDING_WRONG_CLASS;
        result.cells[i].findings = 1u << FINDING_WRONG_CLASS;
        result.cells[i].known = false;
        sample_set_text(&result.cells[i].detector, i == 6 ? "poison" : "specials");
    }
    char *text = text_from(report_write_html, result);
    expect(text, "wrong class</a> by specials in 3 cells");
    expect(text, "wrong class</a> by poison in 1 cell");
    free(text);
}
END_TEST

// The two that are not caught, each in its word, in every format.
START_TEST(all_formats_tell_what_survived_from_what_was_found_otherwise) {
    static const struct {
        report_writer *write;
        const char *survived, *otherwise;
    } formats[] = {
        {report_write_terminal, "  SURVIVED  tree_sequential@simt f32: should be found as lost elements by nobody\n",
         "  FOUND OTHERWISE  evil"},
        {report_write_markdown, "| tree&#95;sequential | simt | f32 | **survived** |",
         " | simt | f32 | **found otherwise** |"},
        {report_write_markdown, "| lost elements | nobody (**survived**) | |\n",
         "| lost elements | nobody (**found otherwise**) | "},
        {report_write_tap, "  message: \"survived: should be found as lost elements by nobody\"\n",
         "  message: \"found otherwise: should be found as lost elements by nobody\"\n"},
        {report_write_junit, "<failure type=\"survived\" message=\"should be found as lost elements by nobody\"/>",
         "<failure type=\"found otherwise\" message=\"should be found as lost elements by nobody\"/>"},
        {report_write_github, "planted fault::survived: should be found as lost elements by nobody\n",
         "planted fault::found otherwise: should be found as lost elements by nobody\n"}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char *text = text_from(formats[f].write, selftest("lost elements", "nobody"));
        ck_assert_uint_eq(count(text, formats[f].survived), 1);
        ck_assert_uint_eq(count(text, formats[f].otherwise), 1);
        free(text);
    }
}
END_TEST

// A worker that was lost may have had the cell that shows it.
START_TEST(a_fault_with_a_lost_cell_stays_open) {
    struct run_result result = selftest("flushed", "bound"); // found in cells[5], once it is no known defect
    result.cells[0].head = FINDING_NOT_CHECKED;              // of five, of which the others are good
    result.cells[0].harness_fault = strdup("worker lost");
    char *text = text_from(report_write_html, result);
    expect(text, "<header class=open>");
    expect(text, "Is every planted fault caught? <b class=known>Open</b>: not every planted fault could be "
                 "checked.</p>\n<ul>\n<li><b>1</b> not checked to the end, and not caught so far: <a "
                 "href=#v0>tree_sequential</a>");
    ck_assert_uint_eq(count(text, "<span class=none>not checked</span><td><a href=#v0>"), 1);
    free(text);
}
END_TEST

// The wrong finding in a cell's set, or one by another detector, is no catch; nor is one that does not head the cell.
START_TEST(a_catch_is_a_cell_headed_by_the_finding) {
    struct run_result result = selftest("lost elements", "nobody");
    set_fault(&result.variants[1], "wrong class", "bound"); // of cells[8]
    result.cells[8].findings |= 1u << FINDING_HUNG;
    char *text = text_from(report_write_html, result);
    refuse(text, "<span class=bad>found otherwise</span>");
    free(text);
    result = selftest("lost elements", "nobody");
    set_fault(&result.variants[1], "wrong class", "bound");
    result.cells[8].head = FINDING_HUNG;
    result.cells[8].findings |= 1u << FINDING_HUNG;
    text = text_from(report_write_html, result);
    ck_assert_uint_eq(count(text, "<span class=bad>found otherwise</span>"), 1);
    free(text);
}
END_TEST

// The detector took no part: its faults are neither caught nor have they survived, whatever the format.
START_TEST(faults_of_an_absent_sanitizer_are_not_tried) {
    static const struct {
        report_writer *write;
        const char *says, *never;
        size_t times;
    } formats[] = {{report_write_html, "not tried</span>", "survived</span>", 4}, // in two sections
                   {report_write_terminal, "  not tried  ", "SURVIVED", 2},
                   {report_write_markdown, "| not tried |", "**survived**", 2},
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
    expect(text, "<li>2 planted faults were not tried: no backend took part that must catch them\n");
    free(text);
}
END_TEST

// None of three was tried.
START_TEST(a_selftest_without_its_detectors_is_open) {
    struct run_result result = selftest("raced", "tsan");
    set_fault(&result.variants[2], "raced", "tsan");
    char *text = text_from(report_write_html, result);
    expect(text, "<header class=open>");
    expect(text, "Is every planted fault caught? <b class=known>Open</b>: no planted fault could be tried.</p>");
    refuse(text, "<b class=good>Yes</b>");
    free(text);
    result = selftest("raced", "tsan");
    set_fault(&result.variants[2], "raced", "tsan");
    text = text_from(report_write_github, result);
    expect(text, "::warning title=Reductio::");
    free(text);
}
END_TEST

// Two rows of one fault, the second on the build of its sanitizer.
static struct run_result selftest_under_tsan(void) {
    struct run_result result = selftest("raced", "tsan");
    sample_set_text(&result.variants[0].name, "same_fault");
    sample_set_text(&result.variants[1].name, "same_fault");
    sample_set_text(&result.variants[1].backend, "tsan");
    return result;
}

// Once the build of the sanitizer took part, what it did not see has survived on all backends.
START_TEST(faults_of_a_present_sanitizer_survive) {
    char *text = text_from(report_write_terminal, selftest_under_tsan());
    ck_assert_uint_eq(count(text, "FOUND OTHERWISE  same_fault@"), 2);
    free(text);
    struct run_result result = selftest_under_tsan();
    for (size_t i = 5; i < 9; i++)
        result.cells[i].head = FINDING_WITHIN_BOUND;
    result.cells[0].head = FINDING_LOST_ELEMENTS; // where it need not be found
    text = text_from(report_write_terminal, result);
    ck_assert_uint_eq(count(text, "SURVIVED  same_fault@"), 2);
    free(text);
}
END_TEST
int main(void) {
    Suite *suite = suite_create("planted faults");
    TCase *tests = tcase_create("planted faults");
    tcase_add_test(tests, page_of_a_selftest_names_what_was_not_caught);
    tcase_add_test(tests, a_fault_that_is_not_caught_as_named_is_a_no);
    tcase_add_test(tests, what_was_found_instead_is_told_by_detector);
    tcase_add_test(tests, all_formats_tell_what_survived_from_what_was_found_otherwise);
    tcase_add_test(tests, a_fault_with_a_lost_cell_stays_open);
    tcase_add_test(tests, a_catch_is_a_cell_headed_by_the_finding);
    tcase_add_test(tests, faults_of_an_absent_sanitizer_are_not_tried);
    tcase_add_test(tests, a_selftest_without_its_detectors_is_open);
    tcase_add_test(tests, faults_of_a_present_sanitizer_survive);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
