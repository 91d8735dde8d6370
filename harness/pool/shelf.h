// SPDX-License-Identifier: MIT
// Workers at rest between one run of the pool and the next, so that a program that takes seconds to start does so once.
#ifndef REDUCTIO_POOL_SHELF_H
#define REDUCTIO_POOL_SHELF_H

#include "harness/pool/child.h"
#include "harness/pool/pool.h"

struct resting_worker {
    struct child child;
    int socket;
    char *worker, *load, *variant, *type; // what it serves
    int device;
    unsigned sharing;
};

struct worker_shelf {
    struct resting_worker *workers;
    size_t count;
    bool shared_only; // takes none but workers whose queue shares them
};

void shelf_put(struct worker_shelf *shelf, const struct pool_queue *queue, const struct child *child, int socket);
// Takes a worker that can serve what the queue asks for and hands it the queue's row and data; it answers with a hello,
// like one that was just started. False if there is none.
bool shelf_take(struct worker_shelf *shelf, const struct pool_queue *queue, struct child *child, int *socket);
void shelf_close(struct worker_shelf *shelf); // ends them all

#endif
