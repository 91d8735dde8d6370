// SPDX-License-Identifier: MIT
#include "reports/pareto.h"
#include "reports/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct merit {
    size_t variant;
    double speed, error;
    unsigned determinism; // an index of classes
    bool on_front;
};

static const struct {
    unsigned rings; // around the variant's mark
    const char *rings_word, *words;
} classes[] = {{2, "two rings", "the same bits in any order of the data"},
               {1, "one ring", "the same bits from run to run"},
               {0, "no ring", "neither is claimed, or it is broken"}};
enum { CLASSES = sizeof classes / sizeof *classes };

// Where nothing was attacked, as in a bench, the claim counts.
static bool is_claimed_and_not_broken(const json_t *variant, enum attack attack) {
    const json_t *claim = claim_named(variant, attack_claims[attack]);
    enum claim_status status = claim ? claim_status_of(claim) : CLAIM_NOT_CLAIMED;
    return status == CLAIM_HELD || status == CLAIM_NOT_TESTED;
}

static bool read_merit(const struct page *page, size_t v, struct merit *merit) {
    const struct variant_view *variant = &page->view->variants[v];
    *merit = (struct merit){.variant = v};
    merit->determinism = !is_claimed_and_not_broken(variant->json, ATTACK_ON_RUN)
                             ? 2
                             : !is_claimed_and_not_broken(variant->json, ATTACK_ON_ORDER);
    for (size_t i = 0; i < variant->cell_count; i++) {
        const struct cell_view *cell = &page->view->cells[variant->cells[i]];
        double speed = figure_of(cell->json, "gigabytes_per_second"), error = figure_of(cell->json, "error_over_uA");
        if (isfinite(speed))
            merit->speed = fmax(merit->speed, speed);
        if (isfinite(error) && cell->dataset && !flag_of(cell->dataset, "never_rounds"))
            merit->error = fmax(merit->error, error);
    }
    return merit->speed > 0 && merit->error > 0 && !variant->planted && !variant->failures;
}

// The fastest first; among equals the more accurate.
static int compare_merits(const void *a, const void *b) {
    const struct merit *x = a, *y = b;
    if (x->speed != y->speed)
        return x->speed > y->speed ? -1 : 1;
    return (x->error > y->error) - (x->error < y->error);
}

static void find_front(struct merit *merits, size_t count) {
    double best = INFINITY;
    for (size_t m = 0; m < count; m++) {
        merits[m].on_front = merits[m].error < best;
        best = fmin(best, merits[m].error);
    }
}

static void write_front(const struct page *page, const struct svg_frame *frame, const struct merit *merits,
                        size_t count) {
    char command = 'M';
    fputs("<path class=guide d=\"", page->out);
    for (size_t m = 0; m < count; m++)
        if (merits[m].on_front) {
            fprintf(page->out, "%c%.1f %.1f", command, svg_x(frame, merits[m].speed), svg_y(frame, merits[m].error));
            command = 'L';
        }
    fputs("\"/>", page->out);
}

static void write_mark(const struct page *page, const struct svg_frame *frame, const struct merit *merit) {
    const json_t *variant = page->view->variants[merit->variant].json;
    double x = svg_x(frame, merit->speed), y = svg_y(frame, merit->error);
    fputs("<g><title>", page->out);
    write_member(page, variant, "name");
    fputs("@", page->out);
    write_member(page, variant, "backend");
    fputs("</title>", page->out);
    svg_mark(page->out, x, y, series_mark(page->series, SERIES_VARIANT, text_of(variant, "name")));
    for (unsigned ring = 0; ring < classes[merit->determinism].rings; ring++)
        fprintf(page->out, "<circle class=ring cx=%.1f cy=%.1f r=%u />", x, y, 7 + 3 * ring);
    fputs("</g>", page->out);
}

