// SPDX-License-Identifier: MIT
// The backend of plain C variants: they run in the worker itself, one at a time.
#include "harness/backend.h"
#include "harness/guarded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The interface has no context argument, and an executable links one backend: its buffers are the state of the process.
static struct guarded buffers[ROLE_COUNT] = {[ROLE_INPUT] = {.name = "the input"},
                                             [ROLE_OUTPUT] = {.name = "the output"},
                                             [ROLE_WORKSPACE] = {.name = "the workspace"}};
static uint64_t salts[ROLE_COUNT];

bool backend_environment(int index, const char **key, const char **value) {
    static const char *const lines[][2] = {{"compiler",
#ifdef __clang__
                                            "clang " __clang_version__
#else
                                            "gcc " __VERSION__
#endif
                                           },
                                           {"flags", REDUCTIO_FLAGS}};
    if (index >= (int)(sizeof lines / sizeof *lines))
        return false;
    *key = lines[index][0];
    *value = lines[index][1];
    return true;
}

bool backend_open(int device, char *message) {
    if (device == 0)
        return true;
    snprintf(message, BACKEND_MESSAGE, "The host is device 0 and the only one; device %d was asked for.", device);
    return false;
}

void *backend_place(enum backend_role role, size_t bytes, size_t offset, char *message) {
    void *address = guarded_place(&buffers[role], bytes, offset);
    if (!address)
        snprintf(message, BACKEND_MESSAGE, "There is no memory for %s of %zu bytes: %s.", buffers[role].name, bytes,
                 strerror(errno));
    return address;
}

void backend_poison(enum backend_role role, uint64_t salt) {
    salts[role] = salt;
    guarded_poison(&buffers[role], salt);
}

bool backend_is_poison(enum backend_role role, uint64_t salt) {
    return guarded_is_poison(&buffers[role], salt);
}

void backend_upload(enum backend_role role, const void *from, size_t bytes) {
    memcpy(buffers[role].data, from, bytes);
}

void backend_download(enum backend_role role, void *to, size_t bytes) {
    memcpy(to, buffers[role].data, bytes);
}

bool backend_input_is_unchanged(const void *uploaded, size_t bytes) {
    return memcmp(buffers[ROLE_INPUT].data, uploaded, bytes) == 0;
}

enum work_outcome backend_check_slack(char *message) {
    for (int role = 0; role < ROLE_COUNT; role++) {
        const unsigned char *trespass = guarded_find_trespass(&buffers[role], salts[role]);
        char where[BACKEND_MESSAGE / 2] = "";
        if (!trespass)
            continue;
        guarded_explain(&buffers[role], trespass, where, sizeof where);
        snprintf(message, BACKEND_MESSAGE, "It wrote outside its arrays, %s.", where);
        return WORK_OUT_OF_BOUNDS;
    }
    return WORK_DONE;
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

enum work_outcome backend_time_calls(const struct reductio_variant *variant, const struct call_series *series,
                                     uint64_t *ns, char *message) {
    int error = 0;
    uint64_t start = nanoseconds();
    for (uint64_t i = 0; i < series->calls && error == 0; i++) // a loop has one order: the schedule says nothing
        error =
            variant->launch(buffers[ROLE_INPUT].data + (series->first + i) % series->copies * series->stride, series->n,
                            buffers[ROLE_OUTPUT].data, buffers[ROLE_WORKSPACE].data, series->shape, NULL);
    *ns = nanoseconds() - start;
    if (error == 0)
        return WORK_DONE;
    snprintf(message, BACKEND_MESSAGE, "Its launch returned the error %d.", error);
    return WORK_REFUSED;
}

enum work_outcome backend_launch(const struct reductio_variant *variant, uint64_t n, struct reductio_shape shape,
                                 struct schedule schedule, uint64_t *ns, char *message) {
    const struct call_series once = {.n = n, .shape = shape, .schedule = schedule, .copies = 1, .calls = 1};
    return backend_time_calls(variant, &once, ns, message);
}

enum work_outcome backend_time_reads(const struct call_series *series, size_t bytes, uint64_t *ns, char *message) {
    (void)series, (void)bytes, (void)message;
    *ns = 0; // GPUs have one
    return WORK_DONE;
}

// Of a last level that a whole machine shares, one thread gets a part: there is no use in going around all of it.
size_t backend_cache_span(void) {
    const size_t least = (size_t)64 << 20, most = (size_t)256 << 20;
    long last_level = sysconf(_SC_LEVEL3_CACHE_SIZE); // 0 or -1 where the system does not know it
    size_t wanted = last_level > 0 ? 4 * (size_t)last_level : 0;
    return wanted < least ? least : wanted > most ? most : wanted;
}

void backend_upload_copies(const void *from, size_t bytes, size_t stride, uint64_t copies) {
    for (uint64_t i = 0; i < copies; i++)
        memcpy(buffers[ROLE_INPUT].data + i * stride, from, bytes);
}

bool backend_explain_address(const void *address, char *message) {
    message[0] = 0;
    for (int role = 0; role < ROLE_COUNT; role++)
        if (guarded_explain(&buffers[role], address, message, BACKEND_MESSAGE))
            return true;
    return false;
}
