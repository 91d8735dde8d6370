// SPDX-License-Identifier: MIT
// What the first screen of the page counts and answers.
#ifndef REDUCTIO_PAGE_ANSWER_H
#define REDUCTIO_PAGE_ANSWER_H

#include "reports/page.h"

struct tally {
    size_t failed, known, nothing, unchecked, planted; // cells; those of planted faults never count as failed
    size_t broken, untested, missed;                   // claims, and rows of planted faults
    size_t answers, surprises;                         // of the machine; surprises are not as stated
};

struct tally tally_cells(const struct page *page);

enum answer { ANSWER_YES, ANSWER_NO, ANSWER_OPEN };
enum answer answer_of(const struct page *page, const struct tally *tally);
// The command's question, the answer, and its reasons or what it does not cover.
void write_answer(const struct page *page, const struct tally *tally, enum answer answer);

bool ran_on(const json_t *run, const char *backend);
bool ran_without_gpu(const json_t *run);
bool ran_emulated(const json_t *run); // on simt or a sanitizer's build of it

#endif
