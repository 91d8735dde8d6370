// SPDX-License-Identifier: MIT
// The plan of a tier: rows and cases that the selection chooses, and then the devices that those need.
#include "harness/finding.h"
#include "harness/plan.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A plan of a tier in the making.
struct tier {
    struct plan *plan;
    const struct selection *selection;
    bool faulty;   // planted faults, instead of real rows
    size_t groups; // that were counted so far
};

static bool variant_is_chosen(const struct tier *tier, size_t variant) {
    const struct selection *selection = tier->selection;
    const struct catalog_variant *row = &tier->plan->catalog->variants[variant];
    if (catalog_fault(tier->plan->catalog, variant)) // which of its rows were chosen nobody can say
        return !tier->faulty;
    // On real hardware a race may happen to pass, so the planted faults are run there only where it is asked for.
    bool asked_for = selection->backends.count || strcmp(row->card.backend, "cuda") != 0;
    if (tier->faulty)
        return row->faulty && asked_for &&
               selects_variant(selection, row->card.name, row->card.backend, row->card.type, false);
    return selects_variant(selection, row->card.name, row->card.backend, row->card.type, row->faulty);
}

// What a shard takes or leaves as a whole: the cells around a dataset, or the coverage maps of n elements.
struct group {
    const struct dataset *dataset; // NULL: coverage maps
    uint64_t n;
};

static void add_group(struct plan *plan, int variant, const struct group *group, struct attack_strength strength) {
    if (group->dataset)
        plan_add_cells(plan, variant, group->dataset, strength);
    else
        plan_add_coverage(plan, variant, group->n);
}

// No detector of planted faults looks at other GPUs, and a row's first cell on one costs the start of another worker.
static struct attack_strength strength_of(const struct tier *tier) {
    struct attack_strength strength = tier_attack_strength(tier->plan->catalog, tier->selection);
    if (tier->faulty)
        strength.devices = 1;
    return strength;
}

static void name_cell(const struct plan *plan, const struct plan_cell *cell, char *id) {
    struct cell_key key;
    plan_cell_key(plan, cell, &key);
    cell_key_print(&key, id);
}

// Whether --cell selects any of the group, on a machine of however many GPUs.
static bool some_cell_is_selected(const struct tier *tier, int variant, const struct group *group) {
    enum { MANY_DEVICES = 64 };
    struct plan trial = {.catalog = tier->plan->catalog};
    struct attack_strength strength = strength_of(tier);
    bool selected = !tier->selection->cells.count;
    if (strength.devices != 1) // so many are not known before the first is opened
        strength.devices = MANY_DEVICES;
    if (!selected)
        add_group(&trial, variant, group, strength);
    for (size_t i = 0; i < trial.cell_count && !selected; i++) {
        char id[CELL_ID_TEXT];
        name_cell(&trial, &trial.cells[i], id);
        selected = selects_cell(tier->selection, id);
    }
    plan_free(&trial);
    return selected;
}

static bool can_run(const struct plan *plan, int variant) {
    return !catalog_fault(plan->catalog, (size_t)variant) && !*plan->catalog->variants[variant].card.absent;
}

// A device that has not been tried is opened for a group alone that would be run on it. Only then is it known of a row
// that its build cannot run whether to say so, or nothing of a device that is not there.
static bool group_is_planned(const struct tier *tier, int variant, const struct group *group) {
    struct plan *plan = tier->plan;
    int backend = plan->catalog->variants[variant].backend;
    bool tried = plan->catalog->backends[backend].device != DEVICE_NOT_TRIED;
    return (tried || some_cell_is_selected(tier, variant, group)) && catalog_is_present(plan->catalog, backend) &&
           can_run(plan, variant);
}

// The groups are counted whether or not they can be run, so that shards agree about them.
static void plan_group(struct tier *tier, int variant, const struct group *group) {
    const struct catalog *catalog = tier->plan->catalog;
    const struct selection *selection = tier->selection;
    const struct catalog_variant *row = &catalog->variants[variant];
    const struct dataset *dataset = group->dataset;
    char name[DATASET_TEXT];
    if (dataset)
        dataset_name(&dataset->key, name);
    else
        snprintf(name, sizeof name, "%s/" COVERAGE_VALUES "/%llu/given", row->card.type, (unsigned long long)group->n);
    if (catalog_row_takes(row, group->n) &&
        selects_case(selection, dataset ? dataset->key.values->name : COVERAGE_VALUES, name) &&
        selects_group(selection, tier->groups++) && group_is_planned(tier, variant, group))
        add_group(tier->plan, variant, group, strength_of(tier));
}

