// SPDX-License-Identifier: MIT
#include "reports/histogram.h"
#include "reports/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Edges of the signed error's bins in ulps, symmetric; the middle one is "correctly rounded or next to it".
static const double edges[] = {-1024, -64, -8, -2, -0.5, 0.5, 2, 8, 64, 1024};
static const char *const edge_labels[] = {"−1024", "−64", "−8", "−2", "−½", "½", "2", "8", "64", "1024"};
enum { BINS = sizeof edges / sizeof *edges + 1, BIASES = 16 };

struct bias {
    const char *claim;
    size_t bins[BINS];
    size_t below, above, count;
};

// An edge belongs to the bin that is nearer to 0: half an ulp either way is a tie, and correctly rounded.
static size_t bin_of(double ulps) {
    size_t bin = 0;
    while (bin < BINS - 1 && (edges[bin] < 0 ? ulps >= edges[bin] : ulps > edges[bin]))
        bin++;
    return bin;
}

static struct bias *bias_of(struct bias *biases, size_t *count, const char *claim) {
    for (size_t b = 0; b < *count; b++)
        if (!strcmp(biases[b].claim, claim))
            return &biases[b];
    if (*count == BIASES)
        return &biases[BIASES - 1];
    biases[*count].claim = claim;
    return &biases[(*count)++];
}

static size_t collect(const struct page *page, struct bias *biases) {
    size_t count = 0;
    for (size_t i = 0; i < page->view->cell_count; i++) {
        const struct cell_view *cell = &page->view->cells[i];
        const struct variant_view *variant = &page->view->variants[cell->variant];
        const json_t *claim = claim_named(variant->json, "accuracy");
        if (variant->planted || cell->failed || isnan(cell->ulps) || !claim || flag_of(cell->dataset, "never_rounds"))
            continue;
        struct bias *bias = bias_of(biases, &count, text_of(claim, "value"));
        bias->bins[bin_of(cell->ulps)]++;
        bias->count++;
        bias->below += cell->ulps < 0;
        bias->above += cell->ulps > 0;
    }
    return count;
}

static void write_bias(const struct page *page, const struct bias *bias) {
    size_t most = 1;
    const unsigned colour = svg_colour(series_mark(page->series, SERIES_CLAIM, bias->claim));
    char title[160];
    struct svg_frame frame = svg_frame_of_size(page->out, 560, 190);
    for (size_t b = 0; b < BINS; b++)
        most = bias->bins[b] > most ? bias->bins[b] : most;
    snprintf(title, sizeof title, "Signed error of sums held to “%.60s”", bias->claim);
    frame.x = (struct svg_axis){.high = 1, .bare = true, .label = "error in ulps (bins between the marks)"};
    frame.y = (struct svg_axis){.high = (double)most, .whole = true, .label = "cells"};
    svg_open(&frame, title);
    double width = (frame.width - frame.left - frame.right) / BINS, floor_y = svg_y(&frame, 0);
    for (size_t b = 0; b < BINS; b++) {
        double x = frame.left + width * (double)b, y = svg_y(&frame, (double)bias->bins[b]);
        fprintf(page->out, "<rect class=s%u x=%.1f y=%.1f width=%.1f height=%.1f><title>%zu cells</title></rect>",
                colour, x + 1, y, width - 2, floor_y - y, bias->bins[b]);
        if (b < BINS - 1)
            fprintf(page->out, "<text x=%.1f y=%.1f text-anchor=middle>%s</text>", x + width, floor_y + 16,
                    edge_labels[b]);
    }
    svg_close(&frame);
    fprintf(page->out, "<p>%zu too low, %zu too high, %zu exactly right, of %zu cells.</p>\n", bias->below, bias->above,
            bias->count - bias->below - bias->above, bias->count);
}

static void write_bias_table(const struct page *page, const struct bias *bias) {
    fputs("<details><summary>Data</summary><div class=scroll><table><thead><tr><th>from, ulps<th>to<th>cells</thead>\n",
          page->out);
    for (size_t b = 0; b < BINS; b++)
        fprintf(page->out, "<tr><td class=r>%s<td class=r>%s<td class=r>%zu\n", b ? edge_labels[b - 1] : "−∞",
                b < BINS - 1 ? edge_labels[b] : "∞", bias->bins[b]);
    fputs("</table></div></details></figure>\n", page->out);
}

bool histogram_write_bias(const struct page *page) {
    struct bias *biases = calloc(BIASES, sizeof *biases);
    size_t count = biases ? collect(page, biases) : 0;
    for (size_t b = 0; b < count; b++) {
        write_bias(page, &biases[b]);
        write_bias_table(page, &biases[b]);
    }
    free(biases);
    return biases != NULL;
}

// ---- run to run ----

enum { RUN_CHARTS = 16, RUN_ROWS = 200 };

