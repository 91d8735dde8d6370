// SPDX-License-Identifier: MIT
#include "harness/cli/hazard_build.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// `cmake --build DIRECTORY --target TARGET`, its output to stderr: standard output is for results.
static bool run_build(const char *target) {
    char *argv[] = {"cmake", "--build", REDUCTIO_BUILD_DIRECTORY, "--target", (char *)target, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool started = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) == 0 &&
                   posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (started && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return started && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_configured(const char *kind) {
    return strstr(" " REDUCTIO_HAZARD_KINDS " ", kind) != NULL;
}

static bool lies_in_build_folder(void) {
    char path[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return length > 0 && strncmp(path, REDUCTIO_BUILD_DIRECTORY "/", strlen(REDUCTIO_BUILD_DIRECTORY) + 1) == 0;
}

bool build_missing_hazards(const struct catalog *catalog) {
    bool built = false;
    if (getenv("REDUCTIO_WORKERS") || !lies_in_build_folder() ||
        access(REDUCTIO_BUILD_DIRECTORY "/CMakeCache.txt", F_OK) != 0)
        return false;
    for (size_t b = 0; b < catalog->backend_count; b++) {
        const struct catalog_backend *backend = &catalog->backends[b];
        char target[64];
        if (!backend->hazard || !is_configured(backend->name) || access(backend->worker, X_OK) == 0)
            continue;
        snprintf(target, sizeof target, "reductio-worker-simt-%s", backend->name);
        fprintf(stderr, "reductio: the kernels are built for %s, once: cmake --build %s --target %s\n", backend->name,
                REDUCTIO_BUILD_DIRECTORY, target);
        built |= run_build(target);
    }
    return built;
}
