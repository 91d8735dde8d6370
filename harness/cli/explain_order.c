// SPDX-License-Identifier: MIT
// explain: the orders that two rows add in, and where they part.
#include "harness/cli/explain.h"
#include "harness/order/questions.h"
#include "harness/support.h"

#include <inttypes.h>
#include <stdlib.h>

static void say_order(struct explain *explain, const struct side *side, const char *label) {
    const struct order_identity *identity = &side->identity;
    page_paragraph(&explain->page);
    if (!side->is_row) {
        page_say(&explain->page, "%s is a bare value; nothing is known of its order.", label);
        return;
    }
    if (!side->identified) {
        page_say(&explain->page,
                 "%s: the order is not revealed, since a sum in %s counts no more than %" PRIu64
                 " terms. \"reductio order\" shows it for fewer.",
                 label, float_format(side->out)->name, probe_most_terms(side->out));
        return;
    }
    page_say(&explain->page, "%s: %s%s%s.", label, order_kind_words(identity->kind), *identity->why ? ", because " : "",
             identity->why);
    if (identity->kind == ORDER_KIND_TREE || identity->kind == ORDER_KIND_WIDE)
        page_say(&explain->page, "Its additions are in %s, its height is %u.",
                 order_arithmetic_name(identity->arithmetic), order_height(&identity->tree));
    if (identity->pattern)
        page_say(&explain->page, "In words: %s.", identity->pattern);
    if (identity->inferred_from && identity->has_tree)
        page_say(&explain->page, "That is inferred from sums of up to %u terms, %s.", identity->inferred_from,
                 identity->proof ? "and proven for this number of them"
                                 : "and gives the right bits for this number of them");
}

// A set of leaves as a number: sums of random words by leaf.
static uint64_t *hash_leaf_sets(const struct order_tree *tree) {
    uint64_t *sets = must_calloc((size_t)tree->n + tree->node_count, sizeof *sets);
    for (uint32_t i = 0; i < tree->n; i++) {
        uint64_t state = i + UINT64_C(0x9e3779b97f4a7c15);
        state = (state ^ state >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
        sets[i] = (state ^ state >> 29) * UINT64_C(0x94d049bb133111eb);
    }
    for (uint32_t k = 0; k < tree->node_count; k++)
        for (uint32_t c = 0; c < tree->nodes[k].child_count; c++)
            sets[tree->n + k] += sets[tree->children[tree->nodes[k].first_child + c]];
    return sets;
}

static int compare_words(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// The lowest node of A whose terms are no partial sum of B; SIZE_MAX if there is none.
static size_t find_parting(const struct order_tree *a, const struct order_tree *b) {
    uint64_t *sets_a = hash_leaf_sets(a), *sets_b = hash_leaf_sets(b);
    size_t count = (size_t)b->n + b->node_count, found = SIZE_MAX;
    qsort(sets_b, count, sizeof *sets_b, compare_words);
    for (uint32_t k = 0; k < a->node_count; k++) {
        bool shared = bsearch(&sets_a[a->n + k], sets_b, count, sizeof *sets_b, compare_words) != NULL;
        if (!shared && (found == SIZE_MAX || a->nodes[k].height < a->nodes[found].height ||
                        (a->nodes[k].height == a->nodes[found].height && a->nodes[k].lowest < a->nodes[found].lowest)))
            found = k;
    }
    free(sets_a);
    free(sets_b);
    return found;
}

static void say_terms(struct explain *explain, const struct side *side, size_t node, const char *label) {
    const struct order_tree *tree = &side->identity.tree;
    const struct npy_array *array = &explain->given.array;
    const uint32_t *child = &tree->children[tree->nodes[node].first_child];
    uint32_t leaves[2] = {order_leaves_of(tree, child[0]), order_leaves_of(tree, child[1])};
    char text[2][64];
    for (int c = 0; c < 2; c++)
        if (leaves[c] == 1)
            snprintf(text[c], sizeof text[c], "x[%u]", child[c]);
        else
            snprintf(text[c], sizeof text[c], "the sum of %u terms from x[%u] on", leaves[c],
                     order_lowest_of(tree, child[c]));
    enum float_type type = FLOAT_F64; // of long double too: its numbers are shown as f64
    for (enum float_type each = FLOAT_F32; each < FLOAT_TYPES; each++)
        type = side->identity.arithmetic == order_arithmetic_of(each) ? each : type;
    uint64_t bits =
        order_evaluate_at(tree, tree->n + (uint32_t)node, array->type, array->x, side->identity.arithmetic, type);
    char hex[FLOAT_TEXT], decimal[FLOAT_TEXT];
    float_to_hex(type, bits, hex);
    float_to_decimal(type, bits, decimal);
    page_say(&explain->page, "%s adds %s and %s, which gives %s (%s).", label, text[0], text[1], decimal, hex);
}

// The smallest partial sum of a tree that holds all terms of another tree's node.
static size_t find_enclosing(const struct order_tree *tree, const struct order_tree *other, size_t node) {
    uint32_t count, *ids = order_gather(other, other->n + (uint32_t)node, &count);
    uint32_t *inside = must_calloc((size_t)tree->n + tree->node_count, sizeof *inside);
    uint32_t wanted = other->nodes[node].leaves;
    for (uint32_t i = 0; i < count && ids[i] < other->n; i++)
        inside[ids[i]] = 1;
    size_t found = 0;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        for (uint32_t c = 0; c < tree->nodes[k].child_count; c++)
            inside[tree->n + k] += inside[tree->children[tree->nodes[k].first_child + c]];
        if (inside[tree->n + k] == wanted) {
            found = k;
            break;
        }
    }
    free(ids);
    free(inside);
    return found;
}

static bool has_fixed_order(const struct side *side) {
    return side->identified && (side->identity.kind == ORDER_KIND_TREE || side->identity.kind == ORDER_KIND_WIDE);
}

void say_orders(struct explain *explain) {
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    page_begin(&explain->page, "The two orders");
    if (explain->given.array.n == 0) {
        page_say(&explain->page, "Where nothing is added there is none.");
        return;
    }
    if (explain->given.array.n > ORDER_MOST_INFERRED) {
        page_say(&explain->page, "Orders are revealed or inferred for up to %d numbers; this array has more.",
                 ORDER_MOST_INFERRED);
        return;
    }
    say_order(explain, a, "A");
    say_order(explain, b, "B");
    if (!has_fixed_order(a) || !has_fixed_order(b))
        return;
    page_paragraph(&explain->page);
    const struct order_tree *tree_a = &a->identity.tree, *tree_b = &b->identity.tree;
    size_t parting = find_parting(tree_a, tree_b);
    if (parting == SIZE_MAX) {
        page_say(&explain->page, "Both add in the same order%s.",
                 a->identity.arithmetic == b->identity.arithmetic ? "" : "; what differs is the format they add in");
        return;
    }
    page_say(&explain->page, "The first partial sum in which they part:");
    say_terms(explain, a, parting, "A");
    say_terms(explain, b, find_enclosing(tree_b, tree_a, parting), "Where B first has all of these together, it");
}
