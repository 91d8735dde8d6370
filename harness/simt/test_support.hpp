// SPDX-License-Identifier: MIT
// What the tests of simt's semantics share. They are .cu files that went through the translator.
#ifndef REDUCTIO_SIMT_TEST_SUPPORT_HPP
#define REDUCTIO_SIMT_TEST_SUPPORT_HPP

#include <cuda_runtime.h>

#include "harness/simt/control.h"
#include "harness/test_skip.h"

#include <check.h>

static const schedule SCHEDULES[] = {
    {SCHEDULE_IN_ORDER, 0, 0},  {SCHEDULE_REVERSED, 0, 0},   {SCHEDULE_SEEDED, 0, 1},     {SCHEDULE_SEEDED, 0, 2},
    {SCHEDULE_ASCENDING, 0, 0}, {SCHEDULE_DESCENDING, 0, 0}, {SCHEDULE_LAST_BLOCK, 0, 1}, {SCHEDULE_LANES_APART, 0, 0}};
static const int SCHEDULE_COUNT = sizeof SCHEDULES / sizeof *SCHEDULES;

static inline void begin(int i) {
    simt_begin(SCHEDULES[i]);
    cudaGetLastError();
}

static inline void expect_done() {
    const char *message;
    work_outcome outcome = simt_ended(&message);
    ck_assert_msg(outcome == WORK_DONE, "%s", message);
    ck_assert_int_eq(cudaGetLastError(), cudaSuccess);
}

static inline void expect_ended(work_outcome expected, const char *sentence) {
    const char *message;
    work_outcome outcome = simt_ended(&message);
    ck_assert_str_eq(message, sentence);
    ck_assert_int_eq(outcome, expected);
    ck_assert_int_eq(cudaGetLastError(), cudaErrorLaunchFailure);
}

static inline int run_suite(const char *name, TCase *tests) {
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
