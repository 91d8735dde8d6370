// SPDX-License-Identifier: MIT
// What the user asked for: filters, tier, seed, shard. A filter never changes data, only what is run.
#ifndef REDUCTIO_SELECTION_H
#define REDUCTIO_SELECTION_H

#include "cases/cases.h"

struct text_list {
    char **items;
    size_t count;
};

void text_list_add(struct text_list *list, const char *text);
void text_list_free(struct text_list *list);

enum { DEFAULT_SEED = 20240611 }; // fixed and printed, so that two runs feed the same data

struct selection {
    struct text_list variants, skip_variants; // globs over "name", "name@backend" and "name@backend/type"
    struct text_list cases, skip_cases;       // globs over "values" and "type/values/n/order"
    struct text_list types, backends;         // exact
    struct text_list cells;                   // identities or globs of them
    enum case_tier tier;
    uint64_t seed;
    unsigned repeat;                   // runs of a cell on real hardware, 0 = the tier's
    unsigned shard_index, shard_count; // 1-based index; count 0 = all
    unsigned jobs;                     // 0 = as many as there are cores
    unsigned limit_seconds;            // per cell
    bool limit_is_short;               // the selftest's own: longer for sanitizers, with few new workers
    unsigned device;                   // GPU number
    bool device_given;                 // it was asked for, so that no attack goes over others
};

void selection_free(struct selection *selection);

// Empty lists select everything. `name` is tried as it is and with each longer form.
bool is_glob(const char *text);
bool glob_matches_any(const struct text_list *globs, const char *text);
bool selects_variant(const struct selection *selection, const char *name, const char *backend, const char *type,
                     bool faulty);
bool selects_backend(const struct selection *selection, const char *backend);
bool selects_type(const struct selection *selection, const char *type);
bool selects_case(const struct selection *selection, const char *values, const char *dataset);
bool selects_cell(const struct selection *selection, const char *id);
// Whether the shard takes the group of cells that the plan counts as its `group`th.
bool selects_group(const struct selection *selection, size_t group);

#endif
