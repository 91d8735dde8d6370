// SPDX-License-Identifier: MIT
// JUnit XML as CI systems read it: a suite a variant, a test a claim. A planted fault's one test is that it is caught.
#include "reports/reports.h"
#include "reports/view.h"

#include <inttypes.h>
#include <string.h>

enum { CELLS_A_FAILURE = 10 };

static void write_attribute(const char *name, const char *value, FILE *out) {
    fprintf(out, " %s=\"", name);
    write_escaped(value, out);
    fputc('"', out);
}

static void write_suite_name(const json_t *variant, FILE *out) {
    write_escaped(text_of(variant, "name"), out);
    fputc('@', out);
    write_escaped(text_of(variant, "backend"), out);
    fputc('/', out);
    write_escaped(text_of(variant, "type"), out);
}

// The line to paste of the first cells, the worst first.
static void write_cells(const struct run_view *view, const struct variant_view *variant, size_t claim, FILE *out) {
    size_t written = 0;
    for (size_t i = 0; i < variant->cell_count && written < CELLS_A_FAILURE; i++) {
        const json_t *cell = view->cells[variant->cells[i]].json;
        if (!cell_breaks(cell, claim) || flag_of(cell, "known"))
            continue;
        write_escaped(text_of(cell, "head"), out);
        fputs(": got ", out);
        write_escaped(text_of(cell, "got_hex"), out);
        fputs(", rounded exact ", out);
        write_escaped(text_of(cell, "rounded_hex"), out);
        fputs(", err/bound ", out);
        write_escaped(text_of(cell, "error_over_bound"), out);
        fputs("\n  ", out);
        write_paste_line(variant->json, text_of(cell, "id"), write_escaped, out);
        fputc('\n', out);
        written++;
    }
}

static void write_skip(const char *why, FILE *out) {
    fputs(">\n      <skipped", out);
    write_attribute("message", why, out);
    fputs("/>\n    </testcase>\n", out);
}

static void write_claim(const struct run_view *view, const struct variant_view *variant, size_t index, FILE *out) {
    const json_t *claim = json_array_get(json_object_get(variant->json, "claims"), index);
    fputs("    <testcase classname=\"", out);
    write_suite_name(variant->json, out);
    fputs("\"", out);
    write_attribute("name", text_of(claim, "claim"), out);
    switch (claim_status_of(claim)) {
    case CLAIM_HELD:
        fputs("/>\n", out);
        break;
    case CLAIM_BROKEN:
        fputs(">\n      <failure type=\"broken\"", out);
        write_attribute("message", has_text(claim, "why") ? text_of(claim, "why") : "broken", out);
        fputs(">", out);
        write_cells(view, variant, index, out);
        fputs("</failure>\n    </testcase>\n", out);
        break;
    case CLAIM_KNOWN:
        write_skip("known: listed in reductio-known.txt", out);
        break;
    case CLAIM_NOT_CLAIMED:
        write_skip("not claimed", out);
        break;
    case CLAIM_NOT_TESTED:
        write_skip(has_text(claim, "why") ? text_of(claim, "why") : "not tested", out);
        break;
    }
}

static void write_property(const char *name, const char *value, FILE *out) {
    fputs("      <property", out);
    write_attribute("name", name, out);
    write_attribute("value", value, out);
    fputs("/>\n", out);
}

static void write_properties(const struct variant_view *variant, FILE *out) {
    char count[24];
    fputs("    <properties>\n", out);
    write_property("worst_error_over_bound", text_of(variant->json, "worst_error_over_bound"), out);
    snprintf(count, sizeof count, "%zu", variant->cell_count);
    write_property("cells", count, out);
    snprintf(count, sizeof count, "%zu", variant->failures);
    write_property("failed_cells", count, out);
    write_property("hazards", text_of(variant->json, "hazards"), out);
    fputs("    </properties>\n", out);
}

static void write_planted(const struct variant_view *variant, FILE *out) {
    fputs("    <testcase classname=\"", out);
    write_suite_name(variant->json, out);
    fputs("\" name=\"planted fault is caught\"", out);
    if (variant->outcome == FAULT_CAUGHT) {
        fputs("/>\n", out);
        return;
    }
    if (!fault_outcome_is_bad(variant->outcome)) {
        write_skip(fault_outcome_word(variant->outcome), out);
        return;
    }
    fprintf(out, ">\n      <failure type=\"%s\" message=\"", fault_outcome_word(variant->outcome));
    write_fault_demand(variant, write_escaped, out);
    fputs("\"/>\n    </testcase>\n", out);
}

static void write_suite(const struct run_view *view, const struct variant_view *variant, FILE *out) {
    size_t claims = json_array_size(json_object_get(variant->json, "claims"));
    size_t broken = variant->planted ? fault_outcome_is_bad(variant->outcome) : variant->claims_by_status[CLAIM_BROKEN];
    size_t skipped = variant->planted ? !broken && variant->outcome != FAULT_CAUGHT
                                      : claims - variant->claims_by_status[CLAIM_HELD] - broken;
    fputs("  <testsuite name=\"", out);
    write_suite_name(variant->json, out);
    fprintf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", variant->planted ? 1 : claims,
            broken, skipped);
    write_properties(variant, out);
    if (variant->planted)
        write_planted(variant, out);
    else
        for (size_t claim = 0; claim < claims; claim++)
            write_claim(view, variant, claim, out);
    fputs("  </testsuite>\n", out);
}

bool report_write_junit(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    bool made = run_view_make(&view, run);
    if (made) {
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"reductio\"", out);
        write_attribute("time", text_of(run, "seconds"), out);
        fputs(">\n", out);
        for (size_t v = 0; v < view.variant_count; v++)
            write_suite(&view, &view.variants[v], out);
        fputs("</testsuites>\n", out);
    } else {
        snprintf(message, REPORT_MESSAGE, "The JUnit report does not fit in memory.");
    }
    run_view_free(&view);
    return made;
}
