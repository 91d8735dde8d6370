// SPDX-License-Identifier: MIT
#include "harness/cards.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char message[BACKEND_MESSAGE];

static const struct variant_card *find_card(const struct variant_card *cards, size_t count, const char *name,
                                            const char *type) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(cards[i].name, name) == 0 && strcmp(cards[i].type, type) == 0)
            return &cards[i];
    ck_abort_msg("no card of %s %s", name, type);
}

START_TEST(cards_say_what_the_descriptor_says) {
    struct variant_card *cards;
    size_t count;
    ck_assert_msg(cards_load(&(struct worker_command){.path = TEST_WORKER}, 20, &cards, &count, message) == CARDS_FINE,
                  "%s", message);
    const struct variant_card *right = find_card(cards, count, "test_variant_right", "f32:f64");
    ck_assert_str_eq(right->backend, "host");
    ck_assert_str_eq(right->summary, "Left to right.");
    ck_assert_str_eq(right->origin, "");
    ck_assert_uint_eq(right->accuracy, REDUCTIO_HEIGHT);
    ck_assert_uint_eq(right->has_height, 1);
    ck_assert_uint_eq(right->has_atomics, 0);
    ck_assert_uint_eq(right->shape_count, 1);
    ck_assert_uint_eq(right->shapes[0].threads, 1);
    find_card(cards, count, "test_variant_right", "f32");
    find_card(cards, count, "test_variant_right", "f64");
    const struct variant_card *faulty = find_card(cards, count, "drops_element", "f32");
    ck_assert_str_eq(faulty->fault_finding, "lost elements");
    ck_assert_str_eq(faulty->fault_detector, "coverage map");
    ck_assert_uint_eq(faulty->max_n, 1000);
    free(cards);
}
END_TEST

START_TEST(environment_is_read) {
    struct environment_line *lines;
    size_t count;
    ck_assert_int_eq(environment_load(&(struct worker_command){.path = TEST_WORKER}, 0, 20, &lines, &count, message),
                     CARDS_FINE);
    ck_assert_uint_ge(count, 1);
    ck_assert_str_eq(lines[0].key, "compiler");
#ifdef __clang__
    ck_assert_ptr_nonnull(strstr(lines[0].value, __clang_version__)); // __VERSION__ has the vendor's name as well
#else
    ck_assert_ptr_nonnull(strstr(lines[0].value, __VERSION__));
#endif
    environment_free(lines, count);
}
END_TEST

START_TEST(missing_device_is_told_apart) {
    struct environment_line *lines;
    size_t count;
    ck_assert_int_eq(environment_load(&(struct worker_command){.path = TEST_WORKER}, 5, 20, &lines, &count, message),
                     CARDS_NO_DEVICE);
    ck_assert_str_eq(message, "The host is device 0 and the only one; device 5 was asked for.");
}
END_TEST

static const struct {
    const char *mode;
    enum cards_answer answer;
    const char *message;
} mishaps[] = {
    {"hang", CARDS_LATE, FAKE_WORKER " --cards did not answer within 0.3 s."},
    {"half", CARDS_FAILED, FAKE_WORKER " --cards answered what is no list of cards of version 7."},
    {"no device", CARDS_NO_DEVICE, "There is no GPU here."},
    {"fail", CARDS_FAILED, FAKE_WORKER " --cards ended with exit code 4: Something broke."},
};

START_TEST(mishaps_are_sentences) {
    struct variant_card *cards;
    size_t count;
    double limit = strcmp(mishaps[_i].mode, "hang") == 0 ? 0.3 : 20;
    setenv("FAKE_CARDS", mishaps[_i].mode, 1);
    ck_assert_int_eq(cards_load(&(struct worker_command){.path = FAKE_WORKER}, limit, &cards, &count, message),
                     mishaps[_i].answer);
    ck_assert_str_eq(message, mishaps[_i].message);
    ck_assert_ptr_null(cards);
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(missing_worker_is_named) {
    struct variant_card *cards;
    size_t count;
    ck_assert_int_eq(cards_load(&(struct worker_command){.path = "/nonexistent/worker"}, 1, &cards, &count, message),
                     CARDS_LOST);
    ck_assert_str_eq(message, "Cannot execute /nonexistent/worker: No such file or directory.");
}
END_TEST

START_TEST(worker_explains_its_usage) {
    struct {
        const char *arguments;
        int code;
    } calls[] = {
        {"", WORKER_USAGE},
        {"--nonsense", WORKER_USAGE},
        {"--serve a", WORKER_USAGE},
        {"--serve a b", WORKER_USAGE},
        {"--serve a b --socket x", WORKER_USAGE},
        {"--environment --device", WORKER_USAGE},
        {"--environment --device 5", WORKER_NO_DEVICE},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char command[4096];
        snprintf(command, sizeof command, "%s %s 2>/dev/null", TEST_WORKER, calls[i].arguments);
        ck_assert_int_eq(WEXITSTATUS(system(command)), calls[i].code);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cards");
    TCase *tcase = tcase_create("cards");
    tcase_add_test(tcase, cards_say_what_the_descriptor_says);
    tcase_add_test(tcase, environment_is_read);
    tcase_add_test(tcase, missing_device_is_told_apart);
    tcase_add_loop_test(tcase, mishaps_are_sentences, 0, sizeof mishaps / sizeof *mishaps);
    tcase_add_test(tcase, missing_worker_is_named);
    tcase_add_test(tcase, worker_explains_its_usage);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
