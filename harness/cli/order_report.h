// SPDX-License-Identifier: MIT
// The command order: what it looks at, and how it tells of it.
#ifndef REDUCTIO_ORDER_REPORT_H
#define REDUCTIO_ORDER_REPORT_H

#include "harness/cli/commands.h"
#include "harness/given.h"
#include "harness/order/identify.h"

// One row of the catalogue, looked at.
struct order_row {
    const struct catalog_variant *variant;
    uint32_t n;
    char shape[32];
    struct order_identity identity;
    bool contradicts; // its claims
};

struct order_run {
    const struct command_line *line;
    struct catalog catalog;
    uint32_t n;
    struct given_array given;           // from --replay FILE.npy
    const struct case_values *replayed; // NULL: nothing
    struct order_row *rows;
    size_t row_count;
    char *cannot; // why the first of the rows that cannot be asked about n elements in this shape cannot; NULL: all can
    size_t refused; // rows of which that is so
};

enum { ORDER_TITLE = 256 };
// "kahan@simt/f32, n = 64, t256"; ORDER_TITLE bytes.
void print_order_title(const struct order_row *row, char *text);
// What the order contradicts among the claims, or NULL.
const char *find_contradiction(const struct order_row *row);
// On standard output.
void print_order_row(const struct order_row *row);
// The files of --json and --svg. EXIT_USAGE with a sentence on stderr where one cannot be.
int write_order_files(const struct order_run *run);

#endif
