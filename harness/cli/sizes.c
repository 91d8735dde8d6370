// SPDX-License-Identifier: MIT
#include "harness/cli/sizes.h"
#include "harness/support.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_TEXT = 1024 };

static bool parse_power(const char *exponent, uint64_t base, uint64_t *n) {
    char *end;
    unsigned long long times = strtoull(exponent, &end, 10);
    if (*exponent < '0' || *exponent > '9' || *end || times > 63)
        return false;
    *n = 1;
    for (unsigned long long i = 0; i < times; i++)
        if (__builtin_mul_overflow(*n, base, n))
            return false;
    return true;
}

// Every whole number below 2^53 is exact in a double.
static bool parse_decimal(const char *text, uint64_t *n) {
    char *end;
    double value = strtod(text, &end);
    if (*end || !(value < 0x1p53) || value != floor(value))
        return false;
    *n = (uint64_t)value;
    return true;
}

bool size_parse(const char *text, uint64_t *n) {
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    errno = 0;
    *n = strtoull(text, &end, hex ? 16 : 10);
    if (*text < '0' || *text > '9' || errno)
        return false;
    bool good = !*end || (*end == '^' ? parse_power(end + 1, *n, n) : !hex && parse_decimal(text, n));
    return good && *n > 0;
}

bool sizes_parse(struct sizes *sizes, const char *option, const char *text) {
    char copy[SIZES_TEXT], *rest = NULL;
    bool good = snprintf(copy, sizeof copy, "%s", text) < SIZES_TEXT;
    *sizes = (struct sizes){0};
    for (char *word = strtok_r(copy, ",", &rest); word && good; word = strtok_r(NULL, ",", &rest))
        good = sizes->count < MOST_SIZES && size_parse(word, &sizes->n[sizes->count++]);
    if (good && sizes->count)
        return true;
    say_error("--%s %s: up to %d sizes such as 2^10,1e6,5000 are wanted.", option, text, MOST_SIZES);
    return false;
}
