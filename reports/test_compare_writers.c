// SPDX-License-Identifier: MIT
// How a comparison is told.
#include "reports/sample_result.h"
#include "reports/test_pair.h"
#include "reports/test_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char message[REPORT_MESSAGE];

// By a writer, or as a terminal shows it, with one cell.
static char *written(const struct comparison *comparison, comparison_writer *writer) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (writer)
        ck_assert_msg(writer(comparison, out, message), "%s", message);
    else
        comparison_write_terminal(comparison, 1, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(text_names_environment_counts_and_cells) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    set(cell_at(pair.after, 7), "head", json_string("faithful"));
    set(json_object_get(pair.after, "environment"), "cpu", json_string("<b>"));
    compare(&pair);
    char *text = written(&pair.comparison, NULL), *markdown = written(&pair.comparison, comparison_write_markdown);
    ck_assert_ptr_eq(strstr(text, "cpu: A <processor> & co -> <b>\nThe environments differ"), text);
    ck_assert_ptr_nonnull(strstr(text, "1 WORSE, 0 GONE, 0 AMBIGUOUS, 1 BETTER, 0 NEW, 8 SAME"));
    ck_assert_ptr_nonnull(strstr(text, "WORSE     tree_sequential@simt/f32/uniform/1025"));
    ck_assert_ptr_nonnull(strstr(text, "and 1 more"));
    ck_assert_ptr_nonnull(strstr(markdown, "## Reductio: regression"));
    ck_assert_ptr_nonnull(strstr(markdown, "| BETTER | <code>evil&#60;/script&#62;"));
    ck_assert_ptr_null(strstr(markdown, "<b>"));
    free(text);
    free(markdown);
    drop(&pair);
}
END_TEST

START_TEST(json_holds_counts_and_what_changed) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    ck_assert_int_eq(json_array_remove(json_object_get(pair.after, "cells"), 9), 0);
    compare(&pair);
    char *text = written(&pair.comparison, comparison_write_json);
    json_t *json = json_loads(text, 0, NULL);
    ck_assert_msg(json != NULL, "%s", text);
    ck_assert(json_is_true(json_object_get(json, "regression")));
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(json, "counts"), "WORSE")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(json, "counts"), "SAME")), 8);
    json_t *cells = json_object_get(json, "cells");
    ck_assert_uint_eq(json_array_size(cells), 2);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(cells, 0), "change")), "WORSE");
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(cells, 1), "change")), "GONE");
    json_decref(json);
    free(text);
    drop(&pair);
}
END_TEST

START_TEST(page_shows_environment_map_and_cells_as_text) {
    struct pair pair;
    make_pair(&pair);
    set_bits(cell_at(pair.after, 0), "0x44001005", "0.5");
    set(cell_at(pair.after, 7), "head", json_string("faithful"));
    set(json_object_get(pair.after, "environment"), "cpu", json_string("<b>"));
    compare(&pair);
    char *text = written(&pair.comparison, comparison_write_html);
    static const char *const order[] = {
        "<h1>Regression: 1 WORSE, 0 GONE, 0 AMBIGUOUS, 1 BETTER, 0 NEW, 8 SAME<", "id=environment",
        "<tr><th>cpu<td>A &lt;processor&gt; &amp; co<td>&lt;b&gt;", "id=map",
        // log10 of 0.25 and of 0.5
        "<td class=cx>−0.6&nbsp;→&nbsp;−0.3<br>1&nbsp;WORSE", "id=cells",
        "<td class=cx>WORSE<td><code>tree_sequential@simt/<wbr>f32/<wbr>uniform/<wbr>1025/",
        "<td>bits 0x44001000 → 0x44001005; err/bound 0.25 → 0.5<td>",
        "<td class=c1>BETTER<td><code>evil&lt;/<wbr>script&gt;", "id=legend", "</html>"};
    const char *at = text;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *found = strstr(at, order[i]);
        ck_assert_msg(found != NULL, "no \"%s\" in its place", order[i]);
        at = found;
    }
    ck_assert_uint_eq(count(text, "<script"), 0);
    ck_assert_uint_eq(count(text, "<img"), 0);
    ck_assert_uint_eq(count(text, "->"), 0);
    ck_assert_uint_eq(count(text, "default-src 'none'; style-src 'sha256-"), 1);
    free(text);
    drop(&pair);
}
END_TEST

