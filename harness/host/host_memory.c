// SPDX-License-Identifier: MIT
#include "harness/host/host_memory.h"

#include "harness/guarded.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// The interface has no context argument, and an executable links one backend: its buffers are the state of the process.
static struct guarded buffers[ROLE_COUNT] = {[ROLE_INPUT] = {.name = "the input"},
                                             [ROLE_OUTPUT] = {.name = "the output"},
                                             [ROLE_WORKSPACE] = {.name = "the workspace"}};
static uint64_t salts[ROLE_COUNT];

const struct guarded *host_buffer(enum backend_role role) {
    return &buffers[role];
}

unsigned char *host_memory(enum backend_role role) {
    return buffers[role].data;
}

uint64_t host_salt(enum backend_role role) {
    return salts[role];
}

uint64_t host_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
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
    if (bytes) // no data may be at no address
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

void backend_upload_copies(const void *from, size_t bytes, size_t stride, uint64_t copies) {
    for (uint64_t i = 0; bytes && i < copies; i++)
        memcpy(buffers[ROLE_INPUT].data + i * stride, from, bytes);
}

bool host_explain(const void *address, char *text, size_t size) {
    for (int role = 0; role < ROLE_COUNT; role++)
        if (guarded_explain(&buffers[role], address, text, size))
            return true;
    return false;
}

bool host_trace(uint64_t bits, size_t bytes, char *text, size_t size) {
    for (int role = 0; role < ROLE_COUNT; role++)
        if (guarded_trace(&buffers[role], salts[role], bits, bytes, text, size))
            return true;
    return false;
}

bool host_trace_slack(uint64_t bits, size_t bytes, char *text, size_t size) {
    for (int role = 0; role < ROLE_COUNT; role++)
        if (guarded_trace_slack(&buffers[role], salts[role], bits, bytes, text, size))
            return true;
    return false;
}
