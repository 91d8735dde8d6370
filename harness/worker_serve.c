// SPDX-License-Identifier: MIT
#include "harness/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum receipt { RECEIVED, CLOSED, BROKEN };

static enum receipt receive_all(int socket, void *to, size_t bytes) {
    size_t have = 0;
    while (have < bytes) {
        ssize_t got = recv(socket, (char *)to + have, bytes - have, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return BROKEN;
        if (got == 0)
            return have == 0 ? CLOSED : BROKEN;
        have += (size_t)got;
    }
    return RECEIVED;
}

static bool send_all(int socket, const void *from, size_t bytes) {
    size_t sent = 0;
    while (sent < bytes) {
        ssize_t put = send(socket, (const char *)from + sent, bytes - sent, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        sent += (size_t)put;
    }
    return true;
}

static void answer(struct job *job) {
    const struct work_request *request = job->request;
    if (job->worker->refusal[0])
        job_fail(job, WORK_REFUSED, "%s", job->worker->refusal);
    else if (request->version != PROTOCOL_VERSION)
        job_fail(job, WORK_REFUSED, "The worker speaks version %d of the protocol and was asked in version %u.",
                 PROTOCOL_VERSION, request->version);
    else if (request->kind == WORK_SUM)
        answer_sum(job);
    else if (request->kind == WORK_COVERAGE)
        answer_coverage(job);
    else if (request->kind == WORK_TIME)
        answer_time(job);
    else
        job_fail(job, WORK_REFUSED, "The worker was asked for an unknown kind of work, %u.", request->kind);
}

static bool say_hello(const struct worker *worker) {
    struct work_reply hello = {.version = PROTOCOL_VERSION, .outcome = WORK_DONE};
    if (worker->refusal[0]) {
        hello.outcome = WORK_REFUSED;
        memcpy(hello.message, worker->refusal, sizeof hello.message);
    }
    return send_all(worker->socket, &hello, sizeof hello);
}

// True if the worker can take another request.
static bool serve_one(struct worker *worker, const struct work_request *request, int *exit_code) {
    struct work_reply reply = {.version = PROTOCOL_VERSION, .sequence = request->sequence};
    struct job job = {.worker = worker, .request = request, .reply = &reply};
    fault_watch(&reply);
    answer(&job);
    fflush(stdout); // before the answer: what a kernel printed belongs to it
    fault_watch(NULL);
    bool sent = send_all(worker->socket, &reply, sizeof reply) && send_all(worker->socket, job.payload, reply.payload);
    job_free(&job);
    *exit_code = sent ? 0 : WORKER_FAILED;
    return sent && !work_outcome_ends_worker(reply.outcome);
}

int worker_serve(struct worker *worker) {
    int exit_code = WORKER_FAILED;
    bool going = say_hello(worker);
    while (going) {
        struct work_request request;
        enum receipt receipt = receive_all(worker->socket, &request, sizeof request);
        exit_code = receipt == CLOSED ? 0 : WORKER_FAILED;
        going = receipt == RECEIVED && serve_one(worker, &request, &exit_code);
    }
    return exit_code;
}
