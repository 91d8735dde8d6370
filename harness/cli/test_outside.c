// SPDX-License-Identifier: MIT
// What comes from outside: interrupts at every moment, killed workers, limits of the system, readers who leave, workers
// that are gone. None of it is booked on a row, and nothing half-written is left.
#include "harness/cli/test_program.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INTERRUPTED = 130, HARNESS_FAILED = 99, LINE = 2048 };

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

// ---- programs in the background ----

// Starts `ENVIRONMENT reductio ARGUMENTS` in the scratch directory, with its output in out.txt and err.txt.
static pid_t start(const char *environment, const char *arguments) {
    char command[LINE];
    unlink_file("out.txt");
    unlink_file("err.txt");
    snprintf(command, sizeof command, "cd '%s' && exec env %s '%s' %s >out.txt 2>err.txt </dev/null", directory,
             environment, program, arguments);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    return pid;
}

static int end_of(pid_t pid) {
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status), "it did not exit, status %x", (unsigned)status);
    return WEXITSTATUS(status);
}

static void pause_a_moment(void) {
    usleep(5000);
}

static void await_file(const char *name) {
    for (int i = 0; i < 10000 && !file_exists(name); i++)
        pause_a_moment();
    ck_assert_msg(file_exists(name), "%s does not appear", name);
}

static void await_words(const char *file, const char *words) {
    for (int i = 0; i < 10000 && !file_holds(file, words); i++)
        pause_a_moment();
    ck_assert_msg(file_holds(file, words), "%s does not hold \"%s\"", file, words);
}

static pid_t pid_in(const char *file) {
    char path[LINE];
    int pid = 0;
    snprintf(path, sizeof path, "%s/%s", directory, file);
    FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    ck_assert_int_eq(fscanf(in, "%d", &pid), 1);
    fclose(in);
    return pid;
}

// Killed by somebody else's SIGKILL, it goes in a moment.
static void await_end_of_stranger(pid_t pid) {
    for (int i = 0; i < 2000 && kill(pid, 0) == 0; i++)
        pause_a_moment();
    ck_assert_msg(kill(pid, 0) != 0, "process %d goes on", (int)pid);
}

// A worker of the program at work, found by its command line; 0: none.
static pid_t serving_worker(pid_t parent) {
    char path[64], words[512];
    pid_t worker = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *children = fopen(path, "r");
    if (!children)
        return 0;
    for (pid_t child; !worker && fscanf(children, "%d", &child) == 1;) {
        snprintf(path, sizeof path, "/proc/%d/cmdline", (int)child);
        FILE *file = fopen(path, "r");
        size_t count = file ? fread(words, 1, sizeof words, file) : 0;
        worker = memmem(words, count, "--serve", sizeof "--serve") ? child : 0;
        if (file)
            fclose(file);
    }
    fclose(children);
    return worker;
}

static pid_t await_worker(pid_t parent) {
    pid_t worker = 0;
    for (int i = 0; i < 10000 && !(worker = serving_worker(parent)); i++)
        usleep(500);
    ck_assert_msg(worker != 0, "no worker is started");
    return worker;
}

// ---- interrupts ----

// A worker's folder of our own, in which `name` is a script.
static void make_workers(const char *name, const char *script) {
    char command[LINE];
    snprintf(command, sizeof command,
             "rm -rf workers && mkdir workers && ln -s \"$(dirname '%s')\"/reductio-worker-* workers/ && rm -f "
             "workers/%s",
             program, name);
    shell(command);
    snprintf(command, sizeof command, "workers/%s", name);
    if (!script)
        return;
    write_file(command, script);
    snprintf(command, sizeof command, "chmod +x workers/%s", name);
    shell(command);
}

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

