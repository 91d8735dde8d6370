// SPDX-License-Identifier: MIT
// What the tests of reference/ share: seeded random numbers and shorthands for bits.
#ifndef REDUCTIO_TEST_SUPPORT_H
#define REDUCTIO_TEST_SUPPORT_H

#include "reference/exact_sum.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t test_seed = 20180611; // fixed; printed by each test that draws from it

// Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators" (SplitMix64).
static inline uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static inline uint64_t random_below(uint64_t *state, uint64_t limit) {
    return random_bits(state) % limit;
}

static inline uint64_t bits_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t bits_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A finite float with any sign and mantissa and an exponent field in [low, high].
static inline uint64_t random_float(enum float_type type, uint64_t *state, uint64_t low, uint64_t high) {
    const struct float_format *format = float_format(type);
    int stored = format->precision - 1;
    uint64_t bits = random_bits(state);
    uint64_t sign = bits & 1 ? format->sign_bit : 0;
    return sign | (low + random_below(state, high - low + 1)) << stored | bits >> (64 - stored);
}

#define assert_bits(type, got, expected)                                                                               \
    do {                                                                                                               \
        uint64_t got_ = (got), expected_ = (expected);                                                                 \
        ck_assert_msg(float_same(type, got_, expected_), "got %#llx, expected %#llx", (unsigned long long)got_,        \
                      (unsigned long long)expected_);                                                                  \
    } while (0)

// Runs the tests of one case and returns main's exit status.
static inline int run_case(TCase *tests) {
    Suite *suite = suite_create("reference");
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
