// SPDX-License-Identifier: MIT
#include "text/foreign_text.h"

#include <check.h>
#include <string.h>

static const struct {
    const char *text, *clean;
} foreign[] = {
    {"plain text, sum \xc3\xbc, \xe2\x82\xac, \xf0\x9f\x98\x80",
     "plain text, sum \xc3\xbc, \xe2\x82\xac, \xf0\x9f\x98\x80"},
    {"\033[31mred\033[0m\a\b\r", "?[31mred?[0m???"},
    {"two\nlines\tand \x7f", "two lines and ?"},
    {"C1 \xc2\x9b"
     "31m and \x9b"
     "31m",
     "C1 ??31m and ?31m"},                                                             // CSI in UTF-8 and in Latin-1
    {"\xc0\xaf \xe0\x80\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xff", "?? ??? ??? ???? ?"}, // Unicode 15.0, table 3-7
    {"cut \xe2\x82", "cut ??"},
};

START_TEST(foreign_text_is_cleaned) {
    char text[64];
    ck_assert_uint_lt(strlen(foreign[_i].text), sizeof text);
    strcpy(text, foreign[_i].text);
    text_clean(text, strlen(text));
    ck_assert_str_eq(text, foreign[_i].clean);
}
END_TEST

START_TEST(lines_stay_lines) {
    char text[] = "a\n\033b\n\nc";
    text_clean_lines(text);
    ck_assert_str_eq(text, "a\n?b\n\nc");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("foreign text");
    TCase *tests = tcase_create("foreign text");
    tcase_add_loop_test(tests, foreign_text_is_cleaned, 0, sizeof foreign / sizeof *foreign);
    tcase_add_test(tests, lines_stay_lines);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
