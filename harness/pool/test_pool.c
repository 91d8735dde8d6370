// SPDX-License-Identifier: MIT
// The pool against a worker that goes wrong in every way that a process can.
#include "harness/pool/child.h"
#include "harness/pool/test_fakes.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

START_TEST(right_answers_arrive) {
    const struct kept *kept = run_three("right", test_options());
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert(kept->from_worker);
    ck_assert_uint_eq(kept->reply.runs, 2);
    ck_assert_uint_eq(first_bits(kept), FAKE_TRIGGER);
}
END_TEST

static const struct {
    const char *mode;
    int outcome;
    const char *words;
} mishaps[] = {
    {"crash", WORK_CRASHED, "was killed by SIGSEGV without an answer"},
    {"exit", WORK_CRASHED, "ended with exit code 3 without an answer"},
    {"close and stay", WORK_CRASHED, "closed its connection"},
    {"garbage", WORK_CRASHED, "another protocol version"},
    {"stale", WORK_CRASHED, "belongs to another request"},
    {"too much", WORK_CRASHED, "more bytes follow than it announced"},
    {"miscounted", WORK_CRASHED, "wrong number of runs"},
    {"greedy", WORK_CRASHED, "wrong number of runs"},
    {"unended", WORK_CRASHED, "has no end"},
    {"wordless", WORK_CRASHED, "without a word"},
    {"half", WORK_CRASHED, "ended with exit code 0 in the middle of its answer"},
    {"no payload", WORK_CRASHED, "ended with exit code 0 in the middle of its answer"},
    {"grandchild and crash", WORK_CRASHED, "was killed by SIGSEGV without an answer"},
    {"hang", WORK_HUNG, "limit of 1 s"},
    {"half and hang", WORK_HUNG, "limit of 1 s"},
    {"print for ever", WORK_HUNG, "limit of 1 s"},
    {"spin", WORK_HUNG, "limit of 1 s; the worker, and another after it, were killed"},
};

START_TEST(mishap_is_the_items_own) {
    struct pool_options options = test_options();
    if (mishaps[_i].outcome == WORK_HUNG)
        options.limit_seconds = 1; // also for its neighbours, on a busy machine
    double start = monotonic_seconds();
    const struct kept *kept = run_three(mishaps[_i].mode, options);
    ck_assert_outcome(kept, mishaps[_i].outcome);
    ck_assert_says(kept, mishaps[_i].words);
    ck_assert(!kept->from_worker);
    ck_assert_uint_eq(kept->reply.payload, 0);
    // Who runs for ever costs processor time, which on a busy machine is long in coming.
    bool runs = strcmp(mishaps[_i].mode, "spin") == 0 || strcmp(mishaps[_i].mode, "print for ever") == 0;
    ck_assert_double_lt(monotonic_seconds() - start, runs ? 100 : 15);
}
END_TEST

START_TEST(worker_that_leaves_is_replaced_and_no_item_blamed) {
    ck_assert_outcome(run_three("leave", test_options()), WORK_DONE);
}
END_TEST

START_TEST(output_is_captured_and_bounded) {
    const struct kept *kept = run_three("print", test_options());
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert_uint_eq(kept->output_bytes, POOL_OUTPUT_LIMIT);
    ck_assert(kept->output_cut);
    ck_assert_int_eq(strncmp(kept->output, "0123456789abcde\n0123", 20), 0);
    ck_assert_uint_eq(answers.kept[0].output_bytes, 0);
    ck_assert_uint_eq(answers.kept[2].output_bytes, 0);
    ck_assert(!answers.kept[2].output_cut);
}
END_TEST

