// SPDX-License-Identifier: MIT
// Reveals an order of additions, after FPRev (Xie, Gao, Li & Zhang, "FPRev: revealing the order of floating-point
// summation", USENIX ATC 2025, arXiv:2411.00442): n minus the answer is l(i, j), the number of leaves below the lowest
// common ancestor of i and j. For one leaf i, the pivot, the values l(i, j) fall into groups: each group joins the
// pivot's partial sum as one subtree, in ascending order of l, and is revealed in the same way (FPRev's algorithm 4). A
// group whose own last l is that of its parent is part of one node of many terms.
//
// Two things are added here. The pivot is drawn at random, so that chains cost O(n) expected questions from either end.
// And most groups look like something that is known already, above all like the pivot's own partial sum of the same
// size: such a likeness is taken as a guess and proven with about log2(n)^2 questions in place of n·log2(n)/2
// (prove.c). A guess that is refuted costs no more than its questions.
#include "cases/prng.h"
#include "harness/order/questions.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_NODE = UINT32_MAX };

enum part_state {
    PART_NEW,
    PART_ASKED, // about its pivot
    PART_SPLIT, // into groups
    PART_GUESSED,
    PART_CERTAIN
};

// A set of leaves whose inner order is wanted.
struct order_part {
    enum part_state state;
    bool guess_refuted;
    uint32_t *leaves; // ascending
    uint32_t count;
    uint32_t above; // leaves below the node that it is a child of; 0 for the whole tree
    uint32_t pivot;
    uint32_t *reach;           // l(pivot, leaves[k])
    struct order_part *groups; // [0] is the pivot alone
    uint32_t group_count;
    uint32_t *roots; // its nodes in the forest: one, or several that belong to the many terms of the node above
    uint32_t root_count;
};

struct reveal {
    const struct order_oracle *oracle;
    uint32_t n;
    struct order_tree forest; // nodes that were built on the way, refuted guesses too
    uint32_t *known;          // by number of leaves: root of a subtree that is certain; 0: none
    struct order_questions questions;
    struct prng prng;
    struct order_cost *cost;
    char *message;
};

static void set_root(struct order_part *part, uint32_t root) {
    free(part->roots);
    part->roots = must_calloc(1, sizeof *part->roots);
    part->roots[0] = root;
    part->root_count = 1;
}

static void free_part(struct order_part *part) {
    for (uint32_t g = 0; g < part->group_count; g++)
        free_part(&part->groups[g]);
    free(part->groups);
    free(part->leaves);
    free(part->reach);
    free(part->roots);
}

static void begin_part(struct order_part *part, uint32_t count, uint32_t above) {
    *part = (struct order_part){.count = count, .above = above};
    part->leaves = must_calloc(count, sizeof *part->leaves);
}

static void ask_about_pivot(struct reveal *reveal, struct order_part *part) {
    part->pivot = part->leaves[prng_below(&reveal->prng, part->count)];
    part->reach = must_calloc(part->count, sizeof *part->reach);
    part->state = PART_ASKED;
    for (uint32_t k = 0; k < part->count; k++)
        if (part->leaves[k] != part->pivot) {
            questions_begin(&reveal->questions, part)->slot = k;
            questions_add_pair(&reveal->questions, part->pivot, part->leaves[k]);
        }
}

