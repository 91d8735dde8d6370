// SPDX-License-Identifier: MIT
// Failures, opened: the first of each variant in full, the others as a table. Then what is known, folded.
#include "reports/page.h"

#include <inttypes.h>
#include <string.h>

enum { IN_FULL = 3, IN_TABLE = 200, KNOWN_ROWS = 50, REASONS = 16 };

static void write_value(const struct page *page, const json_t *cell, const char *label, const char *hex,
                        const char *bits, const char *decimal) {
    if (!has_text(cell, hex))
        return;
    fprintf(page->out, "<dt>%s<dd><code>", label);
    write_member(page, cell, hex);
    fputs("</code> <code class=dim>", page->out);
    write_escaped(bits, page->out);
    fputs("</code> = ", page->out);
    write_member(page, cell, decimal);
}

static void write_figures(const struct page *page, const struct cell_view *cell) {
    fputs("<dl class=figures>", page->out);
    if (flag_of(cell->json, "has_result")) {
        write_value(page, cell->json, "got", "got_hex", worst_bits_of(cell->json), "got_decimal");
        write_value(page, cell->json, "exact, rounded once", "rounded_hex", text_of(cell->json, "rounded_bits"),
                    "rounded_decimal");
        if (cell->dataset && has_text(cell->dataset, "exact_decimal")) {
            fputs("<dt>exact<dd>", page->out);
            write_member(page, cell->dataset, "exact_decimal");
        }
        fputs("<dt>error<dd>", page->out);
        write_figure(cell->ulps, page->out);
        fprintf(page->out, "%s; err/bound ", ulps_word(cell->ulps));
        write_figure(cell->error_over_bound, page->out);
        fputs(", bound ", page->out);
        write_member(page, cell->json, "bound");
        fputs(" = ", page->out);
        write_member(page, cell->json, "bound_decimal");
    }
    fprintf(page->out, "<dt>input<dd>n = %" PRId64, (int64_t)count_of(cell->json, "n"));
    if (cell->dataset) {
        fputs(", condition number ", page->out);
        write_figure(figure_of(cell->dataset, "condition"), page->out);
        fputs(", seed <code>", page->out);
        write_member(page, cell->dataset, "seed");
        fputs("</code>", page->out);
    }
    fputs("</dl>\n", page->out);
}

static void write_failure(const struct page *page, const struct cell_view *cell) {
    fputs("<article class=failure><h4>", page->out);
    write_finding_mark(page, cell);
    fputs(" on <a href=\"#k", page->out);
    fprintf(page->out, "%zu\">", cell->family);
    write_escaped(page->view->families[cell->family], page->out);
    fputs("</a>", page->out);
    if (has_text(cell->json, "detector")) {
        fputs(" <span class=dim>found by ", page->out);
        write_member(page, cell->json, "detector");
        fputs("</span>", page->out);
    }
    fputs("</h4>\n", page->out);
    if (has_text(cell->json, "detail")) {
        fputs("<p class=detail>", page->out);
        write_member(page, cell->json, "detail");
        fputs("</p>\n", page->out);
    }
    write_figures(page, cell);
    fputs("<pre class=paste>", page->out);
    write_escaped_paste_line(page, cell);
    fputs("</pre></article>\n", page->out);
}

static void write_claims(const struct page *page, const json_t *variant) {
    size_t i;
    json_t *claim;
    json_array_foreach(json_object_get(variant, "claims"), i, claim) {
        if (claim_status_of(claim) != CLAIM_BROKEN)
            continue;
        fputs("<p><span class=bad>broken</span> claim <b>", page->out);
        write_member(page, claim, "claim");
        fputs(": ", page->out);
        write_member(page, claim, "value");
        fprintf(page->out, "</b>, in %" PRId64 " of %" PRId64 " cells that test it", (int64_t)count_of(claim, "broken"),
                (int64_t)count_of(claim, "cells"));
        if (strstr(text_of(claim, "value"), "not claimed"))
            fputs(". The row itself claims none; any order of additions meets this bound", page->out);
        fputs("</p>\n", page->out);
    }
}

