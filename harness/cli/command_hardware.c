// SPDX-License-Identifier: MIT
// hardware: what the machine itself does, on every backend that has CUDA's operations, beside what is stated of it.
#include "harness/cli/commands.h"
#include "harness/hardware.h"
#include "harness/runner.h"
#include "harness/support.h"
#include "reports/reports.h"

#include <stdio.h>
#include <stdlib.h>

static int report_hardware(const struct run_result *result, const struct options *options) {
    char message[REPORT_MESSAGE];
    json_t *json = run_to_json(result);
    if (!report_write_hardware(json, stdout, message))
        harness_failed("%s", message);
    int code = write_files(json, options);
    json_decref(json);
    if (code != EXIT_FINE)
        return code;
    return result->interrupted ? EXIT_INTERRUPTED : count_surprises(result) ? EXIT_CLAIM_BROKEN : EXIT_FINE;
}

static int ask(const struct plan *plan, const struct command_line *line) {
    struct run_result result;
    struct run_options run = {.command = line->name,
                              .argv = line->argv,
                              .argc = line->argc,
                              .interrupted = catch_interrupts(),
                              .quiet = true,
                              .ask_hardware = true};
    run_plan(plan, &line->options->selection, &run, &result);
    int code = EXIT_USAGE;
    if (result.hardware_count || result.interrupted) {
        free(result.verdict);
        result.verdict = text_format("%zu of %zu answers of the machine are as stated.",
                                     result.hardware_count - count_surprises(&result), result.hardware_count);
        code = report_hardware(&result, line->options);
    } else if (!result.hardware_unasked)
        say_error("the selection leaves no machine to ask.");
    if (result.hardware_unasked && code != EXIT_INTERRUPTED && code != EXIT_CLAIM_BROKEN)
        code = EXIT_HARNESS_FAILED;
    run_result_free(&result);
    return code;
}

int command_hardware(const struct command_line *line) {
    const struct options *options = line->options;
    struct catalog catalog;
    if (options->word_count) {
        say_error("hardware takes no rows: it asks the machine, not sums.");
        return EXIT_USAGE;
    }
    int code = open_catalog(&catalog, options, false);
    if (code != EXIT_FINE)
        return code;
    struct plan plan = {.catalog = &catalog};
    code = check_selection(&catalog, &options->selection);
    if (code == EXIT_FINE)
        code = check_resources(&plan);
    if (code == EXIT_FINE)
        code = ask(&plan, line);
    catalog_free(&catalog);
    return code;
}
