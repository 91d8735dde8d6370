// SPDX-License-Identifier: MIT
// The memory half of a backend (backend_place and its kin, backend.h) for variants that are handed addresses of the
// worker itself.
#ifndef REDUCTIO_HOST_MEMORY_H
#define REDUCTIO_HOST_MEMORY_H

#include "harness/backend.h"

// Where a role was placed last.
unsigned char *host_memory(enum backend_role role);
// The clock that calls are timed by.
uint64_t host_nanoseconds(void);

#endif
