// SPDX-License-Identifier: MIT
// hazards: races, and accesses out of bounds, by the sanitizer builds of the emulator. What a sum comes to is no
// concern here.
#include "harness/cli/commands.h"
#include "harness/cli/hazard_build.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A sanitizer makes a thread cost about a millisecond, more where the machine is busy.
enum { HAZARD_LIMIT_SECONDS = 120 };

static bool is_hazard(enum finding finding) {
    return finding == FINDING_RACED || finding == FINDING_OUT_OF_BOUNDS || finding == FINDING_MISUSED ||
           finding == FINDING_CRASHED || finding == FINDING_HUNG;
}

// What the cells of one name, over its types and sanitizers, come to.
struct summary {
    size_t clean[2], unchecked; // cells, clean by sanitizer
    const struct cell_result *first_hazard, *first_unchecked;
    size_t hazards;
};

// A sanitizer names the access and its line; a guard found afterwards does not.
static bool tells_more(const struct cell_result *cell, const struct cell_result *than) {
    bool named = strcmp(cell->detector, "tsan") == 0 || strcmp(cell->detector, "asan") == 0;
    bool than_named = than && (strcmp(than->detector, "tsan") == 0 || strcmp(than->detector, "asan") == 0);
    return !than || (named && !than_named);
}

static void add_cell(struct summary *summary, const struct cell_result *cell, const char *backend) {
    if (is_hazard(cell->head)) {
        if (tells_more(cell, summary->first_hazard))
            summary->first_hazard = cell;
        summary->hazards++;
    } else if (cell->head == FINDING_NOT_CHECKED || (cell->head == FINDING_DID_NOT_RUN && !cell->has_result)) {
        summary->first_unchecked = summary->first_unchecked ? summary->first_unchecked : cell;
        summary->unchecked++;
    } else {
        summary->clean[strcmp(backend, "asan") == 0]++;
    }
}

static struct summary sum_up(const struct run_result *result, const char *name) {
    struct summary summary = {0};
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct variant_result *row = &result->variants[result->cells[i].variant];
        if (strcmp(row->name, name) == 0)
            add_cell(&summary, &result->cells[i], row->backend);
    }
    return summary;
}

static void print_paste_line(const struct run_result *result, const struct cell_result *cell) {
    const struct row_call *call = &result->variants[cell->variant].given;
    const char *before = call->variables, *words = call->arguments;
    char *id = text_quote_word(cell->id);
    printf("    %s%sreductio run --cell %s%s%s\n", before ? before : "", before ? " " : "", id, words ? " " : "",
           words ? words : "");
    free(id);
}

static void print_summary(const struct run_result *result, const char *name, const struct summary *summary) {
    const struct cell_result *cell = summary->first_hazard, *unchecked = summary->first_unchecked;
    if (cell) {
        printf("%s: %s in %zu cell%s: %s\n", name, finding_word(cell->head), summary->hazards, PLURAL(summary->hazards),
               cell->detail ? cell->detail : "");
        print_paste_line(result, cell);
    } else if (summary->clean[0] || summary->clean[1])
        printf("%s: clean under %s%s%s (%zu cell%s)\n", name, summary->clean[0] ? "tsan" : "",
               summary->clean[0] && summary->clean[1] ? " and " : "", summary->clean[1] ? "asan" : "",
               summary->clean[0] + summary->clean[1], PLURAL(summary->clean[0] + summary->clean[1]));
    if (unchecked) {
        printf("%s: not checked in %zu cell%s: %s\n", name, summary->unchecked, PLURAL(summary->unchecked),
               unchecked->detail ? unchecked->detail : "");
        print_paste_line(result, unchecked);
    }
}

static bool is_first_of_name(const struct run_result *result, size_t variant) {
    for (size_t v = 0; v < variant; v++)
        if (strcmp(result->variants[v].name, result->variants[variant].name) == 0)
            return false;
    return true;
}

struct name_counts {
    size_t names, bad, clean; // of the last the cells
};

static struct name_counts count_names(const struct run_result *result) {
    struct name_counts counts = {0};
    for (size_t v = 0; v < result->variant_count; v++) {
        if (!is_first_of_name(result, v))
            continue;
        struct summary summary = sum_up(result, result->variants[v].name);
        counts.bad += summary.first_hazard != NULL;
        counts.clean += summary.clean[0] + summary.clean[1];
        counts.names++;
    }
    return counts;
}

