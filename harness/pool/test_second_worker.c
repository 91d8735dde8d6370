// SPDX-License-Identifier: MIT
// Whether an item is blamed for what befell its worker, or a second one is asked; and what is told of the first.
#include "harness/pool/test_fakes.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// Whoever ended a first worker, a second one's answer stands, and the first one's end is told.
static const struct {
    const char *mode, *told;
} losses[] = {
    {"killed, then right", "The worker was killed by SIGKILL without an answer."},
    {"lose, then right", "Somebody ended the program."},
};

START_TEST(second_worker_answers_for_a_lost_one) {
    const struct kept *kept = run_three(losses[_i].mode, test_options());
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert(kept->from_worker && !kept->first_late);
    ck_assert_str_eq(kept->first_death, losses[_i].told);
    ck_assert_uint_eq(first_bits(kept), FAKE_TRIGGER);
    ck_assert_str_eq(answers.kept[2].first_death, "");
}
END_TEST

static const int killing[] = {SIGTERM, SIGKILL, SIGINT, SIGHUP, SIGXCPU, SIGUSR1};

START_TEST(kill_from_outside_is_no_verdict) {
    pid_t killer = fork();
    if (killer == 0) {
        pid_t worker;
        if (fork() != 0) // an orphan, so that this process has no children but its workers
            _exit(0);
        while ((worker = pid_in_data()) < 2) // first it counts the start
            usleep(1000);
        kill(worker, killing[_i]);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(killer, NULL, 0), killer);
    const struct kept *kept = run_three("hang, then right", test_options());
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert_ptr_nonnull(strstr(kept->first_death, sigabbrev_np(killing[_i])));
}
END_TEST

// Somebody who kills every worker costs two starts on each of a few items, and the rest says why it was not run.
START_TEST(queue_that_keeps_losing_workers_is_given_up) {
    enum { ITEMS = POOL_LOSS_TRIES + 2 };
    struct pool_item items[ITEMS];
    for (size_t i = 0; i < ITEMS; i++)
        items[i] = sum_item(FAKE_TRIGGER, i);
    struct pool_queue queue = queue_of("killed", items, ITEMS);
    run_queues(&queue, 1, test_options());
    ck_assert_uint_eq(answers.count, ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        ck_assert_outcome(&answers.kept[i], WORK_LOST);
        ck_assert_says(&answers.kept[i], i < POOL_LOSS_TRIES ? "SIGKILL" : "had lost their workers before");
    }
}
END_TEST

// A second worker would hide a death that comes now and then.
START_TEST(death_of_its_own_is_believed_at_once) {
    const struct kept *kept = run_three("exit, then right", test_options());
    ck_assert_outcome(kept, WORK_CRASHED);
    ck_assert_says(kept, "ended with exit code 3 without an answer");
}
END_TEST

// Both are told where the second does no better; what the item did itself is believed all the same.
static const struct {
    const char *mode;
    int outcome;
    const char *words;
} seconds[] = {
    {"killed, then killed", WORK_LOST,
     "was killed by SIGKILL without an answer. One before it ended the same way. Nothing shows that the row"},
    {"fail", WORK_LOST,
     "ended with exit code 99 without an answer. One before it ended the same way. Nothing shows that the row"},
    {"killed, then exit", WORK_CRASHED,
     "ended with exit code 3 without an answer. Of one before it: The worker was killed by SIGKILL without an answer."},
    {"killed, then garbage", WORK_CRASHED,
     "makes no sense: its answer has another protocol version. Of one before it: The worker was killed by SIGKILL"},
    {"killed, then too much", WORK_CRASHED,
     "more bytes follow than it announced. Of one before it: The worker was killed by SIGKILL without an answer."},
    {"hang, then garbage", WORK_CRASHED, "another protocol version. One before it ran out of time."},
    {"hang, then killed", WORK_LOST, "was killed by SIGKILL without an answer. One before it ran out of time."},
    // Late, with the whole limit to itself.
    {"killed, then hang", WORK_HUNG,
     "limit of 0.2 s; the worker was killed. Of one before it: The worker was killed by SIGKILL without an answer."},
    // Late, and without it: it was stopped.
    {"killed, then stop", WORK_LOST,
     "kept from running for 10 times its limit of 0.2 s, and killed. Of one before it: The worker was killed by "
     "SIGKILL "
     "without an answer. Nothing shows that the row"},
    {"hang, then stop", WORK_LOST,
     "kept from running for 10 times its limit of 0.2 s, and killed. One before it ran out"},
    {"stop", WORK_LOST, "and killed. One before it ended the same way. Nothing shows that the row"},
};

