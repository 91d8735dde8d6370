// SPDX-License-Identifier: MIT
#include "harness/pool/slot.h"

#include "harness/pool/shelf.h"
#include "harness/support.h"
#include "text/foreign_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// ---- answers ----

static void hand_over(struct slot *slot, const struct work_reply *reply, bool from_worker) {
    struct pool_answer answer = {.queue = slot->queue,
                                 .item = &slot->queue->items[slot->next],
                                 .reply = reply,
                                 .from_worker = from_worker,
                                 .first_late = slot->first.end == FIRST_LATE,
                                 .first_death = slot->first.end == FIRST_DIED ? slot->first.sentence : NULL,
                                 .payload = slot->payload,
                                 .output = slot->output,
                                 .output_bytes = slot->output_bytes,
                                 .output_cut = slot->output_cut};
    slot->next++;
    slot->done(slot->context, &answer);
    slot->first = (struct first_worker){.end = FIRST_NONE};
    slot->output_bytes = 0;
    slot->output_cut = false;
}

void slot_answer(struct slot *slot, enum work_outcome outcome, const char *sentence) {
    struct work_reply reply = {.version = PROTOCOL_VERSION, .outcome = outcome, .sequence = slot->sequence};
    snprintf(reply.message, sizeof reply.message, "%s", sentence);
    hand_over(slot, &reply, false);
}

int slot_end_worker(struct slot *slot) {
    int status = child_end(&slot->child);
    close(slot->socket);
    slot->socket = -1;
    return status;
}

// What is known of an item over which one worker has ended and no second one can be asked.
static void answer_for_first_worker(struct slot *slot) {
    char sentence[BACKEND_MESSAGE];
    if (slot->first.end == FIRST_LATE)
        slot_answer(slot, WORK_HUNG, "No answer within the limit; no second worker was started.");
    if (slot->first.end != FIRST_DIED)
        return;
    slot->losses++;
    snprintf(sentence, sizeof sentence, "%s No second worker was started.", slot->first.sentence);
    slot_answer(slot, WORK_LOST, sentence);
}

void slot_refuse_rest(struct slot *slot, enum work_outcome outcome, const char *sentence) {
    answer_for_first_worker(slot);
    while (slot->next < slot->queue->item_count)
        slot_answer(slot, outcome, sentence);
    slot->state = SLOT_FREE;
}

static bool restarts_cost_too_much(struct slot *slot) {
    double limit = slot->options->restart_limit_seconds;
    return slot->restart_seconds > (limit > 0 ? limit : POOL_RESTART_SECONDS);
}

void slot_replace_worker(struct slot *slot) {
    if (slot->next == slot->queue->item_count) {
        slot->state = SLOT_FREE;
    } else if (restarts_cost_too_much(slot)) {
        char sentence[160];
        snprintf(sentence, sizeof sentence, "Not run: starting its worker anew after %u ends had taken %.3g s.",
                 slot->restarts, slot->restart_seconds);
        slot_refuse_rest(slot, slot->losses ? WORK_LOST : WORK_NOT_CHECKED, sentence);
    } else {
        slot_start_worker(slot);
    }
}

void slot_take(struct slot *slot, const struct pool_queue *queue) {
    slot->queue = queue;
    slot->next = 0;
    slot->failed_starts = slot->hangs = slot->losses = slot->restarts = 0;
    slot->first = (struct first_worker){.end = FIRST_NONE};
    slot->restarted = false;
    slot->restart_seconds = 0;
    if (!slot->output)
        slot->output = must_calloc(POOL_OUTPUT_LIMIT, 1);
    slot_replace_worker(slot);
}

void slot_stop(struct slot *slot) {
    if (slot_has_worker(slot))
        slot_end_worker(slot);
    slot->state = SLOT_FREE;
}

// ---- the conversation ----

static void rest_or_end_worker(struct slot *slot) {
    struct worker_shelf *shelf = slot->options->shelf;
    if (!shelf || (slot->queue->sharing ? slot->doubtful : shelf->shared_only)) {
        slot_end_worker(slot);
        return;
    }
    shelf_put(shelf, slot->queue, &slot->child, slot->socket);
    slot->socket = -1;
}

double slot_item_limit(const struct slot *slot) {
    return slot->queue->limit_seconds > 0 ? slot->queue->limit_seconds : slot->options->limit_seconds;
}

static void ask_next(struct slot *slot) {
    if (slot->next == slot->queue->item_count) {
        rest_or_end_worker(slot);
        slot->state = SLOT_FREE;
        return;
    }
    slot->request = slot->queue->items[slot->next].request;
    slot->request.version = PROTOCOL_VERSION;
    slot->request.sequence = ++slot->sequence;
    slot->received = 0;
    slot->state = SLOT_ASKED;
    patience_begin(&slot->patience, slot_item_limit(slot));
    // One small struct into an empty socket: it goes in one piece or the worker is gone.
    ssize_t sent = send(slot->socket, &slot->request, sizeof slot->request, MSG_NOSIGNAL);
    if (sent != (ssize_t)sizeof slot->request)
        slot_bury_worker(slot, true);
}

