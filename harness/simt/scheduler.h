// SPDX-License-Identifier: MIT
// Inside simt: the machine's state, and what its parts ask of each other. There is one machine in a process, because
// the code of a kernel has no way to pass one along.
#ifndef REDUCTIO_SIMT_SCHEDULER_H
#define REDUCTIO_SIMT_SCHEDULER_H

#include "harness/simt/control.h"
#include "harness/simt/machine.h"

#include <stdarg.h>
#include <string.h>

enum {
    // What is resident at most: all that the device holds, in a cooperative launch.
    SIMT_MAX_SLOTS = SIMT_MULTIPROCESSORS * SIMT_MULTIPROCESSOR_BLOCKS,
    SIMT_MAX_RESIDENT = SIMT_MULTIPROCESSORS * SIMT_MULTIPROCESSOR_THREADS, // threads
    SIMT_MAX_WARPS = SIMT_MAX_RESIDENT / SIMT_WARP,
    // In other launches, under the schedules that keep several blocks resident.
    SIMT_USUAL_SLOTS = 32,
    SIMT_USUAL_RESIDENT = 2048,
    SIMT_MAX_SITES = 256
};

// Lanes of a warp that have come to an operation with one mask.
struct simt_group {
    uint32_t mask, arrived;
    uint32_t operation;
    unsigned number; // of the group among those of its warp, one after the other
    struct simt_place place;
};

struct simt_warp {
    uint32_t lanes, live; // that exist; that have not exited
    uint32_t group_count;
    unsigned next_number;
    struct simt_group groups[SIMT_WARP];
    uint64_t value[SIMT_WARP];
    int argument[SIMT_WARP];
    int width[SIMT_WARP];
};

// What a thread waits for in a warp operation or an atomic.
struct simt_wait {
    struct simt_place place;
    uint64_t result;  // of the warp operation it waited for
    double magnitude; // of the atomic it waits to do
    uint64_t ticket;  // order of arrival among equal magnitudes
};

struct simt_machine {
    struct schedule schedule;
    const struct simt_launch *launch; // NULL between launches
    void *main_context;

    bool flat; // blocks have one dimension
    // Resident blocks. Slot s owns threads from s * block_threads on, pool p as many stacks.
    unsigned slots, block_threads, block_warps;
    uint64_t block_total, block_next; // of the grid: all, and the first that has not been resident yet
    unsigned running;                 // blocks
    struct simt_block blocks[SIMT_MAX_SLOTS];
    struct simt_thread *threads;
    struct simt_wait *waits; // of each thread
    struct simt_warp *warps;
    void *stack_memory;    // that the stacks lie in
    unsigned char *stacks; // at a huge page's boundary
    size_t stack_count;
    size_t marked; // stacks that have a canary at their bottom

    // The barrier of a cooperative launch's grid.
    uint64_t grid_arrived; // threads
    unsigned grid_phase;   // barriers behind it

    // Threads that can go on: a list, or under a seeded schedule a bag to draw from.
    bool drawn;
    struct simt_thread *head, *tail;
    struct simt_thread **bag;
    unsigned bag_count;
    uint16_t order[SIMT_MAX_THREADS]; // of threads after a barrier
    uint64_t random;

    // Atomics that wait for their turn by magnitude: a heap.
    struct simt_thread **pending;
    unsigned pending_count;
    uint64_t tickets;

    uint64_t idle; // scheduling points since some thread last got anywhere

    // The stack that launches are made from; AddressSanitizer alone asks for it.
    const void *main_stack;
    size_t main_stack_bytes;

    // Shared memory.
    unsigned char *arenas;
    size_t arena_bytes;   // of all slots
    unsigned arena_count; // whose static part is mapped
    struct simt_site *sites[SIMT_MAX_SITES];
    unsigned site_count;
    size_t static_bytes;           // laid out in this launch
    const void *variant;           // that was called last
    size_t dynamic_limit;          // bytes of dynamic shared memory that it may launch with
    size_t opened[SIMT_MAX_SLOTS]; // bytes of dynamic shared memory that are mapped, of each pool

    enum work_outcome outcome;
    char message[BACKEND_MESSAGE];
    unsigned launches; // since the schedule was set
    uint64_t poison;   // POISON_OF_16_BITS, if shared memory is to hold NaNs of these formats; or 0
    // The most that any of them had, for a NaN that is traced afterwards.
    size_t most_static, most_dynamic;
    uint64_t most_blocks;
};

extern struct simt_machine simt_machine;

static inline struct simt_wait *simt_wait_of(const struct simt_thread *thread) {
    return &simt_machine.waits[thread - simt_machine.threads];
}

static inline struct simt_warp *simt_warp_of(const struct simt_thread *thread) {
    return &thread->block->warps[(thread - thread->block->threads) / SIMT_WARP];
}

