// SPDX-License-Identifier: MIT
// How workers come to be: with what they start, and what becomes of a queue where they do not.
#include "harness/pool/child.h"
#include "harness/pool/test_fakes.h"
#include "harness/test_skip.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

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
    run_queues(queues, 2, options);
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
    run_queues(&queue, 1, options);
    ck_assert_uint_eq(answers.count, 1);
    ck_assert_outcome(&answers.kept[0], WORK_NOT_POSSIBLE);
    ck_assert_says(&answers.kept[0], "Cannot execute /nonexistent/worker: No such file or directory.");
}
END_TEST

// Descriptors that are free are counted from the lowest.
static void limit_descriptors(int limit) {
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)limit, (rlim_t)limit}), 0);
}

enum { LIMIT = 64 };

// All descriptors that this process may have.
static int hoard[LIMIT];
static volatile sig_atomic_t hoarded;

static void hoard_descriptors(void) {
    limit_descriptors(LIMIT);
    for (hoarded = 0; hoarded < LIMIT && (hoard[hoarded] = dup(0)) >= 0; hoarded++)
        continue;
    ck_assert_int_lt(hoarded, LIMIT);
}

static void drop_hoard(int number) {
    (void)number;
    while (hoarded > 0)
        close(hoard[--hoarded]);
}

START_TEST(item_without_descriptors_is_not_possible) {
    struct pool_options options = test_options();
    options.starved_limit_seconds = 0.2;
    hoard_descriptors();
    for (int free = 0; free < 6; free++) { // fails at the socket, at each pipe, never halfway
        const struct kept *kept = run_one("right", options);
        ck_assert_outcome(kept, WORK_NOT_POSSIBLE);
        ck_assert_says(kept, "Too many open files");
        close(hoard[--hoarded]);
    }
    drop_hoard(0);
    ck_assert_outcome(run_one("right", options), WORK_DONE);
}
END_TEST

// Others of the machine make room, if not at once.
START_TEST(lack_that_passes_costs_no_item) {
    hoard_descriptors();
    signal(SIGALRM, drop_hoard);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 400000}}, NULL);
    double start = monotonic_seconds();
    ck_assert_outcome(run_one("right", test_options()), WORK_DONE);
    ck_assert_double_ge(monotonic_seconds() - start, 0.4);
}
END_TEST

// Nor does each queue wait anew where nothing passes.
START_TEST(queues_wait_for_room_together) {
    enum { QUEUES = 8 };
    struct pool_item item = sum_item(10, 0);
    struct pool_queue queues[QUEUES];
    struct pool_options options = test_options();
    for (size_t i = 0; i < QUEUES; i++)
        queues[i] = queue_of("right", &item, 1);
    options.jobs = 2;
    options.starved_limit_seconds = 1;
    hoard_descriptors();
    double start = monotonic_seconds();
    run_queues(queues, QUEUES, options);
    ck_assert_double_lt(monotonic_seconds() - start, 3);
    drop_hoard(0);
    ck_assert_uint_eq(answers.count, QUEUES);
    for (size_t i = 0; i < QUEUES; i++)
        ck_assert_outcome(&answers.kept[i], WORK_NOT_POSSIBLE);
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
    run_queues(queues, CROWD, options);
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
        SKIP_TEST("root cannot become another user here, or the build lies where only root comes to");
    prctl(PR_SET_DUMPABLE, 1); // a process that has changed its user has no /proc of its own otherwise
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_NPROC, &before), 0);
    ck_assert_int_eq(setrlimit(RLIMIT_NPROC, &(struct rlimit){3, before.rlim_max}), 0);
    run_crowd();
    setrlimit(RLIMIT_NPROC, &before); // what looks for leaks at the end wants a process too
}
END_TEST

static void add_tests(TCase *tcase) {
    tcase_add_test(tcase, worker_inherits_its_two_descriptors_and_no_more);
    tcase_add_test(tcase, worker_starts_with_fresh_signals);
    tcase_add_loop_test(tcase, queue_without_worker_is_given_up, 0, sizeof bad_starts / sizeof *bad_starts);
    tcase_add_test(tcase, missing_executable_is_named);
    tcase_add_test(tcase, item_without_descriptors_is_not_possible);
    tcase_add_test(tcase, lack_that_passes_costs_no_item);
    tcase_add_test(tcase, queues_wait_for_room_together);
    tcase_add_test(tcase, few_descriptors_make_few_workers);
    tcase_add_test(tcase, few_processes_make_few_workers);
}

int main(void) {
    return run_fakes_suite("worker start", add_tests);
}
