// SPDX-License-Identifier: MIT
// Recognises a rule in a tree. A rule that takes its list as it is is recognised by building it. For one that cuts, the
// parts must show as subtrees: the first part ends at some ancestor of the first leaf, which says the size, and all
// other parts of that size must be there. The first part alone is then a tree of its own, and so is what is left of the
// whole when each part has become a leaf; both are recognised in the same way.
#include "harness/order/pattern.h"
#include "harness/support.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 5 };

// The leaves below each node, as a run or a progression: [lowest, highest], every `step`-th one at least.
struct spread {
    uint32_t lowest, highest, step; // step 0: one leaf
};

struct fits {
    struct order_pattern list[PATTERN_MOST_FITS];
    uint32_t count;
};

static uint32_t greatest_divisor(uint32_t a, uint32_t b) {
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static struct spread spread_of(const struct spread *spreads, const struct order_tree *tree, uint32_t id) {
    return id < tree->n ? (struct spread){id, id, 0} : spreads[id - tree->n];
}

static struct spread *measure(const struct order_tree *tree) {
    struct spread *spreads = must_calloc(tree->node_count, sizeof *spreads);
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const uint32_t *child = &tree->children[tree->nodes[k].first_child];
        struct spread whole = spread_of(spreads, tree, child[0]); // its lowest leaf is the node's
        for (uint32_t c = 1; c < tree->nodes[k].child_count; c++) {
            struct spread more = spread_of(spreads, tree, child[c]);
            whole.highest = more.highest > whole.highest ? more.highest : whole.highest;
            whole.step = greatest_divisor(greatest_divisor(whole.step, more.step), more.lowest - whole.lowest);
        }
        spreads[k] = whole;
    }
    return spreads;
}

// A place to cut, as the node of the first part shows it.
struct cut {
    enum rule_kind kind;
    uint32_t size, parts;
};

static bool read_cut(const struct order_tree *tree, uint32_t id, const struct spread *spread, struct cut *cut) {
    uint32_t leaves = order_leaves_of(tree, id), n = tree->n;
    if (spread->lowest != 0 || leaves == n)
        return false;
    if (spread->highest == leaves - 1) {
        *cut = (struct cut){RULE_RUNS, leaves, (n - 1) / leaves + 1};
        return true;
    }
    *cut = (struct cut){RULE_STRIDES, spread->step, spread->step < n ? spread->step : n};
    return spread->step > 1 && leaves == (n - 1) / spread->step + 1;
}

static uint32_t part_leaves(const struct order_tree *tree, const struct cut *cut, uint32_t part) {
    if (cut->kind == RULE_STRIDES)
        return (tree->n - 1 - part) / cut->size + 1;
    return part + 1 < cut->parts ? cut->size : tree->n - part * cut->size;
}

// The node of each part; NULL if one is missing.
static uint32_t *find_parts(const struct order_tree *tree, const struct spread *spreads, const struct cut *cut) {
    uint32_t *parts = must_calloc(cut->parts, sizeof *parts), found = 0;
    memset(parts, 0xff, cut->parts * sizeof *parts);
    for (uint32_t id = 0; id < tree->n + tree->node_count; id++) {
        struct spread spread = spread_of(spreads, tree, id);
        bool runs = cut->kind == RULE_RUNS;
        uint32_t part = runs ? spread.lowest / cut->size : spread.lowest;
        bool fits = part < cut->parts && spread.lowest == (runs ? part * cut->size : part) &&
                    order_leaves_of(tree, id) == part_leaves(tree, cut, part) &&
                    (runs ? spread.highest < spread.lowest + cut->size : spread.step % cut->size == 0);
        if (fits && parts[part] == UINT32_MAX) {
            parts[part] = id;
            found++;
        }
    }
    if (found == cut->parts)
        return parts;
    free(parts);
    return NULL;
}

// The subtree of a part, its leaves numbered by their place in it.
static void copy_part(const struct order_tree *tree, uint32_t root, const struct cut *cut, struct order_tree *part) {
    uint32_t step = cut->kind == RULE_STRIDES ? cut->size : 1, first = order_lowest_of(tree, root);
    uint32_t *copy = must_calloc((size_t)tree->n + tree->node_count, sizeof *copy);
    bool *inside = must_calloc((size_t)tree->n + tree->node_count, sizeof *inside);
    *part = (struct order_tree){.n = order_leaves_of(tree, root)};
    inside[root] = true;
    for (uint32_t k = tree->node_count; k-- > 0;)
        for (uint32_t c = 0; inside[tree->n + k] && c < tree->nodes[k].child_count; c++)
            inside[tree->children[tree->nodes[k].first_child + c]] = true;
    for (uint32_t i = 0; i < tree->n; i++)
        copy[i] = (i - first) / step;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const uint32_t *child = &tree->children[tree->nodes[k].first_child];
        if (inside[tree->n + k])
            copy[tree->n + k] = order_add_node(part, (uint32_t[]){copy[child[0]], copy[child[1]]}, 2);
    }
    free(copy);
    free(inside);
}

