// SPDX-License-Identifier: MIT
// What a reader must know of the machine and the build to repeat a run. No host name, user name or home path.
#ifndef REDUCTIO_ENVIRONMENT_H
#define REDUCTIO_ENVIRONMENT_H

#include "harness/result.h"

// Appends "commit", "version", "compiler", "flags", "cpu", "system", "mpfr", ... to the record.
void record_environment(struct run_result *result);
// A word of a command line, from malloc: of an absolute path, which may hold a user's name, only the last part is kept,
// ".../results.json".
char *argument_without_folder(const char *argument);
// The command line, of such words.
void record_command_line(struct run_result *result, char *const *argv, size_t argc);
// Adds one line; the key becomes "prefix.key" where prefix is not empty. Another value of a key joins those before it:
// "a.so, ...; b.so, ...", as a record has each key once.
void add_environment(struct run_result *result, const char *prefix, const char *key, const char *value);

#endif
