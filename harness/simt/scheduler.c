// SPDX-License-Identifier: MIT
// Launches, barriers and the loop that starts blocks. A thread that must wait switches straight to the next that can go
// on; only when there is none, or a block has ended, does the machine's own context run.
#include "harness/simt/scheduler.h"
#include "harness/simt/fiber.h"
#include "harness/simt/hazard.h"
#include "harness/simt/runtime.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// A harness that is built with AddressSanitizer tells it of every switch: the runtime looks at the bounds of the
// running stack, and takes a fiber's for a wild one. (The hazard builds, whose machine is not instrumented, need not.)
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
static const bool announces_switches = true;
#else
static const bool announces_switches = false;
#endif

struct simt_machine simt_machine = {.schedule = {.kind = SCHEDULE_IN_ORDER}, .dynamic_limit = SIMT_SHARED_DEFAULT};
struct simt_thread *simt_here;
struct simt_index threadIdx, blockIdx;
struct simt_index blockDim, gridDim;
uint64_t simt_launch_number;

void simt_begin(struct schedule schedule) {
    struct simt_machine *machine = &simt_machine;
    if (schedule.kind == SCHEDULE_HARDWARE)
        schedule.kind = SCHEDULE_IN_ORDER;
    machine->schedule = schedule;
    machine->outcome = WORK_DONE;
    machine->message[0] = 0;
    machine->launches = 0;
    machine->most_static = machine->most_dynamic = machine->most_blocks = 0;
}

enum work_outcome simt_ended(const char **message) {
    *message = simt_machine.message;
    return simt_machine.outcome;
}

// simt_here and the names of its place follow the thread that is about to run.
static inline void become(struct simt_thread *thread, const struct simt_block *last) {
    simt_here = thread;
    threadIdx = simt_index_of(thread);
    if (thread->block != last)
        blockIdx = thread->block->index;
}

enum { NEAR = 128 }; // threads whose stacks fit the first cache

// The stack of the thread after the next is fetched while the next one runs: 1024 of them do not fit the first cache.
static inline void fetch_stack(const struct simt_thread *thread) {
    if (!thread)
        return;
    __builtin_prefetch(thread->context);
    __builtin_prefetch((const char *)thread->context + 64);
}

// Goes on with `next`, or with the machine's own context; a fiber that `ends` is not come back to, and its context
// tells how much of its stack is in use for ever.
static inline void switch_to(struct simt_machine *machine, void **from, const struct simt_thread *next, bool ends) {
    simt_hazard_switch(next);
#if defined(__SANITIZE_ADDRESS__)
    void *fake_stack = NULL; // stays so for a fiber that ends: nothing comes back to it
    size_t bytes = machine->main_stack_bytes;
    const void *bottom = next ? simt_stack_bottom(machine, next, &bytes) : machine->main_stack;
    __sanitizer_start_switch_fiber(ends ? NULL : &fake_stack, bottom, bytes);
#else
    (void)ends;
#endif
    simt_fiber_switch(from, next ? next->context : machine->main_context);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, NULL, NULL);
#endif
}

// The other half of a thread's first switch. The first thread of all is entered from the machine's own stack.
static void begin_fiber(struct simt_machine *machine) {
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(NULL, &bottom, &bytes);
    if (!machine->main_stack) {
        machine->main_stack = bottom;
        machine->main_stack_bytes = bytes;
    }
#else
    (void)machine;
#endif
}

static void enter(struct simt_machine *machine, struct simt_thread *thread) {
    become(thread, NULL);
    switch_to(machine, &machine->main_context, thread, false);
    simt_here = NULL;
}

static inline void leave(struct simt_machine *machine, struct simt_thread *self) {
    struct simt_thread *next = simt_pick(machine);
    if (next == self)
        return;
    if (!next) {
        switch_to(machine, &self->context, NULL, false);
        return;
    }
    become(next, self->block);
    fetch_stack(next->next);
    switch_to(machine, &self->context, next, false);
}

void simt_leave(struct simt_machine *machine, struct simt_thread *self) {
    leave(machine, self);
}

void simt_stop_thread(void) {
    switch_to(&simt_machine, &simt_here->context, NULL, true);
    __builtin_unreachable();
}

static void release_barrier(struct simt_machine *machine, struct simt_block *block) {
    block->result = block->count;
    block->count = 0;
    block->arrived = 0;
    block->phase++;
    machine->idle = 0;
    simt_release_block(machine, block);
}

