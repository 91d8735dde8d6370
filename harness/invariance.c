// SPDX-License-Identifier: MIT
// Attacks on same_bits: a cell that differs from its base cell in one coordinate must have its bits.
#include "harness/runner.h"
#include "harness/support.h"
#include "harness/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *detector_of(enum claim attacked) {
    switch (attacked) {
    case CLAIM_SAME_BITS_RUN:
        return "schedules";
    case CLAIM_SAME_BITS_SHAPE:
        return "shapes";
    case CLAIM_SAME_BITS_PLACEMENT:
        return "placement";
    case CLAIM_SAME_BITS_ORDER:
        return "permutations";
    default:
        return "devices";
    }
}

static const char *what_changed(enum claim attacked) {
    switch (attacked) {
    case CLAIM_SAME_BITS_RUN:
        return "under another schedule";
    case CLAIM_SAME_BITS_SHAPE:
        return "in another launch shape";
    case CLAIM_SAME_BITS_PLACEMENT:
        return "at another base address";
    case CLAIM_SAME_BITS_ORDER:
        return "for the same elements in another order";
    default:
        return "on another device";
    }
}

static void judge_difference(struct cell_result *cell, const struct cell_result *base,
                             const struct catalog_variant *row, enum claim attacked) {
    char base_text[FLOAT_TEXT], text[FLOAT_TEXT];
    float_to_hex(row->out, base->bits, base_text);
    float_to_hex(row->out, cell->bits, text);
    bool claimed = claim_is_made(attacked, &row->card);
    if (claimed)
        mark_broken(cell, attacked);
    add_finding(cell, claimed ? FINDING_VARIED : FINDING_VARIES_AS_CLAIMED, claimed ? detector_of(attacked) : NULL,
                "It gave %s %s, where the base cell gave %s.", text, what_changed(attacked), base_text);
    cell->differs = true;
}

// ---- the emulator against the GPU: a fixed order must give the same bits on both ----

struct named_cell {
    const char *id;
    size_t index;
};

static int compare_ids(const void *a, const void *b) {
    return strcmp(((const struct named_cell *)a)->id, ((const struct named_cell *)b)->id);
}

// The emulator's base cells, sorted by identity.
static size_t list_emulated(const struct plan *plan, const struct cell_result *cells, const bool *done,
                            struct named_cell *list) {
    size_t count = 0;
    for (size_t i = 0; i < plan->cell_count; i++) {
        const struct variant_card *card = &plan->catalog->variants[plan->cells[i].variant].card;
        bool base = plan->cells[i].schedule.kind == SCHEDULE_IN_ORDER && plan->cells[i].dataset != NO_INDEX;
        if (done[i] && base && cells[i].has_result && strcmp(card->backend, "simt") == 0)
            list[count++] = (struct named_cell){cells[i].id, i};
    }
    qsort(list, count, sizeof *list, compare_ids);
    return count;
}

static const struct named_cell *find_twin(const struct plan *plan, const struct plan_cell *cell,
                                          const struct named_cell *list, size_t count) {
    struct cell_key key;
    char id[CELL_ID_TEXT];
    plan_cell_key(plan, cell, &key);
    copy_text(key.backend, sizeof key.backend, "simt");
    key.schedule = (struct schedule){.kind = SCHEDULE_IN_ORDER};
    cell_key_print(&key, id);
    return bsearch(&(struct named_cell){id, 0}, list, count, sizeof *list, compare_ids);
}

static void judge_twin(struct cell_result *cell, const struct cell_result *twin, const struct catalog_variant *row) {
    char text[FLOAT_TEXT], twin_text[FLOAT_TEXT];
    cell->tested |= 1u << CLAIM_SAME_BITS_RUN;
    if (float_same(row->out, cell->bits, twin->bits))
        return;
    float_to_hex(row->out, cell->bits, text);
    float_to_hex(row->out, twin->bits, twin_text);
    mark_broken(cell, CLAIM_SAME_BITS_RUN);
    add_finding(cell, FINDING_VARIED, "backends", "It gave %s on the GPU, where the emulator gave %s.", text,
                twin_text);
}

void judge_backends(const struct plan *plan, struct cell_result *cells, const bool *done) {
    struct named_cell *list = must_calloc(plan->cell_count, sizeof *list);
    size_t count = list_emulated(plan, cells, done, list);
    for (size_t i = 0; count && i < plan->cell_count; i++) {
        const struct plan_cell *cell = &plan->cells[i];
        const struct catalog_variant *row = &plan->catalog->variants[cell->variant];
        bool fixed = strcmp(row->card.backend, "cuda") == 0 && claim_is_made(CLAIM_SAME_BITS_RUN, &row->card);
        if (!fixed || !done[i] || !cells[i].has_result)
            continue;
        const struct named_cell *twin = find_twin(plan, cell, list, count);
        if (twin)
            judge_twin(&cells[i], &cells[twin->index], row);
    }
    free(list);
}

void judge_invariance(const struct plan *plan, struct cell_result *cells, const bool *done) {
    for (size_t i = 0; i < plan->cell_count; i++) {
        const struct plan_cell *planned = &plan->cells[i];
        if (planned->base == NO_INDEX || !done[i] || !done[planned->base])
            continue;
        const struct cell_result *base = &cells[planned->base];
        const struct catalog_variant *row = &plan->catalog->variants[planned->variant];
        cells[i].compared_with = must_copy_text(base->id);
        cells[i].attack = must_copy_text(claim_name(planned->attacked));
        if (!base->has_result || !cells[i].has_result)
            continue;
        cells[i].tested |= 1u << planned->attacked;
        if (!float_same(row->out, base->bits, cells[i].bits))
            judge_difference(&cells[i], base, row, planned->attacked);
    }
}
