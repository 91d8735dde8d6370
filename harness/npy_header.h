// SPDX-License-Identifier: MIT
// The dictionary at the head of a .npy file. Internal to npy.c.
#ifndef REDUCTIO_NPY_HEADER_H
#define REDUCTIO_NPY_HEADER_H

#include "harness/npy.h"

struct npy_header {
    enum float_type type;
    bool swapped; // the other byte order than this machine's
    bool fortran_order;
    unsigned dimensions;
    uint64_t shape[NPY_MOST_DIMENSIONS];
};

// Parses the Python literal of a dictionary with exactly the keys descr, fortran_order and shape, in any order.
bool npy_header_parse(struct npy_header *header, const char *text, char *message);
// Puts a sentence into message; returns false.
bool npy_say(char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
