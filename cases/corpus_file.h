// SPDX-License-Identifier: MIT
// One corpus file, read and checked.
#ifndef REDUCTIO_CORPUS_FILE_H
#define REDUCTIO_CORPUS_FILE_H

#include "reference/float_type.h"

enum run_kind { RUN_REPEAT, RUN_RAMP, RUN_LINSPACE };

// `count` values: `first` over and over; first, first + second, first + 2·second, ...; or `count` evenly spaced from
// `first` to `second`.
struct corpus_run {
    enum run_kind kind;
    double first, second;
    uint64_t count;
};

struct corpus_file {
    char *name; // "corpus/kahan_last_rounding"
    char *source, *shows, *sum;
    bool has_type[FLOAT_TYPES]; // by enum float_type
    uint64_t n, stated_n;       // stated: 0 where the file does not say
    unsigned sum_line;
    struct corpus_run *runs;
    size_t run_count;
};

// NULL on failure, with one sentence in `message` (CORPUS_MESSAGE bytes).
struct corpus_file *corpus_file_read(const char *directory, const char *file_name, char *message);
void corpus_file_free(struct corpus_file *file);

#endif
