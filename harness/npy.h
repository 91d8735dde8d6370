// SPDX-License-Identifier: MIT
// Arrays of numbers in NumPy's file format (.npy, versions 1 to 3), read without trust: a header is parsed as what the
// format allows and as nothing else, and no size is believed before the bytes are there.
// Format: numpy/lib/format.py, "NEP 1 — A Simple File Format for NumPy Arrays".
#ifndef REDUCTIO_NPY_H
#define REDUCTIO_NPY_H

#include "reference/float_type.h"

#include <stdio.h>

enum { NPY_MESSAGE = 256, NPY_MOST_DIMENSIONS = 64 }; // as many as NumPy 2 has

struct npy_array {
    enum float_type type;
    void *x;    // n elements in this machine's byte order, as they lie in the file
    uint64_t n; // product of the dimensions; 1 for none
    unsigned dimensions;
    uint64_t shape[NPY_MOST_DIMENSIONS];
    bool fortran_order;
};

// Reads a whole .npy file from a stream, or, where raw is not NULL, plain numbers of that type in this machine's byte
// order up to the end. The elements keep the order of the file, which for Fortran order is not that of numpy's
// iteration. False with one sentence, without a name, in message (NPY_MESSAGE bytes).
bool npy_read(struct npy_array *array, FILE *in, const enum float_type *raw, char *message);
// The same from a path; "-" is standard input. The sentence names the file.
bool npy_load(struct npy_array *array, const char *path, const enum float_type *raw, char *message);
void npy_free(struct npy_array *array);

// NumPy's name of the type without the byte order: "f4", "f8", "f2". It has none for bf16: ml_dtypes, which adds the
// type, stores such arrays as two bytes of no type, "V2", and so they are read and written here.
const char *npy_type_code(enum float_type type);

// Writes n elements as a one-dimensional array, version 1.0. False when the stream fails.
bool npy_write(FILE *out, enum float_type type, const void *x, uint64_t n);

#endif
