// SPDX-License-Identifier: MIT
// Atomics are where the threads of different blocks meet. Under a seeded schedule any thread may go first there; under
// the schedules by magnitude the machine holds all of them back and lets one go at a time.
#include "harness/simt/scheduler.h"

#include <math.h>

// Scheduling points without any thread getting to a barrier, past a warp operation or to its end. No sum does as many
// atomics in one thread; a thread that polls a flag does, within about a second.
static const uint64_t IDLE_LIMIT = UINT64_C(1) << 27;
// How often a polling thread lets the others of its schedule go on.
static const uint64_t IDLE_TURN = 1024;

void simt_yield(struct simt_place place) {
    struct simt_machine *machine = &simt_machine;
    machine->idle++;
    if (!machine->drawn && machine->idle % IDLE_TURN != 0)
        return;
    if (machine->idle > IDLE_LIMIT)
        simt_give_up(place);
    simt_push_last(machine, simt_here);
    simt_leave(machine, simt_here);
}

static bool goes_before(const struct simt_machine *machine, const struct simt_thread *a, const struct simt_thread *b) {
    const struct simt_wait *first = simt_wait_of(a), *second = simt_wait_of(b);
    if (first->magnitude != second->magnitude)
        return (first->magnitude < second->magnitude) == (machine->schedule.kind == SCHEDULE_ASCENDING);
    return first->ticket < second->ticket;
}

static void hold_back(struct simt_machine *machine, struct simt_thread *thread) {
    unsigned at = machine->pending_count++;
    while (at > 0 && goes_before(machine, thread, machine->pending[(at - 1) / 2])) {
        machine->pending[at] = machine->pending[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    machine->pending[at] = thread;
}

bool simt_release_atomic(struct simt_machine *machine) {
    if (machine->pending_count == 0)
        return false;
    struct simt_thread *first = machine->pending[0], *moved = machine->pending[--machine->pending_count];
    unsigned at = 0;
    for (unsigned child; (child = 2 * at + 1) < machine->pending_count; at = child) {
        if (child + 1 < machine->pending_count &&
            goes_before(machine, machine->pending[child + 1], machine->pending[child]))
            child++;
        if (!goes_before(machine, machine->pending[child], moved))
            break;
        machine->pending[at] = machine->pending[child];
    }
    machine->pending[at] = moved;
    simt_push_last(machine, first);
    return true;
}

void simt_yield_float(double magnitude, struct simt_place place) {
    struct simt_machine *machine = &simt_machine;
    uint32_t kind = machine->schedule.kind;
    if (kind != SCHEDULE_ASCENDING && kind != SCHEDULE_DESCENDING) {
        simt_yield(place);
        return;
    }
    if (++machine->idle > IDLE_LIMIT)
        simt_give_up(place);
    struct simt_wait *wait = simt_wait_of(simt_here);
    wait->magnitude = isnan(magnitude) ? INFINITY : fabs(magnitude);
    wait->ticket = machine->tickets++;
    simt_here->state = SIMT_AT_ATOMIC;
    hold_back(machine, simt_here);
    simt_leave(machine, simt_here);
}
