// SPDX-License-Identifier: MIT
// The backend of a real GPU: the CUDA runtime, one context a worker, one stream. Many of the backend's functions cannot
// fail by their type, so the first error is kept and told by the next launch; an error that has poisoned the context is
// always told as a crash or an access out of bounds, after which the worker ends and is replaced.
#include "harness/backend.h"
#include "harness/cuda/bandwidth.h"
#include "harness/cuda/busy_load.h"
#include "harness/cuda/device_buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = ROLE_COUNT + 1 }; // one a role for trespasses, and one for the output's own bytes

// The interface has no context argument, and an executable links one backend: this is the state of the process.
static struct {
    device_buffer buffers[ROLE_COUNT] = {{"the input"}, {"the output"}, {"the workspace"}};
    uint64_t salts[ROLE_COUNT] = {};
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr, stop = nullptr;
    unsigned long long *changes = nullptr; // on the device
    busy_load load;
    // What was last uploaded to the input, once more on the device: looking there whether a variant wrote to its input
    // costs a thousandth of reading a large one back. Without room for it the input is read back.
    unsigned char *original = nullptr;
    size_t original_room = 0, original_bytes = 0;
    cudaError_t failed = cudaSuccess; // the first error that no function has told yet
    const char *failed_in = "";
} state;

static bool fine(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return true;
    if (state.failed == cudaSuccess) {
        state.failed = error;
        state.failed_in = what;
    }
    return false;
}

// An error after which no call of this process succeeds any more.
static bool context_is_lost() {
    static_cast<void>(cudaGetLastError()); // an error that is not sticky ends here
    return cudaStreamQuery(state.stream) != cudaSuccess && cudaStreamQuery(state.stream) != cudaErrorNotReady;
}

static enum work_outcome tell_crash(cudaError_t error, const char *what, char *message) {
    const bool address = error == cudaErrorIllegalAddress || error == cudaErrorInvalidAddressSpace;
    snprintf(message, BACKEND_MESSAGE, "The GPU stopped at %s: %s (%s).", what, cudaGetErrorString(error),
             cudaGetErrorName(error));
    return address ? WORK_OUT_OF_BOUNDS : WORK_CRASHED;
}

bool backend_open(int device, char *message) {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        snprintf(message, BACKEND_MESSAGE, "There is no CUDA device: %s.",
                 error == cudaSuccess ? "none was found" : cudaGetErrorString(error));
        return false;
    }
    if (device < 0 || device >= count) {
        snprintf(message, BACKEND_MESSAGE, "There are %d CUDA devices, 0 to %d; device %d was asked for.", count,
                 count - 1, device);
        return false;
    }
    cudaMemPool_t pool;
    uint64_t keep =
        UINT64_MAX; // calls that allocate, like CUB's single-call form, meet a pool that is reserved already
    const bool open =
        fine(cudaSetDevice(device), "cudaSetDevice") && fine(cudaStreamCreate(&state.stream), "cudaStreamCreate") &&
        fine(cudaEventCreate(&state.start), "cudaEventCreate") &&
        fine(cudaEventCreate(&state.stop), "cudaEventCreate") &&
        fine(cudaMalloc(reinterpret_cast<void **>(&state.changes), CHANGES * sizeof *state.changes), "cudaMalloc") &&
        fine(cudaDeviceGetDefaultMemPool(&pool, device), "cudaDeviceGetDefaultMemPool") &&
        fine(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
    if (!open)
        snprintf(message, BACKEND_MESSAGE, "CUDA device %d does not start: %s: %s.", device, state.failed_in,
                 cudaGetErrorString(state.failed));
    return open;
}

static void drop_original() {
    fine(cudaFree(state.original), "cudaFree");
    state.original = nullptr;
    state.original_room = state.original_bytes = 0;
}

void *backend_place(enum backend_role role, size_t bytes, size_t offset, char *message) {
    device_buffer *buffer = &state.buffers[role];
    cudaError_t error = device_buffer_place(buffer, bytes, offset);
    if (error == cudaErrorMemoryAllocation && state.original) {
        static_cast<void>(cudaGetLastError());
        drop_original();
        error = device_buffer_place(buffer, bytes, offset);
    }
    if (error != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        snprintf(message, BACKEND_MESSAGE, "There is no device memory for %s of %zu bytes: %s.", buffer->name, bytes,
                 cudaGetErrorString(error));
        return nullptr;
    }
    backend_poison(role, state.salts[role]);
    return buffer->data;
}

void backend_poison(enum backend_role role, uint64_t salt) {
    state.salts[role] = salt;
    fine(device_buffer_poison(&state.buffers[role], salt, state.stream), "poisoning a buffer");
}

static void keep_original(size_t bytes) {
    state.original_bytes = 0;
    if (bytes > state.original_room) {
        drop_original();
        if (cudaMalloc(reinterpret_cast<void **>(&state.original), bytes) != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
            state.original = nullptr;
            return;
        }
        state.original_room = bytes;
    }
    if (fine(cudaMemcpyAsync(state.original, state.buffers[ROLE_INPUT].data, bytes, cudaMemcpyDeviceToDevice,
                             state.stream),
             "keeping the input"))
        state.original_bytes = bytes;
}

