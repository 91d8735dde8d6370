// SPDX-License-Identifier: MIT
// Which cells are run: variants × datasets, and around some of them the attacks on `same_bits`.
#ifndef REDUCTIO_PLAN_H
#define REDUCTIO_PLAN_H

#include "harness/catalog.h"
#include "harness/cell.h"
#include "harness/claim.h"
#include "harness/selection.h"

enum { NO_INDEX = -1 };

struct plan_cell {
    int variant;         // index into the catalogue
    int dataset;         // index into the plan's datasets; NO_INDEX for the coverage map
    int base;            // cell whose bits it is compared with; NO_INDEX for a cell that stands for itself
    enum claim attacked; // the member of same_bits that the comparison tests, where base is set
    struct reductio_shape shape;
    uint32_t offset; // elements
    struct schedule schedule;
    uint64_t n;
    uint32_t runs;
    bool optional; // in a launch shape that the variant does not list: it is left out where the variant refuses it
    bool named;    // the user's own: it then stays, as one that was not checked
    bool foreign;  // so it does where the variant hangs: no command would have chosen such a shape
};

struct plan {
    struct catalog *catalog; // a plan opens the devices that its cells need
    struct dataset_key *datasets;
    size_t dataset_count;
    struct plan_cell *cells;
    size_t cell_count;
    int *absent; // selected variants that their build cannot run: they stay in the record, untested
    size_t absent_count;
    bool timed;         // every run of a cell is a sample of its time
    unsigned attacks;   // the attacks that were asked for, where that was narrowed (set of dataset_attack); 0: all
    bool device_chosen; // the user named one GPU, so that no attack goes over others
};

// How hard `same_bits` is attacked; the members are those of enum dataset_attack, SCHEDULES for simt.
struct attack_strength {
    unsigned attacks;       // which attacks are made at all (set of dataset_attack)
    unsigned schedules;     // seeded schedules on the emulator, besides the fixed ones; 0: none of either
    unsigned shuffles;      // shuffled orders, besides the fixed ones
    unsigned hardware_runs; // repeats on real hardware
    bool hostile;           // on the emulator also atomics by magnitude, and single blocks that come last
    unsigned busy_percent;  // repeats also while so much of the GPU is occupied; 0: none
    unsigned devices;       // GPUs to go over, besides the one that was chosen; at most 1: none
};
// Of a tier, on the machine at hand.
struct attack_strength tier_attack_strength(const struct catalog *catalog, const struct selection *selection);
// The GPUs that an attack may go over: those that are there, or one where the user has chosen it.
unsigned plan_devices(const struct catalog *catalog, const struct selection *selection);

// Builds the plan of a tier for the selected variants. `faulty` picks the planted faults instead of the real rows.
void plan_tier(struct plan *plan, struct catalog *catalog, const struct selection *selection, bool faulty);
// Their parts: a dataset or a cell, returning its index, and the launch shape of a row that nothing else is asked of.
int plan_add_dataset(struct plan *plan, const struct dataset_key *key);
int plan_add_cell(struct plan *plan, const struct plan_cell *cell);
struct reductio_shape plan_default_shape(const struct variant_card *card);
bool plan_lists_shape(const struct variant_card *card, struct reductio_shape shape);
static inline bool plan_same_shape(struct reductio_shape a, struct reductio_shape b) {
    return a.threads == b.threads && a.blocks == b.blocks;
}
// The cell that the attacks around a dataset are compared with. The dataset is added, the cell is not.
struct plan_cell plan_base_cell(struct plan *plan, int variant, const struct dataset *dataset,
                                struct attack_strength strength);
// Adds one cell of a variant on a dataset, with the attacks asked for around it. Returns the index of the base cell.
int plan_add_cells(struct plan *plan, int variant, const struct dataset *dataset, struct attack_strength strength);
// Adds the cells of a coverage map of n elements: every launch shape, from both ends of the schedules.
void plan_add_coverage(struct plan *plan, int variant, uint64_t n);
// Adds a cell like `base` in another launch shape, which the variant may refuse, unless `base` has one in it already;
// and the same for 32, 64, ... 1024 threads a block.
void plan_add_shape(struct plan *plan, int base, struct reductio_shape shape);
void plan_add_threads(struct plan *plan, int base);
// Adds the cells of a variant on a hazard build. Those of the smoke tier are few and small, since a race or a trespass
// does not ask for many; the full tier is for those who doubt that: odd sizes, all shapes listed and 32 to 1024 threads
// a block, and more schedules.
void plan_add_hazard_cells(struct plan *plan, int variant, enum case_tier tier);
// The same for a fault that another detector is to catch: two cells, which show what the sanitizer sees of it.
void plan_add_hazard_glance(struct plan *plan, int variant);
// Adds the cell that an identity names, and the cell that it is to be compared with. NULL, or one sentence (malloc)
// saying what is unknown.
char *plan_add_identity(struct plan *plan, const struct selection *selection, const char *identity);
// Adds the one cell of a row that stands for a plug-in which could not be loaded: it will say so.
void plan_add_fault(struct plan *plan, int variant);
// Keeps a variant that its build cannot run in the record.
void plan_note_absent(struct plan *plan, int variant);
void plan_cell_key(const struct plan *plan, const struct plan_cell *cell, struct cell_key *key);
void plan_free(struct plan *plan);

#endif
