// SPDX-License-Identifier: MIT
// Runs queues of requests on worker processes, several side by side. Whatever a worker does (crash, hang, answer
// nonsense, print for ever) becomes a reply on the one item that it was working on; it is replaced and its queue goes
// on.
#ifndef REDUCTIO_POOL_H
#define REDUCTIO_POOL_H

#include "harness/protocol.h"

#include <signal.h>

struct pool_item {
    struct work_request request; // version and sequence are filled in by the pool
    size_t tag;                  // the caller's own
};

// What one variant of one type is asked, in order. Everything pointed to must outlive pool_run.
struct pool_queue {
    const char *worker;  // path of the executable
    const char *load;    // what it is told to load; NULL: nothing
    const char *backend; // "host", "simt", "cuda", "exec"
    const char *variant, *type;
    int device; // number of the GPU, where the backend has any
    int data;   // sealed memory file that the requests' data_offset counts in; -1: none, for coverage maps alone
    const struct pool_item *items;
    size_t item_count;
    double start_limit_seconds; // for its workers; 0: that of the options
    double limit_seconds;       // for each item; 0: that of the options
    // Queues of one executable with the same number here may use one another's workers, if the options have a shelf. A
    // worker that gave anything but sums is not handed on. 0: this row's alone.
    unsigned sharing;
};

struct worker_shelf; // shelf.h

struct pool_options {
    unsigned jobs;                            // workers at a time; 0 counts as 1
    double limit_seconds;                     // for one item, of the time that its worker had (patience.h)
    double start_limit_seconds;               // from exec to the worker's hello: a CUDA context can take seconds
    double restart_limit_seconds;             // that a queue may spend on starting workers anew; 0: a default
    double starved_limit_seconds;             // that the machine may have no room for a first worker; 0: a default
    const char *exclusive_backend;            // one worker of it at a time ("cuda"); NULL: none
    const volatile sig_atomic_t *interrupted; // becomes non-zero to stop; may be NULL
    struct worker_shelf
        *shelf; // keeps the workers of queues that are done, for later queues and runs; NULL: they are ended
};

enum { POOL_OUTPUT_LIMIT = 64 * 1024 };
// An item whose worker ran out of time is tried again in a fresh one before it counts as hung, unless an item of its
// queue has hung before. After so many that did, the rest is refused unrun: each would cost the whole limit. A worker
// that was kept from running hangs nothing.
enum { POOL_HANG_TRIES = 3 };
// An item whose worker was ended, or kept from running, from outside is tried again in a fresh one, too. After so many
// items that lost both workers to a kill from outside, the rest is not run.
enum { POOL_LOSS_TRIES = 3 };
// A worker that takes seconds to start and crashes on every item would cost them on each: after so long spent on new
// starts in one queue, the rest is not run, and counts as no finding: it would be one of how fast the machine is.
enum { POOL_RESTART_SECONDS = 120 };
// No process or descriptor can be had for a single worker: another program may be done with its own in a moment. After
// so long the rest is not run.
enum { POOL_STARVED_SECONDS = 5 };

// What became of one item. All pointers are valid during the call alone.
struct pool_answer {
    const struct pool_queue *queue;
    const struct pool_item *item;
    // From the worker, or made by the pool: WORK_HUNG (time limit), WORK_CRASHED (ended, or talked nonsense, over this
    // item), WORK_LOST (its workers were ended, or kept from running, from outside), WORK_NOT_POSSIBLE (no worker could
    // be started), WORK_REFUSED (given up after others of its queue that hung), WORK_NOT_CHECKED (after others that its
    // workers ended over, for the time that new ones take), each with a sentence.
    const struct work_reply *reply;
    bool from_worker;        // the reply is the worker's own
    bool first_late;         // it is a second worker's: the first had run out of time
    const char *first_death; // it is a second worker's: how the first had died; NULL: it did not
    const void *payload;     // reply->payload bytes: struct work_run or multiplicities
    const char *output;      // what the worker printed meanwhile, at most POOL_OUTPUT_LIMIT bytes; not terminated
    size_t output_bytes;
    bool output_cut; // it printed more
};

typedef void pool_done(void *context, const struct pool_answer *answer);

enum pool_end {
    POOL_FINISHED,    // every item was answered
    POOL_INTERRUPTED, // stopped early; the items that were not answered were not run
    POOL_FAILED       // the pool itself failed; message says how
};

// Calls done once for each item, in the order of its queue, queues interleaved, all from the calling thread. The thread
// must stay alive until it returns: workers die with it. On return no worker is left but on the shelf. message:
// BACKEND_MESSAGE bytes.
enum pool_end pool_run(const struct pool_queue *queues, size_t queue_count, const struct pool_options *options,
                       pool_done *done, void *context, char *message);

// Checks a whole reply against its request; NULL if it makes sense, otherwise what is wrong with it.
const char *pool_reply_fault(const struct work_request *request, const struct work_reply *reply);

#endif
