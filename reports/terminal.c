// SPDX-License-Identifier: MIT
// The terminal summary: verdict, failures in full, planted faults, a table of variants, notes.
#include "reports/reports.h"
#include "reports/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAILURES_IN_FULL = 10 };

struct terminal {
    FILE *out;
    bool colour;
    const struct run_view *view;
};

enum paint { PAINT_BAD = 31, PAINT_GOOD = 32, PAINT_NOTE = 33, PAINT_STRONG = 1 };

// Colour only ever repeats what a word says.
static void paint(const struct terminal *terminal, enum paint paint, const char *text) {
    if (terminal->colour)
        fprintf(terminal->out, "\033[%dm", paint);
    write_printable(text, terminal->out);
    if (terminal->colour)
        fputs("\033[0m", terminal->out);
}

static void field(FILE *out, const char *label, const json_t *object, const char *member) {
    if (!has_text(object, member))
        return;
    fprintf(out, "%s", label);
    write_printable(text_of(object, member), out);
}

static void write_header(const struct terminal *terminal) {
    const json_t *run = terminal->view->json;
    FILE *out = terminal->out;
    size_t i;
    json_t *item;
    paint(terminal, PAINT_STRONG, text_of(run, "verdict"));
    fputs("\n", out);
    field(out, "", run, "command");
    field(out, ", tier ", run, "tier");
    field(out, ", seed ", run, "seed");
    fputs(", backends", out);
    json_array_foreach(json_object_get(run, "backends"), i, item) {
        fputs(i ? ", " : " ", out);
        write_printable(json_string_value(item), out);
    }
    fprintf(out, "%s; %zu cell%s in %.1f s\n", i ? "" : " none", terminal->view->cell_count,
            terminal->view->cell_count == 1 ? "" : "s", figure_of(run, "seconds"));
    if (flag_of(run, "interrupted"))
        fputs("Interrupted: what follows is what was done until then.\n", out);
}

static void write_identity(const struct terminal *terminal, const struct cell_view *cell) {
    const json_t *variant = terminal->view->variants[cell->variant].json;
    FILE *out = terminal->out;
    fputs("    variant ", out);
    write_printable(text_of(variant, "name"), out);
    field(out, ", backend ", variant, "backend");
    field(out, ", type ", variant, "type");
    fputs(", case ", out);
    write_printable(terminal->view->families[cell->family], out);
    fprintf(out, ", n %" PRId64, (int64_t)count_of(cell->json, "n"));
    if (cell->dataset)
        field(out, ", seed ", cell->dataset, "seed");
    fputc('\n', out);
}

static void write_figures(FILE *out, const json_t *cell) {
    field(out, "    got      ", cell, "got_hex");
    fputs("  ", out);
    write_printable(worst_bits_of(cell), out);
    field(out, "  = ", cell, "got_decimal");
    field(out, "\n    rounded  ", cell, "rounded_hex");
    field(out, "  ", cell, "rounded_bits");
    field(out, "  = ", cell, "rounded_decimal");
    field(out, "\n    error    ", cell, "ulps");
    fputs(ulps_word(figure_of(cell, "ulps")), out);
    field(out, ", bound ", cell, "bound");
    field(out, " = ", cell, "bound_decimal");
    field(out, ", err/bound ", cell, "error_over_bound");
    fputc('\n', out);
}

static void write_patterns(FILE *out, const json_t *cell) {
    const json_t *patterns = json_object_get(cell, "patterns");
    if (json_array_size(patterns) < 2)
        return;
    fprintf(out, "    varied   %zu bit patterns in %" PRId64 " runs:", json_array_size(patterns),
            (int64_t)count_of(cell, "runs"));
    for (size_t i = 0; i < json_array_size(patterns) && i < 4; i++) {
        const json_t *pattern = json_array_get(patterns, i);
        field(out, i ? ", " : " ", pattern, "bits");
        fprintf(out, " %" PRId64 " times", (int64_t)count_of(pattern, "count"));
        field(out, " (first at ", pattern, "first_at");
        fputc(')', out);
    }
    fputs(json_array_size(patterns) > 4 ? ", ...\n" : "\n", out);
}

