// SPDX-License-Identifier: MIT
#include "harness/pool/pool.h"

#include "harness/pool/slot.h"
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
    struct pollfd *fds;
    int *places;          // in fds: of each slot's socket and of its worker's output; -1: it has none
    double starved_since; // when the pool was first seen to have none but blocked slots, monotonic; negative: it has
                          // others
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

static size_t count_workers(const struct pool *pool) {
    size_t count = 0;
    for (size_t i = 0; i < pool->slot_count; i++)
        count += slot_has_worker(&pool->slots[i]);
    return count;
}

static bool any_blocked(const struct pool *pool) {
    for (size_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].state == SLOT_BLOCKED)
            return true;
    return false;
}

// A worker that ends makes room for another. Where there is none, only others of the machine can, and they mostly do so
// in a moment: what failed once is no reason to leave the rest of a queue unrun. All queues together wait but once.
static bool has_waited_enough(const struct pool *pool) {
    double limit = pool->options->starved_limit_seconds;
    return pool->starved_since >= 0 && count_workers(pool) == 0 &&
           monotonic_seconds() - pool->starved_since >= (limit > 0 ? limit : POOL_STARVED_SECONDS);
}

static void note_starvation(struct pool *pool) {
    if (count_workers(pool) || !any_blocked(pool))
        pool->starved_since = -1;
    else if (pool->starved_since < 0)
        pool->starved_since = monotonic_seconds();
}

static void retry_slots(struct pool *pool) {
    for (size_t i = 0; i < pool->slot_count && !is_interrupted(pool); i++)
        if (pool->slots[i].state == SLOT_BLOCKED)
            slot_retry(&pool->slots[i], has_waited_enough(pool));
}

static int sleep_milliseconds(const struct pool *pool) {
    double pause = longest_sleep;
    for (size_t i = 0; i < pool->slot_count; i++)
        if (slot_has_worker(&pool->slots[i]))
            pause = fmin(pause, patience_pause(&pool->slots[i].patience));
        else if (pool->slots[i].state == SLOT_BLOCKED)
            pause = fmin(pause, slot_retry_pause(&pool->slots[i]));
    return (int)(pause * 1000) + 1;
}

static int add_watched(struct pollfd *fds, size_t *count, int fd) {
    if (fd < 0)
        return -1;
    fds[*count] = (struct pollfd){.fd = fd, .events = POLLIN};
    return (int)(*count)++;
}

// Waits until a worker says something or time is over, then lets every slot go on. False if poll itself fails. It takes
// no more entries than there may be descriptors, so that closed ones have none.
static bool wait_and_serve(struct pool *pool) {
    size_t count = 0;
    for (size_t i = 0; i < pool->slot_count; i++) {
        const struct slot *slot = &pool->slots[i];
        bool at_work = slot_has_worker(slot);
        pool->places[2 * i] = add_watched(pool->fds, &count, at_work ? slot->socket : -1);
        pool->places[2 * i + 1] = add_watched(pool->fds, &count, at_work ? slot->child.output : -1);
    }
    int ready = poll(pool->fds, count, sleep_milliseconds(pool));
    if (ready < 0)
        return errno == EINTR;
    for (size_t i = 0; i < pool->slot_count && !is_interrupted(pool); i++) {
        struct slot *slot = &pool->slots[i];
        const int *place = &pool->places[2 * i];
        if (place[1] >= 0 && pool->fds[place[1]].revents)
            slot_read_output(slot);
        if (place[0] >= 0 && pool->fds[place[0]].revents)
            slot_read_socket(slot);
        slot_check_time(slot);
    }
    return true;
}

static enum pool_end serve_all(struct pool *pool, char *message) {
    for (;;) {
        retry_slots(pool);
        fill_slots(pool);
        if (is_interrupted(pool))
            return POOL_INTERRUPTED;
        if (!count_workers(pool) && !any_blocked(pool))
            return POOL_FINISHED;
        note_starvation(pool);
        if (!has_waited_enough(pool) && !wait_and_serve(pool)) {
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
                        .starved_since = -1,
                        .slot_count = jobs < queue_count ? jobs : queue_count};
    pool.slots = must_calloc(pool.slot_count, sizeof *pool.slots);
    pool.fds = must_calloc(2 * pool.slot_count, sizeof *pool.fds);
    pool.places = must_calloc(2 * pool.slot_count, sizeof *pool.places);
    for (size_t i = 0; i < pool.slot_count; i++)
        pool.slots[i] = (struct slot){.options = options, .done = done, .context = context, .socket = -1};
    message[0] = 0;
    enum pool_end end = serve_all(&pool, message);
    for (size_t i = 0; i < pool.slot_count; i++) {
        slot_stop(&pool.slots[i]);
        free(pool.slots[i].payload);
        free(pool.slots[i].output);
    }
    free(pool.slots);
    free(pool.taken);
    free(pool.fds);
    free(pool.places);
    return end;
}
