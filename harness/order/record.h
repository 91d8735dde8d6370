// SPDX-License-Identifier: MIT
// The orders of additions inside the rows of a run, for its record: what a later run is compared with.
#ifndef REDUCTIO_ORDER_RECORD_H
#define REDUCTIO_ORDER_RECORD_H

#include "harness/catalog.h"
#include "harness/selection.h"

#include <signal.h>

// Largest n whose formula is kept.
enum { RECORD_FORMULA_N = 64 };

// Looks into every row of the record at each n, in its first launch shape. A row that cannot be run says so in `why`.
void record_orders(const struct catalog *catalog, const struct selection *selection, const uint64_t *sizes,
                   size_t size_count, const volatile sig_atomic_t *interrupted, struct run_result *result);

#endif
