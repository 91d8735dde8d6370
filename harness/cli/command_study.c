// SPDX-License-Identifier: MIT
// study: how far the results of a row vary, attack by attack, on data where order matters and on a control where it
// must not.
#include "harness/cli/commands.h"
#include "harness/cli/search.h"
#include "harness/cli/sweep.h"
#include "harness/runner.h"
#include "harness/support.h"
#include "reports/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMULATOR_N = 4097, HARDWARE_N = 1 << 22, EMULATOR_RUNS = 50, HARDWARE_RUNS = 1000, BUSY_PERCENT = 50 };
// Each run of a program costs a copy of the array through a pipe: 1000 of 2^22 elements would be tens of gigabytes.
enum { PROGRAM_N = 1 << 16, PROGRAM_RUNS = 200 };

static const char *const study_values[] = {"uniform", "symmetric", "cond1e8"};
// Beside every study, whatever is selected: where no addition rounds, nothing may vary.
#define CONTROL "integers"

static bool emulated(const struct catalog_variant *row) {
    return strcmp(row->card.backend, "simt") == 0;
}

static bool of_program(const struct catalog_variant *row) {
    return strcmp(row->card.backend, "exec") == 0;
}

static unsigned default_runs(const struct catalog_variant *row) {
    return emulated(row) ? EMULATOR_RUNS : of_program(row) ? PROGRAM_RUNS : HARDWARE_RUNS;
}

static uint64_t default_n(const struct catalog_variant *row) {
    return emulated(row) ? EMULATOR_N : of_program(row) ? PROGRAM_N : HARDWARE_N;
}

// The size that a family asks for comes first, then the one that the user asks for (0 = none).
static void add_study_cells(struct plan *plan, int variant, const struct case_values *values, uint64_t wanted_n,
                            const struct options *options) {
    const struct catalog_variant *row = &plan->catalog->variants[variant];
    unsigned runs = options->runs ? options->runs : default_runs(row);
    struct attack_strength strength = {.attacks = options->vary ? options->vary : EVERY_ATTACK,
                                       .schedules = runs,
                                       .shuffles = 8,
                                       .hardware_runs = runs,
                                       .hostile = options->vary_schedule,
                                       .busy_percent = options->busy ? BUSY_PERCENT : 0,
                                       .devices = plan_devices(plan->catalog, &options->selection)};
    uint64_t n = values->fixed_n ? values->fixed_n : wanted_n ? wanted_n : default_n(row);
    if (!catalog_row_takes(row, n) || (values->refusal && values->refusal(values, row->in, n)))
        return;
    struct dataset dataset = {.key = {.type = row->in, .values = values, .n = n, .order = "given"},
                              .attacks = EVERY_ATTACK};
    int base = plan_add_cells(plan, variant, &dataset, strength);
    // A row that lists one shape ignores it, or can take no other.
    if (strength.attacks & ATTACK_SHAPE && row->card.shape_count > 1)
        plan_add_threads(plan, base);
}

static bool values_are_studied(const struct selection *selection, const struct case_values *values) {
    if (strcmp(values->name, CONTROL) == 0)
        return true;
    if (glob_matches_any(&selection->skip_cases, values->name))
        return false;
    if (selection->cases.count)
        return glob_matches_any(&selection->cases, values->name);
    for (size_t i = 0; i < sizeof study_values / sizeof *study_values; i++)
        if (strcmp(study_values[i], values->name) == 0)
            return true;
    return false;
}

// What a study is made of beside the options.
struct study {
    const struct options *options;
    struct sweep sweep;
    json_t *gallery; // NULL where none was asked for
};

static void add_sweep_cells(struct plan *plan, int variant, const struct study *study) {
    const struct sweep *sweep = &study->sweep;
    const struct options *options = study->options;
    if (sweep->over_condition)
        add_study_cells(plan, variant, case_values_find(CONTROL), options->n, options);
    for (size_t step = 0; step < sweep->count; step++) {
        if (sweep->over_condition) {
            add_study_cells(plan, variant, sweep->values[step], options->n, options);
            continue;
        }
        for (size_t i = 0; i < case_values_count(); i++) {
            const struct case_values *values = case_values_at(i);
            if (values_are_studied(&options->selection, values) && !values->fixed_n)
                add_study_cells(plan, variant, values, sweep->n[step], options);
        }
    }
}

