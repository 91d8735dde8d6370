// SPDX-License-Identifier: MIT
// Plug-ins that go wrong, for test_plugin.c: compiled once for each fault, which FAULT names.
#include "reductio_plugin.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum fault {
    prints_while_loaded, // and is otherwise right
    crashes_in_constructor,
    loops_in_constructor,
    exits_in_constructor,
    crashes_when_asked,
    gives_null,
    other_version,
    other_plugin_size,
    other_row_size,
    other_claims_size,
    bad_plugin_name,
    no_rows,
    bad_row_name,
    bad_type,
    no_launch,
    bad_memory,
    two_rows_alike,
    crashes_in_launch,
    crashes_in_height,
    claims_too_high,
    claims_too_many_terms,
    loops_in_launch,
    returns_error,
    writes_past_output,
    writes_nothing,
    wants_device
};

static void crash(void) {
    raise(SIGSEGV);
}

__attribute__((constructor)) static void construct(void) {
    volatile int going = 1;
    if (FAULT == prints_while_loaded)
        puts("A plug-in says hello.");
    if (FAULT == crashes_in_constructor)
        crash();
    while (FAULT == loops_in_constructor && going)
        continue;
    if (FAULT == exits_in_constructor)
        exit(0);
}

static int launch(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape, void *stream) {
    const float *x = in;
    volatile int going = 1;
    float sum = 0;
    (void)workspace, (void)shape, (void)stream;
    if (FAULT == crashes_in_launch)
        crash();
    while (FAULT == loops_in_launch && going)
        continue;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    if (FAULT != writes_nothing)
        *(float *)out = sum;
    if (FAULT == writes_past_output)
        ((float *)out)[1] = sum;
    return FAULT == returns_error ? 42 : 0;
}

static size_t height(size_t n, struct reductio_shape shape) {
    (void)shape;
    if (FAULT == crashes_in_height)
        crash();
    return FAULT == claims_too_high ? n : n ? n - 1 : 0;
}

static size_t serial_terms(size_t n, struct reductio_shape shape) {
    (void)shape;
    return FAULT == claims_too_many_terms ? n + 1 : n;
}

#define LOOP(row_name)                                                                                                 \
    {                                                                                                                  \
        .name = FAULT == bad_row_name ? "no/name" : row_name, .type = FAULT == bad_type ? "f17" : "f32",               \
        .memory = FAULT == wants_device ? REDUCTIO_DEVICE_MEMORY                                                       \
                  : FAULT == bad_memory ? 7u                                                                           \
                                        : REDUCTIO_HOST_MEMORY,                                                        \
        .launch = FAULT == no_launch ? NULL : launch, .claims = {                                                      \
            .accuracy = REDUCTIO_HEIGHT,                                                                               \
            .height = height,                                                                                          \
            .serial_terms = serial_terms                                                                               \
        }                                                                                                              \
    }

static const struct reductio_plugin_row rows[] = {LOOP("loop"), LOOP(FAULT == two_rows_alike ? "loop" : "other")};

const struct reductio_plugin *reductio_plugin(void) {
    static const struct reductio_plugin plugin = {.version = REDUCTIO_PLUGIN_VERSION + (FAULT == other_version),
                                                  .plugin_size = sizeof plugin + (FAULT == other_plugin_size) * 8,
                                                  .row_size = sizeof *rows + (FAULT == other_row_size) * 8,
                                                  .claims_size = sizeof rows->claims + (FAULT == other_claims_size) * 8,
                                                  .name = FAULT == bad_plugin_name ? "no name" : "fault",
                                                  .rows = rows,
                                                  .row_count = FAULT == no_rows ? 0 : sizeof rows / sizeof *rows};
    if (FAULT == crashes_when_asked)
        crash();
    return FAULT == gives_null ? NULL : &plugin;
}
