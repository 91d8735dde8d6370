// SPDX-License-Identifier: MIT
// harness/backend.h for kernels that run on simt.
#include "harness/backend.h"
#include "harness/guarded.h"
#include "harness/simt/fiber.h"
#include "harness/simt/hazard.h"
#include "harness/simt/runtime.h"
#include "harness/simt/scheduler.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static struct guarded buffers[ROLE_COUNT] = {
    [ROLE_INPUT] = {.name = "input"}, [ROLE_OUTPUT] = {.name = "output"}, [ROLE_WORKSPACE] = {.name = "workspace"}};
static uint64_t salts[ROLE_COUNT];

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

bool backend_environment(int index, const char **key, const char **value) {
    const struct {
        const char *key, *value;
    } lines[] = {
        {"emulated", "CUDA on the CPU (simt)"},
        {"compiler", COMPILER},
        {"flags", REDUCTIO_SIMT_FLAGS},
        {"fibers", simt_fiber_kind},
#if defined(REDUCTIO_SIMT_HAZARDS)
        {"sanitizer", simt_hazard_kind},
#endif
    };
    if (index < 0 || index >= (int)(sizeof lines / sizeof *lines))
        return false;
    *key = lines[index].key;
    *value = lines[index].value;
    return true;
}

bool backend_open(int device, char *message) {
    if (device == 0) {
        simt_hazard_open();
        return true;
    }
    snprintf(message, BACKEND_MESSAGE, "simt has one device, number 0, and no number %d", device);
    return false;
}

void *backend_place(enum backend_role role, size_t bytes, size_t offset, char *message) {
    void *data = guarded_place(&buffers[role], bytes, offset);
    if (!data)
        snprintf(message, BACKEND_MESSAGE, "no memory for %zu bytes of %s: %s", bytes, buffers[role].name,
                 strerror(errno));
    return data;
}

void backend_poison(enum backend_role role, uint64_t salt) {
    salts[role] = salt;
    guarded_poison(&buffers[role], salt);
}

bool backend_is_poison(enum backend_role role, uint64_t salt) {
    return guarded_is_poison(&buffers[role], salt);
}

void backend_upload(enum backend_role role, const void *from, size_t bytes) {
    if (bytes)
        memcpy(buffers[role].data, from, bytes);
}

void backend_download(enum backend_role role, void *to, size_t bytes) {
    if (bytes)
        memcpy(to, buffers[role].data, bytes);
}

bool backend_input_is_unchanged(const void *uploaded, size_t bytes) {
    return bytes == 0 || memcmp(buffers[ROLE_INPUT].data, uploaded, bytes) == 0;
}

enum work_outcome backend_check_slack(char *message) {
    for (int role = 0; role < ROLE_COUNT; role++) {
        const unsigned char *found = guarded_find_trespass(&buffers[role], salts[role]);
        if (!found)
            continue;
        char where[128] = "";
        guarded_explain(&buffers[role], found, where, sizeof where);
        snprintf(message, BACKEND_MESSAGE, "a thread wrote %s", where);
        return WORK_OUT_OF_BOUNDS;
    }
    return WORK_DONE;
}

static uint64_t read_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static enum work_outcome call_variant(const struct reductio_variant *variant, const struct call_series *series,
                                      const void *input, uint64_t *ns, char *message) {
    simt_begin(series->schedule);
    simt_last_error(1);
    for (int role = 0; role < ROLE_COUNT; role++)
        simt_hazard_guard_buffer(&buffers[role]);
    uint64_t start = read_clock();
    int error = variant->launch(input, (size_t)series->n, buffers[ROLE_OUTPUT].data, buffers[ROLE_WORKSPACE].data,
                                series->shape, NULL);
    *ns += read_clock() - start;
    for (int role = 0; role < ROLE_COUNT; role++)
        simt_hazard_open_buffer(&buffers[role]);
    const char *sentence;
    enum work_outcome outcome = simt_ended(&sentence);
    if (outcome != WORK_DONE) {
        memcpy(message, sentence, BACKEND_MESSAGE);
        return outcome;
    }
    if (error == SIMT_SUCCESS)
        return WORK_DONE;
    snprintf(message, BACKEND_MESSAGE, "%s (%s)", simt_error_name(error), simt_error_string(error));
    return WORK_REFUSED;
}

