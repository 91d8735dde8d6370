// SPDX-License-Identifier: MIT
// One place of the pool: the queue that it works through, and the worker that serves it at the moment.
#ifndef REDUCTIO_POOL_SLOT_H
#define REDUCTIO_POOL_SLOT_H

#include "harness/patience.h"
#include "harness/pool.h"

// After so many workers in a row that never got as far as reading a request, the queue is given up.
enum { POOL_START_TRIES = 3 };

enum slot_state {
    SLOT_FREE,     // no queue
    SLOT_STARTING, // the worker has not said hello
    SLOT_ASKED,    // an item is with the worker
    SLOT_FAILED    // the pool itself cannot go on; failure says why
};

struct slot {
    enum slot_state state;
    const struct pool_queue *queue;
    const struct pool_options *options;
    pool_done *done;
    void *context;
    size_t next;            // first item of the queue without an answer
    unsigned failed_starts; // in a row
    unsigned hangs;         // items of this queue that hung
    bool second_try;        // a worker before this one ran out of time on the item that is out
    unsigned restarts;      // workers of this queue after the first
    double started;         // when the worker was, monotonic
    double restart_seconds; // from starts to hellos, of the workers after the first
    uint32_t sequence;      // of the request that is out
    bool doubtful;          // the worker has answered something else than sums
    struct child child;
    int socket;               // ours, non-blocking
    struct patience patience; // with the hello or the answer
    struct work_request request;
    struct work_reply reply; // being received
    size_t received;         // bytes of reply and payload so far
    unsigned char *payload;
    size_t payload_room;
    char *output; // POOL_OUTPUT_LIMIT bytes
    size_t output_bytes;
    bool output_cut;
    char failure[BACKEND_MESSAGE];
};

void slot_take(struct slot *slot, const struct pool_queue *queue);
// Something arrived, or time has passed. Both may answer items, replace the worker, or free the slot.
void slot_read_output(struct slot *slot);
void slot_read_socket(struct slot *slot);
void slot_check_time(struct slot *slot);
// Ends the worker without answering.
void slot_stop(struct slot *slot);

// What is wrong with a hello; NULL if nothing is.
const char *hello_fault(const struct work_reply *hello);

#endif
