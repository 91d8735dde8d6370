// SPDX-License-Identifier: MIT
// What to feed: named value generators, orders, and the datasets of each tier. A dataset is fully named by
// type/values/n/order; its seed derives from that name and the base seed alone, so a filter changes no data.
#ifndef REDUCTIO_CASES_H
#define REDUCTIO_CASES_H

#include "reference/float_type.h"

// A family of inputs. Corpus entries appear as "corpus/NAME" with the one size of their file.
struct case_values {
    const char *name;     // "uniform", "cond1e8", "corpus/kahan_last_rounding"
    const char *what_for; // one sentence: what it attacks
    const char *source;   // where it was published, or NULL
    uint64_t fixed_n;     // 0 = any n
    bool integer_control; // sums exactly in any order: nothing may vary
    // NULL if it can be made, otherwise the reason in one sentence (static text).
    const char *(*refusal)(const struct case_values *self, enum float_type type, uint64_t n);
    // Fills x[0..n) of the type; deterministic in (type, n, seed). Returns false (with errno) when memory is out.
    bool (*fill)(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed);
    const void *data; // the generator's own
};

// The catalogue, in the order of `reductio list cases`. Call cases_load once first: it reads the corpus files of
// `directory` (NULL = the compiled-in place, and OWN_CORPUS of the working directory where that is there) and returns
// NULL, or one sentence that says what is wrong with which file and line.
#define OWN_CORPUS ".reductio/corpus"
const char *cases_load(const char *directory);
size_t case_values_count(void);
const struct case_values *case_values_at(size_t index);
const struct case_values *case_values_find(const char *name);

// Orders: "given", "reversed", "ascending" and "descending" (by magnitude), "shuffled1", "shuffled2", ... (any number).
bool case_order_known(const char *order);

struct dataset_key {
    enum float_type type;
    const struct case_values *values;
    uint64_t n;
    char order[16];
};

// "f32/uniform/1025/given"; text needs DATASET_TEXT bytes.
enum { DATASET_TEXT = 128 };
void dataset_name(const struct dataset_key *key, char *text);
uint64_t dataset_seed(const struct dataset_key *key, uint64_t base_seed);
// Writes the dataset's n elements to x. The values come from the seed of the same dataset in order "given", so that all
// orders hold the same elements; the order is applied after, a shuffle by the dataset's own seed. False when memory is
// out.
bool dataset_fill(const struct dataset_key *key, uint64_t base_seed, void *x);

enum case_tier { TIER_SMOKE, TIER_FULL };

// What a dataset is there for, besides accuracy: which attacks on `same_bits` the plan should make on it.
enum dataset_attack {
    ATTACK_NONE = 0,
    ATTACK_RUN = 1,
    ATTACK_SHAPE = 2,
    ATTACK_PLACEMENT = 4,
    ATTACK_ORDER = 8,
    ATTACK_DEVICE = 16,
    EVERY_ATTACK = ATTACK_RUN | ATTACK_SHAPE | ATTACK_PLACEMENT | ATTACK_ORDER | ATTACK_DEVICE
};
struct dataset {
    struct dataset_key key;
    unsigned attacks; // set of dataset_attack
};

// The datasets of a tier for a backend that can afford arrays of max_n elements; smaller tiers are subsets of larger
// ones. Returns their number and an array from malloc, NULL when memory is out. Datasets that a generator refuses are
// left out.
size_t tier_datasets(enum case_tier tier, enum float_type type, uint64_t max_n, struct dataset **list);
// Sizes of the coverage map in a tier (elements), ending with 0. Of 16-bit numbers a run tells of 4 or 5 elements, of
// f32 of 12: their largest map is a quarter of f32's.
const uint64_t *tier_coverage_sizes(enum case_tier tier, enum float_type type);

#endif
