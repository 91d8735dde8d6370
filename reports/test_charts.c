// SPDX-License-Identifier: MIT
// What stands on the charts and beside them is readable, and true of what is drawn.
#include "reports/sample_parts.h"
#include "reports/sample_result.h"
#include "reports/svg.h"
#include "reports/test_text.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LETTER_HEIGHT = 9 };

// Errors of a few units over a decade of n: the guides √n and log₂ n leave the picture where it begins.
static struct run_result steep_result(void) {
    static const uint64_t sizes[] = {33, 129, 257, 1025};
    struct run_result result = sample_large_result(2000);
    for (size_t d = 0; d < result.dataset_count; d++)
        sample_set_text(&result.datasets[d].values, "uniform");
    for (size_t i = 0; i < result.cell_count; i++) {
        result.cells[i].n = sizes[i % 4];
        result.cells[i].error_over_uA = 0.06 * (double)(1 + i % 50); // up to 3
    }
    return result;
}

START_TEST(labels_stay_inside_the_picture) {
    char *text = text_from(report_write_html, steep_result());
    const char *at = expect(text, "err/(u·A) against n");
    size_t labels = 0;
    for (; (at = strstr(at, "<text x=")); at++) {
        double x, y;
        if (sscanf(at, "<text x=%lf y=%lf", &x, &y) != 2)
            continue;
        ck_assert_msg(y >= LETTER_HEIGHT && x >= LETTER_HEIGHT, "cut off: %.80s", at);
        labels++;
    }
    ck_assert_uint_gt(labels, 20);
    free(text);
}
END_TEST

START_TEST(counts_are_written_out) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    struct svg_frame frame = svg_frame_of_size(out, 560, 190);
    frame.x = (struct svg_axis){.high = 1, .bare = true, .label = "x"};
    frame.y = (struct svg_axis){.high = 16000, .whole = true, .label = "cells"};
    svg_open(&frame, "counts");
    svg_close(&frame);
    fclose(out);
    expect(text, ">5000<");
    expect(text, ">15000<");
    refuse(text, "e+");
    free(text);
}
END_TEST

START_TEST(results_without_a_bar_are_told) {
    struct run_result result = sample_result();
    result.cells[1].patterns[2].ulps = NAN;
    char *text = text_from(report_write_html, result);
    expect(text, "<p>1 of the 3 patterns is no finite number and has no bar.</p>");
    free(text);
    result = sample_result();
    for (size_t p = 0; p < result.cells[1].pattern_count; p++)
        result.cells[1].patterns[p].ulps = p ? NAN : INFINITY;
    result.cells[0].patterns[0].ulps = INFINITY; // of the first of these, in the base cell
    text = text_from(report_write_html, result);
    refuse(text, "Run to run:"); // there would be nothing on it
    expect(text, "<p>1 more varied, other types of these among them and such as gave no finite number;");
    free(text);
}
END_TEST

START_TEST(errors_are_held_to_a_bound_that_may_not_be_claimed) {
    struct run_result result = sample_result();
    sample_set_text(&result.command, "check");
    sample_set_text(&result.variants[0].claims[0].value, "any order (not claimed)");
    char *text = text_from(report_write_html, result);
    expect(text, "Signed error of sums held to “any order (not claimed)”");
    refuse(text, "sums that claim");
    free(text);
}
END_TEST

START_TEST(one_ulp_is_one) {
    struct run_result result = sample_result();
    sample_set_text(&result.command, "check");
    result.cells[5].known = false;
    result.cells[5].ulps = -1;
    char *text = text_from(report_write_html, result);
    expect(text, "<dt>error<dd>−1 ulp; err/bound");
    free(text);
    result = sample_result();
    result.cells[5].known = false;
    result.cells[5].ulps = -1;
    text = text_from(report_write_terminal, result);
    expect(text, "error    -1 ulp, bound");
    free(text);
}
END_TEST

// Of a bench the times are what was asked for.
START_TEST(charts_of_a_bench_begin_with_times) {
    struct run_result result = sample_large_result(2000);
    char *text = text_from(report_write_html, result);
    const char *error = expect(text, "err/(u·A) against n"), *speed = expect(text, "accuracy against throughput");
    ck_assert(error < speed);
    free(text);
    result = sample_large_result(2000);
    sample_set_text(&result.command, "bench");
    text = text_from(report_write_html, result);
    error = expect(text, "err/(u·A) against n");
    speed = expect(text, "accuracy against throughput");
    ck_assert(speed < error);
    ck_assert_uint_eq(count(text, "f32: accuracy against throughput</figcaption>"), 1);
    expect(text, "<path class=lead d=");
    free(text);
}
END_TEST

START_TEST(a_busy_gpu_has_a_column_where_there_was_one) {
    char *text = text_from(report_write_html, sample_result());
    refuse(text, "<th class=r>busy GPU");
    free(text);
    struct run_result result = sample_result();
    sample_set_text(&result.variants[0].backend, "cuda");
    sample_set_text(&result.cells[1].schedule, "busy50");
    text = text_from(report_write_html, result);
    const char *row = expect(expect(text, "<th class=r>busy GPU"), "3 in 16");
    expect(row, "<td class=r>3 in 8");
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("charts");
    TCase *tests = tcase_create("charts");
    tcase_add_test(tests, labels_stay_inside_the_picture);
    tcase_add_test(tests, counts_are_written_out);
    tcase_add_test(tests, results_without_a_bar_are_told);
    tcase_add_test(tests, errors_are_held_to_a_bound_that_may_not_be_claimed);
    tcase_add_test(tests, one_ulp_is_one);
    tcase_add_test(tests, charts_of_a_bench_begin_with_times);
    tcase_add_test(tests, a_busy_gpu_has_a_column_where_there_was_one);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
