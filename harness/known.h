// SPDX-License-Identifier: MIT
// Known defects: lines of reductio-known.txt that let the gate pass over what is already understood, and that fail once
// the defect is gone. A line is
//     CELL-GLOB | finding | condition | reason or link
// The condition is "-" or comparisons joined by blanks, e.g. "cuda.cccl>=3.1 cuda.cccl<3.7", over keys of the
// environment that a run records; versions compare number by number. '#' starts a comment line.
#ifndef REDUCTIO_KNOWN_H
#define REDUCTIO_KNOWN_H

#include "harness/result.h"

struct known_line {
    char *glob, *condition, *reason;
    enum finding finding;
    unsigned line; // in the file
};

struct known_list {
    struct known_line *lines;
    size_t count;
    char *path;
};

// NULL, or one sentence (from malloc) that says what is wrong with which line. A file that is not there is an empty
// list if `optional`.
char *known_load(struct known_list *known, const char *path, bool optional);
void known_free(struct known_list *known);

// Marks the cells whose bad finding is listed. A line whose condition holds and that matches cells of this run, none of
// which shows its finding any more, is stale: it gets a note, and is counted in result->stale_known_lines. In one of
// several shards, in one that was interrupted, and where a matching cell could not be checked, no line is stale.
void known_apply(const struct known_list *known, struct run_result *result);

// Whether a condition holds in an environment; false where a key is absent. The text is one that known_load accepted.
bool known_condition_holds(const char *condition, const struct text_pair *environment, size_t count);

#endif