static void take_hello(struct slot *slot) {
    const char *fault = hello_fault(&slot->reply);
    if (slot->restarted) {
        slot->restarts++;
        slot->restart_seconds += monotonic_seconds() - slot->started;
    }
    slot->restarted = true;
    if (fault || slot->reply.outcome != WORK_DONE) {
        slot_read_output(slot);
        slot_end_worker(slot);
    }
    if (fault)
        slot_count_failed_start(slot, fault);
    else if (slot->reply.outcome != WORK_DONE)
        slot_refuse_rest(slot, (enum work_outcome)slot->reply.outcome, slot->reply.message);
    else
        ask_next(slot);
}

static void reject_answer(struct slot *slot, const char *fault) {
    char sentence[160];
    snprintf(sentence, sizeof sentence, "The worker's answer makes no sense: %s.", fault);
    slot_read_output(slot);
    slot_end_worker(slot);
    slot_judge_death(slot, sentence, false);
}

static void take_answer(struct slot *slot) {
    char extra;
    if (recv(slot->socket, &extra, 1, MSG_PEEK | MSG_DONTWAIT) > 0) {
        reject_answer(slot, "more bytes follow than it announced");
        return;
    }
    slot_read_output(slot); // the worker flushes before it answers
    slot->failed_starts = 0;
    bool ends = work_outcome_ends_worker(slot->reply.outcome);
    slot->doubtful |= !work_outcome_leaves_no_doubt(slot->reply.outcome);
    if (ends)
        slot_end_worker(slot);
    if (slot->reply.outcome == WORK_LOST) {
        slot_judge_death(slot, slot->reply.message, true);
        return;
    }
    hand_over(slot, &slot->reply, true);
    if (ends)
        slot_replace_worker(slot);
    else
        ask_next(slot);
}

// The header of a reply is complete: checks it and makes room for what follows. False if the slot moved on.
static bool take_header(struct slot *slot) {
    text_clean(slot->reply.message, strnlen(slot->reply.message, sizeof slot->reply.message));
    if (slot->state == SLOT_STARTING) {
        take_hello(slot);
        return false;
    }
    const char *fault = pool_reply_fault(&slot->request, &slot->reply);
    if (fault) {
        reject_answer(slot, fault);
        return false;
    }
    if (slot->reply.payload > slot->payload_room) {
        slot->payload = must_realloc(slot->payload, slot->reply.payload, 1);
        slot->payload_room = slot->reply.payload;
    }
    return true;
}

void slot_read_socket(struct slot *slot) {
    const size_t header = sizeof slot->reply;
    for (;;) {
        bool in_header = slot->received < header;
        unsigned char *to =
            in_header ? (unsigned char *)&slot->reply + slot->received : slot->payload + (slot->received - header);
        size_t wanted = in_header ? header - slot->received : header + slot->reply.payload - slot->received;
        ssize_t got = recv(slot->socket, to, wanted, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        if (got <= 0) { // ECONNRESET: it ended with our request unread (unix(7) sockets report just that)
            slot_bury_worker(slot, got < 0);
            return;
        }
        slot->received += (size_t)got;
        if (in_header && slot->received == header && !take_header(slot))
            return;
        if (slot->received >= header && slot->received == header + slot->reply.payload) {
            take_answer(slot);
            return;
        }
    }
}

// Keeps the first POOL_OUTPUT_LIMIT bytes and drops the rest. Reads a bounded amount, so that a worker that prints for
// ever cannot hold the pool.
void slot_read_output(struct slot *slot) {
    char piece[16384];
    for (int pieces = 0; pieces < 64 && slot->child.output >= 0; pieces++) {
        ssize_t got = read(slot->child.output, piece, sizeof piece);
        if (got < 0)
            return;
        if (got == 0) {
            close(slot->child.output);
            slot->child.output = -1;
            return;
        }
        size_t room = POOL_OUTPUT_LIMIT - slot->output_bytes;
        size_t kept = (size_t)got < room ? (size_t)got : room;
        memcpy(slot->output + slot->output_bytes, piece, kept);
        slot->output_bytes += kept;
        slot->output_cut = slot->output_cut || kept < (size_t)got;
    }
}

// What arrived while nobody looked is in time.
static void end_unless_answered(struct slot *slot) {
    unsigned long late = slot->workers;
    uint32_t sequence = slot->sequence;
    enum slot_state state = slot->state;
    slot_read_socket(slot);
    if (slot->state == state && slot->sequence == sequence && slot->workers == late)
        slot_end_late_worker(slot);
}

void slot_check_time(struct slot *slot) {
    if (!slot_has_worker(slot))
        return;
    // Seen also where a grandchild keeps the socket open. What it wrote before its end is read first.
    if (child_has_ended(&slot->child)) {
        unsigned long ended = slot->workers;
        bool starting = slot->state == SLOT_STARTING;
        uint32_t sequence = slot->sequence;
        slot_read_socket(slot);
        // An item that was sent only now, after a last answer, has been read by nobody.
        if (slot_has_worker(slot) && slot->workers == ended)
            slot_bury_worker(slot, starting || slot->sequence != sequence);
    } else if (patience_is_over(&slot->patience, &slot->child))
        end_unless_answered(slot);
}
