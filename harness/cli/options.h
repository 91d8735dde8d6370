// SPDX-License-Identifier: MIT
// The command line, parsed once into a struct that every command is handed.
#ifndef REDUCTIO_OPTIONS_H
#define REDUCTIO_OPTIONS_H

#include "harness/selection.h"

// Exit codes, also listed by `reductio --help`.
enum exit_code {
    EXIT_FINE = 0,
    EXIT_CLAIM_BROKEN = 1, // or a backend asked for by name is absent
    EXIT_USAGE = 2,        // also a glob that matches nothing, a malformed input file
    EXIT_REGRESSION = 3,
    EXIT_SKIPPED = 77 // everything was skipped
};                    // EXIT_HARNESS_FAILED is in harness/support.h, EXIT_INTERRUPTED in harness/interrupt.h

struct options {
    struct selection selection;
    bool seed_is_random;
    bool tier_given;
    // Files to write, NULL = none; "-" = standard output.
    const char *json, *html, *junit, *markdown, *csv, *tap;
    const char *output;        // -o: the file of a command that makes one
    const char *known;         // file of known defects, NULL = reductio-known.txt if it is there
    const char *baseline;      // name of the baseline to compare with
    const char *save_baseline; // name under which this run becomes one
    const char *reason;        // accept: why
    const char *finding;       // accept: only this finding
    const char *results;       // accept: the results file, NULL = results.json
    const char *sweep;         // study: "n=..." or "cond=..."
    bool github;               // annotations on standard output
    const char *svg;           // order: a picture of the tree
    const char *replay;        // order: a case or a .npy file to evaluate the tree on
    const char *shape;         // order: launch shape as in a cell, "t256b8"; NULL = the variant's first
    struct text_list files;    // words that end with .cu: the user's own
    struct text_list flags;    // and behind --: what their author compiles them with
    struct text_list programs; // --exec: command lines of programs that sum
    struct text_list plugins;  // --plugin: shared libraries
    const char *orders;        // run, check: sizes to reveal the order of additions at, "16,64"; NULL: none
    const char *name, *source; // corpus, study --search: of the case that is added
    const char *dump;          // run: a .npy file that receives the data of the one cell
    unsigned runs;             // study: repeats or schedules
    uint64_t study_n;          // study: elements, 0 = default
    unsigned vary;             // study: set of dataset_attack
    bool vary_schedule;        // study: the schedules themselves are the question
    const char *gallery;       // study: a recorded run on a GPU
    bool search;               // study: for the worst input
    unsigned steps;            // study --search: generations, 0 = a default
    bool busy;                 // study: repeats on a busy GPU as well
    const char *sizes;         // bench: "2^10,2^12"; NULL = the backend's own list
    unsigned samples;          // bench: times a cell is timed, 0 = default
    bool shapes;               // bench: every launch shape of a grid of them
    bool quiet;
    const char **words; // what is not an option
    size_t word_count;
};

// Parses argv[0..argc) behind the command's name. On a fault prints one sentence and returns false.
bool options_parse(struct options *options, int argc, char **argv);
void options_free(struct options *options);

#endif
