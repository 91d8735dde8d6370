// SPDX-License-Identifier: MIT
// Cooperative launches: all blocks are resident together, and their threads can wait for each other.
#include "harness/simt/hazard.h"
#include "harness/simt/scheduler.h"

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": a multiprocessor has so many warps,
// blocks, and bytes of shared memory, of which each block takes one KiB besides what it asks for.
unsigned simt_blocks_per_multiprocessor(unsigned threads, size_t dynamic_bytes) {
    unsigned warps = (threads + SIMT_WARP - 1) / SIMT_WARP;
    unsigned most = SIMT_MULTIPROCESSOR_THREADS / SIMT_WARP / warps;
    size_t fit = SIMT_MULTIPROCESSOR_SHARED / (dynamic_bytes + SIMT_SHARED_RESERVED);
    most = most < SIMT_MULTIPROCESSOR_BLOCKS ? most : SIMT_MULTIPROCESSOR_BLOCKS;
    return fit < most ? (unsigned)fit : most;
}

bool simt_fits_together(const struct simt_launch *launch) {
    unsigned threads = launch->block.x * launch->block.y * launch->block.z;
    uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    return blocks <= SIMT_MULTIPROCESSORS * simt_blocks_per_multiprocessor(threads, launch->dynamic_bytes);
}

// A block that is released goes on before those released before it.
static void release_grid(struct simt_machine *machine) {
    machine->grid_arrived = 0;
    machine->grid_phase++;
    machine->idle = 0;
    for (unsigned i = 0; i < machine->slots; i++)
        simt_release_block(machine, &machine->blocks[i]);
}

// Collectives require that all threads of the group take part (CUDA C++ Programming Guide, "Group Collectives"). A
// thread that has exited never does: on hardware the others wait for ever where it was the first of its block, and do
// not where it was another (CUDA's cooperative_groups/details/sync.h). Here they wait, and a sentence says for whom.
void simt_grid_barrier(struct simt_place place) {
    struct simt_machine *machine = &simt_machine;
    struct simt_thread *self = simt_here;
    if (!machine->launch->cooperative)
        simt_misuse(place,
                    "calls grid.sync() in a launch that is not cooperative: cudaLaunchCooperativeKernel makes one");
    simt_wait_of(self)->place = place;
    self->state = SIMT_AT_GRID_BARRIER;
    unsigned phase = machine->grid_phase;
    simt_hazard_arrive_grid(phase);
    if (++machine->grid_arrived == machine->block_total * machine->block_threads)
        release_grid(machine);
    simt_leave(machine, self);
    simt_hazard_pass_grid(phase);
}
