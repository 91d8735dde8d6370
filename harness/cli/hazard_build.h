// SPDX-License-Identifier: MIT
// The sanitizer builds of the emulator are made when they are first wanted, where the program still lies beside the
// build folder that it came from.
#ifndef REDUCTIO_HAZARD_BUILD_H
#define REDUCTIO_HAZARD_BUILD_H

#include "harness/catalog.h"

// Builds the workers that are configured and not there. True if one was built: the catalogue is to be read again. An
// installed program, one whose workers lie elsewhere (REDUCTIO_WORKERS) and a compiler without sanitizers build
// nothing.
bool build_missing_hazards(const struct catalog *catalog);

#endif