// One path for all: there may be hundreds, and the table below says how high each is.
static void write_bars(const struct svg_frame *frame, const struct group_pattern *patterns, size_t count,
                       unsigned colour) {
    double floor_y = svg_y(frame, 0);
    fprintf(frame->out, "<path class=s%u d=\"", colour);
    for (size_t p = 0; p < count; p++)
        if (isfinite(patterns[p].ulps))
            fprintf(frame->out, "M%.1f %.1fV%.1fh4V%.1fz", svg_x(frame, patterns[p].ulps) - 2, floor_y,
                    svg_y(frame, (double)patterns[p].count), floor_y);
    fputs("\"/>", frame->out);
}

static void write_pattern_table(const struct page *page, const struct group_pattern *patterns, size_t count) {
    fputs("<details><summary>Data</summary><div class=scroll><table><thead><tr><th>bits<th>ulps<th>times</thead>\n",
          page->out);
    for (size_t p = 0; p < count && p < RUN_ROWS; p++) {
        fputs("<tr><td><code>", page->out);
        write_escaped(patterns[p].bits, page->out);
        fputs("</code><td class=r>", page->out);
        write_figure(patterns[p].ulps, page->out);
        fprintf(page->out, "<td class=r>%" PRIu64 "\n", patterns[p].count);
    }
    if (count > RUN_ROWS)
        fprintf(page->out, "<tr><td colspan=3>and %zu more\n", count - RUN_ROWS);
    fputs("</table></div></details></figure>\n", page->out);
}

static size_t count_finite(const struct group_pattern *patterns, size_t count) {
    size_t finite = 0;
    for (size_t p = 0; p < count; p++)
        finite += isfinite(patterns[p].ulps) != 0;
    return finite;
}

static void write_runs(const struct page *page, size_t v) {
    const struct group_pattern *patterns = page->variation->widest[v];
    size_t count = page->variation->widest_count[v];
    const json_t *variant = page->view->variants[v].json;
    double low = INFINITY, high = -INFINITY, most = 1;
    const struct spread *run = &page->variation->spreads[v * ATTACK_KINDS + ATTACK_ON_RUN];
    const struct cell_view *base = &page->view->cells[run->example];
    char title[300];
    for (size_t p = 0; p < count; p++) {
        low = isfinite(patterns[p].ulps) ? fmin(low, patterns[p].ulps) : low;
        high = isfinite(patterns[p].ulps) ? fmax(high, patterns[p].ulps) : high;
        most = fmax(most, (double)patterns[p].count);
    }
    double margin = low <= high ? fmax(1, (high - low) / 20) : 1;
    struct svg_frame frame = svg_frame_of_size(page->out, 560, 190);
    snprintf(title, sizeof title, "Run to run: %.60s@%.20s %.20s, %zu patterns in %" PRIu64 " runs on %.60s/%" PRId64,
             text_of(variant, "name"), text_of(variant, "backend"), text_of(variant, "type"), count, run->widest_runs,
             page->view->families[base->family], (int64_t)count_of(base->json, "n"));
    frame.x = (struct svg_axis){.low = low <= high ? low - margin : -1, .label = "error in ulps; 0 is the exact sum"};
    frame.x.high = low <= high ? high + margin : 1;
    frame.y = (struct svg_axis){.high = most, .whole = true, .label = "times seen"};
    svg_open(&frame, title);
    write_bars(&frame, patterns, count,
               svg_colour(series_mark(page->series, SERIES_VARIANT, text_of(variant, "name"))));
    svg_close(&frame);
    size_t finite = count_finite(patterns, count);
    if (finite < count)
        fprintf(page->out, "<p>%zu of the %zu patterns %s no finite number and %s no bar.</p>\n", count - finite, count,
                count - finite == 1 ? "is" : "are", count - finite == 1 ? "has" : "have");
    write_pattern_table(page, patterns, count);
}

static bool same_name_and_backend(const json_t *a, const json_t *b) {
    return !strcmp(text_of(a, "name"), text_of(b, "name")) && !strcmp(text_of(a, "backend"), text_of(b, "backend"));
}

// A chart a variant and backend: its types vary alike.
void histogram_write_runs(const struct page *page) {
    const json_t *charted[RUN_CHARTS];
    size_t written = 0, left_out = 0;
    for (size_t i = 0; i < page->view->variant_count; i++) {
        size_t v = page->view->order[i], same = 0;
        const json_t *variant = page->view->variants[v].json;
        if (page->variation->widest_count[v] < 2)
            continue;
        while (same < written && !same_name_and_backend(charted[same], variant))
            same++;
        if (same < written || written == RUN_CHARTS ||
            !count_finite(page->variation->widest[v], page->variation->widest_count[v])) {
            left_out++;
            continue;
        }
        charted[written++] = variant;
        write_runs(page, v);
    }
    if (left_out)
        fprintf(page->out,
                "<p>%zu more varied, other types of these among them and such as gave no finite number; their patterns "
                "are with their cells.</p>\n",
                left_out);
}
