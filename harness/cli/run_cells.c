// SPDX-License-Identifier: MIT
// What run, check and their kin do with a plan: the data of a cell are dumped, cells run, orders revealed.
#include "harness/cli/commands.h"
#include "harness/cli/given_option.h"
#include "harness/cli/sizes.h"
#include "harness/order/identify.h"
#include "harness/order/record.h"
#include "harness/runner.h"
#include "harness/support.h"

// The machine is asked once in a run that selects nothing, by its first shard.
static bool asks_hardware(const struct selection *selection) {
    return !selection->variants.count && !selection->cases.count && !selection->cells.count &&
           selection->shard_index <= 1;
}

// Sizes at which orders of additions are to be revealed; none where nobody asks.
static bool parse_orders(struct sizes *orders, const char *text) {
    *orders = (struct sizes){0};
    if (!text)
        return true;
    if (!sizes_parse(orders, "orders", text))
        return false;
    for (size_t i = 0; i < orders->count; i++)
        if (orders->n[i] > ORDER_MOST_INFERRED) {
            say_error("--orders %s: an order is inferred for up to %d elements.", text, ORDER_MOST_INFERRED);
            return false;
        }
    return true;
}

int run_cells(const struct plan *plan, const struct command_line *line, struct run_result *result) {
    const struct options *options = line->options;
    struct known_list known;
    struct sizes orders;
    if (!parse_orders(&orders, options->orders) || !load_known(&known, options))
        return EXIT_USAGE;
    int code = dump_cell(plan, options); // once nothing more can be refused
    if (code != EXIT_FINE) {
        known_free(&known);
        return code;
    }
    struct run_options run = begin_run(line);
    run.known = &known;
    run.ask_hardware = asks_hardware(&options->selection);
    print_seed(options);
    run_plan(plan, &options->selection, &run, result);
    known_free(&known);
    record_orders(plan->catalog, &options->selection, orders.n, orders.count, run.interrupted, result);
    return EXIT_FINE;
}
