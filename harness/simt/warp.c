// SPDX-License-Identifier: MIT
// Operations of a warp. A lane leaves its value and waits; the last lane of the mask computes everyone's result. Lanes
// with different masks wait in different groups.
#include "harness/simt/hazard.h"
#include "harness/simt/scheduler.h"

static const char *const NAMES[] = {
    [SIMT_SYNC] = "__syncwarp",
    [SIMT_SHUFFLE] = "__shfl_sync",
    [SIMT_SHUFFLE_UP] = "__shfl_up_sync",
    [SIMT_SHUFFLE_DOWN] = "__shfl_down_sync",
    [SIMT_SHUFFLE_XOR] = "__shfl_xor_sync",
    [SIMT_BALLOT] = "__ballot_sync",
    [SIMT_ANY] = "__any_sync",
    [SIMT_ALL] = "__all_sync",
    [SIMT_MATCH_ANY] = "__match_any_sync",
    [SIMT_REDUCE_ADD] = "__reduce_add_sync",
    [SIMT_REDUCE_MIN] = "__reduce_min_sync",
    [SIMT_REDUCE_MAX] = "__reduce_max_sync",
    [SIMT_REDUCE_MIN_SIGNED] = "__reduce_min_sync",
    [SIMT_REDUCE_MAX_SIGNED] = "__reduce_max_sync",
    [SIMT_REDUCE_AND] = "__reduce_and_sync",
    [SIMT_REDUCE_OR] = "__reduce_or_sync",
    [SIMT_REDUCE_XOR] = "__reduce_xor_sync",
    [SIMT_ACTIVE_MASK] = "__activemask",
};

const char *simt_warp_name(uint32_t operation) {
    return NAMES[operation];
}

// The source lane, as the PTX ISA has it (`shfl.sync`): a source outside of the segment of `width` lanes means the
// lane's own value, except that _xor may reach into earlier segments.
static int find_source(uint32_t operation, int lane, int argument, int width) {
    int first = lane & ~(width - 1), last = first + width - 1, source;
    switch (operation) {
    case SIMT_SHUFFLE:
        return first | (argument & (width - 1));
    case SIMT_SHUFFLE_UP:
        source = lane - argument;
        return argument >= SIMT_WARP || source < first ? lane : source;
    case SIMT_SHUFFLE_DOWN:
        source = lane + argument;
        return argument >= SIMT_WARP || source > last ? lane : source;
    default:
        source = lane ^ argument;
        return argument >= SIMT_WARP || source > last ? lane : source;
    }
}

static void shuffle(const struct simt_warp *warp, struct simt_thread *lanes, const struct simt_group *group) {
    for (uint32_t left = group->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        int argument = warp->argument[lane] & 0xFF; // PTX takes the low bits only; 8 keep "far away" far away
        int source = find_source(group->operation, lane, argument, warp->width[lane]);
        simt_wait_of(&lanes[lane])->result = group->mask >> source & 1 ? warp->value[source] : SIMT_POISON;
    }
}

