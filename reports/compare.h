// SPDX-License-Identifier: MIT
// Two runs, cell by cell. What is looked at, in this order: bits, err/bound, the finding, whether it varies, time.
// Where they pull in two directions, or bits changed and nothing else says whether for the better, the cell is
// ambiguous.
#ifndef REDUCTIO_COMPARE_H
#define REDUCTIO_COMPARE_H

#include "reports/reports.h"

enum change { CHANGE_WORSE, CHANGE_GONE, CHANGE_AMBIGUOUS, CHANGE_BETTER, CHANGE_NEW, CHANGE_SAME, CHANGE_COUNT };

enum { CHANGE_TEXT = 256 };

struct cell_change {
    const json_t *before, *after; // NULL for new and gone
    enum change change;
    char why[CHANGE_TEXT]; // "bits changed; err/bound 0.1 -> 0.4"; empty for SAME
};

struct comparison {
    const json_t *before, *after;
    struct cell_change *cells; // after's order, then those that are gone
    size_t cell_count;
    size_t counts[CHANGE_COUNT];
    json_t *environment; // key to [before, after], of what differs besides the commit
    bool times_compared; // only in one environment
};

const char *change_word(enum change change); // "WORSE", "GONE", ...

// False with a message when memory is out or the runs are of different seeds, so that their cells hold different data.
// Both runs must outlive the comparison. Free with comparison_free in either case.
bool comparison_make(struct comparison *comparison, const json_t *before, const json_t *after, char *message);
void comparison_free(struct comparison *comparison);
bool comparison_regressed(const struct comparison *comparison); // a cell is worse or gone

// Environment first, then every cell that is not the same (at most `limit` in full, 0 = all).
void comparison_write_terminal(const struct comparison *comparison, size_t limit, FILE *out);
// For a pull request: the 20 that matter most.
void comparison_write_markdown(const struct comparison *comparison, FILE *out);

#endif
