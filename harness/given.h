// SPDX-License-Identifier: MIT
// An array that the user brought, as a case like any other: its cells are named file/NAME and can be planned, run and
// judged, but only while the array is there.
#ifndef REDUCTIO_GIVEN_H
#define REDUCTIO_GIVEN_H

#include "cases/cases.h"
#include "harness/npy.h"

enum { GIVEN_NAME = 64 };

struct given_array {
    struct npy_array array;
    struct case_values values; // points into the struct: it must stay where it is
    char name[GIVEN_NAME];     // "file/NAME"
};

// Loads a .npy file, or plain numbers of type *raw; "-" is standard input. False with one sentence in message
// (NPY_MESSAGE bytes).
bool given_load(struct given_array *given, const char *path, const enum float_type *raw, char *message);
struct dataset_key given_key(const struct given_array *given);
void given_free(struct given_array *given);

#endif
