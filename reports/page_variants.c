// SPDX-License-Identifier: MIT
// One section a variant: what it is, its claims, its 20 worst cells.
#include "reports/page.h"

#include <inttypes.h>
#include <math.h>

enum { WORST = 20 };

static void write_claim(const struct page *page, const json_t *claim) {
    enum claim_status status = claim_status_of(claim);
    fputs("<tr><th>", page->out);
    write_member(page, claim, "claim");
    fputs("<td>", page->out);
    write_member(page, claim, "value");
    fprintf(page->out, "<td><span class=%s>%s</span>", status_class(status), claim_status_word(status));
    if (status == CLAIM_BROKEN)
        fprintf(page->out, " in %" PRId64, (int64_t)count_of(claim, "broken"));
    fprintf(page->out, "<td class=r>%" PRId64 "<td>", (int64_t)count_of(claim, "cells"));
    write_member(page, claim, "observed");
    if (has_text(claim, "observed") && has_text(claim, "why"))
        fputs("; ", page->out);
    write_member(page, claim, "why");
    fputc('\n', page->out);
}

static void write_claims(const struct page *page, const json_t *variant) {
    size_t i;
    json_t *claim;
    fputs(
        "<div class=scroll><table class=claims><thead><tr><th>claim<th>value<th>status<th>cells<th>observed</thead>\n",
        page->out);
    json_array_foreach(json_object_get(variant, "claims"), i, claim) {
        write_claim(page, claim);
    }
    fputs("</table></div>\n", page->out);
}

static void write_worst(const struct page *page, const struct variant_view *variant) {
    size_t rows = variant->cell_count < WORST ? variant->cell_count : WORST;
    fprintf(page->out,
            "<h4>The %zu worst of %zu cells <a class=script href=\"#variant=%zu\">all of them</a></h4>\n"
            "<div class=scroll>%s",
            rows, variant->cell_count, variant->index, cell_row_header);
    for (size_t i = 0; i < rows; i++)
        write_cell_row(page, &page->view->cells[variant->cells[i]]);
    fputs("</table></div>\n", page->out);
}

static void write_summary_line(const struct page *page, const struct variant_view *variant) {
    double nearest = nearest_ratio(page->view, variant);
    enum claim_status status = variant_status(variant);
    write_member(page, variant->json, "name");
    fputs("</b> <span class=dim>", page->out);
    write_member(page, variant->json, "backend");
    fputs(" ", page->out);
    write_member(page, variant->json, "type");
    fputs("</span> ", page->out);
    if (variant->planted)
        fprintf(page->out, "<span class=%s>planted fault, %s</span>", fault_class(variant),
                fault_outcome_word(variant->outcome));
    else
        fprintf(page->out, "<span class=%s>%s</span>", status_class(status), claim_status_word(status));
    if (!isnan(nearest)) {
        const struct cell_view *cell = &page->view->cells[variant->nearest];
        fputs(" <span class=dim>nearest to its bound: err/bound ", page->out);
        write_figure(nearest, page->out);
        fputs(" on ", page->out);
        write_escaped(page->view->families[cell->family], page->out);
        fprintf(page->out, ", n = %" PRId64 "</span>", (int64_t)count_of(cell->json, "n"));
    }
}

static void write_variant(const struct page *page, const struct variant_view *variant) {
    fprintf(page->out, "<details class=variant id=v%zu><summary><b>", variant->index);
    write_summary_line(page, variant);
    fputs("</summary>\n<p>", page->out);
    write_member(page, variant->json, "summary");
    if (has_text(variant->json, "origin")) {
        fputs("</p>\n<p class=dim>Published: ", page->out);
        write_member(page, variant->json, "origin");
        fputs(".", page->out);
    }
    fputs("</p>\n<p>Hazards: ", page->out);
    write_member(page, variant->json, "hazards");
    fputs(".</p>\n", page->out);
    if (flag_of(variant->json, "bound_too_weak"))
        fputs("<p class=note>Its bound is too weak to mean much: the worst error stays below a thousandth of it.</p>\n",
              page->out);
    write_claims(page, variant->json);
    page_orders(page, variant->index);
    write_worst(page, variant);
    fputs("</details>\n", page->out);
}

void page_variants(const struct page *page) {
    fputs("<section id=variants><h2>Variants</h2>\n", page->out);
    page_order_symbols(page);
    for (size_t i = 0; i < page->view->variant_count; i++)
        write_variant(page, &page->view->variants[page->view->order[i]]);
    fputs("</section>\n", page->out);
}