static uint32_t place_of(const uint32_t *sorted, uint32_t count, uint32_t id) {
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (sorted[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// A copy of the subtree `like`, its leaves replaced by those of the part in ascending order. NO_NODE if it is not
// binary.
static uint32_t copy_subtree(struct order_tree *forest, uint32_t like, const struct order_part *part) {
    uint32_t count;
    uint32_t *ids = order_gather(forest, like, &count);
    uint32_t *copies = must_calloc(count, sizeof *copies);
    uint32_t copy = NO_NODE;
    for (uint32_t i = 0; i < count; i++) {
        if (i < part->count) {
            copies[i] = part->leaves[i];
            continue;
        }
        struct order_node node = forest->nodes[ids[i] - forest->n];
        copy = NO_NODE;
        if (node.child_count != 2)
            break;
        uint32_t pair[2];
        for (int c = 0; c < 2; c++)
            pair[c] = copies[place_of(ids, count, forest->children[node.first_child + (uint32_t)c])];
        copy = copies[i] = order_add_node(forest, pair, 2);
    }
    free(ids);
    free(copies);
    return copy;
}

// `beside` is the partial sum that the part is added to, NO_NODE where it is not known yet.
static uint32_t guess_subtree(struct reveal *reveal, const struct order_part *part, uint32_t beside) {
    struct order_tree *forest = &reveal->forest;
    if (part->count == 2)
        return order_add_node(forest, part->leaves, 2);
    if (beside != NO_NODE && order_leaves_of(forest, beside) == part->count)
        return copy_subtree(forest, beside, part);
    return reveal->known[part->count] ? copy_subtree(forest, reveal->known[part->count], part) : NO_NODE;
}

static void advance_part(struct reveal *reveal, struct order_part *part, uint32_t beside, uint32_t beside_leaves);

static void begin_work(struct reveal *reveal, struct order_part *part, uint32_t beside, uint32_t beside_leaves) {
    if (part->count == 1) {
        set_root(part, part->leaves[0]);
        part->state = PART_CERTAIN;
        return;
    }
    if (beside == NO_NODE && beside_leaves == part->count && !reveal->known[part->count] && part->count > 2)
        return; // what it may be like will soon be known
    uint32_t guess = part->guess_refuted || !part->above ? NO_NODE : guess_subtree(reveal, part, beside);
    if (guess == NO_NODE) {
        ask_about_pivot(reveal, part);
        return;
    }
    set_root(part, guess);
    part->state = PART_GUESSED;
    questions_add_proof(&reveal->questions, &reveal->forest, guess, part);
}

// The node that adds a group to the partial sum beside it.
static uint32_t join(struct order_tree *forest, uint32_t beside, const struct order_part *group) {
    uint32_t *children = must_calloc((size_t)group->root_count + 1, sizeof *children);
    children[0] = beside;
    memcpy(children + 1, group->roots, group->root_count * sizeof *children);
    uint32_t node = order_add_node(forest, children, group->root_count + 1);
    free(children);
    return node;
}

// The last group belongs to the node above: its roots and the partial sum beside them are terms of that node.
static void merge_into_above(struct order_part *part, uint32_t beside, const struct order_part *last) {
    free(part->roots);
    part->root_count = last->root_count + 1;
    part->roots = must_calloc(part->root_count, sizeof *part->roots);
    part->roots[0] = beside;
    memcpy(part->roots + 1, last->roots, last->root_count * sizeof *part->roots);
}

// Builds the partial sums of a split part as far as its groups are known.
static void advance_groups(struct reveal *reveal, struct order_part *part) {
    uint32_t sum = part->pivot, leaves = 1;
    bool certain = true;
    for (uint32_t g = 1; g < part->group_count; g++) {
        struct order_part *group = &part->groups[g];
        advance_part(reveal, group, sum, leaves);
        leaves += group->count;
        certain = certain && group->state == PART_CERTAIN;
        if (!group->root_count || sum == NO_NODE) {
            sum = NO_NODE;
        } else if (part->above && group->above == part->above) {
            merge_into_above(part, sum, group);
            sum = NO_NODE;
        } else {
            sum = join(&reveal->forest, sum, group);
            if (certain)
                reveal->known[leaves] = sum;
        }
    }
    if (sum != NO_NODE)
        set_root(part, sum);
    if (certain)
        part->state = PART_CERTAIN;
}

static void advance_part(struct reveal *reveal, struct order_part *part, uint32_t beside, uint32_t beside_leaves) {
    if (part->state == PART_NEW)
        begin_work(reveal, part, beside, beside_leaves);
    else if (part->state == PART_SPLIT)
        advance_groups(reveal, part);
}

struct reached {
    uint32_t reach, leaf;
};

static int compare_reach(const void *a, const void *b) {
    const struct reached *x = a, *y = b;
    if (x->reach != y->reach)
        return x->reach < y->reach ? -1 : 1;
    return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

// Makes groups of equal reach. All leaves that meet the pivot in a node, or below it, are the leaves of that node:
// false if their number is another.
static bool group_by_reach(struct reveal *reveal, struct order_part *part, const struct reached *order) {
    part->groups = must_calloc(part->count, sizeof *part->groups);
    for (uint32_t first = 0, end; first < part->count; first = end) {
        for (end = first; end < part->count && order[end].reach == order[first].reach;)
            end++;
        struct order_part *group = &part->groups[part->group_count++];
        begin_part(group, end - first, order[first].reach);
        for (uint32_t k = first; k < end; k++)
            group->leaves[k - first] = order[k].leaf;
        bool of_node_above = end == part->count && part->above && order[first].reach == part->above;
        if (order[first].reach != end && !of_node_above) {
            snprintf(reveal->message, ORDER_MESSAGE,
                     "x%u and x%u seem to meet in a sum of %u terms, but %u terms meet x%u no later", part->pivot,
                     order[first].leaf, order[first].reach, end, part->pivot);
            return false;
        }
    }
    return true;
}

static bool split_part(struct reveal *reveal, struct order_part *part) {
    struct reached *order = must_calloc(part->count, sizeof *order);
    for (uint32_t k = 0; k < part->count; k++)
        order[k] = (struct reached){part->leaves[k] == part->pivot ? 1 : part->reach[k], part->leaves[k]};
    qsort(order, part->count, sizeof *order, compare_reach);
    bool fits = group_by_reach(reveal, part, order);
    free(order);
    part->state = PART_SPLIT;
    if (fits)
        begin_work(reveal, &part->groups[0], NO_NODE, 0);
    return fits;
}

// False if it is no number of surviving ones.
static bool take_reach(struct reveal *reveal, const struct order_question *question, double survivors) {
    struct order_part *part = question->part;
    uint32_t other = part->leaves[question->slot];
    if (survivors >= 0 && survivors <= reveal->n - 2 && survivors == (uint32_t)survivors) {
        part->reach[question->slot] = reveal->n - (uint32_t)survivors;
        return true;
    }
    snprintf(reveal->message, ORDER_MESSAGE, "with +M at x%u, -M at x%u and 1 elsewhere the sum is %g", part->pivot,
             other, survivors);
    return false;
}

static bool take_answers(struct reveal *reveal) {
    const struct order_questions *questions = &reveal->questions;
    for (size_t q = 0; q < questions->count; q++) {
        const struct order_question *question = &questions->list[q];
        struct order_part *part = question->part;
        if (part->state == PART_GUESSED)
            part->guess_refuted = part->guess_refuted || questions->survivors[q] != question->expected;
        else if (!take_reach(reveal, question, questions->survivors[q]))
            return false;
    }
    for (size_t q = 0; q < questions->count; q++) { // the questions of a part follow each other
        struct order_part *part = questions->list[q].part;
        if (part->state == PART_ASKED) {
            if (!split_part(reveal, part))
                return false;
        } else if (part->state == PART_GUESSED) {
            part->state = part->guess_refuted ? PART_NEW : PART_CERTAIN;
            part->root_count = part->guess_refuted ? 0 : 1;
            if (!part->guess_refuted)
                reveal->known[part->count] = part->roots[0];
        }
    }
    return true;
}

// What hangs below the root, without what was built in vain.
static void extract_tree(const struct order_tree *forest, uint32_t root, struct order_tree *tree) {
    uint32_t count;
    uint32_t *ids = order_gather(forest, root, &count);
    *tree = (struct order_tree){.n = forest->n};
    for (uint32_t i = forest->n; i < count; i++) {
        const struct order_node *node = &forest->nodes[ids[i] - forest->n];
        uint32_t *children = must_calloc(node->child_count, sizeof *children);
        for (uint32_t c = 0; c < node->child_count; c++) // all leaves are there, so places are numbers
            children[c] = place_of(ids, count, forest->children[node->first_child + c]);
        order_add_node(tree, children, node->child_count);
        free(children);
    }
    free(ids);
}

static enum order_answer reveal_all(struct reveal *reveal, struct order_part *whole) {
    for (;;) {
        advance_part(reveal, whole, NO_NODE, 0);
        if (whole->state == PART_CERTAIN)
            return ORDER_REVEALED;
        if (!reveal->questions.count)
            harness_failed("an order of %u terms is not known, and nothing is left to ask.", reveal->n);
        if (!questions_ask(&reveal->questions, reveal->oracle, reveal->n, reveal->cost, reveal->message))
            return ORDER_NOT_ASKED;
        if (!take_answers(reveal))
            return ORDER_NO_TREE;
        questions_free(&reveal->questions);
    }
}

enum order_answer order_reveal(const struct order_oracle *oracle, uint32_t n, struct order_tree *tree,
                               struct order_cost *cost, char *message) {
    struct reveal reveal = {.oracle = oracle,
                            .n = n,
                            .forest = {.n = n},
                            .known = must_calloc((size_t)n + 1, sizeof *reveal.known),
                            .prng = prng_seeded(n),
                            .cost = cost,
                            .message = message};
    struct order_part whole;
    begin_part(&whole, n, 0);
    for (uint32_t i = 0; i < n; i++)
        whole.leaves[i] = i;
    enum order_answer answer = reveal_all(&reveal, &whole);
    if (answer == ORDER_REVEALED)
        extract_tree(&reveal.forest, whole.roots[0], tree);
    free_part(&whole);
    questions_free(&reveal.questions);
    order_free(&reveal.forest);
    free(reveal.known);
    return answer;
}
