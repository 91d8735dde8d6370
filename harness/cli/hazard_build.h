// SPDX-License-Identifier: MIT
// The sanitizer builds of the emulator are made when they are first wanted, where the program still lies in the build
// folder that it came from.
#ifndef REDUCTIO_HAZARD_BUILD_H
#define REDUCTIO_HAZARD_BUILD_H

#include "harness/catalog.h"

enum hazard_build {
    HAZARDS_AS_THEY_ARE, // nothing was built
    HAZARDS_BUILT,       // here or by another process: the catalogue is to be read again
    HAZARDS_NOT_BUILT    // a sentence on stderr says why
};

// Builds the workers that are selected, configured and not there; processes that want the same wait for each other. An
// installed program, one whose workers lie elsewhere (REDUCTIO_WORKERS) and a compiler without sanitizers build
// nothing.
enum hazard_build build_missing_hazards(const struct catalog *catalog, const struct selection *selection);

#endif