// The last to arrive, and all that is out of the ordinary.
static __attribute__((noinline)) void arrive(struct simt_place place, bool predicate) {
    struct simt_machine *machine = &simt_machine;
    struct simt_thread *self = simt_here;
    struct simt_block *block = self->block;
    if (block->arrived == 0)
        block->barrier = place;
    else if (!simt_same_place(block->barrier, place))
        simt_misuse(place, "waits at this __syncthreads while other threads of its block wait at the one in %s:%d",
                    simt_file_name(block->barrier.file), block->barrier.line);
    self->state = SIMT_AT_BARRIER;
    unsigned phase = simt_hazard_arrive(block);
    block->count += predicate;
    if (++block->arrived == block->live)
        release_barrier(machine, block);
    leave(machine, self);
    simt_hazard_pass(block, phase);
}

// A thread at the place that block->barrier has already, followed by one of its block, goes straight on with that: one
// that can go on has not arrived, so that this is not the last. Nothing but the switch needs the stack here, and
// nothing is kept in registers across it: each line of a stack that a barrier touches is fetched from the second cache,
// and their number is what a barrier costs.
void simt_barrier(struct simt_place place, bool predicate) {
    struct simt_machine *machine = &simt_machine;
    struct simt_thread *self = simt_here, *next = machine->head;
    struct simt_block *block = self->block;
    if (simt_hazards || announces_switches || block->barrier.file != place.file || block->barrier.line != place.line ||
        !next || next->block != block) {
        arrive(place, predicate);
        return;
    }
    self->state = SIMT_AT_BARRIER;
    block->count += predicate;
    block->arrived++;
    machine->head = next->next;
    simt_here = next;
    threadIdx.x = next->x;
    if (!machine->flat)
        threadIdx = simt_index_of(next);
    if (machine->block_threads > NEAR)
        fetch_stack(next->next);
    simt_fiber_switch(&self->context, next->context);
}

static void exit_thread(struct simt_machine *machine, struct simt_thread *self) {
    struct simt_block *block = self->block;
    simt_hazard_exit_thread(self);
    self->state = SIMT_EXITED;
    block->linked = false;
    machine->idle = 0;
    block->live--;
    simt_warp_exit(machine, self);
    if (block->live > 0 && block->arrived == block->live)
        release_barrier(machine, block);
    // A block that has ended is cleared away, and replaced, by the machine itself.
    struct simt_thread *next = block->live > 0 ? simt_pick(machine) : NULL;
    if (next) {
        become(next, block);
        fetch_stack(next->next);
    }
    switch_to(machine, &self->context, next, true);
}

static void run_thread(void) {
    struct simt_machine *machine = &simt_machine;
    begin_fiber(machine);
    simt_hazard_start_thread(simt_here);
    machine->launch->body(machine->launch->arguments);
    exit_thread(machine, simt_here);
    __builtin_unreachable();
}

static void start_threads(struct simt_machine *machine, struct simt_block *block) {
    struct simt_index size = machine->launch->block, index = {0, 0, 0};
    for (unsigned i = 0; i < machine->block_threads; i++) {
        struct simt_thread *thread = &block->threads[i];
        thread->block = block;
        thread->context = simt_stack_context(machine, simt_stack_index(machine, thread), run_thread);
        thread->x = (uint16_t)index.x;
        thread->y = (uint16_t)index.y;
        thread->z = (uint16_t)index.z;
        thread->state = SIMT_RUNNING;
        if (++index.x == size.x) {
            index.x = 0;
            if (++index.y == size.y) {
                index.y = 0;
                index.z++;
            }
        }
    }
}

static void start_block(struct simt_machine *machine, struct simt_block *block) {
    struct simt_index grid = machine->launch->grid;
    uint64_t turn = machine->block_next++;
    // A block that starts goes on before all others. Of those that all start at once, the first starts last.
    if (machine->launch->cooperative)
        turn = machine->block_total - 1 - turn;
    uint64_t rank = simt_choose_block(machine, turn);
    block->rank = rank;
    block->index = (struct simt_index){(unsigned)(rank % grid.x), (unsigned)(rank / grid.x % grid.y),
                                       (unsigned)(rank / grid.x / grid.y)};
    block->live = machine->block_threads;
    block->arrived = 0;
    block->count = 0;
    block->pool = simt_hazard_pool(machine, block);
    block->phase = 0;
    block->running = true;
    block->linked = false;
    machine->running++;
    machine->idle = 0;
    for (unsigned i = 0; i < machine->block_warps; i++) {
        unsigned left = machine->block_threads - i * SIMT_WARP;
        uint32_t lanes = left >= SIMT_WARP ? UINT32_MAX : (UINT32_C(1) << left) - 1;
        block->warps[i].lanes = block->warps[i].live = lanes;
        block->warps[i].group_count = 0;
        block->warps[i].next_number = 0;
    }
    simt_fill_arena(machine, block);
    simt_hazard_start_block(machine, block);
    start_threads(machine, block);
    simt_release_block(machine, block);
}

static void end_blocks(struct simt_machine *machine) {
    for (unsigned i = 0; i < machine->slots; i++) {
        struct simt_block *block = &machine->blocks[i];
        if (!block->running || block->live > 0)
            continue;
        block->running = false;
        machine->running--;
        simt_clean_stacks(machine, block);
        if (!simt_check_arena(machine, block))
            return;
        if (machine->block_next < machine->block_total)
            start_block(machine, block);
    }
}

