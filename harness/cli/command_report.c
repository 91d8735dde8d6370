// SPDX-License-Identifier: MIT
// report and verdict: what can be said from a results file alone.
#include "harness/cli/commands.h"
#include "harness/support.h"
#include "reports/reports.h"
#include "reports/text.h"

#include <stdio.h>
#include <string.h>

// Prints the table that the command which made the file printed: of a study, of times, of a machine, of cells. What is
// made of cells is not to be had of a file that holds the claims alone.
static bool print_as_recorded(const json_t *run, char *message) {
    static const struct {
        const char *command, *of;
        report_writer *write;
    } own[] = {{"study", "cells", report_write_study},
               {"bench", "cells", report_write_times},
               {"hardware", "hardware", report_write_hardware}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(text_of(run, "command"), own[i].command) == 0 && json_array_size(json_object_get(run, own[i].of)))
            return own[i].write(run, stdout, message);
    return report_print_terminal(run, stdout, message);
}

int command_report(const struct command_line *line) {
    const struct options *options = line->options;
    if (options->word_count != 1) {
        say_error("report wants one results file.");
        return EXIT_USAGE;
    }
    json_t *run = load_results(options->words[0]);
    if (!run)
        return EXIT_USAGE;
    char message[REPORT_MESSAGE];
    int code = EXIT_FINE;
    if (names_a_file(options))
        code = write_files(run, options);
    else if (!print_as_recorded(run, message)) {
        say_error("%s", message);
        code = EXIT_USAGE;
    }
    json_decref(run);
    return code;
}

// Prints the claims of a variant that do not hold; returns how many are broken.
static size_t print_broken_claims(const json_t *row) {
    size_t index, broken = 0;
    json_t *claim;
    json_array_foreach(json_object_get(row, "claims"), index, claim) {
        if (strcmp(json_string_value(json_object_get(claim, "status")), "broken") != 0)
            continue;
        const char *why = json_string_value(json_object_get(claim, "why"));
        printf("broken: %s of %s@%s/%s: %s\n  ", json_string_value(json_object_get(claim, "claim")),
               json_string_value(json_object_get(row, "name")), json_string_value(json_object_get(row, "backend")),
               json_string_value(json_object_get(row, "type")), why ? why : "");
        write_paste_line(row, text_of(claim, "worst_cell"), write_printable, stdout);
        putchar('\n');
        broken++;
    }
    return broken;
}

static bool print_unchecked(const json_t *row) {
    if (has_text(row, "unchecked"))
        printf("not checked: %s@%s/%s: %s\n", text_of(row, "name"), text_of(row, "backend"), text_of(row, "type"),
               text_of(row, "unchecked"));
    return has_text(row, "unchecked");
}

int command_verdict(const struct command_line *line) {
    const struct options *options = line->options;
    if (options->word_count != 2) {
        say_error("verdict wants a results file and the name of a variant.");
        return EXIT_USAGE;
    }
    json_t *run = load_results(options->words[0]);
    if (!run)
        return EXIT_USAGE;
    size_t index, rows = 0, broken = 0, unchecked = 0;
    json_t *row;
    json_array_foreach(json_object_get(run, "variants"), index, row) {
        if (strcmp(json_string_value(json_object_get(row, "name")), options->words[1]) != 0)
            continue;
        rows++;
        broken += print_broken_claims(row);
        unchecked += print_unchecked(row);
    }
    json_decref(run);
    printf("%s: %zu row%s, %zu broken claim%s\n", options->words[1], rows, PLURAL(rows), broken, PLURAL(broken));
    return broken ? EXIT_CLAIM_BROKEN : unchecked ? EXIT_HARNESS_FAILED : rows ? EXIT_FINE : EXIT_SKIPPED;
}
