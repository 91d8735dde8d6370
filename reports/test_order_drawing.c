// SPDX-License-Identifier: MIT
// Pictures of orders of additions: what is drawn, and that a formula that is none draws nothing.
#include "reports/order_drawing.h"
#include "reports/test_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static json_t *order_of(const char *formula) {
    json_t *order = json_pack("{si ss ss si ss ss ss}", "n", 4, "shape", "t256", "kind", "tree", "height", 2, "hash",
                              "0xabc", "formula", formula, "why", "<b>");
    ck_assert_ptr_nonnull(order);
    return order;
}

static char *drawn(const json_t *order) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    order_drawing_write(order, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static double height_of(const char *formula) {
    json_t *order = order_of(formula);
    double width, height;
    ck_assert_msg(order_drawing_size(order, &width, &height), "%s", formula);
    json_decref(order);
    return height;
}

START_TEST(terms_stand_in_the_order_of_the_formula) {
    json_t *order = order_of("((x0+x2)+(x1+x3))");
    char *text = drawn(order);
    const char *at = text;
    static const char *const labels[] = {">0</text>", ">2</text>", ">1</text>", ">3</text>"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        ck_assert_ptr_nonnull(at = strstr(at, labels[i]));
    ck_assert_uint_eq(count(text, "<text"), 4);
    // three additions, each a dot; lines from two children and across
    ck_assert_uint_eq(count(text, "h0"), 3);
    ck_assert_uint_eq(count(text, "V"), 6);
    free(text);
    json_decref(order);
}
END_TEST

START_TEST(a_chain_is_as_high_as_it_is_long) {
    // two, three and four additions on top of each other, a step each
    double two = height_of("((x0+x1)+(x2+x3))"), three = height_of("(((x0+x1)+x2)+x3)");
    ck_assert_double_eq_tol(height_of("((((x0+x1)+x2)+x3)+x4)") - three, three - two, 1e-9);
    ck_assert_double_eq_tol(two - height_of("(x0+x1+x2+x3)"), three - two, 1e-9); // four terms at once: one level
}
END_TEST

START_TEST(what_is_no_formula_is_not_drawn) {
    static const char *const refused[] = {"",          "x0",
                                          "(x0)",      "(x0+x1",
                                          "(x0+x1))",  "(x0+)",
                                          "(x0+y1)",   "((x0+x1)",
                                          "(x0+x1)x2", "()",
                                          "(x+x1)",    "(x0 + x1)",
                                          "(x0+-1)",   "(x0+x9999999999)",
                                          "((x0+x1))", "</path><script>"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        json_t *order = order_of(refused[i]);
        double width, height;
        ck_assert_msg(!order_drawing_size(order, &width, &height), "%s", refused[i]);
        char *text = drawn(order);
        ck_assert_str_eq(text, "");
        free(text);
        json_decref(order);
    }
}
END_TEST

// "(((x0+x1)+x2)+…" of n terms
static char *chain(size_t n) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 1; i < n; i++)
        fputc('(', out);
    fputs("x0", out);
    for (size_t i = 1; i < n; i++)
        fprintf(out, "+x%zu)", i);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

START_TEST(too_many_terms_are_not_drawn) {
    static const size_t sizes[] = {ORDER_DRAWING_TERMS, ORDER_DRAWING_TERMS + 1, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *formula = chain(sizes[i]);
        json_t *order = order_of(formula);
        double width, height;
        ck_assert_int_eq(order_drawing_size(order, &width, &height), sizes[i] <= ORDER_DRAWING_TERMS);
        json_decref(order);
        free(formula);
    }
}
END_TEST

START_TEST(a_caption_says_kind_height_and_why) {
    json_t *order = order_of("(x0+x1)");
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    order_write_caption(order, out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, "n = 4, t256: tree, height 2, hash 0xabc; &lt;b&gt;");
    free(text);
    json_decref(order);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("order drawing");
    TCase *tests = tcase_create("order drawing");
    tcase_add_test(tests, terms_stand_in_the_order_of_the_formula);
    tcase_add_test(tests, a_chain_is_as_high_as_it_is_long);
    tcase_add_test(tests, what_is_no_formula_is_not_drawn);
    tcase_add_test(tests, too_many_terms_are_not_drawn);
    tcase_add_test(tests, a_caption_says_kind_height_and_why);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
