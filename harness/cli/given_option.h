// SPDX-License-Identifier: MIT
// What the commands that take an array share.
#ifndef REDUCTIO_GIVEN_OPTION_H
#define REDUCTIO_GIVEN_OPTION_H

#include "harness/cli/options.h"
#include "harness/given.h"
#include "harness/plan.h"

// Loads the array that a word of the command line names; --type makes it plain numbers unless the name ends in .npy.
// EXIT_USAGE with a sentence on stderr where it cannot be read.
int load_array(struct given_array *given, const char *path, const struct options *options);
// The same for a command in which --type also chooses rows: a .npy file leaves it that.
int load_given(struct given_array *given, const char *path, const struct options *options);
// Writes the data of the plan's only dataset to the file of --dump, if there is one.
int dump_cell(const struct plan *plan, const struct options *options);

#endif
