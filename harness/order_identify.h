// SPDX-License-Identifier: MIT
// What kind of sum a variant is, as far as it can be told from outside, and its order of additions if it has one.
#ifndef REDUCTIO_ORDER_IDENTIFY_H
#define REDUCTIO_ORDER_IDENTIFY_H

#include "harness/order_probe.h"

enum order_kind {
    ORDER_KIND_TREE,        // plain additions in the data's format, in a fixed order
    ORDER_KIND_WIDE,        // the same in a wider format: no tree of the data's format gives these results
    ORDER_KIND_MULTIWAY,    // a fixed tree, some nodes of which add many terms at once
    ORDER_KIND_COMPENSATED, // no plain addition tree: rounding errors are kept
    ORDER_KIND_EXACT,       // no plain addition tree: every result is the exact sum rounded once
    ORDER_KIND_VARIES,      // the order is not fixed
    ORDER_KIND_UNKNOWN
};

// The tree under one schedule.
struct order_sample {
    struct schedule schedule;
    bool is_tree;
    uint64_t hash;
    uint32_t height;
};

enum { ORDER_MOST_SAMPLES = 8 };

struct order_identity {
    enum order_kind kind;
    bool has_tree; // TREE, WIDE, MULTIWAY; VARIES: that of the first schedule
    struct order_tree tree;
    enum float_type arithmetic; // of the additions: TREE and WIDE
    uint64_t claimed_height;    // 0: none
    struct order_cost cost;
    uint32_t compared;                               // random arrays that the tree was evaluated on
    uint32_t agreed;                                 // of them gave the variant's bits
    double mean_ulps;                                // of the variant on them, distance from the exact sum
    char why[ORDER_MESSAGE];                         // a clause: what varies, or what does not fit a tree
    struct order_sample samples[ORDER_MOST_SAMPLES]; // VARIES on the emulator
    uint32_t sample_count;
};

const char *order_kind_words(enum order_kind kind);

// Reveals and checks: the tree under one schedule, then its proof under others (on hardware: in repeated runs), then
// its evaluation on random arrays. False with one sentence in message (ORDER_MESSAGE bytes) if the variant did not run.
bool order_identify(struct probe_bench *bench, uint32_t n, struct order_identity *identity, char *message);
void order_identity_free(struct order_identity *identity);

#endif
