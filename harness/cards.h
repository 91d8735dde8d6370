// SPDX-License-Identifier: MIT
// Asks a worker executable what it holds and what it runs on. Each question is a process of its own with a time limit.
#ifndef REDUCTIO_CARDS_H
#define REDUCTIO_CARDS_H

#include "harness/protocol.h"

enum cards_answer {
    CARDS_FINE,
    CARDS_NO_DEVICE,  // the executable works, but this machine has nothing to run it on; the message says what is
                      // missing
    CARDS_NO_PROGRAM, // what it was to start is not there, or may not be executed
    CARDS_LATE,       // it did not answer in time
    CARDS_LOST,       // it could not be asked, or was ended from outside or for want of memory: not its own fault
    CARDS_FAILED      // it ended badly or spoke another version; the message says which
};

struct environment_line {
    char *key, *value;
};

// An executable, what it is told to load (NULL: nothing), and how sentences begin that speak of what was loaded (NULL:
// with the executable's path and the question).
struct worker_command {
    const char *path, *load, *subject;
};

// message: BACKEND_MESSAGE bytes, one sentence unless the answer is CARDS_FINE. *cards comes from malloc.
enum cards_answer cards_load(const struct worker_command *worker, double limit_seconds, struct variant_card **cards,
                             size_t *count, char *message);
// Free with environment_free.
enum cards_answer environment_load(const struct worker_command *worker, int device, double limit_seconds,
                                   struct environment_line **lines, size_t *count, char *message);
// Both at once, for what takes long to load: a worker's variants and its environment, of one process.
enum cards_answer description_load(const struct worker_command *worker, int device, double limit_seconds,
                                   struct variant_card **cards, size_t *card_count, struct environment_line **lines,
                                   size_t *line_count, char *message);
void environment_free(struct environment_line *lines, size_t count);

#endif
