// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP. From end_on_interrupts on, each ends the program with one sentence and EXIT_INTERRUPTED;
// while somebody looks at the flag, the first one sets it instead, and what was done is kept. A second one always ends
// the program at once.
#ifndef REDUCTIO_INTERRUPT_H
#define REDUCTIO_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

enum { EXIT_INTERRUPTED = 130 }; // valid files were written

// SIGHUP stays ignored where it is (nohup).
void end_on_interrupts(void);
// From now on the flag that is returned is looked at.
const volatile sig_atomic_t *catch_interrupts(void);

// Around a stretch of work that looks at was_interrupted and cleans up after itself. The value returned is for the end.
bool begin_watch(void);
void end_watch(bool before);
bool was_interrupted(void);
// Ends the program as an interrupt does, if there was one: where nothing has been done yet that could be kept.
void end_if_interrupted(void);

#endif
