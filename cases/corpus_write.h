// SPDX-License-Identifier: MIT
// An array as a corpus file.
#ifndef REDUCTIO_CORPUS_WRITE_H
#define REDUCTIO_CORPUS_WRITE_H

#include "reference/float_type.h"

#include <stdio.h>

struct corpus_entry {
    const char *source, *shows; // one line each
    enum float_type type;
    const void *x;
    uint64_t n;
};

// Writes the file, equal neighbours folded; its sum is added term by term in a number that holds every partial sum of
// f64 exactly. False when the stream fails.
bool corpus_write(const struct corpus_entry *entry, FILE *out);
// Whether the file, read back, gives the array's bits: NaNs with payloads do not come through. False with one sentence
// in message (CORPUS_MESSAGE bytes).
bool corpus_holds(const struct corpus_entry *entry, const char *directory, const char *file_name, char *message);

#endif
