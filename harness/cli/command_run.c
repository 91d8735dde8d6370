// SPDX-License-Identifier: MIT
// run and check: the same work, and two opinions on the exit code.
#include "harness/cli/commands.h"
#include "harness/cli/given_option.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Identities name cells that no tier need hold; globs pick from the tier.
static bool names_one_cell(const char *text) {
    return strpbrk(text, "*?[") == NULL;
}

static int plan_identities(struct plan *plan, const struct catalog *catalog, const struct selection *selection) {
    *plan = (struct plan){.catalog = catalog};
    for (size_t i = 0; i < selection->cells.count; i++) {
        char *why = plan_add_identity(plan, selection, selection->cells.items[i]);
        if (why) {
            fprintf(stderr, "reductio: %s\n", why);
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
        fprintf(stderr, "reductio: %s@%s/%s was not run: %s\n", card->name, card->backend, card->type, card->absent);
    }
    return EXIT_SKIPPED;
}

static int make_plan(struct plan *plan, const struct catalog *catalog, const struct selection *selection) {
    int code = check_selection(catalog, selection);
    if (code != EXIT_FINE)
        return code;
    bool identities = selection->cells.count > 0;
    for (size_t i = 0; i < selection->cells.count; i++)
        identities = identities && names_one_cell(selection->cells.items[i]);
    if (identities)
        return plan_identities(plan, catalog, selection);
    plan_tier(plan, catalog, selection, false);
    if (plan->cell_count || selection->shard_count)
        return EXIT_FINE;
    if (plan->absent_count)
        return tell_absent(plan);
    fprintf(stderr, "reductio: the selection leaves no cell to run.\n");
    return EXIT_USAGE;
}

static int run_rows(const struct command_line *line, struct run_result *result) {
    struct options *options = line->options;
    for (size_t i = 0; i < options->word_count; i++)
        text_list_add(&options->selection.variants, options->words[i]);
    struct catalog catalog;
    struct plan plan = {0};
    int code = open_catalog(&catalog, options, false);
    if (code != EXIT_FINE)
        return code;
    prefer_brought_rows(options, &catalog);
    code = make_plan(&plan, &catalog, &options->selection);
    if (code == EXIT_FINE)
        code = check_resources(&plan, options);
    if (code == EXIT_FINE)
        code = dump_cell(&plan, options);
    if (code == EXIT_FINE)
        code = run_cells(&plan, line, result);
    plan_free(&plan);
    catalog_free(&catalog);
    return code;
}

int command_run(const struct command_line *line) {
    struct run_result result = {0};
    struct options *options = line->options;
    json_t *baseline = NULL;
    if (!options->json)
        options->json = "results.json";
    if (options->baseline) {
        fprintf(stderr, "reductio: --baseline belongs to check and merge, which are gates.\n");
        return EXIT_USAGE;
    }
    int code = open_baseline(options, &baseline);
    if (code == EXIT_FINE)
        code = run_rows(line, &result);
    if (code == EXIT_FINE)
        code = close_run(&result, options);
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
