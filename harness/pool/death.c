// SPDX-License-Identifier: MIT
// Workers that end, or have to be ended, and what is believed of it.
#include "harness/pool/slot.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

// Two exit codes are a worker's own, for where it, and not the variant, cannot go on.
static bool is_from_outside(int status) {
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return child_was_ended_from_outside(status) || code == WORKER_FAILED || code == WORKER_LOST;
}

void slot_bury_worker(struct slot *slot, bool unread) {
    // A worker that exits closes its socket a moment before it can be waited for; without this grace its own exit code
    // would be lost to our kill.
    bool ended = child_await_end(&slot->child, 0.5);
    slot_read_output(slot);
    int status = slot_end_worker(slot);
    char how[80] = "closed its connection", sentence[160];
    if (ended)
        child_describe_status(status, how, sizeof how);
    if (slot->state == SLOT_STARTING || unread) {
        slot_count_failed_start(slot, how);
        return;
    }
    snprintf(sentence, sizeof sentence, "The worker %s %s.", how,
             slot->received ? "in the middle of its answer" : "without an answer");
    slot_judge_death(slot, sentence, ended && is_from_outside(status));
}

static void try_second_worker(struct slot *slot, enum first_end end, const char *sentence) {
    slot->first = (struct first_worker){.end = end};
    snprintf(slot->first.sentence, sizeof slot->first.sentence, "%.300s", sentence);
    slot_replace_worker(slot);
}

// Adds what is known of a first worker to the sentence about the last.
static void tell_both(const struct slot *slot, const char *sentence, char *text) {
    const struct first_worker *first = &slot->first;
    if (first->end == FIRST_NONE)
        snprintf(text, BACKEND_MESSAGE, "%.500s", sentence);
    else if (first->end == FIRST_LATE)
        snprintf(text, BACKEND_MESSAGE, "%.500s One before it ran out of time.", sentence);
    else if (strcmp(first->sentence, sentence) == 0)
        snprintf(text, BACKEND_MESSAGE, "%.500s One before it ended the same way.", sentence);
    else
        snprintf(text, BACKEND_MESSAGE, "%.500s Of one before it: %s", sentence, first->sentence);
}

static void give_up_lost_item(struct slot *slot, const char *text) {
    char sentence[BACKEND_MESSAGE];
    snprintf(sentence, sizeof sentence, "%.900s Nothing shows that the row itself did it.", text);
    slot_answer(slot, WORK_LOST, sentence);
    if (++slot->losses < POOL_LOSS_TRIES) {
        slot_replace_worker(slot);
        return;
    }
    snprintf(sentence, sizeof sentence, "Not run: %d cells of this variant had lost their workers before.",
             POOL_LOSS_TRIES);
    slot_refuse_rest(slot, WORK_LOST, sentence);
}

void slot_judge_death(struct slot *slot, const char *sentence, bool from_outside) {
    slot->failed_starts = 0;
    if (from_outside && slot->first.end == FIRST_NONE) {
        try_second_worker(slot, FIRST_DIED, sentence);
        return;
    }
    char text[BACKEND_MESSAGE];
    tell_both(slot, sentence, text);
    if (from_outside) {
        give_up_lost_item(slot, text);
        return;
    }
    slot_answer(slot, WORK_CRASHED, text);
    slot_replace_worker(slot);
}

static void book_hang(struct slot *slot) {
    bool both = slot->first.end == FIRST_LATE;
    char sentence[160], text[BACKEND_MESSAGE];
    snprintf(sentence, sizeof sentence, "No answer within the limit of %g s; %s killed.", slot_item_limit(slot),
             both ? "the worker, and another after it, were" : "the worker was");
    if (both)
        snprintf(text, sizeof text, "%s", sentence);
    else
        tell_both(slot, sentence, text);
    slot_answer(slot, WORK_HUNG, text);
    if (++slot->hangs < POOL_HANG_TRIES) {
        slot_replace_worker(slot);
        return;
    }
    snprintf(sentence, sizeof sentence, "Not run: %d cells of this variant had hung before.", POOL_HANG_TRIES);
    slot_refuse_rest(slot, WORK_REFUSED, sentence);
}

void slot_end_late_worker(struct slot *slot) {
    slot_read_output(slot);
    slot_end_worker(slot);
    char sentence[160];
    if (slot->state == SLOT_STARTING) {
        snprintf(sentence, sizeof sentence, "said no hello within %g s", slot_start_limit(slot));
        slot_count_failed_start(slot, sentence);
        return;
    }
    // Stopped by somebody, or waiting for memory: it has not had its limit, so nothing is known of the item.
    if (!patience_was_had(&slot->patience)) {
        snprintf(sentence, sizeof sentence,
                 "The worker was kept from running for %d times its limit of %g s, and killed.", PATIENCE_MOST,
                 slot_item_limit(slot));
        slot_judge_death(slot, sentence, true);
        return;
    }
    slot->failed_starts = 0;
    // One worker that is late may be the machine's doing. Once a variant has hung for certain, it is believed at once.
    if (!slot->hangs && slot->first.end == FIRST_NONE) {
        try_second_worker(slot, FIRST_LATE, "");
        return;
    }
    // A first worker that was lost says nothing of the item, neither for it nor against it. This one had the whole
    // limit, in time that it computed or slept, and that is the item's own. No third is asked: each costs the limit
    // again.
    book_hang(slot);
}
