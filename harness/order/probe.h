// SPDX-License-Identifier: MIT
// Runs one variant on many small arrays, through the worker pool: what revealing an order is made of.
#ifndef REDUCTIO_ORDER_PROBE_H
#define REDUCTIO_ORDER_PROBE_H

#include "harness/catalog.h"
#include "harness/order/order.h"
#include "harness/pool/shelf.h"
#include "harness/selection.h"

#include <signal.h>

struct probe_bench {
    const struct catalog *catalog;
    size_t variant; // index into the catalogue
    struct reductio_shape shape;
    struct schedule schedule;
    uint32_t runs; // of each array
    const struct selection *selection;
    const volatile sig_atomic_t *interrupted; // may be NULL
    struct worker_shelf shelf;                // a round of questions follows on another, and the workers stay
    // Filled in by the runs:
    uint64_t height; // the variant's own figure; 0 where it has none
    bool refused;    // a launch was refused, so that the last run failed
    bool varied;     // some array gave other bits in another run
    bool not_asked;  // the harness could not run an array, which is no fault of the variant
};

// Writes array number `index`, n elements of the variant's input type.
typedef void probe_fill(void *context, size_t index, void *x);

// Runs the variant on `count` arrays of n elements; bits[k] is the first result of array k. False with one sentence in
// message (ORDER_MESSAGE bytes) where one did not run to its end.
bool probe_arrays(struct probe_bench *bench, uint64_t n, size_t count, probe_fill *fill, void *context, uint64_t *bits,
                  char *message);

// One array that is there already.
bool probe_array(struct probe_bench *bench, uint64_t n, const void *x, uint64_t *bits, char *message);

// Most terms whose order the sums of a type tell: each counts up to n of them, which has to be exact.
uint64_t probe_most_terms(enum float_type out);

// The bench as the one who answers about its order; `context` of the oracle is the bench.
struct order_oracle probe_oracle(struct probe_bench *bench);

// First launch shape and, on the emulator, the schedule in order. Closing ends its workers.
void probe_bench_open(struct probe_bench *bench, const struct catalog *catalog, size_t variant,
                      const struct selection *selection);
void probe_bench_close(struct probe_bench *bench);

#endif
