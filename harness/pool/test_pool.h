// SPDX-License-Identifier: MIT
// What the tests of pool and worker share: run requests on one worker and keep the answers.
#ifndef REDUCTIO_TEST_POOL_H
#define REDUCTIO_TEST_POOL_H

#include "harness/memory_file.h"
#include "harness/pool/pool.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MOST = 64, KEPT_PAYLOAD = 4096 };

struct kept {
    size_t tag;
    struct work_reply reply;
    bool from_worker, first_late;
    char first_death[256]; // empty: none
    unsigned char payload[KEPT_PAYLOAD];
    size_t output_bytes;
    bool output_cut;
    char output[1024]; // its start, terminated
};

struct answers {
    size_t count;
    struct kept kept[KEPT_MOST];
};

static inline void keep_answer(void *context, const struct pool_answer *answer) {
    struct answers *answers = context;
    ck_assert_uint_lt(answers->count, KEPT_MOST);
    ck_assert_uint_le(answer->reply->payload, KEPT_PAYLOAD);
    struct kept *kept = &answers->kept[answers->count++];
    *kept = (struct kept){.tag = answer->item->tag,
                          .reply = *answer->reply,
                          .from_worker = answer->from_worker,
                          .first_late = answer->first_late,
                          .output_bytes = answer->output_bytes,
                          .output_cut = answer->output_cut};
    if (answer->first_death)
        snprintf(kept->first_death, sizeof kept->first_death, "%s", answer->first_death);
    if (answer->reply->payload)
        memcpy(kept->payload, answer->payload, answer->reply->payload);
    size_t shown = answer->output_bytes < sizeof kept->output ? answer->output_bytes : sizeof kept->output - 1;
    memcpy(kept->output, answer->output, shown);
}

static inline struct pool_options test_options(void) {
    return (struct pool_options){.jobs = 1, .limit_seconds = 20, .start_limit_seconds = 20};
}

static inline struct pool_item sum_item(uint64_t n, size_t tag) {
    return (struct pool_item){.request = {.kind = WORK_SUM, .n = n, .runs = 2}, .tag = tag};
}

static inline uint64_t first_bits(const struct kept *kept) {
    struct work_run run;
    memcpy(&run, kept->payload, sizeof run);
    return run.bits;
}

// Runs one suite of one test case between the two functions; returns main's exit code.
static inline int run_suite_around(const char *name, void (*set_up)(void), void (*tear_down)(void),
                                   void (*add_tests)(TCase *tcase)) {
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    add_tests(tcase);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define ck_assert_outcome(kept, expected)                                                                              \
    ck_assert_msg((int)(kept)->reply.outcome == (int)(expected), "outcome %u, not %d: %s", (kept)->reply.outcome,      \
                  (expected), (kept)->reply.message)
#define ck_assert_says(kept, words)                                                                                    \
    ck_assert_msg(strstr((kept)->reply.message, (words)), "\"%s\" does not say \"%s\"", (kept)->reply.message, (words))

#endif
