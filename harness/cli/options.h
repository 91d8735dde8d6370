// SPDX-License-Identifier: MIT
// The command line, parsed once into a struct that every command is handed.
#ifndef REDUCTIO_OPTIONS_H
#define REDUCTIO_OPTIONS_H

#include "harness/selection.h"

#include <assert.h>

// Exit codes, also listed by `reductio --help`.
enum exit_code {
    EXIT_FINE = 0,
    EXIT_CLAIM_BROKEN = 1, // or a backend asked for by name is absent
    EXIT_USAGE = 2,        // also a glob that matches nothing, a malformed input file
    EXIT_REGRESSION = 3,
    EXIT_SKIPPED = 77 // everything was skipped
};                    // EXIT_HARNESS_FAILED is in harness/support.h, EXIT_INTERRUPTED in harness/interrupt.h

// The options, in the order of the table in options.c, which names them and says where each is kept, and of that in
// option_meanings.c.
enum option_id {
    OPTION_VARIANT,
    OPTION_SKIP_VARIANT,
    OPTION_CASE,
    OPTION_SKIP_CASE,
    OPTION_TYPE,
    OPTION_BACKEND,
    OPTION_CELL,
    OPTION_TIER,
    OPTION_SEED,
    OPTION_REPEAT,
    OPTION_SHARD,
    OPTION_JOBS,
    OPTION_LIMIT,
    OPTION_DEVICE,
    OPTION_EXEC,
    OPTION_PLUGIN,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_JUNIT,
    OPTION_TAP,
    OPTION_MARKDOWN,
    OPTION_CSV,
    OPTION_CLAIMS,
    OPTION_GITHUB,
    OPTION_QUIET,
    OPTION_OUTPUT, // -o
    OPTION_KNOWN,
    OPTION_BASELINE,
    OPTION_SAVE_BASELINE,
    OPTION_ORDERS,
    OPTION_DUMP,
    OPTION_N, // -n
    OPTION_RUNS,
    OPTION_VARY,
    OPTION_BUSY,
    OPTION_SWEEP,
    OPTION_GALLERY,
    OPTION_SEARCH,
    OPTION_STEPS,
    OPTION_SIZES,
    OPTION_SAMPLES,
    OPTION_SHAPES,
    OPTION_SHAPE,
    OPTION_SVG,
    OPTION_REPLAY,
    OPTION_NAME,
    OPTION_REASON,
    OPTION_SOURCE,
    OPTION_FINDING,
    OPTION_RESULTS,
    OPTION_COUNT
};

typedef uint64_t option_set; // bit `option` of each
static_assert(OPTION_COUNT <= 64, "an option_set has a bit for each option");

static inline option_set option_bit(enum option_id option) {
    return (option_set)1 << option;
}

struct options {
    option_set given; // those that the command line holds
    struct selection selection;
    bool seed_is_random;
    // Files to write, NULL = none; "-" = standard output.
    const char *json, *html, *junit, *markdown, *csv, *tap, *claims;
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
    uint64_t n;                // study, order: elements, 0 = default
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
    const char **words; // what is neither an option nor one of the files
    size_t word_count;
    const char **operands; // words and files, in the order in which they stand
    size_t operand_count;
};

// Parses argv[0..argc), where argv[0] is the command's name. Words that end with .cu are the user's own kernels where
// `with_files`, and other words otherwise. On a fault prints one sentence and returns false.
bool options_parse(struct options *options, int argc, char **argv, bool with_files);
// GoogleTest's variables, which sharding tools set, where --shard is not given. False with a sentence.
bool options_take_shard_of_environment(struct options *options);
void options_free(struct options *options);

// "--json", "-n", ...; and what follows it, "F", "N", or "" for nothing.
const char *option_spelling(enum option_id option);
const char *option_operand(enum option_id option);
const char *option_meaning(enum option_id option); // option_meanings.c
static inline bool option_given(const struct options *options, enum option_id option) {
    return options->given & option_bit(option);
}
// The file that it names and that is written or read; NULL where it is not given or names no such file.
const char *option_output(const struct options *options, enum option_id option);
const char *option_input(const struct options *options, enum option_id option);
// Sets the output that `option` names, as if it had been given.
void option_set_output(struct options *options, enum option_id option, const char *path);

#endif
