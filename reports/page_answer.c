// SPDX-License-Identifier: MIT
// The question that the reader of such a run has, and its answer: yes, no or open, with what it rests on.
#include "reports/page_answer.h"
#include "reports/hardware.h"

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

struct tally tally_cells(const struct page *page) {
    struct tally tally = {0};
    for (size_t i = 0; i < page->view->cell_count; i++) {
        const struct cell_view *cell = &page->view->cells[i];
        bool of_fault = page->view->variants[cell->variant].planted;
        tally.planted += of_fault;
        tally.failed += cell->failed && !of_fault;
        tally.known += cell->known;
        tally.nothing += finding_in(cell->findings, FINDING_BOUND_SAYS_NOTHING);
        tally.unchecked += cell->head == FINDING_NOT_CHECKED;
    }
    for (size_t v = 0; v < page->view->variant_count; v++) {
        const struct variant_view *variant = &page->view->variants[v];
        tally.missed += variant->missed;
        tally.broken += variant->planted ? 0 : variant->claims_by_status[CLAIM_BROKEN];
        tally.untested += variant->planted ? 0 : variant->claims_by_status[CLAIM_NOT_TESTED];
    }
    struct hardware_table table;
    hardware_table_make(&table, page->run);
    tally.answers = json_array_size(table.answers);
    tally.surprises = tally.answers - table.as_stated;
    return tally;
}

static const struct question {
    const char *command, *words, *yes;
    bool of_all_claims, of_machine; // which claims no cell tested matters; so does what the machine did
} questions[] = {
    {"selftest", "Is every planted fault caught?", "each by the detector that it names.", false, false},
    {"hazards", "Is it free of races and of accesses out of bounds?", "as far as the sanitizers saw in this run.",
     false, false},
    {"sum", "Does every row keep its claims on this array?", "as far as this run goes: no claim is broken.", false,
     false},
    {"hardware", "Does the machine do as stated?", "in every answer.", false, true},
    {"", "May I merge this?", "as far as this run goes: no claim is broken.", true, false},
};

static const struct question *question_of(const struct page *page) {
    const struct question *question = questions;
    while (*question->command && strcmp(question->command, text_of(page->run, "command")) != 0)
        question++;
    return question;
}

enum answer answer_of(const struct page *page, const struct tally *tally) {
    bool of_machine = question_of(page)->of_machine;
    if (tally->broken || tally->failed || tally->missed || (of_machine && tally->surprises) ||
        has_text(page->run, "refusal"))
        return ANSWER_NO;
    bool asked = of_machine ? tally->answers : page->view->cell_count;
    return flag_of(page->run, "interrupted") || !asked ? ANSWER_OPEN : ANSWER_YES;
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

static bool is_missed(const struct variant_view *variant) {
    return variant->missed;
}

// The variants of one kind, the first by name, each a link to its section.
static void write_names(const struct page *page, bool (*is_meant)(const struct variant_view *variant), char section) {
    size_t found = 0;
    for (size_t i = 0; i < page->view->variant_count; i++) {
        const struct variant_view *variant = &page->view->variants[page->view->order[i]];
        if (!is_meant(variant) || ++found > NAMED)
            continue;
        fputs(found > 1 ? ", " : " ", page->out);
        write_name(page, variant, section);
    }
    if (found > NAMED)
        fprintf(page->out, ", and %zu more", found - NAMED);
    fputc('\n', page->out);
}

static void write_reasons(const struct page *page, const struct tally *tally) {
    if (tally->broken || tally->failed) {
        fprintf(page->out, "<li><b>%zu</b> broken claim%s:", tally->broken, tally->broken == 1 ? "" : "s");
        write_names(page, is_broken, 'f');
    }
    if (tally->missed) {
        fputs("<li>Not caught:", page->out);
        write_names(page, is_missed, 'v');
    }
    if (question_of(page)->of_machine && tally->surprises)
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
    if (tally->untested && question_of(page)->of_all_claims)
        fprintf(page->out, "<li>%zu claims were not tested; each says why under <a href=#variants>its variant</a>\n",
                tally->untested);
    if (tally->unchecked)
        fprintf(page->out, "<li>%zu cells could not be checked\n", tally->unchecked);
    if (ran_without_gpu(page->run))
        fputs("<li>No GPU took part: what only hardware shows is open\n", page->out);
}

void write_answer(const struct page *page, const struct tally *tally, enum answer answer) {
    const struct question *question = question_of(page);
    fprintf(page->out, "<div class=answer><p>%s ", question->words);
    if (answer == ANSWER_YES)
        fprintf(page->out, "<b class=good>Yes</b>, %s", question->yes);
    else if (answer == ANSWER_NO)
        fputs("<b class=bad>No</b>:", page->out);
    else
        fputs("<b class=known>Open</b>: the run did not get to its end.", page->out);
    fputs("</p>\n<ul>\n", page->out);
    write_reasons(page, tally);
    if (answer == ANSWER_YES)
        write_conditions(page, tally);
    fputs("</ul></div>\n", page->out);
}
