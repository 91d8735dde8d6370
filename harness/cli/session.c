// SPDX-License-Identifier: MIT
// What the running commands share: opening the catalogue, refusing what cannot be done, running, writing.
#include "harness/cli/commands.h"
#include "harness/memory_file.h"
#include "harness/order/probe.h"
#include "harness/runner.h"
#include "harness/support.h"
#include "reports/reports.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_programs(struct catalog *catalog, const struct options *options) {
    char message[BACKEND_MESSAGE];
    for (size_t i = 0; i < options->programs.count; i++) {
        const char *command = options->programs.items[i];
        if (catalog_add_program(catalog, command, options->selection.limit_seconds, message))
            continue;
        say_error("--exec \"%s\": %s", command, message);
        enum work_outcome outcome = catalog->backends[catalog->backend_count - 1].outcome;
        return outcome == WORK_LOST           ? EXIT_HARNESS_FAILED
               : outcome == WORK_NOT_POSSIBLE ? EXIT_USAGE
                                              : EXIT_CLAIM_BROKEN;
    }
    return EXIT_FINE;
}

// A plug-in that cannot be loaded is told of at once, and again by its row at the end.
static int add_plugins(struct catalog *catalog, const struct options *options) {
    char message[BACKEND_MESSAGE];
    for (size_t i = 0; i < options->plugins.count; i++) {
        if (!catalog_add_plugin(catalog, options->plugins.items[i], options->selection.limit_seconds, message)) {
            say_error("--plugin %s: %s", options->plugins.items[i], message);
            return EXIT_USAGE;
        }
        const struct catalog_backend *added = &catalog->backends[catalog->backend_count - 1];
        if (added->fault)
            say_error("%s", added->fault);
    }
    return EXIT_FINE;
}

static bool is_hazard_cell(const char *cell) {
    struct cell_key key;
    return cell_key_parse(cell, &key) && is_sanitizer(key.backend);
}

static bool names_hazards(const struct selection *selection) {
    bool named = false;
    for (size_t i = 0; i < selection->backends.count; i++)
        named |= is_sanitizer(selection->backends.items[i]);
    for (size_t i = 0; i < selection->cells.count; i++)
        named |= is_hazard_cell(selection->cells.items[i]);
    return named;
}

// A glob of cells may mean any.
static bool cells_may_be_on(const struct selection *selection, const char *backend) {
    struct cell_key key;
    for (size_t i = 0; i < selection->cells.count; i++)
        if (!cell_key_parse(selection->cells.items[i], &key) || strcmp(key.backend, backend) == 0)
            return true;
    return false;
}

// Cells name their backends, and rows that the command line brings do without others unless a backend is named as well.
static bool is_meant(const struct options *options, const char *backend) {
    const struct selection *selection = &options->selection;
    if (selection->cells.count)
        return cells_may_be_on(selection, backend);
    return selects_backend(selection, backend) && (selection->backends.count || !brings_rows(options));
}

// A run that leaves a backend out because its worker is gone would look like one that found nothing there.
static bool has_its_workers(const struct catalog *catalog, const struct options *options) {
    for (size_t b = 0; b < catalog->backend_count; b++)
        if (catalog->backends[b].lost && is_meant(options, catalog->backends[b].name)) {
            say_error("the worker of the backend %s is lost: %s Build or install reductio anew.",
                      catalog->backends[b].name, catalog->backends[b].absent);
            return false;
        }
    return true;
}

int open_catalog(struct catalog *catalog, const struct options *options, bool with_hazards) {
    const char *fault = cases_load(NULL);
    if (fault) {
        say_error("%s", fault);
        return EXIT_USAGE;
    }
    catalog_load(catalog, options->selection.device);
    if (!has_its_workers(catalog, options)) {
        catalog_free(catalog);
        return EXIT_HARNESS_FAILED;
    }
    if (with_hazards || names_hazards(&options->selection))
        catalog_add_hazards(catalog);
    int code = add_programs(catalog, options);
    if (code == EXIT_FINE)
        code = add_plugins(catalog, options);
    if (code == EXIT_FINE)
        code = add_own_files(catalog, options, with_hazards);
    if (code != EXIT_FINE)
        catalog_free(catalog);
    return code;
}