static uint32_t combine(uint32_t operation, uint32_t a, uint32_t b) {
    switch (operation) {
    case SIMT_REDUCE_ADD:
        return a + b;
    case SIMT_REDUCE_MIN:
        return a < b ? a : b;
    case SIMT_REDUCE_MAX:
        return a > b ? a : b;
    case SIMT_REDUCE_MIN_SIGNED:
        return (int32_t)a < (int32_t)b ? a : b;
    case SIMT_REDUCE_MAX_SIGNED:
        return (int32_t)a > (int32_t)b ? a : b;
    case SIMT_REDUCE_AND:
        return a & b;
    case SIMT_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

// What all lanes of the group get alike.
static uint64_t common_result(const struct simt_warp *warp, const struct simt_group *group) {
    uint32_t votes = 0, total = 0;
    bool first = true;
    if (group->operation == SIMT_SYNC)
        return 0;
    for (uint32_t left = group->mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint32_t value = (uint32_t)warp->value[lane];
        votes |= (uint32_t)(value != 0) << lane;
        total = first ? value : combine(group->operation, total, value);
        first = false;
    }
    switch (group->operation) {
    case SIMT_BALLOT:
        return votes;
    case SIMT_ANY:
        return votes != 0;
    case SIMT_ALL:
        return votes == group->mask;
    default:
        return total;
    }
}

static void match(const struct simt_warp *warp, struct simt_thread *lanes, uint32_t mask) {
    for (uint32_t left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        uint32_t same = 0;
        for (uint32_t others = mask; others; others &= others - 1) {
            int other = __builtin_ctz(others);
            same |= (uint32_t)(warp->value[other] == warp->value[lane]) << other;
        }
        simt_wait_of(&lanes[lane])->result = same;
    }
}

static void complete(struct simt_machine *machine, struct simt_warp *warp, struct simt_group *group,
                     struct simt_thread *lanes) {
    uint32_t arrived = group->arrived; // without the exited lanes that a __syncwarp may name
    if (group->operation >= SIMT_SHUFFLE && group->operation <= SIMT_SHUFFLE_XOR) {
        shuffle(warp, lanes, group);
    } else if (group->operation == SIMT_MATCH_ANY) {
        match(warp, lanes, group->mask);
    } else {
        uint64_t result = common_result(warp, group);
        for (uint32_t left = arrived; left; left &= left - 1)
            simt_wait_of(&lanes[__builtin_ctz(left)])->result = result;
    }
    *group = warp->groups[--warp->group_count];
    machine->idle = 0;
    simt_release_lanes(machine, lanes, arrived);
}

static void check_mask(uint32_t operation, uint32_t mask, const struct simt_thread *self, struct simt_place place) {
    const struct simt_warp *warp = simt_warp_of(self);
    const char *name = NAMES[operation];
    if (!(mask >> simt_lane_of(self) & 1))
        simt_misuse(place, "calls %s with mask 0x%08x, which does not name its own lane %u", name, mask,
                    simt_lane_of(self));
    // The guide asks only "all non-exited threads named in mask" to come; a barrier without the others is harmless, but
    // a value from one of them is undefined.
    uint32_t missing = operation == SIMT_SYNC ? 0 : mask & ~warp->live;
    if (missing) {
        unsigned lane = (unsigned)__builtin_ctz(missing);
        simt_misuse(place, "calls %s with mask 0x%08x, which names lane %u, %s", name, mask, lane,
                    warp->lanes >> lane & 1 ? "but that thread has exited" : "but the block has no such thread");
    }
}

static struct simt_group *join_group(struct simt_warp *warp, uint32_t operation, uint32_t mask, uint32_t lane,
                                     struct simt_place place) {
    for (uint32_t i = 0; i < warp->group_count; i++) {
        struct simt_group *group = &warp->groups[i];
        if (group->mask != mask)
            continue;
        if (group->operation != operation)
            simt_misuse(place, "calls %s with mask 0x%08x while other lanes of the mask wait at %s (line %d)",
                        NAMES[operation], mask, NAMES[group->operation], group->place.line);
        group->arrived |= UINT32_C(1) << lane;
        return group;
    }
    struct simt_group *group = &warp->groups[warp->group_count++];
    *group = (struct simt_group){mask, UINT32_C(1) << lane, operation, warp->next_number++, place};
    return group;
}

static bool is_complete(const struct simt_warp *warp, const struct simt_group *group) {
    return (group->mask & warp->live & ~group->arrived) == 0;
}

uint64_t simt_warp(enum simt_warp_operation operation, uint32_t mask, uint64_t value, int argument, int width,
                   struct simt_place place) {
    struct simt_machine *machine = &simt_machine;
    struct simt_thread *self = simt_here;
    struct simt_warp *warp = simt_warp_of(self);
    struct simt_wait *wait = simt_wait_of(self);
    const unsigned lane = simt_lane_of(self);
    check_mask(operation, mask, self, place);
    if (width < 1 || width > SIMT_WARP || (width & (width - 1)))
        simt_misuse(place, "calls %s with width %d, which is not a power of two up to 32", NAMES[operation], width);
    warp->value[lane] = value;
    warp->argument[lane] = argument;
    warp->width[lane] = width;
    struct simt_group *group = join_group(warp, operation, mask, lane, place);
    wait->place = place;
    self->state = SIMT_AT_WARP_OPERATION;
    wait->result = operation; // until it is done: for who asks what it waits at
    // "__syncwarp() guarantees memory ordering among threads participating"; shuffles, votes and matches "do not imply
    // a memory barrier" (CUDA C++ Programming Guide, the sections of these names).
    bool orders = operation == SIMT_SYNC;
    unsigned number = group->number;
    if (orders)
        simt_hazard_arrive_warp(self, number, group->arrived == UINT32_C(1) << lane);
    if (is_complete(warp, group))
        complete(machine, warp, group, self - lane);
    simt_leave(machine, self);
    if (orders)
        simt_hazard_pass_warp(self, number);
    return wait->result;
}

// Its group has the mask 0, which no other operation can have.
uint32_t simt_active_mask(struct simt_place place) {
    struct simt_thread *self = simt_here;
    struct simt_wait *wait = simt_wait_of(self);
    join_group(simt_warp_of(self), SIMT_ACTIVE_MASK, 0, simt_lane_of(self), place);
    wait->place = place;
    self->state = SIMT_AT_WARP_OPERATION;
    wait->result = SIMT_ACTIVE_MASK;
    simt_leave(&simt_machine, self);
    return (uint32_t)wait->result;
}

void simt_warp_miss(struct simt_machine *machine, struct simt_warp *warp, struct simt_thread *thread) {
    for (uint32_t i = 0; i < warp->group_count; i++) {
        struct simt_group *group = &warp->groups[i];
        if (!(group->mask >> simt_lane_of(thread) & 1))
            continue;
        if (group->operation != SIMT_SYNC)
            simt_misuse(group->place, "has exited while other lanes wait for it at %s with mask 0x%08x",
                        NAMES[group->operation], group->mask);
        if (is_complete(warp, group)) {
            complete(machine, warp, group, thread - simt_lane_of(thread));
            i--;
        }
    }
}

// __activemask: the hardware gives the lanes that happen to run together. Here they wait until nothing else can go on,
// so that those at one place leave together.
static bool converge_warp(struct simt_machine *machine, struct simt_warp *warp, struct simt_thread *lanes) {
    for (uint32_t i = 0; i < warp->group_count; i++) {
        struct simt_group *group = &warp->groups[i];
        if (group->operation != SIMT_ACTIVE_MASK)
            continue;
        uint32_t together = 0;
        for (uint32_t left = group->arrived; left; left &= left - 1) {
            int lane = __builtin_ctz(left);
            together |= (uint32_t)simt_same_place(simt_wait_of(&lanes[lane])->place, group->place) << lane;
        }
        for (uint32_t left = together; left; left &= left - 1)
            simt_wait_of(&lanes[__builtin_ctz(left)])->result = together;
        group->arrived &= ~together;
        if (group->arrived)
            group->place = simt_wait_of(&lanes[__builtin_ctz(group->arrived)])->place;
        else
            *group = warp->groups[--warp->group_count];
        simt_release_lanes(machine, lanes, together);
        return true;
    }
    return false;
}

bool simt_warp_converge(struct simt_machine *machine) {
    bool any = false;
    for (unsigned i = 0; i < machine->slots; i++) {
        struct simt_block *block = &machine->blocks[i];
        for (unsigned w = 0; block->running && w < machine->block_warps; w++)
            any |= converge_warp(machine, &block->warps[w], block->threads + w * SIMT_WARP);
    }
    return any;
}
