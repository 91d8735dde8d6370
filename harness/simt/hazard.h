// SPDX-License-Identifier: MIT
// What the machine tells the sanitizer that a kernel was compiled with: who runs, and what orders whom. hazard_tsan.c
// and hazard_asan.c implement it; in a plain build it is nothing. The machine itself is never instrumented, or its own
// variables would be reported.
#ifndef REDUCTIO_SIMT_HAZARD_H
#define REDUCTIO_SIMT_HAZARD_H

#include "harness/simt/scheduler.h"

// Threads of a pool keep stack, arena and identity from block to block. Plainly and in cooperative launches, a slot for
// a resident block is a pool.
enum { SIMT_HAZARD_POOLS = 2 };

#if defined(REDUCTIO_SIMT_HAZARDS)

static const bool simt_hazards = true;

// False, with WORK_NOT_CHECKED and the reason, where the sanitizer cannot see the hazards of a launch of this size.
bool simt_hazard_trusts(struct simt_machine *machine, const struct simt_launch *launch);
void simt_hazard_begin_launch(struct simt_machine *machine);
void simt_hazard_end_launch(struct simt_machine *machine);

// The pool of a block that is about to start, and the number of a thread's stack.
unsigned simt_hazard_pool(const struct simt_machine *machine, const struct simt_block *block);
void simt_hazard_start_block(struct simt_machine *machine, struct simt_block *block);
void simt_hazard_start_thread(const struct simt_thread *self);
void simt_hazard_exit_thread(const struct simt_thread *self);
// Called right before the switch; NULL: to the machine's own context.
void simt_hazard_switch(const struct simt_thread *next);

// A barrier: arrive before the wait, pass after it with what arrive returned.
unsigned simt_hazard_arrive(const struct simt_block *block);
void simt_hazard_pass(const struct simt_block *block, unsigned phase);
// grid.sync(): the same.
void simt_hazard_arrive_grid(unsigned phase);
void simt_hazard_pass_grid(unsigned phase);
// A __syncwarp: the same for the lanes of one group, `first` for the lane that opens it.
void simt_hazard_arrive_warp(const struct simt_thread *self, unsigned number, bool first);
void simt_hazard_pass_warp(const struct simt_thread *self, unsigned number);

// Around the use of an arena, and when a shared variable is given its place.
void simt_hazard_guard_arena(struct simt_machine *machine, const struct simt_block *block);
void simt_hazard_open_arena(struct simt_machine *machine, const struct simt_block *block);
// Around a variant's launches.
struct guarded;
void simt_hazard_guard_buffer(const struct guarded *buffer);
void simt_hazard_open_buffer(const struct guarded *buffer);

extern const char simt_hazard_kind[];

#else

static const bool simt_hazards = false;

static inline bool simt_hazard_trusts(struct simt_machine *machine, const struct simt_launch *launch) {
    (void)machine, (void)launch;
    return true;
}
static inline void simt_hazard_begin_launch(struct simt_machine *machine) {
    (void)machine;
}
static inline void simt_hazard_end_launch(struct simt_machine *machine) {
    (void)machine;
}
static inline unsigned simt_hazard_pool(const struct simt_machine *machine, const struct simt_block *block) {
    (void)machine;
    return block->slot;
}
static inline void simt_hazard_start_block(struct simt_machine *machine, struct simt_block *block) {
    (void)machine, (void)block;
}
static inline void simt_hazard_start_thread(const struct simt_thread *self) {
    (void)self;
}
static inline void simt_hazard_exit_thread(const struct simt_thread *self) {
    (void)self;
}
static inline void simt_hazard_switch(const struct simt_thread *next) {
    (void)next;
}
static inline unsigned simt_hazard_arrive(const struct simt_block *block) {
    (void)block;
    return 0;
}
static inline void simt_hazard_pass(const struct simt_block *block, unsigned phase) {
    (void)block, (void)phase;
}
static inline void simt_hazard_arrive_grid(unsigned phase) {
    (void)phase;
}
static inline void simt_hazard_pass_grid(unsigned phase) {
    (void)phase;
}
static inline void simt_hazard_arrive_warp(const struct simt_thread *self, unsigned number, bool first) {
    (void)self, (void)number, (void)first;
}
static inline void simt_hazard_pass_warp(const struct simt_thread *self, unsigned number) {
    (void)self, (void)number;
}
static inline void simt_hazard_guard_arena(struct simt_machine *machine, const struct simt_block *block) {
    (void)machine, (void)block;
}
static inline void simt_hazard_open_arena(struct simt_machine *machine, const struct simt_block *block) {
    (void)machine, (void)block;
}
struct guarded;
static inline void simt_hazard_guard_buffer(const struct guarded *buffer) {
    (void)buffer;
}
static inline void simt_hazard_open_buffer(const struct guarded *buffer) {
    (void)buffer;
}

#endif
#endif