void backend_upload(enum backend_role role, const void *from, size_t bytes) {
    if (fine(cudaMemcpyAsync(state.buffers[role].data, from, bytes, cudaMemcpyHostToDevice, state.stream),
             "an upload") &&
        role == ROLE_INPUT)
        keep_original(bytes);
}

void backend_download(enum backend_role role, void *to, size_t bytes) {
    if (fine(cudaMemcpyAsync(to, state.buffers[role].data, bytes, cudaMemcpyDeviceToHost, state.stream), "a download"))
        fine(cudaStreamSynchronize(state.stream), "a download");
}

// Puts "nothing changed" into all places on the device.
static bool reset_changes() {
    return fine(cudaMemsetAsync(state.changes, 0xff, CHANGES * sizeof *state.changes, state.stream),
                "clearing the guards' report");
}

static bool read_changes(unsigned long long (&changes)[CHANGES]) {
    return fine(cudaMemcpyAsync(changes, state.changes, sizeof changes, cudaMemcpyDeviceToHost, state.stream),
                "reading the guards' report") &&
           fine(cudaStreamSynchronize(state.stream), "reading the guards' report");
}

static bool is_same_when_read_back(const void *uploaded, size_t bytes) {
    void *copy = malloc(bytes);
    if (!copy) {
        fine(cudaErrorMemoryAllocation, "reading the input back");
        return true; // the failure is told by the next launch
    }
    backend_download(ROLE_INPUT, copy, bytes);
    const bool same = memcmp(copy, uploaded, bytes) == 0;
    free(copy);
    return same;
}

bool backend_input_is_unchanged(const void *uploaded, size_t bytes) {
    if (state.original_bytes != bytes)
        return is_same_when_read_back(uploaded, bytes);
    unsigned long long changes[CHANGES];
    const bool looked = reset_changes() &&
                        fine(device_buffer_find_difference(&state.buffers[ROLE_INPUT], state.original,
                                                           &state.changes[ROLE_COUNT], state.stream),
                             "comparing the input") &&
                        read_changes(changes);
    return !looked || changes[ROLE_COUNT] == NO_CHANGE; // a failure is told by the next launch
}

bool backend_is_poison(enum backend_role role, uint64_t salt) {
    unsigned long long changes[CHANGES];
    return reset_changes() &&
           fine(device_buffer_find_written(&state.buffers[role], salt, &state.changes[ROLE_COUNT], state.stream),
                "looking for poison") &&
           read_changes(changes) && changes[ROLE_COUNT] == NO_CHANGE;
}

static void explain_trespass(const device_buffer *buffer, unsigned long long place, char *message) {
    const unsigned long long start = (unsigned long long)(buffer->data - buffer->base), end = start + buffer->bytes;
    if (place < start)
        snprintf(message, BACKEND_MESSAGE, "It wrote outside its arrays, %llu bytes before the start of %s.",
                 start - place, buffer->name);
    else if (place == end)
        snprintf(message, BACKEND_MESSAGE, "It wrote outside its arrays, just past the end of %s.", buffer->name);
    else
        snprintf(message, BACKEND_MESSAGE, "It wrote outside its arrays, %llu bytes past the end of %s.", place - end,
                 buffer->name);
}

enum work_outcome backend_check_slack(char *message) {
    unsigned long long changes[CHANGES];
    bool looked = reset_changes();
    for (int role = 0; role < ROLE_COUNT; role++)
        looked = looked && fine(device_buffer_find_trespass(&state.buffers[role], state.salts[role],
                                                            &state.changes[role], state.stream),
                                "checking the guards");
    if (!looked || !read_changes(changes))
        return tell_crash(state.failed, state.failed_in, message);
    for (int role = 0; role < ROLE_COUNT; role++) {
        if (changes[role] == NO_CHANGE)
            continue;
        explain_trespass(&state.buffers[role], changes[role], message);
        return WORK_OUT_OF_BOUNDS;
    }
    return WORK_DONE;
}

// A row that asks for more than any device has is at fault itself; one on a device that others have filled is not.
static bool device_is_full() {
    size_t available = 0, total = 0;
    return cudaMemGetInfo(&available, &total) == cudaSuccess && available < total / 16;
}

static enum work_outcome tell_refusal(const struct reductio_variant *variant, cudaError_t error, char *message) {
    if (context_is_lost())
        return tell_crash(error, "the launch", message);
    if (error == cudaErrorNotSupported)
        snprintf(message, BACKEND_MESSAGE, "%s.", variant->summary);
    else
        snprintf(message, BACKEND_MESSAGE, "Its launch returned %s: %s.", cudaGetErrorName(error),
                 cudaGetErrorString(error));
    return error == cudaErrorMemoryAllocation && device_is_full() ? WORK_NOT_POSSIBLE : WORK_REFUSED;
}

