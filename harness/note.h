// SPDX-License-Identifier: MIT
// What a run tells its reader beside its cells.
#ifndef REDUCTIO_NOTE_H
#define REDUCTIO_NOTE_H

struct run_result;

// A sentence for the reader, from malloc; what has been said is not said again.
void add_note(struct run_result *result, char *sentence);

#endif
