// SPDX-License-Identifier: MIT
#include "cases/orders.h"

#include "cases/cases.h"
#include "cases/families.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char shuffled[] = "shuffled";

// "shuffled" and a number without leading zeros, so that one order has one name.
static bool is_shuffle(const char *order) {
    size_t length = strlen(shuffled);
    if (strncmp(order, shuffled, length) != 0 || order[length] < '1' || order[length] > '9')
        return false;
    const char *digit = order + length;
    while (isdigit((unsigned char)*digit))
        digit++;
    return *digit == 0 && strlen(order) < sizeof((struct dataset_key *)0)->order;
}

bool case_order_known(const char *order) {
    static const char *const named[] = {"given", "reversed", "ascending", "descending"};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(order, named[i]) == 0)
            return true;
    return is_shuffle(order);
}

static void swap_elements(enum float_type type, void *x, uint64_t i, uint64_t j) {
    uint64_t bits = float_load(type, x, i);
    float_store(type, x, i, float_load(type, x, j));
    float_store(type, x, j, bits);
}

void shuffle_elements(enum float_type type, void *x, uint64_t n, struct prng *prng) {
    for (uint64_t i = n; i > 1; i--)
        swap_elements(type, x, i - 1, prng_below(prng, i));
}

static void reverse_elements(enum float_type type, void *x, uint64_t n) {
    for (uint64_t i = 0; i < n / 2; i++)
        swap_elements(type, x, i, n - 1 - i);
}

// The bits of |x| are ordered as |x| is. NaN takes the largest key either way and so goes last.
static uint64_t sort_key(enum float_type type, uint64_t bits, bool descending) {
    const struct float_format *format = float_format(type);
    if (float_is_nan(type, bits))
        return format->sign_bit;
    uint64_t magnitude = bits & (format->sign_bit - 1);
    return descending ? format->infinity - magnitude : magnitude;
}

// One pass of a least-significant-digit radix sort: stable, digit = 8 bits of the key.
static void sort_by_digit(enum float_type type, const void *from, void *to, uint64_t n, int shift, bool descending) {
    uint64_t place[257] = {0};
    for (uint64_t i = 0; i < n; i++)
        place[(sort_key(type, float_load(type, from, i), descending) >> shift & 255) + 1]++;
    for (int digit = 0; digit < 256; digit++)
        place[digit + 1] += place[digit];
    for (uint64_t i = 0; i < n; i++) {
        uint64_t bits = float_load(type, from, i);
        float_store(type, to, place[sort_key(type, bits, descending) >> shift & 255]++, bits);
    }
}

// All formats have an even number of bytes, so that the last pass writes x itself.
static bool sort_by_magnitude(enum float_type type, void *x, uint64_t n, bool descending) {
    size_t size = float_format(type)->size;
    void *other = malloc(n ? n * size : 1);
    if (!other)
        return false;
    for (int shift = 0; shift < 8 * (int)size; shift += 16) {
        sort_by_digit(type, x, other, n, shift, descending);
        sort_by_digit(type, other, x, n, shift + 8, descending);
    }
    free(other);
    return true;
}

bool apply_order(const char *order, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    if (strcmp(order, "reversed") == 0)
        reverse_elements(type, x, n);
    else if (strcmp(order, "ascending") == 0 || strcmp(order, "descending") == 0)
        return sort_by_magnitude(type, x, n, order[0] == 'd');
    else if (is_shuffle(order)) {
        struct prng prng = prng_seeded(seed);
        shuffle_elements(type, x, n, &prng);
    }
    return true;
}
