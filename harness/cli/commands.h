// SPDX-License-Identifier: MIT
// The commands. Each gets parsed options and returns an exit code.
#ifndef REDUCTIO_COMMANDS_H
#define REDUCTIO_COMMANDS_H

#include "harness/catalog.h"
#include "harness/cli/options.h"
#include "harness/plan.h"
#include "harness/result.h"

#include <signal.h>

struct command_line {
    struct options *options;
    const char *name; // of the command
    char **argv;      // the whole command line, for the record
    size_t argc;
};

typedef int command_function(const struct command_line *line);

command_function command_list, command_run, command_check, command_selftest, command_study, command_report,
    command_verdict;

// Loads cases and workers. False with a sentence on stderr when the corpus is malformed.
bool open_catalog(struct catalog *catalog);
// One sentence on stderr for the first glob, type or backend that nothing answers to; returns the exit code, EXIT_FINE
// if all is well.
int check_selection(const struct catalog *catalog, const struct selection *selection);
// Refuses, with a sentence, a plan whose largest dataset does not fit into memory, and files that cannot be written.
int check_resources(const struct plan *plan, const struct options *options);
// Runs the plan under SIGINT and SIGTERM handlers, writes the files that the options name and prints the summary.
// Returns EXIT_FINE, EXIT_INTERRUPTED or EXIT_USAGE (a file could not be written); *result is filled in each case.
int run_and_report(const struct plan *plan, const struct command_line *line, struct run_result *result);
// From now on SIGINT and SIGTERM set the flag that is returned; a second one ends the program.
const volatile sig_atomic_t *catch_interrupts(void);
// Only the files; the terminal is the caller's.
int write_reports(const struct run_result *result, const struct options *options);
// Some claim is broken and not known, or a line of known defects is stale.
bool gate_fails(const struct run_result *result);

#endif
