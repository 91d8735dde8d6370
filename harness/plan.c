// SPDX-License-Identifier: MIT
#include "harness/plan.h"

#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// On the emulator the same schedule gives the same bits, for ever: a second run differs only by what a variant keeps
// from one call to the next.
enum { BOUNDARY_BYTES = 256, PLACEMENT_OFFSETS = 16, EMULATOR_RUNS = 2, GATE_RUNS = 100 };

unsigned plan_devices(const struct catalog *catalog, const struct selection *selection) {
    return selection->device_given ? 1 : catalog->devices;
}

struct attack_strength tier_attack_strength(const struct catalog *catalog, const struct selection *selection) {
    struct attack_strength strength = {.attacks = EVERY_ATTACK,
                                       .schedules = 4,
                                       .shuffles = 1,
                                       .hardware_runs = selection->repeat ? selection->repeat : GATE_RUNS,
                                       .devices = plan_devices(catalog, selection)};
    if (selection->tier == TIER_FULL) {
        strength.schedules = 12;
        strength.shuffles = 3;
    }
    return strength;
}

int plan_add_dataset(struct plan *plan, const struct dataset_key *key) {
    for (size_t i = plan->dataset_count; i-- > 0;) { // the one wanted is nearly always the last added
        const struct dataset_key *have = &plan->datasets[i];
        if (have->values == key->values && have->n == key->n && have->type == key->type &&
            strcmp(have->order, key->order) == 0)
            return (int)i;
    }
    plan->datasets = grow_array(plan->datasets, plan->dataset_count, sizeof *plan->datasets);
    plan->datasets[plan->dataset_count] = *key;
    return (int)plan->dataset_count++;
}

int plan_add_cell(struct plan *plan, const struct plan_cell *cell) {
    plan->cells = grow_array(plan->cells, plan->cell_count, sizeof *plan->cells);
    plan->cells[plan->cell_count] = *cell;
    return (int)plan->cell_count++;
}

static bool runs_on_emulator(const struct plan *plan, int variant) {
    return catalog_is_emulated(plan->catalog, variant);
}

static bool runs_on_gpu(const struct plan *plan, int variant) {
    return strcmp(plan->catalog->variants[variant].card.backend, "cuda") == 0;
}

static struct schedule base_schedule(const struct plan *plan, int variant) {
    return (struct schedule){.kind = runs_on_emulator(plan, variant) ? SCHEDULE_IN_ORDER : SCHEDULE_HARDWARE};
}

struct reductio_shape plan_default_shape(const struct variant_card *card) {
    return card->shape_count ? card->shapes[0] : (struct reductio_shape){1, 0};
}

bool plan_lists_shape(const struct variant_card *card, struct reductio_shape shape) {
    for (uint32_t i = 0; i < card->shape_count; i++)
        if (plan_same_shape(card->shapes[i], shape))
            return true;
    return plan_same_shape(plan_default_shape(card), shape);
}

// The base cell itself is repeated; a busy GPU serves blocks and atomics in other orders than an idle one.
static void attack_run_on_hardware(struct plan *plan, struct plan_cell attack, struct attack_strength strength) {
    if (!strength.busy_percent || !runs_on_gpu(plan, attack.variant))
        return;
    attack.attacked = CLAIM_SAME_BITS_RUN;
    attack.schedule = (struct schedule){.kind = SCHEDULE_BUSY, .seed = strength.busy_percent};
    attack.runs = strength.hardware_runs;
    plan_add_cell(plan, &attack);
}

