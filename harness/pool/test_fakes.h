// SPDX-License-Identifier: MIT
// What the tests of the pool against fake_worker.c share: one data file and the answers of the test at hand.
#ifndef REDUCTIO_TEST_FAKES_H
#define REDUCTIO_TEST_FAKES_H

#include "harness/pool/fake_worker.h"
#include "harness/pool/test_pool.h"

#include <sys/types.h>

extern struct answers answers;
extern struct memory_file data;

// A queue of the fake in one of its modes ("crash"; "killed, then right").
struct pool_queue queue_of(const char *mode, const struct pool_item *items, size_t count);
// All are answered, in `answers`.
void run_queues(const struct pool_queue *queues, size_t count, struct pool_options options);
// Item 1 of three triggers the mode. Whatever happens there, its neighbours are answered, and nothing is left: no
// descriptor, no zombie. Returns the answer to item 1.
const struct kept *run_three(const char *mode, struct pool_options options);
// The item that triggers the mode, alone.
const struct kept *run_one(const char *mode, struct pool_options options);
// The process number that a worker or its grandchild has left in the data file; 0: not yet.
pid_t pid_in_data(void);

// Runs one suite of one test case, with an empty data file and no answers before each test; returns main's exit code.
int run_fakes_suite(const char *name, void (*add_tests)(TCase *tcase));

#endif
