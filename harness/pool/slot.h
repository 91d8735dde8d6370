// SPDX-License-Identifier: MIT
// One place of the pool: the queue that it works through, and the worker that serves it at the moment.
#ifndef REDUCTIO_POOL_SLOT_H
#define REDUCTIO_POOL_SLOT_H

#include "harness/pool/patience.h"
#include "harness/pool/pool.h"

// After so many workers in a row that never got as far as reading a request, the queue is given up.
enum { POOL_START_TRIES = 3 };

enum slot_state {
    SLOT_FREE,     // no queue
    SLOT_STARTING, // the worker has not said hello
    SLOT_ASKED,    // an item is with the worker
    SLOT_BLOCKED   // no process can be had for a worker; failure says why
};

// What befell a first worker on the item that is out, so that a second one is asked.
enum first_end { FIRST_NONE, FIRST_LATE, FIRST_DIED };

struct first_worker {
    enum first_end end;
    char sentence[320]; // of FIRST_DIED: how
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
    unsigned losses;        // items without an answer because workers were ended from outside
    struct first_worker first;
    unsigned long workers;  // that this slot has had; the number of the one that it has
    unsigned restarts;      // workers of this queue after the first
    bool restarted;         // the worker is one of them
    double started;         // when the worker was, monotonic
    double restart_seconds; // from starts to hellos, of the workers after the first
    double retry_at;        // when a blocked slot tries again, monotonic
    uint32_t sequence;      // of the request that is out
    bool doubtful;          // what the worker has answered leaves doubts about it
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

static inline bool slot_has_worker(const struct slot *slot) {
    return slot->state == SLOT_STARTING || slot->state == SLOT_ASKED;
}

void slot_take(struct slot *slot, const struct pool_queue *queue);
// Something arrived, or time has passed. Both may answer items, replace the worker, or free the slot.
void slot_read_output(struct slot *slot);
void slot_read_socket(struct slot *slot);
void slot_check_time(struct slot *slot);
// Tries again to start the worker of a blocked slot, if it is time to. The `last` try is made at once, and where it
// fails too, what is left of the queue cannot be run.
void slot_retry(struct slot *slot, bool last);
double slot_retry_pause(const struct slot *slot); // seconds until it is time to
// Ends the worker without answering.
void slot_stop(struct slot *slot);

// What is wrong with a hello; NULL if nothing is.
const char *hello_fault(const struct work_reply *hello);

// ---- between slot.c, start.c and death.c ----

// Answers the item that is out with a reply of the pool's own making.
void slot_answer(struct slot *slot, enum work_outcome outcome, const char *sentence);
int slot_end_worker(struct slot *slot); // returns its wait status
void slot_replace_worker(struct slot *slot);
// No worker will serve the rest of this queue: every item left gets outcome and reason.
void slot_refuse_rest(struct slot *slot, enum work_outcome outcome, const char *sentence);
// For a slot without a worker: it then awaits a hello, or is blocked, or its queue is given up.
void slot_start_worker(struct slot *slot);
void slot_count_failed_start(struct slot *slot, const char *how);
double slot_start_limit(const struct slot *slot);
double slot_item_limit(const struct slot *slot);

// The worker has ended, or closed its socket. `unread`: it never took the request that is out, so the item is not to
// blame.
void slot_bury_worker(struct slot *slot, bool unread);
// The worker, which is no more, has died over the item that is out, and the sentence says how. A death that comes from
// outside is never the item's, and a second worker is asked; any other is, at once: a second try would hide one that
// comes now and then.
void slot_judge_death(struct slot *slot, const char *sentence, bool from_outside);
void slot_end_late_worker(struct slot *slot);

#endif
