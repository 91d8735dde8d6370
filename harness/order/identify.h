// SPDX-License-Identifier: MIT
// What kind of sum a variant is, as far as it can be told from outside, and its order of additions if it has one.
#ifndef REDUCTIO_ORDER_IDENTIFY_H
#define REDUCTIO_ORDER_IDENTIFY_H

#include "harness/order/probe.h"

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
    struct order_tree tree;
    uint64_t hash;
};

enum { ORDER_MOST_SAMPLES = 8 };

struct order_identity {
    enum order_kind kind;
    bool has_tree; // TREE, WIDE, MULTIWAY; VARIES: that of the first schedule
    struct order_tree tree;
    enum order_arithmetic arithmetic; // of the additions: TREE and WIDE
    char *pattern;                    // the tree in words, where a rule is recognised in it; from malloc
    uint64_t claimed_height;          // 0: none
    struct order_cost cost;
    uint32_t compared;                               // random arrays that the tree was evaluated on
    uint32_t agreed;                                 // of them gave the variant's bits
    double mean_ulps;                                // of the variant on them, distance from the exact sum
    char why[ORDER_MESSAGE];                         // a clause: what varies, or what does not fit a tree
    struct order_sample samples[ORDER_MOST_SAMPLES]; // VARIES on the emulator
    uint32_t sample_count;
    uint32_t inferred_from; // the largest n that was looked into, where that is not n itself; 0: n was
    uint64_t proof;         // questions at n by which an inferred tree was proven; 0: it was evaluated alone
};

const char *order_kind_words(enum order_kind kind);
const char *order_kind_name(enum order_kind kind); // "tree", "wide tree", ... in files

enum { ORDER_MOST_INFERRED = 1 << 22 };

// Reveals and checks: the tree under one schedule, then its proof under others (on hardware: in repeated runs), then
// its evaluation on random arrays. Beyond ORDER_MOST_LEAVES, up to ORDER_MOST_INFERRED, the order is inferred
// (infer.c). False with one sentence in message (ORDER_MESSAGE bytes) if the variant did not run.
bool order_identify(struct probe_bench *bench, uint32_t n, struct order_identity *identity, char *message);
// The parts of it that infer.c shares. order_agree evaluates a binary tree on `arrays` random arrays, and counts
// those on which the variant gives the same bits; order_infer is order_identify for n that are too large to be asked
// about.
bool order_agree(struct probe_bench *bench, const struct order_tree *tree, enum order_arithmetic arithmetic,
                 uint32_t arrays, uint32_t *agreed, char *message);
bool order_infer(struct probe_bench *bench, uint32_t n, struct order_identity *identity, char *message);
void order_identity_free(struct order_identity *identity);

#endif
