// SPDX-License-Identifier: MIT
// Shared memory. Each pool has an arena (plainly, each slot for a resident block is a pool):
//
//     unmapped | static: slot, red zone, slot, red zone ... | unmapped | poison, dynamic | unmapped
//
// All blocks of a launch have one layout, which grows when a declaration is reached for the first time. Every block
// finds poison in its arena; red zones and poison are checked when it ends.
#include "harness/guarded.h"
#include "harness/simt/hazard.h"
#include "harness/simt/scheduler.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GAP = 64 << 10, // unmapped, and a multiple of every page size
    STATIC_ROOM = 128 << 10,
    DYNAMIC_ROOM = 256 << 10,
    ARENA = GAP + STATIC_ROOM + GAP + DYNAMIC_ROOM,
    RED_ZONE = 64
};

static unsigned char *static_of(const struct simt_machine *machine, unsigned pool) {
    return machine->arenas + (size_t)pool * ARENA + GAP;
}

static unsigned char *dynamic_end(const struct simt_machine *machine, unsigned pool) {
    return machine->arenas + (size_t)(pool + 1) * ARENA;
}

unsigned char *simt_static_arena(const struct simt_machine *machine, unsigned pool, size_t *room) {
    *room = STATIC_ROOM;
    return static_of(machine, pool);
}

unsigned char *simt_dynamic_arena(const struct simt_machine *machine, unsigned pool, size_t *room) {
    *room = machine->opened[pool];
    return dynamic_end(machine, pool) - machine->opened[pool];
}

static bool reserve_arenas(struct simt_machine *machine) {
    size_t bytes = (size_t)SIMT_MAX_SLOTS * ARENA + GAP;
    void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    machine->arenas = memory;
    machine->arena_bytes = bytes;
    return true;
}

// Those of most launches are one or two.
static bool open_static(struct simt_machine *machine, unsigned pools) {
    for (; machine->arena_count < pools; machine->arena_count++) {
        if (mprotect(static_of(machine, machine->arena_count), STATIC_ROOM, PROT_READ | PROT_WRITE) != 0)
            return false;
    }
    return true;
}

static size_t round_up(size_t value, size_t unit) {
    return (value + unit - 1) / unit * unit;
}

// Maps exactly the pages that hold the dynamic shared memory of a pool. Most launches run one block at a time, in one
// pool: to map those of all pools anew was a twelfth of a full tier's processor time.
static bool open_dynamic(struct simt_machine *machine, unsigned pool, size_t room) {
    size_t *opened = &machine->opened[pool];
    unsigned char *end = dynamic_end(machine, pool);
    int failed = 0;
    if (room > *opened)
        failed = mprotect(end - room, room - *opened, PROT_READ | PROT_WRITE);
    else if (room < *opened)
        failed = mprotect(end - *opened, *opened - room, PROT_NONE);
    if (failed == 0)
        *opened = room;
    return failed == 0;
}

bool simt_open_arenas(struct simt_machine *machine) {
    size_t bytes = machine->launch->dynamic_bytes, room = bytes ? round_up(bytes + RED_ZONE, GAP) : 0;
    if (!machine->arenas && !reserve_arenas(machine))
        return false;
    const unsigned least = simt_hazards ? SIMT_HAZARD_POOLS : 1;
    const unsigned pools = machine->slots > least ? machine->slots : least;
    if (!open_static(machine, pools))
        return false;
    for (unsigned pool = 0; pool < pools; pool++)
        if (!open_dynamic(machine, pool, room))
            return false;
    return true;
}

static uint64_t salt_of_block(const struct simt_machine *machine, uint64_t rank, unsigned launch) {
    return (rank * 1024 + launch) | machine->poison;
}

static uint64_t salt_of(const struct simt_machine *machine, const struct simt_block *block) {
    return salt_of_block(machine, block->rank, machine->launches);
}

// Both kinds of shared memory are counted from their beginnings: a NaN tells which one it is from. A bit higher up
// would leave the lower word of the pattern as it is.
static uint64_t salt_of_dynamic(uint64_t salt) {
    return salt ^ UINT64_C(1) << 40;
}

void simt_fill_arena(struct simt_machine *machine, struct simt_block *block) {
    uint64_t salt = salt_of(machine, block);
    size_t bytes = machine->launch->dynamic_bytes;
    block->shared = static_of(machine, block->pool);
    block->dynamic = dynamic_end(machine, block->pool) - round_up(bytes, 16);
    simt_hazard_open_arena(machine, block);
    guarded_fill(block->shared, machine->static_bytes, block->shared, salt);
    if (bytes) {
        unsigned char *from = block->dynamic - RED_ZONE;
        guarded_fill(from, (size_t)(dynamic_end(machine, block->pool) - from), from, salt_of_dynamic(salt));
    }
    simt_hazard_guard_arena(machine, block);
}

