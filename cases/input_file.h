// SPDX-License-Identifier: MIT
// Files that are to be read to their end: what has none, or may wait for ever for one, is refused. All inputs of the
// project are opened with this, the harness' own as well; it lies here since the corpus is read with it, and what lies
// in cases/ knows nothing of the harness.
#ifndef REDUCTIO_INPUT_FILE_H
#define REDUCTIO_INPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

enum { INPUT_FAULT = 128 };

// Whether `path` leads to a regular file, to a pipe without a name (/dev/stdin, a shell's <(...)), which somebody holds
// the other end of, or to the null device, which is empty. Otherwise false with what it is instead, without its name
// and without a full stop: "it is a folder".
bool input_file_check(const char *path, char fault[INPUT_FAULT]);
// Opens one that is. NULL with the same, or with why it cannot be opened.
FILE *input_file_open(const char *path, char fault[INPUT_FAULT]);

#endif