static bool read_time(uint64_t *ns) {
    float milliseconds = 0;
    if (!fine(cudaEventElapsedTime(&milliseconds, state.start, state.stop), "reading the time"))
        return false;
    *ns = uint64_t(double(milliseconds) * 1e6);
    return true;
}

// What was queued before must be over, or its error would be charged to this launch and its time counted.
static bool start_clock() {
    return state.failed == cudaSuccess && fine(cudaStreamSynchronize(state.stream), "preparing the buffers") &&
           fine(cudaEventRecord(state.start, state.stream), "starting the clock");
}

static bool stop_clock(uint64_t *ns) {
    return fine(cudaEventRecord(state.stop, state.stream), "stopping the clock") &&
           fine(cudaStreamSynchronize(state.stream), "its kernels") && read_time(ns);
}

static const unsigned char *input_of_call(const struct call_series *series, uint64_t call) {
    return state.buffers[ROLE_INPUT].data + (series->first + call) % series->copies * series->stride;
}

// The events enclose the launches alone: nothing between them waits for the GPU, so that launch i + 1 is queued while
// call i runs.
enum work_outcome backend_time_calls(const struct reductio_variant *variant, const struct call_series *series,
                                     uint64_t *ns, char *message) {
    if (!start_clock())
        return tell_crash(state.failed, state.failed_in, message);
    cudaError_t returned = cudaSuccess;
    for (uint64_t i = 0; i < series->calls && returned == cudaSuccess; i++)
        returned = static_cast<cudaError_t>(
            variant->launch(input_of_call(series, i), series->n, state.buffers[ROLE_OUTPUT].data,
                            state.buffers[ROLE_WORKSPACE].data, series->shape, state.stream));
    const cudaError_t left_behind = cudaGetLastError();
    if (returned != cudaSuccess || left_behind != cudaSuccess)
        return tell_refusal(variant, returned != cudaSuccess ? returned : left_behind, message);
    return stop_clock(ns) ? WORK_DONE : tell_crash(state.failed, state.failed_in, message);
}

enum work_outcome backend_launch(const struct reductio_variant *variant, uint64_t n, struct reductio_shape shape,
                                 struct schedule schedule, uint64_t *ns, char *message) {
    const struct call_series once = {n, shape, schedule, 0, 1, 0, 1};
    if (schedule.kind != SCHEDULE_BUSY)
        return backend_time_calls(variant, &once, ns, message);
    if (state.failed != cudaSuccess || !fine(cudaStreamSynchronize(state.stream), "preparing the buffers") ||
        !fine(busy_load_start(&state.load, unsigned(schedule.seed)), "occupying multiprocessors"))
        return tell_crash(state.failed, state.failed_in, message);
    const enum work_outcome outcome = backend_time_calls(variant, &once, ns, message);
    const bool idle = fine(busy_load_stop(&state.load), "letting multiprocessors go");
    return outcome == WORK_DONE && !idle ? tell_crash(state.failed, state.failed_in, message) : outcome;
}

enum work_outcome backend_time_reads(const struct call_series *series, size_t bytes, uint64_t *ns, char *message) {
    unsigned blocks;
    bool good = fine(bandwidth_blocks(&blocks), "asking for the size of a grid") && start_clock();
    for (uint64_t i = 0; i < series->calls && good; i++)
        good = fine(bandwidth_read(input_of_call(series, i), bytes, blocks, &state.changes[ROLE_COUNT], state.stream),
                    "the read-only kernel");
    return good && stop_clock(ns) ? WORK_DONE : tell_crash(state.failed, state.failed_in, message);
}

size_t backend_cache_span(void) {
    int device = 0, cache = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device) != cudaSuccess)
        cache = 0;
    const size_t least = size_t(256) << 20, wanted = 4 * size_t(cache);
    return wanted > least ? wanted : least;
}

void backend_upload_copies(const void *from, size_t bytes, size_t stride, uint64_t copies) {
    unsigned char *data = state.buffers[ROLE_INPUT].data;
    bool good = fine(cudaMemcpyAsync(data, from, bytes, cudaMemcpyHostToDevice, state.stream), "an upload");
    for (uint64_t done = 1; done < copies && good; done *= 2) { // what is there doubles; poison lies between copies
        const uint64_t more = done < copies - done ? done : copies - done;
        good = fine(cudaMemcpyAsync(data + done * stride, data, (more - 1) * stride + bytes, cudaMemcpyDeviceToDevice,
                                    state.stream),
                    "copying the input");
    }
}

bool backend_explain_address(const void *, char *message) {
    message[0] = 0; // a host address says nothing about a device buffer
    return false;
}

enum work_outcome backend_fault_so_far(char *message) {
    message[0] = 0;
    return WORK_DONE;
}

bool backend_trace_poison(uint64_t, size_t, char *message) {
    message[0] = 0; // a GPU's f32 arithmetic has one NaN, whatever it came from
    return false;
}
