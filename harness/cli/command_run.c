// SPDX-License-Identifier: MIT
// run and check: the same work, and two opinions on the exit code.
#include "harness/cli/commands.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>

// Identities name cells that no tier need hold; globs pick from the tier. Other options narrow both down.
static int plan_identities(struct plan *plan, const struct selection *selection) {
    for (size_t i = 0; i < selection->cells.count; i++) {
        if (!selects_identity(selection, selection->cells.items[i]) || !selects_group(selection, i))
            continue;
        char *why = plan_add_identity(plan, selection, selection->cells.items[i]);
        if (why) {
            say_error("%s", why);
            free(why);
            return EXIT_USAGE;
        }
    }
    return EXIT_FINE;
}

// Nothing that was chosen can be run here: there is no run to report, and the reasons are all there is to say.
static int tell_absent(const struct plan *plan) {
    for (size_t i = 0; i < plan->absent_count; i++) {
        const struct variant_card *card = &plan->catalog->variants[plan->absent[i]].card;
        say_error("%s@%s/%s was not run: %s", card->name, card->backend, card->type, card->absent);
    }
    return EXIT_SKIPPED;
}

static int plan_cells(struct plan *plan, const struct command_line *line, void *context) {
    (void)context;
    const struct selection *selection = &line->options->selection;
    bool identities = selection->cells.count > 0;
    int code = EXIT_FINE;
    for (size_t i = 0; i < selection->cells.count; i++)
        identities = identities && !is_glob(selection->cells.items[i]);
    if (identities)
        code = plan_identities(plan, selection);
    else
        plan_tier(plan, plan->catalog, selection, false);
    if (code != EXIT_FINE || plan->cell_count || selection->shard_count)
        return code;
    if (plan->absent_count)
        return tell_absent(plan);
    say_error("the selection leaves no cell to run.");
    return EXIT_USAGE;
}

static int run_planned_cells(const struct plan *plan, const struct command_line *line, void *result) {
    return run_cells(plan, line, result);
}

static int run_rows(const struct command_line *line, struct run_result *result) {
    const struct planned_run steps = {plan_cells, run_planned_cells, .context = result};
    struct catalog catalog;
    select_words(line->options);
    int code = open_catalog(&catalog, line->options, false);
    if (code != EXIT_FINE)
        return code;
    prefer_brought_rows(line->options, &catalog);
    code = run_planned(&catalog, line, &steps);
    catalog_free(&catalog);
    return code;
}

int command_run(const struct command_line *line) {
    struct run_result result = {0};
    json_t *baseline = NULL; // it has none to be held against, but may become one
    int code = open_baseline(line->options, &baseline);
    if (code == EXIT_FINE)
        code = run_rows(line, &result);
    if (code == EXIT_FINE)
        code = close_run(&result, line->options);
    run_result_free(&result);
    return code;
}

int command_check(const struct command_line *line) {
    struct run_result result = {0};
    json_t *baseline = NULL;
    int code = open_baseline(line->options, &baseline);
    if (code == EXIT_FINE)
        code = run_rows(line, &result);
    if (code == EXIT_FINE)
        code = close_gate(&result, line->options, baseline);
    json_decref(baseline);
    run_result_free(&result);
    return code;
}