void simt_place_site(struct simt_site *site) {
    struct simt_machine *machine = &simt_machine;
    size_t unit = site->alignment > 16 ? site->alignment : 16;
    size_t offset = round_up(machine->static_bytes, unit), end = round_up(offset + site->bytes, 16) + RED_ZONE;
    if (site->bytes > SIMT_SHARED_DEFAULT || end - RED_ZONE * (machine->site_count + 1) > SIMT_SHARED_DEFAULT)
        simt_misuse(site->place, "needs more than %d bytes of static shared memory for %s", SIMT_SHARED_DEFAULT,
                    site->name);
    if (machine->site_count == SIMT_MAX_SITES || end > STATIC_ROOM)
        simt_misuse(site->place, "declares more shared variables than simt has room for");
    for (unsigned i = 0; i < machine->slots; i++) {
        const struct simt_block *block = &machine->blocks[i];
        if (!block->running)
            continue;
        simt_hazard_open_arena(machine, block);
        guarded_fill(block->shared + machine->static_bytes, end - machine->static_bytes, block->shared,
                     salt_of(machine, block));
    }
    machine->sites[machine->site_count++] = site;
    machine->static_bytes = end;
    site->offset = offset;
    site->launch = simt_launch_number;
    for (unsigned i = 0; i < machine->slots; i++) {
        if (machine->blocks[i].running)
            simt_hazard_guard_arena(machine, &machine->blocks[i]);
    }
}

static void report(struct simt_machine *machine, const struct simt_block *block, struct simt_place place,
                   const char *side, const char *name) {
    machine->outcome = WORK_OUT_OF_BOUNDS;
    snprintf(machine->message, sizeof machine->message, "%s:%d: kernel %s, block %llu: a thread wrote %s %s",
             simt_file_name(place.file), place.line, machine->launch->kernel, (unsigned long long)block->rank, side,
             name);
}

bool simt_check_arena(struct simt_machine *machine, struct simt_block *block) {
    uint64_t salt = salt_of(machine, block);
    simt_hazard_open_arena(machine, block);
    for (unsigned i = 0; i < machine->site_count; i++) {
        const struct simt_site *site = machine->sites[i];
        const unsigned char *past = block->shared + site->offset + site->bytes;
        size_t zone = round_up(site->bytes, 16) - site->bytes + RED_ZONE;
        if (guarded_find_change(past, zone, block->shared, salt)) {
            report(machine, block, site->place, "past the end of the shared variable", site->name);
            return false;
        }
    }
    size_t bytes = machine->launch->dynamic_bytes;
    if (!bytes)
        return true;
    const unsigned char *from = block->dynamic - RED_ZONE, *past = block->dynamic + bytes;
    salt = salt_of_dynamic(salt);
    if (guarded_find_change(from, RED_ZONE, from, salt))
        report(machine, block, machine->launch->place, "before the start of", "dynamic shared memory");
    else if (guarded_find_change(past, (size_t)(dynamic_end(machine, block->pool) - past), from, salt))
        report(machine, block, machine->launch->place, "past the end of", "dynamic shared memory");
    return machine->outcome == WORK_DONE;
}

bool simt_is_shared(const void *address) {
    return (uintptr_t)address - (uintptr_t)simt_machine.arenas < simt_machine.arena_bytes;
}

// The variable that the byte at that distance from the beginning of static shared memory belongs to; NULL: none.
static const struct simt_site *find_site(const struct simt_machine *machine, size_t offset) {
    for (unsigned i = 0; i < machine->site_count; i++) {
        const struct simt_site *site = machine->sites[i];
        if (offset >= site->offset && offset < site->offset + site->bytes)
            return site;
    }
    return NULL;
}

static void name_site(const struct simt_site *site, size_t offset, char *text, size_t size) {
    snprintf(text, size, "byte %zu of the shared variable %s", offset - site->offset, site->name);
}

bool simt_name_shared(const struct simt_machine *machine, const void *address, char *text, size_t size) {
    if (!machine->arenas || !simt_is_shared(address))
        return false;
    unsigned pool = (unsigned)(((uintptr_t)address - (uintptr_t)machine->arenas) / ARENA);
    const unsigned char *at = address,
                        *dynamic = dynamic_end(machine, pool) - round_up(machine->launch->dynamic_bytes, 16);
    if (at >= dynamic && at < dynamic + machine->launch->dynamic_bytes) {
        snprintf(text, size, "byte %zu of dynamic shared memory", (size_t)(at - dynamic));
        return true;
    }
    const size_t offset = (size_t)(at - static_of(machine, pool)); // past all sites where it lies before
    const struct simt_site *site = find_site(machine, offset);
    if (site)
        name_site(site, offset, text, size);
    return site != NULL;
}

