// SPDX-License-Identifier: MIT
#include "harness/cli/hazard_build.h"

#include "harness/interrupt.h"
#include "harness/pool/child.h"
#include "harness/support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define LOCK_FILE REDUCTIO_BUILD_DIRECTORY "/hazards.lock"

static bool complain(const char *kind, const char *why) {
    say_error("the kernels cannot be built for %s: %s", kind, why);
    return false;
}

static bool is_configured(const char *kind) {
    return strstr(" " REDUCTIO_HAZARD_KINDS " ", kind) != NULL;
}

// An installation has no build folder, also where it lies in one.
static bool lies_in_build_folder(void) {
    char path[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return length > 0 && strcmp(path, REDUCTIO_BUILD_DIRECTORY "/bin/reductio") == 0 &&
           access(REDUCTIO_BUILD_DIRECTORY "/CMakeCache.txt", F_OK) == 0;
}

// ---- the lock ----

// Held by this process and by the build's keeper: where this one is killed and its build goes on, nobody builds beside
// that. No program inherits it: a compiler's server would outlive the build, and hold it for ever.
static int take_lock(const char *kind) {
    int lock = open(LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool taken = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    if (!taken && lock >= 0 && errno == EWOULDBLOCK) {
        say_error("the kernels are being built by another process, which is waited for.");
        while (!(taken = flock(lock, LOCK_EX) == 0) && errno == EINTR)
            continue;
    }
    if (taken)
        return lock;
    char why[PATH_MAX];
    snprintf(why, sizeof why, "%s: %s.", LOCK_FILE, strerror(errno));
    complain(kind, why);
    if (lock >= 0)
        close(lock);
    return -1;
}

// ---- the build ----

// How a build came to its end.
struct build_end {
    int error;  // errno: cmake could not be started
    int status; // otherwise its wait status
};

// `cmake --build DIRECTORY --target TARGET`, its output to stderr: standard output is for results.
static int start_build(const char *target, pid_t *pid) {
    char *argv[] = {"cmake", "--build", REDUCTIO_BUILD_DIRECTORY, "--target", (char *)target, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all;
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
        error = error ? error : posix_spawnattr_setsigdefault(&attributes, &all);
        error = error ? error : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        error = error ? error : posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// The keeper lives as long as the build, whatever becomes of the program that wanted it, and tells it how that ended.
static _Noreturn void keep_build(const char *target, int tell) {
    static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP}; // which are for the build, in one group with it
    struct build_end end = {.status = 0};
    pid_t pid;
    setpgid(0, 0);
    for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
        signal(interrupts[i], SIG_IGN);
    end.error = start_build(target, &pid);
    while (!end.error && waitpid(pid, &end.status, 0) < 0 && errno == EINTR)
        continue;
    ssize_t written = write(tell, &end, sizeof end);
    _exit(written == sizeof end ? 0 : EXIT_HARNESS_FAILED);
}

// False where the keeper has ended without a word.
static bool await_build(pid_t keeper, int told, struct build_end *end) {
    enum { LOOK_MILLISECONDS = 250 }; // how late an interrupt between the look and the wait is noticed
    struct pollfd fd = {.fd = told, .events = POLLIN};
    bool stopped = false;
    while (poll(&fd, 1, LOOK_MILLISECONDS) <= 0) {
        if (was_interrupted() && !stopped)
            stopped = kill(-keeper, SIGTERM) == 0; // the keeper is not reaped yet, so the number is its own
    }
    bool told_all = read(told, end, sizeof *end) == sizeof *end;
    while (waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
        continue;
    return told_all;
}

static bool judge_build(const struct build_end *end, bool told, const char *kind) {
    char how[80] = "has lost its keeper", why[128];
    if (told && end->error) {
        snprintf(why, sizeof why, "cmake cannot be started: %s.", strerror(end->error));
        return complain(kind, why);
    }
    if (told && WIFEXITED(end->status) && WEXITSTATUS(end->status) == 0)
        return true;
    if (told)
        child_describe_status(end->status, how, sizeof how);
    snprintf(why, sizeof why, "the build above %s.", how);
    return complain(kind, why);
}

static bool run_build(const char *target, const char *kind) {
    int told[2];
    struct build_end end;
    if (pipe2(told, O_CLOEXEC) != 0)
        return complain(kind, strerror(errno));
    bool watched = begin_watch();
    pid_t keeper = fork();
    if (keeper == 0)
        keep_build(target, told[1]);
    int error = errno;
    close(told[1]);
    if (keeper > 0)
        setpgid(keeper, keeper); // it does so too; whoever is first, the group exists before it is sent a signal
    bool whole = keeper > 0 && await_build(keeper, told[0], &end);
    close(told[0]);
    end_watch(watched);
    end_if_interrupted();
    return keeper > 0 ? judge_build(&end, whole, kind) : complain(kind, strerror(error));
}

// A linker makes its output executable once it is whole, and a build that was killed may have left less. A build tool
// may take that for what it wanted, so it goes.
static bool remove_unfinished(const char *worker, const char *kind) {
    if (unlink(worker) == 0 || errno == ENOENT)
        return true;
    char why[PATH_MAX];
    snprintf(why, sizeof why, "%.*s cannot be removed: %s.", PATH_MAX - 200, worker, strerror(errno));
    return complain(kind, why);
}

static bool build_locked(const char *target, const char *kind) {
    char worker[PATH_MAX];
    snprintf(worker, sizeof worker, REDUCTIO_BUILD_DIRECTORY "/bin/%s", target);
    if (access(worker, X_OK) == 0) // by another process meanwhile
        return true;
    say_error("the kernels are built for %s, once: cmake --build %s --target %s", kind, REDUCTIO_BUILD_DIRECTORY,
              target);
    return remove_unfinished(worker, kind) && run_build(target, kind) &&
           (access(worker, X_OK) == 0 || complain(kind, "the build above has left no program."));
}

static bool build_worker(const char *kind) {
    char target[64];
    snprintf(target, sizeof target, "reductio-worker-simt-%s", kind);
    int lock = take_lock(kind);
    if (lock < 0)
        return false;
    bool built = build_locked(target, kind);
    close(lock);
    return built;
}

enum hazard_build build_missing_hazards(const struct catalog *catalog, const struct selection *selection) {
    enum hazard_build done = HAZARDS_AS_THEY_ARE;
    if (getenv("REDUCTIO_WORKERS") || !lies_in_build_folder())
        return done;
    for (size_t b = 0; b < catalog->backend_count; b++) {
        const struct catalog_backend *backend = &catalog->backends[b];
        if (!backend->hazard || backend->brought || !is_configured(backend->name) ||
            !selects_backend(selection, backend->name) || access(backend->worker, X_OK) == 0)
            continue;
        if (!build_worker(backend->name))
            return HAZARDS_NOT_BUILT;
        done = HAZARDS_BUILT;
    }
    return done;
}
