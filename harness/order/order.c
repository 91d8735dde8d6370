// SPDX-License-Identifier: MIT
#include "harness/order/order.h"

#include "cases/prng.h"
#include "harness/support.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t order_leaves_of(const struct order_tree *tree, uint32_t id) {
    return id < tree->n ? 1 : tree->nodes[id - tree->n].leaves;
}

uint32_t order_height_of(const struct order_tree *tree, uint32_t id) {
    return id < tree->n ? 0 : tree->nodes[id - tree->n].height;
}

uint32_t order_lowest_of(const struct order_tree *tree, uint32_t id) {
    return id < tree->n ? id : tree->nodes[id - tree->n].lowest;
}

uint32_t order_root(const struct order_tree *tree) {
    return tree->node_count ? tree->n + tree->node_count - 1 : 0;
}

uint32_t order_height(const struct order_tree *tree) {
    return order_height_of(tree, order_root(tree));
}

bool order_is_binary(const struct order_tree *tree) {
    for (uint32_t k = 0; k < tree->node_count; k++)
        if (tree->nodes[k].child_count != 2)
            return false;
    return true;
}

uint32_t order_add_node(struct order_tree *tree, const uint32_t *children, uint32_t count) {
    struct order_node node = {.first_child = tree->child_count, .child_count = count, .lowest = UINT32_MAX};
    for (uint32_t c = 0; c < count; c++) {
        tree->children = grow_array(tree->children, tree->child_count, sizeof *tree->children);
        uint32_t place = tree->child_count++, lowest = order_lowest_of(tree, children[c]);
        for (; place > node.first_child && order_lowest_of(tree, tree->children[place - 1]) > lowest; place--)
            tree->children[place] = tree->children[place - 1];
        tree->children[place] = children[c];
        uint32_t height = order_height_of(tree, children[c]) + 1;
        node.leaves += order_leaves_of(tree, children[c]);
        node.height = height > node.height ? height : node.height;
        node.lowest = lowest < node.lowest ? lowest : node.lowest;
    }
    tree->nodes = grow_array(tree->nodes, tree->node_count, sizeof *tree->nodes);
    tree->nodes[tree->node_count] = node;
    return tree->n + tree->node_count++;
}

void order_free(struct order_tree *tree) {
    free(tree->nodes);
    free(tree->children);
    *tree = (struct order_tree){0};
}

// The node above each node and leaf; the root's is itself.
static uint32_t *find_parents(const struct order_tree *tree) {
    uint32_t *parent = must_calloc((size_t)tree->n + tree->node_count, sizeof *parent);
    for (uint32_t k = 0; k < tree->node_count; k++)
        for (uint32_t c = 0; c < tree->nodes[k].child_count; c++)
            parent[tree->children[tree->nodes[k].first_child + c]] = tree->n + k;
    parent[order_root(tree)] = order_root(tree);
    return parent;
}

uint32_t order_join(const struct order_tree *tree, uint32_t i, uint32_t j) {
    uint32_t *parent = find_parents(tree);
    while (i != j) { // a node's number is above those of its children, so the lower of the two climbs
        if (i < j)
            i = parent[i];
        else
            j = parent[j];
    }
    free(parent);
    return order_leaves_of(tree, i);
}

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t state = a ^ (b * 0x9e3779b97f4a7c15u);
    return splitmix64(&state);
}

// Folds the children's hashes into each node's, in a way that their order does not matter.
static uint64_t hash_nodes(const struct order_tree *tree, bool name_leaves, uint64_t *hashes) {
    for (uint32_t k = 0; k < tree->node_count; k++) {
        uint64_t sum = 0;
        for (uint32_t c = 0; c < tree->nodes[k].child_count; c++) {
            uint32_t child = tree->children[tree->nodes[k].first_child + c];
            uint64_t leaf = name_leaves ? (uint64_t)child + 1 : 1;
            sum += mix(child < tree->n ? leaf : hashes[child - tree->n], 1);
        }
        hashes[k] = mix(sum, tree->nodes[k].child_count);
    }
    return tree->node_count ? hashes[tree->node_count - 1] : 1;
}