static int add_row(struct plan *plan, int variant, const void *context) {
    const struct study *study = context;
    const struct options *options = study->options;
    if (study->sweep.count)
        add_sweep_cells(plan, variant, study);
    for (size_t i = 0; i < case_values_count() && !study->sweep.count; i++)
        if (values_are_studied(&options->selection, case_values_at(i)))
            add_study_cells(plan, variant, case_values_at(i), options->n, options);
    return EXIT_FINE;
}

static int plan_study(struct plan *plan, const struct command_line *line, void *study) {
    int code = check_case_names(&line->options->selection);
    plan->attacks = line->options->vary;
    return code != EXIT_FINE ? code : plan_rows(plan, &line->options->selection, add_row, study);
}

// The table of a sweep has a line a step, where others have a line a cell.
static int write_study_files(const json_t *run, const struct options *options) {
    struct options others = *options;
    char message[REPORT_MESSAGE];
    if (!options->sweep)
        return write_files(run, options);
    others.csv = NULL;
    if (options->csv && !report_save(options->csv, report_write_sweep, run, message)) {
        say_error("%s", message);
        return EXIT_USAGE;
    }
    return write_files(run, &others);
}

static int run_study(const struct plan *plan, const struct command_line *line, void *context) {
    const struct study *study = context;
    struct run_result result;
    char message[REPORT_MESSAGE];
    const struct run_options run = begin_run(line);
    print_seed(line->options);
    run_plan(plan, &line->options->selection, &run, &result);
    json_t *json = report_of_result(&result, message), *shown = json ? report_with_given_words(json, &result) : NULL;
    if (!shown || !report_write_study(shown, stdout, message) ||
        (line->options->vary_schedule && !report_write_schedules(shown, study->gallery, stdout, message)))
        harness_failed("%s", json && !shown ? "no memory for the report." : message);
    json_decref(shown);
    int code = write_study_files(json, line->options);
    json_decref(json);
    if (code == EXIT_FINE)
        code = code_of_run(&result);
    run_result_free(&result);
    return code;
}

// *gallery is NULL where none was asked for.
static int load_gallery(const struct options *options, json_t **gallery) {
    if (!options->gallery)
        return EXIT_FINE;
    if (!options->vary_schedule) {
        say_error("--gallery is for study --vary schedule.");
        return EXIT_USAGE;
    }
    *gallery = load_results(options->gallery);
    return *gallery ? EXIT_FINE : EXIT_USAGE;
}

static int study_rows(struct catalog *catalog, const struct command_line *line) {
    struct study study = {.options = line->options};
    const struct planned_run steps = {plan_study, run_study, .nothing = "nothing to study", .context = &study};
    int code = load_gallery(line->options, &study.gallery);
    if (code == EXIT_FINE && line->options->sweep && !sweep_parse(&study.sweep, line->options->sweep))
        code = EXIT_USAGE;
    if (code == EXIT_FINE)
        code = run_planned(catalog, line, &steps);
    json_decref(study.gallery);
    return code;
}

static int search_rows(struct catalog *catalog, const struct command_line *line) {
    int code = check_selection(catalog, &line->options->selection);
    return code == EXIT_FINE ? search_worst_inputs(catalog, line) : code;
}

// What one option says, another must not say too.
static bool options_agree(const struct options *options) {
    const struct selection *selection = &options->selection;
    bool sizes = options->sweep && options->sweep[0] == 'n', conditions = options->sweep && !sizes;
    if (sizes && options->n)
        say_error("--sweep n=... says the sizes, and -n says another.");
    else if (conditions && (selection->cases.count || selection->skip_cases.count))
        say_error("--sweep cond=... says the cases, and --case and --skip-case say others.");
    else if ((options->runs || options->busy) && options->vary && !(options->vary & ATTACK_RUN))
        say_error("--runs and --busy are for --vary run or schedule.");
    else if (options->output && !options->name)
        say_error("-o says where the case of --name goes, and there is no --name.");
    else
        return true;
    return false;
}

int command_study(const struct command_line *line) {
    struct options *options = line->options;
    struct catalog catalog;
    select_words(options);
    if (!options->selection.variants.count && !brings_rows(options)) {
        say_error("study wants the rows to study, as names or globs.");
        return EXIT_USAGE;
    }
    if (!options_agree(options))
        return EXIT_USAGE;
    int code = open_catalog(&catalog, options, false);
    if (code != EXIT_FINE)
        return code;
    prefer_brought_rows(options, &catalog);
    code = options->search ? search_rows(&catalog, line) : study_rows(&catalog, line);
    catalog_free(&catalog);
    return code;
}
