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
    EXIT_SKIPPED = 77,     // everything was skipped
    EXIT_INTERRUPTED = 130 // valid files were written
};

struct options {
    struct selection selection;
    bool seed_is_random;
    bool tier_given;
    // Files to write, NULL = none; "-" = standard output.
    const char *json, *html, *junit, *markdown, *csv;
    const char *known; // file of known defects, NULL = reductio-known.txt if it is there
    unsigned runs;     // study: repeats or schedules
    uint64_t study_n;  // study: elements, 0 = default
    unsigned vary;     // study: set of dataset_attack
    bool quiet;
    const char **words; // what is not an option
    size_t word_count;
};

// Parses argv[0..argc) behind the command's name. On a fault prints one sentence and returns false.
bool options_parse(struct options *options, int argc, char **argv);
void options_free(struct options *options);

#endif
