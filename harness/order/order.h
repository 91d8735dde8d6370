// SPDX-License-Identifier: MIT
// The order of additions inside a sum, as a tree: revealed from outside, compared, evaluated.
//
// Leaves are 0..n-1, the elements of the input; inner nodes are n, n+1, ..., each after its children, the root last. A
// node of two children is one addition. More than two mean terms that are added at once, without an order that could be
// told (the multi-term units of matrix hardware). Addition commutes, so children have no order: they are kept by their
// lowest leaf.
#ifndef REDUCTIO_ORDER_H
#define REDUCTIO_ORDER_H

#include "reference/float_type.h"

enum { ORDER_MOST_LEAVES = 16384, ORDER_MESSAGE = 512 };

// What additions are made in. The last is the C compiler's long double, where that is wider than f64: 64 bits of
// significand in x87's registers, 113 in software on other machines.
enum order_arithmetic { ORDER_IN_F16, ORDER_IN_BF16, ORDER_IN_F32, ORDER_IN_F64, ORDER_IN_EXTENDED };
enum order_arithmetic order_arithmetic_of(enum float_type type);
enum order_arithmetic order_wider(enum order_arithmetic arithmetic); // the next; of the last, itself

struct order_node {
    uint32_t first_child, child_count; // in order_tree.children
    uint32_t leaves;                   // below it
    uint32_t height;                   // longest path of additions from a leaf to it
    uint32_t lowest;                   // leaf
};

struct order_tree {
    uint32_t n;
    struct order_node *nodes; // inner nodes: nodes[k] is number n + k
    uint32_t node_count;      // 0 for n <= 1
    uint32_t *children;
    uint32_t child_count;
};

// Adds an inner node; the children must be there. Returns its number. lowest, leaves and height are filled in.
uint32_t order_add_node(struct order_tree *tree, const uint32_t *children, uint32_t count);
void order_free(struct order_tree *tree);

uint32_t order_leaves_of(const struct order_tree *tree, uint32_t id);
uint32_t order_height_of(const struct order_tree *tree, uint32_t id);
uint32_t order_lowest_of(const struct order_tree *tree, uint32_t id);
uint32_t order_root(const struct order_tree *tree); // n >= 1
uint32_t order_height(const struct order_tree *tree);
bool order_is_binary(const struct order_tree *tree); // every node is one addition
// Number of leaves below the lowest common ancestor of two leaves.
uint32_t order_join(const struct order_tree *tree, uint32_t i, uint32_t j);
// Equal for equal trees, leaf by leaf; the children's order does not count.
uint64_t order_hash(const struct order_tree *tree);
// A hash of each node's shape alone, whatever its leaves are called: shapes[0..node_count), and 1 for a leaf.
void order_shape_hashes(const struct order_tree *tree, uint64_t *shapes);
// "((x0+x1)+(x2+x3))", from malloc.
char *order_formula(const struct order_tree *tree);
// The sum of x[0..n) in this order, each addition one IEEE addition of format `arithmetic`, rounded to `out` at the
// end; bits. The tree is binary.
uint64_t order_evaluate(const struct order_tree *tree, enum float_type in, const void *x,
                        enum order_arithmetic arithmetic, enum float_type out);
// The same of the subtree below a node or leaf.
uint64_t order_evaluate_at(const struct order_tree *tree, uint32_t id, enum float_type in, const void *x,
                           enum order_arithmetic arithmetic, enum float_type out);
const char *order_arithmetic_name(enum order_arithmetic arithmetic);

// ---- revealing it ----

// A question: with +M at plus[k], -M at minus[k] for each pair k and 1 everywhere else, what is the sum? (In f16, which
// has no room for both, a small unit stands for the 1.) M is so large
// that 1 vanishes beside it and M - M is 0, so that all that meets an M before its -M is lost and the sum counts the
// rest.
struct order_probe {
    const uint32_t *plus, *minus;
    uint32_t pairs;
};

// Answers `count` questions about a sum of n terms: survivors[q] is the sum, NaN or whatever it gives. False with one
// sentence in message[ORDER_MESSAGE] if they could not be asked.
struct order_oracle {
    bool (*ask)(void *context, uint32_t n, const struct order_probe *probes, size_t count, double *survivors,
                char *message);
    void *context;
};

enum order_answer {
    ORDER_REVEALED,
    ORDER_NO_TREE, // the answers fit no tree of additions; the message says which do not
    ORDER_NOT_ASKED
};

struct order_cost {
    uint64_t probes, rounds;
};

// Reveals the tree of a sum of n terms, 1 <= n <= ORDER_MOST_LEAVES. reveal.c says how.
enum order_answer order_reveal(const struct order_oracle *oracle, uint32_t n, struct order_tree *tree,
                               struct order_cost *cost, char *message);
// Holds a binary tree to be that of the oracle, or says in which node it is not: about log2(n)^2 questions for a
// balanced tree, and their answers leave no doubt. *differs says that it is not, and the message how that shows.
enum order_answer order_prove(const struct order_oracle *oracle, const struct order_tree *tree, bool *differs,
                              struct order_cost *cost, char *message);
// The number of questions that this takes.
uint64_t order_proof_size(const struct order_tree *tree);

#endif
