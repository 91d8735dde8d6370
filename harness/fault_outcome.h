// SPDX-License-Identifier: MIT
// What became of a planted fault, in the words of mutation testing (a mutant that no test kills survives). The verdict
// sentence, the selftest and every report have it from here.
#ifndef REDUCTIO_FAULT_OUTCOME_H
#define REDUCTIO_FAULT_OUTCOME_H

#include "harness/finding.h"

#include <stddef.h>

// Of several rows of a fault the greatest holds.
enum fault_outcome {
    FAULT_NOT_TRIED,       // no backend took part on which it must be caught
    FAULT_CAUGHT,          // a cell is headed by the finding, by the detector, that the fault names
    FAULT_NOT_CHECKED,     // not caught, but not all cells were run and checked
    FAULT_FOUND_OTHERWISE, // what heads its bad cells are other findings, or those of other detectors
    FAULT_SURVIVED,        // nothing bad was found
    FAULT_OUTCOMES
};

const char *fault_outcome_word(enum fault_outcome outcome); // "not tried", "caught", ...
// The same where letters alone must stand out: "SURVIVED", "FOUND OTHERWISE".
const char *fault_outcome_label(enum fault_outcome outcome);
// Found otherwise or survived: what a selftest fails for.
bool fault_outcome_is_bad(enum fault_outcome outcome);

// A fault on one backend in one type. Zero but for the texts, which belong to the caller, then shown all cells of the
// row.
struct fault_row {
    const char *name, *backend, *type;
    const char *finding, *detector;    // that it names; NULL where the row is no planted fault
    bool caught, found, checked, lost; // in some cell: as named, at all; a cell was checked; the harness lost one
    enum fault_outcome outcome;        // after fault_rows_settle
};

bool fault_row_is_at_home(const struct fault_row *row); // on a backend where it must be caught
bool fault_row_is_caught_in(const struct fault_row *row, enum finding head, const char *detector);
void fault_row_take_cell(struct fault_row *row, enum finding head, const char *detector, bool lost);
// The outcomes of all rows of a run. A row that is shown on other backends too shares what its type comes to at home.
void fault_rows_settle(struct fault_row *rows, size_t count, bool interrupted);
// What the fault of that name comes to over its settled rows at home.
enum fault_outcome fault_outcome_of_name(const struct fault_row *rows, size_t count, const char *name);
// How many faults came to each outcome, whatever the number of their rows.
void fault_rows_count(const struct fault_row *rows, size_t count, size_t faults[FAULT_OUTCOMES]);

#endif
