// SPDX-License-Identifier: MIT
#include "harness/worker/worker.h"

#include <inttypes.h>
#include <stdlib.h>

// Reading back a large input costs more than many a sum: beyond this size only the first and the last run are checked.
// A write in a run between is still seen after the last, because the input is uploaded anew only when a check saw one.
static const size_t CHECK_EVERY_RUN_BYTES = (size_t)16 << 20;

bool job_find_data(struct job *job) {
    const struct worker *worker = job->worker;
    uint64_t offset = job->request->data_offset;
    if (offset > worker->data_bytes || job->input_bytes > worker->data_bytes - offset)
        return job_fail(job, WORK_REFUSED,
                        "The data of the run has %zu bytes, the request wants %zu bytes from %" PRIu64 " on.",
                        worker->data_bytes, job->input_bytes, offset);
    // A coverage map alone has no data, and neither has a sum of nothing.
    job->input = worker->data ? worker->data + offset : (const void *)"";
    return true;
}

void answer_sum(struct job *job) {
    const struct work_request *request = job->request;
    if (!job_prepare(job) || !job_find_data(job))
        return;
    struct work_run *runs = calloc(request->runs ? request->runs : 1, sizeof *runs);
    if (!runs) {
        job_fail(job, WORK_NOT_POSSIBLE, "There is no memory for the results of %" PRIu32 " runs.", request->runs);
        return;
    }
    job->payload = runs;
    uint64_t total = (uint64_t)request->warmups + request->runs;
    for (uint64_t i = 0; i < total; i++) {
        bool check = job->input_bytes <= CHECK_EVERY_RUN_BYTES || i == 0 || i + 1 == total;
        struct work_run warmup;
        if (!job_run(job, check, i < request->warmups ? &warmup : &runs[i - request->warmups]))
            return;
    }
    job->reply->runs = request->runs;
    job->reply->payload = request->runs * sizeof *runs;
}
