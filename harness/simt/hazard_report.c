// SPDX-License-Identifier: MIT
// Makes a sentence of what ThreadSanitizer reports: both accesses, the variable, the places, the threads.
#include "harness/guarded.h"
#include "harness/simt/hazard_place.h"
#include "harness/simt/hazard_tsan.h"

#include <stdio.h>
#include <string.h>

// Of compiler-rt's lib/tsan/rtl/tsan_debugging.cpp: the contents of the report at hand. They return 0 where there is no
// such item.
int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *accesses,
                           int *locations, int *mutexes, int *threads, int *unique_tids, void **sleep_trace,
                           unsigned long trace_size);
int __tsan_get_report_mop(void *report, unsigned long index, int *tid, void **address, int *size, int *write,
                          int *atomic, void **trace, unsigned long trace_size);
int __tsan_get_report_thread(void *report, unsigned long index, int *tid, unsigned long long *os_id, int *running,
                             const char **name, int *parent_tid, void **trace, unsigned long trace_size);
void __tsan_on_report(void *report);

enum { TRACE = 16 };

static struct {
    struct simt_canary_watch *watch;
    // Of each pool: how many blocks of this launch it has run, and the last.
    unsigned blocks[SIMT_MAX_SLOTS];
    struct simt_index last[SIMT_MAX_SLOTS];
} reports;

struct access {
    void *address;
    int tid, size, writes, atomic;
    struct hazard_place place;
    bool known; // as a CUDA thread's
    unsigned pool, thread;
};

void simt_report_begin(void) {
    memset(reports.blocks, 0, sizeof reports.blocks);
}

void simt_report_block(const struct simt_block *block) {
    reports.blocks[block->pool]++;
    reports.last[block->pool] = block->index;
}

void simt_report_watch(struct simt_canary_watch *watch) {
    reports.watch = watch;
}

// Fibers are named by the numbers of their stacks.
static void find_thread(void *report, int threads, struct access *access) {
    for (int i = 0; i < threads; i++) {
        int tid, running, parent;
        unsigned long long os_id;
        const char *name = NULL;
        void *trace[1] = {NULL};
        __tsan_get_report_thread(report, (unsigned long)i, &tid, &os_id, &running, &name, &parent, trace, 1);
        unsigned number, pool_threads = simt_pool_threads(&simt_machine);
        if (tid != access->tid || !name || sscanf(name, "%u", &number) != 1)
            continue;
        access->pool = number / pool_threads;
        access->thread = number % pool_threads;
        access->known = access->pool < SIMT_MAX_SLOTS;
    }
}

static bool read_access(void *report, int threads, unsigned long index, struct access *access) {
    void *trace[TRACE] = {NULL};
    *access = (struct access){0};
    if (!__tsan_get_report_mop(report, index, &access->tid, &access->address, &access->size, &access->writes,
                               &access->atomic, trace, TRACE))
        return false;
    hazard_find_place(trace, TRACE, &access->place);
    find_thread(report, threads, access);
    return true;
}

static const char *verb(const struct access *access, bool past) {
    if (access->writes)
        return past ? "wrote" : "writes";
    return past ? "read" : "reads";
}

static void name_variable(const void *address, char *text, size_t size) {
    const struct simt_machine *machine = &simt_machine;
    if (!simt_name_shared(machine, address, text, size) && !simt_name_buffer(address, text, size))
        snprintf(text, size, "address %p", address);
}

// Which block a thread of the other pool ran is known only while that pool has run just one.
static void name_thread(const struct access *access, char *text, size_t size) {
    const struct simt_launch *launch = simt_machine.launch;
    const struct simt_block *here = simt_here->block;
    char thread[48], block[48];
    if (!access->known) {
        snprintf(text, size, "the host");
        return;
    }
    simt_describe_index(simt_index_of(&here->threads[access->thread]), launch->block, thread, sizeof thread);
    simt_describe_index(access->pool == here->pool ? here->index : reports.last[access->pool], launch->grid, block,
                        sizeof block);
    if (access->pool == here->pool || reports.blocks[access->pool] == 1)
        snprintf(text, size, "block %s, thread %s", block, thread);
    else
        snprintf(text, size, "thread %s of an earlier block", thread);
}

static void record_race(const struct access *now, const struct access *before) {
    char variable[160], other[128];
    name_variable(now->address, variable, sizeof variable);
    name_thread(before, other, sizeof other);
    simt_record(WORK_RACED, simt_here, (struct simt_place){now->place.file, now->place.line},
                "%s%s %d bytes at %s, which %s %s%s (%d bytes) at %s:%d, and nothing orders the two", verb(now, false),
                now->atomic ? " atomically" : "", now->size, variable, other, verb(before, true),
                before->atomic ? " atomically" : "", before->size, before->place.file, before->place.line);
}

static bool watched(const void *address) {
    if (!reports.watch)
        return false;
    for (size_t i = 0; i < sizeof reports.watch->seen / sizeof *reports.watch->seen; i++)
        reports.watch->seen[i] |= reports.watch->cells[i] == address;
    return true;
}

// Called by the sanitizer, which holds locks meanwhile: the launch ends at the end of its block.
void __tsan_on_report(void *report) {
    const char *description = NULL;
    int count, stacks, accesses = 0, locations, mutexes, threads = 0, unique_tids;
    void *trace[1] = {NULL};
    struct access now, before;
    __tsan_get_report_data(report, &description, &count, &stacks, &accesses, &locations, &mutexes, &threads,
                           &unique_tids, trace, 1);
    if (accesses < 2 || !simt_here || simt_machine.outcome != WORK_DONE)
        return;
    if (!read_access(report, threads, 0, &now) || !read_access(report, threads, 1, &before) || watched(now.address))
        return;
    record_race(&now, &before);
    simt_hazard_mute(simt_here);
}
