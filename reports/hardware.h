// SPDX-License-Identifier: MIT
// The machine's answers, one row a question with the answer of each backend beside it.
#ifndef REDUCTIO_REPORTS_HARDWARE_H
#define REDUCTIO_REPORTS_HARDWARE_H

#include "reports/text.h"

#include <stddef.h>

enum { HARDWARE_BACKENDS = 4 };

struct hardware_table {
    const json_t *answers;
    const char *backends[HARDWARE_BACKENDS]; // in the order of their first answers
    size_t backend_count;
    size_t as_stated;
};

void hardware_table_make(struct hardware_table *table, const json_t *run);
// Whether answer i is the first to its question, so that it opens a row.
bool hardware_opens_row(const struct hardware_table *table, size_t i);
// The answer of a backend to the question of answer i, NULL if it gave none.
const json_t *hardware_answer_of(const struct hardware_table *table, size_t i, size_t backend);

#endif
