// SPDX-License-Identifier: MIT
// Non-determinism: for each variant what other schedules, shapes, base addresses, orders and devices did to the bits.
#include "reports/page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// "18/90" and what was claimed: a word, never colour alone.
static void write_attack(const struct page *page, const struct variant_view *variant, enum attack attack) {
    const struct spread *spread = &page->variation->spreads[variant->index * ATTACK_KINDS + attack];
    const json_t *claim = claim_named(variant->json, attack_claims[attack]);
    enum claim_status status = claim ? claim_status_of(claim) : CLAIM_NOT_CLAIMED;
    if (!spread->groups) {
        fputs("<td class=none>not tested", page->out);
        return;
    }
    fprintf(page->out, "<td><span class=%s>%s</span><br>%zu/%zu", status_class(status), claim_status_word(status),
            spread->varied_groups, spread->groups);
}

static void write_run_figures(const struct page *page, const struct variant_view *variant, bool busy) {
    const struct spread *run = &page->variation->spreads[variant->index * ATTACK_KINDS + ATTACK_ON_RUN];
    if (!run->groups) {
        fputs(busy ? "<td>–<td>–<td>–<td>–<td>–" : "<td>–<td>–<td>–<td>–", page->out);
        return;
    }
    fprintf(page->out, "<td class=r>%zu in %" PRIu64, run->most_patterns, run->widest_runs);
    if (busy && run->busy_runs)
        fprintf(page->out, "<td class=r>%zu in %" PRIu64, run->busy_patterns, run->busy_runs);
    else if (busy)
        fputs("<td class=r>–", page->out);
    fputs("<td class=r>", page->out);
    write_figure(run->most_ulps, page->out);
    fputs("<td class=r>", page->out);
    write_figure(run->vs, page->out);
    fputs("<td>", page->out);
    if (!has_real_runs(variant->json))
        fputs(run->varied_groups ? "more than one result is reachable" : "no other result was reached", page->out);
    else if (run->varied_groups)
        fprintf(page->out, "the commonest in %.1f %% of runs", 100 * run->commonest);
    else
        fprintf(page->out, "0 of %" PRIu64 " differed: fewer than %.2g %% differ, at 95 %%, if runs are independent",
                run->results, 300 / (double)run->results);
}

static void write_row(const struct page *page, size_t v, bool busy) {
    fputs("<tr><th>", page->out);
    write_variant_link(page, v);
    for (int attack = 0; attack < ATTACK_KINDS; attack++)
        write_attack(page, &page->view->variants[v], (enum attack)attack);
    write_run_figures(page, &page->view->variants[v], busy);
    fputc('\n', page->out);
}

// What a reader should see first: bits that changed from run to run or against a claim, then under a change that
// nothing is claimed about, then never.
enum group { GROUP_FIRST, GROUP_UNCLAIMED, GROUP_STEADY, GROUP_UNTESTED, GROUPS };

static enum group group_of(const struct page *page, size_t v) {
    const struct spread *spreads = &page->variation->spreads[v * ATTACK_KINDS];
    size_t attacked = 0, varied = 0;
    bool broken = false;
    for (size_t attack = 0; attack < ATTACK_KINDS; attack++) {
        const json_t *claim = claim_named(page->view->variants[v].json, attack_claims[attack]);
        broken |= claim && claim_status_of(claim) == CLAIM_BROKEN;
        attacked += spreads[attack].groups;
        varied += spreads[attack].varied_groups;
    }
    if (!attacked)
        return GROUP_UNTESTED;
    return broken || spreads[ATTACK_ON_RUN].varied_groups ? GROUP_FIRST : varied ? GROUP_UNCLAIMED : GROUP_STEADY;
}

// Whether something else kept a GPU busy in some runs: otherwise there is no column of it.
static bool was_busy(const struct page *page) {
    bool busy = false;
    for (size_t v = 0; v < page->view->variant_count; v++)
        busy |= page->variation->spreads[v * ATTACK_KINDS + ATTACK_ON_RUN].busy_runs != 0;
    return busy;
}

static void write_table(const struct page *page, enum group group) {
    bool busy = was_busy(page);
    fprintf(page->out,
            "<div class=scroll><table class=sticky><thead><tr><th>variant<th>run<th>shape<th>placement<th>order"
            "<th>device<th class=r>patterns%s<th class=r>spread, ulps<th class=r>V<sub>s</sub><th>what that "
            "says</thead>\n",
            busy ? "<th class=r>busy GPU" : "");
    for (size_t i = 0; i < page->view->variant_count; i++)
        if (group_of(page, page->view->order[i]) == group)
            write_row(page, page->view->order[i], busy);
    fputs("</table></div>\n", page->out);
}

void page_variation(const struct page *page) {
    size_t counts[GROUPS] = {0};
    for (size_t v = 0; v < page->view->variant_count; v++)
        counts[group_of(page, v)]++;
    fputs("<section id=variation><h2>Does the same call give the same bits?</h2>\n"
          "<p>Under five kinds of change, one at a time: the status of the claim, and how many of the inputs attacked "
          "gave more than one "
          "result. Patterns and spread are those of the input with the most distinct results under <b>run</b>: the "
          "same call again, "
          "or under another schedule of threads, or while something else keeps part of the GPU busy. V<sub>s</sub> = 1 "
          "− |S/S₁| is the measure of Shanmugavelu et al. 2024, the largest in magnitude over the inputs: S₁ is the "
          "result of the first run, on simt that of the schedule in order, of which there is one run. Inputs on which "
          "no addition rounds are attacked as well, as a control: there nothing may vary.</p>\n",
          page->out);
    if (counts[GROUP_FIRST])
        write_table(page, GROUP_FIRST);
    else
        fputs("<p>No variant varied from run to run or against its claim.</p>\n", page->out);
    static const char *const summaries[] = {
        [GROUP_UNCLAIMED] = "vary only under a change that they claim nothing about", [GROUP_STEADY] = "never varied"};
    for (enum group group = GROUP_UNCLAIMED; group <= GROUP_STEADY; group++) {
        if (!counts[group])
            continue;
        fprintf(page->out, "<details><summary>%zu %s</summary>\n", counts[group], summaries[group]);
        write_table(page, group);
        fputs("</details>\n", page->out);
    }
    if (counts[GROUP_UNTESTED])
        fprintf(page->out, "<p class=dim>Of %zu more nothing was attacked in this run.</p>\n", counts[GROUP_UNTESTED]);
    fputs("</section>\n", page->out);
}