static void write_rest(const struct page *page, const struct variant_view *variant) {
    size_t end = variant->failures < IN_FULL + IN_TABLE ? variant->failures : IN_FULL + IN_TABLE;
    if (variant->failures <= IN_FULL)
        return;
    fprintf(page->out, "<details><summary>%zu more failed cells</summary><div class=scroll>%s",
            variant->failures - IN_FULL, cell_row_header);
    for (size_t i = IN_FULL; i < end; i++)
        write_cell_row(page, &page->view->cells[variant->cells[i]]);
    fputs("</table></div>\n", page->out);
    if (end < variant->failures)
        fprintf(page->out, "<p>and %zu more: see <a href=\"#cells\">all cells</a>.</p>\n", variant->failures - end);
    fputs("</details>\n", page->out);
}

static void write_variant(const struct page *page, const struct variant_view *variant) {
    fprintf(page->out, "<section class=failed id=f%zu><h3>", variant->index);
    write_variant_link(page, variant->index);
    fprintf(page->out, ": %zu of %zu cells failed</h3>\n", variant->failures, variant->cell_count);
    write_claims(page, variant->json);
    for (size_t i = 0; i < variant->failures && i < IN_FULL; i++)
        write_failure(page, &page->view->cells[variant->cells[i]]);
    write_rest(page, variant);
    fputs("</section>\n", page->out);
}

// ---- known defects: folded, by reason ----

struct reason {
    const char *text;
    size_t cells, first; // index of the cell view
};

// The reasons of one variant, each with how many cells it excuses.
static size_t collect_reasons(const struct page *page, const struct variant_view *variant, struct reason *reasons) {
    size_t count = 0;
    for (size_t i = 0; i < variant->cell_count; i++) {
        const struct cell_view *cell = &page->view->cells[variant->cells[i]];
        const char *text = text_of(cell->json, "known_reason");
        size_t r = 0;
        if (!cell->known)
            continue;
        while (r < count && strcmp(reasons[r].text, text) != 0)
            r++;
        if (r == count && count == REASONS)
            continue;
        if (r == count)
            reasons[count++] = (struct reason){.text = text, .first = variant->cells[i]};
        reasons[r].cells++;
    }
    return count;
}

static void write_reason(const struct page *page, const struct variant_view *variant, const struct reason *reason) {
    size_t written = 0;
    fprintf(page->out, "<p><span class=known>known</span> in %zu cell%s: ", reason->cells,
            reason->cells == 1 ? "" : "s");
    write_escaped(reason->text, page->out);
    fprintf(page->out, "</p>\n<div class=scroll>%s", cell_row_header);
    for (size_t i = 0; i < variant->cell_count && written < KNOWN_ROWS; i++) {
        const struct cell_view *cell = &page->view->cells[variant->cells[i]];
        if (!cell->known || strcmp(text_of(cell->json, "known_reason"), reason->text) != 0)
            continue;
        write_cell_row(page, cell);
        written++;
    }
    fputs("</table></div>\n", page->out);
    if (written < reason->cells)
        fprintf(page->out, "<p>and %zu more for this reason.</p>\n", reason->cells - written);
    fputs("<pre class=paste>", page->out);
    write_escaped_paste_line(page, &page->view->cells[reason->first]);
    fputs("</pre>\n", page->out);
}

static void write_known_variant(const struct page *page, const struct variant_view *variant) {
    struct reason reasons[REASONS];
    size_t count = collect_reasons(page, variant, reasons);
    fputs("<details><summary>", page->out);
    write_variant_link(page, variant->index);
    fprintf(page->out, ": %zu of %zu cells, as known", variant->known, variant->cell_count);
    for (size_t r = 0; r < count; r++) {
        fputs(r ? "; " : ": <span class=dim>", page->out);
        write_escaped(reasons[r].text, page->out);
    }
    fputs(count ? "</span></summary>\n" : "</summary>\n", page->out);
    for (size_t r = 0; r < count; r++)
        write_reason(page, variant, &reasons[r]);
    fputs("</details>\n", page->out);
}

static void write_known(const struct page *page) {
    bool any = false;
    for (size_t v = 0; v < page->view->variant_count; v++) {
        const struct variant_view *variant = &page->view->variants[page->view->order[v]];
        if (!variant->known)
            continue;
        if (!any)
            fputs("<h3 id=known>Known defects</h3>\n<p>Listed in <code>reductio-known.txt</code>: the gate passes over "
                  "them, and fails once one no longer happens.</p>\n",
                  page->out);
        any = true;
        write_known_variant(page, variant);
    }
}

static bool is_found_alike(const struct cell_view *a, const struct cell_view *b) {
    return a->head == b->head && strcmp(text_of(a->json, "detector"), text_of(b->json, "detector")) == 0;
}

