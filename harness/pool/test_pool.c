// SPDX-License-Identifier: MIT
// The pool against a worker that goes wrong in every way that a process can.
#include "harness/pool/test_pool.h"
#include "harness/pool/fake_worker.h"

#include "harness/pool/child.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static struct answers answers;
static struct memory_file data;

static void open_data(void) {
    open_fake_data(&data);
    answers.count = 0;
}

static void close_data(void) {
    memory_file_close(&data);
}

static pid_t pid_in_data(void) {
    return pid_in_file(&data);
}

static int count_descriptors(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static struct pool_queue queue_of(const char *mode, const struct pool_item *items, size_t count) {
    return fake_queue(FAKE_WORKER, mode, &data, items, count);
}

// Item 1 of three triggers the fake's mode. Whatever happens there, its neighbours are answered, and nothing is left.
static const struct kept *run_three(const char *mode, struct pool_options options) {
    struct pool_item items[] = {sum_item(10, 0), sum_item(FAKE_TRIGGER, 1), sum_item(30, 2)};
    struct pool_queue queue = queue_of(mode, items, 3);
    char message[BACKEND_MESSAGE];
    int descriptors = count_descriptors();
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_int_eq(count_descriptors(), descriptors);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); // no zombie
    ck_assert_int_eq(errno, ECHILD);
    ck_assert_uint_eq(answers.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(answers.kept[i].tag, i);
    for (size_t i = 0; i < 3; i += 2) {
        ck_assert_outcome(&answers.kept[i], WORK_DONE);
        ck_assert_uint_eq(first_bits(&answers.kept[i]), i == 0 ? 10 : 30);
    }
    return &answers.kept[1];
}

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
    {"killed, then exit", WORK_CRASHED,
     "ended with exit code 3 without an answer. Of one before it: The worker was "
     "killed by SIGKILL without an answer."},
    {"killed", WORK_LOST,
     "was killed by SIGKILL without an answer. One before it ended the same way. Nothing shows that the row"},
    {"fail", WORK_LOST,
     "ended with exit code 99 without an answer. One before it ended the same way. Nothing shows that the row"},
    {"hang, then killed", WORK_LOST, "was killed by SIGKILL without an answer. One before it ran out of time."},
    {"hang", WORK_HUNG, "limit of 1 s"},
    {"half, then hang", WORK_HUNG, "limit of 1 s"},
    {"print for ever", WORK_HUNG, "limit of 1 s"},
    {"spin", WORK_HUNG, "limit of 1 s; the worker, and another after it, were killed"},
};

