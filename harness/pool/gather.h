// SPDX-License-Identifier: MIT
// Runs other programs to their ends, several side by side, and gathers what they print.
#ifndef REDUCTIO_GATHER_H
#define REDUCTIO_GATHER_H

#include "harness/pool/patience.h"

struct text_buffer {
    char *bytes; // from malloc, ends with a 0 that is not counted
    size_t count, limit;
};

struct gathered {
    struct child child;
    struct patience patience;
    struct text_buffer output, errors;
    bool in_time; // it ended by itself, with less output than the limit
    int status;   // as of wait
};

// Starts argv[0] with limits for what it may print, 0 for errors: they go with the output. It is to speak English
// (LC_ALL=C), since what it says is read. One sentence in message (CHILD_MESSAGE bytes) unless CHILD_STARTED. Either
// way gather_free is due.
enum child_start gather_start(struct gathered *program, char *const argv[], size_t output_limit, size_t error_limit,
                              char *message);
// Reads all that were started to their ends; those that are not done within `seconds` of the time that they had are
// ended, and so are all at an interrupt (interrupt.h), which is for the caller to look at.
void gather_all(struct gathered *programs, size_t count, double seconds);
bool gathered_well(const struct gathered *program); // it exited with 0, in time
void gather_free(struct gathered *program);

#endif
