// SPDX-License-Identifier: MIT
// The one result record: filled once by the runner, never recomputed by a writer. reports/json.c turns it into the JSON
// that every other report is made from. All text is UTF-8; NULL means absent.
#ifndef REDUCTIO_RESULT_H
#define REDUCTIO_RESULT_H

#include "harness/finding.h"

#include <stddef.h>

struct bit_pattern {
    uint64_t bits;
    uint64_t count;
    double ulps;       // signed error in ulps of the correctly rounded sum
    char first_at[32]; // the schedule or run number that gave it first
};

// One figure of an array, shared by all cells that use it.
struct dataset_result {
    char *name;   // "f32/uniform/1025/given"
    char *type;   // "f32"
    char *values; // "uniform"
    char *order;  // "given"
    uint64_t n;
    uint64_t seed;
    char *what_for;                  // of the values
    char *exact_decimal, *exact_hex; // of the exact sum; "nan", "inf", "-inf" where it is not finite
    double condition;                // sum|x| / |sum x|
    char *abs_sum_decimal;
    bool never_rounds; // no addition rounds, in any order
};

struct cell_result {
    char *id;       // variant@backend/type/values/n/order/shape/offset/schedule
    size_t variant; // index into run_result.variants
    size_t dataset; // index into run_result.datasets; SIZE_MAX for the coverage map
    uint64_t n;
    char *shape;     // "t256", "t256b8"
    char *schedule;  // "inorder", "seed3", "hw"
    uint32_t offset; // elements
    finding_set findings;
    enum finding head;
    uint32_t tested, broken; // sets of enum claim (harness/claim.h): 1 << claim
    char *compared_with;     // ID of the cell whose bits are compared with, where it is part of an attack on same bits
    char *attack;            // the member of same bits that it attacks, "same bits: shape"; NULL for a cell of its own
    bool differs;            // its bits are not those of that cell
    bool overflowed_early;   // a partial sum overflowed though the exact sum is finite, claimed or not; in no report
    bool known;              // its bad finding is listed in reductio-known.txt
    char *known_reason;
    char *detail; // sentences about what is bad or noteworthy; NULL if nothing is
    // What kept the harness from checking it, "not possible" or "worker lost": no claim's fault, and no pass. NULL:
    // nothing did.
    char *harness_fault;
    char *detector;   // of the head finding if it is bad: bound, coverage map, poison, guard, repeats, ...
    char **detectors; // all that found something bad, in the order in which they did
    size_t detector_count;
    bool has_result; // the figures below count
    uint64_t bits;   // of the first run
    uint64_t rounded_bits;
    char *got_hex, *got_decimal, *rounded_hex, *rounded_decimal;
    double ulps;             // signed error of the worst run
    double relative_error;   // of the worst run; INFINITY for exact sum 0 and another result
    double error_over_uA;    // |s - ŝ| / (u·A)
    double error_over_bound; // NaN where the bound is 0 and the error too, or the sum not finite
    double bound_over_sum;   // bound / |s|; >= 1: the bound says nothing
    char *bound;             // its name: "height", "any order", ...
    char *bound_decimal;     // its value
    uint64_t height, atomics, serial_terms, workspace_bytes;
    uint64_t runs;
    struct bit_pattern *patterns; // most frequent first
    size_t pattern_count;
    double min_ulps, max_ulps, vs; // V_s = 1 - |S_nd / S_d| over the runs, the largest (Shanmugavelu et al. 2024)
    uint64_t *ns;                  // raw time samples
    size_t ns_count;
    double gigabytes_per_second; // of the median; 0 if not timed
    double bandwidth_share;      // of a read-only kernel in the same run; 0 if not measured
};

// One claim of one variant, over all of its cells.
struct claim_result {
    char *claim; // "accuracy", "same bits: run", "keeps subnormals", ...
    char *value; // "height", "yes", ...
    enum claim_status status;
    char *why;        // reason of `not tested`, or what broke it
    char *observed;   // for same bits: "12 of 90 attacked cells gave other bits", also where nothing is claimed
    size_t cells;     // that tested it
    size_t broken;    // cells that broke it
    size_t differing; // for same bits: cells that gave other bits, also where nothing is claimed; 0 for any other claim
    char *worst_cell; // ID; NULL if none
};

// The order of additions at one size, as `order` reveals it from outside.
struct order_result {
    uint64_t n;
    char *shape;           // "t256"
    char *kind;            // "tree", "wide tree", "multiway tree", "compensated", "exact", "varies", "unknown"
    uint64_t height, hash; // 0 where there is no one tree
    char *formula;         // "((x0+x1)+(x2+x3))"; NULL where there is no one tree, or it would be long
    char *why;             // a clause: what varies, or what does not fit a tree; NULL if nothing is to be said
};

// What a command line needs to have a row again, with the data of the run. Quoted for a shell; NULL: nothing.
struct row_call {
    char *variables; // assignments before the program: "NVCC_APPEND_FLAGS=-O3"
    char *arguments; // words behind the command: "mine.cu -- -O3"
};

struct variant_result {
    char *name, *backend, *type;
    char *summary, *origin;
    char *variables, *arguments;          // a struct row_call for the record, which holds no folders of absolute paths
    struct row_call given;                // the words as they were given: for this machine's terminal, in no report
    bool brought;                         // by the command line, as a file, a plug-in or a program; in no report
    char *fault_finding, *fault_detector; // NULL for real variants
    struct claim_result *claims;
    size_t claim_count;
    double worst_error_over_bound;
    char *worst_cell; // ID
    size_t cell_count, bad_cells, known_cells, says_nothing_cells;
    char *unchecked;             // how many cells the harness could not check, and why the first; NULL: none
    char *hazards;               // "not checked", "clean under tsan and asan", ...
    bool bound_too_weak;         // worst err/bound below 1e-3 over the full tier
    struct order_result *orders; // empty where none was looked for
    size_t order_count;
};

// What the machine itself answered to one question, see harness/hardware.h.
struct hardware_result {
    char *operation; // "atomicAdd, global memory"
    char *what;      // "+0 and a subnormal"
    char *backend, *type;
    char *operands, *expected, *observed; // hex floats; a NaN with its bits
    char *source;                         // of the expectation
    char *detail;                         // why there is no answer; NULL if there is one
    bool as_stated;
};

struct text_pair {
    char *key, *value;
};

struct run_result {
    char *command; // "check", "run", "study", ...
    char **argv;
    size_t argc;
    char *tier;
    uint64_t seed;
    uint32_t shard_index, shard_count; // this is part shard_index of shard_count, from 1; both 0: all of it
    char *started;                     // ISO 8601, UTC
    double seconds;
    bool interrupted;
    char *verdict;                 // the verdict sentence
    char *refusal;                 // of a gate: why it refuses although no claim is broken; NULL if it does not
    struct text_pair *environment; // commit, compilers, flags, cpu, mpfr, and each backend's lines as "simt.compiler"
    size_t environment_count;
    char **backends; // that ran
    size_t backend_count;
    struct variant_result *variants;
    size_t variant_count;
    struct dataset_result *datasets;
    size_t dataset_count;
    struct cell_result *cells;
    size_t cell_count;
    struct hardware_result *hardware; // empty where it was not asked
    size_t hardware_count;
    size_t hardware_unasked; // questions that the harness could not ask, of which a note tells; in no report
    char **notes;            // sentences for the reader, e.g. why a backend is absent
    size_t note_count;
    uint64_t stale_known_lines; // lines of reductio-known.txt whose defect no longer happens
};

void run_result_free(struct run_result *result); // frees everything inside
#endif
