// SPDX-License-Identifier: MIT
// Runs a plan: makes each dataset and its exact sum once, feeds the workers, judges what they answer.
#ifndef REDUCTIO_RUNNER_H
#define REDUCTIO_RUNNER_H

#include "harness/known.h"
#include "harness/plan.h"
#include "harness/result.h"

#include <signal.h>

struct run_options {
    const char *command; // "check", ...
    char **argv;
    size_t argc;
    const struct known_list *known; // NULL: nothing is known
    const volatile sig_atomic_t *interrupted;
    bool quiet;         // no progress on stderr
    bool ask_hardware;  // also what the machine itself does
    size_t batch_bytes; // of data in memory at a time, if no dataset is larger; 0 = a default
};

// Fills *result (free it with run_result_free). Ends early, with what was done, when *interrupted becomes non-zero.
// A failure of the harness itself ends the program with EXIT_HARNESS_FAILED.
void run_plan(const struct plan *plan, const struct selection *selection, const struct run_options *options,
              struct run_result *result);

// Compares the cells of each attack on same_bits with their base cell. cells[i] belongs to plan->cells[i].
void judge_invariance(const struct plan *plan, struct cell_result *cells, const bool *done);

// Holds the GPU's cells against the emulator's: a variant that claims a fixed order must have the same bits on both.
void judge_backends(const struct plan *plan, struct cell_result *cells, const bool *done);

// Someone who brings rows and claims nothing for them shall know what they were held to.
void note_unclaimed_accuracy(struct run_result *result);
// Sums up: environment, known defects, the claims of each variant over its cells, and the verdict sentence.
void summarise(const struct plan *plan, const struct known_list *known, struct run_result *result);
// Notes each row that fails for misaligned base addresses and for nothing else: its descriptor can rule them out.
void note_misaligned_rows(struct run_result *result);
// The part of it that follows from the record alone: the variants with their claims are there (name, value, made or
// not), and what their cells say of them is counted, again where it was counted before.
void summarise_cells(struct run_result *result);

#endif
