// SPDX-License-Identifier: MIT
// bench: how long the rows take, size by size. Every result that is timed is judged like any other.
#include "harness/cli/commands.h"
#include "harness/cli/sizes.h"
#include "harness/runner.h"
#include "harness/support.h"
#include "reports/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SAMPLES = 30, LIMIT_SECONDS = 300 };
#define DEFAULT_CASE "uniform"

// What a backend is timed at, unless the user says: powers of four, as far as its time is worth waiting for. A larger
// size that the user asks for is run all the same where the backend takes it.
static const struct {
    const char *backend;
    const char *sizes;
    uint64_t most;
} defaults[] = {
    {"cuda", "2^10,2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26,2^28", UINT64_MAX},
    {"host", "2^10,2^12,2^14,2^16,2^18,2^20,2^22", (uint64_t)1 << 26},
    {"simt", "2^10,2^12,2^14", (uint64_t)1 << 16},
};

// False where the backend's own list does not parse, which is a fault of this file.
static bool sizes_of_backend(struct sizes *sizes, const char *backend, const char *wanted) {
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        if (strcmp(defaults[i].backend, backend) != 0)
            continue;
        if (!sizes_parse(sizes, "sizes", wanted ? wanted : defaults[i].sizes))
            return false;
        size_t kept = 0;
        for (size_t s = 0; s < sizes->count; s++)
            if (sizes->n[s] <= defaults[i].most)
                sizes->n[kept++] = sizes->n[s];
        sizes->count = kept;
        return true;
    }
    return sizes_parse(sizes, "sizes", wanted ? wanted : defaults[0].sizes);
}

static bool values_are_timed(const struct selection *selection, const struct case_values *values) {
    if (glob_matches_any(&selection->skip_cases, values->name))
        return false;
    return selection->cases.count ? glob_matches_any(&selection->cases, values->name)
                                  : strcmp(values->name, DEFAULT_CASE) == 0;
}

// Whether the variant lets its caller choose the number of blocks.
static bool takes_blocks(const struct variant_card *card) {
    for (uint32_t i = 0; i < card->shape_count; i++)
        if (card->shapes[i].blocks)
            return true;
    return false;
}

// Threads a block at the variant's own number of blocks; then, at its own threads a block, blocks in quarters of the
// number of multiprocessors, so that multiples of it stand beside what is none.
static void add_shapes(struct plan *plan, int base) {
    static const unsigned quarters[] = {2, 4, 5, 6, 8, 9, 10, 12, 16, 17, 18, 32, 33, 34, 64, 66};
    const struct catalog_variant *row = &plan->catalog->variants[plan->cells[base].variant];
    const struct reductio_shape own = plan->cells[base].shape;
    plan_add_threads(plan, base);
    unsigned processors = catalog_backend_number(&plan->catalog->backends[row->backend], "multiprocessors");
    for (size_t i = 0; i < sizeof quarters / sizeof *quarters && takes_blocks(&row->card); i++)
        if (processors * quarters[i] / 4)
            plan_add_shape(plan, base, (struct reductio_shape){own.threads, processors * quarters[i] / 4});
}

// In the row's default launch shape; with --vary shape in each of its shapes, with --shapes in a grid of them.
static void add_cells(struct plan *plan, int variant, const struct case_values *values, uint64_t n,
                      const struct options *options) {
    const struct catalog_variant *row = &plan->catalog->variants[variant];
    const struct attack_strength strength = {.attacks = options->vary & ATTACK_SHAPE};
    struct dataset dataset = {.key = {.type = row->in, .values = values, .n = n, .order = "given"},
                              .attacks = ATTACK_SHAPE};
    if (!catalog_row_takes(row, n) || (values->refusal && values->refusal(values, row->in, n)))
        return;
    int base = plan_add_cells(plan, variant, &dataset, strength);
    if (options->shapes)
        add_shapes(plan, base);
    for (size_t i = (size_t)base; i < plan->cell_count; i++)
        plan->cells[i].runs = options->samples ? options->samples : DEFAULT_SAMPLES;
}

static int add_row(struct plan *plan, int variant, const void *context) {
    const struct options *options = context;
    struct sizes sizes;
    if (!sizes_of_backend(&sizes, plan->catalog->variants[variant].card.backend, options->sizes))
        return EXIT_USAGE;
    for (size_t i = 0; i < case_values_count(); i++) {
        const struct case_values *values = case_values_at(i);
        if (!values_are_timed(&options->selection, values))
            continue;
        for (size_t s = 0; s < sizes.count && !values->fixed_n; s++)
            add_cells(plan, variant, values, sizes.n[s], options);
        if (values->fixed_n)
            add_cells(plan, variant, values, values->fixed_n, options);
    }
    return EXIT_FINE;
}

static int plan_bench(struct plan *plan, const struct command_line *line, void *context) {
    (void)context;
    int code = check_case_names(&line->options->selection);
    plan->timed = true;
    return code != EXIT_FINE ? code : plan_rows(plan, &line->options->selection, add_row, line->options);
}

static bool some_result_is_bad(const struct run_result *result) {
    for (size_t i = 0; i < result->cell_count; i++)
        if (finding_is_bad(result->cells[i].head) && !result->cells[i].known)
            return true;
    return false;
}

static int report_bench(const struct run_result *result, const struct options *options) {
    char message[REPORT_MESSAGE];
    json_t *json = run_to_json(result);
    if (!report_write_times(json, stdout, message))
        harness_failed("%s", message);
    int code = write_files(json, options);
    json_decref(json);
    if (code != EXIT_FINE)
        return code;
    return !result->interrupted && some_result_is_bad(result) ? EXIT_CLAIM_BROKEN : code_of_run(result);
}

static int run_bench(const struct plan *plan, const struct command_line *line, void *context) {
    (void)context;
    struct run_result result;
    struct known_list known;
    if (!load_known(&known, line->options))
        return EXIT_USAGE;
    struct run_options run = begin_run(line);
    run.known = &known;
    print_seed(line->options);
    run_plan(plan, &line->options->selection, &run, &result);
    known_free(&known);
    int code = report_bench(&result, line->options);
    run_result_free(&result);
    return code;
}

int command_bench(const struct command_line *line) {
    static const struct planned_run steps = {plan_bench, run_bench, .nothing = "nothing to time"};
    struct options *options = line->options;
    struct catalog catalog;
    if (options->vary & ~ATTACK_SHAPE) {
        say_error("bench --vary takes shape alone.");
        return EXIT_USAGE;
    }
    select_words(options);
    options->selection.jobs = 1; // two at a time would share a memory bus, and a clock
    if (!options->selection.limit_seconds)
        options->selection.limit_seconds = LIMIT_SECONDS;
    int code = open_catalog(&catalog, options, false);
    if (code != EXIT_FINE)
        return code;
    prefer_brought_rows(options, &catalog);
    code = run_planned(&catalog, line, &steps);
    catalog_free(&catalog);
    return code;
}
