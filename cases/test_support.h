// SPDX-License-Identifier: MIT
// What the tests of this folder share.
#ifndef REDUCTIO_CASES_TEST_SUPPORT_H
#define REDUCTIO_CASES_TEST_SUPPORT_H

#include "cases/cases.h"
#include "reference/exact_sum.h"

#include <check.h>
#include <inttypes.h>

enum { TEST_SEED = 20261130 };

struct dataset_key test_key(enum float_type type, const char *values, uint64_t n, const char *order);
// The dataset's elements, from malloc; fails the test where it cannot be made.
void *test_fill(const struct dataset_key *key, uint64_t base_seed);

// Sizes around warps and blocks, and the smallest.
enum { TEST_SIZES = 21 };
extern const uint64_t test_sizes[TEST_SIZES];

// A check on one dataset, with the exact sum of its elements.
typedef void sum_check(const struct dataset_key *key, const void *x, const struct exact_sum *exact);
void check_key(const struct dataset_key *key, sum_check *check);
// All types, each of test_sizes that is not refused. Returns how many there were.
unsigned check_family(const char *name, sum_check *check);
// Likewise for a list of names that ends with NULL; demands that few sizes are refused.
void check_families(const char *const *names, sum_check *check);
#define FAMILIES(...) ((const char *const[]){__VA_ARGS__, NULL})

// Once a dataset, not once an element: Check writes each assertion to a pipe.
#define CHECK_DATA(condition)                                                                                          \
    ck_assert_msg(condition, "%s/%s/%" PRIu64 ": %s", float_format(key->type)->name, key->values->name, key->n,        \
                  #condition)

double test_element(const struct dataset_key *key, const void *x, uint64_t index);
double test_unit(const struct dataset_key *key);         // u = 2^-p of the type
double test_least_normal(const struct dataset_key *key); // 2^emin

// Runs the suite, reading the corpus first. Returns main's exit code.
int test_run(Suite *suite);

#endif
