// SPDX-License-Identifier: MIT
// The way of every command that runs the cells of a plan: choose rows, plan, refuse what cannot be done, run.
#include "harness/cli/commands.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <stdio.h>

void select_words(struct options *options) {
    for (size_t i = 0; i < options->word_count; i++)
        text_list_add(&options->selection.variants, options->words[i]);
}

struct run_options begin_run(const struct command_line *line) {
    return (struct run_options){.command = line->name,
                                .argv = line->argv,
                                .argc = line->argc,
                                .interrupted = catch_interrupts(),
                                .quiet = line->options->quiet};
}

void print_seed(const struct options *options) {
    fprintf(stderr, "seed %llu%s\n", (unsigned long long)options->selection.seed,
            options->seed_is_random ? " (random)" : "");
}

int plan_rows(struct plan *plan, const struct selection *selection, plan_row_function *add_row, const void *context) {
    struct catalog *catalog = plan->catalog;
    int code = EXIT_FINE;
    for (size_t v = 0; v < catalog->variant_count && code == EXIT_FINE; v++) {
        const struct catalog_variant *row = &catalog->variants[v];
        if (!selects_variant(selection, row->card.name, row->card.backend, row->card.type, row->faulty) ||
            !catalog_is_present(catalog, row->backend))
            continue;
        if (catalog_fault(catalog, v))
            plan_add_fault(plan, (int)v);
        else if (*row->card.absent)
            plan_note_absent(plan, (int)v);
        else
            code = add_row(plan, (int)v, context);
    }
    return code;
}

int run_planned(struct catalog *catalog, const struct command_line *line, const struct planned_run *steps) {
    struct plan plan = {.catalog = catalog, .device_chosen = line->options->selection.device_given};
    int code = check_selection(catalog, &line->options->selection);
    if (code == EXIT_FINE)
        code = steps->make_plan(&plan, line, steps->context);
    if (code == EXIT_FINE && !plan.cell_count && steps->nothing) {
        say_error("the selection leaves %s.", steps->nothing);
        code = EXIT_USAGE;
    }
    if (code == EXIT_FINE)
        code = check_resources(&plan);
    if (code == EXIT_FINE)
        code = steps->run(&plan, line, steps->context);
    plan_free(&plan);
    return code;
}