START_TEST(interrupted_hazards_say_so) {
    if (run("hazards two_level_serial --type f32 --quiet") == 77)
        return; // this compiler has no sanitizers
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
    pid_t pid = start("", "order 'tree_*' -n 4096");
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
    pid_t pid = start("", "run tree_sequential --type f32 --json nohup.json --case uniform");
    await_worker(pid);
    kill(pid, SIGHUP);
    ck_assert_int_eq(end_of(pid), 0);
}
END_TEST

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
    pid_t pid = start("", "check tree_sequential --type f32 --tier full --jobs 1 --quiet --json killed.json"),
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
    ck_assert_int_eq(run_limited("ulimit -v 350000", "check tree_sequential host_kahan --type f32 --case 'o*' --quiet "
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
    {"selftest drops_tail --type f32 --quiet", "out.txt", "unchecked drops_tail@simt/f32"},
};

START_TEST(no_command_takes_little_memory_for_an_answer) {
    ck_assert_int_eq(run_limited("ulimit -v 300000", starved[_i].arguments), HARNESS_FAILED);
    ck_assert_msg(file_holds(starved[_i].file, starved[_i].says), "%s", starved[_i].arguments);
}
END_TEST
#endif

START_TEST(few_descriptors_are_enough) {
    ck_assert_int_eq(run_limited("ulimit -n 16", "check host_kahan tree_sequential --case ones --type f32 --jobs 16 "
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
    {"run drops_tail --type f32 --json piped.json", 0},
    {"list variants", 0},
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

// ---- what is gone, or half there ----

static const struct {
    const char *script, *says; // NULL: there is none
    const char *mode;
} gone[] = {
    {NULL, "the worker of the backend simt is lost: ", "-x"},
    {"", "reductio-worker-simt cannot be executed: Permission denied. Build or install reductio anew.", "-x"},
    {"", "Cannot execute workers/reductio-worker-simt: Exec format error.", "+x"},
    {"\177ELF and no more", "Cannot execute ", "+x"},
};

START_TEST(lost_worker_is_told) {
    char command[LINE];
    unlink_file("lost.json");
    make_workers("reductio-worker-simt", gone[_i].script);
    if (gone[_i].script) {
        snprintf(command, sizeof command, "chmod %s workers/reductio-worker-simt", gone[_i].mode);
        shell(command);
    }
    ck_assert_int_eq(run_in("REDUCTIO_WORKERS=workers", "check --json lost.json"), HARNESS_FAILED);
    ck_assert_msg(file_holds("err.txt", gone[_i].says), "%s", gone[_i].says);
    ck_assert(!file_exists("lost.json"));
    if (strcmp(gone[_i].mode, "-x") == 0) // who asks for another backend does not miss it
        ck_assert_int_eq(run_in("REDUCTIO_WORKERS=workers", "check --backend host --type f32 --case ones --quiet"), 0);
}
END_TEST

static const char *const damages[] = {": >\"$w\"",
                                      "echo garbage >\"$w\"",
                                      "rm \"$w\"",
                                      "chmod -x \"$w\"",
                                      "dd if=/dev/zero of=\"$w\" bs=1 seek=5000 count=8 conv=notrunc 2>dd.txt",
                                      "rm -r \"$(dirname \"$w\")\"; : >\"$(dirname \"$w\")\""};

// A worker in the cache that is not what was put there is built anew.
START_TEST(damaged_build_is_made_anew) {
    static const char check[] = "check spoilt.cu --backend simt --type f32 --case integers --json spoilt.json";
    char command[LINE];
    if (!file_exists("spoilt.cu"))
        ck_assert_int_eq(run("new spoilt"), 0);
    ck_assert_int_eq(run(check), 0);
    snprintf(command, sizeof command, "w=$(ls cache/reductio/*-*/worker) && %s", damages[_i]);
    shell(command);
    ck_assert_int_eq(run(check), 0);
    ck_assert(file_holds("err.txt", "compiling spoilt.cu"));
    ck_assert_int_eq(run(check), 0);
    ck_assert(!file_holds("err.txt", "compiling"));
    shell("test $(ls cache/reductio | wc -l) = 2");
}
END_TEST

// Compilers take another folder where TMPDIR names none.
START_TEST(missing_places) {
    unlink_file("placed.cu");
    ck_assert_int_eq(run("new placed"), 0);
    ck_assert_int_eq(run_in("env -u HOME -u XDG_CACHE_HOME", "check placed.cu --backend simt"), 2);
    ck_assert(file_holds("err.txt", "there is no place for builds: ~/.cache/reductio"));
    ck_assert_int_eq(run_in("TMPDIR=/nonexistent", "check placed.cu --backend simt --type f32 --case integers"), 0);
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    keep_own_cache();
    Suite *suite = suite_create("outside");
    TCase *tests = tcase_create("outside");
    tcase_add_loop_test(tests, early_interrupt_is_told, 0, COUNT(interrupts));
    tcase_add_loop_test(tests, interrupt_ends_compilers, 0, COUNT(interrupts));
    tcase_add_loop_test(tests, interrupt_keeps_what_was_run, 0, COUNT(interrupts));
    tcase_add_test(tests, interrupted_hazards_say_so);
    tcase_add_test(tests, interrupted_search_keeps_its_best);
    tcase_add_test(tests, interrupted_order_ends);
    tcase_add_test(tests, second_interrupt_ends_at_once);
    tcase_add_test(tests, ignored_hangup_stays_ignored);
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
    tcase_add_loop_test(tests, lost_worker_is_told, 0, COUNT(gone));
    tcase_add_loop_test(tests, damaged_build_is_made_anew, 0, COUNT(damages));
    tcase_add_test(tests, missing_places);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
