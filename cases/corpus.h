// SPDX-License-Identifier: MIT
// Inputs from public reports, one text file each; corpus/README.md has the grammar.
#ifndef REDUCTIO_CORPUS_H
#define REDUCTIO_CORPUS_H

#include "cases/cases.h"

struct corpus {
    struct case_values *values; // named "corpus/FILE"
    size_t count;
};

enum { CORPUS_MESSAGE = 512 };

// Reads every *.txt of the directory, in the order of their names. On failure returns false, leaves *corpus empty and
// writes one sentence, "FILE:LINE: what is wrong" where a line is to blame, to `message` (CORPUS_MESSAGE bytes).
bool corpus_load(struct corpus *corpus, const char *directory, char *message);
void corpus_free(struct corpus *corpus);

// One file as a case, good as long as the file is.
struct corpus_file;
struct case_values corpus_file_values(const struct corpus_file *file);

// The exact sum as the file states it, a number that binary floating point holds exactly, or "inf", "-inf" or "nan".
const char *corpus_stated_sum(const struct case_values *values);

#endif
