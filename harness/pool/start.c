// SPDX-License-Identifier: MIT
// How a slot comes by a worker: a rested one, a new process, or a reason why there is none.
#include "harness/pool/shelf.h"
#include "harness/pool/slot.h"
#include "harness/support.h"
#include "text/foreign_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const double retry_pause = 0.1; // seconds

// The machine has no process, or this one no descriptor, for a worker; when another worker ends, it may have.
static void block(struct slot *slot, const char *sentence) {
    snprintf(slot->failure, sizeof slot->failure, "%s", sentence);
    slot->retry_at = monotonic_seconds() + retry_pause;
    slot->state = SLOT_BLOCKED;
}

// The first line of what a worker printed before it died at its start is most likely the reason ("error while loading
// shared libraries").
void slot_count_failed_start(struct slot *slot, const char *how) {
    slot->failed_starts++;
    if (slot->failed_starts < POOL_START_TRIES) {
        slot_start_worker(slot);
        return;
    }
    int line = 0;
    while ((size_t)line < slot->output_bytes && line < 300 && slot->output[line] != '\n')
        line++;
    text_clean(slot->output, (size_t)line);
    char sentence[BACKEND_MESSAGE];
    snprintf(sentence, sizeof sentence, "The worker %.300s %s, %d times in a row before it read a request%s%.*s%s",
             slot->queue->worker, how, POOL_START_TRIES, line ? ", and said \"" : ".", line, slot->output,
             line ? "\"." : "");
    slot_refuse_rest(slot, WORK_NOT_POSSIBLE, sentence);
}

static bool open_socket(struct slot *slot, int *theirs) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return false;
    int flags = fcntl(pair[0], F_GETFL);
    if (flags < 0 || fcntl(pair[0], F_SETFL, flags | O_NONBLOCK) != 0) {
        int error = errno;
        close(pair[0]);
        close(pair[1]);
        errno = error;
        return false;
    }
    slot->socket = pair[0];
    *theirs = pair[1];
    return true;
}

double slot_start_limit(const struct slot *slot) {
    return slot->queue->start_limit_seconds > 0 ? slot->queue->start_limit_seconds : slot->options->start_limit_seconds;
}

static void await_hello(struct slot *slot) {
    slot->received = 0;
    slot->output_bytes = 0;
    slot->output_cut = false;
    slot->state = SLOT_STARTING;
    slot->doubtful = false;
    slot->workers++;
    slot->started = monotonic_seconds();
    patience_begin(&slot->patience, slot_start_limit(slot));
}

static bool take_rested_worker(struct slot *slot) {
    struct worker_shelf *shelf = slot->options->shelf;
    if (!shelf || slot->first.end != FIRST_NONE || !shelf_take(shelf, slot->queue, &slot->child, &slot->socket))
        return false;
    await_hello(slot);
    return true;
}

// Starts an executable as the queue's worker, with our end of its socket in the slot.
static enum child_start execute_worker(struct slot *slot, char *message) {
    const struct pool_queue *queue = slot->queue;
    int theirs;
    if (!open_socket(slot, &theirs)) {
        snprintf(message, CHILD_MESSAGE, "Cannot open a socket to a worker: %s.", strerror(errno));
        return CHILD_NOT_POSSIBLE;
    }
    char socket_text[16], data_text[16], device_text[16];
    snprintf(socket_text, sizeof socket_text, "%d", theirs);
    snprintf(data_text, sizeof data_text, "%d", queue->data);
    snprintf(device_text, sizeof device_text, "%d", queue->device);
    char *argv[] = {(char *)queue->worker,
                    "--serve",
                    (char *)queue->variant,
                    (char *)queue->type,
                    "--socket",
                    socket_text,
                    "--data",
                    data_text,
                    "--device",
                    device_text,
                    queue->load ? "--load" : NULL,
                    (char *)queue->load,
                    NULL};
    int inherit[] = {theirs, queue->data};
    enum child_start start = child_start(&slot->child, argv, NULL, inherit, queue->data >= 0 ? 2 : 1, false, message);
    close(theirs);
    if (start == CHILD_STARTED)
        return start;
    close(slot->socket);
    slot->socket = -1;
    return start;
}

void slot_start_worker(struct slot *slot) {
    char message[CHILD_MESSAGE];
    if (take_rested_worker(slot))
        return;
    enum child_start start = execute_worker(slot, message);
    struct worker_shelf *shelf = slot->options->shelf;
    if (start == CHILD_NOT_POSSIBLE && shelf && shelf->count) { // whose workers are in the way
        shelf_close(shelf);
        start = execute_worker(slot, message);
    }
    if (start == CHILD_STARTED)
        await_hello(slot);
    else if (start == CHILD_NOT_EXECUTABLE)
        slot_refuse_rest(slot, WORK_NOT_POSSIBLE, message);
    else
        block(slot, message);
}

double slot_retry_pause(const struct slot *slot) {
    double left = slot->retry_at - monotonic_seconds();
    return left > 0 ? left : 0;
}

void slot_retry(struct slot *slot, bool last) {
    if (last || slot_retry_pause(slot) == 0)
        slot_start_worker(slot);
    if (last && slot->state == SLOT_BLOCKED)
        slot_refuse_rest(slot, WORK_NOT_POSSIBLE, slot->failure);
}
