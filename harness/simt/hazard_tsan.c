// SPDX-License-Identifier: MIT
// ThreadSanitizer: each CUDA thread is a fiber of its runtime, and switching orders nothing. What does:
//   launches    all that a launch did comes before all that follows on the stream;
//   barriers    of a block or the grid: every thread that has arrived comes before every thread that goes on; two
//               objects by turns, so that a fast thread's next arrival is not taken for part of this one;
//   __syncwarp  the same among the lanes that it names;
//   fences      hazard_order.c.
// Blocks take two pools of threads by turns. With one pool, thread 5 of all blocks would be one thread to the
// sanitizer, which never races with itself. A pool that is used again comes after all that it did before, and so it
// needs neither a fresh arena nor fresh stacks (two objects by turns: what a thread of a block did does not come before
// another thread of that block that starts after it has ended); the price is that only neighbours in the order of
// blocks can be seen to race, which other schedules change. A cooperative launch has threads of their own for each
// block.
#include "harness/simt/hazard_tsan.h"

#include <stdio.h>
#include <string.h>

// Of the threads that a runtime of few tells apart, 255, one is the machine's own.
enum { FEW_THREADS = 250 };

enum { NO_SYNC = 1, GROUPS = 64, USUAL_BLOCK = 128 };

static struct {
    void *main_fiber;
    void *fibers[SIMT_MAX_RESIDENT];                             // by stack; each costs about a millisecond
    bool trusted[SIMT_MAX_THREADS + 1][2];                       // by block size; within a block, between blocks
    bool trusted_grid[SIMT_MAX_THREADS + 1][SIMT_MAX_SLOTS + 1]; // cooperative: by block size and blocks
    bool in_canary;
    bool probed, few;                 // whether the runtime tells only few threads apart
    unsigned used[SIMT_HAZARD_POOLS]; // of the fibers that there are, those that ever ran
    bool muted[SIMT_MAX_RESIDENT];
    struct simt_clock start, end, grid[2];
    unsigned uses[SIMT_MAX_SLOTS]; // of each pool: blocks so far
    struct simt_clock pool[SIMT_MAX_SLOTS][2];
    struct simt_clock barrier[SIMT_MAX_SLOTS][2];
    struct simt_clock warp[SIMT_MAX_WARPS][GROUPS];
} tsan;

const char simt_hazard_kind[] = "ThreadSanitizer, a fiber for each CUDA thread";

// Reports are taken from __tsan_on_report. Every race counts, also the second one at a line. Tracing a thread's past
// costs memory; kernels of sums are short.
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "halt_on_error=0:exitcode=0:suppress_equal_stacks=0:suppress_equal_addresses=0:"
           "report_thread_leaks=0:report_destroy_locked=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
           "handle_abort=0:handle_sigill=0:use_sigaltstack=0:history_size=1";
}

static void *fiber_of(const struct simt_thread *thread) {
    return tsan.fibers[simt_stack_index(&simt_machine, thread)];
}

// One race is all that a launch is told for, and a report costs the runtime milliseconds (it reads the memory map,
// which the stacks of fibers make long). Once there is one, the threads that run are not watched any more.
void simt_hazard_mute(const struct simt_thread *self) {
    bool *muted = &tsan.muted[simt_stack_index(&simt_machine, self)];
    if (!*muted)
        __tsan_ignore_thread_begin();
    *muted = true;
}

// The runtime takes the end of a thread that is not watched for a mistake. Of the running fiber.
static void unmute(bool *muted) {
    if (*muted)
        __tsan_ignore_thread_end();
    *muted = false;
}

void simt_hazard_switch(const struct simt_thread *next) {
    __tsan_switch_to_fiber(next ? fiber_of(next) : tsan.main_fiber, NO_SYNC);
    if (next && simt_machine.outcome == WORK_RACED)
        simt_hazard_mute(next);
}

void simt_hazard_begin_launch(struct simt_machine *machine) {
    (void)machine;
    if (!tsan.main_fiber)
        tsan.main_fiber = __tsan_get_current_fiber();
    simt_order_begin();
    simt_report_begin();
    set_clock(&tsan.start);
}