// Of the front, after all marks, which would cover them. It goes down: a name that would stand on the last one goes
// below it. Other marks may be nearer to a name than its own, so that a line leads there.
static void write_names(const struct page *page, const struct svg_frame *frame, const struct merit *merits,
                        size_t count) {
    const double line = 15;
    double y = -INFINITY;
    for (size_t m = 0; m < count; m++) {
        if (!merits[m].on_front)
            continue;
        double x = svg_x(frame, merits[m].speed), mark_y = svg_y(frame, merits[m].error);
        bool left = x > frame->width / 2;
        y = fmax(mark_y - 7, y + line);
        fprintf(page->out, "<path class=lead d=\"M%.1f %.1fL%.1f %.1f\"/>", left ? x - 14 : x + 14, y - 4, x, mark_y);
        fprintf(page->out, "<text class=over x=%.1f y=%.1f text-anchor=%s>", left ? x - 15 : x + 15, y,
                left ? "end" : "start");
        write_member(page, page->view->variants[merits[m].variant].json, "name");
        fputs("</text>", page->out);
    }
}

// A variant stands once, on however many backends it was timed.
static void write_key(const struct page *page, const struct merit *merits, size_t count) {
    fputs("<ul class=series>", page->out);
    for (size_t m = 0; m < count; m++) {
        const char *name = text_of(page->view->variants[merits[m].variant].json, "name");
        size_t first = 0;
        while (strcmp(text_of(page->view->variants[merits[first].variant].json, "name"), name) != 0)
            first++;
        if (first == m)
            write_series_item(series_mark(page->series, SERIES_VARIANT, name), name, "", page->out);
    }
    fputs("</ul>\n", page->out);
}

static void write_table(const struct page *page, const struct merit *merits, size_t count) {
    write_key(page, merits, count);
    fputs("<p class=series>", page->out);
    for (size_t c = 0; c < CLASSES; c++)
        fprintf(page->out, "%s: %s; ", classes[c].rings_word, classes[c].words);
    fputs("the dashed line joins those that no other beats in both.</p>\n<details><summary>Data</summary><div "
          "class=scroll><table><thead><tr><th>variant"
          "<th class=r>GB/s<th class=r>worst err/(u·A)<th>determinism<th>front</thead>\n",
          page->out);
    for (size_t m = 0; m < count; m++) {
        fputs("<tr><td>", page->out);
        write_variant_link(page, merits[m].variant);
        fputs("<td class=r>", page->out);
        write_figure(merits[m].speed, page->out);
        fputs("<td class=r>", page->out);
        write_figure(merits[m].error, page->out);
        fprintf(page->out, "<td>%s<td>%s\n", classes[merits[m].determinism].words, merits[m].on_front ? "yes" : "");
    }
    fputs("</table></div></details></figure>\n", page->out);
}

static void write_chart(const struct page *page, const char *type, const struct merit *merits, size_t count) {
    struct svg_frame frame = svg_frame_of_size(page->out, 560, 300);
    double speed_low = INFINITY, speed_high = 0, error_low = INFINITY, error_high = 0;
    char title[96];
    for (size_t m = 0; m < count; m++) {
        svg_widen(merits[m].speed, &speed_low, &speed_high);
        svg_widen(merits[m].error, &error_low, &error_high);
    }
    frame.inset = 12;
    // One row that is far behind must not press all others together: it is drawn on the edge.
    speed_low = fmax(speed_low, speed_high / 200);
    error_high = fmin(error_high, error_low * 1e4);
    frame.x = svg_log_axis(speed_low, speed_high, "GB/s, the best of any input");
    frame.y = svg_log_axis(error_low, error_high, "worst err / (u·Σ|x|)");
    snprintf(title, sizeof title, "%s: accuracy against throughput", type);
    svg_open(&frame, title);
    write_front(page, &frame, merits, count);
    for (size_t m = 0; m < count; m++)
        write_mark(page, &frame, &merits[m]);
    write_names(page, &frame, merits, count);
    svg_close(&frame);
    write_table(page, merits, count);
}

bool pareto_write(const struct page *page, const char *type) {
    struct merit *merits = calloc(page->view->variant_count + 1, sizeof *merits);
    size_t count = 0;
    for (size_t v = 0; merits && v < page->view->variant_count; v++)
        if (!strcmp(text_of(page->view->variants[v].json, "type"), type) && read_merit(page, v, &merits[count]))
            count++;
    if (count) {
        qsort(merits, count, sizeof *merits, compare_merits);
        find_front(merits, count);
        write_chart(page, type, merits, count);
    }
    free(merits);
    return merits != NULL;
}
