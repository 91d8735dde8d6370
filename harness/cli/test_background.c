// SPDX-License-Identifier: MIT
#include "harness/cli/test_background.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t start(const char *environment, const char *arguments) {
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

int end_of(pid_t pid) {
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status), "it did not exit, status %x", (unsigned)status);
    return WEXITSTATUS(status);
}

void pause_a_moment(void) {
    usleep(5000);
}

void await_file(const char *name) {
    for (int i = 0; i < 10000 && !file_exists(name); i++)
        pause_a_moment();
    ck_assert_msg(file_exists(name), "%s does not appear", name);
}

void await_words(const char *file, const char *words) {
    for (int i = 0; i < 10000 && !file_holds(file, words); i++)
        pause_a_moment();
    ck_assert_msg(file_holds(file, words), "%s does not hold \"%s\"", file, words);
}

pid_t pid_in(const char *file) {
    char path[LINE];
    int pid = 0;
    snprintf(path, sizeof path, "%s/%s", directory, file);
    FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    ck_assert_int_eq(fscanf(in, "%d", &pid), 1);
    fclose(in);
    return pid;
}

void await_end_of_stranger(pid_t pid) {
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

static bool has_ended(pid_t pid) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

// The program asks every backend for its rows, and may open GPUs, before it starts a worker.
pid_t await_worker(pid_t parent) {
    enum { MOST_SECONDS = 60, A_SECOND = 1000000, PAUSE = 500 };
    pid_t worker = 0;
    for (int i = 0; i < MOST_SECONDS * (A_SECOND / PAUSE) && !(worker = serving_worker(parent)); i++) {
        ck_assert_msg(!has_ended(parent), "it ended before a worker was started");
        usleep(PAUSE);
    }
    ck_assert_msg(worker != 0, "no worker is started");
    return worker;
}

void make_workers(const char *name, const char *script) {
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
