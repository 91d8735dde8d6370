// SPDX-License-Identifier: MIT
// What went into a build: the file, and what it includes.
#ifndef REDUCTIO_OWN_INPUTS_H
#define REDUCTIO_OWN_INPUTS_H

#include "harness/selection.h"

#include <time.h>

// Appends `path` and the headers that translator and compiler have read, by their notes in the scratch folder; not what
// is of the kit or of the build.
void own_list_inputs(struct text_list *inputs, const char *scratch, const char *kit, const char *path);
// The first that was changed after `started`, NULL if none was: the compiler may have read it before or after.
const char *own_find_edited(const struct text_list *inputs, const struct timespec *started);

#endif
