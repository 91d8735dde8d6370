// SPDX-License-Identifier: MIT
// The commands. Each gets parsed options and returns an exit code.
#ifndef REDUCTIO_COMMANDS_H
#define REDUCTIO_COMMANDS_H

#include "harness/catalog.h"
#include "harness/cli/options.h"
#include "harness/interrupt.h"
#include "harness/known.h"
#include "harness/plan.h"
#include "harness/result.h"
#include "reports/reports.h"

struct command_line {
    struct options *options;
    const char *name; // of the command
    char **argv;      // the whole command line, for the record
    size_t argc;
};

typedef int command_function(const struct command_line *line);

command_function command_list, command_run, command_check, command_selftest, command_hazards, command_study,
    command_report, command_verdict, command_compare, command_accept, command_merge;

command_function command_corpus, command_bench, command_hardware, command_new, command_order, command_sum,
    command_explain;

// Says what is wrong with what the command line asks for; EXIT_USAGE.
int refuse_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Loads cases, workers, the hazard builds (with_hazards, or where a --backend or a --cell names one) and the rows that
// the options bring: --exec, --plugin, and .cu files, which are compiled. Otherwise a sentence on stderr, nothing to
// free, and the exit code: EXIT_USAGE for a malformed corpus, a file that does not compile, a plug-in's file that is
// not there, a program that cannot be started or two plug-ins of one name, EXIT_CLAIM_BROKEN for a program that starts
// and does not answer as it must, EXIT_HARNESS_FAILED where a worker of our own is gone, a program could not be asked
// or the machine lacks what a compiler needs. A plug-in that cannot be loaded is a row that fails.
int open_catalog(struct catalog *catalog, const struct options *options, bool with_hazards);
// Compiles the .cu files, for the hazard builds alone where `hazards_alone`, and adds their rows. EXIT_USAGE with all
// that the compiler said on stderr, EXIT_HARNESS_FAILED where the machine lacks what it needs.
int add_own_files(struct catalog *catalog, const struct options *options, bool hazards_alone);
bool brings_rows(const struct options *options);
// Where rows were brought and none are chosen, they are what is meant; where .cu files are, they too.
void prefer_brought_rows(struct options *options, const struct catalog *catalog);
// One sentence on stderr for the first glob, type or backend that nothing answers to; returns the exit code, EXIT_FINE
// if all is well. The devices of backends that are named, and of the GPU that --device names, must open.
int check_selection(struct catalog *catalog, const struct selection *selection);
// The same of globs that choose families of cases alone, and not the cases of a tier.
int check_case_names(const struct selection *selection);
// Refuses, with a sentence, a plan whose largest dataset, or whose results, do not fit into memory.
int check_resources(const struct plan *plan);
// The known defects that the options name. False with a sentence on stderr; nothing is to be freed then.
#define KNOWN_FILE "reductio-known.txt"
bool load_known(struct known_list *known, const struct options *options);
// Writes the data that --dump asks for and runs the plan; an interrupt leaves what was done. Returns EXIT_USAGE, with
// *result empty and nothing written, where the file of known defects is malformed, or the data are of no one cell.
int run_cells(const struct plan *plan, const struct command_line *line, struct run_result *result);
// Writes the files that the options name, prints the summary and keeps the run as a baseline if asked to. Returns
// EXIT_FINE, EXIT_INTERRUPTED, EXIT_HARNESS_FAILED (cells could not be checked) or EXIT_USAGE (a file could not be
// written).
int close_run(const struct run_result *result, const struct options *options);
// The same, and then the gate's opinion: EXIT_CLAIM_BROKEN before EXIT_HARNESS_FAILED before EXIT_REGRESSION. The
// baseline may be NULL.
int close_gate(const struct run_result *result, const struct options *options, const json_t *baseline);
// The baseline that the options name, NULL for none. EXIT_USAGE with a sentence where it cannot be read, or where the
// one that the run is to become could not be written.
int load_baseline(const struct options *options, json_t **baseline);
// Whether the options that choose rows, cases and cells choose this one; true for what is no identity of a cell.
bool selects_identity(const struct selection *selection, const char *id);
// Refuses, with a sentence and EXIT_USAGE, a baseline that a run cannot be compared with, and a part of a run as one.
int check_baseline(const struct options *options, const json_t *baseline, uint64_t seed, const char *tier,
                   bool one_of_several);
// Both, before a run with these options.
int open_baseline(const struct options *options, json_t **baseline);
// Whether options->name can be a new case, and its file be written; the cases have been loaded. A sentence on stderr
// and EXIT_USAGE otherwise.
int check_new_case(const struct options *options);
// Writes the case options->name to the folder of -o, or to the user's own corpus, and says so.
struct corpus_entry;
int add_case(const struct corpus_entry *entry, const struct options *options);
// Cells that the harness could not check.
size_t count_harness_faults(const struct run_result *result);
// How a run ends that is no gate: EXIT_INTERRUPTED, EXIT_HARNESS_FAILED where cells could not be checked, EXIT_FINE.
int code_of_run(const struct run_result *result);
// Why an order could not be asked for: EXIT_INTERRUPTED, EXIT_HARNESS_FAILED, or else it is the row's fault.
struct probe_bench;
int code_of_failed_probe(const struct probe_bench *bench);

// The words of the command line choose variants, as globs.
void select_words(struct options *options);
// What every command tells run_plan; from now on interrupts are caught.
struct run_options;
struct run_options begin_run(const struct command_line *line);
// On stderr, so that a run can be repeated.
void print_seed(const struct options *options);
// Adds the cells of one row to a plan.
typedef int plan_row_function(struct plan *plan, int variant, const void *context);
// Calls add_row for every selected row of a backend that is present, until one returns other than EXIT_FINE. A row that
// cannot be run stays in the record, and says why.
int plan_rows(struct plan *plan, const struct selection *selection, plan_row_function *add_row, const void *context);
// The steps in which such commands differ.
struct planned_run {
    int (*make_plan)(struct plan *plan, const struct command_line *line, void *context);
    int (*run)(const struct plan *plan, const struct command_line *line, void *context);
    const char *nothing; // of a plan without cells: "nothing to time"; NULL where make_plan decides
    void *context;
};
// Checks the selection, plans, checks what the plan needs, and runs it; ends with the first code that is not EXIT_FINE.
int run_planned(struct catalog *catalog, const struct command_line *line, const struct planned_run *steps);

// The record of a run, to be freed; there is memory for it, or the program ends.
json_t *run_to_json(const struct run_result *result);
// Only the files; the terminal is the caller's.
int write_reports(const struct run_result *result, const struct options *options);
// The same from a checked run.
int write_files(const json_t *run, const struct options *options);
// For the gates: where the environment is that of a GitHub job, annotations and a summary without being asked.
int announce_on_github(const json_t *run, const struct options *options);
// Whether the options name any file that write_files would write, or annotations.
bool names_a_file(const struct options *options);
// Appends to the file that GITHUB_STEP_SUMMARY names, if it is set: a comparison or a run tells its story on the page
// of the job. False with a sentence on stderr.
bool append_step_summary(whole_writer *writer, const void *what);
// A results file, or NULL with a sentence on stderr.
json_t *load_results(const char *path);
// Some claim is broken and not known, or a line of known defects is stale.
bool gate_fails(const struct run_result *result);

#endif
