// SPDX-License-Identifier: MIT
// How long a child is waited for. A limit is on the time that the child had, and not on the time that passed: a machine
// that stalls, or is busy with others, must not make a kernel look as if it hung.
#ifndef REDUCTIO_PATIENCE_H
#define REDUCTIO_PATIENCE_H

#include "harness/pool/child.h"

struct patience {
    double limit;  // seconds
    double used;   // of them: CPU time while a thread of the child wants to run, all time while all of them sleep
    double stuck;  // seconds since it last got the processor, while it wanted it
    double looked; // when the child was last looked at, monotonic
    double cpu;    // seconds that its processes had had by then; negative: not known yet
};

// A child that neither sleeps nor gets to run at all (stopped, or waiting for a page) is given up all the same after so
// many times its limit on end.
enum { PATIENCE_MOST = 10 };

void patience_begin(struct patience *patience, double limit_seconds);
// Looks at the child, unless it did a moment ago; true once its time is over.
bool patience_is_over(struct patience *patience, const struct child *child);
// Of one whose time is over: it had all of its limit, and was not merely kept from running.
bool patience_was_had(const struct patience *patience);
// Seconds after which it should be asked again, at most a quarter of one.
double patience_pause(const struct patience *patience);

#endif
