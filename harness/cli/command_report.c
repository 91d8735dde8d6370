// SPDX-License-Identifier: MIT
// report and verdict: what can be said from a results file alone.
#include "harness/cli/commands.h"
#include "reports/reports.h"

#include <stdio.h>
#include <string.h>

static json_t *load(const char *path) {
    char message[REPORT_MESSAGE];
    json_t *run;
    if (report_load(path, &run, message))
        return run;
    fprintf(stderr, "reductio: %s\n", message);
    return NULL;
}

static bool write_files(const json_t *run, const struct options *options) {
    const struct {
        const char *path;
        report_writer *writer;
    } files[] = {{options->json, report_write_json},
                 {options->html, report_write_html},
                 {options->junit, report_write_junit},
                 {options->markdown, report_write_markdown},
                 {options->csv, report_write_csv}};
    char message[REPORT_MESSAGE];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].path && !report_save(files[i].path, files[i].writer, run, message)) {
            fprintf(stderr, "reductio: %s\n", message);
            return false;
        }
    return true;
}

int command_report(const struct command_line *line) {
    const struct options *options = line->options;
    if (options->word_count != 1) {
        fprintf(stderr, "reductio: report wants one results file.\n");
        return EXIT_USAGE;
    }
    json_t *run = load(options->words[0]);
    if (!run)
        return EXIT_USAGE;
    bool any_file = options->json || options->html || options->junit || options->markdown || options->csv;
    char message[REPORT_MESSAGE];
    bool fine = any_file ? write_files(run, options) : report_print_terminal(run, stdout, message);
    json_decref(run);
    return fine ? EXIT_FINE : EXIT_USAGE;
}

// Prints the claims of a variant that do not hold; returns how many are broken.
static size_t print_broken_claims(const json_t *row) {
    size_t index, broken = 0;
    json_t *claim;
    json_array_foreach(json_object_get(row, "claims"), index, claim) {
        if (strcmp(json_string_value(json_object_get(claim, "status")), "broken") != 0)
            continue;
        const char *why = json_string_value(json_object_get(claim, "why"));
        const char *cell = json_string_value(json_object_get(claim, "worst_cell"));
        printf("broken: %s of %s@%s/%s: %s\n  reductio run --cell '%s'\n",
               json_string_value(json_object_get(claim, "claim")), json_string_value(json_object_get(row, "name")),
               json_string_value(json_object_get(row, "backend")), json_string_value(json_object_get(row, "type")),
               why ? why : "", cell ? cell : "");
        broken++;
    }
    return broken;
}

int command_verdict(const struct command_line *line) {
    const struct options *options = line->options;
    if (options->word_count != 2) {
        fprintf(stderr, "reductio: verdict wants a results file and the name of a variant.\n");
        return EXIT_USAGE;
    }
    json_t *run = load(options->words[0]);
    if (!run)
        return EXIT_USAGE;
    size_t index, rows = 0, broken = 0;
    json_t *row;
    json_array_foreach(json_object_get(run, "variants"), index, row) {
        if (strcmp(json_string_value(json_object_get(row, "name")), options->words[1]) != 0)
            continue;
        rows++;
        broken += print_broken_claims(row);
    }
    json_decref(run);
    printf("%s: %zu rows, %zu broken claims\n", options->words[1], rows, broken);
    return broken ? EXIT_CLAIM_BROKEN : rows ? EXIT_FINE : EXIT_SKIPPED;
}
