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

// Rows that were chosen and are not run, for their number of elements.
struct left_out {
    struct text_list sentences; // of those whose kernels take fewer
    size_t *dear;               // per backend, rows that would take long and that nobody named
};

// An emulator would sit over a large array for minutes a row. Whoever names rows, or brings them, means them.
static bool is_meant(const struct selection *selection, const struct catalog_backend *backend) {
    return backend->brought || selection->variants.count || selection->backends.count;
}

static bool fits(const struct given_array *given, const struct selection *selection, const struct catalog *catalog,
                 const struct catalog_variant *row, struct left_out *left_out) {
    const struct catalog_backend *backend = &catalog->backends[row->backend];
    if (!catalog_row_takes(row, given->array.n)) {
        char *sentence = text_format("%s@%s/%s is left out: it takes at most %" PRIu64 " number%s.", row->card.name,
                                     row->card.backend, row->card.type, row->card.max_n, PLURAL(row->card.max_n));
        text_list_add(&left_out->sentences, sentence);
        free(sentence);
        return false;
    }
    bool dear = given->array.n > backend->max_n && !is_meant(selection, backend);
    left_out->dear[row->backend] += dear;
    return !dear;
}

static void plan_given(struct plan *plan, struct catalog *catalog, const struct given_array *given,
                       const struct options *options, struct left_out *left_out) {
    struct dataset dataset = {.key = given_key(given), .attacks = ATTACK_RUN};
    struct attack_strength strength = {
        .attacks = ATTACK_RUN, .schedules = SUM_SCHEDULES, .hardware_runs = options->runs ? options->runs : SUM_RUNS};
    struct selection selection = options->selection;
    selection.types = (struct text_list){0}; // --type speaks of the file
    *plan = (struct plan){.catalog = catalog};
    for (size_t v = 0; v < catalog->variant_count; v++) {
        const struct catalog_variant *row = &catalog->variants[v];
        const struct catalog_backend *backend = &catalog->backends[row->backend];
        if ((row->in != given->array.type && !backend->fault) ||
            !selects_variant(&selection, row->card.name, row->card.backend, row->card.type, row->faulty) ||
            !catalog_is_present(catalog, row->backend))
            continue;
        if (*row->card.absent)
            plan_note_absent(plan, (int)v);
        else if (fits(given, &selection, catalog, row, left_out))
            plan_add_cells(plan, (int)v, &dataset, strength);
    }
}

// A glob all of whose rows take other numbers.
static bool only_others_answer(const struct catalog *catalog, const struct given_array *given, const char *glob) {
    struct selection one = {0};
    bool found = false;
    text_list_add(&one.variants, glob);
    for (size_t v = 0; v < catalog->variant_count && !found; v++) {
        const struct catalog_variant *row = &catalog->variants[v];
        found = (row->in == given->array.type || catalog_fault(catalog, v)) &&
                selects_variant(&one, row->card.name, row->card.backend, row->card.type, row->faulty);
    }
    selection_free(&one);
    return !found;
}

static void print_left_out(const struct catalog *catalog, const struct given_array *given,
                           const struct selection *selection, const struct left_out *left_out, FILE *out) {
    for (size_t i = 0; i < selection->variants.count; i++)
        if (only_others_answer(catalog, given, selection->variants.items[i]))
            fprintf(out, "No row of \"%s\" takes numbers of %s.\n", selection->variants.items[i],
                    float_format(given->array.type)->name);
    for (size_t i = 0; i < left_out->sentences.count; i++)
        fprintf(out, "%s\n", left_out->sentences.items[i]);
    for (size_t b = 0; b < catalog->backend_count; b++)
        if (left_out->dear[b])
            fprintf(out,
                    "Rows of %s left out, since more than %" PRIu64
                    " numbers take long there: %zu. --backend %s runs them, and --variant one of them.\n",
                    catalog->backends[b].name, catalog->backends[b].max_n, left_out->dear[b],
                    catalog->backends[b].name);
}

static void print_truth(const struct given_array *given, const struct dataset_result *dataset) {
    const struct npy_array *array = &given->array;
    printf("%" PRIu64 " number%s of %s", array->n, PLURAL(array->n), float_format(array->type)->name);
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

// What the row's own calls say of it, beside the finding of the first.
static void print_repeats(const struct run_result *result, size_t variant) {
    bool differs = false;
    finding_set findings = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        if (cell->variant != variant)
            continue;
        differs |= cell->differs || cell->pattern_count > 1;
        findings |= cell->findings;
    }
    if (differs)
        printf("; differs from call to call%s", findings & 1u << FINDING_VARIED ? "" : ", as its claims allow");
}

