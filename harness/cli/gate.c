// SPDX-License-Identifier: MIT
// How a run ends: files, summary, baseline, and for the gates an opinion. Baselines are results files in the folder
// .reductio of the directory that the program is run in, to be committed with the kernels that they describe.
#include "harness/cell.h"
#include "harness/cli/commands.h"
#include "harness/cli/outputs.h"
#include "harness/support.h"
#include "reports/compare.h"
#include "reports/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BASELINE_FOLDER ".reductio"

enum { CHANGED_CELLS = 20 };

// ---- baselines ----

static bool is_baseline_name(const char *name) {
    bool good = isalnum((unsigned char)*name);
    for (; *name && good; name++)
        good = isalnum((unsigned char)*name) || strchr("-_.", *name);
    if (!good)
        say_error("a baseline's name is made of letters, digits, '-', '_' and '.'.");
    return good;
}

static char *baseline_path(const char *name) {
    return text_format(BASELINE_FOLDER "/%s.json", name);
}

static bool baseline_can_be_saved(const char *name) {
    char *path = baseline_path(name);
    bool good = output_can_be_made(path);
    free(path);
    return good;
}

static bool save_baseline(const char *name, const json_t *run) {
    char message[REPORT_MESSAGE];
    char *path = baseline_path(name);
    bool good = true;
    if (mkdir(BASELINE_FOLDER, 0777) != 0 && errno != EEXIST) {
        snprintf(message, sizeof message, BASELINE_FOLDER " cannot be made: %s.", strerror(errno));
        good = false;
    }
    good = good && report_save(path, report_write_json, run, message);
    if (good)
        printf("Baseline %s: %s\n", name, path);
    else
        say_error("%s", message);
    free(path);
    return good;
}

static const char *tier_word(const struct selection *selection) {
    return selection->tier == TIER_FULL ? "full" : "smoke";
}

int check_baseline(const struct options *options, const json_t *baseline, uint64_t seed, const char *tier,
                   bool one_of_several) {
    if (one_of_several && (options->baseline || options->save_baseline)) {
        say_error("one shard is neither a baseline nor to be held against one: do that in merge.");
        return EXIT_USAGE;
    }
    if (!baseline)
        return EXIT_FINE;
    if (strtoull(text_of(baseline, "seed"), NULL, 16) != seed) {
        say_error("the baseline %s has the seed %llu: its cells hold other data.", options->baseline,
                  strtoull(text_of(baseline, "seed"), NULL, 16));
        return EXIT_USAGE;
    }
    if (strcmp(text_of(baseline, "tier"), tier) != 0) {
        say_error("the baseline %s was made with --tier %s.", options->baseline, text_of(baseline, "tier"));
        return EXIT_USAGE;
    }
    return EXIT_FINE;
}

int load_baseline(const struct options *options, json_t **baseline) {
    *baseline = NULL;
    if ((options->baseline && !is_baseline_name(options->baseline)) ||
        (options->save_baseline &&
         (!is_baseline_name(options->save_baseline) || !baseline_can_be_saved(options->save_baseline))))
        return EXIT_USAGE;
    if (!options->baseline)
        return EXIT_FINE;
    char *path = baseline_path(options->baseline);
    *baseline = load_results(path);
    free(path);
    return *baseline ? EXIT_FINE : EXIT_USAGE;
}

int open_baseline(const struct options *options, json_t **baseline) {
    const struct selection *selection = &options->selection;
    int code = load_baseline(options, baseline);
    return code != EXIT_FINE
               ? code
               : check_baseline(options, *baseline, selection->seed, tier_word(selection), selection->shard_count > 1);
}

bool selects_identity(const struct selection *selection, const char *id) {
    struct cell_key key;
    char dataset[DATASET_TEXT * 2];
    if (!cell_key_parse(id, &key))
        return true;
    snprintf(dataset, sizeof dataset, "%s/%s/%llu/%s", key.type, key.values, (unsigned long long)key.n, key.order);
    return selects_variant(selection, key.variant, key.backend, key.type, false) &&
           selects_case(selection, key.values, dataset) && selects_cell(selection, id);
}

// The baseline without the cells that this run was told to leave out: those are not gone. What is no cell any more is.
static json_t *narrow_baseline(const json_t *baseline, const json_t *run, const struct selection *selection) {
    size_t i;
    json_t *cell, *ran = json_object(), *cells = json_array(), *narrowed = json_copy((json_t *)baseline);
    bool good = ran && cells && narrowed && json_object_set(narrowed, "cells", cells) == 0;
    json_array_foreach(json_object_get(run, "cells"), i, cell) {
        good = good && json_object_set_new_nocheck(ran, text_of(cell, "id"), json_true()) == 0;
    }
    json_array_foreach(json_object_get(baseline, "cells"), i, cell) {
        const char *id = text_of(cell, "id");
        if (good && (json_object_get(ran, id) || selects_identity(selection, id)))
            good = json_array_append(cells, cell) == 0;
    }
    json_decref(ran);
    json_decref(cells);
    if (!good)
        harness_failed("no memory for the baseline.");
    return narrowed;
}

