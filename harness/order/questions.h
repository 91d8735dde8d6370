// SPDX-License-Identifier: MIT
// Questions to a summation, gathered until they are asked all at once. Internal to reveal.c and prove.c.
#ifndef REDUCTIO_ORDER_QUESTIONS_H
#define REDUCTIO_ORDER_QUESTIONS_H

#include "harness/order/order.h"

#include <stddef.h>

struct order_part;

struct order_question {
    struct order_part *part; // who asks; order_prove leaves it NULL
    uint32_t slot;           // its own number of the question
    uint32_t expected;       // survivors that a proof expects
    size_t first_pair;
    uint32_t pairs;
};

struct order_questions {
    struct order_question *list;
    size_t count;
    uint32_t *plus, *minus; // the pairs of all questions
    size_t pair_count;
    double *survivors; // after questions_ask
};

// Begins a question; pairs are added to the last one begun.
struct order_question *questions_begin(struct order_questions *questions, struct order_part *part);
void questions_add_pair(struct order_questions *questions, uint32_t plus, uint32_t minus);
bool questions_ask(struct order_questions *questions, const struct order_oracle *oracle, uint32_t n,
                   struct order_cost *cost, char *message);
void questions_free(struct order_questions *questions);

// The questions that prove the binary tree below `root` to be the true one, once its leaves are known to be all the
// leaves of a true node (or of the whole tree).
void questions_add_proof(struct order_questions *questions, const struct order_tree *tree, uint32_t root,
                         struct order_part *part);

// The nodes and leaves below `root`, itself included, ascending: leaves first, children before parents. From malloc.
uint32_t *order_gather(const struct order_tree *tree, uint32_t root, uint32_t *count);

#endif
