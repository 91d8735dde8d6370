// SPDX-License-Identifier: MIT
// Interrupts at every moment: what was done until then is kept, nothing half-written is left, and nobody goes on.
#include "harness/cli/test_background.h"
#include "harness/test_skip.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};

// Before anything is run there is nothing to keep.
START_TEST(early_interrupt_is_told) {
    shell("rm -f asked.pid early.json");
    make_workers("reductio-worker-host", "#!/bin/sh\necho $$ >asked.part; mv asked.part asked.pid; exec sleep 100\n");
    pid_t pid = start("REDUCTIO_WORKERS=workers", "check --json early.json");
    await_file("asked.pid");
    kill(pid, interrupts[_i]);
    ck_assert_int_eq(end_of(pid), INTERRUPTED);
    ck_assert(file_holds("err.txt", "reductio: interrupted."));
    ck_assert(!file_exists("early.json"));
    await_end_of_stranger(pid_in("asked.pid"));
}
END_TEST

// The compiler, what it has started in turn, and the folder that they work in.
START_TEST(interrupt_ends_compilers) {
    shell("rm -rf cache compiling.pid slow.cu && mkdir -p cache");
    ck_assert_int_eq(run("new slow"), 0);
    write_file("slow-c++", "#!/bin/sh\n[ \"$1\" = --version ] && exec c++ --version\n"
                           "sleep 100 &\necho $! >compiling.part; mv compiling.part compiling.pid; wait\n");
    shell("chmod +x slow-c++");
    pid_t pid = start("CXX=./slow-c++", "check slow.cu --backend simt --type f32 --json slow.json");
    await_file("compiling.pid");
    kill(pid, interrupts[_i]);
    ck_assert_int_eq(end_of(pid), INTERRUPTED);
    ck_assert(file_holds("err.txt", "interrupted"));
    shell("test $(ls cache/reductio | wc -l) = 0");
    await_end_of_stranger(pid_in("compiling.pid"));
}
END_TEST

START_TEST(interrupt_keeps_what_was_run) {
    pid_t pid = start("", "run --tier full --backend simt --json kept.json --html kept.html");
    await_worker(pid);
    kill(pid, interrupts[_i]);
    ck_assert_int_eq(end_of(pid), INTERRUPTED);
    ck_assert(file_holds("kept.html", "</html>"));
    ck_assert(file_holds("out.txt", "Interrupted: what follows is what was done until then."));
    ck_assert_int_eq(run("report kept.json"), 0);
    shell("test -z \"$(ls | grep -E 'kept.(json|html)[.]')\"");
}
END_TEST

// Two signals, since two of one may come as one.
START_TEST(impatience_is_told_what_it_costs) {
    pid_t pid = start("", "run --tier full --backend simt --json lost.json");
    await_worker(pid);
    kill(pid, SIGINT);
    kill(pid, SIGTERM);
    ck_assert_int_eq(end_of(pid), INTERRUPTED);
    ck_assert(file_holds("err.txt",
                         "reductio: interrupted again, and ended at once: files that were not written yet are "
                         "not written.\n"));
    ck_assert(!file_exists("lost.json"));
}
END_TEST

START_TEST(interrupted_hazards_say_so) {
    if (run("hazards two_level_serial --type f32 --quiet") == 77)
        SKIP_TEST("this compiler has no sanitizers");
    pid_t pid = start("", "hazards --tier full --json hazards.json");
    await_worker(pid);
    kill(pid, SIGTERM);
    ck_assert_int_eq(end_of(pid), INTERRUPTED);
    ck_assert(file_holds("out.txt", "(interrupted: not all cells were run)"));
    ck_assert_int_eq(run("report hazards.json"), 0);
}
END_TEST

START_TEST(interrupted_search_keeps_its_best) {
    shell("rm -rf found && mkdir found");
    pid_t pid = start("", "study host_kahan --search --type f32 --steps 1000000 --name found -o found");
    await_words("err.txt", "generation");
    kill(pid, SIGTERM);
    ck_assert_int_eq(end_of(pid), INTERRUPTED);
    ck_assert(file_holds("out.txt", "the best of what was tried until then"));
    ck_assert(file_holds("out.txt", "worst err/bound"));
    shell("grep -q '^sum: ' found/found.*");
}
END_TEST

START_TEST(interrupted_order_ends) {
    pid_t pid = start("", "order 'tree_*' -n 4096 --backend simt");
    await_worker(pid);
    kill(pid, SIGINT);
    ck_assert_int_eq(end_of(pid), INTERRUPTED);
}
END_TEST

// The first one finds a file that nobody takes, the second one need not wait for him.
START_TEST(second_interrupt_ends_at_once) {
    shell("rm -f fifo r.json && mkfifo fifo");
    pid_t pid = start("", "run host_kahan --case ones --type f32 --json r.json --html fifo");
    await_file("r.json");
    kill(pid, SIGINT);
    usleep(200000); // it may not end now
    ck_assert_int_eq(waitpid(pid, NULL, WNOHANG), 0);
    kill(pid, SIGTERM);
    ck_assert_int_eq(end_of(pid), INTERRUPTED);
}
END_TEST

// nohup
START_TEST(ignored_hangup_stays_ignored) {
    signal(SIGHUP, SIG_IGN);
    pid_t pid = start("", "run tree_sequential --backend simt --type f32 --json nohup.json --case uniform");
    await_worker(pid);
    kill(pid, SIGHUP);
    ck_assert_int_eq(end_of(pid), 0);
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    keep_own_cache();
    Suite *suite = suite_create("interrupts");
    TCase *tests = tcase_create("interrupts");
    tcase_add_loop_test(tests, early_interrupt_is_told, 0, COUNT(interrupts));
    tcase_add_loop_test(tests, interrupt_ends_compilers, 0, COUNT(interrupts));
    tcase_add_loop_test(tests, interrupt_keeps_what_was_run, 0, COUNT(interrupts));
    tcase_add_test(tests, impatience_is_told_what_it_costs);
    tcase_add_test(tests, interrupted_hazards_say_so);
    tcase_add_test(tests, interrupted_search_keeps_its_best);
    tcase_add_test(tests, interrupted_order_ends);
    tcase_add_test(tests, second_interrupt_ends_at_once);
    tcase_add_test(tests, ignored_hangup_stays_ignored);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
