// SPDX-License-Identifier: MIT
// The answer of a run on the first screen of the page.
#ifndef REDUCTIO_PAGE_ANSWER_H
#define REDUCTIO_PAGE_ANSWER_H

#include "reports/answer.h"
#include "reports/page.h"

// The command's question, the answer, and its reasons or what it does not cover.
void write_answer(const struct page *page, const struct tally *tally, enum answer answer);

bool ran_on(const json_t *run, const char *backend);
bool ran_without_gpu(const json_t *run);
bool ran_emulated(const json_t *run); // on simt or a sanitizer's build of it

#endif
