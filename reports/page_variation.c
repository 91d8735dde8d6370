// SPDX-License-Identifier: MIT
// Non-determinism: for each variant what other schedules, shapes, base addresses, orders and devices did to the bits.
#include "reports/page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_hardware(const json_t *variant) {
    return !strcmp(text_of(variant, "backend"), "cuda");
}

// "18/90" and what was claimed: a word, never colour alone.
static void write_attack(const struct page *page, const struct variant_view *variant, enum attack attack) {
    const struct spread *spread = &page->variation->spreads[variant->index * ATTACK_KINDS + attack];
    const json_t *claim = claim_named(variant->json, attack_claims[attack]);
    enum claim_status status = claim ? claim_status_of(claim) : CLAIM_NOT_CLAIMED;
    const char *kind = status == CLAIM_BROKEN  ? "bad"
                       : status == CLAIM_HELD  ? "good"
                       : status == CLAIM_KNOWN ? "known"
                                               : "none";
    if (!spread->groups) {
        fputs("<td class=none>not tested", page->out);
        return;
    }
    fprintf(page->out, "<td><span class=%s>%s</span><br>%zu/%zu", kind, claim_status_word(status),
            spread->varied_groups, spread->groups);
}

static void write_run_figures(const struct page *page, const struct variant_view *variant) {
    const struct spread *run = &page->variation->spreads[variant->index * ATTACK_KINDS + ATTACK_ON_RUN];
    if (!run->groups) {
        fputs("<td>–<td>–<td>–", page->out);
        return;
    }
    fprintf(page->out, "<td class=r>%zu in %" PRIu64 "<td class=r>", run->most_patterns, run->widest_runs);
    write_figure(run->most_ulps, page->out);
    fputs("<td>", page->out);
    if (!is_hardware(variant->json))
        fputs(run->varied_groups ? "more than one result is reachable" : "no other result was reached", page->out);
    else if (run->varied_groups)
        fprintf(page->out, "the commonest in %.1f %% of runs", 100 * run->commonest);
    else
        fprintf(page->out, "0 of %" PRIu64 " differed: fewer than %.2g %% differ, at 95 %%, if runs are independent",
                run->results, 300 / (double)run->results);
}

static void write_row(const struct page *page, size_t v) {
    fputs("<tr><th>", page->out);
    write_variant_link(page, v);
    for (int attack = 0; attack < ATTACK_KINDS; attack++)
        write_attack(page, &page->view->variants[v], (enum attack)attack);
    write_run_figures(page, &page->view->variants[v]);
    fputc('\n', page->out);
}

// How many inputs were attacked, and how many gave more than one result, under any of the five.
static size_t count_groups(const struct page *page, size_t v, bool only_varied) {
    size_t groups = 0;
    for (size_t attack = 0; attack < ATTACK_KINDS; attack++) {
        const struct spread *spread = &page->variation->spreads[v * ATTACK_KINDS + attack];
        groups += only_varied ? spread->varied_groups : spread->groups;
    }
    return groups;
}

static void write_table(const struct page *page, bool varied) {
    fputs("<div class=scroll><table class=sticky><thead><tr><th>variant<th>run<th>shape<th>placement<th>order<th>device"
          "<th>patterns<th>spread, ulps<th>what that says</thead>\n",
          page->out);
    for (size_t i = 0; i < page->view->variant_count; i++) {
        size_t v = page->view->order[i];
        if (count_groups(page, v, false) && (count_groups(page, v, true) > 0) == varied)
            write_row(page, v);
    }
    fputs("</table></div>\n", page->out);
}

void page_variation(const struct page *page) {
    size_t varied = 0, steady = 0;
    for (size_t v = 0; v < page->view->variant_count; v++) {
        varied += count_groups(page, v, true) > 0;
        steady += count_groups(page, v, false) && !count_groups(page, v, true);
    }
    fputs("<section id=variation><h2>Does the same call give the same bits?</h2>\n", page->out);
    fputs("<p>Under five kinds of change, one at a time. Each cell of the table says whether the variant claims the "
          "same bits, and how many of "
          "the inputs attacked gave more than one result. Patterns and spread are those of the input with the most "
          "distinct results "
          "under <b>run</b>: the same call again, or under another schedule of threads.</p>\n",
          page->out);
    if (varied)
        write_table(page, true);
    if (steady) {
        fprintf(page->out, "<details%s><summary>%zu never varied</summary>\n", varied ? "" : " open", steady);
        write_table(page, false);
        fputs("</details>\n", page->out);
    }
    if (!varied && !steady)
        fputs("<p>Nothing in this run attacked it.</p>\n", page->out);
    fputs("</section>\n", page->out);
}
