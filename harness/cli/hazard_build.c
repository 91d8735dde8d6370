// SPDX-License-Identifier: MIT
#include "harness/cli/hazard_build.h"

#include "harness/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
    fprintf(stderr, "reductio: the kernels cannot be built for %s: %s\n", kind, why);
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

// Held until the last process that has the descriptor ends. The builder inherits it: where this process is killed and
// its build goes on, nobody builds beside that.
static int take_lock(const char *kind) {
    int lock = open(LOCK_FILE, O_RDWR | O_CREAT, 0666);
    bool taken = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    if (!taken && lock >= 0 && errno == EWOULDBLOCK) {
        fprintf(stderr, "reductio: the kernels are being built by another process, which is waited for.\n");
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

// `cmake --build DIRECTORY --target TARGET`, its output to stderr: standard output is for results.
static bool start_build(const char *target, pid_t *pid, const char *kind) {
    char *argv[] = {"cmake", "--build", REDUCTIO_BUILD_DIRECTORY, "--target", (char *)target, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return complain(kind, strerror(error));
    error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    error = error ? error : posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    char why[128];
    snprintf(why, sizeof why, "cmake cannot be started: %s.", strerror(error));
    return error ? complain(kind, why) : true;
}

static bool run_build(const char *target, const char *kind) {
    pid_t pid;
    int status = -1;
    if (!start_build(target, &pid, kind))
        return false;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    char how[80], why[128];
    child_describe_status(status, how, sizeof how);
    snprintf(why, sizeof why, "the build above %s.", how);
    return complain(kind, why);
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
    fprintf(stderr, "reductio: the kernels are built for %s, once: cmake --build %s --target %s\n", kind,
            REDUCTIO_BUILD_DIRECTORY, target);
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
