// SPDX-License-Identifier: MIT
// What a reader must know of the machine and the build to repeat a run. No host name, user name or home path.
#ifndef REDUCTIO_ENVIRONMENT_H
#define REDUCTIO_ENVIRONMENT_H

#include "harness/result.h"

// Appends "commit", "version", "compiler", "flags", "cpu", "system", "mpfr", ... to the record.
void record_environment(struct run_result *result);
// "0.1.0"
const char *build_version(void);
// A word of a command line, from malloc. Of an absolute path, which may hold a user's name, only what lies below the
// working directory is kept, "build/results.json", or of one that lies elsewhere the last part, ".../results.json".
char *argument_without_folder(const char *argument);
// The same for every path in a command of a shell: "cd .../sums && python3 .../mine.py".
char *command_without_folders(const char *command);
// The command line, of such words.
void record_command_line(struct run_result *result, char *const *argv, size_t argc);
// Adds one line; the key becomes "prefix.key" where prefix is not empty. Another value of a key joins those before it:
// "a.so, ...; b.so, ...", as a record has each key once.
void add_environment(struct run_result *result, const char *prefix, const char *key, const char *value);

#endif
