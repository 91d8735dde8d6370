// SPDX-License-Identifier: MIT
// The stacks of all resident threads, and the tables that go with them; mapped once and reused.
#include "harness/simt/fiber.h"
#include "harness/simt/hazard.h"
#include "harness/simt/scheduler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__) || defined(REDUCTIO_SIMT_ASAN)
#define ASAN_IN_USE 1
#include <sanitizer/asan_interface.h>
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(REDUCTIO_SIMT_HAZARDS) // the runtime writes its reports there
enum { STACK_BYTES = 256 << 10 };
#else
enum { STACK_BYTES = 32 << 10 };
#endif

// Stacks a power of two apart would put the tops of all of them, the only part in use, into a few sets of the cache.
// Five lines more spread them over all sets, since 5 is odd.
enum { STRIDE = STACK_BYTES + 5 * 64, CANARY_BYTES = 64 };
static const size_t HUGE_PAGE = (size_t)2 << 20;
static const unsigned char CANARY = 0xC5;

static bool map_stacks(struct simt_machine *machine, size_t count) {
    size_t bytes = count * STRIDE + HUGE_PAGE;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    if (machine->stacks)
        munmap(machine->stack_memory, machine->stack_count * STRIDE + HUGE_PAGE);
    // A wish: without huge pages a switch costs half as much again, and works as well. Large stacks, of which little is
    // used, would only fill memory, and so would the many of a large cooperative launch.
    if (STACK_BYTES <= 32 << 10 && count <= SIMT_USUAL_RESIDENT)
        (void)madvise(memory, bytes, MADV_HUGEPAGE);
    machine->stacks = (unsigned char *)(((uintptr_t)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    machine->stack_memory = memory;
    machine->stack_count = count;
    machine->marked = 0;
    return true;
}

// A pool of a hazard build keeps its stacks whatever the block size: they are known to the sanitizer as its threads'.
// A cooperative launch has a pool for each block, none of which is used again.
unsigned simt_pool_threads(const struct simt_machine *machine) {
    return simt_hazards && !machine->launch->cooperative ? SIMT_MAX_THREADS : machine->block_threads;
}

size_t simt_stack_index(const struct simt_machine *machine, const struct simt_thread *thread) {
    return (size_t)thread->block->pool * simt_pool_threads(machine) + (size_t)(thread - thread->block->threads);
}

bool simt_open_stacks(struct simt_machine *machine) {
    bool usual = (size_t)machine->slots * machine->block_threads <= SIMT_USUAL_RESIDENT;
    size_t count = usual ? SIMT_USUAL_RESIDENT : SIMT_MAX_RESIDENT;
    if (machine->stacks && machine->stack_count >= count)
        return true;
    if (!machine->threads)
        machine->threads = aligned_alloc(64, SIMT_MAX_RESIDENT * sizeof *machine->threads);
    if (!machine->waits)
        machine->waits = calloc(SIMT_MAX_RESIDENT, sizeof *machine->waits);
    if (!machine->warps)
        machine->warps = calloc(SIMT_MAX_WARPS, sizeof *machine->warps);
    if (!machine->bag)
        machine->bag = calloc(SIMT_MAX_RESIDENT, sizeof(struct simt_thread *));
    if (!machine->pending)
        machine->pending = calloc(SIMT_MAX_RESIDENT, sizeof(struct simt_thread *));
    if (!machine->threads || !machine->waits || !machine->warps || !machine->bag || !machine->pending)
        return false;
    return map_stacks(machine, count);
}

void *simt_stack_context(struct simt_machine *machine, size_t index, void (*entry)(void)) {
    unsigned char *bottom = machine->stacks + index * STRIDE;
    if (simt_hazards || index >= machine->marked) { // plainly, stacks are used from the first on
        memset(bottom, CANARY, CANARY_BYTES);
        machine->marked = index + 1;
    }
    return simt_fiber_prepare(bottom + STRIDE, STRIDE - CANARY_BYTES, entry);
}

// The frames of functions that never returned are poisoned still: the machine's own last ones, and all of a thread
// whose launch was given up. Each thread's context, where it was left, tells how deep they reach: the whole stack is a
// thousand times as much.
void simt_clean_stacks(const struct simt_machine *machine, const struct simt_block *block) {
#if defined(ASAN_IN_USE)
    for (unsigned i = 0; i < machine->block_threads; i++) {
        const struct simt_thread *thread = &block->threads[i];
        const unsigned char *top = machine->stacks + (simt_stack_index(machine, thread) + 1) * STRIDE;
        __asan_unpoison_memory_region(thread->context, (size_t)(top - (const unsigned char *)thread->context));
    }
#else
    (void)machine, (void)block;
#endif
}

const void *simt_stack_bottom(const struct simt_machine *machine, const struct simt_thread *thread, size_t *bytes) {
    *bytes = STRIDE;
    return machine->stacks + simt_stack_index(machine, thread) * STRIDE;
}

bool simt_stack_overran(const struct simt_machine *machine, size_t index) {
    const unsigned char *bottom = machine->stacks + index * STRIDE;
    unsigned char intact[CANARY_BYTES];
    memset(intact, CANARY, CANARY_BYTES);
    return memcmp(bottom, intact, CANARY_BYTES) != 0;
}

// Once a launch, because to look at the bottom of a stack for each thread would cost as much as a barrier.
void simt_check_stacks(struct simt_machine *machine) {
    for (size_t i = 0; i < (size_t)machine->slots * machine->block_threads; i++) {
        size_t index = simt_stack_index(machine, &machine->threads[i]);
        if (!simt_stack_overran(machine, index))
            continue;
        memset(machine->stacks + index * STRIDE, CANARY, CANARY_BYTES);
        if (machine->outcome == WORK_DONE)
            snprintf(machine->message, sizeof machine->message, "kernel %s: a thread has overrun its stack of %d bytes",
                     machine->launch->kernel, STACK_BYTES);
        machine->outcome = WORK_MISUSED;
    }
}
