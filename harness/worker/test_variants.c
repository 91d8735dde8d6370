// SPDX-License-Identifier: MIT
// The register of the worker's tests: one right sum in every type, and sums that go wrong in one way each.
#include "harness/backend.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct reductio_variant reductio_test_variant_right_f32_host, reductio_test_variant_right_f64_host,
    reductio_test_variant_right_f32_f64_host;

enum { SLEEP_MICROSECONDS = 100 };

#define SUM(name)                                                                                                      \
    static int name(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape, void *stream)
#define UNUSED (void)in, (void)n, (void)out, (void)workspace, (void)shape, (void)stream

// Sums with element `special` counted `times` times.
static void sum_with(const void *in, size_t n, void *out, size_t special, int times) {
    const float *x = in;
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < (i == special ? times : 1); k++)
            sum += x[i];
    memcpy(out, &sum, sizeof sum);
}

SUM(drops_element) {
    UNUSED;
    sum_with(in, n, out, 30, 0);
    return 0;
}

SUM(doubles_element) {
    UNUSED;
    sum_with(in, n, out, 17, 2);
    return 0;
}

// Reads like "17 lost, 18 doubled" if a carry is taken for a digit.
SUM(quadruples_element) {
    UNUSED;
    sum_with(in, n, out, 17, 4);
    return 0;
}

// 35 is the last of the third group of twelve: its fourth copy leaves the group's digits.
SUM(quadruples_last_of_group) {
    UNUSED;
    sum_with(in, n, out, 35, 4);
    return 0;
}

// If 17 is the last element, its copies read as "once" and one beyond the array.
SUM(quintuples_element) {
    UNUSED;
    sum_with(in, n, out, 17, 5);
    return 0;
}

SUM(counts_too_often) {
    UNUSED;
    sum_with(in, n, out, 17, 300);
    return 0;
}

SUM(gives_nan) {
    UNUSED;
    *(float *)out = NAN;
    return 0;
}

SUM(gives_minus) {
    UNUSED;
    *(float *)out = -1;
    return 0;
}

SUM(gives_half) {
    UNUSED;
    *(float *)out = 0.5F;
    return 0;
}

SUM(never_writes) {
    UNUSED;
    return 0;
}

SUM(writes_input) {
    UNUSED;
    sum_with(in, n, out, 0, 1);
    if (n)
        ((float *)in)[n / 2] = 7;
    return 0;
}

SUM(reads_just_past) {
    UNUSED;
    *(float *)out = ((const volatile float *)in)[n];
    return 0;
}

SUM(reads_before) {
    UNUSED;
    *(float *)out = *((const volatile float *)in - 4096);
    return 0;
}

SUM(writes_past_workspace) {
    UNUSED;
    sum_with(in, n, out, 0, 1);
    memset((char *)workspace + 40, 1, 4);
    return 0;
}

SUM(writes_before_output) {
    UNUSED;
    sum_with(in, n, out, 0, 1);
    ((float *)out)[-1] = 1;
    return 0;
}

SUM(wild_address) {
    UNUSED;
    const volatile float *volatile nowhere = (const volatile float *)16; // volatile: the compiler warns otherwise
    *(float *)out = *nowhere;
    return 0;
}

SUM(aborts) {
    UNUSED;
    abort();
}

SUM(exits) {
    UNUSED;
    exit(3);
}

// Not for the sanitizer to catch before the machine does.
__attribute__((no_sanitize("undefined"))) SUM(divides) {
    UNUSED;
    volatile int zero = 0;
    *(float *)out = (float)(7 / zero);
    return 0;
}

static int dig(volatile char *above) {
    volatile char frame[4096];
    frame[0] = above ? above[0] : 1;
    return frame[0] ? dig(frame) + frame[0] : 0;
}

SUM(overflows_stack) {
    UNUSED;
    *(float *)out = (float)dig(NULL);
    return 0;
}

SUM(hangs) {
    UNUSED;
    while (pause() != 0) // it always gives -1
        continue;
    return 0;
}

// How many elements the input starts past a 256-byte boundary.
SUM(tells_place) {
    UNUSED;
    *(float *)out = (float)((uintptr_t)in % 256 / sizeof(float));
    return 0;
}

// How many elements the input starts past that of the first call of the process.
SUM(tells_distance) {
    static const char *first = NULL;
    UNUSED;
    if (!first)
        first = in;
    *(float *)out = (float)(((const char *)in - first) / (ptrdiff_t)sizeof(float));
    return 0;
}

