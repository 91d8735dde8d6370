// SPDX-License-Identifier: MIT
#include "harness/merge.h"

#include "harness/claim.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MISSING_TEXT = 200 };

// ---- what must agree ----

static const char *environment_value(const struct run_result *result, const char *key) {
    for (size_t i = 0; i < result->environment_count; i++)
        if (strcmp(result->environment[i].key, key) == 0)
            return result->environment[i].value;
    return "";
}

static const char *text_or_empty(const char *text) {
    return text ? text : "";
}

static char *differ(const struct shard *a, const struct shard *b, const char *what, const char *of_a,
                    const char *of_b) {
    if (strcmp(of_a, of_b) == 0)
        return NULL;
    return text_format("%s and %s differ in their %s, %s and %s: they are no shards of one run.", a->name, b->name,
                       what, of_a, of_b);
}

static char *check_pair(const struct shard *a, const struct shard *b) {
    if (a->result.seed != b->result.seed)
        return text_format("%s and %s differ in their seed, %" PRIu64 " and %" PRIu64 ": their cells hold other data.",
                           a->name, b->name, a->result.seed, b->result.seed);
    char *fault =
        differ(a, b, "commit", environment_value(&a->result, "commit"), environment_value(&b->result, "commit"));
    if (!fault)
        fault = differ(a, b, "tier", text_or_empty(a->result.tier), text_or_empty(b->result.tier));
    if (!fault)
        fault = differ(a, b, "command", a->result.command, b->result.command);
    if (!fault && a->result.shard_count != b->result.shard_count) {
        bool a_is_whole = !a->result.shard_count, b_is_whole = !b->result.shard_count;
        const struct shard *whole = a_is_whole ? a : b, *part = a_is_whole ? b : a;
        fault = a_is_whole || b_is_whole ? text_format("%s is a run in one piece, %s is one shard of %" PRIu32 ".",
                                                       whole->name, part->name, part->result.shard_count)
                                         : text_format("%s is one shard of %" PRIu32 ", %s of %" PRIu32 ".", a->name,
                                                       a->result.shard_count, b->name, b->result.shard_count);
    }
    return fault;
}

// The claims are counted by their number, so each file must have those of this program.
static char *check_claims(const struct shard *shard) {
    for (size_t v = 0; v < shard->result.variant_count; v++) {
        const struct variant_result *row = &shard->result.variants[v];
        bool same = row->claim_count == CLAIM_COUNT;
        for (size_t c = 0; same && c < CLAIM_COUNT; c++)
            same = row->claims[c].value && strcmp(row->claims[c].claim, claim_name((enum claim)c)) == 0;
        if (!same)
            return text_format("%s: the claims of %s are not those that this version of reductio knows.", shard->name,
                               row->name);
    }
    return NULL;
}

static char *check_parts(const struct shard *shards, size_t count) {
    uint32_t parts = shards[0].result.shard_count;
    if (!parts)
        return NULL;
    char *missing = NULL;
    for (uint32_t part = 1; part <= parts; part++) {
        const struct shard *found = NULL;
        for (size_t i = 0; i < count; i++) {
            if (shards[i].result.shard_index != part)
                continue;
            if (found) {
                free(missing);
                return text_format("%s and %s are both shard %" PRIu32 "/%" PRIu32 ".", found->name, shards[i].name,
                                   part, parts);
            }
            found = &shards[i];
        }
        if (!found)
            missing = text_append(missing, "%" PRIu32 "/%" PRIu32, part, parts);
        if (missing && strlen(missing) > MISSING_TEXT)
            break; // these will do
    }
    if (!missing)
        return NULL;
    char *fault = text_format("shards are missing: %s.", missing);
    free(missing);
    return fault;
}

struct owned_cell {
    const char *id, *file;
};

static int compare_owned(const void *a, const void *b) {
    return strcmp(((const struct owned_cell *)a)->id, ((const struct owned_cell *)b)->id);
}

static char *check_overlap(const struct shard *shards, size_t count, size_t cells) {
    struct owned_cell *owned = must_calloc(cells, sizeof *owned);
    size_t used = 0;
    char *fault = NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < shards[i].result.cell_count; c++)
            owned[used++] = (struct owned_cell){shards[i].result.cells[c].id, shards[i].name};
    qsort(owned, used, sizeof *owned, compare_owned);
    for (size_t i = 1; i < used && !fault; i++)
        if (strcmp(owned[i - 1].id, owned[i].id) == 0)
            fault = text_format("the cell %s is in %s and in %s.", owned[i].id, owned[i - 1].file, owned[i].file);
    free(owned);
    return fault;
}

static char *check_shards(const struct shard *shards, size_t count) {
    size_t cells = 0;
    char *fault = NULL;
    for (size_t i = 0; i < count && !fault; i++) {
        cells += shards[i].result.cell_count;
        fault = check_claims(&shards[i]);
        if (!fault)
            fault = check_pair(&shards[0], &shards[i]);
    }
    if (!fault)
        fault = check_parts(shards, count);
    return fault ? fault : check_overlap(shards, count, cells);
}

