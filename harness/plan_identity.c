// SPDX-License-Identifier: MIT
// From a cell's identity back to a plan that reproduces it.
#include "harness/plan.h"
#include "harness/support.h"

#include <stdio.h>
#include <string.h>

// The dataset that the identity names, or one sentence why there is none.
static char *find_dataset(const struct cell_key *key, enum float_type in, struct dataset *dataset) {
    const struct case_values *values = case_values_find(key->values);
    if (!values)
        return text_format("there is no case named \"%s\".", key->values);
    if (!case_order_known(key->order))
        return text_format("there is no order named \"%s\".", key->order);
    const char *refusal = values->fixed_n && values->fixed_n != key->n ? "its file has another number of elements"
                          : values->refusal                            ? values->refusal(values, in, key->n)
                                                                       : NULL;
    if (refusal)
        return text_format("case \"%s\" cannot be made with %llu elements: %s.", key->values,
                           (unsigned long long)key->n, refusal);
    *dataset = (struct dataset){.key = {.type = in, .values = values, .n = key->n}};
    copy_text(dataset->key.order, sizeof dataset->key.order, key->order);
    return NULL;
}

// Which member of same_bits tells this cell from the base cell of its variant and values.
static enum claim attacked_member(const struct cell_key *key, const struct plan_cell *base) {
    if (strcmp(key->order, "given") != 0)
        return CLAIM_SAME_BITS_ORDER;
    if (key->offset)
        return CLAIM_SAME_BITS_PLACEMENT;
    if (key->shape.threads != base->shape.threads || key->shape.blocks != base->shape.blocks)
        return CLAIM_SAME_BITS_SHAPE;
    return key->schedule.kind == SCHEDULE_DEVICE ? CLAIM_SAME_BITS_DEVICE : CLAIM_SAME_BITS_RUN;
}

// Why the machine at hand cannot follow the schedule that the identity names, in one sentence; NULL if it can.
static char *schedule_fault(const struct plan *plan, const struct cell_key *key, int variant) {
    char name[SCHEDULE_TEXT];
    bool on_gpu = strcmp(key->backend, "cuda") == 0, real = schedule_is_real(key->schedule);
    bool plain = key->schedule.kind == SCHEDULE_HARDWARE;
    schedule_name(key->schedule, name);
    if (real == catalog_is_emulated(plan->catalog, variant) || (real && !plain && !on_gpu))
        return text_format("backend \"%s\" follows no schedule \"%s\".", key->backend, name);
    if (key->schedule.kind == SCHEDULE_BUSY && (key->schedule.seed < 1 || key->schedule.seed > 100))
        return text_format("schedule \"%s\": from 1 to 100 %% of a GPU can be kept busy.", name);
    if (key->schedule.kind == SCHEDULE_DEVICE && key->schedule.seed >= plan->catalog->devices)
        return text_format("schedule \"%s\": this machine has %u CUDA device%s, counted from 0.", name,
                           plan->catalog->devices, plan->catalog->devices == 1 ? "" : "s");
    return NULL;
}

static bool same_coordinates(const struct cell_key *key, const struct plan_cell *base) {
    return strcmp(key->order, "given") == 0 && !key->offset && key->shape.threads == base->shape.threads &&
           key->shape.blocks == base->shape.blocks && key->schedule.kind == base->schedule.kind &&
           key->schedule.seed == base->schedule.seed;
}

// The user may ask for any launch shape, and the variant claims nothing of those that it does not list.
static void set_shape(const struct plan *plan, struct plan_cell *cell, struct reductio_shape shape) {
    const struct variant_card *card = &plan->catalog->variants[cell->variant].card;
    bool power = (shape.threads & (shape.threads - 1)) == 0 && shape.threads >= 32; // as plan_add_threads chooses
    cell->shape = shape;
    cell->named = true;
    cell->optional = !plan_lists_shape(card, shape);
    cell->foreign = cell->optional && !(power && shape.blocks == plan_default_shape(card).blocks);
}

static bool is_same_cell(const struct plan_cell *a, const struct plan_cell *b) {
    return a->variant == b->variant && a->dataset == b->dataset && a->n == b->n && a->offset == b->offset &&
           plan_same_shape(a->shape, b->shape) && a->schedule.kind == b->schedule.kind &&
           a->schedule.seed == b->schedule.seed;
}

// A record has each cell once, though the user may name one twice, or several that are compared with it. Returns the
// cell's place, old or new.
static int add_once(struct plan *plan, const struct plan_cell *cell) {
    for (size_t i = 0; i < plan->cell_count; i++)
        if (is_same_cell(&plan->cells[i], cell))
            return (int)i;
    return plan_add_cell(plan, cell);
}

static void add_coverage_cell(struct plan *plan, const struct cell_key *key, int variant) {
    struct plan_cell cell = {.variant = variant,
                             .dataset = NO_INDEX,
                             .base = NO_INDEX,
                             .offset = key->offset,
                             .schedule = key->schedule,
                             .n = key->n,
                             .runs = 1};
    set_shape(plan, &cell, key->shape);
    add_once(plan, &cell);
}

static void add_dataset_cell(struct plan *plan, const struct cell_key *key, int variant, struct dataset *dataset,
                             const struct selection *selection) {
    struct dataset given = *dataset;
    strcpy(given.key.order, "given");
    given.attacks = ATTACK_RUN; // repeats alone: schedules are cells of their own
    struct plan_cell base = plan_base_cell(plan, variant, &given, tier_attack_strength(plan->catalog, selection));
    int base_index = add_once(plan, &base);
    if (same_coordinates(key, &base))
        return;
    struct plan_cell cell = base;
    cell.dataset = plan_add_dataset(plan, &dataset->key);
    cell.base = base_index;
    cell.attacked = attacked_member(key, &base);
    set_shape(plan, &cell, key->shape);
    cell.offset = key->offset;
    cell.schedule = key->schedule;
    if (key->schedule.kind != SCHEDULE_BUSY)
        cell.runs = 1;
    add_once(plan, &cell);
}

char *plan_add_identity(struct plan *plan, const struct selection *selection, const char *identity) {
    struct cell_key key;
    enum float_type in, out;
    if (!cell_key_parse(identity, &key) || !variant_type_parse(key.type, &in, &out))
        return text_format("\"%s\" is no cell: a cell is variant@backend/type/values/n/order/shape/offset/schedule.",
                           identity);
    int variant = catalog_find_variant(plan->catalog, key.variant, key.backend, key.type);
    if (variant == NO_INDEX)
        return text_format("there is no variant \"%s@%s/%s\".", key.variant, key.backend, key.type);
    int backend = plan->catalog->variants[variant].backend;
    if (!catalog_is_present(plan->catalog, backend))
        return text_format("backend \"%s\" is absent: %s", key.backend, plan->catalog->backends[backend].absent);
    char *why = schedule_fault(plan, &key, variant);
    if (why)
        return why;
    if (key.shape.threads > SHAPE_MOST_THREADS)
        return text_format("\"%s\" asks for blocks of %u threads; CUDA's have up to %d.", identity, key.shape.threads,
                           SHAPE_MOST_THREADS);
    if (strcmp(key.values, COVERAGE_VALUES) == 0) {
        add_coverage_cell(plan, &key, variant);
        return NULL;
    }
    struct dataset dataset;
    why = find_dataset(&key, in, &dataset);
    if (!why)
        add_dataset_cell(plan, &key, variant, &dataset, selection);
    return why;
}
