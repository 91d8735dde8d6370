// SPDX-License-Identifier: MIT
#include "harness/worker/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum receipt { RECEIVED, CLOSED, BROKEN };

// A descriptor that came along, otherwise -1.
static int received_descriptor(struct msghdr *message) {
    int fd = -1;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head; head = CMSG_NXTHDR(message, head))
        if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof fd))
            memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

static enum receipt receive_request(int socket, struct work_request *request, int *descriptor) {
    const size_t bytes = sizeof *request;
    size_t have = 0;
    *descriptor = -1;
    while (have < bytes) {
        union {
            struct cmsghdr head;
            char room[CMSG_SPACE(sizeof *descriptor)];
        } control;
        struct iovec part = {(char *)request + have, bytes - have};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
        ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR)
            continue;
        if (got > 0 && message.msg_controllen)
            *descriptor = received_descriptor(&message);
        if (got < 0)
            return BROKEN;
        if (got == 0)
            return have == 0 ? CLOSED : BROKEN;
        have += (size_t)got;
    }
    return RECEIVED;
}

static bool receive_all(int socket, void *to, size_t bytes) {
    ssize_t got;
    do
        got = recv(socket, to, bytes, MSG_WAITALL);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)bytes;
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
        job_fail(job, job->worker->unable, "%s", job->worker->refusal);
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
        hello.outcome = worker->unable;
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

static bool is_served(const struct worker *worker, const struct work_row *row) {
    return strcmp(worker->row.variant, row->variant) == 0 && strcmp(worker->row.type, row->type) == 0;
}

static bool change_errand(struct worker *worker, int data) {
    struct work_row row;
    if (!receive_all(worker->socket, &row, sizeof row))
        return false;
    if (!is_served(worker, &row))
        worker_take_row(worker, &row);
    worker_take_data(worker, data);
    if (data >= 0)
        close(data);
    return say_hello(worker);
}

int worker_serve(struct worker *worker) {
    int exit_code = WORKER_FAILED;
    bool going = say_hello(worker);
    while (going) {
        struct work_request request;
        int data;
        enum receipt receipt = receive_request(worker->socket, &request, &data);
        exit_code = receipt == CLOSED ? 0 : WORKER_FAILED;
        going = receipt == RECEIVED &&
                (request.kind == WORK_DATA ? change_errand(worker, data) : serve_one(worker, &request, &exit_code));
    }
    return exit_code;
}