// ---- joining: each function moves what it takes ----

static bool same_row(const struct variant_result *a, const struct variant_result *b) {
    return strcmp(a->name, b->name) == 0 && strcmp(a->backend, b->backend) == 0 && strcmp(a->type, b->type) == 0;
}

static size_t take_variant(struct run_result *whole, struct variant_result *row) {
    for (size_t v = 0; v < whole->variant_count; v++)
        if (same_row(&whole->variants[v], row))
            return v;
    whole->variants = grow_array(whole->variants, whole->variant_count, sizeof *whole->variants);
    whole->variants[whole->variant_count] = *row;
    *row = (struct variant_result){0};
    return whole->variant_count++;
}

static size_t take_dataset(struct run_result *whole, struct dataset_result *dataset) {
    for (size_t d = 0; d < whole->dataset_count; d++)
        if (strcmp(whole->datasets[d].name, dataset->name) == 0)
            return d;
    whole->datasets = grow_array(whole->datasets, whole->dataset_count, sizeof *whole->datasets);
    whole->datasets[whole->dataset_count] = *dataset;
    *dataset = (struct dataset_result){0};
    return whole->dataset_count++;
}

static void take_cells(struct run_result *whole, struct run_result *part) {
    size_t *variants = must_calloc(part->variant_count, sizeof *variants);
    size_t *datasets = must_calloc(part->dataset_count, sizeof *datasets);
    for (size_t v = 0; v < part->variant_count; v++)
        variants[v] = take_variant(whole, &part->variants[v]);
    for (size_t d = 0; d < part->dataset_count; d++)
        datasets[d] = take_dataset(whole, &part->datasets[d]);
    for (size_t i = 0; i < part->cell_count; i++) {
        whole->cells = grow_array(whole->cells, whole->cell_count, sizeof *whole->cells);
        struct cell_result *cell = &whole->cells[whole->cell_count++];
        *cell = part->cells[i];
        cell->variant = variants[cell->variant];
        if (cell->dataset != SIZE_MAX)
            cell->dataset = datasets[cell->dataset];
    }
    part->cell_count = 0;
    free(variants);
    free(datasets);
}

static void add_text(char ***list, size_t *count, const char *text) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], text) == 0)
            return;
    *list = grow_array(*list, *count, sizeof **list);
    (*list)[(*count)++] = must_copy_text(text);
}

// Parts may have run on different machines; what then differs is said, the first one's value stays.
static void take_environment(struct run_result *whole, const struct shard *shard) {
    for (size_t i = 0; i < shard->result.environment_count; i++) {
        const struct text_pair *pair = &shard->result.environment[i];
        const char *have = environment_value(whole, pair->key);
        if (*have && strcmp(have, pair->value) != 0) {
            char *note = text_format("%s ran with another %s: %s.", shard->name, pair->key, pair->value);
            add_text(&whole->notes, &whole->note_count, note);
            free(note);
        }
        if (*have)
            continue;
        whole->environment = grow_array(whole->environment, whole->environment_count, sizeof *whole->environment);
        whole->environment[whole->environment_count++] =
            (struct text_pair){must_copy_text(pair->key), must_copy_text(pair->value)};
    }
}

// One shard of a run asks the machine.
static void take_hardware(struct run_result *whole, struct run_result *part) {
    if (whole->hardware_count || !part->hardware_count)
        return;
    whole->hardware = part->hardware;
    whole->hardware_count = part->hardware_count;
    part->hardware = NULL;
    part->hardware_count = 0;
}

static void take_shard(struct run_result *whole, struct shard *shard) {
    struct run_result *part = &shard->result;
    take_environment(whole, shard);
    for (size_t i = 0; i < part->backend_count; i++)
        add_text(&whole->backends, &whole->backend_count, part->backends[i]);
    for (size_t i = 0; i < part->note_count; i++)
        add_text(&whole->notes, &whole->note_count, part->notes[i]);
    const char *started = text_or_empty(part->started);
    if (!whole->started || strcmp(started, whole->started) < 0) { // ISO 8601 sorts as text
        free(whole->started);
        whole->started = must_copy_text(started);
    }
    whole->seconds += part->seconds;
    whole->interrupted |= part->interrupted;
    take_hardware(whole, part);
    take_cells(whole, part);
}

char *merge_shards(struct shard *shards, size_t count, const struct known_list *known, struct run_result *whole) {
    *whole = (struct run_result){0};
    char *fault = check_shards(shards, count);
    if (fault)
        return fault;
    whole->command = must_copy_text(shards[0].result.command);
    whole->tier = must_copy_text(text_or_empty(shards[0].result.tier));
    whole->seed = shards[0].result.seed;
    for (size_t i = 0; i < count; i++)
        take_shard(whole, &shards[i]);
    if (known)
        known_apply(known, whole);
    summarise_cells(whole);
    return NULL;
}
