// SPDX-License-Identifier: MIT
// The answer to the question that the reader of such a run has, with what it rests on.
#include "reports/page_answer.h"

#include <string.h>

bool ran_on(const json_t *run, const char *name) {
    size_t i;
    json_t *backend;
    json_array_foreach(json_object_get(run, "backends"), i, backend) {
        if (!strcmp(json_string_value(backend), name))
            return true;
    }
    return false;
}

bool ran_without_gpu(const json_t *run) {
    return !ran_on(run, "cuda") && !ran_on(run, "exec"); // what a program ran on is its own to tell
}

bool ran_emulated(const json_t *run) {
    bool emulated = ran_on(run, "simt");
    for (int i = 0; i < SANITIZERS; i++)
        emulated |= ran_on(run, sanitizer_names[i]);
    return emulated;
}

enum { NAMED = 6 };

static void write_name(const struct page *page, const struct variant_view *variant, char section) {
    fprintf(page->out, "<a href=#%c%zu>", section, variant->index);
    write_member(page, variant->json, "name");
    fputs("</a> <i>", page->out);
    write_member(page, variant->json, "backend");
    fputs("&nbsp;", page->out);
    write_member(page, variant->json, "type");
    fputs("</i>", page->out);
}

static bool is_broken(const struct variant_view *variant) {
    return !variant->planted && variant_status(variant) == CLAIM_BROKEN;
}

static bool came_to(const struct variant_view *variant, enum fault_outcome outcome) {
    return variant->planted && variant->outcome == outcome;
}

// The variants that break a claim or, with an outcome, the planted faults that came to it; the first by name, each a
// link to its section.
static void write_names(const struct page *page, const enum fault_outcome *outcome, char section) {
    size_t found = 0;
    for (size_t i = 0; i < page->view->variant_count; i++) {
        const struct variant_view *variant = &page->view->variants[page->view->order[i]];
        if (!(outcome ? came_to(variant, *outcome) : is_broken(variant)) || ++found > NAMED)
            continue;
        fputs(found > 1 ? ", " : " ", page->out);
        write_name(page, variant, section);
    }
    if (found > NAMED)
        fprintf(page->out, ", and %zu more", found - NAMED);
    fputc('\n', page->out);
}

static void write_faults(const struct page *page, const struct tally *tally) {
    static const struct {
        enum fault_outcome outcome;
        const char *words;
    } parts[] = {{FAULT_SURVIVED, "survived, found by no detector"},
                 {FAULT_FOUND_OTHERWISE, "found otherwise, as something else or by another detector"},
                 {FAULT_NOT_CHECKED, "not checked to the end, and not caught so far"}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (!tally->faults[parts[p].outcome])
            continue;
        fprintf(page->out, "<li><b>%zu</b> %s:", tally->faults[parts[p].outcome], parts[p].words);
        write_names(page, &parts[p].outcome, 'v');
    }
}

static void write_reasons(const struct page *page, const struct tally *tally) {
    if (tally->broken || tally->failed) {
        fprintf(page->out, "<li><b>%zu</b> broken claim%s:", tally->broken, tally->broken == 1 ? "" : "s");
        write_names(page, NULL, 'f');
    }
    write_faults(page, tally);
    if (question_of(page->view)->of_machine && tally->surprises)
        fprintf(page->out, "<li><b>%zu</b> answer%s of the machine %s <a href=#hardware>not as stated</a>\n",
                tally->surprises, tally->surprises == 1 ? "" : "s", tally->surprises == 1 ? "is" : "are");
    if (has_text(page->run, "refusal")) {
        fputs("<li>", page->out);
        write_member(page, page->run, "refusal");
        fputc('\n', page->out);
    }
}

// What a yes does not cover.
static void write_conditions(const struct page *page, const struct tally *tally) {
    if (tally->known)
        fprintf(page->out,
                "<li>%zu cells fail as <code>reductio-known.txt</code> says: <a href=#known>which and why</a>\n",
                tally->known);
    if (tally->untested && question_of(page->view)->of_all_claims)
        fprintf(page->out, "<li>%zu claims were not tested; each says why under <a href=#variants>its variant</a>\n",
                tally->untested);
    size_t untried = tally->faults[FAULT_NOT_TRIED];
    if (untried)
        fprintf(page->out, "<li>%zu planted fault%s not tried: no backend took part that must catch %s\n", untried,
                untried == 1 ? " was" : "s were", untried == 1 ? "it" : "them");
    if (tally->unchecked)
        fprintf(page->out, "<li>%zu cells could not be checked\n", tally->unchecked);
    if (ran_without_gpu(page->run))
        fputs("<li>No GPU took part: what only hardware shows is open\n", page->out);
}

void write_answer(const struct page *page, const struct tally *tally, enum answer answer) {
    const struct question *question = question_of(page->view);
    fprintf(page->out, "<div class=answer><p>%s ", question->words);
    if (answer == ANSWER_YES)
        fprintf(page->out, "<b class=good>Yes</b>, %s", question->yes);
    else if (answer == ANSWER_NO)
        fputs("<b class=bad>No</b>:", page->out);
    else
        fprintf(page->out, "<b class=known>Open</b>: %s.", why_open(page->view, tally));
    fputs("</p>\n<ul>\n", page->out);
    write_reasons(page, tally);
    if (answer == ANSWER_YES)
        write_conditions(page, tally);
    fputs("</ul></div>\n", page->out);
}
