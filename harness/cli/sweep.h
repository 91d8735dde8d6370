// SPDX-License-Identifier: MIT
// What `study --sweep` goes through: sizes, or condition numbers.
#ifndef REDUCTIO_SWEEP_H
#define REDUCTIO_SWEEP_H

#include "cases/cases.h"

#include <stddef.h>

enum { SWEEP_VALUES = 64 };

struct sweep {
    bool over_condition; // else over n
    uint64_t n[SWEEP_VALUES];
    const struct case_values *values[SWEEP_VALUES]; // cond1e8, ...
    size_t count;
};

// "n=1000,1e4,1e5" or "cond=1e2,1e8". False with a sentence on stderr. The cases must have been loaded.
bool sweep_parse(struct sweep *sweep, const char *text);

#endif
