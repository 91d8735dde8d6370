// SPDX-License-Identifier: MIT
#include "harness/cli/sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_TEXT = 1024 };

// "2^20" or "1048576".
static bool parse_size(const char *word, uint64_t *n) {
    char *end;
    uint64_t base = strtoull(word, &end, 10), exponent = 1;
    if (*word < '0' || *word > '9')
        return false;
    if (*end == '^') {
        const char *power = end + 1;
        exponent = strtoull(power, &end, 10);
        if (*power < '0' || *power > '9' || exponent > 63)
            return false;
    }
    *n = 1;
    for (uint64_t i = 0; i < exponent; i++)
        if (__builtin_mul_overflow(*n, base, n))
            return false;
    return !*end && *n > 0;
}

bool sizes_parse(struct sizes *sizes, const char *option, const char *text) {
    char copy[SIZES_TEXT], *rest = NULL;
    bool good = snprintf(copy, sizeof copy, "%s", text) < SIZES_TEXT;
    *sizes = (struct sizes){0};
    for (char *word = strtok_r(copy, ",", &rest); word && good; word = strtok_r(NULL, ",", &rest))
        good = sizes->count < MOST_SIZES && parse_size(word, &sizes->n[sizes->count++]);
    if (good && sizes->count)
        return true;
    fprintf(stderr, "reductio: --%s %s: up to %d sizes such as 2^10,2^12,1000000 are wanted.\n", option, text,
            MOST_SIZES);
    return false;
}
