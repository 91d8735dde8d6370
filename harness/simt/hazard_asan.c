// SPDX-License-Identifier: MIT
// AddressSanitizer: whatever lies around the arrays and shared variables of a kernel is poisoned while it runs. Kernels
// are compiled to go on after a report, and the launch ends at the end of the block. The switches of fibers are not
// announced: without fake stacks (detect_stack_use_after_return) the runtime needs to know of a stack only to clean it,
// which simt_clean_stacks does.
#include "harness/guarded.h"
#include "harness/simt/hazard_place.h"

#include <sanitizer/asan_interface.h>
#include <stdio.h>

const char simt_hazard_kind[] = "AddressSanitizer, red zones around arrays and shared variables";

const char *__asan_default_options(void) {
    return "halt_on_error=0:exitcode=0:detect_leaks=0:detect_stack_use_after_return=0:"
           "detect_odr_violation=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0:handle_sigill=0:"
           "use_sigaltstack=0:allocator_may_return_null=1";
}

void simt_hazard_guard_arena(struct simt_machine *machine, const struct simt_block *block) {
    size_t room;
    unsigned char *arena = simt_static_arena(machine, block->pool, &room);
    __asan_poison_memory_region(arena, room);
    for (unsigned i = 0; i < machine->site_count; i++)
        __asan_unpoison_memory_region(arena + machine->sites[i]->offset, machine->sites[i]->bytes);
    arena = simt_dynamic_arena(machine, block->pool, &room);
    if (room == 0)
        return;
    __asan_poison_memory_region(arena, room);
    __asan_unpoison_memory_region(block->dynamic, machine->launch->dynamic_bytes);
}

void simt_hazard_open_arena(struct simt_machine *machine, const struct simt_block *block) {
    size_t room;
    unsigned char *arena = simt_static_arena(machine, block->pool, &room);
    __asan_unpoison_memory_region(arena, room);
    arena = simt_dynamic_arena(machine, block->pool, &room);
    __asan_unpoison_memory_region(arena, room);
}

void simt_hazard_guard_buffer(const struct guarded *buffer) {
    if (!buffer->reservation)
        return;
    unsigned char *past = buffer->data + buffer->bytes;
    __asan_poison_memory_region(buffer->open, (size_t)(buffer->data - buffer->open));
    __asan_poison_memory_region(past, (size_t)(buffer->end - past));
}

void simt_hazard_open_buffer(const struct guarded *buffer) {
    if (buffer->reservation)
        __asan_unpoison_memory_region(buffer->open, (size_t)(buffer->end - buffer->open));
}

// "4 bytes past the end of the input"; of an access that begins inside and ends outside, where its last byte lies.
static void explain(const unsigned char *address, size_t bytes, char *where, size_t size) {
    *where = '\0';
    if (simt_explain_outside(address, where, size))
        return;
    snprintf(where, size, "of which the last lies ");
    if (bytes == 0 || !simt_explain_outside(address + bytes - 1, where, size))
        snprintf(where, size, "at an address of no array");
}

static void record(struct hazard_place place, const char *verb, size_t size, const void *address) {
    struct simt_machine *machine = &simt_machine;
    char where[256];
    explain(address, size, where, sizeof where);
    if (simt_here) {
        simt_record(WORK_OUT_OF_BOUNDS, simt_here, (struct simt_place){place.file, place.line}, "%s %zu bytes %s", verb,
                    size, where);
        return;
    }
    machine->outcome = WORK_OUT_OF_BOUNDS;
    snprintf(machine->message, sizeof machine->message, "%s:%d: the launch function %s %zu bytes %s", place.file,
             place.line, verb, size, where);
}

void __asan_on_error(void) {
    if (simt_machine.outcome != WORK_DONE)
        return;
    struct hazard_place place;
    void *trace[] = {__asan_get_report_pc()};
    hazard_find_place(trace, 1, &place);
    record(place, __asan_get_report_access_type() ? "writes" : "reads", __asan_get_report_access_size(),
           __asan_get_report_address());
}

// Order and identity of threads are of no concern here.

bool simt_hazard_trusts(struct simt_machine *machine, const struct simt_launch *launch) {
    (void)machine, (void)launch;
    return true;
}
void simt_hazard_begin_launch(struct simt_machine *machine) {
    (void)machine;
}
void simt_hazard_end_launch(struct simt_machine *machine) {
    (void)machine;
}
unsigned simt_hazard_pool(const struct simt_machine *machine, const struct simt_block *block) {
    (void)machine;
    return block->slot;
}
void simt_hazard_start_block(struct simt_machine *machine, struct simt_block *block) {
    (void)machine, (void)block;
}
void simt_hazard_arrive_grid(unsigned phase) {
    (void)phase;
}
void simt_hazard_pass_grid(unsigned phase) {
    (void)phase;
}
void simt_hazard_start_thread(const struct simt_thread *self) {
    (void)self;
}
void simt_hazard_exit_thread(const struct simt_thread *self) {
    (void)self;
}
void simt_hazard_switch(const struct simt_thread *next) {
    (void)next;
}
unsigned simt_hazard_arrive(const struct simt_block *block) {
    return block->phase;
}
void simt_hazard_pass(const struct simt_block *block, unsigned phase) {
    (void)block, (void)phase;
}
void simt_hazard_arrive_warp(const struct simt_thread *self, unsigned number, bool first) {
    (void)self, (void)number, (void)first;
}
void simt_hazard_pass_warp(const struct simt_thread *self, unsigned number) {
    (void)self, (void)number;
}
