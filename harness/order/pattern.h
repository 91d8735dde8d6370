// SPDX-License-Identifier: MIT
// Orders of additions as rules that hold for every n: recognised in the trees of a few n, written out for a larger one.
//
// A rule says how a list of terms is added. Some take the list as it is (one by one; a tree of a certain make). The
// others cut it, by place, into parts (runs of consecutive terms, or every t-th term), add each part by one rule and
// the parts' sums, in order of their first terms, by another. That may be the whole rule again: passes over the partial
// sums until one is left.
#ifndef REDUCTIO_ORDER_PATTERN_H
#define REDUCTIO_ORDER_PATTERN_H

#include "harness/order/order.h"

enum rule_kind {
    RULE_FORWARDS,   // ((x0 + x1) + x2) + ...
    RULE_BACKWARDS,  // x0 + (... + (x(m-2) + x(m-1)))
    RULE_NEIGHBOURS, // x0 + x1, x2 + x3, ..., then likewise the sums; a last one alone goes on as it is
    RULE_FOLD,       // x(i) + x(i + h), h the largest power of two below m, then likewise the h sums
    RULE_HALVES,     // floor(m/2) terms and the rest, each likewise
    RULE_POWERS,     // the largest power of two below m, and the rest, each likewise
    RULE_EIGHTS,     // NumPy's pairwise sum: up to 128 terms in eight strands, more in halves of whole eights
    RULE_RUNS,       // parts of `size` consecutive terms
    RULE_STRIDES,    // part k takes the terms k, k + size, k + 2 size, ...
    RULE_AGAIN       // the cutting rule that it is the outer rule of, once more
};

struct order_rule {
    enum rule_kind kind;
    uint32_t size;
    uint32_t inner, outer; // of a cutting rule: places in order_pattern.rules
};

enum { PATTERN_RULES = 24 };

struct order_pattern { // rules[0] is the whole
    struct order_rule rules[PATTERN_RULES];
    uint32_t count;
};

enum { PATTERN_MOST_FITS = 6 };

// The simplest patterns of which all the trees are instances, at most PATTERN_MOST_FITS; returns their number. The
// trees are binary, of different n; rules whose sizes show in none of them cannot be told.
uint32_t pattern_fit(const struct order_tree *trees, uint32_t count, struct order_pattern *fits);
// The tree of n terms, n >= 1.
void pattern_build(const struct order_pattern *pattern, uint32_t n, struct order_tree *tree);
// "runs of 512 terms, in each x(i) + x(i+h) ...; their sums ...", from malloc.
char *pattern_words(const struct order_pattern *pattern);

#endif
