// SPDX-License-Identifier: MIT
// Work that falls into independent parts, spread over processors.
#ifndef REDUCTIO_PARALLEL_H
#define REDUCTIO_PARALLEL_H

#include <stddef.h>

// Processors that this process may use; at least 1.
unsigned usable_processors(void);

// Calls work(context, part) once for each part in 0..parts-1, from at most `threads` threads (0: as many as there are
// processors to use), this one among them, and returns when all are done. Parts are taken in order, each by whoever is
// free: put the longest first. Where the system gives fewer threads, those it gives do all.
void run_in_parallel(unsigned threads, size_t parts, void (*work)(void *context, size_t part), void *context);

#endif
