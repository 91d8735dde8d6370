// SPDX-License-Identifier: MIT
// harness/backend.h for kernels that run on simt.
#include "harness/host/host_memory.h"
#include "harness/poison.h"
#include "harness/simt/fiber.h"
#include "harness/simt/hazard.h"
#include "harness/simt/runtime.h"
#include "harness/simt/scheduler.h"

#include <fcntl.h>
#if defined(REDUCTIO_SIMT_HAZARDS)
#include <sanitizer/common_interface_defs.h>
#endif

#include <stdio.h>
#include <string.h>

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

// A sanitizer's reports come to us by its hooks and become sentences; its own text goes nowhere. (Its option log_path
// appends the process to the name: /dev/null.1234 would be a file.)
static bool silence_sanitizer(void) {
#if defined(REDUCTIO_SIMT_HAZARDS)
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    __sanitizer_set_report_fd((void *)(intptr_t)nowhere);
    return nowhere >= 0;
#else
    return true;
#endif
}

bool backend_open(int device, char *message) {
    if (!silence_sanitizer()) {
        snprintf(message, BACKEND_MESSAGE, "/dev/null cannot be opened for the sanitizer's own reports");
        return false;
    }
    if (device == 0)
        return true;
    snprintf(message, BACKEND_MESSAGE, "simt has one device, number 0, and no number %d", device);
    return false;
}

// What one row has allowed itself by cudaFuncSetAttribute is not for the next one that this worker serves.
static void come_to(const struct reductio_variant *variant) {
    if (simt_machine.variant != variant)
        simt_machine.dynamic_limit = SIMT_SHARED_DEFAULT;
    simt_machine.variant = variant;
}

static enum work_outcome call_variant(const struct reductio_variant *variant, const struct call_series *series,
                                      const void *input, uint64_t *ns, char *message) {
    come_to(variant);
    simt_begin(series->schedule);
    simt_machine.poison = host_salt(ROLE_OUTPUT) & POISON_OF_16_BITS; // shared memory's is that of the other roles
    simt_last_error(1);
    for (int role = 0; role < ROLE_COUNT; role++)
        simt_hazard_guard_buffer(host_buffer(role));
    uint64_t start = host_nanoseconds();
    int error = variant->launch(input, (size_t)series->n, host_memory(ROLE_OUTPUT), host_memory(ROLE_WORKSPACE),
                                series->shape, NULL);
    *ns += host_nanoseconds() - start;
    for (int role = 0; role < ROLE_COUNT; role++)
        simt_hazard_open_buffer(host_buffer(role));
    const char *sentence;
    enum work_outcome outcome = simt_ended(&sentence);
    if (outcome != WORK_DONE) {
        memcpy(message, sentence, BACKEND_MESSAGE);
        return outcome;
    }
    if (error == SIMT_SUCCESS)
        return WORK_DONE;
    snprintf(message, BACKEND_MESSAGE, "%s (%s)", simt_error_name(error), simt_error_string(error));
    return WORK_REFUSED; // where the machine lacked room, simt_ended has said so
}

enum work_outcome backend_time_calls(const struct reductio_variant *variant, const struct call_series *series,
                                     uint64_t *ns, char *message) {
    enum work_outcome outcome = WORK_DONE;
    *ns = 0;
    for (uint64_t i = 0; i < series->calls && outcome == WORK_DONE; i++)
        outcome =
            call_variant(variant, series,
                         host_memory(ROLE_INPUT) + (series->first + i) % series->copies * series->stride, ns, message);
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
        const struct guarded *buffer = host_buffer(role);
        uintptr_t at = (uintptr_t)address - (uintptr_t)buffer->data;
        if (!buffer->reservation || at >= buffer->bytes)
            continue;
        snprintf(text, size, "byte %zu of %s", (size_t)at, buffer->name);
        return true;
    }
    return false;
}

bool simt_explain_outside(const void *address, char *text, size_t size) {
    return simt_explain_shared(&simt_machine, address, text, size) || host_explain(address, text, size);
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

enum work_outcome backend_fault_so_far(char *message) {
    const char *sentence;
    enum work_outcome outcome = simt_ended(&sentence);
    memcpy(message, sentence, BACKEND_MESSAGE);
    return outcome;
}

// Few bits of an f32 tell the places apart, so what is likely is asked first.
bool backend_trace_poison(uint64_t bits, size_t size, char *message) {
    message[0] = 0;
    return host_trace(bits, size, message, BACKEND_MESSAGE) ||
           simt_trace_shared(&simt_machine, bits, size, message, BACKEND_MESSAGE) ||
           host_trace_slack(bits, size, message, BACKEND_MESSAGE);
}
