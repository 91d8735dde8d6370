// SPDX-License-Identifier: MIT
// What a command is to write is tried before it starts: nobody should wait for hours to learn that a name was mistyped.
#ifndef REDUCTIO_OUTPUTS_H
#define REDUCTIO_OUTPUTS_H

#include "harness/cli/command_table.h"

// Tries every file that the options name for writing, without making or changing it. False, with a sentence on stderr,
// where one cannot be written, where two are one, or where one would replace a file that the command is to read.
bool outputs_can_be_written(const struct command *command, const struct options *options);
// The same of a file whose folders need not be there yet.
bool output_can_be_made(const char *path);

#endif
