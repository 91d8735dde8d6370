// SPDX-License-Identifier: MIT
// The suite proves that it can fail: each planted fault must be found as what it is, by the detector that it names.
#include "harness/cli/commands.h"
#include "harness/runner.h"
#include "harness/support.h"
#include "harness/verdict_sentence.h"
#include "reports/kill_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SELFTEST_LIMIT_SECONDS = 1 };

// A fault that hangs costs its whole time limit, once more than others in a second worker, so it gets a shorter one
// than a real row.
static void shorten_limit(struct selection *selection) {
    if (selection->limit_seconds)
        return;
    selection->limit_seconds = SELFTEST_LIMIT_SECONDS;
    selection->limit_is_short = true;
}

// A detector that cannot see in some cells is blind there, not broken: how many of how many, and why.
static void report_unchecked(const struct run_result *result) {
    const struct cell_result *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        if (result->cells[i].head != FINDING_NOT_CHECKED)
            continue;
        first = first ? first : &result->cells[i];
        count++;
    }
    if (first)
        printf("%zu of %zu cells were not checked, first %s: %s\n", count, result->cell_count, first->id,
               first->detail ? first->detail : "");
}

static bool is_found_alike(const struct cell_result *a, const struct cell_result *b) {
    return a->variant == b->variant && a->head == b->head && strcmp(a->detector, b->detector) == 0;
}

// What was found instead, for the author of a fault or of a detector.
static void print_other_findings(const struct run_result *result, size_t variant) {
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *first = &result->cells[i];
        size_t earlier = 0, count = 0;
        if (first->variant != variant || !finding_is_bad(first->head))
            continue;
        for (size_t k = 0; k < result->cell_count && !earlier; k++)
            if (finding_is_bad(result->cells[k].head) && is_found_alike(&result->cells[k], first)) {
                earlier += k < i;
                count++;
            }
        if (!earlier)
            printf("          found instead: %s by %s in %zu cell%s, first %s: %s\n", finding_word(first->head),
                   first->detector, count, PLURAL(count), first->id, first->detail ? first->detail : "");
    }
}

static const struct cell_result *find_catch(const struct run_result *result, const struct fault_row *row,
                                            size_t variant) {
    for (size_t i = 0; i < result->cell_count; i++)
        if (result->cells[i].variant == variant &&
            fault_row_is_caught_in(row, result->cells[i].head, result->cells[i].detector))
            return &result->cells[i];
    return NULL;
}

static void report_fault(const struct run_result *result, const struct fault_row *row, size_t variant) {
    if (!fault_row_is_at_home(row) && row->outcome != FAULT_NOT_TRIED)
        return; // other backends may see it; that is for the kill matrix
    printf("%-9s %s@%s/%s: ", fault_outcome_label(row->outcome), row->name, row->backend, row->type);
    switch (row->outcome) {
    case FAULT_CAUGHT: {
        const struct cell_result *cell = find_catch(result, row, variant);
        printf("%s, by %s\n          %s\n          %s\n", row->finding, row->detector, cell->detail ? cell->detail : "",
               cell->id);
        break;
    }
    case FAULT_NOT_TRIED: // no reproach, but it is said
        printf("no backend took part on which %s must find it\n", row->detector);
        break;
    case FAULT_NOT_CHECKED:
        puts("not all of its cells were checked, and none of those that were shows it");
        break;
    default:
        printf("should be found as \"%s\" by \"%s\"\n", row->finding, row->detector);
        print_other_findings(result, variant);
    }
}

// Prints which detector found which fault; false if in a complete run some detector is not
// needed for any.
static bool report_detectors(const json_t *json, bool complete) {
    struct kill_matrix matrix;
    struct run_view view;
    if (!run_view_make(&view, json) || !kill_matrix_make(&matrix, &view))
        harness_failed("no memory for the kill matrix.");
    write_kill_matrix_text(&matrix, complete, stdout);
    bool tight = !complete || kill_matrix_is_tight(&matrix);
    kill_matrix_free(&matrix);
    run_view_free(&view);
    return tight;
}

// Only then must each detector find something: a part of the faults or of the cases need not have work for all.
static bool runs_everything(const struct selection *selection, const struct run_result *result) {
    return !selection->variants.count && !selection->skip_variants.count && !selection->cases.count &&
           !selection->skip_cases.count && !selection->types.count && !selection->cells.count &&
           !selection->shard_count && !result->interrupted;
}

static int plan_selftest(struct plan *plan, const struct command_line *line, void *context) {
    (void)context;
    plan_tier(plan, plan->catalog, &line->options->selection, true);
    return EXIT_FINE;
}

static int code_of_faults(const size_t faults[FAULT_OUTCOMES], bool tight) {
    if (faults[FAULT_FOUND_OTHERWISE] || faults[FAULT_SURVIVED] || faults[FAULT_NOT_CHECKED] || !tight)
        return EXIT_CLAIM_BROKEN;
    return faults[FAULT_CAUGHT] ? EXIT_FINE : EXIT_SKIPPED;
}

static int run_selftest(const struct plan *plan, const struct command_line *line, void *context) {
    (void)context;
    struct run_result result;
    const struct run_options run = begin_run(line);
    run_plan(plan, &line->options->selection, &run, &result);
    json_t *json = run_to_json(&result);
    int code = write_files(json, line->options);
    struct fault_row *rows = fault_rows_of(&result);
    size_t faults[FAULT_OUTCOMES];
    fault_rows_count(rows, result.variant_count, faults);
    for (size_t v = 0; v < result.variant_count; v++)
        report_fault(&result, &rows[v], v);
    free(rows);
    puts(result.verdict);
    report_unchecked(&result);
    bool tight = report_detectors(json, runs_everything(&line->options->selection, &result));
    json_decref(json);
    if (code == EXIT_FINE) // a fault that could not be checked has not survived
        code = code_of_run(&result);
    if (code == EXIT_FINE)
        code = code_of_faults(faults, tight);
    run_result_free(&result);
    return code;
}

int command_selftest(const struct command_line *line) {
    static const struct planned_run steps = {plan_selftest, run_selftest, .nothing = "no planted fault to run"};
    struct catalog catalog;
    select_words(line->options);
    shorten_limit(&line->options->selection);
    int code = open_catalog(&catalog, line->options, true);
    if (code != EXIT_FINE)
        return code;
    code = run_planned(&catalog, line, &steps);
    catalog_free(&catalog);
    return code;
}