enum work_outcome backend_time_calls(const struct reductio_variant *variant, const struct call_series *series,
                                     uint64_t *ns, char *message) {
    enum work_outcome outcome = WORK_DONE;
    *ns = 0;
    for (uint64_t i = 0; i < series->calls && outcome == WORK_DONE; i++)
        outcome =
            call_variant(variant, series,
                         buffers[ROLE_INPUT].data + (series->first + i) % series->copies * series->stride, ns, message);
    return outcome;
}

enum work_outcome backend_launch(const struct reductio_variant *variant, uint64_t n, struct reductio_shape shape,
                                 struct schedule schedule, uint64_t *ns, char *message) {
    const struct call_series once = {.n = n, .shape = shape, .schedule = schedule, .copies = 1, .calls = 1};
    return backend_time_calls(variant, &once, ns, message);
}

enum work_outcome backend_time_reads(const struct call_series *series, size_t bytes, uint64_t *ns, char *message) {
    (void)series, (void)bytes, (void)message;
    *ns = 0;
    return WORK_DONE;
}

// An emulator's time says how long the emulation takes, whatever the cache serves.
size_t backend_cache_span(void) {
    return 0;
}

void backend_upload_copies(const void *from, size_t bytes, size_t stride, uint64_t copies) {
    for (uint64_t i = 0; bytes && i < copies; i++)
        memcpy(buffers[ROLE_INPUT].data + i * stride, from, bytes);
}

static void append_index(struct simt_index index, struct simt_index extent, char *message) {
    bool flat = extent.y == 1 && extent.z == 1;
    const unsigned parts[] = {index.x, index.y, index.z};
    guarded_append(message, BACKEND_MESSAGE, flat ? "" : "(");
    for (int i = 0; i < (flat ? 1 : 3); i++) {
        guarded_append(message, BACKEND_MESSAGE, i ? "," : "");
        guarded_append_number(message, BACKEND_MESSAGE, parts[i]);
    }
    guarded_append(message, BACKEND_MESSAGE, flat ? "" : ")");
}

bool simt_name_buffer(const void *address, char *text, size_t size) {
    for (int role = 0; role < ROLE_COUNT; role++) {
        const struct guarded *buffer = &buffers[role];
        uintptr_t at = (uintptr_t)address - (uintptr_t)buffer->data;
        if (!buffer->reservation || at >= buffer->bytes)
            continue;
        snprintf(text, size, "byte %zu of %s", (size_t)at, buffer->name);
        return true;
    }
    return false;
}

bool simt_explain_outside(const void *address, char *text, size_t size) {
    bool known = simt_explain_shared(&simt_machine, address, text, size);
    for (int role = 0; role < ROLE_COUNT && !known; role++)
        known = guarded_explain(&buffers[role], address, text, size);
    return known;
}

bool backend_explain_address(const void *address, char *message) {
    const struct simt_machine *machine = &simt_machine;
    const struct simt_thread *thread = simt_here;
    message[0] = 0;
    bool known = simt_explain_outside(address, message, BACKEND_MESSAGE);
    if (!machine->launch || !thread)
        return known;
    if (!known) {
        bool overran = simt_stack_overran(machine, simt_stack_index(machine, thread));
        guarded_append(message, BACKEND_MESSAGE,
                       overran ? "the thread has overrun its stack" : "an address of no array");
    }
    guarded_append(message, BACKEND_MESSAGE, ", kernel ");
    guarded_append(message, BACKEND_MESSAGE, machine->launch->kernel);
    guarded_append(message, BACKEND_MESSAGE, ", block ");
    append_index(thread->block->index, machine->launch->grid, message);
    guarded_append(message, BACKEND_MESSAGE, ", thread ");
    append_index(simt_index_of(thread), machine->launch->block, message);
    return true;
}

// Few bits of an f32 tell the places apart, so what is likely is asked first.
bool backend_trace_poison(uint64_t bits, size_t size, char *message) {
    message[0] = 0;
    bool found = false;
    for (int role = 0; role < ROLE_COUNT && !found; role++)
        found = guarded_trace(&buffers[role], salts[role], bits, size, message, BACKEND_MESSAGE);
    found = found || simt_trace_shared(&simt_machine, bits, size, message, BACKEND_MESSAGE);
    for (int role = 0; role < ROLE_COUNT && !found; role++)
        found = guarded_trace_slack(&buffers[role], salts[role], bits, size, message, BACKEND_MESSAGE);
    return found;
}
