// SPDX-License-Identifier: MIT
// What fences and atomics order, by the PTX ISA's memory consistency model ("Release and Acquire Patterns"). Atomics
// are relaxed: alone they order nothing. What a thread did before a fence comes before what another does after a fence
// of its own, if the first thread's later atomic is seen, at once or through other atomics on that address, by an
// atomic of the second before its fence. A fence for the block counts only between threads of one block.
//
// ThreadSanitizer has no fences, and a release at the atomic would publish too much: also what lies between fence and
// atomic. So each fence sets a clock object of its own, an atomic appends the objects of its thread's fences to the
// list of its address, and a fence acquires the objects of those lists as they were when the thread read them.
#include "harness/simt/hazard_tsan.h"

#include <stdlib.h>

enum { FENCES = 1 << 15, ENTRIES = 1 << 16, BUCKETS = 1 << 12, READS = 8, NONE = -1 };

// A fence's clock, seen through an atomic on one address.
struct entry {
    int fence;
    int next;
    uint64_t block; // rank
    enum simt_scope scope;
};

struct address {
    const void *at; // NULL: free
    int first, last;
};

// An address that a thread has read, and the part of its list that it has not acquired yet.
struct observation {
    int address;
    int from; // the entry before the first, NONE: from the start
    int to;
};

struct thread_order {
    uint64_t launch; // for which the rest holds
    uint64_t block;
    int fence[2]; // by scope, NONE: none yet
    bool published[2];
    int published_to[2];
    struct observation reads[READS];
    unsigned read_count;
};

static struct {
    struct simt_clock fences[FENCES];
    unsigned fence_count;
    struct entry entries[ENTRIES];
    unsigned entry_count;
    struct address addresses[BUCKETS];
    unsigned address_count;
    struct thread_order threads[SIMT_MAX_RESIDENT]; // by stack
    uint64_t launch;
} order;

void simt_order_begin(void) {
    order.launch++;
    order.fence_count = order.entry_count = 0;
    for (unsigned i = 0; order.address_count > 0 && i < BUCKETS; i++)
        order.addresses[i].at = NULL;
    order.address_count = 0;
}

static struct thread_order *order_of(const struct simt_thread *thread) {
    const struct simt_block *block = thread->block;
    struct thread_order *own = &order.threads[simt_stack_index(&simt_machine, thread)];
    if (own->launch != order.launch || own->block != block->rank)
        *own = (struct thread_order){.launch = order.launch, .block = block->rank, .fence = {NONE, NONE}};
    return own;
}

static void run_out(const char *of) {
    struct simt_place place = simt_wait_of(simt_here)->place;
    simt_misuse(place, "does more %s than the race detector can follow", of);
}

// The slot of an address in an open hash table; NONE if it has none and `add` is false.
static int find_address(const void *at, bool add) {
    unsigned slot = (unsigned)(((uintptr_t)at >> 2) * 0x9E3779B97F4A7C15u >> 40) % BUCKETS;
    while (order.addresses[slot].at && order.addresses[slot].at != at)
        slot = (slot + 1) % BUCKETS;
    if (order.addresses[slot].at)
        return (int)slot;
    if (!add)
        return NONE;
    if (++order.address_count > BUCKETS / 2)
        run_out("atomics on different addresses");
    order.addresses[slot] = (struct address){at, NONE, NONE};
    return (int)slot;
}

// Remembers how much of the address's list the thread has seen by now.
static void observe(struct thread_order *own, int address) {
    int last = order.addresses[address].last;
    if (last == NONE)
        return;
    for (unsigned i = 0; i < own->read_count; i++) {
        if (own->reads[i].address == address) {
            own->reads[i].to = last;
            return;
        }
    }
    if (own->read_count == READS)
        run_out("reads of different atomics in one thread");
    own->reads[own->read_count++] = (struct observation){address, NONE, last};
}

static void publish(struct thread_order *own, int address, enum simt_scope scope) {
    int fence = own->fence[scope];
    if (fence == NONE || (own->published[scope] && own->published_to[scope] == address))
        return;
    if (order.entry_count == ENTRIES)
        run_out("atomics after fences");
    int entry = (int)order.entry_count++;
    order.entries[entry] = (struct entry){fence, NONE, own->block, scope};
    struct address *list = &order.addresses[address];
    if (list->last == NONE)
        list->first = entry;
    else
        order.entries[list->last].next = entry;
    list->last = entry;
    own->published[scope] = true;
    own->published_to[scope] = address;
}

void simt_order_atomic(const void *address, bool writes) {
    if (!simt_here)
        return;
    struct thread_order *own = order_of(simt_here);
    bool fenced = own->fence[SIMT_BLOCK] != NONE;
    int slot = find_address(address, writes && fenced);
    if (slot == NONE)
        return;
    if (!writes) {
        observe(own, slot);
        return;
    }
    publish(own, slot, SIMT_DEVICE);
    if (own->fence[SIMT_BLOCK] != own->fence[SIMT_DEVICE])
        publish(own, slot, SIMT_BLOCK);
}

static bool is_meant_for(const struct entry *entry, const struct thread_order *own, enum simt_scope scope) {
    return entry->block == own->block || (entry->scope == SIMT_DEVICE && scope == SIMT_DEVICE);
}

static void acquire_seen(struct thread_order *own, enum simt_scope scope) {
    for (unsigned i = 0; i < own->read_count; i++) {
        struct observation *read = &own->reads[i];
        int at = read->from;
        while (at != read->to) {
            at = at == NONE ? order.addresses[read->address].first : order.entries[at].next;
            if (is_meant_for(&order.entries[at], own, scope))
                acquire_clock(&order.fences[order.entries[at].fence]);
        }
        if (scope == SIMT_DEVICE)
            read->from = read->to;
    }
}

// A fence that nobody can have seen may be overwritten by the next.
static void set_fence(struct thread_order *own, enum simt_scope scope) {
    bool shared = scope == SIMT_BLOCK && own->fence[SIMT_BLOCK] == own->fence[SIMT_DEVICE];
    if (own->fence[scope] == NONE || own->published[scope] || shared) {
        if (order.fence_count == FENCES)
            run_out("fences");
        own->fence[scope] = (int)order.fence_count++;
        own->published[scope] = false;
    }
    set_clock(&order.fences[own->fence[scope]]);
}

void simt_order_fence(enum simt_scope scope) {
    if (!simt_here)
        return;
    struct thread_order *own = order_of(simt_here);
    acquire_seen(own, scope);
    set_fence(own, scope);
    if (scope == SIMT_DEVICE) { // also one for the block
        own->fence[SIMT_BLOCK] = own->fence[SIMT_DEVICE];
        own->published[SIMT_BLOCK] = own->published[SIMT_DEVICE];
    }
}
