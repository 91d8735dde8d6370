// SPDX-License-Identifier: MIT
// The sentence that heads every report of a run: the terminal, the JSON and the pages say it from here.
#ifndef REDUCTIO_VERDICT_SENTENCE_H
#define REDUCTIO_VERDICT_SENTENCE_H

#include "harness/result.h"

// How many variants break a claim or, of a selftest, how many planted faults were caught; from malloc.
char *verdict_sentence(const struct run_result *result);
// The cell in which a planted fault shows as what it is, by the detector that it names; NULL if there is none.
const struct cell_result *find_catch(const struct run_result *result, size_t variant);

#endif
