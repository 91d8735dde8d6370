// SPDX-License-Identifier: MIT
#include "harness/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    bool numbered; // the word is followed by K
} NAMES[] = {
    [SCHEDULE_HARDWARE] = {"hw", false},
    [SCHEDULE_IN_ORDER] = {"inorder", false},
    [SCHEDULE_REVERSED] = {"reversed", false},
    [SCHEDULE_SEEDED] = {"seed", true},
    [SCHEDULE_ASCENDING] = {"ascending", false},
    [SCHEDULE_DESCENDING] = {"descending", false},
    [SCHEDULE_LAST_BLOCK] = {"lastblock", true},
    [SCHEDULE_LANES_APART] = {"apart", false},
    [SCHEDULE_BUSY] = {"busy", true},
    [SCHEDULE_DEVICE] = {"device", true},
};

void schedule_name(struct schedule schedule, char *text) {
    const char *word = NAMES[schedule.kind].word;
    if (NAMES[schedule.kind].numbered)
        snprintf(text, SCHEDULE_TEXT, "%s%" PRIu64, word, schedule.seed);
    else
        snprintf(text, SCHEDULE_TEXT, "%s", word);
}

// Digits only, without leading zeros: one schedule has one name.
static bool parse_number(const char *text, uint64_t *number) {
    if (strspn(text, "0123456789") != strlen(text) || !*text || (text[0] == '0' && text[1]))
        return false;
    errno = 0;
    *number = strtoull(text, NULL, 10);
    return errno == 0;
}

bool schedule_parse(const char *text, struct schedule *schedule) {
    for (uint32_t kind = 0; kind < sizeof NAMES / sizeof *NAMES; kind++) {
        size_t length = strlen(NAMES[kind].word);
        if (strncmp(text, NAMES[kind].word, length) != 0)
            continue;
        struct schedule found = {.kind = kind};
        if (NAMES[kind].numbered ? parse_number(text + length, &found.seed) : text[length] == 0) {
            *schedule = found;
            return true;
        }
    }
    return false;
}

bool schedule_is_real(struct schedule schedule) {
    return schedule.kind == SCHEDULE_HARDWARE || schedule.kind == SCHEDULE_BUSY || schedule.kind == SCHEDULE_DEVICE;
}
