// SPDX-License-Identifier: MIT
// What reductio explain knows of an array and of two sums of it, and the sections of its page. Each section is a
// heading and its sentences; all but the first two take a finite exact sum.
#ifndef REDUCTIO_EXPLAIN_H
#define REDUCTIO_EXPLAIN_H

#include "harness/catalog.h"
#include "harness/cli/explain_page.h"
#include "harness/cli/options.h"
#include "harness/given.h"
#include "harness/order/identify.h"
#include "harness/order/probe.h"
#include "reference/exact_sum.h"

// One of the two sums: a row that was run, or a value.
struct side {
    const char *word; // a row, a value, or a .cu file whose row it is
    bool is_file;
    bool is_row;
    struct probe_bench bench;
    const struct catalog_variant *row;
    enum float_type out;
    uint64_t bits;
    double ulps;
    bool within;    // the any-order bound
    bool stalls;    // harness/stall.h
    bool overflows; // an infinity or NaN where a partial sum may overflow, of which the bound does not speak
    struct order_identity identity;
    bool identified;
};

struct explain {
    const struct options *options;
    struct catalog catalog;
    struct given_array given;
    struct exact_sum exact;
    struct side sides[2];
    struct explain_page page;
};

// explain_error.c: what each sum is off by, and whether rounding can explain it. The second fills in `ulps` of both
// sides, the fourth `within` and `overflows`.
void say_exact_sum(struct explain *explain);
void say_distances(struct explain *explain);
void say_condition(struct explain *explain);
void say_whether_an_order_explains(struct explain *explain);
void say_input_rounding(struct explain *explain);
// From all of these.
void say_advice(struct explain *explain);
void say_advice_not_finite(struct explain *explain);

// The title of the page, and the answer in one sentence; of `array`, its name. From all that is said before the advice.
void set_verdict(struct explain *explain, const char *array);

// explain_order.c: in what order each adds, and the first partial sum in which they part.
void say_orders(struct explain *explain);

#endif