// The group is killed with its worker. As this process is made the reaper of orphans, waitpid sees the grandchild end.
static void assert_grandchild_was_killed(void) {
    int status;
    ck_assert_int_eq(waitpid(pid_in_data(), &status, 0), pid_in_data());
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void run_grandchild(const char *mode, int outcome) {
    struct pool_item item = sum_item(FAKE_TRIGGER, 0);
    struct pool_queue queue = queue_of(mode, &item, 1);
    struct pool_options options = test_options();
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    run_queues(&queue, 1, options);
    ck_assert_outcome(&answers.kept[0], outcome);
    assert_grandchild_was_killed();
}

START_TEST(grandchild_ends_with_its_worker) {
    run_grandchild("grandchild", WORK_DONE);
}
END_TEST

START_TEST(grandchild_ends_with_its_crashed_worker) {
    run_grandchild("grandchild and crash", WORK_CRASHED);
}
END_TEST

START_TEST(empty_work_is_finished_work) {
    struct pool_queue queue = queue_of("right", NULL, 0);
    struct pool_options options = test_options();
    run_queues(&queue, 1, options);
    run_queues(NULL, 0, options);
    ck_assert_uint_eq(answers.count, 0);
}
END_TEST

START_TEST(many_queues_side_by_side) {
    struct pool_item items[] = {sum_item(1, 0), sum_item(2, 1), sum_item(3, 2)};
    struct pool_queue queues[20];
    for (size_t i = 0; i < 20; i++)
        queues[i] = queue_of("right", items, 3);
    struct pool_options options = test_options();
    options.jobs = 4;
    run_queues(queues, 20, options);
    ck_assert_uint_eq(answers.count, 60);
    for (size_t i = 0; i < 60; i++)
        ck_assert_uint_eq(first_bits(&answers.kept[i]), answers.kept[i].tag + 1);
}
END_TEST

// Three queues that hang until their limit: together if they may run side by side, one after the other if not.
static double seconds_for_three_hangs(const char *exclusive) {
    struct pool_item item = sum_item(FAKE_TRIGGER, 0);
    struct pool_queue queues[] = {queue_of("hang", &item, 1), queue_of("hang", &item, 1), queue_of("hang", &item, 1)};
    struct pool_options options = test_options();
    options.jobs = 3;
    options.limit_seconds = 0.5;
    options.exclusive_backend = exclusive;
    double start = monotonic_seconds();
    run_queues(queues, 3, options);
    return monotonic_seconds() - start;
}

START_TEST(exclusive_backend_runs_one_at_a_time) {
    double together = seconds_for_three_hangs("other"), in_turn = seconds_for_three_hangs("fake");
    ck_assert_double_ge(in_turn, 1.5);
    ck_assert_double_lt(together, in_turn);
}
END_TEST

static volatile sig_atomic_t interrupted;
static void interrupt(int number) {
    (void)number;
    interrupted = 1;
}

START_TEST(interrupt_stops_at_once) {
    struct pool_item items[] = {sum_item(10, 0), sum_item(FAKE_TRIGGER, 1), sum_item(30, 2)};
    struct pool_queue queues[] = {queue_of("hang", items, 3), queue_of("hang", items, 3)};
    struct pool_options options = test_options();
    options.jobs = 2;
    options.interrupted = &interrupted;
    interrupted = 0;
    signal(SIGALRM, interrupt);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 300000}}, NULL);
    char message[BACKEND_MESSAGE];
    double start = monotonic_seconds();
    ck_assert_int_eq(pool_run(queues, 2, &options, keep_answer, &answers, message), POOL_INTERRUPTED);
    ck_assert_double_lt(monotonic_seconds() - start, 10); // the time limit is 20 s
    ck_assert_uint_eq(answers.count, 2);                  // item 0 of each; what was not answered was not run
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}
END_TEST

static void wait_for_pid_in_data(void) {
    for (int i = 0; i < 10000 && pid_in_data() == 0; i++)
        usleep(1000);
    ck_assert_int_ne(pid_in_data(), 0);
}

START_TEST(workers_die_with_their_runner) {
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    pid_t runner = fork();
    if (runner == 0) {
        struct pool_item item = sum_item(FAKE_TRIGGER, 0);
        struct pool_queue queue = queue_of("hang", &item, 1);
        struct pool_options options = test_options();
        char message[BACKEND_MESSAGE];
        pool_run(&queue, 1, &options, keep_answer, &answers, message);
        _exit(0);
    }
    wait_for_pid_in_data();
    int status;
    ck_assert_int_eq(kill(runner, SIGKILL), 0);
    ck_assert_int_eq(waitpid(runner, &status, 0), runner);
    ck_assert_int_eq(waitpid(pid_in_data(), &status, 0), pid_in_data());
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}
END_TEST

static void add_tests(TCase *tcase) {
    tcase_add_test(tcase, right_answers_arrive);
    tcase_add_loop_test(tcase, mishap_is_the_items_own, 0, sizeof mishaps / sizeof *mishaps);
    tcase_add_test(tcase, worker_that_leaves_is_replaced_and_no_item_blamed);
    tcase_add_test(tcase, output_is_captured_and_bounded);
    tcase_add_test(tcase, grandchild_ends_with_its_worker);
    tcase_add_test(tcase, grandchild_ends_with_its_crashed_worker);
    tcase_add_test(tcase, empty_work_is_finished_work);
    tcase_add_test(tcase, many_queues_side_by_side);
    tcase_add_test(tcase, exclusive_backend_runs_one_at_a_time);
    tcase_add_test(tcase, interrupt_stops_at_once);
    tcase_add_test(tcase, workers_die_with_their_runner);
}

int main(void) {
    return run_fakes_suite("pool", add_tests);
}