// One place has one file name, but for headers that are included under several.
static inline bool simt_same_place(struct simt_place a, struct simt_place b) {
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

// ready.c: which thread goes next.
void simt_prepare_order(struct simt_machine *machine);
uint64_t simt_choose_block(struct simt_machine *machine, uint64_t turn);
unsigned simt_choose_slots(const struct simt_machine *machine);
uint64_t simt_random(uint64_t *state);
void simt_release_block(struct simt_machine *machine, struct simt_block *block);
void simt_release_lanes(struct simt_machine *machine, struct simt_thread *first_lane, uint32_t mask);
void simt_push_last(struct simt_machine *machine, struct simt_thread *thread);
struct simt_thread *simt_draw(struct simt_machine *machine);

static inline struct simt_thread *simt_pick(struct simt_machine *machine) {
    if (machine->drawn)
        return simt_draw(machine);
    struct simt_thread *thread = machine->head;
    if (thread)
        machine->head = thread->next;
    return thread;
}

// scheduler.c
void simt_leave(struct simt_machine *machine, struct simt_thread *self); // until someone releases it
// Ends the launch, from a fiber or from the machine itself.
__attribute__((noreturn)) void simt_stop_thread(void);
void simt_fail(enum work_outcome outcome, const struct simt_thread *thread, struct simt_place place, const char *format,
               va_list arguments);
// The machine that runs the emulator has too little memory for a launch: no fault of the kernel.
void simt_lack_room(struct simt_machine *machine, const struct simt_launch *launch, const char *reason);

// misuse.c. Records how the launch ends, without ending it.
__attribute__((format(printf, 4, 5))) void simt_record(enum work_outcome outcome, const struct simt_thread *thread,
                                                       struct simt_place place, const char *format, ...);
const char *simt_file_name(const char *path);
// "3", or "(3,1,0)" where the extent has more than one dimension.
void simt_describe_index(struct simt_index index, struct simt_index extent, char *text, size_t size);
// Ends the launch of a thread that spins.
__attribute__((noreturn)) void simt_give_up(struct simt_place place);

// warp.c
void simt_warp_miss(struct simt_machine *machine, struct simt_warp *warp, struct simt_thread *exited);
static inline void simt_warp_exit(struct simt_machine *machine, struct simt_thread *thread) {
    struct simt_warp *warp = simt_warp_of(thread);
    warp->live &= ~(UINT32_C(1) << simt_lane_of(thread));
    if (warp->group_count != 0)
        simt_warp_miss(machine, warp, thread);
}
bool simt_warp_converge(struct simt_machine *machine); // lets lanes out of __activemask; false if none waits there
const char *simt_warp_name(uint32_t operation);

// atomic.c
bool simt_release_atomic(struct simt_machine *machine); // the next by magnitude; false if none waits

// arena.c
bool simt_open_arenas(struct simt_machine *machine);
void simt_fill_arena(struct simt_machine *machine, struct simt_block *block);
unsigned char *simt_static_arena(const struct simt_machine *machine, unsigned pool, size_t *room);
unsigned char *simt_dynamic_arena(const struct simt_machine *machine, unsigned pool, size_t *room); // what is mapped
bool simt_check_arena(struct simt_machine *machine, struct simt_block *block); // false: a misuse was recorded
// "byte 128 of shared", for an address inside of a variable.
bool simt_name_shared(const struct simt_machine *machine, const void *address, char *text, size_t size);
// "byte 12 of the dynamic shared memory of block 3": where a NaN may come from, see guarded_find_source.
bool simt_trace_shared(const struct simt_machine *machine, uint64_t bits, size_t size, char *text, size_t text_size);
bool simt_explain_shared(const struct simt_machine *machine, const void *address, char *text, size_t size);

// backend_simt.c: "byte 16 of the workspace", for an address inside of a buffer; "4 bytes past the end of the input",
// for one outside. The latter is async-signal-safe.
bool simt_name_buffer(const void *address, char *text, size_t size);
bool simt_explain_outside(const void *address, char *text, size_t size);

// grid.c
bool simt_fits_together(const struct simt_launch *launch); // whether all blocks can be resident

// stack.c
unsigned simt_pool_threads(const struct simt_machine *machine); // that are set apart for each pool
size_t simt_stack_index(const struct simt_machine *machine, const struct simt_thread *thread);
bool simt_open_stacks(struct simt_machine *machine);
void *simt_stack_context(struct simt_machine *machine, size_t index, void (*entry)(void));
// Tells AddressSanitizer that what the threads of a block have left on their stacks is gone; else nothing.
void simt_clean_stacks(const struct simt_machine *machine, const struct simt_block *block);
// The lowest address of a thread's stack.
const void *simt_stack_bottom(const struct simt_machine *machine, const struct simt_thread *thread, size_t *bytes);
bool simt_stack_overran(const struct simt_machine *machine, size_t index);
void simt_check_stacks(struct simt_machine *machine); // records a misuse

// misuse.c: who waits for whom when no thread can go on.
void simt_explain_deadlock(struct simt_machine *machine);

#endif