START_TEST(mishap_is_the_items_own) {
    struct pool_options options = test_options();
    if (mishaps[_i].outcome == WORK_HUNG || strstr(mishaps[_i].mode, "hang"))
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

// Whoever ended a first worker, a second one's answer stands, and the first one's end is told.
static const struct {
    const char *mode, *told;
} losses[] = {
    {"killed once", "The worker was killed by SIGKILL without an answer."},
    {"lost once", "Somebody ended the program."},
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
    const struct kept *kept = run_three("wait to be killed once", test_options());
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
    struct pool_options options = test_options();
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_uint_eq(answers.count, ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        ck_assert_outcome(&answers.kept[i], WORK_LOST);
        ck_assert_says(&answers.kept[i], i < POOL_LOSS_TRIES ? "SIGKILL" : "had lost their workers before");
    }
}
END_TEST

// A second worker would hide a death that comes now and then.
START_TEST(death_of_its_own_is_believed_at_once) {
    const struct kept *kept = run_three("exit once", test_options());
    ck_assert_outcome(kept, WORK_CRASHED);
    ck_assert_says(kept, "ended with exit code 3 without an answer");
}
END_TEST

START_TEST(certain_death_costs_one_start_an_item) {
    struct pool_item items[] = {sum_item(FAKE_TRIGGER, 0), sum_item(FAKE_TRIGGER, 1), sum_item(FAKE_TRIGGER, 2)};
    struct pool_queue queue = queue_of("count and exit", items, 3);
    struct pool_options options = test_options();
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    for (size_t i = 0; i < 3; i++)
        ck_assert_outcome(&answers.kept[i], WORK_CRASHED);
    ck_assert_uint_eq(*(uint32_t *)data.data, 3);
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
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_uint_eq(answers.count, POOL_HANG_TRIES + 2);
    for (size_t i = 0; i < POOL_HANG_TRIES; i++)
        ck_assert_outcome(&answers.kept[i], WORK_HUNG);
    for (size_t i = POOL_HANG_TRIES; i < POOL_HANG_TRIES + 2; i++) {
        ck_assert_outcome(&answers.kept[i], WORK_REFUSED);
        ck_assert_says(&answers.kept[i], "had hung before");
    }
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

START_TEST(worker_inherits_its_two_descriptors_and_no_more) {
    ck_assert_int_eq(dup2(0, 50), 50); // not close-on-exec
    ck_assert_uint_eq(first_bits(run_three("descriptors", test_options())), 2);
    close(50);
}
END_TEST

START_TEST(worker_starts_with_fresh_signals) {
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigprocmask(SIG_BLOCK, &some, NULL);
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    ck_assert_uint_eq(first_bits(run_three("signals", test_options())), 0);
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
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
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

static const struct {
    const char *mode, *words;
} bad_starts[] = {
    {"die at start", "ended with exit code 5, 3 times in a row before it read a request, and said \"no library of that "
                     "name\"."},
    {"die after hello", "ended with exit code 6, 3 times in a row"},
    {"bad hello", "another protocol version, 3 times in a row"},
    {"silent", "said no hello within 0.5 s, 3 times in a row"},
    {"refuse", "There is no such thing."},
};

START_TEST(queue_without_worker_is_given_up) {
    struct pool_item items[] = {sum_item(10, 0), sum_item(20, 1)};
    struct pool_queue queues[] = {queue_of(bad_starts[_i].mode, items, 2), queue_of("right", items, 2)};
    struct pool_options options = test_options();
    options.start_limit_seconds = strcmp(bad_starts[_i].mode, "silent") == 0 ? 0.5 : 20;
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(queues, 2, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_uint_eq(answers.count, 4);
    for (size_t i = 0; i < 2; i++) {
        bool refuses = strcmp(bad_starts[_i].mode, "refuse") == 0; // the others had no chance to
        ck_assert_outcome(&answers.kept[i], refuses ? WORK_REFUSED : WORK_NOT_POSSIBLE);
        ck_assert_says(&answers.kept[i], bad_starts[_i].words);
        ck_assert_outcome(&answers.kept[2 + i], WORK_DONE);
    }
    if (strcmp(bad_starts[_i].mode, "die at start") == 0)
        ck_assert_uint_eq(*(uint32_t *)data.data, 3); // not one more
}
END_TEST

START_TEST(missing_executable_is_named) {
    struct pool_item items[] = {sum_item(10, 0)};
    struct pool_queue queue = queue_of("right", items, 1);
    queue.worker = "/nonexistent/worker";
    struct pool_options options = test_options();
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_uint_eq(answers.count, 1);
    ck_assert_outcome(&answers.kept[0], WORK_NOT_POSSIBLE);
    ck_assert_says(&answers.kept[0], "Cannot execute /nonexistent/worker: No such file or directory.");
}
END_TEST

START_TEST(empty_work_is_finished_work) {
    struct pool_queue queue = queue_of("right", NULL, 0);
    struct pool_options options = test_options();
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_int_eq(pool_run(NULL, 0, &options, keep_answer, &answers, message), POOL_FINISHED);
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
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(queues, 20, &options, keep_answer, &answers, message), POOL_FINISHED);
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
    char message[BACKEND_MESSAGE];
    double start = monotonic_seconds();
    ck_assert_int_eq(pool_run(queues, 3, &options, keep_answer, &answers, message), POOL_FINISHED);
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

// Descriptors that are free are counted from the lowest.
static void limit_descriptors(int limit) {
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)limit, (rlim_t)limit}), 0);
}

START_TEST(item_without_descriptors_is_not_possible) {
    enum { LIMIT = 64 };
    int hoard[LIMIT], count = 0;
    limit_descriptors(LIMIT);
    while (count < LIMIT && (hoard[count] = dup(0)) >= 0)
        count++;
    ck_assert_int_lt(count, LIMIT);
    struct pool_item item = sum_item(10, 0);
    struct pool_queue queue = queue_of("right", &item, 1);
    struct pool_options options = test_options();
    char message[BACKEND_MESSAGE];
    for (int free = 0; free < 6; free++) { // fails at the socket, at each pipe, never halfway
        ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
        ck_assert_outcome(&answers.kept[free], WORK_NOT_POSSIBLE);
        ck_assert_says(&answers.kept[free], "Too many open files");
        close(hoard[--count]);
    }
    ck_assert_uint_eq(answers.count, 6);
    while (count > 0)
        close(hoard[--count]);
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
}
END_TEST

