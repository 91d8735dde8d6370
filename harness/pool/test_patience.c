// SPDX-License-Identifier: MIT
// Time limits: a child that has had its time is late, and one that the machine kept from it is not.
#include "harness/pool/gather.h"
#include "harness/pool/test_fakes.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- one child ----

static void spin(void) {
    for (volatile unsigned turns = 0;; turns++)
        continue;
}

static void wait_for_signals(void) {
    for (;;)
        pause();
}

static void stop_for_good(void) {
    raise(SIGSTOP);
}

// As a worker that waits for a program.
static void wait_for_a_spinner(void) {
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        spin();
    }
    waitpid(pid, NULL, 0);
}

static const struct {
    void (*child)(void);
    double least, most; // times its limit until it is given up, on a machine that is not busy
} children[] = {{spin, 1, 2}, {wait_for_signals, 1, 2}, {stop_for_good, PATIENCE_MOST, 12}, {wait_for_a_spinner, 1, 2}};

static double seconds_until_over(void (*child)(void), double limit) {
    struct patience patience;
    struct child one = {.pid = fork(), .output = -1, .errors = -1};
    if (one.pid == 0) {
        setpgid(0, 0);
        child();
        _exit(0);
    }
    setpgid(one.pid, one.pid);
    double start = monotonic_seconds();
    patience_begin(&patience, limit);
    while (!patience_is_over(&patience, &one))
        usleep((useconds_t)(patience_pause(&patience) * 1e6) + 1);
    double took = monotonic_seconds() - start;
    child_end(&one);
    return took;
}

START_TEST(child_is_given_up_after_its_own_time) {
    static const double limit = 0.5;
    double took = seconds_until_over(children[_i].child, limit);
    ck_assert_double_ge(took, children[_i].least * limit);
    double busy[3];
    if (getloadavg(busy, 3) > 0 && busy[0] < 1) // elsewhere the time that passes says nothing
        ck_assert_double_le(took, children[_i].most * limit);
}
END_TEST

// A program that is asked one question, and stopped for three times what it may take.
START_TEST(stopped_program_is_not_late) {
    char *argv[] = {"/bin/sh", "-c", "kill -STOP $$; echo answer", NULL}, message[CHILD_MESSAGE];
    struct gathered program;
    ck_assert_int_eq(gather_start(&program, argv, 100, 0, message), CHILD_STARTED);
    pid_t child = program.child.pid, waker = fork();
    if (waker == 0) {
        sleep(3);
        kill(child, SIGCONT);
        _exit(0);
    }
    gather_all(&program, 1, 1);
    ck_assert(gathered_well(&program));
    ck_assert_str_eq(program.output.bytes, "answer\n");
    gather_free(&program);
    ck_assert_int_eq(waitpid(waker, NULL, 0), waker);
}
END_TEST

// What it says is searched for English words, whatever language the user speaks.
START_TEST(program_speaks_english) {
    char *argv[] = {"/bin/sh", "-c", "echo $LC_ALL $LANG; env | grep -c ^LC_ALL=", NULL}, message[CHILD_MESSAGE];
    struct gathered program;
    ck_assert_int_eq(setenv("LC_ALL", "de_DE.UTF-8", 1), 0);
    ck_assert_int_eq(setenv("LANG", "de_DE.UTF-8", 1), 0);
    ck_assert_int_eq(gather_start(&program, argv, 100, 0, message), CHILD_STARTED);
    gather_all(&program, 1, 10);
    ck_assert_str_eq(program.output.bytes, "C de_DE.UTF-8\n1\n");
    ck_assert_str_eq(getenv("LC_ALL"), "de_DE.UTF-8");
    gather_free(&program);
}
END_TEST

START_TEST(program_that_sleeps_is_late) {
    char *argv[] = {"/bin/sleep", "100", NULL}, message[CHILD_MESSAGE];
    struct gathered program;
    ck_assert_int_eq(gather_start(&program, argv, 100, 0, message), CHILD_STARTED);
    gather_all(&program, 1, 0.5);
    ck_assert(!program.in_time);
    gather_free(&program);
}
END_TEST

// ---- workers ----

// A worker is stopped for three times its limit, alone or with the process that waits for it.
static void run_through_a_stall(bool runner_too) {
    pid_t runner = getpid(), stopper = fork();
    if (stopper == 0) {
        pid_t worker;
        while ((worker = pid_in_data()) == 0)
            usleep(1000);
        kill(worker, SIGSTOP);
        if (runner_too)
            kill(runner, SIGSTOP);
        sleep(3);
        if (runner_too)
            kill(runner, SIGCONT);
        usleep(400000); // on a machine that wakes up, it is not always the worker that runs first
        kill(worker, SIGCONT);
        _exit(0);
    }
    struct pool_options options = test_options();
    options.limit_seconds = 1;
    const struct kept *kept = run_one("burn", options);
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert(!kept->first_late);
    ck_assert_int_eq(waitpid(stopper, NULL, 0), stopper);
}

START_TEST(stopped_worker_is_not_late) {
    run_through_a_stall(false);
}
END_TEST

START_TEST(stall_of_the_machine_makes_no_worker_late) {
    run_through_a_stall(true);
}
END_TEST

// Ten workers share one processor: each needs half a second of it and waits for ten times as long.
START_TEST(busy_machine_makes_no_worker_late) {
    enum { SIDE_BY_SIDE = 10 };
    cpu_set_t one;
    struct pool_item item = sum_item(FAKE_TRIGGER, 0);
    struct pool_queue queues[SIDE_BY_SIDE];
    for (size_t i = 0; i < SIDE_BY_SIDE; i++)
        queues[i] = queue_of("burn", &item, 1);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    struct pool_options options = test_options();
    options.jobs = SIDE_BY_SIDE;
    options.limit_seconds = 1.5;
    run_queues(queues, SIDE_BY_SIDE, options);
    for (size_t i = 0; i < SIDE_BY_SIDE; i++) {
        ck_assert_outcome(&answers.kept[i], WORK_DONE);
        ck_assert(!answers.kept[i].first_late);
    }
}
END_TEST

static void add_tests(TCase *tcase) {
    tcase_add_loop_test(tcase, child_is_given_up_after_its_own_time, 0, sizeof children / sizeof *children);
    tcase_add_test(tcase, stopped_program_is_not_late);
    tcase_add_test(tcase, program_speaks_english);
    tcase_add_test(tcase, program_that_sleeps_is_late);
    tcase_add_test(tcase, stopped_worker_is_not_late);
    tcase_add_test(tcase, stall_of_the_machine_makes_no_worker_late);
    tcase_add_test(tcase, busy_machine_makes_no_worker_late);
}

int main(void) {
    return run_fakes_suite("patience", add_tests);
}
