// SPDX-License-Identifier: MIT
#include "harness/pool/shelf.h"

#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void shelf_put(struct worker_shelf *shelf, const struct pool_queue *queue, const struct child *child, int socket) {
    shelf->workers = grow_array(shelf->workers, shelf->count, sizeof *shelf->workers);
    shelf->workers[shelf->count++] = (struct resting_worker){.child = *child,
                                                             .socket = socket,
                                                             .worker = must_copy_text(queue->worker),
                                                             .load = must_copy_text(queue->load),
                                                             .variant = must_copy_text(queue->variant),
                                                             .type = must_copy_text(queue->type),
                                                             .device = queue->device,
                                                             .sharing = queue->sharing};
}

static bool serves(const struct resting_worker *resting, const struct pool_queue *queue) {
    bool same_load =
        resting->load && queue->load ? strcmp(resting->load, queue->load) == 0 : resting->load == queue->load;
    bool same_row = strcmp(resting->variant, queue->variant) == 0 && strcmp(resting->type, queue->type) == 0;
    return same_load && strcmp(resting->worker, queue->worker) == 0 && resting->device == queue->device &&
           resting->sharing == queue->sharing && (same_row || queue->sharing);
}

// The descriptor travels with the request (unix(7), SCM_RIGHTS).
static bool send_data(int socket, const struct pool_queue *queue) {
    struct work_request request = {.version = PROTOCOL_VERSION, .kind = WORK_DATA};
    struct work_row row = {.variant = "", .type = ""};
    snprintf(row.variant, sizeof row.variant, "%s", queue->variant);
    snprintf(row.type, sizeof row.type, "%s", queue->type);
    struct iovec bytes[] = {{&request, sizeof request}, {&row, sizeof row}};
    const int data = queue->data;
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof data)];
    } control = {0};
    struct msghdr message = {
        .msg_iov = bytes, .msg_iovlen = 2, .msg_control = control.room, .msg_controllen = sizeof control.room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof data);
    memcpy(CMSG_DATA(head), &data, sizeof data);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)(sizeof request + sizeof row);
}

static void forget(struct worker_shelf *shelf, size_t index) {
    struct resting_worker *resting = &shelf->workers[index];
    free(resting->worker);
    free(resting->load);
    free(resting->variant);
    free(resting->type);
    *resting = shelf->workers[--shelf->count];
}

bool shelf_take(struct worker_shelf *shelf, const struct pool_queue *queue, struct child *child, int *socket) {
    for (size_t i = shelf->count; i-- > 0;) {
        if (queue->data < 0 || !serves(&shelf->workers[i], queue))
            continue;
        *child = shelf->workers[i].child;
        *socket = shelf->workers[i].socket;
        forget(shelf, i);
        if (send_data(*socket, queue))
            return true;
        close(*socket); // it ended while it rested
        child_end(child);
    }
    return false;
}

void shelf_close(struct worker_shelf *shelf) {
    while (shelf->count) {
        struct resting_worker *last = &shelf->workers[shelf->count - 1];
        close(last->socket);
        child_end(&last->child);
        forget(shelf, shelf->count - 1);
    }
    free(shelf->workers);
    *shelf = (struct worker_shelf){.shared_only = shelf->shared_only};
}
