// SPDX-License-Identifier: MIT
// Progress on stderr: a bar with the time left on a terminal, a plain line now and then elsewhere.
#ifndef REDUCTIO_PROGRESS_H
#define REDUCTIO_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    size_t total, done;
    double started, shown; // seconds of the monotonic clock
    bool quiet, terminal;
};

void progress_begin(struct progress *progress, size_t total, bool quiet);
void progress_step(struct progress *progress);
void progress_end(struct progress *progress);

#endif