// A launch that was given up leaves threads in the middle of their work. They come to an end here, and others take
// their place.
static void replace_fibers(void) {
    for (unsigned i = 0; i < SIMT_MAX_RESIDENT; i++) {
        void **fiber = &tsan.fibers[i];
        if (!*fiber)
            continue;
        __tsan_switch_to_fiber(*fiber, NO_SYNC);
        unmute(&tsan.muted[i]);
        release_clock(&tsan.end);
        __tsan_switch_to_fiber(tsan.main_fiber, NO_SYNC);
        __tsan_destroy_fiber(*fiber);
        *fiber = NULL;
    }
}

static bool was_given_up(const struct simt_machine *machine) {
    for (unsigned i = 0; i < machine->slots; i++) {
        if (machine->blocks[i].running && machine->blocks[i].live > 0)
            return true;
    }
    return false;
}

void simt_hazard_end_launch(struct simt_machine *machine) {
    if (was_given_up(machine))
        replace_fibers();
    acquire_clock(&tsan.end);
}

unsigned simt_hazard_pool(const struct simt_machine *machine, const struct simt_block *block) {
    bool in_turn = machine->slots == 1 && !machine->launch->cooperative;
    return in_turn ? (unsigned)(machine->block_next % SIMT_HAZARD_POOLS) : block->slot;
}

static void make_fibers(unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; i++) {
        void **fiber = &tsan.fibers[i];
        if (*fiber)
            continue;
        char name[32];
        *fiber = __tsan_create_fiber(0);
        snprintf(name, sizeof name, "%u", i);
        __tsan_set_fiber_name(*fiber, name);
    }
}

void simt_hazard_start_block(struct simt_machine *machine, struct simt_block *block) {
    make_fibers(block->pool * simt_pool_threads(machine), machine->block_threads);
    tsan.uses[block->pool]++;
    simt_report_block(block);
}

void simt_hazard_start_thread(const struct simt_thread *self) {
    unsigned pool = self->block->pool;
    acquire_clock(&tsan.start);
    acquire_clock(&tsan.pool[pool][(tsan.uses[pool] - 1) % 2]);
}

void simt_hazard_exit_thread(const struct simt_thread *self) {
    unsigned pool = self->block->pool;
    unmute(&tsan.muted[simt_stack_index(&simt_machine, self)]);
    release_clock(&tsan.pool[pool][tsan.uses[pool] % 2]);
    release_clock(&tsan.end);
}

// "All global and shared memory accesses made by these threads prior to __syncthreads() are visible to all threads in
// the block": by the threads that come to it, not by those that have exited.
unsigned simt_hazard_arrive(const struct simt_block *block) {
    release_clock(&tsan.barrier[block->pool][block->phase % 2]);
    return block->phase;
}

void simt_hazard_pass(const struct simt_block *block, unsigned phase) {
    acquire_clock(&tsan.barrier[block->pool][phase % 2]);
}

void simt_hazard_arrive_grid(unsigned phase) {
    release_clock(&tsan.grid[phase % 2]);
}

void simt_hazard_pass_grid(unsigned phase) {
    acquire_clock(&tsan.grid[phase % 2]);
}

static struct simt_clock *group_clock(const struct simt_thread *self, unsigned number) {
    unsigned pool_warps = (simt_pool_threads(&simt_machine) + SIMT_WARP - 1) / SIMT_WARP;
    unsigned warp = self->block->pool * pool_warps + (unsigned)(simt_warp_of(self) - self->block->warps);
    return &tsan.warp[warp][number % GROUPS];
}

void simt_hazard_arrive_warp(const struct simt_thread *self, unsigned number, bool first) {
    if (first)
        set_clock(group_clock(self, number));
    else
        release_clock(group_clock(self, number));
}

void simt_hazard_pass_warp(const struct simt_thread *self, unsigned number) {
    acquire_clock(group_clock(self, number));
}