// The cells of one variant over the tier's datasets of its input type, or what keeps it from having any.
static void plan_variant(struct tier *tier, int variant) {
    struct plan *plan = tier->plan;
    const struct catalog_variant *row = &plan->catalog->variants[variant];
    const struct catalog_backend *backend = &plan->catalog->backends[row->backend];
    struct dataset *list;
    size_t count = tier_datasets(tier->selection->tier, row->in, backend->max_n, &list);
    for (size_t i = 0; i < count; i++)
        plan_group(tier, variant, &(struct group){.dataset = &list[i], .n = list[i].key.n});
    free(list);
    for (const uint64_t *n = tier_coverage_sizes(tier->selection->tier, row->in); *n; n++)
        plan_group(tier, variant, &(struct group){.n = *n});
    if (backend->device != DEVICE_OPENS)
        return;
    if (*row->card.absent)
        plan_note_absent(plan, variant);
    else if (catalog_fault(plan->catalog, (size_t)variant))
        plan_add_fault(plan, variant);
}

// Keeps the cells that --cell selects, and the cells that those are compared with.
static void filter_cells(struct plan *plan, const struct selection *selection) {
    int *moved = must_calloc(plan->cell_count, sizeof *moved);
    bool *keep = must_calloc(plan->cell_count, sizeof *keep);
    for (size_t i = 0; i < plan->cell_count; i++) {
        char id[CELL_ID_TEXT];
        name_cell(plan, &plan->cells[i], id);
        keep[i] = selects_cell(selection, id);
        if (keep[i] && plan->cells[i].base != NO_INDEX)
            keep[plan->cells[i].base] = true;
    }
    size_t count = 0;
    for (size_t i = 0; i < plan->cell_count; i++)
        if (keep[i]) {
            struct plan_cell cell = plan->cells[i];
            if (cell.base != NO_INDEX)
                cell.base = moved[cell.base];
            moved[i] = (int)count;
            plan->cells[count++] = cell;
        }
    plan->cell_count = count;
    free(moved);
    free(keep);
}

static bool is_first_type(const struct catalog *catalog, size_t variant) {
    const struct catalog_variant *row = &catalog->variants[variant];
    for (size_t v = 0; v < variant; v++)
        if (catalog->variants[v].backend == row->backend && strcmp(catalog->variants[v].card.name, row->card.name) == 0)
            return false;
    return true;
}

// Faults of arithmetic order nothing: the race detector, by far the slowest, is spared them.
static bool is_arithmetic(const char *detector) {
    return strcmp(detector, "bound") == 0 || strcmp(detector, "specials") == 0;
}

// A fault is run everywhere, so that who catches it alone is known and not assumed; on a sanitizer's build for another
// detector's fault a glance is enough.
static void plan_hazard_build(struct plan *plan, size_t variant, bool faulty) {
    const struct catalog_variant *row = &plan->catalog->variants[variant];
    if (!catalog_is_present(plan->catalog, row->backend))
        return;
    if (*row->card.absent)
        plan_note_absent(plan, (int)variant);
    else if (!faulty || fault_is_at_home(row->card.backend, row->card.fault_detector))
        plan_add_hazard_cells(plan, (int)variant, TIER_SMOKE);
    else if (is_first_type(plan->catalog, variant) &&
             !(is_arithmetic(row->card.fault_detector) && strcmp(row->card.backend, "tsan") == 0))
        plan_add_hazard_glance(plan, (int)variant);
}

void plan_tier(struct plan *plan, struct catalog *catalog, const struct selection *selection, bool faulty) {
    struct tier tier = {.plan = plan, .selection = selection, .faulty = faulty};
    *plan = (struct plan){.catalog = catalog, .device_chosen = selection->device_given};
    for (size_t i = 0; i < catalog->variant_count; i++) {
        if (!variant_is_chosen(&tier, i))
            continue;
        if (catalog->backends[catalog->variants[i].backend].hazard)
            plan_hazard_build(plan, i, faulty);
        else
            plan_variant(&tier, (int)i);
    }
    if (selection->cells.count)
        filter_cells(plan, selection);
}