enum { CROWD = 12 };

// More workers at a time than there can be are wished for: the others wait for their turn.
static void run_crowd(void) {
    struct pool_item items[] = {sum_item(1, 0), sum_item(2, 1)};
    struct pool_queue queues[CROWD];
    for (size_t i = 0; i < CROWD; i++)
        queues[i] = queue_of("right", items, 2);
    struct pool_options options = test_options();
    options.jobs = CROWD;
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(queues, CROWD, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_uint_eq(answers.count, 2 * CROWD);
    for (size_t i = 0; i < answers.count; i++)
        ck_assert_outcome(&answers.kept[i], WORK_DONE);
}

START_TEST(few_descriptors_make_few_workers) {
    limit_descriptors(16); // and poll takes no more entries than these
    run_crowd();
}
END_TEST

// A user who may have few processes. The limit counts all that a user has, and root has none: only root can become a
// user who has no others.
START_TEST(few_processes_make_few_workers) {
    uid_t nobody = 1000000 + (uid_t)getpid(); // who has no processes yet
    if (geteuid() != 0 || setgid(nobody) != 0 || setuid(nobody) != 0 || access(FAKE_WORKER, X_OK) != 0)
        return;                // a sandbox has no such user, or the build lies where only root comes to
    prctl(PR_SET_DUMPABLE, 1); // a process that has changed its user has no /proc of its own otherwise
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_NPROC, &before), 0);
    ck_assert_int_eq(setrlimit(RLIMIT_NPROC, &(struct rlimit){3, before.rlim_max}), 0);
    run_crowd();
    setrlimit(RLIMIT_NPROC, &before); // what looks for leaks at the end wants a process too
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pool");
    TCase *tcase = tcase_create("pool");
    tcase_add_checked_fixture(tcase, open_data, close_data);
    tcase_add_test(tcase, right_answers_arrive);
    tcase_add_loop_test(tcase, mishap_is_the_items_own, 0, sizeof mishaps / sizeof *mishaps);
    tcase_add_test(tcase, worker_that_leaves_is_replaced_and_no_item_blamed);
    tcase_add_test(tcase, queue_that_keeps_hanging_is_given_up);
    tcase_add_test(tcase, output_is_captured_and_bounded);
    tcase_add_test(tcase, worker_inherits_its_two_descriptors_and_no_more);
    tcase_add_test(tcase, worker_starts_with_fresh_signals);
    tcase_add_test(tcase, grandchild_ends_with_its_worker);
    tcase_add_test(tcase, grandchild_ends_with_its_crashed_worker);
    tcase_add_loop_test(tcase, queue_without_worker_is_given_up, 0, sizeof bad_starts / sizeof *bad_starts);
    tcase_add_test(tcase, missing_executable_is_named);
    tcase_add_test(tcase, empty_work_is_finished_work);
    tcase_add_test(tcase, many_queues_side_by_side);
    tcase_add_test(tcase, exclusive_backend_runs_one_at_a_time);
    tcase_add_test(tcase, interrupt_stops_at_once);
    tcase_add_test(tcase, workers_die_with_their_runner);
    tcase_add_test(tcase, item_without_descriptors_is_not_possible);
    tcase_add_test(tcase, few_descriptors_make_few_workers);
    tcase_add_test(tcase, few_processes_make_few_workers);
    tcase_add_loop_test(tcase, second_worker_answers_for_a_lost_one, 0, sizeof losses / sizeof *losses);
    tcase_add_loop_test(tcase, kill_from_outside_is_no_verdict, 0, sizeof killing / sizeof *killing);
    tcase_add_test(tcase, queue_that_keeps_losing_workers_is_given_up);
    tcase_add_test(tcase, death_of_its_own_is_believed_at_once);
    tcase_add_test(tcase, certain_death_costs_one_start_an_item);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