// The tree over the parts, each of which is a leaf.
static void copy_above(const struct order_tree *tree, const uint32_t *parts, uint32_t count, struct order_tree *above) {
    uint32_t *copy = must_calloc((size_t)tree->n + tree->node_count, sizeof *copy);
    memset(copy, 0xff, ((size_t)tree->n + tree->node_count) * sizeof *copy);
    *above = (struct order_tree){.n = count};
    for (uint32_t p = 0; p < count; p++)
        copy[parts[p]] = p;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const uint32_t *child = &tree->children[tree->nodes[k].first_child];
        if (copy[child[0]] != UINT32_MAX && copy[child[1]] != UINT32_MAX && copy[tree->n + k] == UINT32_MAX)
            copy[tree->n + k] = order_add_node(above, (uint32_t[]){copy[child[0]], copy[child[1]]}, 2);
    }
    free(copy);
}

static bool is_instance(const struct order_pattern *pattern, const struct order_tree *tree) {
    struct order_tree built;
    pattern_build(pattern, tree->n, &built);
    bool same = order_hash(&built) == order_hash(tree);
    order_free(&built);
    return same;
}

static void keep_if_right(struct fits *fits, const struct order_pattern *pattern, const struct order_tree *tree) {
    if (fits->count < PATTERN_MOST_FITS && is_instance(pattern, tree))
        fits->list[fits->count++] = *pattern;
}

// Appends a pattern's rules; returns the place of its whole. False if there is no room.
static bool append_rules(struct order_pattern *to, const struct order_pattern *from, uint32_t *place) {
    *place = to->count;
    if (to->count + from->count > PATTERN_RULES)
        return false;
    for (uint32_t r = 0; r < from->count; r++) {
        struct order_rule rule = from->rules[r];
        rule.inner += *place;
        rule.outer += *place;
        to->rules[to->count++] = rule;
    }
    return true;
}

static void combine(const struct order_tree *tree, const struct cut *cut, const struct order_pattern *inner,
                    const struct order_pattern *outer, struct fits *fits) {
    struct order_pattern pattern = {.rules[0] = {.kind = cut->kind, .size = cut->size}, .count = 1};
    if (append_rules(&pattern, inner, &pattern.rules[0].inner) &&
        append_rules(&pattern, outer, &pattern.rules[0].outer))
        keep_if_right(fits, &pattern, tree);
}

static void fit_tree(const struct order_tree *tree, unsigned depth, struct fits *fits);

static void fit_cut(const struct order_tree *tree, const struct spread *spreads, const struct cut *cut, unsigned depth,
                    struct fits *fits) {
    static const struct order_pattern again = {.rules[0] = {.kind = RULE_AGAIN}, .count = 1};
    uint32_t *parts = find_parts(tree, spreads, cut);
    if (!parts)
        return;
    struct order_tree part, above;
    struct fits inner = {.count = 0}, outer = {.count = 0};
    copy_part(tree, parts[0], cut, &part);
    copy_above(tree, parts, cut->parts, &above);
    fit_tree(&part, depth + 1, &inner);
    if (inner.count)
        fit_tree(&above, depth + 1, &outer);
    for (uint32_t i = 0; i < inner.count; i++) {
        for (uint32_t o = 0; o < outer.count; o++)
            combine(tree, cut, &inner.list[i], &outer.list[o], fits);
        if (cut->kind == RULE_RUNS)
            combine(tree, cut, &inner.list[i], &again, fits);
    }
    order_free(&part);
    order_free(&above);
    free(parts);
}

// Rules that take the list as it is: the first that fits is the simplest account of the tree.
static bool fit_whole(const struct order_tree *tree, struct fits *fits) {
    for (enum rule_kind kind = 0; kind < RULE_RUNS; kind++) {
        struct order_pattern pattern = {.rules[0] = {.kind = kind}, .count = 1};
        keep_if_right(fits, &pattern, tree);
    }
    return fits->count > 0;
}

static void fit_tree(const struct order_tree *tree, unsigned depth, struct fits *fits) {
    if (fit_whole(tree, fits) || depth == MOST_DEPTH)
        return;
    struct spread *spreads = measure(tree);
    for (uint32_t k = 0; k < tree->node_count && fits->count < PATTERN_MOST_FITS; k++) {
        struct cut cut;
        if (read_cut(tree, tree->n + k, &spreads[k], &cut))
            fit_cut(tree, spreads, &cut, depth, fits);
    }
    free(spreads);
}

uint32_t pattern_fit(const struct order_tree *trees, uint32_t count, struct order_pattern *fits) {
    struct fits found = {.count = 0};
    uint32_t kept = 0, largest = 0;
    for (uint32_t t = 1; t < count; t++)
        largest = trees[t].n > trees[largest].n ? t : largest;
    fit_tree(&trees[largest], 0, &found);
    for (uint32_t f = 0; f < found.count; f++) {
        bool all = true;
        for (uint32_t t = 0; t < count && all; t++)
            all = is_instance(&found.list[f], &trees[t]);
        if (all)
            fits[kept++] = found.list[f];
    }
    return kept;
}
