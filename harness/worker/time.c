// SPDX-License-Identifier: MIT
// Times a variant. One call of a small sum takes less time than its launch, and one buffer read again and again is
// served by a cache; so a sample is the mean over calls in a row, each on the next of many copies of the input. What a
// call allocates by itself (CUB's single-call form) comes out of a pool that the warm-up has filled.
#include "harness/memory_file.h"
#include "harness/worker/worker.h"

#include <inttypes.h>
#include <stdlib.h>

// A sample fills this span: 2 ms drown the start of the first launch and the resolution of CUDA's events, 0.5 µs.
static const uint64_t SAMPLE_NS = 2000000, MOST_CALLS = 256;
enum { READ_SAMPLES = 11, READ_WARMUPS = 3, MOST_ROUNDS = 5, COPY_ALIGNMENT = 256 };

static uint64_t calls_that_fill(uint64_t ns) {
    uint64_t calls = ns ? SAMPLE_NS / ns : MOST_CALLS;
    return calls < 1 ? 1 : calls > MOST_CALLS ? MOST_CALLS : calls;
}

// Two at least, so that not even the end of a large input is still in a cache; one where memory is short.
static void plan_copies(struct job *job) {
    const size_t span = backend_cache_span(), room = memory_available() / 2;
    job->stride = (job->input_bytes / COPY_ALIGNMENT + 1) * COPY_ALIGNMENT;
    job->copies = span ? span / job->stride + 2 : 1;
    if (job->copies > room / job->stride)
        job->copies = room / job->stride;
    if (job->copies == 0)
        job->copies = 1;
}

static bool place_copies(struct job *job) {
    plan_copies(job);
    if (job_place(job))
        return true;
    if (job->copies == 1)
        return false;
    job->copies = 1;
    job->reply->outcome = WORK_DONE;
    job->reply->message[0] = 0;
    return job_place(job);
}

static bool time_calls(struct job *job, struct call_series *series, struct work_run *run) {
    char message[BACKEND_MESSAGE] = "";
    job_poison_outputs(job);
    enum work_outcome outcome = backend_time_calls(job->worker->variant, series, &run->ns, message);
    series->first = (series->first + series->calls) % series->copies;
    run->ns = (run->ns + series->calls / 2) / series->calls;
    return job_take_result(job, outcome, message, run);
}

// Single calls first, to load code and fill pools; then samples that are thrown away, until one fills the span: the
// first calls of a process take many times as long as those that follow.
static bool warm_up(struct job *job, struct call_series *series) {
    uint64_t fastest = UINT64_MAX, wanted = 1;
    struct work_run run;
    for (uint32_t i = 0; i < job->request->warmups + MOST_ROUNDS; i++) {
        bool whole_sample = i >= job->request->warmups;
        series->calls = whole_sample ? wanted : 1;
        if (!time_calls(job, series, &run))
            return false;
        fastest = run.ns < fastest ? run.ns : fastest;
        wanted = calls_that_fill(fastest);
        if (whole_sample && wanted <= series->calls)
            break;
    }
    series->calls = wanted;
    return true;
}

static int compare_times(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// The median of reading the same copies; true with 0 where the backend has no such kernel.
static bool time_reads(struct job *job, struct call_series *series) {
    uint64_t ns[READ_SAMPLES], total;
    char message[BACKEND_MESSAGE] = "";
    series->calls = 1;
    for (int i = -READ_WARMUPS; i < READ_SAMPLES; i++) {
        enum work_outcome outcome = backend_time_reads(series, job->input_bytes, &total, message);
        if (outcome != WORK_DONE)
            return job_fail(job, outcome, "%s", message);
        if (total == 0)
            return true;
        series->first = (series->first + series->calls) % series->copies;
        if (i >= 0)
            ns[i] = (total + series->calls / 2) / series->calls;
        else if (i == -1)
            series->calls = calls_that_fill(total);
    }
    qsort(ns, READ_SAMPLES, sizeof *ns, compare_times);
    job->reply->read_ns = ns[READ_SAMPLES / 2];
    return true;
}

void answer_time(struct job *job) {
    const struct work_request *request = job->request;
    if (!job_measure(job) || !job_find_data(job) || !place_copies(job))
        return;
    struct work_run *runs = calloc(request->runs ? request->runs : 1, sizeof *runs);
    if (!runs) {
        job_fail(job, WORK_NOT_POSSIBLE, "There is no memory for %" PRIu32 " samples.", request->runs);
        return;
    }
    job->payload = runs;
    backend_upload_copies(job->input, job->input_bytes, job->stride, job->copies);
    struct call_series series = {.n = request->n,
                                 .shape = request->shape,
                                 .schedule = request->schedule,
                                 .stride = job->stride,
                                 .copies = job->copies};
    if (!warm_up(job, &series))
        return;
    for (uint32_t i = 0; i < request->runs; i++)
        if (!time_calls(job, &series, &runs[i]))
            return;
    if (!time_reads(job, &series))
        return;
    job->reply->runs = request->runs;
    job->reply->payload = request->runs * sizeof *runs;
}
