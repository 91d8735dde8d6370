// SPDX-License-Identifier: MIT
// The memory half of a backend (backend_place and its kin, backend.h) for variants that are handed addresses of the
// worker itself: those of host, exec and simt.
#ifndef REDUCTIO_HOST_MEMORY_H
#define REDUCTIO_HOST_MEMORY_H

#include "harness/backend.h"
#include "harness/guarded.h"

// A role as it was placed last, and its first byte.
const struct guarded *host_buffer(enum backend_role role);
unsigned char *host_memory(enum backend_role role);
uint64_t host_salt(enum backend_role role); // of its poison
// The clock that calls are timed by.
uint64_t host_nanoseconds(void);

// guarded_explain, guarded_trace and guarded_trace_slack for the first role that they know something of. The first is
// async-signal-safe.
bool host_explain(const void *address, char *text, size_t size);
bool host_trace(uint64_t bits, size_t bytes, char *text, size_t size);
bool host_trace_slack(uint64_t bits, size_t bytes, char *text, size_t size);

#endif