SUM(sleeps) {
    sum_with(in, n, out, 0, 1);
    (void)workspace, (void)shape, (void)stream;
    usleep(SLEEP_MICROSECONDS);
    return 0;
}

SUM(prints) {
    UNUSED;
    sum_with(in, n, out, 0, 1);
    printf("partial sum of %zu, ", n);
    fprintf(stderr, "and a warning, ");
    return 0;
}

SUM(fails_to_launch) {
    UNUSED;
    return 9;
}

static size_t forty_bytes(size_t n, struct reductio_shape shape) {
    (void)n;
    (void)shape;
    return 40;
}

// As (n - 1)·4 is for n = 0.
static size_t wrapped_bytes(size_t n, struct reductio_shape shape) {
    (void)n;
    (void)shape;
    return SIZE_MAX - 3;
}

#define VARIANT(function, ...)                                                                                         \
    static const struct reductio_variant function##_variant = {.name = #function,                                      \
                                                               .type = "f32",                                          \
                                                               .backend = "host",                                      \
                                                               .launch = function,                                     \
                                                               .workspace_bytes = forty_bytes,                         \
                                                               .shapes = {{1, 0}},                                     \
                                                               __VA_ARGS__}

VARIANT(drops_element, .max_n = 1000, .fault = {.finding = "lost elements", .detector = "coverage map"});
VARIANT(doubles_element, .origin = "nowhere");
VARIANT(quadruples_element, .origin = NULL);
VARIANT(quadruples_last_of_group, .origin = NULL);
VARIANT(quintuples_element, .origin = NULL);
VARIANT(tells_place, .origin = NULL);
VARIANT(tells_distance, .origin = NULL);
VARIANT(sleeps, .origin = NULL);
VARIANT(counts_too_often, .origin = NULL);
VARIANT(gives_nan, .origin = NULL);
VARIANT(gives_minus, .origin = NULL);
VARIANT(gives_half, .origin = NULL);
VARIANT(never_writes, .origin = NULL);
VARIANT(writes_input, .origin = NULL);
VARIANT(reads_just_past, .origin = NULL);
VARIANT(reads_before, .origin = NULL);
VARIANT(writes_past_workspace, .origin = NULL);
VARIANT(writes_before_output, .origin = NULL);
VARIANT(wild_address, .origin = NULL);
VARIANT(aborts, .origin = NULL);
VARIANT(exits, .origin = NULL);
VARIANT(divides, .origin = NULL);
VARIANT(overflows_stack, .origin = NULL);
VARIANT(hangs, .origin = NULL);
VARIANT(prints, .origin = NULL);
VARIANT(fails_to_launch, .origin = NULL);

static const struct reductio_variant wants_all_memory_variant = {.name = "wants_all_memory",
                                                                 .type = "f32",
                                                                 .backend = "host",
                                                                 .launch = hangs,
                                                                 .workspace_bytes = wrapped_bytes,
                                                                 .shapes = {{1, 0}}};

static const struct reductio_variant *const variants[] = {&reductio_test_variant_right_f32_host,
                                                          &reductio_test_variant_right_f64_host,
                                                          &reductio_test_variant_right_f32_f64_host,
                                                          &drops_element_variant,
                                                          &doubles_element_variant,
                                                          &quadruples_element_variant,
                                                          &quadruples_last_of_group_variant,
                                                          &quintuples_element_variant,
                                                          &tells_place_variant,
                                                          &tells_distance_variant,
                                                          &sleeps_variant,
                                                          &counts_too_often_variant,
                                                          &gives_nan_variant,
                                                          &gives_minus_variant,
                                                          &gives_half_variant,
                                                          &never_writes_variant,
                                                          &writes_input_variant,
                                                          &reads_just_past_variant,
                                                          &reads_before_variant,
                                                          &writes_past_workspace_variant,
                                                          &writes_before_output_variant,
                                                          &wild_address_variant,
                                                          &aborts_variant,
                                                          &exits_variant,
                                                          &divides_variant,
                                                          &overflows_stack_variant,
                                                          &hangs_variant,
                                                          &prints_variant,
                                                          &fails_to_launch_variant,
                                                          &wants_all_memory_variant,
                                                          NULL};

const struct reductio_variant *const *backend_variants(const struct worker_errand *errand, char *message) {
    (void)errand, (void)message;
    return variants;
}
