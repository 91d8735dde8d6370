// SPDX-License-Identifier: MIT
#include "harness/finding.h"

#include <check.h>
#include <stdlib.h>

// The precedence as it is documented, word by word.
static const char *const in_order[] = {"did not run",
                                       "crashed",
                                       "hung",
                                       "misused",
                                       "raced",
                                       "out of bounds",
                                       "lost elements",
                                       "double-counted",
                                       "wrong class",
                                       "flushed",
                                       "overflowed early",
                                       "beyond bound",
                                       "varied",
                                       "correctly rounded",
                                       "faithful",
                                       "within bound",
                                       "varies as claimed",
                                       "bound says nothing",
                                       "not checked"};
enum { BAD_ONES = 13 };

START_TEST(words_stand_in_order_of_precedence) {
    ck_assert_int_eq(FINDING_COUNT, sizeof in_order / sizeof *in_order);
    for (int i = 0; i < FINDING_COUNT; i++) {
        enum finding finding;
        ck_assert_str_eq(finding_word(i), in_order[i]);
        ck_assert(finding_parse(in_order[i], &finding));
        ck_assert_int_eq(finding, i);
        ck_assert_int_eq(finding_is_bad(i), i < BAD_ONES);
    }
}
END_TEST

START_TEST(other_words_are_refused) {
    enum finding finding;
    const char *words[] = {"", "crash", "Crashed", "crashed ", "lost"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert(!finding_parse(words[i], &finding));
}
END_TEST

START_TEST(worst_heads_the_set) {
    for (int head = 0; head < FINDING_COUNT; head++) {
        ck_assert_int_eq(finding_head(1U << head), head);
        for (int other = head; other < FINDING_COUNT; other++)
            ck_assert_int_eq(finding_head(1U << head | 1U << other), head);
    }
}
END_TEST

// A sanitizer's faults are caught on its build alone, all others on none of those.
START_TEST(each_fault_has_its_home) {
    static const struct {
        const char *backend, *detector;
        bool at_home;
    } pairs[] = {{"tsan", "tsan", true},  {"tsan", "asan", false}, {"asan", "bound", false}, {"simt", "tsan", false},
                 {"simt", "bound", true}, {"cuda", "guard", true}, {"asan", "asan", true}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_int_eq(fault_is_at_home(pairs[i].backend, pairs[i].detector), pairs[i].at_home);
}
END_TEST

START_TEST(claim_statuses_have_words) {
    ck_assert_str_eq(claim_status_word(CLAIM_NOT_CLAIMED), "not claimed");
    ck_assert_str_eq(claim_status_word(CLAIM_HELD), "held");
    ck_assert_str_eq(claim_status_word(CLAIM_BROKEN), "broken");
    ck_assert_str_eq(claim_status_word(CLAIM_KNOWN), "known");
    ck_assert_str_eq(claim_status_word(CLAIM_NOT_TESTED), "not tested");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("finding");
    TCase *tcase = tcase_create("finding");
    tcase_add_test(tcase, words_stand_in_order_of_precedence);
    tcase_add_test(tcase, other_words_are_refused);
    tcase_add_test(tcase, worst_heads_the_set);
    tcase_add_test(tcase, each_fault_has_its_home);
    tcase_add_test(tcase, claim_statuses_have_words);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
