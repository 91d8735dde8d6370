// SPDX-License-Identifier: MIT
#include "reports/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHA256_BYTES = 32 };

void write_policy_hash(const char *hex, FILE *out) {
    unsigned char bytes[SHA256_BYTES];
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    fputs("'sha256-", out);
    write_base64(bytes, SHA256_BYTES, out);
    fputs("'", out);
}

void write_member(const struct page *page, const json_t *object, const char *member) {
    write_escaped(text_of(object, member), page->out);
}

static bool write_special(double figure, FILE *out) {
    if (isnan(figure))
        fputs("–", out);
    else if (isinf(figure))
        fputs(figure < 0 ? "−∞" : "∞", out);
    return !isfinite(figure);
}

void write_figure(double figure, FILE *out) {
    if (write_special(figure, out))
        return;
    char text[FIGURE_TEXT];
    snprintf(text, sizeof text, "%.3g", figure);
    if (*text == '-')
        fputs("−", out);
    fputs(*text == '-' ? text + 1 : text, out);
}

void write_log(double ratio, FILE *out) {
    if (ratio == 0)
        fputs("exact", out);
    else if (!write_special(ratio, out)) {
        double log = log10(ratio);
        fprintf(out, "%s%.1f", log <= -0.05 ? "−" : "", fabs(log));
    }
}

void write_variant_link(const struct page *page, size_t variant) {
    const json_t *json = page->view->variants[variant].json;
    fprintf(page->out, "<a href=#v%zu>", variant);
    write_member(page, json, "name");
    fputs("</a> <i>", page->out);
    write_member(page, json, "backend");
    fputs("&nbsp;", page->out);
    write_member(page, json, "type");
    fputs("</i>", page->out);
}

const char *status_class(enum claim_status status) {
    switch (status) {
    case CLAIM_HELD:
        return "good";
    case CLAIM_BROKEN:
        return "bad";
    case CLAIM_KNOWN:
        return "known";
    default:
        return "none";
    }
}

const char *fault_class(const struct variant_view *variant) {
    return variant->outcome == FAULT_CAUGHT ? "good" : fault_outcome_is_bad(variant->outcome) ? "bad" : "none";
}

void write_escaped_paste_line(const struct page *page, const struct cell_view *cell) {
    write_paste_line(page->view->variants[cell->variant].json, text_of(cell->json, "id"), write_escaped, page->out);
}

void write_finding_mark(const struct page *page, const struct cell_view *cell) {
    bool nothing = cell->head == FINDING_BOUND_SAYS_NOTHING || cell->head == FINDING_NOT_CHECKED;
    const char *kind = cell->failed ? "bad" : cell->known ? "known" : nothing ? "none" : "good";
    fprintf(page->out, "<span class=%s>%s%s</span>", kind, finding_word(cell->head), cell->known ? " (known)" : "");
}

// Alignment and font of a column are page.css's: rows are many.
const char cell_row_header[] = "<table class=rows><thead><tr><th>finding<th>values<th>n<th>order, shape, offset, "
                               "schedule<th>err/bound<th>ulps<th>got<th>exact, rounded</thead>\n";

// The tail of the identity: order/shape/offset/schedule.
static const char *identity_tail(const char *id) {
    const char *at = id + strlen(id);
    for (int slashes = 0; at > id && slashes < 4; at--)
        slashes += at[-1] == '/';
    return at > id ? at + 1 : id;
}

void write_cell_row(const struct page *page, const struct cell_view *cell) {
    FILE *out = page->out;
    fputs("<tr><td>", out);
    write_finding_mark(page, cell);
    fputs("<td>", out);
    write_escaped(page->view->families[cell->family], out);
    fprintf(out, "<td>%" PRId64 "<td><a href=#c%zu>", (int64_t)count_of(cell->json, "n"), cell->index);
    write_escaped(identity_tail(text_of(cell->json, "id")), out);
    fputs("</a><td>", out);
    write_figure(cell->error_over_bound, out);
    fputs("<td>", out);
    write_figure(cell->ulps, out);
    fputs("<td>", out);
    write_member(page, cell->json, "got_hex");
    fputs("<td>", out);
    write_member(page, cell->json, "rounded_hex");
    fputc('\n', out);
}
