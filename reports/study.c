// SPDX-License-Identifier: MIT
// What each attack on same bits reached, variant by variant, as plain text.
#include "reports/reports.h"
#include "reports/timing.h"
#include "reports/variation.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BARS = 16 };

static void write_heading(FILE *out) {
    fputs(
        "Five changes, one at a time; inputs on which no addition rounds are the control, where nothing may vary.\n"
        "V_s = 1 - |S / S_1| over the runs of one input, S_1 the first run, the largest in magnitude (Shanmugavelu et "
        "al. 2024,\narXiv:2408.05148, who compare with a deterministic sum). Bars: how often, from the lowest result "
        "to the highest.\n\n",
        out);
}

static void write_untested(const json_t *claim, FILE *out) {
    fputs("not tested", out);
    if (claim && has_text(claim, "why")) {
        fputs(": ", out);
        write_printable(text_of(claim, "why"), out);
    }
    fputc('\n', out);
}

static void write_spread(const struct run_view *view, const struct variant_view *variant, const struct spread *spread,
                         enum attack attack, FILE *out) {
    const json_t *claim = claim_named(variant->json, attack_claims[attack]);
    fprintf(out, "  %-10s %-12s ", attack_names[attack], claim ? text_of(claim, "status") : "not claimed");
    if (!spread->groups) {
        write_untested(claim, out);
        return;
    }
    size_t inputs = spread->groups - spread->controls, varied = spread->varied_groups - spread->varied_controls;
    fprintf(out, "%zu of %zu inputs gave more than one result", varied, inputs);
    if (spread->controls)
        fprintf(out, ", control %zu of %zu", spread->varied_controls, spread->controls);
    if (spread->varied_groups) {
        fprintf(out, "; up to %zu in %" PRIu64 " runs, %.3g ulps apart at most: ", spread->most_patterns,
                spread->widest_runs, spread->most_ulps);
        write_paste_line(variant->json, text_of(view->cells[spread->example].json, "id"), write_printable, out);
    } else if (attack == ATTACK_ON_RUN && has_real_runs(variant->json)) {
        fprintf(out, "; 0 of %" PRIu64 " differed: if runs are independent, fewer than %.2g %% differ, at 95 %%",
                spread->results, 300.0 / (double)spread->results);
    }
    fputc('\n', out);
}

// ---- repeats: one line an input and launch shape, idle and busy ----

static void write_bars(const json_t *cell, FILE *out) {
    static const char *const glyphs[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const json_t *patterns = json_object_get(cell, "patterns"), *pattern;
    double low = figure_of(cell, "min_ulps"), high = figure_of(cell, "max_ulps");
    uint64_t bars[BARS] = {0}, most = 1;
    size_t i;
    if (!isfinite(low) || !isfinite(high) || !(low < high))
        return;
    json_array_foreach(patterns, i, pattern) {
        double place = (figure_of(pattern, "ulps") - low) / (high - low);
        if (isnan(place))
            continue;
        uint64_t *bar = &bars[place < 1 ? (size_t)(place * BARS) : BARS - 1];
        *bar += (uint64_t)count_of(pattern, "count");
        most = *bar > most ? *bar : most;
    }
    fputc('|', out);
    for (size_t b = 0; b < BARS; b++)
        fputs(glyphs[(bars[b] * 8 + most - 1) / most], out);
    fputc('|', out);
}

static uint64_t commonest_count(const json_t *cell) {
    return (uint64_t)count_of(json_array_get(json_object_get(cell, "patterns"), 0), "count");
}

// Median time beside that of the base cell: above 1 where something else took part of the machine.
static bool write_slowdown(const json_t *cell, const json_t *base, FILE *out) {
    double low, high, median, base_median;
    if (!timing_of_samples(cell, &low, &median, &high) || !timing_of_samples(base, &low, &base_median, &high))
        return false;
    if (median > 0 && base_median > 0)
        fprintf(out, "  %8.2f", median / base_median);
    else
        fprintf(out, "  %8s", "-");
    return true;
}

static bool write_repeats_of(const struct cell_view *cell, const json_t *base, FILE *out) {
    char input[80];
    uint64_t runs = (uint64_t)count_of(cell->json, "runs");
    bool busy = is_busy(cell->json);
    snprintf(input, sizeof input, "%.50s%s", text_of(cell->dataset, "values"),
             flag_of(cell->dataset, "never_rounds") ? " (control)" : "");
    fprintf(out, "    %-24s %10" PRId64 "  %-10.20s %-7.10s %6" PRIu64 " %9zu  %10.3g  %10.2e  %8.1f %%", input,
            (int64_t)count_of(cell->json, "n"), text_of(cell->json, "shape"),
            busy ? text_of(cell->json, "schedule") : "idle", runs,
            json_array_size(json_object_get(cell->json, "patterns")),
            figure_of(cell->json, "max_ulps") - figure_of(cell->json, "min_ulps"), figure_of(cell->json, "vs"),
            runs ? 100.0 * (double)commonest_count(cell->json) / (double)runs : 0.0);
    bool good = write_slowdown(cell->json, base, out);
    fputs("  ", out);
    write_bars(cell->json, out);
    fputc('\n', out);
    return good;
}

// The base cell comes before the cells that are compared with it, its repeats on a busy machine first.
static bool write_repeats(const struct run_view *view, size_t variant, FILE *out) {
    const json_t *base = NULL;
    bool good = true, any = false;
    for (size_t i = 0; good && i < view->cell_count; i++) {
        const struct cell_view *cell = &view->cells[i];
        if (cell->variant != variant || !cell->dataset || !flag_of(cell->json, "has_result") ||
            count_of(cell->json, "runs") < 2)
            continue;
        if (!any)
            fprintf(out, "    %-24s %10s  %-10s %-7s %6s %9s  %10s  %10s  %10s  %8s\n", "repeats of", "n", "shape",
                    "GPU", "runs", "distinct", "ulps apart", "V_s", "commonest", "x idle");
        any = true;
        if (!is_busy(cell->json))
            base = cell->json;
        good = write_repeats_of(cell, base ? base : cell->json, out);
    }
    return good;
}

static bool write_variant(const struct run_view *view, const struct variation *variation, size_t v, FILE *out) {
    const json_t *variant = view->variants[v].json;
    write_variant_label(variant, out);
    fputs(!strcmp(text_of(variant, "backend"), "simt") ? " (what is reachable, not how often)\n" : "\n", out);
    for (int attack = 0; attack < ATTACK_KINDS; attack++)
        write_spread(view, &view->variants[v], &variation->spreads[v * ATTACK_KINDS + (size_t)attack],
                     (enum attack)attack, out);
    bool good = !has_real_runs(variant) || write_repeats(view, v, out);
    fputc('\n', out);
    return good;
}

bool report_write_study(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    struct variation variation = {0};
    bool made = run_view_make(&view, run) && variation_make(&variation, &view);
    if (made)
        write_heading(out);
    for (size_t v = 0; made && v < view.variant_count; v++)
        made = write_variant(&view, &variation, v, out);
    // At the end, where the rows and inputs that are missing would be.
    if (made && flag_of(run, "interrupted"))
        fputs("The study was interrupted: not all of its cells were run.\n", out);
    if (!made)
        snprintf(message, REPORT_MESSAGE, "The study does not fit in memory.");
    variation_free(&variation, &view);
    run_view_free(&view);
    return made;
}