// "4 bytes past the end of the shared variable words": of the last that starts before.
static bool explain_site(const struct simt_machine *machine, const unsigned char *at, const unsigned char *arena,
                         char *text, size_t size) {
    const struct simt_site *before = NULL;
    for (unsigned i = 0; i < machine->site_count; i++) {
        if (at >= arena + machine->sites[i]->offset)
            before = machine->sites[i];
    }
    if (!before)
        return false;
    uint64_t distance = (uint64_t)(at - (arena + before->offset + before->bytes));
    if (distance == 0) {
        guarded_append(text, size, "just");
    } else {
        guarded_append_number(text, size, distance);
        guarded_append(text, size, distance == 1 ? " byte" : " bytes");
    }
    guarded_append(text, size, " past the end of the shared variable ");
    guarded_append(text, size, before->name);
    return true;
}

bool simt_explain_shared(const struct simt_machine *machine, const void *address, char *text, size_t size) {
    if (!machine->arenas || !simt_is_shared(address))
        return false;
    const unsigned char *at = address;
    size_t pool = (size_t)(at - machine->arenas) / ARENA;
    // Past the end of one pool's dynamic memory lies the gap before the next pool.
    size_t inside = (size_t)(at - machine->arenas) % ARENA;
    const unsigned char *end = dynamic_end(machine, (unsigned)pool);
    size_t room = machine->launch ? round_up(machine->launch->dynamic_bytes, 16) : 0;
    bool past = (inside < GAP && pool > 0) || (room > 0 && at >= end - room);
    if (inside >= GAP + STATIC_ROOM || past) {
        guarded_append(text, size,
                       past ? "past the end of dynamic shared memory ("
                            : "before the start of dynamic shared memory (");
        guarded_append_number(text, size, machine->launch ? machine->launch->dynamic_bytes : 0);
        guarded_append(text, size, " bytes)");
    } else if (!explain_site(machine, at, static_of(machine, (unsigned)pool), text, size)) {
        guarded_append(text, size, "outside of static shared memory");
    }
    return true;
}

static bool trace_dynamic(const struct simt_machine *machine, uint64_t salt, uint64_t bits, size_t size, char *text,
                          size_t text_size) {
    // The poison depends on the distance from the beginning alone, so the places may be anywhere.
    const unsigned char *arena = static_of(machine, 0);
    const unsigned char *found = !machine->most_dynamic ? NULL
                                                        : guarded_find_source(arena, machine->most_dynamic + RED_ZONE,
                                                                              arena, salt_of_dynamic(salt), bits, size);
    if (found && found < arena + RED_ZONE)
        snprintf(text, text_size, "the place %zu bytes before the dynamic shared memory",
                 (size_t)(arena + RED_ZONE - found));
    else if (found)
        snprintf(text, text_size, "byte %zu of the dynamic shared memory", (size_t)(found - arena - RED_ZONE));
    return found != NULL;
}

// What variables lie where is known of the last launch alone.
static bool trace_static(const struct simt_machine *machine, uint64_t salt, bool last, uint64_t bits, size_t size,
                         char *text, size_t text_size) {
    const unsigned char *arena = static_of(machine, 0);
    const unsigned char *found = guarded_find_source(arena, machine->most_static, arena, salt, bits, size);
    if (!found)
        return false;
    const size_t offset = (size_t)(found - arena);
    const struct simt_site *site = last ? find_site(machine, offset) : NULL;
    if (site)
        name_site(site, offset, text, text_size);
    else
        snprintf(text, text_size, "byte %zu of the static shared memory", offset);
    return true;
}

static bool trace_block(const struct simt_machine *machine, uint64_t rank, unsigned launch, uint64_t bits, size_t size,
                        char *text, size_t text_size) {
    uint64_t salt = salt_of_block(machine, rank, launch);
    if (!trace_dynamic(machine, salt, bits, size, text, text_size) &&
        !trace_static(machine, salt, launch == machine->launches, bits, size, text, text_size))
        return false;
    size_t used = strlen(text);
    snprintf(text + used, text_size - used, " of block %llu in launch %u", (unsigned long long)rank, launch);
    return true;
}

bool simt_trace_shared(const struct simt_machine *machine, uint64_t bits, size_t size, char *text, size_t text_size) {
    enum { MOST_TRIED = 1 << 22 }; // elements: a NaN of a large grid is rarely of a late block alone
    size_t extent = machine->most_dynamic + machine->most_static;
    uint64_t tried = 0;
    if (!machine->arenas || !extent)
        return false;
    for (unsigned launch = 1; launch <= machine->launches; launch++)
        for (uint64_t rank = 0; rank < machine->most_blocks && tried < MOST_TRIED; rank++, tried += extent / size)
            if (trace_block(machine, rank, launch, bits, size, text, text_size))
                return true;
    return false;
}

void simt_allow_dynamic(size_t bytes) {
    if (bytes > simt_machine.dynamic_limit)
        simt_machine.dynamic_limit = bytes;
}
