// SPDX-License-Identifier: MIT
// Non-determinism as it was seen. A group is one base cell and the cells that attack one kind of same bits on it: the
// same data under other schedules, shapes, base addresses or orders. Its patterns are those of all its runs together.
#ifndef REDUCTIO_VARIATION_H
#define REDUCTIO_VARIATION_H

#include "reports/view.h"

enum attack { ATTACK_ON_RUN, ATTACK_ON_SHAPE, ATTACK_ON_PLACEMENT, ATTACK_ON_ORDER, ATTACK_ON_DEVICE, ATTACK_KINDS };

extern const char *const attack_claims[ATTACK_KINDS]; // "same bits: run", ...
extern const char *const attack_names[ATTACK_KINDS];  // "run", ...

// What one variant showed under one attack.
struct spread {
    size_t groups, varied_groups;
    size_t controls, varied_controls; // of these groups: on data where no addition rounds, so that none may vary
    uint64_t results;                 // of all groups: each run of each cell gave one
    uint64_t widest_runs;             // results of the group with the most patterns
    size_t most_patterns;             // distinct results of that group
    double most_ulps; // from the smallest to the largest result of one group, in ulps of the exact sum; infinite across
                      // classes
    double commonest; // in the group with the most patterns, the commonest one's share of the results
    size_t example;   // index of the base cell of that group, SIZE_MAX for none
    // Of repeats on a GPU that something else kept busy: the most distinct results of a cell, and its runs; 0 for none.
    size_t busy_patterns;
    uint64_t busy_runs;
    // Largest in magnitude over all groups: V_s = 1 - |S / S_1|, S a result of the group, S_1 that of the base's first
    // run (on simt, whose runs do not differ, of the schedule in order); see harness/result.h.
    double vs;
};

// One result of one group, on the way to being counted.
struct group_pattern {
    uint64_t count;
    double ulps, value;
    const char *bits;
};

struct variation {
    struct spread *spreads; // [variant * ATTACK_KINDS + attack]
    // The patterns of the widest group under run of each variant, by ulps: for histograms.
    struct group_pattern **widest; // [variant], NULL where nothing was attacked
    size_t *widest_count;
};

bool variation_make(struct variation *variation, const struct run_view *view);
void variation_free(struct variation *variation, const struct run_view *view);

// Whether its runs are calls on a GPU or of a program, so that it counts how often a result came: other schedules of
// the emulator show only what can be reached.
bool has_real_runs(const json_t *variant);
// Whether the cell was repeated while something else kept the GPU busy.
bool is_busy(const json_t *cell);
// The variant's claim of that kind; NULL if it has none.
const json_t *claim_named(const json_t *variant, const char *name);

#endif
