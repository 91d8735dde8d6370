// SPDX-License-Identifier: MIT
// The kill matrix of a selftest run: which detector found which planted fault, in how many cells. Made from the run's
// JSON alone. A detector earns its code by a fault that no other detector finds.
#ifndef REDUCTIO_KILL_MATRIX_H
#define REDUCTIO_KILL_MATRIX_H

#include "reports/view.h"

#include <stddef.h>

enum { KILL_DETECTORS = 14 };

struct kill_row {
    const json_t *variant;        // the first of the fault's rows, whose types and backends count together
    size_t index;                 // of that row in the run
    size_t cells[KILL_DETECTORS]; // in which the detector found something bad
    size_t named;                 // index of the detector that the fault names; KILL_DETECTORS if there is none such
    enum fault_outcome outcome;   // of all its rows
};

struct kill_matrix {
    struct kill_row *rows; // in the order of the run
    size_t row_count;
    bool took_part[KILL_DETECTORS]; // sanitizers do only where their builds were run
};

// False when memory is out; free with kill_matrix_free in either case. Runs of other commands give no rows.
bool kill_matrix_make(struct kill_matrix *matrix, const struct run_view *view);
void kill_matrix_free(struct kill_matrix *matrix);

const char *kill_detector_name(size_t detector);
const char *kill_detector_how(size_t detector); // how it finds what it finds, in a few words
// True if `detector` finds the fault and no other does.
bool kill_is_alone(const struct kill_row *row, size_t detector);
// How many faults `detector` alone finds.
size_t kill_count_alone(const struct kill_matrix *matrix, size_t detector);
// True if every detector that took part alone finds some fault.
bool kill_matrix_is_tight(const struct kill_matrix *matrix);

// The matrix as a text table with what each detector alone finds, and as Markdown with a line a fault. A run that is
// not `complete`, some faults or cases being left out, is no reproach to a detector that found nothing.
void write_kill_matrix_text(const struct kill_matrix *matrix, bool complete, FILE *out);
void write_kill_matrix_markdown(const struct kill_matrix *matrix, FILE *out);

#endif
