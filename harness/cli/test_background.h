// SPDX-License-Identifier: MIT
// Test support: the program in the background, what is seen of it from outside, and workers of the test's own.
#ifndef REDUCTIO_TEST_BACKGROUND_H
#define REDUCTIO_TEST_BACKGROUND_H

#include "harness/cli/test_program.h"

#include <sys/types.h>

enum { INTERRUPTED = 130, HARNESS_FAILED = 99, LINE = 2048 };

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

// Starts `ENVIRONMENT reductio ARGUMENTS` in the scratch directory, with its output in out.txt and err.txt.
pid_t start(const char *environment, const char *arguments);
int end_of(pid_t pid); // waits for it; the exit code
void pause_a_moment(void);
void await_file(const char *name);
void await_words(const char *file, const char *words);
// A worker of the program at work. The test fails where none is started.
pid_t await_worker(pid_t parent);
pid_t pid_in(const char *file);
// Killed by somebody else's SIGKILL, it goes in a moment.
void await_end_of_stranger(pid_t pid);
// Makes `workers`, a folder of workers in which `name` is a script; NULL: is not there.
void make_workers(const char *name, const char *script);

#endif
