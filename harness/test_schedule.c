// SPDX-License-Identifier: MIT
#include "harness/schedule.h"

#include <check.h>
#include <stdlib.h>

static const struct {
    const char *text;
    struct schedule schedule;
} NAMED[] = {
    {"hw", {.kind = SCHEDULE_HARDWARE}},
    {"inorder", {.kind = SCHEDULE_IN_ORDER}},
    {"reversed", {.kind = SCHEDULE_REVERSED}},
    {"seed0", {.kind = SCHEDULE_SEEDED, .seed = 0}},
    {"seed18446744073709551615", {.kind = SCHEDULE_SEEDED, .seed = UINT64_MAX}},
    {"ascending", {.kind = SCHEDULE_ASCENDING}},
    {"descending", {.kind = SCHEDULE_DESCENDING}},
    {"lastblock3", {.kind = SCHEDULE_LAST_BLOCK, .seed = 3}},
    {"apart", {.kind = SCHEDULE_LANES_APART}},
    {"busy50", {.kind = SCHEDULE_BUSY, .seed = 50}},
    {"device1", {.kind = SCHEDULE_DEVICE, .seed = 1}},
};

START_TEST(names_and_parses_every_schedule) {
    char text[SCHEDULE_TEXT];
    struct schedule parsed;
    schedule_name(NAMED[_i].schedule, text);
    ck_assert_str_eq(text, NAMED[_i].text);
    ck_assert(schedule_parse(NAMED[_i].text, &parsed));
    ck_assert_uint_eq(parsed.kind, NAMED[_i].schedule.kind);
    ck_assert_uint_eq(parsed.seed, NAMED[_i].schedule.seed);
}
END_TEST

START_TEST(refuses_what_names_no_schedule) {
    static const char *const BAD[] = {
        "",         "seed", "seed-1",    "seed 1", "seed01", "seed1x", "seed18446744073709551616",
        "inorder1", "Hw",   "lastblock", "apart ", "in"};
    struct schedule parsed = {.kind = 77};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        ck_assert_msg(!schedule_parse(BAD[i], &parsed), "%s", BAD[i]);
    ck_assert_uint_eq(parsed.kind, 77);
}
END_TEST

START_TEST(tells_what_a_real_machine_follows) {
    for (size_t i = 0; i < sizeof NAMED / sizeof *NAMED; i++) {
        uint32_t kind = NAMED[i].schedule.kind;
        bool real = kind == SCHEDULE_HARDWARE || kind == SCHEDULE_BUSY || kind == SCHEDULE_DEVICE;
        ck_assert_msg(schedule_is_real(NAMED[i].schedule) == real, "%s", NAMED[i].text);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("schedule");
    TCase *tests = tcase_create("schedule");
    tcase_add_loop_test(tests, names_and_parses_every_schedule, 0, sizeof NAMED / sizeof *NAMED);
    tcase_add_test(tests, refuses_what_names_no_schedule);
    tcase_add_test(tests, tells_what_a_real_machine_follows);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