static void write_failure(const struct terminal *terminal, const struct cell_view *cell) {
    FILE *out = terminal->out;
    fputs("  ", out);
    paint(terminal, PAINT_BAD, finding_word(cell->head));
    field(out, ", found by ", cell->json, "detector");
    field(out, ": ", cell->json, "id");
    fputc('\n', out);
    write_identity(terminal, cell);
    if (flag_of(cell->json, "has_result")) {
        write_figures(out, cell->json);
        write_patterns(out, cell->json);
    }
    field(out, "    ", cell->json, "detail");
    fputs(has_text(cell->json, "detail") ? "\n    " : "    ", out);
    write_paste_line(terminal->view->variants[cell->variant].json, text_of(cell->json, "id"), write_printable, out);
    fputs("\n\n", out);
}

// Failures come first in a variant's cells.
static void write_rest_by_kind(const struct terminal *terminal, const struct variant_view *variant) {
    size_t count[FINDING_COUNT] = {0};
    const char *separator = ": ";
    for (size_t i = FAILURES_IN_FULL; i < variant->failures; i++)
        count[terminal->view->cells[variant->cells[i]].head]++;
    fprintf(terminal->out, "  and %zu more", variant->failures - FAILURES_IN_FULL);
    for (int kind = 0; kind < FINDING_COUNT; kind++)
        if (count[kind]) {
            fprintf(terminal->out, "%s%zu %s", separator, count[kind], finding_word((enum finding)kind));
            separator = ", ";
        }
    fputs("\n\n", terminal->out);
}

static void write_broken_claims(const struct terminal *terminal, const json_t *variant) {
    size_t i;
    json_t *claim;
    json_array_foreach(json_object_get(variant, "claims"), i, claim) {
        if (claim_status_of(claim) != CLAIM_BROKEN)
            continue;
        field(terminal->out, "  claim ", claim, "claim");
        field(terminal->out, " = ", claim, "value");
        fputs(": ", terminal->out);
        paint(terminal, PAINT_BAD, "broken");
        fprintf(terminal->out, " in %" PRId64 " of %" PRId64 " cells", (int64_t)count_of(claim, "broken"),
                (int64_t)count_of(claim, "cells"));
        field(terminal->out, "; ", claim, "why");
        fputc('\n', terminal->out);
    }
}

static void write_failures(const struct terminal *terminal) {
    const struct run_view *view = terminal->view;
    for (size_t v = 0; v < view->variant_count; v++) {
        const struct variant_view *variant = &view->variants[view->order[v]];
        if (variant->planted || (!variant->failures && !variant->claims_by_status[CLAIM_BROKEN]))
            continue;
        fputc('\n', terminal->out);
        write_variant_label(variant->json, terminal->out);
        fprintf(terminal->out, ": %zu of %zu cells failed\n", variant->failures, variant->cell_count);
        write_broken_claims(terminal, variant->json);
        for (size_t i = 0; i < variant->failures && i < FAILURES_IN_FULL; i++)
            write_failure(terminal, &view->cells[variant->cells[i]]);
        if (variant->failures > FAILURES_IN_FULL)
            write_rest_by_kind(terminal, variant);
    }
}

// What came of each is seen in its cells, which a file of the claims alone does not hold.
static void write_planted(const struct terminal *terminal) {
    const struct run_view *view = terminal->view;
    const char *title = "\nPlanted faults\n";
    for (size_t v = 0; view->cell_count && v < view->variant_count; v++) {
        const struct variant_view *variant = &view->variants[v];
        if (!variant->planted)
            continue;
        fputs(title, terminal->out);
        title = "";
        fputs("  ", terminal->out);
        paint(terminal,
              variant->outcome == FAULT_CAUGHT         ? PAINT_GOOD
              : fault_outcome_is_bad(variant->outcome) ? PAINT_BAD
                                                       : PAINT_NOTE,
              fault_outcome_label(variant->outcome));
        fputs("  ", terminal->out);
        write_variant_label(variant->json, terminal->out);
        if (fault_outcome_is_bad(variant->outcome)) {
            fputs(": ", terminal->out);
            write_fault_demand(variant, write_printable, terminal->out);
        } else {
            field(terminal->out, ": ", variant->json, "fault_finding");
            field(terminal->out, ", by ", variant->json, "fault_detector");
        }
        fputc('\n', terminal->out);
    }
}

