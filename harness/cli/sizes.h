// SPDX-License-Identifier: MIT
// Sizes on the command line, one by one and in lists: "2^10,1e6,5000".
#ifndef REDUCTIO_SIZES_H
#define REDUCTIO_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_SIZES = 64 };

struct sizes {
    uint64_t n[MOST_SIZES];
    size_t count;
};

// A whole number from 1 on, as 16384, 2^14, 1e3, 1.5e3 or 0x4000; false for anything else.
#define SIZE_SPELLINGS "1000, 1e3 or 2^10"
bool size_parse(const char *text, uint64_t *n);
// False with a sentence on stderr that names the option.
bool sizes_parse(struct sizes *sizes, const char *option, const char *text);

#endif