uint64_t order_hash(const struct order_tree *tree) {
    uint64_t *hashes = must_calloc(tree->node_count, sizeof *hashes);
    uint64_t hash = mix(hash_nodes(tree, true, hashes), tree->n);
    free(hashes);
    return hash;
}

void order_shape_hashes(const struct order_tree *tree, uint64_t *shapes) {
    hash_nodes(tree, false, shapes);
}

static void print_node(const struct order_tree *tree, uint32_t id, FILE *out) {
    if (id < tree->n) {
        fprintf(out, "x%u", id);
        return;
    }
    const struct order_node *node = &tree->nodes[id - tree->n];
    fputc('(', out);
    for (uint32_t c = 0; c < node->child_count; c++) {
        if (c)
            fputc('+', out);
        print_node(tree, tree->children[node->first_child + c], out);
    }
    fputc(')', out);
}

char *order_formula(const struct order_tree *tree) {
    struct text_stream formula;
    text_stream_open(&formula);
    print_node(tree, order_root(tree), formula.out);
    return text_stream_close(&formula);
}

static uint64_t bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

const char *order_arithmetic_name(enum order_arithmetic arithmetic) {
    static const char *const names[] = {"f16", "bf16", "f32", "f64",
                                        LDBL_MANT_DIG == 64 ? "long double, 64-bit significand" : "long double"};
    return names[arithmetic];
}

enum order_arithmetic order_arithmetic_of(enum float_type type) {
    static const enum order_arithmetic own[FLOAT_TYPES] = {ORDER_IN_F32, ORDER_IN_F64, ORDER_IN_F16, ORDER_IN_BF16};
    return own[type];
}

enum order_arithmetic order_wider(enum order_arithmetic arithmetic) {
    static const enum order_arithmetic wider[] = {ORDER_IN_F32, ORDER_IN_F32, ORDER_IN_F64, ORDER_IN_EXTENDED,
                                                  ORDER_IN_EXTENDED};
    return wider[arithmetic];
}

// A sum in double, rounded again: as if rounded once, for 53 bits are more than 2p + 2.
static double add_in_16_bits(enum float_type type, long double a, long double b) {
    return float_to_double(type, float_from_double(type, (double)a + (double)b));
}

// Storage in long double changes nothing: it holds every number of the other formats.
static long double add_in(enum order_arithmetic arithmetic, long double a, long double b) {
    switch (arithmetic) {
    case ORDER_IN_F16:
        return add_in_16_bits(FLOAT_F16, a, b);
    case ORDER_IN_BF16:
        return add_in_16_bits(FLOAT_BF16, a, b);
    case ORDER_IN_F32:
        return (float)a + (float)b;
    case ORDER_IN_F64:
        return (double)a + (double)b;
    default:
        return a + b;
    }
}

uint64_t order_evaluate_at(const struct order_tree *tree, uint32_t id, enum float_type in, const void *x,
                           enum order_arithmetic arithmetic, enum float_type out) {
    long double *value = must_calloc((size_t)tree->n + tree->node_count, sizeof *value);
    for (uint32_t i = 0; i < tree->n; i++)
        value[i] = float_to_double(in, float_load(in, x, i));
    for (uint32_t k = 0; k < tree->node_count && tree->n + k <= id; k++) {
        const uint32_t *child = &tree->children[tree->nodes[k].first_child];
        value[tree->n + k] = add_in(arithmetic, value[child[0]], value[child[1]]);
    }
    long double sum = tree->n ? value[id] : 0;
    free(value);
    return out == FLOAT_F32 ? bits_of_f32((float)sum) : float_from_double(out, (double)sum);
}

uint64_t order_evaluate(const struct order_tree *tree, enum float_type in, const void *x,
                        enum order_arithmetic arithmetic, enum float_type out) {
    return order_evaluate_at(tree, order_root(tree), in, x, arithmetic, out);
}
