// SPDX-License-Identifier: MIT
// Workflow commands of GitHub Actions: one annotation a broken claim, so that a pull request shows them. GitHub shows
// ten of a kind a step; the rest is in the log.
#include "reports/answer.h"
#include "reports/reports.h"

#include <string.h>

// GitHub's own escapes: % and line ends in a message, also : and , in a property. Other control characters become '?'.
static void write_command_text(const char *text, bool property, FILE *out) {
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '%' || byte == '\r' || byte == '\n' || (property && (byte == ':' || byte == ',')))
            fprintf(out, "%%%02X", byte);
        else
            fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, out);
    }
}

static void write_message(const char *text, FILE *out) {
    write_command_text(text, false, out);
}

static void write_title(const json_t *variant, const char *claim, FILE *out) {
    write_command_text(text_of(variant, "name"), true, out);
    fputc('@', out);
    write_command_text(text_of(variant, "backend"), true, out);
    fputc('/', out);
    write_command_text(text_of(variant, "type"), true, out);
    fputs("%3A ", out);
    write_command_text(claim, true, out);
}

static void write_claim(const json_t *variant, const json_t *claim, FILE *out) {
    fputs("::error title=", out);
    write_title(variant, text_of(claim, "claim"), out);
    fputs("::", out);
    write_command_text(has_text(claim, "why") ? text_of(claim, "why") : "broken", false, out);
    if (has_text(claim, "worst_cell")) {
        fputs("%0A", out);
        write_paste_line(variant, text_of(claim, "worst_cell"), write_message, out);
    }
    fputc('\n', out);
}

static void write_variant(const struct variant_view *variant, FILE *out) {
    size_t i;
    json_t *claim;
    if (variant->planted) {
        if (fault_outcome_is_bad(variant->outcome)) {
            fputs("::error title=", out);
            write_title(variant->json, "planted fault", out);
            fprintf(out, "::%s: ", fault_outcome_word(variant->outcome));
            write_fault_demand(variant, write_message, out);
            fputc('\n', out);
        }
        return;
    }
    json_array_foreach(json_object_get(variant->json, "claims"), i, claim) {
        if (claim_status_of(claim) == CLAIM_BROKEN)
            write_claim(variant->json, claim, out);
    }
}

bool report_write_github(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    bool made = run_view_make(&view, run);
    if (made) {
        for (size_t v = 0; v < view.variant_count; v++)
            write_variant(&view.variants[view.order[v]], out);
        const struct tally tally = tally_run(&view);
        fprintf(out, "::%s title=Reductio::", why_open(&view, &tally) ? "warning" : "notice");
        write_command_text(text_of(run, "verdict"), false, out);
        fputc('\n', out);
    } else {
        snprintf(message, REPORT_MESSAGE, "The annotations do not fit in memory.");
    }
    run_view_free(&view);
    return made;
}
