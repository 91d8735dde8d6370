// SPDX-License-Identifier: MIT
// Proof of a tree with few questions.
//
// Nodes are proven by height, lowest first, so that both children of a node v = {A, B} are known to be true nodes. Then
// v is true if and only if the lowest common ancestor of any a in A and any b in B has no leaf outside v: with +M at a
// and -M at b, every leaf below that ancestor is lost. Nodes of one height are disjoint, so many are asked about in one
// question, each with a pair of its own: if all of them are true, the sum counts the leaves outside of all of them. If
// v is false, its M first meets some other true node C, and the leaves of C are lost too, which shows in the sum unless
// C is made of nodes that carry pairs in the same question. A question for each bit of the nodes' ranks, and one for
// its complement, makes any two nodes differ: in one of them v carries a pair and C holds ones.
#include "harness/order/questions.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>

struct order_question *questions_begin(struct order_questions *questions, struct order_part *part) {
    questions->list = grow_array(questions->list, questions->count, sizeof *questions->list);
    struct order_question *question = &questions->list[questions->count++];
    *question = (struct order_question){.part = part, .first_pair = questions->pair_count};
    return question;
}

void questions_add_pair(struct order_questions *questions, uint32_t plus, uint32_t minus) {
    questions->plus = grow_array(questions->plus, questions->pair_count, sizeof *questions->plus);
    questions->minus = grow_array(questions->minus, questions->pair_count, sizeof *questions->minus);
    questions->plus[questions->pair_count] = plus;
    questions->minus[questions->pair_count++] = minus;
    questions->list[questions->count - 1].pairs++;
}

bool questions_ask(struct order_questions *questions, const struct order_oracle *oracle, uint32_t n,
                   struct order_cost *cost, char *message) {
    struct order_probe *probes = must_calloc(questions->count, sizeof *probes);
    free(questions->survivors);
    questions->survivors = must_calloc(questions->count, sizeof *questions->survivors);
    for (size_t q = 0; q < questions->count; q++) {
        const struct order_question *question = &questions->list[q];
        probes[q] = (struct order_probe){.plus = questions->plus + question->first_pair,
                                         .minus = questions->minus + question->first_pair,
                                         .pairs = question->pairs};
    }
    cost->probes += questions->count;
    cost->rounds++;
    bool asked = oracle->ask(oracle->context, n, probes, questions->count, questions->survivors, message);
    free(probes);
    return asked;
}

void questions_free(struct order_questions *questions) {
    free(questions->list);
    free(questions->plus);
    free(questions->minus);
    free(questions->survivors);
    *questions = (struct order_questions){0};
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t *order_gather(const struct order_tree *tree, uint32_t root, uint32_t *count) {
    uint32_t *found = grow_array(NULL, 0, sizeof *found);
    *count = 1;
    found[0] = root;
    for (uint32_t next = 0; next < *count; next++) {
        if (found[next] < tree->n)
            continue;
        const struct order_node *node = &tree->nodes[found[next] - tree->n];
        for (uint32_t c = 0; c < node->child_count; c++) {
            found = grow_array(found, *count, sizeof *found);
            found[(*count)++] = tree->children[node->first_child + c];
        }
    }
    qsort(found, *count, sizeof *found, compare_numbers);
    return found;
}

struct ranked_node {
    uint32_t height, id;
};

static int compare_heights(const void *a, const void *b) {
    const struct ranked_node *x = a, *y = b;
    if (x->height != y->height)
        return x->height < y->height ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

// One question with a pair in each node whose rank has the bit as wanted; bit 32 takes them all.
static void ask_about(struct order_questions *questions, const struct order_tree *tree, const struct ranked_node *nodes,
                      uint32_t count, struct order_part *part, unsigned bit, bool wanted) {
    struct order_question *question = questions_begin(questions, part);
    uint32_t lost = 0;
    for (uint32_t rank = 0; rank < count; rank++) {
        if (bit < 32 && ((rank >> bit) & 1) != wanted)
            continue;
        const struct order_node *node = &tree->nodes[nodes[rank].id - tree->n];
        const uint32_t *child = &tree->children[node->first_child];
        questions_add_pair(questions, order_lowest_of(tree, child[0]), order_lowest_of(tree, child[1]));
        lost += node->leaves;
    }
    question->expected = tree->n - lost;
}

void questions_add_proof(struct order_questions *questions, const struct order_tree *tree, uint32_t root,
                         struct order_part *part) {
    uint32_t count, node_count = 0;
    uint32_t *ids = order_gather(tree, root, &count);
    struct ranked_node *nodes = must_calloc(count, sizeof *nodes);
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] >= tree->n)
            nodes[node_count++] = (struct ranked_node){order_height_of(tree, ids[i]), ids[i]};
    qsort(nodes, node_count, sizeof *nodes, compare_heights);
    for (uint32_t first = 0, end; first < node_count; first = end) {
        for (end = first; end < node_count && nodes[end].height == nodes[first].height;)
            end++;
        uint32_t same = end - first;
        if (same == 1)
            ask_about(questions, tree, nodes + first, 1, part, 32, true);
        for (unsigned bit = 0; same > 1 && bit < 32 && (same - 1) >> bit; bit++) {
            ask_about(questions, tree, nodes + first, same, part, bit, false);
            ask_about(questions, tree, nodes + first, same, part, bit, true);
        }
    }
    free(nodes);
    free(ids);
}

enum order_answer order_prove(const struct order_oracle *oracle, const struct order_tree *tree, bool *differs,
                              struct order_cost *cost, char *message) {
    *differs = false;
    if (!tree->node_count)
        return ORDER_REVEALED;
    struct order_questions questions = {0};
    questions_add_proof(&questions, tree, order_root(tree), NULL);
    bool asked = questions_ask(&questions, oracle, tree->n, cost, message);
    for (size_t q = 0; asked && q < questions.count && !*differs; q++) {
        const struct order_question *question = &questions.list[q];
        if (questions.survivors[q] == question->expected)
            continue;
        *differs = true;
        snprintf(message, ORDER_MESSAGE, "with +M at x%u, -M at x%u%s and 1 elsewhere the sum is %g, not %u",
                 questions.plus[question->first_pair], questions.minus[question->first_pair],
                 question->pairs > 1 ? " and other such pairs" : "", questions.survivors[q], question->expected);
    }
    questions_free(&questions);
    return asked ? ORDER_REVEALED : ORDER_NOT_ASKED;
}

uint64_t order_proof_size(const struct order_tree *tree) {
    uint32_t *of_height = must_calloc((size_t)tree->n + 1, sizeof *of_height);
    uint64_t size = 0;
    for (uint32_t k = 0; k < tree->node_count; k++)
        of_height[tree->nodes[k].height]++;
    for (uint32_t h = 0; h <= tree->n; h++) {
        size += of_height[h] == 1;
        for (uint32_t rest = of_height[h] > 1 ? of_height[h] - 1 : 0; rest; rest /= 2)
            size += 2;
    }
    free(of_height);
    return size;
}
