// SPDX-License-Identifier: MIT
#include "harness/fault_outcome.h"

#include <string.h>

static const struct {
    const char *word, *label;
} words[FAULT_OUTCOMES] = {
    [FAULT_NOT_TRIED] = {"not tried", "not tried"},
    [FAULT_CAUGHT] = {"caught", "caught"},
    [FAULT_NOT_CHECKED] = {"not checked", "not checked"},
    [FAULT_FOUND_OTHERWISE] = {"found otherwise", "FOUND OTHERWISE"},
    [FAULT_SURVIVED] = {"survived", "SURVIVED"},
};

const char *fault_outcome_word(enum fault_outcome outcome) {
    return words[outcome].word;
}

const char *fault_outcome_label(enum fault_outcome outcome) {
    return words[outcome].label;
}

bool fault_outcome_is_bad(enum fault_outcome outcome) {
    return outcome == FAULT_FOUND_OTHERWISE || outcome == FAULT_SURVIVED;
}

static enum fault_outcome worse_of(enum fault_outcome a, enum fault_outcome b) {
    return a > b ? a : b;
}

bool fault_row_is_at_home(const struct fault_row *row) {
    return row->finding && fault_is_at_home(row->backend, row->detector);
}

bool fault_row_is_caught_in(const struct fault_row *row, enum finding head, const char *detector) {
    return strcmp(row->finding, finding_word(head)) == 0 && detector && strcmp(row->detector, detector) == 0;
}

void fault_row_take_cell(struct fault_row *row, enum finding head, const char *detector, bool lost) {
    if (!row->finding)
        return;
    row->caught |= fault_row_is_caught_in(row, head, detector);
    row->found |= finding_is_bad(head);
    row->checked |= head != FINDING_NOT_CHECKED;
    row->lost |= lost;
}

static enum fault_outcome outcome_at_home(const struct fault_row *row, bool interrupted) {
    if (row->caught)
        return FAULT_CAUGHT;
    if (row->lost || !row->checked || interrupted)
        return FAULT_NOT_CHECKED;
    return row->found ? FAULT_FOUND_OTHERWISE : FAULT_SURVIVED;
}

// The worst of the rows at home of that name and, unless NULL, that type.
static enum fault_outcome worst_at_home(const struct fault_row *rows, size_t count, const char *name,
                                        const char *type) {
    enum fault_outcome worst = FAULT_NOT_TRIED;
    for (size_t i = 0; i < count; i++)
        if (fault_row_is_at_home(&rows[i]) && strcmp(rows[i].name, name) == 0 &&
            (!type || strcmp(rows[i].type, type) == 0))
            worst = worse_of(worst, rows[i].outcome);
    return worst;
}

void fault_rows_settle(struct fault_row *rows, size_t count, bool interrupted) {
    for (size_t i = 0; i < count; i++)
        if (fault_row_is_at_home(&rows[i]))
            rows[i].outcome = outcome_at_home(&rows[i], interrupted);
    for (size_t i = 0; i < count; i++)
        if (rows[i].finding && !fault_row_is_at_home(&rows[i]))
            rows[i].outcome = worst_at_home(rows, count, rows[i].name, rows[i].type);
}

enum fault_outcome fault_outcome_of_name(const struct fault_row *rows, size_t count, const char *name) {
    return worst_at_home(rows, count, name, NULL);
}

static bool is_first_of_its_name(const struct fault_row *rows, size_t row) {
    for (size_t i = 0; i < row; i++)
        if (rows[i].finding && strcmp(rows[i].name, rows[row].name) == 0)
            return false;
    return true;
}

void fault_rows_count(const struct fault_row *rows, size_t count, size_t faults[FAULT_OUTCOMES]) {
    memset(faults, 0, FAULT_OUTCOMES * sizeof *faults);
    for (size_t i = 0; i < count; i++)
        if (rows[i].finding && is_first_of_its_name(rows, i))
            faults[fault_outcome_of_name(rows, count, rows[i].name)]++;
}
