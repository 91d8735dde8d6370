// SPDX-License-Identifier: MIT
// Two runs, cell by cell. What is looked at, in this order: bits, error, the finding, whether it varies, time.
// Where they pull in two directions, or bits changed and nothing else says whether for the better, the cell is
// ambiguous. Bits of a row that varies from run to run in both runs, as it says, are not looked at: they are chance.
#ifndef REDUCTIO_COMPARE_H
#define REDUCTIO_COMPARE_H

#include "reports/reports.h"

enum change { CHANGE_WORSE, CHANGE_GONE, CHANGE_AMBIGUOUS, CHANGE_BETTER, CHANGE_NEW, CHANGE_SAME, CHANGE_COUNT };

enum { CHANGE_TEXT = 256 };

struct cell_change {
    const json_t *before, *after; // NULL for new and gone
    enum change change;
    bool bits_changed;
    char why[CHANGE_TEXT]; // "bits changed; err/bound 0.1 -> 0.4"; empty for SAME
};

struct comparison {
    const json_t *before, *after;
    struct cell_change *cells; // after's order, then those that are gone
    size_t cell_count;
    size_t counts[CHANGE_COUNT];
    json_t *environment; // key to [before, after], of what differs besides the commit
    bool times_compared; // those of a GPU, in one environment
    // Each order of additions that is not the one before: {"variant": "name@backend/type", "before": …, "after": …},
    // both as in the run. It shows why bits changed and is no regression of its own.
    json_t *orders;
};

const char *change_word(enum change change); // "WORSE", "GONE", ...

// False with a message when memory is out or the runs are of different seeds, so that their cells hold different data.
// Both runs must outlive the comparison. Free with comparison_free in either case.
bool comparison_make(struct comparison *comparison, const json_t *before, const json_t *after, char *message);
void comparison_free(struct comparison *comparison);
bool comparison_regressed(const struct comparison *comparison); // a cell is worse or gone

// How many variants, each counted once whatever its types and backends, have a cell whose bits changed.
size_t comparison_changed_variants(const struct comparison *comparison);

// Environment first, then every cell that is not the same (at most `limit` in full, 0 = all).
void comparison_write_terminal(const struct comparison *comparison, size_t limit, FILE *out);

// Each writes one report of a comparison and returns true, or false with one sentence in message[REPORT_MESSAGE].
typedef bool comparison_writer(const struct comparison *comparison, FILE *out, char *message);
comparison_writer comparison_write_markdown; // for a pull request: the 20 that matter most
comparison_writer comparison_write_json;     // counts, and every cell that is not the same
comparison_writer comparison_write_html;     // one offline page with a map of before and after
// Whole or not at all, as report_save does.
bool comparison_save(const char *path, comparison_writer *writer, const struct comparison *comparison, char *message);

// The run that names a cell: after, or before for one that is gone.
const json_t *changed_cell(const struct cell_change *change);

#endif
