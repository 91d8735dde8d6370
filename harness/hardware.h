// SPDX-License-Identifier: MIT
// What the machine itself does, whatever sum runs on it: flushes subnormals or keeps them, what becomes of NaN payloads
// and of -0, how it rounds. Each is a case with a stated expectation, asked of the GPU and of the emulator, which must
// do the same or the bits that it gives say nothing of a GPU.
#ifndef REDUCTIO_HARDWARE_H
#define REDUCTIO_HARDWARE_H

#include "harness/catalog.h"
#include "harness/selection.h"

#include <signal.h>

// Asks every backend that is present and selected, and adds the answers to result->hardware. A failure of the harness
// itself ends the program with EXIT_HARNESS_FAILED.
void ask_hardware(struct catalog *catalog, const struct selection *selection, const volatile sig_atomic_t *interrupted,
                  struct run_result *result);
// Of the answers, those that are not as stated.
size_t count_surprises(const struct run_result *result);

#endif