START_TEST(second_worker_does_no_better) {
    struct pool_options options = test_options();
    options.limit_seconds = 0.2;
    const struct kept *kept = run_three(seconds[_i].mode, options);
    ck_assert_outcome(kept, seconds[_i].outcome);
    ck_assert_says(kept, seconds[_i].words);
    ck_assert(!kept->from_worker);
}
END_TEST

static const struct kept *run_within(double limit, const char *mode) {
    struct pool_options options = test_options();
    options.limit_seconds = limit;
    return run_one(mode, options);
}

START_TEST(worker_that_was_stopped_is_lost_and_not_late) {
    const struct kept *kept = run_within(0.2, "stop, then right");
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert(!kept->first_late);
    ck_assert_ptr_nonnull(strstr(kept->first_death, "kept from running"));
}
END_TEST

// Nor is it where no second one can be asked.
START_TEST(stopped_worker_without_a_second_has_not_hung) {
    const struct kept *kept = run_within(0.2, "stop, then die at start");
    ck_assert_outcome(kept, WORK_LOST);
    ck_assert_says(kept, "kept from running");
    ck_assert_says(kept, "No second worker was started");
}
END_TEST

START_TEST(certain_death_costs_one_start_an_item) {
    struct pool_item items[] = {sum_item(FAKE_TRIGGER, 0), sum_item(FAKE_TRIGGER, 1), sum_item(FAKE_TRIGGER, 2)};
    struct pool_queue queue = queue_of("count and exit", items, 3);
    run_queues(&queue, 1, test_options());
    for (size_t i = 0; i < 3; i++)
        ck_assert_outcome(&answers.kept[i], WORK_CRASHED);
    ck_assert_uint_eq(*(uint32_t *)data.data, 3);
}
END_TEST

// One worker that hangs is not yet a variant that hangs, and it is told of.
START_TEST(second_worker_answers_for_a_late_one) {
    const struct kept *kept = run_within(1, "hang, then right");
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert(kept->first_late);
    ck_assert_uint_eq(first_bits(kept), FAKE_TRIGGER);
}
END_TEST

// Where no second worker comes, the first one's hang is what is known.
START_TEST(late_worker_without_a_second_has_hung) {
    const struct kept *kept = run_within(1, "hang, then die at start");
    ck_assert_outcome(kept, WORK_HUNG);
    ck_assert_says(kept, "no second worker was started");
}
END_TEST

// Each hang costs the whole limit, so a queue that keeps hanging is given up, with a reason on every item left.
START_TEST(queue_that_keeps_hanging_is_given_up) {
    struct pool_item items[POOL_HANG_TRIES + 2];
    for (size_t i = 0; i < POOL_HANG_TRIES + 2; i++)
        items[i] = sum_item(FAKE_TRIGGER, i);
    struct pool_queue queue = queue_of("hang", items, POOL_HANG_TRIES + 2);
    struct pool_options options = test_options();
    options.limit_seconds = 1;
    run_queues(&queue, 1, options);
    ck_assert_uint_eq(answers.count, POOL_HANG_TRIES + 2);
    for (size_t i = 0; i < POOL_HANG_TRIES; i++)
        ck_assert_outcome(&answers.kept[i], WORK_HUNG);
    for (size_t i = POOL_HANG_TRIES; i < POOL_HANG_TRIES + 2; i++) {
        ck_assert_outcome(&answers.kept[i], WORK_REFUSED);
        ck_assert_says(&answers.kept[i], "had hung before");
    }
}
END_TEST

static void add_tests(TCase *tcase) {
    tcase_add_loop_test(tcase, second_worker_answers_for_a_lost_one, 0, sizeof losses / sizeof *losses);
    tcase_add_test(tcase, second_worker_answers_for_a_late_one);
    tcase_add_loop_test(tcase, second_worker_does_no_better, 0, sizeof seconds / sizeof *seconds);
    tcase_add_test(tcase, late_worker_without_a_second_has_hung);
    tcase_add_test(tcase, worker_that_was_stopped_is_lost_and_not_late);
    tcase_add_test(tcase, stopped_worker_without_a_second_has_not_hung);
    tcase_add_loop_test(tcase, kill_from_outside_is_no_verdict, 0, sizeof killing / sizeof *killing);
    tcase_add_test(tcase, death_of_its_own_is_believed_at_once);
    tcase_add_test(tcase, certain_death_costs_one_start_an_item);
    tcase_add_test(tcase, queue_that_keeps_losing_workers_is_given_up);
    tcase_add_test(tcase, queue_that_keeps_hanging_is_given_up);
}

int main(void) {
    return run_fakes_suite("second worker", add_tests);
}
