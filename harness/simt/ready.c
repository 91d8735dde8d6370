// SPDX-License-Identifier: MIT
// Schedules: the order of blocks, and of the threads that can go on.
#include "harness/simt/hazard.h"
#include "harness/simt/scheduler.h"

// splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
uint64_t simt_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static unsigned reverse_lane_bits(unsigned lane) {
    return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | (lane & 16) >> 4;
}

// Neighbouring lanes far from each other: lanes in bit-reversed order, warps from last to first.
static void set_apart(struct simt_machine *machine, unsigned threads) {
    unsigned at = 0;
    for (unsigned warp = machine->block_warps; warp-- > 0;) {
        for (unsigned i = 0; i < SIMT_WARP; i++) {
            unsigned thread = warp * SIMT_WARP + reverse_lane_bits(i);
            if (thread < threads)
                machine->order[at++] = (uint16_t)thread;
        }
    }
}

void simt_prepare_order(struct simt_machine *machine) {
    uint32_t kind = machine->schedule.kind;
    unsigned threads = machine->block_threads;
    machine->drawn = kind == SCHEDULE_SEEDED;
    // Each launch of a run draws a stream of its own.
    machine->random = machine->schedule.seed ^ (uint64_t)machine->launches << 48;
    simt_random(&machine->random);
    if (kind == SCHEDULE_LANES_APART) {
        set_apart(machine, threads);
        return;
    }
    for (unsigned i = 0; i < threads; i++)
        machine->order[i] = (uint16_t)(kind == SCHEDULE_REVERSED ? threads - 1 - i : i);
}

// A permutation of 0 .. total-1 without a table: a Feistel network over the next even power of two, walked until it
// lands inside (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
static uint64_t permute(uint64_t turn, uint64_t total, uint64_t key) {
    unsigned half = 1;
    while (half < 31 && total > (uint64_t)1 << 2 * half)
        half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = turn >> half, right = turn & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t state = key + right * 0x2545F4914F6CDD1Du + round;
            uint64_t swapped = left ^ (simt_random(&state) & mask);
            left = right;
            right = swapped;
        }
        turn = left << half | right;
    } while (turn >= total);
    return turn;
}

uint64_t simt_choose_block(struct simt_machine *machine, uint64_t turn) {
    uint64_t total = machine->block_total, last = machine->schedule.seed;
    switch (machine->schedule.kind) {
    case SCHEDULE_REVERSED:
        return total - 1 - turn;
    case SCHEDULE_LAST_BLOCK:
        if (last >= total)
            return turn;
        return turn == total - 1 ? last : turn < last ? turn : turn + 1;
    case SCHEDULE_SEEDED:
        return permute(turn, total, machine->schedule.seed + machine->launches);
    default:
        return turn;
    }
}

// One block at a time, or as many as a multiprocessor would hold: without several, few orders of atomics are in reach.
unsigned simt_choose_slots(const struct simt_machine *machine) {
    if (machine->launch->cooperative)
        return (unsigned)machine->block_total;
#if defined(REDUCTIO_SIMT_HAZARDS)
    uint64_t most = SIMT_HAZARD_POOLS;
#else
    uint64_t most = SIMT_USUAL_SLOTS;
#endif
    uint32_t kind = machine->schedule.kind;
    bool many = kind == SCHEDULE_SEEDED || kind == SCHEDULE_ASCENDING || kind == SCHEDULE_DESCENDING ||
                kind == SCHEDULE_LANES_APART;
    uint64_t slots = many ? SIMT_USUAL_RESIDENT / machine->block_threads : 1;
    slots = slots < most ? slots : most;
    return (unsigned)(slots < machine->block_total ? slots : machine->block_total);
}

static void push_drawn(struct simt_machine *machine, struct simt_thread *thread) {
    thread->next = NULL;
    machine->bag[machine->bag_count++] = thread;
}

// Appends to a chain whose last link is *end.
static struct simt_thread **chain(struct simt_thread **end, struct simt_thread *thread) {
    *end = thread;
    return &thread->next;
}

// Puts a finished chain before all others: a released group goes on at once.
static void close_chain(struct simt_machine *machine, struct simt_thread *first, struct simt_thread **end,
                        struct simt_thread *last) {
    *end = machine->head;
    if (!machine->head)
        machine->tail = last;
    machine->head = first;
}

void simt_release_block(struct simt_machine *machine, struct simt_block *block) {
    if (block->linked) {
        close_chain(machine, block->first, &block->last->next, block->last);
        return;
    }
    struct simt_thread *first = NULL, **end = &first, *thread = NULL, *last = NULL;
    for (unsigned i = 0; i < machine->block_threads; i++) {
        thread = &block->threads[machine->order[i]];
        if (thread->state == SIMT_EXITED)
            continue;
        if (machine->drawn)
            push_drawn(machine, thread);
        else
            end = chain(end, last = thread);
    }
    if (!last)
        return;
    block->linked = true;
    block->first = first;
    block->last = last;
    close_chain(machine, first, end, last);
}

static unsigned nth_lane(const struct simt_machine *machine, unsigned i) {
    switch (machine->schedule.kind) {
    case SCHEDULE_REVERSED:
        return SIMT_WARP - 1 - i;
    case SCHEDULE_LANES_APART:
        return reverse_lane_bits(i);
    default:
        return i;
    }
}

void simt_release_lanes(struct simt_machine *machine, struct simt_thread *first_lane, uint32_t mask) {
    struct simt_thread *first = NULL, **end = &first, *last = NULL;
    first_lane->block->linked = false;
    for (unsigned i = 0; i < SIMT_WARP; i++) {
        unsigned lane = nth_lane(machine, i);
        if (!(mask >> lane & 1))
            continue;
        if (machine->drawn)
            push_drawn(machine, first_lane + lane);
        else
            end = chain(end, last = first_lane + lane);
    }
    if (last)
        close_chain(machine, first, end, last);
}

void simt_push_last(struct simt_machine *machine, struct simt_thread *thread) {
    if (machine->drawn) {
        push_drawn(machine, thread);
        return;
    }
    thread->block->linked = false;
    thread->next = NULL;
    if (machine->head)
        machine->tail->next = thread;
    else
        machine->head = thread;
    machine->tail = thread;
}

struct simt_thread *simt_draw(struct simt_machine *machine) {
    if (machine->bag_count == 0)
        return NULL;
    // Lemire, "Fast random integer generation in an interval", 2019; the bias of 2^-32 does not matter here.
    unsigned at = (unsigned)((simt_random(&machine->random) >> 32) * machine->bag_count >> 32);
    struct simt_thread *thread = machine->bag[at];
    machine->bag[at] = machine->bag[--machine->bag_count];
    return thread;
}