static int label_width(const json_t *variant) {
    return (int)(strlen(text_of(variant, "name")) + strlen(text_of(variant, "backend")) +
                 strlen(text_of(variant, "type")) + 2);
}

static void write_variant_row(const struct terminal *terminal, const struct variant_view *variant, int width) {
    FILE *out = terminal->out;
    static const struct {
        const char *word;
        enum paint paint;
    } words[] = {[CLAIM_BROKEN] = {"BROKEN", PAINT_BAD},
                 [CLAIM_KNOWN] = {"known ", PAINT_NOTE},
                 [CLAIM_HELD] = {"held  ", PAINT_GOOD},
                 [CLAIM_NOT_TESTED] = {"-     ", PAINT_NOTE}};
    enum claim_status status = variant_status(variant);
    double worst = figure_of(variant->json, "worst_error_over_bound");
    write_variant_label(variant->json, out);
    int pad = width - label_width(variant->json);
    fprintf(out, "%*s  ", pad > 0 ? pad : 0, "");
    paint(terminal, words[status].paint, words[status].word);
    fprintf(out, "  %4zu  %6zu  %10zu", variant->claims_by_status[CLAIM_HELD], variant->claims_by_status[CLAIM_BROKEN],
            variant->claims_by_status[CLAIM_NOT_TESTED]);
    if (isnan(worst))
        fprintf(out, "  %9s", "-");
    else
        fprintf(out, "  %9.3g", worst);
    fprintf(out, "  %6zu  %6zu  %6zu\n", variant->cell_count, variant->failures, variant->varied);
}

static void write_table(const struct terminal *terminal) {
    const struct run_view *view = terminal->view;
    int width = (int)strlen("variant");
    size_t rows = 0;
    for (size_t v = 0; v < view->variant_count; v++)
        if (!view->variants[v].planted) {
            int label = label_width(view->variants[v].json);
            width = label > width ? label : width;
            rows++;
        }
    if (!rows)
        return;
    fprintf(terminal->out, "\n%-*s  %-6s  %4s  %6s  %10s  %9s  %6s  %6s  %6s\n", width, "variant", "claims", "held",
            "broken", "not tested", "err/bound", "cells", "failed", "varied");
    for (size_t v = 0; v < view->variant_count; v++)
        if (!view->variants[view->order[v]].planted)
            write_variant_row(terminal, &view->variants[view->order[v]], width);
}

static void write_notes(const struct terminal *terminal) {
    size_t i;
    json_t *note;
    json_array_foreach(json_object_get(terminal->view->json, "notes"), i, note) {
        fputs(i ? "" : "\n", terminal->out);
        write_printable(json_string_value(note), terminal->out);
        fputc('\n', terminal->out);
    }
}

static bool write_summary(const json_t *run, FILE *out, bool colour, char *message) {
    struct run_view view;
    struct terminal terminal = {.out = out, .colour = colour, .view = &view};
    bool made = run_view_make(&view, run);
    if (made) {
        write_header(&terminal);
        write_failures(&terminal);
        write_planted(&terminal);
        write_table(&terminal);
        write_notes(&terminal);
    } else {
        snprintf(message, REPORT_MESSAGE, "The summary does not fit in memory.");
    }
    run_view_free(&view);
    return made;
}

bool report_write_terminal(const json_t *run, FILE *out, char *message) {
    return write_summary(run, out, false, message);
}

bool report_print_terminal(const json_t *run, FILE *out, char *message) {
    const char *no_color = getenv("NO_COLOR"); // https://no-color.org: any non-empty value
    bool colour = isatty(fileno(out)) && !(no_color && *no_color);
    return write_summary(run, out, colour, message);
}