// The findings that head its bad cells, each with the detector that gave it, in the order of findings.
static void write_found_instead(const struct page *page, const struct variant_view *variant) {
    const struct cell_view *cells = page->view->cells;
    size_t bad = variant->failures + variant->known; // which come first
    for (size_t i = 0; i < bad; i++) {
        const struct cell_view *first = &cells[variant->cells[i]];
        size_t earlier = 0, count = 0;
        for (size_t k = 0; k < bad && !earlier; k++)
            if (is_found_alike(&cells[variant->cells[k]], first)) {
                earlier += k < i;
                count++;
            }
        if (earlier)
            continue;
        fprintf(page->out, "%s<a href=#c%zu>%s</a> by ", i ? ", " : "", first->index, finding_word(first->head));
        write_member(page, first->json, "detector");
        fprintf(page->out, " in %zu cell%s", count, count == 1 ? "" : "s");
    }
}

static void write_fault(const struct page *page, const struct variant_view *variant, bool with_instead) {
    fprintf(page->out, "<tr><td><span class=%s>%s</span><td>", fault_class(variant),
            fault_outcome_word(variant->outcome));
    write_variant_link(page, variant->index);
    fputs("<td>", page->out);
    write_member(page, variant->json, "fault_finding");
    fputs("<td>", page->out);
    write_member(page, variant->json, "fault_detector");
    if (with_instead) {
        fputs("<td>", page->out);
        write_found_instead(page, variant);
    }
    fputc('\n', page->out);
}

static void write_faults_that(const struct page *page, enum fault_outcome outcome, bool with_instead) {
    for (size_t v = 0; v < page->view->variant_count; v++)
        if (page->view->variants[v].planted && page->view->variants[v].outcome == outcome)
            write_fault(page, &page->view->variants[v], with_instead);
}

static void write_uncaught(const struct page *page) {
    fputs("<p>A fault is caught where a cell shows what it must, by the detector that it names. It is found otherwise "
          "where other findings, or other detectors, head its bad cells, and survives where no cell is bad.</p>\n"
          "<div class=scroll><table><thead><tr><th>outcome<th>fault<th>must show<th>by<th>found instead</thead>\n",
          page->out);
    write_faults_that(page, FAULT_SURVIVED, true);
    write_faults_that(page, FAULT_FOUND_OTHERWISE, true);
    write_faults_that(page, FAULT_NOT_CHECKED, true);
    fputs("</table></div>\n", page->out);
}

// What was tried and not caught stands open; the others, which are many rows, are folded.
static void write_planted(const struct page *page, size_t planted) {
    size_t rows[FAULT_OUTCOMES] = {0};
    for (size_t v = 0; v < page->view->variant_count; v++)
        if (page->view->variants[v].planted)
            rows[page->view->variants[v].outcome]++;
    size_t folded = rows[FAULT_CAUGHT] + rows[FAULT_NOT_TRIED];
    fputs("<h3>Planted faults</h3>\n", page->out);
    if (folded < planted)
        write_uncaught(page);
    if (!folded)
        return;
    fprintf(page->out, "<details><summary>%zu of %zu rows of planted faults caught", rows[FAULT_CAUGHT], planted);
    if (rows[FAULT_NOT_TRIED])
        fprintf(page->out, ", %zu not tried", rows[FAULT_NOT_TRIED]);
    fputs("</summary>\n<div class=scroll><table><thead><tr><th>outcome<th>fault<th>must show<th>by</thead>\n",
          page->out);
    write_faults_that(page, FAULT_NOT_TRIED, false);
    write_faults_that(page, FAULT_CAUGHT, false);
    fputs("</table></div>\n</details>\n", page->out);
}

void page_failures(const struct page *page) {
    size_t failed = 0, planted = 0;
    fputs("<section id=failures><h2>Failures</h2>\n", page->out);
    for (size_t v = 0; v < page->view->variant_count; v++) {
        const struct variant_view *variant = &page->view->variants[page->view->order[v]];
        planted += variant->planted;
        if (variant->planted || variant_status(variant) != CLAIM_BROKEN)
            continue;
        write_variant(page, variant);
        failed++;
    }
    if (!failed)
        fputs(planted ? "<p>None but those of the planted faults, which are there to fail.</p>\n"
                      : "<p>None: every claim held, was not tested (with the reason), or is a known defect.</p>\n",
              page->out);
    write_known(page);
    if (planted)
        write_planted(page, planted);
    fputs("</section>\n", page->out);
}