static void attack_run(struct plan *plan, struct plan_cell attack, const struct attack_strength *strength) {
    static const struct schedule fixed[] = {{.kind = SCHEDULE_REVERSED},
                                            {.kind = SCHEDULE_LANES_APART},
                                            // from here on the hostile ones
                                            {.kind = SCHEDULE_ASCENDING},
                                            {.kind = SCHEDULE_DESCENDING},
                                            {.kind = SCHEDULE_LAST_BLOCK, .seed = 0},
                                            {.kind = SCHEDULE_LAST_BLOCK, .seed = 1},
                                            {.kind = SCHEDULE_LAST_BLOCK, .seed = 2}};
    enum { USUAL = 2, ALL = sizeof fixed / sizeof *fixed };
    if (!strength->schedules || !runs_on_emulator(plan, attack.variant))
        return;
    attack.attacked = CLAIM_SAME_BITS_RUN;
    for (size_t i = 0; i < (strength->hostile ? ALL : USUAL); i++) {
        attack.schedule = fixed[i];
        plan_add_cell(plan, &attack);
    }
    for (unsigned seed = 1; seed <= strength->schedules; seed++) {
        attack.schedule = (struct schedule){.kind = SCHEDULE_SEEDED, .seed = seed};
        plan_add_cell(plan, &attack);
    }
}

static void attack_shape(struct plan *plan, struct plan_cell attack) {
    const struct variant_card *card = &plan->catalog->variants[attack.variant].card;
    attack.attacked = CLAIM_SAME_BITS_SHAPE;
    for (uint32_t i = 1; i < card->shape_count; i++) {
        attack.shape = card->shapes[i];
        plan_add_cell(plan, &attack);
    }
}

static void attack_placement(struct plan *plan, struct plan_cell attack) {
    if (plan->catalog->variants[attack.variant].card.fixed_placement)
        return;
    attack.attacked = CLAIM_SAME_BITS_PLACEMENT;
    for (attack.offset = 1; attack.offset < PLACEMENT_OFFSETS; attack.offset++)
        plan_add_cell(plan, &attack);
}

static void attack_order(struct plan *plan, struct plan_cell attack, struct dataset_key key, unsigned shuffles) {
    static const char *const orders[] = {"reversed", "ascending", "descending"};
    enum { FIXED = sizeof orders / sizeof *orders };
    attack.attacked = CLAIM_SAME_BITS_ORDER;
    for (unsigned i = 0; i < FIXED + shuffles; i++) {
        char shuffled[32];
        snprintf(shuffled, sizeof shuffled, "shuffled%u", i - FIXED + 1);
        copy_text(key.order, sizeof key.order, i < FIXED ? orders[i] : shuffled);
        attack.dataset = plan_add_dataset(plan, &key);
        plan_add_cell(plan, &attack);
    }
}

static void attack_device(struct plan *plan, struct plan_cell attack, unsigned devices) {
    if (devices < 2 || !runs_on_gpu(plan, attack.variant))
        return;
    attack.attacked = CLAIM_SAME_BITS_DEVICE;
    for (unsigned device = 0; device < devices; device++) {
        attack.schedule = (struct schedule){.kind = SCHEDULE_DEVICE, .seed = device};
        if (device != plan->catalog->device)
            plan_add_cell(plan, &attack);
    }
}

struct plan_cell plan_base_cell(struct plan *plan, int variant, const struct dataset *dataset,
                                struct attack_strength strength) {
    uint32_t repeats = runs_on_emulator(plan, variant) ? EMULATOR_RUNS : strength.hardware_runs;
    return (struct plan_cell){.variant = variant,
                              .dataset = plan_add_dataset(plan, &dataset->key),
                              .base = NO_INDEX,
                              .shape = plan_default_shape(&plan->catalog->variants[variant].card),
                              .schedule = base_schedule(plan, variant),
                              .n = dataset->key.n,
                              .runs = dataset->attacks & strength.attacks & ATTACK_RUN ? repeats : 1};
}

