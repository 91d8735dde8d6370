// SPDX-License-Identifier: MIT
// What each attack on same bits reached, variant by variant, as plain text.
#include "reports/reports.h"
#include "reports/variation.h"

#include <inttypes.h>
#include <string.h>

static bool is_hardware(const json_t *variant) {
    return !strcmp(text_of(variant, "backend"), "cuda");
}

static void write_spread(const struct run_view *view, const struct variant_view *variant, const struct spread *spread,
                         enum attack attack, FILE *out) {
    const json_t *claim = claim_named(variant->json, attack_claims[attack]);
    fprintf(out, "  %-10s %-12s ", attack_names[attack], claim ? text_of(claim, "status") : "not claimed");
    if (!spread->groups) {
        fputs("not tested\n", out);
        return;
    }
    fprintf(out, "%zu of %zu inputs gave more than one result", spread->varied_groups, spread->groups);
    if (spread->varied_groups) {
        fprintf(out, "; up to %zu in %" PRIu64 " runs, %.3g ulps apart at most: ", spread->most_patterns,
                spread->widest_runs, spread->most_ulps);
        write_paste_line(variant->json, view->cells[spread->example].json, out);
    } else if (attack == ATTACK_ON_RUN && is_hardware(variant->json)) {
        fprintf(out, "; 0 of %" PRIu64 " differed: if runs are independent, fewer than %.2g %% differ, at 95 %%",
                spread->results, 300.0 / (double)spread->results);
    }
    fputc('\n', out);
}

bool report_write_study(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    struct variation variation = {0};
    bool made = run_view_make(&view, run) && variation_make(&variation, &view);
    for (size_t v = 0; made && v < view.variant_count; v++) {
        write_variant_label(view.variants[v].json, out);
        fputs(is_hardware(view.variants[v].json) ? "\n" : " (what is reachable, not how often)\n", out);
        for (int attack = 0; attack < ATTACK_KINDS; attack++)
            write_spread(&view, &view.variants[v], &variation.spreads[v * ATTACK_KINDS + (size_t)attack],
                         (enum attack)attack, out);
        fputc('\n', out);
    }
    if (!made)
        snprintf(message, REPORT_MESSAGE, "The study does not fit in memory.");
    variation_free(&variation, &view);
    run_view_free(&view);
    return made;
}
