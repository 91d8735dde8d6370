// SPDX-License-Identifier: MIT
// The suite proves that it can fail: each planted fault must be found as what it is, by the detector that it names.
#include "harness/cli/commands.h"
#include "harness/runner.h"
#include "harness/support.h"
#include "harness/verdict_sentence.h"
#include "reports/kill_matrix.h"

#include <stdio.h>
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

// What was found instead, for the author of a fault or of a detector.
static void print_other_findings(const struct run_result *result, size_t variant) {
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++) {
        const struct cell_result *first = NULL;
        size_t count = 0;
        for (size_t i = 0; i < result->cell_count; i++) {
            const struct cell_result *cell = &result->cells[i];
            if (cell->variant != variant || cell->head != finding || !finding_is_bad(finding))
                continue;
            first = first ? first : cell;
            count++;
        }
        if (first)
            printf("          found instead: %s by %s in %zu cell%s, first %s: %s\n", finding_word(finding),
                   first->detector, count, PLURAL(count), first->id, first->detail ? first->detail : "");
    }
}

static bool some_cell_is_unchecked(const struct run_result *result, size_t variant) {
    for (size_t i = 0; i < result->cell_count; i++)
        if (result->cells[i].variant == variant && result->cells[i].harness_fault)
            return true;
    return false;
}

static bool report_fault(const struct run_result *result, size_t variant) {
    const struct variant_result *row = &result->variants[variant];
    const struct cell_result *cell = find_catch(result, variant);
    if (cell)
        printf("caught    %s@%s/%s: %s, by %s\n          %s\n          %s\n", row->name, row->backend, row->type,
               row->fault_finding, row->fault_detector, cell->detail ? cell->detail : "", cell->id);
    else if (some_cell_is_unchecked(result, variant)) {
        printf("unchecked %s@%s/%s: some of its cells could not be checked, through no fault of theirs\n", row->name,
               row->backend, row->type);
    } else {
        printf("SURVIVED  %s@%s/%s: should be found as \"%s\" by \"%s\"\n", row->name, row->backend, row->type,
               row->fault_finding, row->fault_detector);
        print_other_findings(result, variant);
    }
    return cell != NULL;
}

static bool is_tried(const struct run_result *result, size_t variant) {
    const struct variant_result *fault = &result->variants[variant];
    for (size_t v = 0; v < result->variant_count; v++)
        if (strcmp(result->variants[v].name, fault->name) == 0 &&
            fault_is_at_home(result->variants[v].backend, fault->fault_detector))
            return true;
    return false;
}

// A fault of a sanitizer that took no part is not caught, and is no reproach either: it is said.
static void report_untried(const struct run_result *result, size_t variant) {
    const struct variant_result *fault = &result->variants[variant];
    if (!is_tried(result, variant))
        printf("not tried %s@%s/%s: %s did not take part\n", fault->name, fault->backend, fault->type,
               fault->fault_detector);
}

// Prints which detector caught which fault; false if in a complete run some detector is not
// needed for any.
static bool report_detectors(const json_t *json, bool complete) {
    struct kill_matrix matrix;
    if (!kill_matrix_make(&matrix, json))
        harness_failed("no memory for the kill matrix.");
    write_kill_matrix_text(&matrix, complete, stdout);
    bool tight = !complete || kill_matrix_is_tight(&matrix);
    kill_matrix_free(&matrix);
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

static int run_selftest(const struct plan *plan, const struct command_line *line, void *context) {
    (void)context;
    struct run_result result;
    const struct run_options run = begin_run(line);
    run_plan(plan, &line->options->selection, &run, &result);
    json_t *json = run_to_json(&result);
    int code = write_files(json, line->options);
    size_t caught = 0, faults = 0; // rows
    for (size_t v = 0; v < result.variant_count; v++) {
        if (!fault_is_at_home(result.variants[v].backend, result.variants[v].fault_detector)) {
            report_untried(&result, v); // others may see it; that is for the kill matrix
            continue;
        }
        caught += report_fault(&result, v);
        faults++;
    }
    puts(result.verdict);
    report_unchecked(&result);
    bool tight = report_detectors(json, runs_everything(&line->options->selection, &result));
    json_decref(json);
    if (code == EXIT_FINE) // a fault that could not be checked has not survived
        code = code_of_run(&result);
    if (code == EXIT_FINE)
        code = caught < faults || !tight ? EXIT_CLAIM_BROKEN : !faults ? EXIT_SKIPPED : EXIT_FINE;
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
