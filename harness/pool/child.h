// SPDX-License-Identifier: MIT
// A child process by fork and exec, in a process group of its own, that dies with the thread that started it and
// inherits the named descriptors and no other.
#ifndef REDUCTIO_CHILD_H
#define REDUCTIO_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CHILD_MESSAGE = 512 };

struct child {
    pid_t pid;  // 0: none
    int output; // read end of its standard output, non-blocking; -1: closed
    int errors; // of its standard error; -1: closed, or the same pipe as its standard output
};

enum child_start {
    CHILD_STARTED,
    CHILD_NOT_EXECUTABLE, // exec failed: the file's fault
    CHILD_NOT_POSSIBLE    // no pipes or no process: this process or machine is out of something
};

// `environment`: NULL for this process's own. `inherit` lists descriptors that the child keeps under the same numbers.
// Standard input is /dev/null. One sentence in message (CHILD_MESSAGE bytes) unless CHILD_STARTED.
enum child_start child_start(struct child *child, char *const argv[], char *const environment[], const int *inherit,
                             size_t inherit_count, bool errors_apart, char *message);

// True once the process has ended; it stays to be reaped, so that its group's number is not given to another.
bool child_has_ended(const struct child *child);
// Waits up to `seconds` for it to end by itself.
bool child_await_end(const struct child *child, double seconds);
// Kills whatever is left of the group, reaps the child, closes its pipes. Returns the wait status.
int child_end(struct child *child);
// By a signal that no fault of its own raises: somebody's kill, a limit of the system, or that memory ran out.
bool child_was_ended_from_outside(int status);
bool signal_is_from_outside(int number);
// "ended with exit code 3", "was killed by SIGSEGV".
void child_describe_status(int status, char *text, size_t size);

double monotonic_seconds(void);

#endif
