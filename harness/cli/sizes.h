// SPDX-License-Identifier: MIT
// A list of sizes on the command line: "2^10,2^12,1000000".
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

// False with a sentence on stderr that names the option.
bool sizes_parse(struct sizes *sizes, const char *option, const char *text);

#endif
