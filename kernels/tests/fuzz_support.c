// SPDX-License-Identifier: MIT
#include "kernels/tests/fuzz_support.h"

#include "reference/exact_sum.h"

#include <stdio.h>
#include <string.h>

uint64_t fuzz_draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t draw_below(uint64_t *state, uint64_t limit) {
    return fuzz_draw(state) % limit;
}

static uint64_t most_field(enum float_type type) {
    return (uint64_t)(2 * float_format(type)->max_exponent); // of finite floats
}

static int stored_bits(enum float_type type) {
    return float_format(type)->precision - 1;
}

uint64_t fuzz_float(enum float_type type, uint64_t *state, uint64_t low, uint64_t high) {
    uint64_t bits = fuzz_draw(state);
    uint64_t sign = bits & 1 ? float_format(type)->sign_bit : 0;
    uint64_t mantissa = bits >> (64 - stored_bits(type));
    if (bits & 6) { // three of four mantissas end in zeros, so that sums meet ties
        unsigned zeros = (unsigned)draw_below(state, (uint64_t)stored_bits(type) + 1);
        mantissa = mantissa >> zeros << zeros;
    }
    return sign | (low + draw_below(state, high - low + 1)) << stored_bits(type) | mantissa;
}

void fuzz_store(enum float_type type, void *x, size_t i, uint64_t bits) {
    if (type == FLOAT_F32) {
        uint32_t narrow = (uint32_t)bits;
        memcpy((char *)x + i * sizeof narrow, &narrow, sizeof narrow);
    } else {
        memcpy((char *)x + i * sizeof bits, &bits, sizeof bits);
    }
}

uint64_t fuzz_load(enum float_type type, const void *x, size_t i) {
    uint32_t narrow = 0;
    uint64_t bits = 0;
    if (type == FLOAT_F32) {
        memcpy(&narrow, (const char *)x + i * sizeof narrow, sizeof narrow);
        return narrow;
    }
    memcpy(&bits, (const char *)x + i * sizeof bits, sizeof bits);
    return bits;
}

static size_t fill_range(enum float_type type, uint64_t *state, void *x, uint64_t low, uint64_t high) {
    size_t n = 1 + draw_below(state, FUZZ_MOST);
    for (size_t i = 0; i < n; i++)
        fuzz_store(type, x, i, fuzz_float(type, state, low, high));
    return n;
}

// Exponents within a random stretch of the range.
static size_t fill_cluster(enum float_type type, uint64_t *state, void *x) {
    uint64_t width = draw_below(state, type == FLOAT_F32 ? 60 : 130);
    uint64_t low = draw_below(state, most_field(type) - width);
    return fill_range(type, state, x, low, low + width);
}

// A float, half its last place, and now and then a number far below that breaks the tie either way.
static size_t fill_halfway(enum float_type type, uint64_t *state, void *x) {
    uint64_t mantissa_bits = (uint64_t)stored_bits(type), sign = float_format(type)->sign_bit;
    uint64_t field = mantissa_bits + 2 + draw_below(state, most_field(type) - mantissa_bits - 1);
    uint64_t big = fuzz_float(type, state, field, field);
    big |= draw_below(state, 2) ? (UINT64_C(1) << mantissa_bits) - 1 : 0; // all ones: rounding up changes the exponent
    size_t n = 2;
    fuzz_store(type, x, 0, big);
    fuzz_store(type, x, 1, (field - mantissa_bits - 1) << mantissa_bits | (draw_below(state, 2) ? sign : 0));
    if (draw_below(state, 3))
        fuzz_store(type, x, n++, fuzz_float(type, state, 0, draw_below(state, field - mantissa_bits)));
    return n;
}

// Everything cancels but for one number.
static size_t fill_cancelling(enum float_type type, uint64_t *state, void *x) {
    size_t pairs = 1 + draw_below(state, FUZZ_MOST / 2 - 1), n = 2 * pairs;
    for (size_t i = 0; i < pairs; i++) {
        uint64_t bits = fuzz_float(type, state, 0, most_field(type));
        fuzz_store(type, x, i, bits);
        fuzz_store(type, x, pairs + i, bits ^ float_format(type)->sign_bit);
    }
    if (draw_below(state, 4))
        fuzz_store(type, x, n++, fuzz_float(type, state, 0, most_field(type)));
    for (size_t i = n - 1; i > 0; i--) {
        size_t j = draw_below(state, i + 1);
        uint64_t swapped = fuzz_load(type, x, i);
        fuzz_store(type, x, i, fuzz_load(type, x, j));
        fuzz_store(type, x, j, swapped);
    }
    return n;
}

static size_t fill_specials(enum float_type type, uint64_t *state, void *x) {
    uint64_t sign = float_format(type)->sign_bit, infinity = (most_field(type) + 1) << stored_bits(type);
    const uint64_t values[] = {0, sign, infinity, infinity | sign, infinity | 1, 1, sign | 1};
    size_t kinds = 1 + draw_below(state, sizeof values / sizeof *values);
    size_t n = 1 + draw_below(state, 6);
    for (size_t i = 0; i < n; i++)
        fuzz_store(type, x, i, values[(kinds + draw_below(state, kinds)) % (sizeof values / sizeof *values)]);
    return n;
}

static size_t fill_minus_zeros(enum float_type type, uint64_t *state, void *x) {
    size_t n = 1 + draw_below(state, 20);
    for (size_t i = 0; i < n; i++)
        fuzz_store(type, x, i, float_format(type)->sign_bit);
    if (draw_below(state, 2))
        fuzz_store(type, x, draw_below(state, n), 0);
    return n;
}

size_t fuzz_array(enum float_type type, uint64_t *state, void *x) {
    uint64_t most = most_field(type);
    switch (draw_below(state, 8)) {
    case 0:
        return fill_range(type, state, x, 0, most);
    case 1:
        return fill_halfway(type, state, x);
    case 2:
        return fill_cancelling(type, state, x);
    case 3:
        return fill_specials(type, state, x);
    case 4:
        return fill_range(type, state, x, 0, 1 + draw_below(state, 4)); // subnormal, or near it
    case 5:
        return fill_range(type, state, x, most - draw_below(state, 60), most); // sums that overflow, or nearly
    case 6:
        return draw_below(state, 8) ? fill_cluster(type, state, x) : fill_minus_zeros(type, state, x);
    default:
        return fill_cluster(type, state, x);
    }
}

uint64_t fuzz_truth(enum float_type type, const void *x, size_t n) {
    struct exact_sum sum;
    exact_sum(&sum, type, x, n);
    uint64_t bits = exact_sum_round(&sum, type);
    exact_sum_clear(&sum);
    return bits;
}

bool fuzz_is_right(enum float_type type, const void *x, size_t n, uint64_t got) {
    uint64_t truth = fuzz_truth(type, x, n);
    if (float_same(type, got, truth))
        return true;
    fprintf(stderr, "%s n = %zu: got %#llx, right is %#llx\n", type == FLOAT_F32 ? "f32" : "f64", n,
            (unsigned long long)got, (unsigned long long)truth);
    for (size_t i = 0; i < n && i < FUZZ_MOST; i++)
        fprintf(stderr, "    %#llx\n", (unsigned long long)fuzz_load(type, x, i));
    return false;
}
