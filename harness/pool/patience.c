// SPDX-License-Identifier: MIT
// proc_pid_stat(5), proc_pid_task(5). Where the machine has no /proc, all time counts.
#include "harness/pool/patience.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Seconds. Reading about a process costs tens of microseconds.
static const double shortest_look = 0.1, longest_pause = 0.25;
// Whoever comes back later than this from a pause stood still himself, and his child most likely too.
static const double longest_look = 0.5;

enum { MOST_GENERATIONS = 8 };

// What a child and its descendants are at.
struct census {
    double cpu;     // seconds, of those that were waited for as well
    bool wants_cpu; // some thread runs, or would if it could: on the processor's queue, stopped, or waiting for a page
    bool read;
};

struct stat_line {
    char state;
    double cpu; // seconds
};

// The name of a program may hold blanks and parentheses: what counts stands behind the last of them.
static bool read_stat(const char *path, struct stat_line *line) {
    char text[1024];
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *after = strrchr(text, ')');
    unsigned long user, system;
    long children_user, children_system; // fields 14 to 17
    if (!after || sscanf(after + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld", &line->state, &user,
                         &system, &children_user, &children_system) != 5)
        return false;
    line->cpu = ((double)user + (double)system + (double)children_user + (double)children_system) /
                (double)sysconf(_SC_CLK_TCK);
    return true;
}

static void count_process(struct census *census, long pid, int generation);

// Kernels without CONFIG_PROC_CHILDREN have no such list, and a program that only waits for another counts as asleep.
static void count_children(struct census *census, const char *task, int generation) {
    char path[96];
    long pid;
    snprintf(path, sizeof path, "%.80s/children", task);
    FILE *file = generation < MOST_GENERATIONS ? fopen(path, "re") : NULL;
    if (!file)
        return;
    while (fscanf(file, "%ld", &pid) == 1)
        count_process(census, pid, generation + 1);
    fclose(file);
}

static void count_task(struct census *census, const char *task, int generation) {
    char path[96];
    struct stat_line line;
    snprintf(path, sizeof path, "%.80s/stat", task);
    if (read_stat(path, &line))
        census->wants_cpu = census->wants_cpu || strchr("RDTt", line.state);
    count_children(census, task, generation);
}

static void count_process(struct census *census, long pid, int generation) {
    char path[64], task[80];
    struct stat_line line;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    if (!read_stat(path, &line))
        return;
    census->read = true;
    census->cpu += line.cpu;
    snprintf(path, sizeof path, "/proc/%ld/task", pid);
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!isdigit((unsigned char)*entry->d_name))
            continue;
        snprintf(task, sizeof task, "%.40s/%.20s", path, entry->d_name);
        count_task(census, task, generation);
    }
    if (folder)
        closedir(folder);
}

void patience_begin(struct patience *patience, double limit_seconds) {
    *patience = (struct patience){.limit = limit_seconds, .looked = monotonic_seconds(), .cpu = -1};
}

static void look(struct patience *patience, const struct child *child, double now) {
    struct census census = {.cpu = 0};
    count_process(&census, child->pid, 0);
    double passed = now - patience->looked;
    if (passed > longest_look)
        passed = longest_look;
    double had = patience->cpu < 0 || census.cpu < patience->cpu ? 0 : census.cpu - patience->cpu;
    bool starved = census.read && census.wants_cpu && had < passed;
    patience->used += starved ? had : passed;
    patience->stuck = starved && had == 0 ? patience->stuck + passed : 0;
    patience->looked = now;
    patience->cpu = census.cpu;
}

bool patience_was_had(const struct patience *patience) {
    return patience->used >= patience->limit;
}

bool patience_is_over(struct patience *patience, const struct child *child) {
    double now = monotonic_seconds();
    if (now - patience->looked >= shortest_look)
        look(patience, child, now);
    return patience_was_had(patience) || patience->stuck >= PATIENCE_MOST * patience->limit;
}

double patience_pause(const struct patience *patience) {
    double left = patience->limit - patience->used, until_look = patience->looked + shortest_look - monotonic_seconds();
    left = left < longest_pause ? left : longest_pause;
    left = left > until_look ? left : until_look;
    return left > 0 ? left : 0;
}
