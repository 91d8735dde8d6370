// SPDX-License-Identifier: MIT
// What a run comes to: the question of its command, and the answer, yes, no or open.
#ifndef REDUCTIO_ANSWER_H
#define REDUCTIO_ANSWER_H

#include "reports/view.h"

struct tally {
    size_t failed, known, nothing, unchecked, planted; // cells; those of planted faults never count as failed
    size_t broken, untested;                           // claims
    size_t faults[FAULT_OUTCOMES];                     // planted ones, each once
    size_t answers, surprises;                         // of the machine; surprises are not as stated
};

struct tally tally_run(const struct run_view *view);

struct question {
    const char *command, *words, *yes;
    bool of_all_claims, of_machine, of_faults; // which claims no cell tested matters; what the machine did; the faults
};

const struct question *question_of(const struct run_view *view);

enum answer { ANSWER_YES, ANSWER_NO, ANSWER_OPEN };
enum answer answer_of(const struct run_view *view, const struct tally *tally);
// Why such a run, unless it says no, says neither: "the run was interrupted"; NULL if nothing keeps it from a yes.
const char *why_open(const struct run_view *view, const struct tally *tally);

#endif
