// SPDX-License-Identifier: MIT
// Two kinds of histogram: signed errors by accuracy claim, and the results of one input by how far apart they lie.
#ifndef REDUCTIO_HISTOGRAM_H
#define REDUCTIO_HISTOGRAM_H

#include "reports/page.h"

// A table of bars, a row a claim: is the error biased? False when memory is out.
bool histogram_write_bias(const struct page *page);
// A chart for each variant that varied: its widest input's results at their ulps.
void histogram_write_runs(const struct page *page);

#endif
