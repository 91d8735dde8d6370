// SPDX-License-Identifier: MIT
#ifndef REDUCTIO_PARETO_H
#define REDUCTIO_PARETO_H

#include "reports/page.h"

// Accuracy against throughput of the variants of a type: worst err/(u·A) where something rounds, and the best GB/s of
// any cell, joined along the front of those that no other beats in both. Marks tell who keeps its bits from run to run.
// Nothing where nothing was timed. False when memory is out.
bool pareto_write(const struct page *page, const char *type);

#endif