static void run_grid(struct simt_machine *machine) {
    for (unsigned i = machine->slots; i-- > 0;)
        start_block(machine, &machine->blocks[machine->slots - 1 - i]);
    while (machine->outcome == WORK_DONE) {
        end_blocks(machine);
        if (machine->running == 0 || machine->outcome != WORK_DONE)
            return;
        struct simt_thread *next = simt_pick(machine);
        if (next)
            enter(machine, next);
        else if (!simt_release_atomic(machine) && !simt_warp_converge(machine))
            simt_explain_deadlock(machine);
    }
}

// A launch that was given up leaves its threads in the middle of their work.
static void drop_blocks(struct simt_machine *machine) {
    for (unsigned i = 0; i < machine->slots; i++)
        if (machine->blocks[i].running)
            simt_clean_stacks(machine, &machine->blocks[i]);
}

static bool is_launchable(const struct simt_launch *launch) {
    struct simt_index block = launch->block, grid = launch->grid;
    if (!block.x || !block.y || !block.z || !grid.x || !grid.y || !grid.z)
        return false;
    if (block.x > SIMT_MAX_THREADS || block.y > SIMT_MAX_THREADS || block.z > SIMT_MAX_BLOCK_Z ||
        (uint64_t)block.x * block.y * block.z > SIMT_MAX_THREADS)
        return false;
    return grid.x <= SIMT_MAX_GRID_X && grid.y <= SIMT_MAX_GRID_YZ && grid.z <= SIMT_MAX_GRID_YZ;
}

static bool set_up(struct simt_machine *machine, const struct simt_launch *launch) {
    machine->launch = launch;
    blockDim = launch->block;
    gridDim = launch->grid;
    machine->block_threads = launch->block.x * launch->block.y * launch->block.z;
    machine->flat = launch->block.y == 1 && launch->block.z == 1;
    machine->block_warps = (machine->block_threads + SIMT_WARP - 1) / SIMT_WARP;
    machine->block_total = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    machine->block_next = 0;
    machine->running = 0;
    machine->slots = simt_choose_slots(machine);
    machine->head = machine->tail = NULL;
    machine->bag_count = machine->pending_count = machine->site_count = 0;
    machine->static_bytes = 0;
    machine->tickets = machine->idle = machine->grid_arrived = 0;
    machine->grid_phase = 0;
    simt_launch_number++;
    machine->launches++;
    if (!simt_open_stacks(machine) || !simt_open_arenas(machine))
        return false;
    for (unsigned i = 0; i < machine->slots; i++) {
        machine->blocks[i].launch = launch;
        machine->blocks[i].slot = i;
        machine->blocks[i].threads = machine->threads + (size_t)i * machine->block_threads;
        machine->blocks[i].warps = machine->warps + (size_t)i * machine->block_warps;
    }
    simt_prepare_order(machine);
    return true;
}

static void note_extent(struct simt_machine *machine) {
    size_t dynamic = machine->launch->dynamic_bytes;
    machine->most_static = machine->static_bytes > machine->most_static ? machine->static_bytes : machine->most_static;
    machine->most_dynamic = dynamic > machine->most_dynamic ? dynamic : machine->most_dynamic;
    machine->most_blocks = machine->block_total > machine->most_blocks ? machine->block_total : machine->most_blocks;
}

int simt_launch(const struct simt_launch *launch) {
    struct simt_machine *machine = &simt_machine;
    if (simt_here)
        simt_misuse(launch->place, "launches a kernel, but simt has no dynamic parallelism");
    if (machine->outcome != WORK_DONE) // as a device does after a fault
        return SIMT_ERROR_LAUNCH_FAILURE;
    if (!is_launchable(launch))
        return SIMT_ERROR_INVALID_CONFIGURATION;
    if (launch->dynamic_bytes > machine->dynamic_limit)
        return SIMT_ERROR_INVALID_VALUE;
    if (launch->cooperative && !simt_fits_together(launch))
        return SIMT_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    if (!simt_hazard_trusts(machine, launch))
        return SIMT_ERROR_LAUNCH_FAILURE;
    if (!set_up(machine, launch)) {
        simt_lack_room(machine, launch, strerror(errno));
        return SIMT_ERROR_MEMORY_ALLOCATION;
    }
    simt_hazard_begin_launch(machine);
    run_grid(machine);
    drop_blocks(machine);
    simt_hazard_end_launch(machine);
    note_extent(machine);
    simt_check_stacks(machine);
    machine->launch = NULL;
    return machine->outcome == WORK_DONE ? SIMT_SUCCESS : SIMT_ERROR_LAUNCH_FAILURE;
}
