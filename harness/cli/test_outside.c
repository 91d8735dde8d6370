// SPDX-License-Identifier: MIT
// What comes from outside: killed workers, limits of the system, readers who leave. None of it is booked on a row, and
// nothing half-written is left.
#include "harness/cli/test_background.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- workers that are killed ----

// Hundredths of a second that a process has computed for: fields 14 and 15, counted from behind its name.
static unsigned long processor_time(pid_t pid) {
    char path[64], text[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file && fread(text, 1, sizeof text - 1, file) && strrchr(text, ')'))
        sscanf(strrchr(text, ')') + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    if (file)
        fclose(file);
    return user + system;
}

// True if the worker had a cell at work when it was killed, and not between two.
static bool killed_at_work(void) {
    pid_t pid = start(
              "", "check tree_sequential --backend simt --type f32 --tier full --jobs 1 --quiet --json killed.json"),
          worker = await_worker(pid);
    for (int i = 0; i < 2000 && processor_time(worker) < 20; i++)
        pause_a_moment();
    kill(worker, SIGKILL);
    ck_assert_int_eq(end_of(pid), 0);
    ck_assert(!file_holds("killed.json", "crashed"));
    return file_holds("err.txt", "Cells in which a worker was lost and a second one answered: 1;");
}

START_TEST(killed_worker_is_replaced) {
    bool at_work = false;
    for (int tries = 0; tries < 5 && !at_work; tries++)
        at_work = killed_at_work();
    ck_assert(at_work);
    ck_assert(file_holds("killed.json", "A first worker was lost over it; this is of a second."));
}
END_TEST

// A program that is killed on every array.
START_TEST(killed_program_is_not_checked) {
    write_file("victim.sh",
               "[ $(wc -c <\"$1\") -lt 200 ] && exec echo 7\nkill -9 $$\n"); // it is tried on three numbers
    ck_assert_int_eq(
        run("check --exec 'sh victim.sh {}' --quiet --json victim.json --claims victim.claims --save-baseline "
            "none --cell victim@exec/f32/uniform/1025/given/t1/o0/hw"),
        HARNESS_FAILED);
    ck_assert(file_holds("err.txt", "a run with cells that could not be checked is no baseline: none stays as it was"));
    ck_assert(!file_exists(".reductio/none.json"));
    ck_assert(file_holds("err.txt", "could not be checked, through no fault of their rows"));
    ck_assert(file_holds("victim.json", "\"harness_fault\":\"worker lost\""));
    ck_assert(file_holds("victim.json", "was killed by SIGKILL"));
    ck_assert(file_holds("victim.json", "Cells that could not be checked, through no fault of their rows: "));
    ck_assert_int_eq(run("verdict victim.json victim"), HARNESS_FAILED);
    ck_assert_int_eq(run("verdict victim.claims victim"), HARNESS_FAILED);
    ck_assert(file_holds("out.txt", "Cells that could not be checked: 1, first victim@exec/f32/uniform/1025/"));
    ck_assert_int_eq(run("merge victim.json -o merged.json"), HARNESS_FAILED);
}
END_TEST

// ---- limits of the system ----

static int run_limited(const char *limit, const char *arguments) {
    char command[LINE];
    snprintf(command, sizeof command, "cd '%s' && %s && exec '%s' %s >out.txt 2>err.txt </dev/null", directory, limit,
             program, arguments);
    int status = system(command);
    ck_assert_msg(WIFEXITED(status), "%s: %s did not exit", limit, arguments);
    return WEXITSTATUS(status);
}

#if !defined(__SANITIZE_ADDRESS__) // which takes terabytes of address space for itself
// The arrays of a worker and their guards want 400 MB of address space, its stacks on the emulator as much again.
START_TEST(too_little_memory_is_no_verdict) {
    ck_assert_int_eq(
        run_limited("ulimit -v 350000",
                    "check tree_sequential host_kahan --backend host --backend simt --type f32 --case 'o*' --quiet "
                    "--json tight.json"),
        HARNESS_FAILED);
    ck_assert(file_holds("tight.json", "\"harness_fault\":\"not possible\""));
    ck_assert(file_holds("tight.json", "Cannot allocate memory"));
    ck_assert(!file_holds("tight.json", "did not run"));
    ck_assert(file_holds("out.txt", "None of 2 variants breaks a claim"));
}
END_TEST

static const struct {
    const char *arguments, *file, *says;
} starved[] = {
    {"hardware --backend simt", "err.txt", "the machine was not asked on simt, "},
    {"order tree_sequential -n 16 --type f32 --backend simt", "out.txt", "did not run: There is no memory for "},
    {"study tree_sequential -n 64 --runs 2 --type f32 --backend simt", "err.txt", "could not be checked"},
    {"study tree_sequential --search --steps 2 --type f32 --backend simt", "err.txt", "could not be checked"},
    {"bench tree_sequential --sizes 2^10 --type f32 --backend simt", "err.txt", "could not be checked"},
    {"selftest drops_tail --backend simt --type f32 --quiet", "out.txt", "not checked drops_tail@simt/f32"},
};

START_TEST(no_command_takes_little_memory_for_an_answer) {
    ck_assert_int_eq(run_limited("ulimit -v 300000", starved[_i].arguments), HARNESS_FAILED);
    ck_assert_msg(file_holds(starved[_i].file, starved[_i].says), "%s", starved[_i].arguments);
}
END_TEST
#endif

START_TEST(few_descriptors_are_enough) {
    ck_assert_int_eq(
        run_limited("ulimit -n 16",
                    "check host_kahan tree_sequential --backend host --backend simt --case ones --type f32 --jobs 16 "
                    "--json few.json"),
        0);
    ck_assert(!file_holds("few.json", "harness_fault"));
}
END_TEST

// In blocks of 512 bytes: room for the record, and not for the page.
START_TEST(file_that_may_not_grow_is_told) {
    shell("rm -f large.*");
    ck_assert_int_eq(run_limited("ulimit -f 80", "run host_kahan --case ones --type f32 --json large.json --html "
                                                 "large.html"),
                     2);
    ck_assert(file_holds("err.txt", "large.html cannot be written: File too large."));
    ck_assert(file_holds("large.json", "\"verdict\""));
    shell("test \"$(ls large.*)\" = large.json");
}
END_TEST

START_TEST(inherited_descriptors_do_no_harm) {
    pid_t pid = fork();
    if (pid == 0) {
        int nothing = open("/dev/null", O_RDWR);
        for (int fd = 3; fd < 1100; fd++)
            dup2(nothing, fd);
        close(STDIN_FILENO); // and one is closed
        dup2(nothing, STDOUT_FILENO);
        execl(program, program, "check", "host_kahan", "--case", "ones", "--type", "f32", (char *)NULL);
        _exit(127);
    }
    ck_assert_int_eq(end_of(pid), 0);
}
END_TEST

// ---- readers who leave ----

static const struct {
    const char *arguments;
    int code;
} piped[] = {
    {"check host_kahan --case ones --type f32", 0},
    {"check host_kahan --case ones --type f32 --known claimed.txt", 2},
    {"run drops_tail --backend simt --type f32 --json piped.json", 0},
    {"run drops_tail --backend simt --type f32 --quiet --json -", 0},
    {"list variants --backend simt", 0},
    {"--help", 0},
};

// "| head -1": the code is the command's own, and nothing is said of the pipe.
START_TEST(reader_who_leaves_changes_nothing) {
    char command[LINE];
    write_file("claimed.txt", "what is this\n");
    snprintf(command, sizeof command,
             "mkfifo gone 2>/dev/null; { sleep 0.1; '%s' %s 2>err.txt; echo $? >code.txt; } | true; "
             "until test -s code.txt; do sleep 0.05; done; test $(cat code.txt) = %d",
             program, piped[_i].arguments, piped[_i].code);
    unlink_file("code.txt");
    shell(command);
    ck_assert(!file_holds("err.txt", "standard output"));
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    keep_own_cache();
    Suite *suite = suite_create("outside");
    TCase *tests = tcase_create("outside");
    tcase_add_test(tests, killed_worker_is_replaced);
    tcase_add_test(tests, killed_program_is_not_checked);
#if !defined(__SANITIZE_ADDRESS__)
    tcase_add_test(tests, too_little_memory_is_no_verdict);
    tcase_add_loop_test(tests, no_command_takes_little_memory_for_an_answer, 0, COUNT(starved));
#endif
    tcase_add_test(tests, few_descriptors_are_enough);
    tcase_add_test(tests, file_that_may_not_grow_is_told);
    tcase_add_test(tests, inherited_descriptors_do_no_harm);
    tcase_add_loop_test(tests, reader_who_leaves_changes_nothing, 0, COUNT(piped));
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
