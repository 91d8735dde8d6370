// SPDX-License-Identifier: MIT
// sum: an array of the user's own, its exact sum, and what each row makes of it.
#include "harness/cli/commands.h"
#include "harness/cli/given_option.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUM_SCHEDULES = 2, SUM_RUNS = 20 };

static void plan_given(struct plan *plan, const struct catalog *catalog, const struct given_array *given,
                       const struct options *options, size_t *left_out) {
    struct dataset dataset = {.key = given_key(given), .attacks = ATTACK_RUN};
    struct attack_strength strength = {
        .attacks = ATTACK_RUN, .schedules = SUM_SCHEDULES, .hardware_runs = options->runs ? options->runs : SUM_RUNS};
    struct selection selection = options->selection;
    selection.types = (struct text_list){0}; // --type speaks of the file
    *plan = (struct plan){.catalog = catalog};
    for (size_t v = 0; v < catalog->variant_count; v++) {
        const struct catalog_variant *row = &catalog->variants[v];
        const struct catalog_backend *backend = &catalog->backends[row->backend];
        if (!backend->present || (row->in != given->array.type && !backend->fault) ||
            !selects_variant(&selection, row->card.name, row->card.backend, row->card.type, row->faulty))
            continue;
        bool fits = given->array.n <= backend->max_n && (!row->card.max_n || given->array.n <= row->card.max_n);
        if (*row->card.absent)
            plan_note_absent(plan, (int)v);
        else if (fits)
            plan_add_cells(plan, (int)v, &dataset, strength);
        else
            ++*left_out;
    }
}

static void print_truth(const struct given_array *given, const struct dataset_result *dataset) {
    const struct npy_array *array = &given->array;
    printf("%" PRIu64 " numbers of %s", array->n, float_format(array->type)->name);
    if (array->dimensions > 1) {
        printf(", shape");
        for (unsigned d = 0; d < array->dimensions; d++)
            printf("%s%" PRIu64, d ? " x " : " ", array->shape[d]);
        printf("%s, summed as they lie in the file", array->fortran_order ? " in Fortran order" : "");
    }
    printf("\nexact sum   %s\n            %s\nsum of |x|  %s\ncondition   %.6g%s\n\n", dataset->exact_decimal,
           dataset->exact_hex, dataset->abs_sum_decimal, dataset->condition,
           dataset->never_rounds       ? "   (no addition rounds, in any order)"
           : isnan(dataset->condition) ? "   (the numbers are not all finite)"
                                       : "");
}

static int compare_error(const void *a, const void *b) {
    const struct cell_result *x = *(const struct cell_result *const *)a, *y = *(const struct cell_result *const *)b;
    double first = x->has_result && !isnan(x->ulps) ? fabs(x->ulps) : INFINITY;
    double second = y->has_result && !isnan(y->ulps) ? fabs(y->ulps) : INFINITY;
    if (first != second)
        return first < second ? -1 : 1;
    return strcmp(x->id, y->id);
}

// Runs of the same call that gave other bits than the base cell.
static size_t count_differing(const struct run_result *result, const struct cell_result *base) {
    size_t differing = base->pattern_count > 1 ? base->pattern_count - 1 : 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        differing += cell->compared_with && cell->differs && strcmp(cell->compared_with, base->id) == 0;
    }
    return differing;
}

static void print_cell(const struct run_result *result, const struct cell_result *cell) {
    const struct variant_result *variant = &result->variants[cell->variant];
    char name[CARD_NAME * 2];
    snprintf(name, sizeof name, "%s@%s", variant->name, variant->backend);
    printf("%-36s %-8s ", name, variant->type);
    if (cell->has_result)
        printf("%-24s %10.3g  ", cell->got_decimal, cell->ulps);
    else
        printf("%-24s %10s  ", "-", "-");
    printf("%s", finding_word(cell->head));
    if (count_differing(result, cell))
        printf("; differs from call to call");
    printf("\n");
    if (cell->detail && finding_is_bad(cell->head))
        printf("    %s\n", cell->detail);
}

// Rows that were chosen and cannot be run here.
static void print_absent(const struct plan *plan) {
    for (size_t i = 0; i < plan->absent_count; i++) {
        const struct variant_card *card = &plan->catalog->variants[plan->absent[i]].card;
        printf("%s@%s/%s was not run: %s\n", card->name, card->backend, card->type, card->absent);
    }
}

static void print_results(const struct given_array *given, const struct run_result *result, size_t left_out) {
    if (!result->dataset_count)
        return;
    print_truth(given, &result->datasets[0]);
    const struct cell_result **order = must_calloc(result->cell_count, sizeof *order);
    size_t count = 0;
    for (size_t i = 0; i < result->cell_count; i++)
        if (!result->cells[i].attack)
            order[count++] = &result->cells[i];
    qsort(order, count, sizeof *order, compare_error);
    printf("%-36s %-8s %-24s %10s  finding\n", "row", "type", "result", "ulps off");
    for (size_t i = 0; i < count; i++)
        print_cell(result, order[i]);
    if (left_out)
        printf("\n%zu rows are left out: %" PRIu64 " numbers are more than they or their backends take.\n", left_out,
               given->array.n);
    free(order);
}

static int sum_given(const struct command_line *line, const struct given_array *given) {
    struct options *options = line->options;
    struct selection selection = options->selection;
    struct catalog catalog;
    struct plan plan = {0};
    struct run_result result = {0};
    size_t left_out = 0;
    int code = open_catalog(&catalog, options, false);
    if (code != EXIT_FINE)
        return code;
    selection.types = (struct text_list){0};
    code = check_selection(&catalog, &selection);
    if (code == EXIT_FINE)
        plan_given(&plan, &catalog, given, options, &left_out);
    if (code == EXIT_FINE && !plan.cell_count) {
        fprintf(stderr, "reductio: no row that is selected takes %" PRIu64 " numbers of %s.\n", given->array.n,
                float_format(given->array.type)->name);
        code = EXIT_USAGE;
    }
    if (code == EXIT_FINE)
        code = check_resources(&plan);
    if (code == EXIT_FINE) {
        struct run_options run = {.command = line->name,
                                  .argv = line->argv,
                                  .argc = line->argc,
                                  .interrupted = catch_interrupts(),
                                  .quiet = options->quiet};
        run_plan(&plan, &options->selection, &run, &result);
        print_results(given, &result, left_out);
        print_absent(&plan);
        code = write_reports(&result, options);
        if (code == EXIT_FINE)
            code = code_of_run(&result);
        run_result_free(&result);
    }
    plan_free(&plan);
    catalog_free(&catalog);
    return code;
}

int command_sum(const struct command_line *line) {
    struct given_array given;
    if (line->options->word_count != 1) {
        fprintf(stderr, "reductio: sum wants one array: a .npy file, a raw file with --type, or - for standard "
                        "input.\n");
        return EXIT_USAGE;
    }
    int code = load_array(&given, line->options->words[0], line->options);
    if (code != EXIT_FINE)
        return code;
    code = sum_given(line, &given);
    given_free(&given);
    return code;
}
