// SPDX-License-Identifier: MIT
#include "harness/memory_file.h"
#include "harness/poison.h"
#include "harness/worker/worker.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool job_fail(struct job *job, enum work_outcome outcome, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(job->reply->message, BACKEND_MESSAGE, format, arguments);
    va_end(arguments);
    if (!job->reply->message[0]) // the runner takes a failure without a word for nonsense
        snprintf(job->reply->message, BACKEND_MESSAGE, "The backend does not say why.");
    job->reply->outcome = outcome;
    job->reply->runs = 0;
    job->reply->payload = 0;
    return false;
}

void job_free(struct job *job) {
    free(job->payload);
    job->payload = NULL;
}

static void note_figures(struct job *job) {
    const struct reductio_variant *variant = job->worker->variant;
    const struct work_request *request = job->request;
    struct work_reply *reply = job->reply;
    if (variant->claims.height)
        reply->height = variant->claims.height(request->n, request->shape);
    if (variant->claims.serial_terms)
        reply->serial_terms = variant->claims.serial_terms(request->n, request->shape);
    if (variant->claims.global_atomics)
        reply->atomics = variant->claims.global_atomics(request->n, request->shape);
    if (variant->workspace_bytes)
        reply->workspace_bytes = variant->workspace_bytes(request->n, request->shape);
}

// A larger figure than any sum of n terms has would widen the variant's own bound.
static bool check_figures(struct job *job) {
    const struct reductio_variant *variant = job->worker->variant;
    const uint64_t n = job->request->n, most = n ? n - 1 : 0;
    if (job->reply->height > most)
        return job_fail(job, WORK_REFUSED,
                        "%s claims a tree of height %" PRIu64 " for n = %" PRIu64 "; no tree of n terms is higher than "
                        "%" PRIu64 ".",
                        variant->name, job->reply->height, n, most);
    if (job->reply->serial_terms > n)
        return job_fail(job, WORK_REFUSED,
                        "%s claims that one accumulator adds %" PRIu64 " terms for n = %" PRIu64 ", more than there "
                        "are.",
                        variant->name, job->reply->serial_terms, n);
    return true;
}

// Asking the machine what it has left takes as long as a small sum; so little memory is taken for granted.
static const size_t GRANTED_BYTES = (size_t)16 << 20;

static bool check_memory(struct job *job) {
    size_t need;
    bool fits = !__builtin_mul_overflow(job->request->n, job->worker->type.in_size, &job->input_bytes) &&
                job->input_bytes <= PTRDIFF_MAX;
    if (fits && job->reply->workspace_bytes > PTRDIFF_MAX) // as of (n - 1)·4 for n = 0: the row's fault, no machine's
        return job_fail(job, WORK_REFUSED, "It asks for a workspace of %" PRIu64 " bytes, which no machine has.",
                        job->reply->workspace_bytes);
    if (fits && !__builtin_add_overflow(job->input_bytes, job->reply->workspace_bytes, &need) &&
        (need <= GRANTED_BYTES || need <= memory_available()))
        return true;
    return job_fail(job, WORK_NOT_POSSIBLE,
                    "n = %" PRIu64 " is too large for the memory: an array of it and a workspace of %" PRIu64
                    " bytes do not fit in %zu MiB.",
                    job->request->n, job->reply->workspace_bytes, memory_available() >> 20);
}

bool job_place(struct job *job) {
    const size_t input_bytes = job->copies ? job->copies * job->stride : job->input_bytes;
    const struct worker_type *type = &job->worker->type;
    struct {
        enum backend_role role;
        size_t bytes, offset;
    } places[] = {{ROLE_INPUT, input_bytes, job->request->offset * type->in_size},
                  {ROLE_OUTPUT, type->out_size, 0},
                  {ROLE_WORKSPACE, job->reply->workspace_bytes, 0}};
    char message[BACKEND_MESSAGE] = "";
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!backend_place(places[i].role, places[i].bytes, places[i].offset, message))
            return job_fail(job, WORK_NOT_POSSIBLE, "%s", message);
    backend_poison(ROLE_INPUT, ++job->worker->salt);
    return true;
}

bool job_measure(struct job *job) {
    const struct reductio_variant *variant = job->worker->variant;
    if (variant->max_n && job->request->n > variant->max_n)
        return job_fail(job, WORK_REFUSED, "%s takes at most %zu elements and was given %" PRIu64 ".", variant->name,
                        variant->max_n, job->request->n);
    note_figures(job);
    return check_figures(job) && check_memory(job);
}

bool job_prepare(struct job *job) {
    return job_measure(job) && job_place(job);
}

void job_poison_outputs(struct job *job) {
    job->worker->salt++;
    backend_poison(ROLE_OUTPUT, job->worker->salt | POISON_OF_OUTPUT);
    backend_poison(ROLE_WORKSPACE, job->worker->salt);
}

bool job_take_result(struct job *job, enum work_outcome launched, char *message, struct work_run *run) {
    enum work_outcome outcome = launched == WORK_DONE ? backend_check_slack(message) : launched;
    if (outcome != WORK_DONE)
        return job_fail(job, outcome, "%s", message);
    if (backend_is_poison(ROLE_OUTPUT, job->worker->salt | POISON_OF_OUTPUT))
        job->reply->output_untouched = 1;
    run->bits = 0;
    backend_download(ROLE_OUTPUT, &run->bits, job->worker->type.out_size);
    const struct worker_type *type = &job->worker->type;
    if (float_is_nan(type->out, run->bits) && !type->poison && !*job->reply->message) // that of 16 bits tells no place
        (void)backend_trace_poison(run->bits, type->out_size, job->reply->message);
    return true;
}

bool job_run(struct job *job, bool check_input, struct work_run *run) {
    char message[BACKEND_MESSAGE] = "";
    const struct work_request *request = job->request;
    job_poison_outputs(job);
    if (!job->uploaded && job->input_bytes)
        backend_upload(ROLE_INPUT, job->input, job->input_bytes);
    job->uploaded = true;
    enum work_outcome outcome =
        backend_launch(job->worker->variant, request->n, request->shape, request->schedule, &run->ns, message);
    if (!job_take_result(job, outcome, message, run))
        return false;
    if (check_input && job->input_bytes && !backend_input_is_unchanged(job->input, job->input_bytes)) {
        job->reply->input_changed = 1;
        job->uploaded = false; // the next run gets the true data again
    }
    return true;
}
