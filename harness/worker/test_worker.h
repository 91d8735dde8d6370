// SPDX-License-Identifier: MIT
// What the tests of the worker on the host backend share: a data file, and variants asked through the pool.
#ifndef REDUCTIO_TEST_WORKER_H
#define REDUCTIO_TEST_WORKER_H

#include "harness/pool/test_pool.h"

enum { ELEMENTS = 600 };

extern struct answers answers;

// Of n elements from the start of the data, which are 0, 1, 2, ... as f32 in the first half of the file and as f64 in
// the second: their sums are exact.
struct pool_item sum_of(uint64_t n);
struct pool_item coverage_of(uint64_t n);
struct pool_item time_of(uint64_t n);
// All are answered, in `answers`.
void run_items(const char *variant, const char *type, const struct pool_item *items, size_t count);
const struct kept *run_one(const char *variant, const char *type, struct pool_item item);
double value_of(const char *type, uint64_t bits);
struct work_run run_at(const struct kept *kept, size_t index);

// Types that test_variant_right sums.
enum { TYPES = 3 };
extern const char *const types[TYPES];

// Runs one suite of one test case with the data; returns main's exit code.
int run_worker_suite(const char *name, void (*add_tests)(TCase *tcase));

#endif