START_TEST(another_order_of_additions_is_told_and_is_no_regression) {
    struct pair pair;
    make_pair(&pair);
    compare(&pair);
    ck_assert_uint_eq(json_array_size(pair.comparison.orders), 0);
    comparison_free(&pair.comparison);
    set(order_at(pair.after, 0), "hash", json_string("0xdef"));
    set(order_at(pair.after, 0), "height", json_integer(3));
    set(order_at(pair.after, 0), "formula", json_string("(((x0+x1)+x2)+x3)"));
    set_bits(cell_at(pair.after, 0), "0x44001002", "0.25");
    compare(&pair);
    ck_assert_uint_eq(json_array_size(pair.comparison.orders), 1); // the one of four terms, of the one variant
    ck_assert(!comparison_regressed(&pair.comparison));
    ck_assert_str_eq(pair.comparison.cells[0].why, "bits 0x44001000 -> 0x44001002, another order of additions");
    char *text = written(&pair.comparison, NULL), *markdown = written(&pair.comparison, comparison_write_markdown);
    char *json = written(&pair.comparison, comparison_write_json),
         *page = written(&pair.comparison, comparison_write_html);
    ck_assert_ptr_nonnull(strstr(text,
                                 "order of additions changed: tree_sequential@simt/f32, n = 4, t256: tree -> tree, "
                                 "height 2 -> 3\n  before ((x0+x2)+(x1+x3))\n  after  (((x0+x1)+x2)+x3)\n"));
    ck_assert_ptr_nonnull(strstr(markdown, "- order of additions changed: <code>tree&#95;sequential"));
    ck_assert_ptr_nonnull(strstr(json, "{\"variant\":\"tree_sequential@simt/f32\",\"before\":{\"n\":4,"));
    ck_assert_uint_eq(count(page, "<path class=order"), 2);
    free(text);
    free(markdown);
    free(json);
    free(page);
    drop(&pair);
}
END_TEST

START_TEST(empty_runs_compare) {
    struct pair pair;
    struct run_result result = sample_empty_result();
    pair.before = report_of_result(&result, message);
    pair.after = json_deep_copy(pair.before);
    run_result_free(&result);
    compare(&pair);
    ck_assert(!comparison_regressed(&pair.comparison));
    ck_assert_uint_eq(comparison_changed_variants(&pair.comparison), 0);
    char *text = written(&pair.comparison, comparison_write_html);
    ck_assert_ptr_nonnull(strstr(text, "<p>None.</p>"));
    ck_assert_ptr_nonnull(strstr(text, "are the same; only times on a GPU are compared, and here are none.</p>"));
    ck_assert_ptr_nonnull(strstr(text, "<tr><th>interrupted<td>yes<td>yes"));
    free(text);
    drop(&pair);
}
END_TEST

START_TEST(a_comparison_of_many_cells_stays_small) {
    struct pair pair;
    struct run_result result = sample_large_result(30000);
    pair.before = report_of_result(&result, message);
    pair.after = json_deep_copy(pair.before);
    run_result_free(&result);
    for (size_t i = 0; i < 30000; i += 2)
        set_bits(cell_at(pair.after, i), "0x1", "inf");
    compare(&pair);
    char *page = written(&pair.comparison, comparison_write_html);
    char *markdown = written(&pair.comparison, comparison_write_markdown);
    ck_assert_uint_lt(strlen(page), 2 << 20);
    ck_assert_uint_lt(strlen(markdown), 100000);
    ck_assert_uint_eq(count(markdown, "<code>"), 20);
    ck_assert_ptr_nonnull(strstr(page, " more that are "));
    free(page);
    free(markdown);
    drop(&pair);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("compare writers");
    TCase *tests = tcase_create("compare writers");
    tcase_add_test(tests, text_names_environment_counts_and_cells);
    tcase_add_test(tests, json_holds_counts_and_what_changed);
    tcase_add_test(tests, page_shows_environment_map_and_cells_as_text);
    tcase_add_test(tests, another_order_of_additions_is_told_and_is_no_regression);
    tcase_add_test(tests, empty_runs_compare);
    tcase_add_test(tests, a_comparison_of_many_cells_stays_small);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
