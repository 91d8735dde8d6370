// SPDX-License-Identifier: MIT
// Sentences about what went wrong: place, kernel, block, thread, and what it did.
#include "harness/simt/scheduler.h"

#include <stdio.h>
#include <string.h>

const char *simt_file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void simt_describe_index(struct simt_index index, struct simt_index extent, char *text, size_t size) {
    if (extent.y == 1 && extent.z == 1)
        snprintf(text, size, "%u", index.x);
    else
        snprintf(text, size, "(%u,%u,%u)", index.x, index.y, index.z);
}

void simt_fail(enum work_outcome outcome, const struct simt_thread *thread, struct simt_place place, const char *format,
               va_list arguments) {
    struct simt_machine *machine = &simt_machine;
    const struct simt_launch *launch = machine->launch;
    char sentence[512], block[48] = "?", lane[48];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    machine->outcome = outcome;
    simt_describe_index(thread->block->index, launch->grid, block, sizeof block);
    simt_describe_index(simt_index_of(thread), launch->block, lane, sizeof lane);
    snprintf(machine->message, sizeof machine->message, "%s:%d: kernel %s, block %s, thread %s: %s",
             simt_file_name(place.file), place.line, launch->kernel, block, lane, sentence);
}

void simt_record(enum work_outcome outcome, const struct simt_thread *thread, struct simt_place place,
                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    simt_fail(outcome, thread, place, format, arguments);
    va_end(arguments);
}

void simt_misuse(struct simt_place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    simt_fail(WORK_MISUSED, simt_here, place, format, arguments);
    va_end(arguments);
    simt_stop_thread();
}

void simt_lack_room(struct simt_machine *machine, const struct simt_launch *launch, const char *reason) {
    machine->outcome = WORK_NOT_POSSIBLE;
    machine->launch = NULL;
    snprintf(machine->message, sizeof machine->message, "%s:%d: kernel %s: the emulator has no memory to run it: %s",
             simt_file_name(launch->place.file), launch->place.line, launch->kernel, reason);
}

void simt_trap(struct simt_place place) {
    simt_record(WORK_CRASHED, simt_here, place, "executes __trap");
    simt_stop_thread();
}

static void describe_wait(const struct simt_thread *thread, char *text, size_t size) {
    bool barrier = thread->state == SIMT_AT_BARRIER, grid = thread->state == SIMT_AT_GRID_BARRIER;
    struct simt_place place = barrier ? thread->block->barrier : simt_wait_of(thread)->place;
    snprintf(text, size, "waits at %s (%s:%d)",
             barrier ? "__syncthreads"
             : grid  ? "grid.sync()"
                     : simt_warp_name((uint32_t)simt_wait_of(thread)->result),
             simt_file_name(place.file), place.line);
}

static const struct simt_group *find_group(const struct simt_thread *thread) {
    for (uint32_t i = 0; i < simt_warp_of(thread)->group_count; i++) {
        if (simt_warp_of(thread)->groups[i].arrived >> simt_lane_of(thread) & 1)
            return &simt_warp_of(thread)->groups[i];
    }
    return NULL;
}

// A lane waits for another that waits elsewhere.
static void explain_lane(const struct simt_thread *thread, const struct simt_group *group) {
    unsigned lane = (unsigned)__builtin_ctz(group->mask & ~group->arrived);
    char there[256];
    describe_wait(thread - simt_lane_of(thread) + lane, there, sizeof there);
    simt_record(WORK_MISUSED, thread, simt_wait_of(thread)->place,
                "waits for ever at %s with mask 0x%08x: lane %u, which it names, %s", simt_warp_name(group->operation),
                group->mask, lane, there);
}

// The first thread of the grid that waits at its barrier, or that does not.
static const struct simt_thread *find_at_grid(const struct simt_machine *machine, bool waits) {
    const struct simt_thread *first = NULL;
    for (unsigned i = 0; i < machine->slots; i++) {
        const struct simt_block *block = &machine->blocks[i];
        for (unsigned t = 0; t < machine->block_threads && (!first || block->rank < first->block->rank); t++) {
            if ((block->threads[t].state == SIMT_AT_GRID_BARRIER) == waits)
                first = &block->threads[t];
        }
    }
    return first;
}

static void explain_grid(const struct simt_machine *machine) {
    const struct simt_thread *thread = find_at_grid(machine, true), *missing = find_at_grid(machine, false);
    char block[48], lane[48], there[256] = "has exited without it";
    simt_describe_index(missing->block->index, machine->launch->grid, block, sizeof block);
    simt_describe_index(simt_index_of(missing), machine->launch->block, lane, sizeof lane);
    if (missing->state != SIMT_EXITED)
        describe_wait(missing, there, sizeof there);
    simt_record(WORK_MISUSED, thread, simt_wait_of(thread)->place,
                "waits for ever at grid.sync(): thread %s of block %s %s", lane, block, there);
}

void simt_explain_deadlock(struct simt_machine *machine) {
    for (unsigned i = 0; i < machine->slots; i++) {
        const struct simt_block *block = &machine->blocks[i];
        if (!block->running)
            continue;
        for (unsigned t = 0; t < machine->block_threads; t++) {
            const struct simt_thread *thread = &block->threads[t];
            const struct simt_group *group = thread->state == SIMT_AT_WARP_OPERATION ? find_group(thread) : NULL;
            if (group) {
                explain_lane(thread, group);
                return;
            }
        }
    }
    if (machine->grid_arrived > 0) {
        explain_grid(machine);
        return;
    }
    machine->outcome = WORK_HUNG;
    snprintf(machine->message, sizeof machine->message, "kernel %s: no thread can go on", machine->launch->kernel);
}

// From machine.h's simt_yield: the budget is spent.
void simt_give_up(struct simt_place place) {
    simt_record(WORK_HUNG, simt_here, place,
                "goes round and round here: no thread of a resident block has come to a barrier or to its end");
    simt_stop_thread();
}
