// SPDX-License-Identifier: MIT
#include "reports/answer.h"
#include "reports/hardware.h"

#include <string.h>

struct tally tally_run(const struct run_view *view) {
    struct tally tally = {0};
    for (size_t i = 0; i < view->cell_count; i++) {
        const struct cell_view *cell = &view->cells[i];
        bool of_fault = view->variants[cell->variant].planted;
        tally.planted += of_fault;
        tally.failed += cell->failed && !of_fault;
        tally.known += cell->known;
        tally.nothing += finding_in(cell->findings, FINDING_BOUND_SAYS_NOTHING);
        tally.unchecked += cell->head == FINDING_NOT_CHECKED;
    }
    for (size_t v = 0; v < view->variant_count; v++) {
        const struct variant_view *variant = &view->variants[v];
        tally.broken += variant->planted ? 0 : variant->claims_by_status[CLAIM_BROKEN];
        tally.untested += variant->planted ? 0 : variant->claims_by_status[CLAIM_NOT_TESTED];
    }
    fault_rows_count(view->faults, view->variant_count, tally.faults);
    struct hardware_table table;
    hardware_table_make(&table, view->json);
    tally.answers = json_array_size(table.answers);
    tally.surprises = tally.answers - table.as_stated;
    return tally;
}

static const struct question questions[] = {
    {"selftest", "Is every planted fault caught?", "each by the detector that it names.", .of_faults = true},
    {"hazards", "Is it free of races and of accesses out of bounds?", "as far as the sanitizers saw in this run.",
     .of_faults = false},
    {"sum", "Does every row keep its claims on this array?", "as far as this run goes: no claim is broken.",
     .of_faults = false},
    {"hardware", "Does the machine do as stated?", "in every answer.", .of_machine = true},
    {"", "May I merge this?", "as far as this run goes: no claim is broken.", .of_all_claims = true},
};

const struct question *question_of(const struct run_view *view) {
    const struct question *question = questions;
    while (*question->command && strcmp(question->command, text_of(view->json, "command")) != 0)
        question++;
    return question;
}

const char *why_open(const struct run_view *view, const struct tally *tally) {
    const struct question *question = question_of(view);
    if (flag_of(view->json, "interrupted"))
        return "the run was interrupted";
    if (question->of_machine)
        return tally->answers ? NULL : "no question was answered";
    if (!view->cell_count)
        return "no cell was run";
    if (tally->unchecked == view->cell_count)
        return "no cell could be checked";
    if (question->of_faults && tally->faults[FAULT_NOT_CHECKED])
        return "not every planted fault could be checked";
    return question->of_faults && !tally->faults[FAULT_CAUGHT] ? "no planted fault could be tried" : NULL;
}

enum answer answer_of(const struct run_view *view, const struct tally *tally) {
    bool surprised = question_of(view)->of_machine && tally->surprises;
    if (tally->broken || tally->failed || tally->faults[FAULT_FOUND_OTHERWISE] || tally->faults[FAULT_SURVIVED] ||
        surprised || has_text(view->json, "refusal"))
        return ANSWER_NO;
    return why_open(view, tally) ? ANSWER_OPEN : ANSWER_YES;
}
