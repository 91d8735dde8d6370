// SPDX-License-Identifier: MIT
// Test Anything Protocol, version 13: a test a claim, with the worst cells as a YAML block. What is known is a failure
// marked TODO, which TAP does not count; what is not claimed or not tested is skipped. A planted fault's one test is
// that it is caught.
#include "reports/reports.h"
#include "reports/view.h"

#include <string.h>

enum { CELLS_A_FAILURE = 10 };

// A description ends at a '#', which begins a directive.
static void write_description(const char *text, FILE *out) {
    for (; *text; text++) {
        char byte = (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text;
        if (byte == '#' || byte == '\\')
            fputc('\\', out);
        fputc(byte, out);
    }
}

// What stands inside a double-quoted YAML scalar; JSON's escapes are YAML's.
static void write_quoted(const char *text, FILE *out) {
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else
            fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
    }
}

static void write_scalar(const char *name, const char *text, FILE *out) {
    fprintf(out, "%s: \"", name);
    write_quoted(text, out);
    fputs("\"\n", out);
}

static void write_name(size_t number, bool good, const json_t *variant, const char *claim, FILE *out) {
    fprintf(out, "%s %zu - ", good ? "ok" : "not ok", number);
    write_description(text_of(variant, "name"), out);
    fputc('@', out);
    write_description(text_of(variant, "backend"), out);
    fputc('/', out);
    write_description(text_of(variant, "type"), out);
    fputs(": ", out);
    write_description(claim, out);
}

static void write_directive(const char *word, const char *why, FILE *out) {
    fprintf(out, " # %s ", word);
    write_description(why, out);
}

static void write_cells(const struct run_view *view, const struct variant_view *variant, size_t claim, FILE *out) {
    static const char *const figures[] = {"got_hex", "rounded_hex", "error_over_bound"};
    size_t written = 0;
    fputs("  cells:\n", out);
    for (size_t i = 0; i < variant->cell_count && written < CELLS_A_FAILURE; i++) {
        const json_t *cell = view->cells[variant->cells[i]].json;
        if (!cell_breaks(cell, claim) || flag_of(cell, "known"))
            continue;
        write_scalar("    - cell", text_of(cell, "id"), out);
        write_scalar("      finding", text_of(cell, "head"), out);
        for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
            if (has_text(cell, figures[f])) {
                fputs("      ", out);
                write_scalar(figures[f], text_of(cell, figures[f]), out);
            }
        written++;
    }
}

static void write_claim(const struct run_view *view, const struct variant_view *variant, size_t index, size_t number,
                        FILE *out) {
    const json_t *claim = json_array_get(json_object_get(variant->json, "claims"), index);
    enum claim_status status = claim_status_of(claim);
    const char *why = has_text(claim, "why") ? text_of(claim, "why") : claim_status_word(status);
    write_name(number, status != CLAIM_BROKEN && status != CLAIM_KNOWN, variant->json, text_of(claim, "claim"), out);
    if (status == CLAIM_NOT_CLAIMED || status == CLAIM_NOT_TESTED)
        write_directive("SKIP", why, out);
    if (status == CLAIM_KNOWN)
        write_directive("TODO known:", why, out);
    fputc('\n', out);
    if (status != CLAIM_BROKEN)
        return;
    fputs("  ---\n  ", out);
    write_scalar("message", why, out);
    write_cells(view, variant, index, out);
    fputs("  ...\n", out);
}

static void write_planted(const struct variant_view *variant, size_t number, FILE *out) {
    bool bad = fault_outcome_is_bad(variant->outcome);
    write_name(number, !bad, variant->json, "planted fault is caught", out);
    if (!bad && variant->outcome != FAULT_CAUGHT)
        write_directive("SKIP", fault_outcome_word(variant->outcome), out);
    fputc('\n', out);
    if (!bad)
        return;
    fprintf(out, "  ---\n  message: \"%s: ", fault_outcome_word(variant->outcome));
    write_fault_demand(variant, write_quoted, out);
    fputs("\"\n  ...\n", out);
}

static size_t test_count(const struct variant_view *variant) {
    return variant->planted ? 1 : json_array_size(json_object_get(variant->json, "claims"));
}

static void write_tests(const struct run_view *view, FILE *out) {
    size_t number = 0;
    for (size_t v = 0; v < view->variant_count; v++)
        for (size_t test = 0; test < test_count(&view->variants[v]); test++) {
            number++;
            if (view->variants[v].planted)
                write_planted(&view->variants[v], number, out);
            else
                write_claim(view, &view->variants[v], test, number, out);
        }
}

bool report_write_tap(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    bool made = run_view_make(&view, run);
    if (made) {
        size_t tests = 0;
        for (size_t v = 0; v < view.variant_count; v++)
            tests += test_count(&view.variants[v]);
        fprintf(out, "TAP version 13\n1..%zu%s\n# ", tests, tests ? "" : " # SKIP no cell was run");
        write_description(text_of(run, "verdict"), out);
        fputc('\n', out);
        write_tests(&view, out);
        if (flag_of(run, "interrupted"))
            fputs("Bail out! interrupted: not all cells were run\n", out);
    } else {
        snprintf(message, REPORT_MESSAGE, "The TAP report does not fit in memory.");
    }
    run_view_free(&view);
    return made;
}
