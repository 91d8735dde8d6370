// SPDX-License-Identifier: MIT
// The simple way to sum: a program that is started anew for each array, is given the path of a .npy file where its
// command has {}, and prints one number.
#ifndef REDUCTIO_EXEC_PATH_PROGRAM_H
#define REDUCTIO_EXEC_PATH_PROGRAM_H

#include "harness/exec/hello.h"
#include "reference/float_type.h"

bool path_program_is_one(const char *command);
// Its rows: one of each type, named after the program, without claims. With `tried`, each is tried on an array of three
// numbers, and absent with the reason where the sum is not theirs. Where none gives it, the outcome of the first (and
// WORK_REFUSED for another sum), whether there is such a program at all, and one sentence in message; WORK_DONE
// otherwise.
enum work_outcome path_program_rows(struct hello *hello, const char *command, bool tried, bool *missing, char *message);
// One sum. WORK_DONE, WORK_REFUSED (it ended with a code of failure, or printed what is no number) or WORK_CRASHED, the
// last two with one sentence in message (BACKEND_MESSAGE bytes). *missing: there is no such program.
enum work_outcome path_program_sum(const char *command, enum float_type in, enum float_type out, const void *x,
                                   uint64_t n, uint64_t *bits, bool *missing, char *message);

#endif
