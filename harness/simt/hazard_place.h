// SPDX-License-Identifier: MIT
// Where an instrumented access stands in the source.
#ifndef REDUCTIO_SIMT_HAZARD_PLACE_H
#define REDUCTIO_SIMT_HAZARD_PLACE_H

#include "harness/simt/hazard.h"

struct hazard_place {
    char file[128]; // without its folder
    int line;
};

// The innermost frame of a sanitizer's stack trace that is no header of simt's. False, with file "?", if none is known.
bool hazard_find_place(void *const *trace, size_t depth, struct hazard_place *place);

#endif