int plan_add_cells(struct plan *plan, int variant, const struct dataset *dataset, struct attack_strength strength) {
    unsigned attacks = dataset->attacks & strength.attacks;
    struct plan_cell cell = plan_base_cell(plan, variant, dataset, strength);
    int base = plan_add_cell(plan, &cell);
    cell.base = base;
    cell.runs = 1;
    if (attacks & ATTACK_RUN) {
        attack_run(plan, cell, &strength);
        attack_run_on_hardware(plan, cell, strength);
    }
    if (attacks & ATTACK_SHAPE)
        attack_shape(plan, cell);
    if (attacks & ATTACK_PLACEMENT)
        attack_placement(plan, cell);
    if (attacks & ATTACK_ORDER)
        attack_order(plan, cell, dataset->key, strength.shuffles);
    if (attacks & ATTACK_DEVICE)
        attack_device(plan, cell, strength.devices);
    return base;
}

void plan_add_shape(struct plan *plan, int base, struct reductio_shape shape) {
    struct plan_cell cell = plan->cells[base];
    for (size_t i = (size_t)base; i < plan->cell_count; i++)
        if (plan_same_shape(plan->cells[i].shape, shape) &&
            (i == (size_t)base || plan->cells[i].attacked == CLAIM_SAME_BITS_SHAPE))
            return;
    cell.base = base;
    cell.attacked = CLAIM_SAME_BITS_SHAPE;
    cell.shape = shape;
    cell.optional = true;
    plan_add_cell(plan, &cell);
}

void plan_add_threads(struct plan *plan, int base) {
    for (unsigned threads = 32; threads <= 1024; threads *= 2)
        plan_add_shape(plan, base, (struct reductio_shape){threads, plan->cells[base].shape.blocks});
}

// The offset at which the array ends exactly where the unmapped page begins, so that reading one past it is caught.
static uint32_t flush_offset(enum float_type type, uint64_t n) {
    uint64_t step = BOUNDARY_BYTES / float_format(type)->size;
    return (uint32_t)((step - n % step) % step);
}

void plan_add_coverage(struct plan *plan, int variant, uint64_t n) {
    const struct catalog_variant *row = &plan->catalog->variants[variant];
    struct plan_cell cell = {.variant = variant,
                             .dataset = NO_INDEX,
                             .base = NO_INDEX,
                             .offset = row->card.fixed_placement ? 0 : flush_offset(row->in, n),
                             .schedule = base_schedule(plan, variant),
                             .n = n,
                             .runs = 1};
    uint32_t shapes = row->card.shape_count ? row->card.shape_count : 1;
    for (uint32_t i = 0; i < shapes; i++) {
        cell.shape = i ? row->card.shapes[i] : plan_default_shape(&row->card);
        plan_add_cell(plan, &cell);
    }
}

void plan_add_fault(struct plan *plan, int variant) {
    const struct dataset one = {
        .key = {
            .type = plan->catalog->variants[variant].in, .values = case_values_find("ones"), .n = 1, .order = "given"}};
    plan_add_cells(plan, variant, &one, (struct attack_strength){.hardware_runs = 1});
}

void plan_note_absent(struct plan *plan, int variant) {
    plan->absent = grow_array(plan->absent, plan->absent_count, sizeof *plan->absent);
    plan->absent[plan->absent_count++] = variant;
}

void plan_cell_key(const struct plan *plan, const struct plan_cell *cell, struct cell_key *key) {
    const struct variant_card *card = &plan->catalog->variants[cell->variant].card;
    *key = (struct cell_key){.n = cell->n, .shape = cell->shape, .offset = cell->offset, .schedule = cell->schedule};
    copy_text(key->variant, sizeof key->variant, card->name);
    copy_text(key->backend, sizeof key->backend, card->backend);
    copy_text(key->type, sizeof key->type, card->type);
    const struct dataset_key *dataset = cell->dataset == NO_INDEX ? NULL : &plan->datasets[cell->dataset];
    copy_text(key->values, sizeof key->values, dataset ? dataset->values->name : COVERAGE_VALUES);
    copy_text(key->order, sizeof key->order, dataset ? dataset->order : "given");
}

void plan_free(struct plan *plan) {
    free(plan->datasets);
    free(plan->cells);
    free(plan->absent);
    *plan = (struct plan){0};
}