// "…; 3 changed bits since the baseline.": how many variants, by name, as in the rest of the sentence.
static void extend_verdict(json_t *run, const struct comparison *comparison) {
    const char *verdict = text_of(run, "verdict");
    size_t length = strlen(verdict);
    length -= length && verdict[length - 1] == '.';
    char *text = text_format("%.*s; %zu changed bits since the baseline.", (int)length, verdict,
                             comparison_changed_variants(comparison));
    if (json_object_set_new(run, "verdict", json_string(text)))
        harness_failed("no memory for the verdict.");
    free(text);
}

// ---- the end of a run ----

static int close_json(const json_t *run, const struct run_result *result, const struct options *options) {
    char message[REPORT_MESSAGE];
    int code = write_files(run, options);
    bool interrupted = json_is_true(json_object_get(run, "interrupted"));
    json_t *shown = report_with_given_words(run, result);
    if (!shown || !report_print_terminal(shown, stdout, message))
        harness_failed("%s", shown ? message : "no memory for the summary.");
    json_decref(shown);
    if (options->save_baseline && (interrupted || count_harness_faults(result)))
        say_error("%s is no baseline: %s stays as it was.",
                  interrupted ? "an interrupted run" : "a run with cells that could not be checked",
                  options->save_baseline);
    else if (options->save_baseline && !save_baseline(options->save_baseline, run))
        code = EXIT_USAGE;
    return code != EXIT_FINE ? code : interrupted ? EXIT_INTERRUPTED : EXIT_FINE;
}

int close_run(const struct run_result *result, const struct options *options) {
    json_t *run = run_to_json(result);
    int code = close_json(run, result, options);
    json_decref(run);
    return code == EXIT_FINE ? code_of_run(result) : code;
}

static void hold_against(struct comparison *comparison, const json_t *narrowed, json_t *run) {
    char message[REPORT_MESSAGE];
    if (!comparison_make(comparison, narrowed, run, message))
        harness_failed("%s", message);
    extend_verdict(run, comparison);
}

// What stands against a merge besides broken claims, as a member of the run, so that every report can say it.
static void note_refusal(json_t *run, const struct run_result *result, const struct comparison *comparison,
                         const char *baseline) {
    char *text = NULL;
    if (result->stale_known_lines)
        text = text_append(text, "Lines of reductio-known.txt that no longer apply: %" PRIu64 ".",
                           result->stale_known_lines);
    if (count_harness_faults(result))
        text = text_append(text, "Cells that could not be checked, through no fault of their rows: %zu.",
                           count_harness_faults(result));
    if (comparison->counts[CHANGE_WORSE] || comparison->counts[CHANGE_GONE])
        text = text_append(text, "Cells that are worse than in the baseline %s: %zu; gone: %zu.", baseline,
                           comparison->counts[CHANGE_WORSE], comparison->counts[CHANGE_GONE]);
    if (text && json_object_set_new(run, "refusal", json_string(text)))
        harness_failed("no memory for the verdict.");
    free(text);
}

// Cells there were, and nobody could look in one of them.
static bool nothing_was_tested(const struct run_result *result) {
    for (size_t i = 0; i < result->cell_count; i++)
        if (result->cells[i].head != FINDING_NOT_CHECKED)
            return false;
    return result->cell_count > 0;
}

int close_gate(const struct run_result *result, const struct options *options, const json_t *baseline) {
    json_t *run = run_to_json(result);
    json_t *narrowed = baseline ? narrow_baseline(baseline, run, &options->selection) : NULL;
    struct comparison comparison = {0};
    if (narrowed)
        hold_against(&comparison, narrowed, run);
    note_refusal(run, result, &comparison, options->baseline);
    int code = close_json(run, result, options);
    int announced = announce_on_github(run, options);
    if (narrowed) {
        printf("\nSince the baseline %s:\n", options->baseline);
        comparison_write_terminal(&comparison, CHANGED_CELLS, stdout);
    }
    if (code == EXIT_FINE)
        code = announced != EXIT_FINE                          ? announced
               : gate_fails(result)                            ? EXIT_CLAIM_BROKEN
               : narrowed && comparison_regressed(&comparison) ? EXIT_REGRESSION
               : count_harness_faults(result)                  ? EXIT_HARNESS_FAILED
               : nothing_was_tested(result)                    ? EXIT_SKIPPED
                                                               : EXIT_FINE;
    comparison_free(&comparison);
    json_decref(narrowed);
    json_decref(run);
    return code;
}
