// SPDX-License-Identifier: MIT
// How a run is told. The runner's struct run_result becomes a JSON value once; every report is made from that JSON
// alone, so a report can be made again, elsewhere and later, from results.json.
//
// A report_writer writes one report of a checked run (from report_of_result or report_load) to a stream and returns
// true, or returns false with one sentence in message[REPORT_MESSAGE]. It leaves the run as it was. report_save puts
// the whole text in its place at once.
#ifndef REDUCTIO_REPORTS_H
#define REDUCTIO_REPORTS_H

#include "harness/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { REPORT_MESSAGE = 1024, REPORT_SCHEMA_VERSION = 1 };

typedef bool report_writer(const json_t *run, FILE *out, char *message);

// The record as JSON (a new reference), described by reports/schema.json. NULL with a message when memory is out.
json_t *report_of_result(const struct run_result *result, char *message);

// `run`, made of `result`, with the rows' words as they were given, folders and all: lines to paste on the terminal of
// this machine, never for a file. A new reference; NULL when memory is out.
json_t *report_with_given_words(const json_t *run, const struct run_result *result);

// The way back, from a checked run: for what works on cells, not for writers. Free with run_result_free.
bool result_of_report(const json_t *run, struct run_result *result, char *message);

// Reads and checks a results file, gzipped or not: well-formed, of this schema version, every member of its kind, every
// index in range. *run receives a new reference; otherwise false with one sentence that says where the fault is.
bool report_load(const char *path, json_t **run, char *message);
// The same check on JSON in memory; `name` stands for the file in the message.
bool report_check(const json_t *run, const char *name, char *message);

// Writes a report to `path` whole or not at all: into a temporary file beside it, synced, then renamed. A link stays,
// and the file that it leads to is replaced. "-" is standard output, as is any other path to it, and what is there and
// no regular file (a pipe, a device) is written to directly.
bool report_save(const char *path, report_writer *writer, const json_t *run, char *message);
// The same for whatever else can be written to a stream.
typedef bool whole_writer(const void *what, FILE *out, char *message);
bool save_reader_has_left(void);                     // standard output is a pipe that nobody reads any more
bool save_goes_to_standard_output(const char *path); // "-", or another name of it
bool save_whole(const char *path, whole_writer *writer, const void *what, char *message);
// Whether save_whole would find a place there, before hours of work: neither makes nor changes what lies there. What
// opening a pipe or a device would say, and whether there is room, is not asked. Otherwise false with a sentence.
bool save_try(const char *path, char *message);
// The same as save_whole to a name that nobody has taken yet: of two at once one succeeds, and the other is told that
// the file exists.
bool save_new(const char *path, whole_writer *writer, const void *what, char *message);

report_writer report_write_json;     // one array element per line
report_writer report_write_claims;   // the JSON of the same run without cells and datasets: what each row comes to
report_writer report_write_terminal; // plain text; see report_print_terminal
report_writer report_write_html;     // one page with everything inside
report_writer report_write_junit;    // a suite a variant
report_writer report_write_markdown; // for a pull request: the 20 worst
report_writer report_write_csv;      // one line a cell
report_writer report_write_tap;      // Test Anything Protocol 13: a test a claim
report_writer report_write_github;   // workflow commands of GitHub Actions: an annotation a broken claim
report_writer report_write_sweep;    // CSV: one line a variant, family of values and size
report_writer report_write_times;    // plain text: the time of each timed cell, size by size, and the fastest
report_writer report_write_hardware; // plain text: what the machine itself does, beside what is stated
report_writer report_write_study;    // plain text: what each attack on same bits reached, variant by variant

// Plain text: the results that the schedules of a study reached on the emulator, with the cell that replays each. Where
// `gallery`, a checked run on a GPU, is not NULL, they are held against what that GPU showed.
bool report_write_schedules(const json_t *run, const json_t *gallery, FILE *out, char *message);

// The terminal summary, with colours where `out` is a terminal and NO_COLOR is not set.
bool report_print_terminal(const json_t *run, FILE *out, char *message);

#endif