bool brings_rows(const struct options *options) {
    return options->programs.count || options->plugins.count || options->files.count;
}

void prefer_brought_rows(struct options *options, const struct catalog *catalog) {
    struct selection *selection = &options->selection;
    bool chosen = selection->variants.count && !options->files.count; // a file is chosen by being named
    if (!brings_rows(options) || chosen || selection->cells.count)
        return;
    for (size_t i = 0; i < catalog->variant_count; i++) {
        const struct catalog_variant *row = &catalog->variants[i];
        char name[3 * CARD_NAME];
        snprintf(name, sizeof name, "%s@%s/%s", row->card.name, row->card.backend, row->card.type);
        if (catalog->backends[row->backend].brought)
            text_list_add(&selection->variants, name);
    }
}

int refuse_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_error_list(format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

// Rows of a plug-in that could not be loaded may be asked for by names that nobody has seen.
static bool is_of_lost_plugin(const struct catalog *catalog, const char *glob) {
    size_t length = strcspn(glob, ".@*?[");
    for (size_t i = 0; glob[length] == '.' && i < catalog->variant_count; i++)
        if (catalog_fault(catalog, i) && strncmp(catalog->variants[i].card.name, glob, length + 1) == 0)
            return true;
    return false;
}

static bool some_variant_matches(const struct catalog *catalog, const char *glob) {
    struct selection one = {0};
    text_list_add(&one.variants, glob);
    bool found = is_of_lost_plugin(catalog, glob);
    for (size_t i = 0; i < catalog->variant_count && !found; i++) {
        const struct variant_card *card = &catalog->variants[i].card;
        found = selects_variant(&one, card->name, card->backend, card->type, false);
    }
    selection_free(&one);
    return found;
}

static bool some_case_is_named(const char *glob) {
    struct text_list one = {0};
    text_list_add(&one, glob);
    bool found = false;
    for (size_t i = 0; i < case_values_count() && !found; i++)
        found = glob_matches_any(&one, case_values_at(i)->name);
    text_list_free(&one);
    return found;
}

// Those of a tier also by their size and order, of which the plan will tell.
static bool some_case_matches(const char *glob) {
    return strchr(glob, '/') || fnmatch(glob, COVERAGE_VALUES, 0) == 0 || some_case_is_named(glob);
}

static bool some_variant_has_type(const struct catalog *catalog, const char *type) {
    for (size_t i = 0; i < catalog->variant_count; i++)
        if (strcmp(catalog->variants[i].card.type, type) == 0)
            return true;
    return false;
}

// The one that tells whether a device opens: that of a file where one was brought, since its rows are run. A plug-in
// has none but our own.
static int find_backend(const struct catalog *catalog, const char *name) {
    int found = catalog_find_backend(catalog, name);
    for (size_t b = 0; b < catalog->backend_count; b++)
        if (catalog->backends[b].file && strcmp(catalog->backends[b].name, name) == 0)
            found = (int)b;
    return found;
}

// A GPU that is chosen by its number must be there; without one chosen, a machine that has none runs the rest.
static int check_device(struct catalog *catalog, const struct selection *selection) {
    int cuda = find_backend(catalog, "cuda");
    if (!selection->device_given || cuda == NO_INDEX || catalog_is_present(catalog, cuda))
        return EXIT_FINE;
    say_error("--device %u: backend cuda is absent: %s", selection->device, catalog->backends[cuda].absent);
    return EXIT_CLAIM_BROKEN;
}

int check_selection(struct catalog *catalog, const struct selection *selection) {
    for (size_t i = 0; i < selection->variants.count; i++)
        if (!some_variant_matches(catalog, selection->variants.items[i]))
            return refuse_usage("no variant matches \"%s\".", selection->variants.items[i]);
    for (size_t i = 0; i < selection->cases.count; i++)
        if (!some_case_matches(selection->cases.items[i]))
            return refuse_usage("no case matches \"%s\".", selection->cases.items[i]);
    for (size_t i = 0; i < selection->types.count; i++)
        if (!some_variant_has_type(catalog, selection->types.items[i]))
            return refuse_usage("no variant has the type \"%s\".", selection->types.items[i]);
    for (size_t i = 0; i < selection->backends.count; i++) {
        int index = find_backend(catalog, selection->backends.items[i]);
        if (index == NO_INDEX)
            return refuse_usage("there is no backend \"%s\": they are host, simt and cuda, and exec with --exec.",
                                selection->backends.items[i]);
        if (!catalog_is_present(catalog, index)) {
            say_error("backend %s is absent: %s", selection->backends.items[i], catalog->backends[index].absent);
            return EXIT_CLAIM_BROKEN;
        }
    }
    return check_device(catalog, selection);
}

int check_case_names(const struct selection *selection) {
    for (size_t i = 0; i < selection->cases.count; i++)
        if (!some_case_is_named(selection->cases.items[i]))
            return refuse_usage("no case matches \"%s\".", selection->cases.items[i]);
    return EXIT_FINE;
}

int check_resources(const struct plan *plan) {
    size_t available = memory_available();
    for (size_t i = 0; i < plan->cell_count; i++)
        if (plan->cells[i].runs > available / 2 / sizeof(struct work_run)) { // in a worker, and here
            say_error("the results of %u runs do not fit into the memory of this machine.", plan->cells[i].runs);
            return EXIT_USAGE;
        }
    for (size_t i = 0; i < plan->dataset_count; i++) {
        const struct dataset_key *key = &plan->datasets[i];
        size_t bytes;
        // the data once for all workers, a copy in a worker, and room for its partial results
        if (__builtin_mul_overflow(key->n, 3 * float_format(key->type)->size, &bytes) || bytes > available) {
            say_error("%llu elements of %s do not fit into the memory of this machine.", (unsigned long long)key->n,
                      float_format(key->type)->name);
            return EXIT_USAGE;
        }
    }
    return EXIT_FINE;
}

size_t count_harness_faults(const struct run_result *result) {
    size_t count = 0;
    for (size_t i = 0; i < result->cell_count; i++)
        count += result->cells[i].harness_fault != NULL;
    return count;
}

int code_of_run(const struct run_result *result) {
    return result->interrupted ? EXIT_INTERRUPTED : count_harness_faults(result) ? EXIT_HARNESS_FAILED : EXIT_FINE;
}

int code_of_failed_probe(const struct probe_bench *bench) {
    return *bench->interrupted ? EXIT_INTERRUPTED : bench->not_asked ? EXIT_HARNESS_FAILED : EXIT_CLAIM_BROKEN;
}

json_t *run_to_json(const struct run_result *result) {
    char message[REPORT_MESSAGE];
    json_t *run = report_of_result(result, message);
    if (!run)
        harness_failed("%s", message);
    return run;
}

int write_reports(const struct run_result *result, const struct options *options) {
    json_t *json = run_to_json(result);
    int code = write_files(json, options);
    json_decref(json);
    return code;
}

bool load_known(struct known_list *known, const struct options *options) {
    char *fault = known_load(known, options->known ? options->known : KNOWN_FILE, !options->known);
    if (!fault)
        return true;
    say_error("%s", fault);
    free(fault);
    known_free(known);
    return false;
}

bool gate_fails(const struct run_result *result) {
    if (result->stale_known_lines)
        return true;
    for (size_t v = 0; v < result->variant_count; v++)
        for (size_t c = 0; c < result->variants[v].claim_count; c++)
            if (result->variants[v].claims[c].status == CLAIM_BROKEN)
                return true;
    return false;
}
