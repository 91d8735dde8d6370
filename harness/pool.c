// SPDX-License-Identifier: MIT
#include "harness/pool.h"

#include "harness/pool_slot.h"
#include "harness/support.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How long the loop may sleep at most: bounds how late an interrupt that falls between its check and the sleep is
// noticed, and the death of a worker whose socket a grandchild keeps open.
static const double longest_sleep = 0.25;

struct pool {
    const struct pool_queue *queues;
    size_t queue_count;
    bool *taken; // one for each queue
    const struct pool_options *options;
    struct slot *slots;
    size_t slot_count;
};

static bool is_interrupted(const struct pool *pool) {
    return pool->options->interrupted && *pool->options->interrupted;
}

static bool is_exclusive(const struct pool *pool, const struct pool_queue *queue) {
    return pool->options->exclusive_backend && strcmp(queue->backend, pool->options->exclusive_backend) == 0;
}

static bool exclusive_is_busy(const struct pool *pool) {
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].state != SLOT_FREE && is_exclusive(pool, pool->slots[i].queue))
            return true;
    return false;
}

// The next queue that may start now, or NULL.
static const struct pool_queue *next_queue(struct pool *pool) {
    bool busy = exclusive_is_busy(pool);
    for (size_t i = 0; i < pool->queue_count; i++)
        if (!pool->taken[i] && !(busy && is_exclusive(pool, &pool->queues[i]))) {
            pool->taken[i] = true;
            return &pool->queues[i];
        }
    return NULL;
}

static void fill_slots(struct pool *pool) {
    for (size_t i = 0; i < pool->slot_count; i++) {
        const struct pool_queue *queue;
        // A queue may be over at once: empty, or its worker cannot be executed.
        while (pool->slots[i].state == SLOT_FREE && !is_interrupted(pool) && (queue = next_queue(pool)))
            slot_take(&pool->slots[i], queue);
    }
}

static bool any_at_work(const struct pool *pool) {
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].state != SLOT_FREE)
            return true;
    return false;
}

static const struct slot *failed_slot(const struct pool *pool) {
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].state == SLOT_FAILED)
            return &pool->slots[i];
    return NULL;
}

static int sleep_milliseconds(const struct pool *pool) {
    double pause = longest_sleep;
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].state != SLOT_FREE)
            pause = fmin(pause, patience_pause(&pool->slots[i].patience));
    return (int)(pause * 1000) + 1;
}

// Waits until a worker says something or time is over, then lets every slot go on. False if poll itself fails.
static bool wait_and_serve(struct pool *pool, struct pollfd *fds) {
    for (size_t i = 0; i < pool->slot_count; i++) {
        const struct slot *slot = &pool->slots[i];
        bool at_work = slot->state != SLOT_FREE;
        fds[2 * i] = (struct pollfd){.fd = at_work ? slot->socket : -1, .events = POLLIN};
        fds[2 * i + 1] = (struct pollfd){.fd = at_work ? slot->child.output : -1, .events = POLLIN};
    }
    int ready = poll(fds, 2 * pool->slot_count, sleep_milliseconds(pool));
    if (ready < 0)
        return errno == EINTR;
    for (size_t i = 0; i < pool->slot_count && !is_interrupted(pool); i++) {
        struct slot *slot = &pool->slots[i];
        if (fds[2 * i + 1].revents)
            slot_read_output(slot);
        if (fds[2 * i].revents)
            slot_read_socket(slot);
        slot_check_time(slot);
    }
    return true;
}

static enum pool_end serve_all(struct pool *pool, struct pollfd *fds, char *message) {
    for (;;) {
        fill_slots(pool);
        const struct slot *failed = failed_slot(pool);
        if (failed) {
            snprintf(message, BACKEND_MESSAGE, "%s", failed->failure);
            return POOL_FAILED;
        }
        if (is_interrupted(pool))
            return POOL_INTERRUPTED;
        if (!any_at_work(pool))
            return POOL_FINISHED;
        if (!wait_and_serve(pool, fds)) {
            snprintf(message, BACKEND_MESSAGE, "Cannot wait for the workers: %s.", strerror(errno));
            return POOL_FAILED;
        }
    }
}

enum pool_end pool_run(const struct pool_queue *queues, size_t queue_count, const struct pool_options *options,
                       pool_done *done, void *context, char *message) {
    size_t jobs = options->jobs ? options->jobs : 1;
    struct pool pool = {.queues = queues,
                        .queue_count = queue_count,
                        .taken = must_calloc(queue_count, sizeof(bool)),
                        .options = options,
                        .slot_count = jobs < queue_count ? jobs : queue_count};
    pool.slots = must_calloc(pool.slot_count, sizeof *pool.slots);
    struct pollfd *fds = must_calloc(2 * pool.slot_count, sizeof *fds);
    for (size_t i = 0; i < pool.slot_count; i++)
        pool.slots[i] = (struct slot){.options = options, .done = done, .context = context, .socket = -1};
    message[0] = 0;
    enum pool_end end = serve_all(&pool, fds, message);
    for (size_t i = 0; i < pool.slot_count; i++) {
        slot_stop(&pool.slots[i]);
        free(pool.slots[i].payload);
        free(pool.slots[i].output);
    }
    free(pool.slots);
    free(pool.taken);
    free(fds);
    return end;
}
