// SPDX-License-Identifier: MIT
// Variants against families of values: the worst cell of each pair as log10(err/bound), on cividis (Nunez, Anderton &
// Renslow 2018: readable with any colour vision), with a glyph where a number alone would not tell. Rows are ordered by
// who comes nearest to its bound.
#include "reports/page.h"

#include <inttypes.h>
#include <math.h>

// Steps of page.css's .c0 (far below the bound) to .c9 (at the bound): half a decade each.
static int colour_step(double ratio) {
    enum { STEPS = 10 };
    if (isnan(ratio))
        return -1;
    double step = ratio > 0 ? STEPS - 1 + 2 * log10(ratio) : 0;
    return step < 0 ? 0 : step > STEPS - 1 ? STEPS - 1 : (int)step;
}

static void write_glyphs(const struct page *page, finding_set seen) {
    static const struct {
        finding_set any_of;
        const char *glyph;
    } glyphs[] = {
        {1u << FINDING_DID_NOT_RUN | 1u << FINDING_CRASHED | 1u << FINDING_HUNG | 1u << FINDING_MISUSED, "☠"},
        {1u << FINDING_RACED | 1u << FINDING_OUT_OF_BOUNDS, "⚠"},
        {1u << FINDING_LOST_ELEMENTS | 1u << FINDING_DOUBLE_COUNTED, "≠"},
        {1u << FINDING_WRONG_CLASS, "C"},
        {1u << FINDING_FLUSHED, "↓"},
        {1u << FINDING_OVERFLOWED_EARLY, "↑"},
        {1u << FINDING_BEYOND_BOUND, ">"},
        {1u << FINDING_VARIED, "≁"},
        {1u << FINDING_VARIES_AS_CLAIMED, "~"},
    };
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (seen & glyphs[i].any_of)
            fputs(glyphs[i].glyph, page->out);
}

static void write_square(const struct page *page, size_t v, size_t family) {
    size_t at = v * page->view->family_count + family;
    size_t worst = page->view->worst[at];
    FILE *out = page->out;
    if (worst == SIZE_MAX) {
        fputs("<td>", out);
        return;
    }
    const struct cell_view *cell = &page->view->cells[worst];
    // Beyond the bound, and not bad: a value that the row flushes or lets overflow, as it says.
    bool excused = !finding_is_bad(cell->head) && flag_of(cell->json, "has_result") &&
                   (cell->error_over_bound > 1 || (isnan(cell->error_over_bound) && isinf(cell->ulps)));
    // Where the bound says nothing, err/bound would look like a pass.
    bool nothing = cell->head == FINDING_BOUND_SAYS_NOTHING;
    bool best = is_correctly_rounded_by_claim(cell) && cell->error_over_bound > 0;
    bool exact = cell->error_over_bound == 0 || (isnan(cell->error_over_bound) && cell->ulps == 0);
    int step = nothing || exact || best || excused ? -1 : colour_step(cell->error_over_bound);
    fputs("<td class=", out);
    if (cell->failed || cell->known)
        fputs(cell->failed ? "cx" : "ck", out);
    else if (step < 0)
        fputs("cn", out);
    else
        fprintf(out, "c%d", step);
    fprintf(out, "><a href=#c%zu>", worst);
    if (nothing)
        fputs("∅", out);
    else if (best)
        fputs("c.r.", out);
    else if (excused)
        fputs("(∞)", out);
    else if (flag_of(cell->json, "has_result") && (exact || !isnan(cell->error_over_bound)))
        write_log(exact ? 0 : cell->error_over_bound, out);
    else
        fputs(cell->failed || cell->known ? "" : cell->head == FINDING_NOT_CHECKED ? "?" : "✓", out);
    finding_set seen = page->view->seen[at];
    if (!nothing && finding_in(seen, FINDING_BOUND_SAYS_NOTHING))
        fputs("∅", out);
    write_glyphs(page, seen);
    fputs("</a>", out);
}

static void write_nearest(const struct page *page, const struct variant_view *variant) {
    fputs("<td class=r>", page->out);
    write_log(nearest_ratio(page->view, variant), page->out);
    fputs("<td class=on>", page->out);
    if (variant->nearest == SIZE_MAX)
        return;
    const struct cell_view *cell = &page->view->cells[variant->nearest];
    write_escaped(page->view->families[cell->family], page->out);
    fprintf(page->out, "/%" PRId64, (int64_t)count_of(cell->json, "n"));
}

static void write_header(const struct page *page) {
    fputs("<thead><tr><th>variant<th class=r>nearest<th>on", page->out);
    for (size_t i = 0; i < page->view->family_count; i++) {
        size_t f = page->view->family_order[i];
        fprintf(page->out, "<th class=up><a href=#k%zu><span>", f);
        write_escaped(page->view->families[f], page->out);
        fputs("</span></a>", page->out);
    }
    fputs("</thead>\n", page->out);
}

static void write_key(const struct page *page) {
    fputs("<p class=key>Far below the bound ", page->out);
    for (int step = 0; step < 10; step++)
        fprintf(page->out, "<span class=c%d>%s%.1f</span>", step, step < 9 ? "−" : "", (9 - step) / 2.0);
    fputs(" at the bound. <span class=cx>broken</span> <span class=ck>known</span> <span class=cn>c.r.</span> "
          "correctly rounded, as claimed: the best there is; <span class=cn>∅</span> the bound says nothing (after a "
          "number: "
          "on some inputs); <span class=cn>(∞)</span> beyond it "
          "only by what the row flushes or lets overflow, and says so; ✓ no figure, "
          "nothing "
          "wrong; ? not checked; <b>exact</b> no error; ☠ did not run, crashed, hung or misused; ⚠ raced or out of "
          "bounds; ≠ lost or "
          "double-counted; C wrong class; ↓ flushed; ↑ overflowed early; &gt; beyond bound; ≁ varied although it "
          "claims not "
          "to; ~ varies as it says.</p>\n",
          page->out);
}

void page_heat_map(const struct page *page) {
    fputs("<section id=map><h2>Where each variant comes nearest to its bound</h2>\n"
          "<p>The number is log<sub>10</sub>(err/bound) of the worst cell: 0 is at the bound, −3 a thousandth of "
          "it. One cell that broke a claim turns its square red, "
          "however many held. What is broken comes first, in rows and columns, then what is known; rows then go on "
          "with the nearest to its bound. A sum of fewer than 32 terms "
          "meets its bound whatever the method, so it counts only where there is no larger one, or where it is "
          "bad.</p>\n",
          page->out);
    write_key(page);
    fputs("<div class=\"scroll tall\"><table class=map>\n", page->out);
    write_header(page);
    for (size_t i = 0; i < page->view->variant_count; i++) {
        size_t v = page->view->order[i];
        fputs("<tr><th>", page->out);
        write_variant_link(page, v);
        write_nearest(page, &page->view->variants[v]);
        for (size_t f = 0; f < page->view->family_count; f++)
            write_square(page, v, page->view->family_order[f]);
        fputc('\n', page->out);
    }
    fputs("</table></div>\n</section>\n", page->out);
}
