// SPDX-License-Identifier: MIT
// The backend of plain C variants: they run in the worker itself, one at a time.
#include "harness/host/host_memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

enum work_outcome backend_time_calls(const struct reductio_variant *variant, const struct call_series *series,
                                     uint64_t *ns, char *message) {
    int error = 0;
    uint64_t start = host_nanoseconds();
    for (uint64_t i = 0; i < series->calls && error == 0; i++) // a loop has one order: the schedule says nothing
        error = variant->launch(host_memory(ROLE_INPUT) + (series->first + i) % series->copies * series->stride,
                                series->n, host_memory(ROLE_OUTPUT), host_memory(ROLE_WORKSPACE), series->shape, NULL);
    *ns = host_nanoseconds() - start;
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
