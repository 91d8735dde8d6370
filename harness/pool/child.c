// SPDX-License-Identifier: MIT
#include "harness/pool/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

extern char **environ;

// Everything that a start needs and that must be closed if it fails.
struct start_pipes {
    int output[2], errors[2], failure[2]; // `failure` brings a struct start_failure; exec closes it
};

struct start_failure {
    int error;        // errno; 0 after a good start
    bool before_exec; // which was not reached: the machine's fault, and not the file's
};

double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void close_if_open(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipe(int pipe[2]) {
    close_if_open(&pipe[0]);
    close_if_open(&pipe[1]);
}

static bool open_pipes(struct start_pipes *pipes, bool errors_apart) {
    *pipes = (struct start_pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    return pipe2(pipes->output, O_CLOEXEC) == 0 && (!errors_apart || pipe2(pipes->errors, O_CLOEXEC) == 0) &&
           pipe2(pipes->failure, O_CLOEXEC) == 0;
}

// The functions down to `become` run between vfork and exec: in this process's memory, of which they change nothing but
// their own variables, and with calls that are async-signal-safe. fork would copy the tables of all pages, which in a
// run of 10^5 cells is most of what a start costs.

static void mark_close_on_exec(void) {
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    // Before Linux 5.11.
    long limit = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < limit; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void reset_signals(void) {
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// The lowest number that is free, so that no other is needed where there are few.
static bool read_nothing(void) {
    close(STDIN_FILENO);
    return open("/dev/null", O_RDONLY) == STDIN_FILENO;
}

static bool set_up(const struct start_pipes *pipes, const int *inherit, size_t inherit_count) {
    int errors = pipes->errors[1] >= 0 ? pipes->errors[1] : pipes->output[1];
    bool ready = dup2(pipes->output[1], STDOUT_FILENO) == STDOUT_FILENO &&
                 dup2(errors, STDERR_FILENO) == STDERR_FILENO && read_nothing();
    for (size_t i = 0; ready && i < inherit_count; i++)
        ready = fcntl(inherit[i], F_SETFD, 0) == 0;
    return ready;
}

static _Noreturn void become(char *const argv[], char *const environment[], const struct start_pipes *pipes,
                             const int *inherit, size_t inherit_count, pid_t parent) {
    bool ready = setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
    int error = errno;
    if (getppid() != parent) // it died before the prctl
        _exit(0);
    reset_signals();
    mark_close_on_exec();
    errno = error;
    ready = ready && set_up(pipes, inherit, inherit_count);
    if (ready)
        execve(argv[0], argv, environment ? environment : environ);
    struct start_failure failure = {.error = errno, .before_exec = !ready};
    // If even this write fails the parent sees a child that ended with exit code 127.
    ssize_t written = write(pipes->failure[1], &failure, sizeof failure);
    (void)written;
    _exit(127);
}

// No handler of ours may run in the child, which shares our memory: it unblocks signals once it has reset them.
static pid_t start_process(char *const argv[], char *const environment[], const struct start_pipes *pipes,
                           const int *inherit, size_t inherit_count) {
    sigset_t all, before;
    pid_t parent = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = vfork();
    if (pid == 0)
        become(argv, environment, pipes, inherit, inherit_count, parent);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

static struct start_failure await_exec(int pipe) {
    struct start_failure failure;
    ssize_t got;
    do
        got = read(pipe, &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof failure ? failure : (struct start_failure){.error = 0};
}

static bool set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

static enum child_start not_possible(struct start_pipes *pipes, const char *path, char *message) {
    snprintf(message, CHILD_MESSAGE, "Cannot start a process for %s: %s.", path, strerror(errno));
    close_pipe(pipes->output);
    close_pipe(pipes->errors);
    close_pipe(pipes->failure);
    return CHILD_NOT_POSSIBLE;
}

// execve(2): what the machine may have again in a moment. EAGAIN is a limit of processes.
static bool is_passing(int error) {
    return error == EAGAIN || error == ENOMEM || error == ENFILE || error == EMFILE;
}

enum child_start child_start(struct child *child, char *const argv[], char *const environment[], const int *inherit,
                             size_t inherit_count, bool errors_apart, char *message) {
    *child = (struct child){.output = -1, .errors = -1};
    struct start_pipes pipes;
    if (!open_pipes(&pipes, errors_apart) || !set_nonblocking(pipes.output[0]) ||
        (errors_apart && !set_nonblocking(pipes.errors[0])))
        return not_possible(&pipes, argv[0], message);
    pid_t pid = start_process(argv, environment, &pipes, inherit, inherit_count);
    if (pid < 0)
        return not_possible(&pipes, argv[0], message);
    setpgid(pid, pid); // the child does so too; whoever is first, the group exists before anyone kills it
    close_if_open(&pipes.output[1]);
    close_if_open(&pipes.errors[1]);
    close_if_open(&pipes.failure[1]);
    *child = (struct child){.pid = pid, .output = pipes.output[0], .errors = pipes.errors[0]};
    struct start_failure failure = await_exec(pipes.failure[0]);
    close_if_open(&pipes.failure[0]);
    if (failure.error == 0)
        return CHILD_STARTED;
    child_end(child);
    snprintf(message, CHILD_MESSAGE,
             failure.before_exec ? "Cannot start a process for %s: %s." : "Cannot execute %s: %s.", argv[0],
             strerror(failure.error));
    return failure.before_exec || is_passing(failure.error) ? CHILD_NOT_POSSIBLE : CHILD_NOT_EXECUTABLE;
}

bool child_has_ended(const struct child *child) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child->pid;
}

bool child_await_end(const struct child *child, double seconds) {
    double until = monotonic_seconds() + seconds, left = seconds;
    // Readable once it has ended. Where there is none (no descriptor is left) poll waits for as long as it may.
    struct pollfd end = {.fd = pidfd_open(child->pid, 0), .events = POLLIN};
    while (!child_has_ended(child) && left > 0) {
        (void)poll(&end, 1, (int)(left * 1000) + 1); // an interrupt only makes it look again
        left = until - monotonic_seconds();
    }
    close_if_open(&end.fd);
    return child_has_ended(child);
}

int child_end(struct child *child) {
    int status = 0;
    kill(-child->pid, SIGKILL);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close_if_open(&child->output);
    close_if_open(&child->errors);
    child->pid = 0;
    return status;
}

bool signal_is_from_outside(int number) {
    // The last four a process brings upon itself by a pipe that it writes to or a timer that it sets.
    static const int own[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,    SIGABRT, SIGTRAP,
                              SIGSYS,  SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF};
    if (number >= NSIG) // "exit 255" of a shell's program is no signal
        return false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (number == own[i])
            return false;
    return true;
}

bool child_was_ended_from_outside(int status) {
    return WIFSIGNALED(status) && signal_is_from_outside(WTERMSIG(status));
}

void child_describe_status(int status, char *text, size_t size) {
    if (WIFEXITED(status)) {
        snprintf(text, size, "ended with exit code %d", WEXITSTATUS(status));
        return;
    }
    const char *name = sigabbrev_np(WTERMSIG(status));
    if (name)
        snprintf(text, size, "was killed by SIG%s", name);
    else
        snprintf(text, size, "was killed by signal %d", WTERMSIG(status));
}