// Of an early overflow print_overflows tells, once for all rows.
static bool is_mere_overflow(const struct cell_result *cell) {
    return cell->overflowed_early && (cell->head == FINDING_OVERFLOWED_EARLY || !finding_is_bad(cell->head));
}

static void print_findings(const struct run_result *result, const struct cell_result *cell) {
    bool claims_not_to = cell->findings & 1u << FINDING_OVERFLOWED_EARLY;
    if (!is_mere_overflow(cell))
        printf("%s%s", finding_word(cell->head), cell->overflowed_early ? "; " : "");
    if (cell->overflowed_early)
        printf("overflowed early%s", claims_not_to ? "" : ", as its claims allow");
    print_repeats(result, cell->variant);
    printf("\n");
    if (cell->detail && !is_mere_overflow(cell))
        printf("    %s\n", cell->detail);
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
    print_findings(result, cell);
}

// Rows that were chosen and cannot be run here.
static void print_absent(const struct plan *plan, FILE *out) {
    for (size_t i = 0; i < plan->absent_count; i++) {
        const struct variant_card *card = &plan->catalog->variants[plan->absent[i]].card;
        fprintf(out, "%s@%s/%s was not run: %s\n", card->name, card->backend, card->type, card->absent);
    }
}

// No bound speaks of an infinity that a finite sum does not have, so the reason is given in words.
static void print_overflows(const struct given_array *given, const struct run_result *result) {
    const struct float_format *format = float_format(given->array.type);
    char largest[FLOAT_TEXT];
    size_t count = 0;
    for (size_t i = 0; i < result->cell_count; i++)
        count += !result->cells[i].attack && result->cells[i].overflowed_early;
    if (!count)
        return;
    float_to_decimal(given->array.type, format->max_finite, largest);
    printf("\nRows that overflowed early although the exact sum is finite: %zu. A partial sum left the range of its "
           "format\n(%s ends at %s), and nothing comes back from an infinity. Scale the numbers by a power of two, "
           "or sum\nin a format with a wider range.\n",
           count, format->name, largest);
}

static void print_results(const struct given_array *given, const struct run_result *result) {
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
    free(order);
    print_overflows(given, result);
}

static void run_given(const struct command_line *line, const struct plan *plan, struct run_result *result) {
    struct run_options run = begin_run(line);
    run_plan(plan, &line->options->selection, &run, result);
}

// Nothing is left to run: the rows take other arrays, or cannot run here.
static int refuse_given(const struct plan *plan, const struct given_array *given) {
    print_absent(plan, stderr);
    say_error("no row that is selected %s %" PRIu64 " number%s of %s.",
              plan->absent_count ? "and runs here takes" : "takes", given->array.n, PLURAL(given->array.n),
              float_format(given->array.type)->name);
    return plan->absent_count ? EXIT_SKIPPED : EXIT_USAGE;
}

static int sum_planned(const struct command_line *line, const struct given_array *given, const struct plan *plan,
                       const struct left_out *left_out) {
    const struct options *options = line->options;
    struct run_result result = {0};
    int code = plan->cell_count ? check_resources(plan) : refuse_given(plan, given);
    if (code != EXIT_FINE) {
        print_left_out(plan->catalog, given, &options->selection, left_out, stderr);
        return code;
    }
    run_given(line, plan, &result);
    print_results(given, &result);
    print_left_out(plan->catalog, given, &options->selection, left_out, stdout);
    print_absent(plan, stdout);
    code = write_reports(&result, options);
    if (code == EXIT_FINE)
        code = code_of_run(&result);
    run_result_free(&result);
    return code;
}

static int sum_given(const struct command_line *line, const struct given_array *given) {
    struct options *options = line->options;
    struct selection selection = options->selection;
    struct catalog catalog;
    struct plan plan = {0};
    struct left_out left_out = {0};
    int code = open_catalog(&catalog, options, false);
    if (code != EXIT_FINE)
        return code;
    selection.types = (struct text_list){0};
    left_out.dear = must_calloc(catalog.backend_count, sizeof *left_out.dear);
    code = check_selection(&catalog, &selection);
    if (code == EXIT_FINE) {
        plan_given(&plan, &catalog, given, options, &left_out);
        code = sum_planned(line, given, &plan, &left_out);
    }
    text_list_free(&left_out.sentences);
    free(left_out.dear);
    plan_free(&plan);
    catalog_free(&catalog);
    return code;
}

int command_sum(const struct command_line *line) {
    struct given_array given;
    if (line->options->word_count != 1) {
        say_error("sum wants one array: a .npy file, a raw file with --type, or - for standard "
                  "input.");
        return EXIT_USAGE;
    }
    int code = load_array(&given, line->options->words[0], line->options);
    if (code != EXIT_FINE)
        return code;
    code = sum_given(line, &given);
    given_free(&given);
    return code;
}