// A runtime that has run out of threads says nothing (measured: that of clang 14 from 256 on). So a known race is run
// first, in blocks of the size in question.
static bool canary_is_heard(struct simt_machine *machine, unsigned threads, unsigned blocks, bool cooperative) {
    static unsigned cells[48]; // the three in use lie far apart
    struct simt_canary_watch watch = {.cells = {&cells[0], &cells[16], &cells[32]}};
    struct schedule schedule = machine->schedule;
    unsigned launches = machine->launches;
    tsan.in_canary = true;
    simt_report_watch(&watch);
    machine->schedule.kind = SCHEDULE_IN_ORDER;
    simt_canary_launch(cells, threads, blocks, cooperative);
    simt_report_watch(NULL);
    tsan.in_canary = false;
    machine->schedule = schedule;
    machine->launches = launches;
    return (threads == 1 || watch.seen[0]) && (blocks == 1 || (watch.seen[1] && watch.seen[2]));
}

static void take_fresh_fibers(void) {
    replace_fibers();
    acquire_clock(&tsan.end);
    memset(tsan.used, 0, sizeof tsan.used);
}

// A runtime of few threads gives the identity of the one that is longest idle to the next, and then sees no race
// between the two. So all that ever ran must fit, and are replaced where they do not. False if a launch alone does not.
static bool make_room(unsigned threads, unsigned blocks, bool cooperative) {
    if (!tsan.few)
        return true;
    // Those of a cooperative launch that fit are the first ones of the first pool.
    unsigned wanted[] = {cooperative ? threads * blocks : threads, !cooperative && blocks > 1 ? threads : 0}, all = 0;
    if (wanted[0] + wanted[1] > FEW_THREADS)
        return false;
    for (unsigned pool = 0; pool < SIMT_HAZARD_POOLS; pool++)
        all += wanted[pool] > tsan.used[pool] ? wanted[pool] : tsan.used[pool];
    if (all > FEW_THREADS)
        take_fresh_fibers();
    for (unsigned pool = 0; pool < SIMT_HAZARD_POOLS; pool++)
        tsan.used[pool] = wanted[pool] > tsan.used[pool] ? wanted[pool] : tsan.used[pool];
    return true;
}

static void probe(struct simt_machine *machine) {
    tsan.probed = true;
    tsan.few = !canary_is_heard(machine, USUAL_BLOCK, SIMT_HAZARD_POOLS, false);
    if (tsan.few)
        take_fresh_fibers();
}

static void not_checked(struct simt_machine *machine, unsigned threads, unsigned blocks) {
    char number[16];
    snprintf(number, sizeof number, "%u", blocks);
    machine->outcome = WORK_NOT_CHECKED;
    snprintf(machine->message, sizeof machine->message,
             "The race detector of this compiler overlooks a known race in %s of %u threads, so it was not asked.",
             blocks == 1   ? "a block"
             : blocks == 2 ? "two blocks"
                           : strcat(number, " blocks"),
             threads);
}

bool simt_hazard_trusts(struct simt_machine *machine, const struct simt_launch *launch) {
    unsigned threads = launch->block.x * launch->block.y * launch->block.z;
    uint64_t total = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    unsigned blocks =
        launch->cooperative || total == 1 ? (unsigned)total : 2; // that are resident, or follow each other
    bool *trusted = launch->cooperative ? &tsan.trusted_grid[threads][blocks] : &tsan.trusted[threads][blocks - 1];
    if (tsan.in_canary)
        return true;
    if (!tsan.probed)
        probe(machine);
    bool fits = make_room(threads, blocks, launch->cooperative);
    if (fits && !*trusted)
        *trusted = canary_is_heard(machine, threads, blocks, launch->cooperative);
    if (fits && *trusted)
        return true;
    not_checked(machine, threads, blocks);
    return false;
}

void simt_hazard_guard_arena(struct simt_machine *machine, const struct simt_block *block) {
    (void)machine, (void)block;
}
void simt_hazard_open_arena(struct simt_machine *machine, const struct simt_block *block) {
    (void)machine, (void)block;
}
void simt_hazard_guard_buffer(const struct guarded *buffer) {
    (void)buffer;
}
void simt_hazard_open_buffer(const struct guarded *buffer) {
    (void)buffer;
}
