// SPDX-License-Identifier: MIT
// The sentence that heads every report of a run: the terminal, the JSON and the pages say it from here.
#ifndef REDUCTIO_VERDICT_SENTENCE_H
#define REDUCTIO_VERDICT_SENTENCE_H

#include "harness/fault_outcome.h"
#include "harness/result.h"

// How many variants break a claim or, of a selftest, how many planted faults came to what; from malloc.
char *verdict_sentence(const struct run_result *result);
// The variants of a selftest as rows of faults, settled and in the same order; from malloc.
struct fault_row *fault_rows_of(const struct run_result *result);

#endif
