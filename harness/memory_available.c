// SPDX-License-Identifier: MIT
#include "harness/memory_file.h"

#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// The number after `key` at the start of a line of a file in /proc or /sys; false if it is not there.
static bool read_figure(const char *path, const char *key, uint64_t *figure) {
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    char line[256];
    bool found = false;
    while (!found && fgets(line, sizeof line, file))
        found = strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%" SCNu64, figure) == 1;
    fclose(file);
    return found;
}

// What the control group (version 2) at `directory` has left. Page cache is not counted as taken: it can be dropped.
static size_t left_in_group(const char *directory) {
    char path[PATH_MAX + 32];
    uint64_t limit, anonymous = 0, shared = 0;
    snprintf(path, sizeof path, "%s/memory.max", directory);
    if (!read_figure(path, "", &limit)) // "max" is no number: no limit
        return SIZE_MAX;
    snprintf(path, sizeof path, "%s/memory.stat", directory);
    if (!read_figure(path, "anon ", &anonymous) || !read_figure(path, "shmem ", &shared))
        return SIZE_MAX;
    return limit > anonymous + shared ? limit - anonymous - shared : 0;
}

// The directory of this process's control group under the usual mount point.
static bool own_group(char *directory, size_t size) {
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file)
        return false;
    char line[PATH_MAX];
    bool found = false;
    while (!found && fgets(line, sizeof line, file))
        if (strncmp(line, "0::/", 4) == 0) {
            line[strcspn(line, "\n")] = 0;
            snprintf(directory, size, "/sys/fs/cgroup%s", line + 3);
            found = true;
        }
    fclose(file);
    return found;
}

// What the limit of this process's address space (`ulimit -v`) leaves.
static size_t left_in_address_space(void) {
    struct rlimit limit;
    uint64_t pages;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY || !read_figure("/proc/self/statm", "", &pages))
        return SIZE_MAX;
    uint64_t taken = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t memory_available(void) {
    uint64_t kibibytes;
    size_t available = SIZE_MAX;
    if (read_figure("/proc/meminfo", "MemAvailable:", &kibibytes))
        available = (size_t)kibibytes * 1024;
    char directory[PATH_MAX + 16] = "/sys/fs/cgroup";
    own_group(directory, sizeof directory);
    return smaller(available, smaller(left_in_group(directory), left_in_address_space()));
}
