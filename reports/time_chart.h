// SPDX-License-Identifier: MIT
#ifndef REDUCTIO_TIME_CHART_H
#define REDUCTIO_TIME_CHART_H

#include "reports/page.h"

// Time of a call against n, a line a variant, one chart for each backend, input type and input; nothing where nothing
// was timed at two sizes. False when memory is out.
bool time_charts_write(const struct page *page);

#endif
