// SPDX-License-Identifier: MIT
// Two results files, cell by cell; a cell that got worse or is gone is a regression.
#include "harness/cli/commands.h"
#include "harness/support.h"
#include "reports/compare.h"

#include <stdio.h>

enum { TERMINAL_CELLS = 50 };

static bool write_summary(const void *comparison, FILE *out, char *message) {
    return comparison_write_markdown(comparison, out, message);
}

static int write_comparison_files(const struct comparison *comparison, const struct options *options) {
    const struct {
        const char *path;
        comparison_writer *writer;
    } files[] = {{options->json, comparison_write_json},
                 {options->html, comparison_write_html},
                 {options->markdown, comparison_write_markdown}};
    char message[REPORT_MESSAGE];
    bool good = append_step_summary(write_summary, comparison);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].path && !comparison_save(files[i].path, files[i].writer, comparison, message)) {
            say_error("%s", message);
            good = false;
        }
    return good ? EXIT_FINE : EXIT_USAGE;
}

static int compare_runs(const json_t *before, const json_t *after, const struct options *options) {
    struct comparison comparison;
    char message[REPORT_MESSAGE];
    int code = EXIT_USAGE;
    if (comparison_make(&comparison, before, after, message)) {
        code = write_comparison_files(&comparison, options);
        comparison_write_terminal(&comparison, TERMINAL_CELLS, stdout);
        if (code == EXIT_FINE && comparison_regressed(&comparison))
            code = EXIT_REGRESSION;
    } else {
        say_error("%s", message);
    }
    comparison_free(&comparison);
    return code;
}

int command_compare(const struct command_line *line) {
    const struct options *options = line->options;
    if (options->word_count != 2) {
        say_error("compare wants two results files, the earlier one first.");
        return EXIT_USAGE;
    }
    json_t *before = load_results(options->words[0]);
    json_t *after = before ? load_results(options->words[1]) : NULL;
    int code = after ? compare_runs(before, after, options) : EXIT_USAGE;
    json_decref(before);
    json_decref(after);
    return code;
}
