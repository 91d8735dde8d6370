// SPDX-License-Identifier: MIT
// Attacks on same_bits: a cell that differs from its base cell in one coordinate must have its bits.
#include "harness/runner.h"
#include "harness/support.h"
#include "harness/verdict.h"

#include <stdio.h>

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
