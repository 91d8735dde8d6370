// SPDX-License-Identifier: MIT
// For tests of comparisons: two runs that are the same until a test changes one.
#ifndef REDUCTIO_TEST_PAIR_H
#define REDUCTIO_TEST_PAIR_H

#include "reports/compare.h"

struct pair {
    json_t *before, *after;
    struct comparison comparison;
};

void make_pair(struct pair *pair);
json_t *cell_at(json_t *run, size_t index);
// Of the first variant.
json_t *order_at(json_t *run, size_t index);
void set(json_t *object, const char *member, json_t *value);
// Gives a cell one result alone.
void set_bits(json_t *cell, const char *bits, const char *error_over_bound);
void compare(struct pair *pair);
void drop(struct pair *pair);

#endif