// The verdict of the reports, too: of the claims only one is at stake here.
static void set_verdict(struct run_result *result, const struct name_counts *counts) {
    free(result->verdict);
    result->verdict = text_format("%zu of %zu variants have a hazard%s%s.", counts->bad, counts->names,
                                  counts->bad || counts->clean ? "" : ", and nothing was checked",
                                  result->interrupted ? " (interrupted: not all cells were run)" : "");
}

static void print_names(const struct run_result *result) {
    for (size_t v = 0; v < result->variant_count; v++)
        if (is_first_of_name(result, v)) {
            struct summary summary = sum_up(result, result->variants[v].name);
            print_summary(result, result->variants[v].name, &summary);
        }
    puts(result->verdict);
}

static int code_of_names(const struct run_result *result, const struct name_counts *counts) {
    return result->interrupted            ? EXIT_INTERRUPTED
           : counts->bad                  ? EXIT_CLAIM_BROKEN
           : count_harness_faults(result) ? EXIT_HARNESS_FAILED
           : counts->clean                ? EXIT_FINE
                                          : EXIT_SKIPPED;
}

static int run_hazards(const struct plan *plan, const struct command_line *line, void *context) {
    (void)context;
    struct run_result result;
    const struct run_options run = begin_run(line);
    run_plan(plan, &line->options->selection, &run, &result);
    const struct name_counts counts = count_names(&result);
    set_verdict(&result, &counts);
    int code = write_reports(&result, line->options);
    print_names(&result);
    code = code == EXIT_FINE ? code_of_names(&result, &counts) : code;
    run_result_free(&result);
    return code;
}

// The hazard builds that are there; says which are not, and why. Rows that the command line brought come with their
// own.
static size_t count_builds(struct catalog *catalog, bool brought) {
    size_t present = 0;
    for (size_t b = 0; b < catalog->backend_count; b++) {
        const struct catalog_backend *backend = &catalog->backends[b];
        bool here = backend->hazard && catalog_is_present(catalog, (int)b);
        present += here;
        if (backend->hazard && !here && !brought)
            say_error("nothing is checked under %s: %s", backend->name, backend->absent);
    }
    return present;
}

static int plan_hazards(struct plan *plan, const struct command_line *line, void *context) {
    (void)context;
    struct catalog *catalog = plan->catalog;
    if (count_builds(catalog, brings_rows(line->options)) == 0)
        return EXIT_SKIPPED;
    for (size_t v = 0; v < catalog->variant_count; v++) {
        const struct catalog_variant *row = &catalog->variants[v];
        const struct catalog_backend *backend = &catalog->backends[row->backend];
        if (backend->hazard && !*row->card.absent &&
            selects_variant(&line->options->selection, row->card.name, row->card.backend, row->card.type,
                            row->faulty) &&
            catalog_is_present(catalog, row->backend))
            plan_add_hazard_cells(plan, (int)v, line->options->selection.tier);
    }
    return EXIT_FINE;
}

// Opens the catalogue, and again if it took a build to fill it. Rows that the command line brought need no build but
// their own.
static int open_with_builds(struct catalog *catalog, const struct command_line *line) {
    int code = open_catalog(catalog, line->options, true);
    if (code != EXIT_FINE || brings_rows(line->options))
        return code;
    enum hazard_build done = build_missing_hazards(catalog, &line->options->selection);
    if (done == HAZARDS_AS_THEY_ARE)
        return EXIT_FINE;
    catalog_free(catalog);
    return done == HAZARDS_BUILT ? open_catalog(catalog, line->options, true) : EXIT_HARNESS_FAILED;
}

int command_hazards(const struct command_line *line) {
    static const struct planned_run steps = {plan_hazards, run_hazards, .nothing = "nothing to check"};
    struct selection *selection = &line->options->selection;
    struct catalog catalog;
    select_words(line->options);
    if (!selection->limit_seconds)
        selection->limit_seconds = HAZARD_LIMIT_SECONDS;
    int code = open_with_builds(&catalog, line);
    if (code != EXIT_FINE)
        return code;
    prefer_brought_rows(line->options, &catalog);
    code = run_planned(&catalog, line, &steps);
    catalog_free(&catalog);
    return code;
}
