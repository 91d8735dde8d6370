// SPDX-License-Identifier: MIT
// In which order the emulator lets blocks and threads go on. The same schedule gives the same bits, for ever.
#ifndef REDUCTIO_SCHEDULE_H
#define REDUCTIO_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum schedule_kind {
    SCHEDULE_HARDWARE,   // "hw": whatever a real machine does
    SCHEDULE_IN_ORDER,   // "inorder": blocks and threads ascending, one block at a time
    SCHEDULE_REVERSED,   // "reversed": blocks and threads descending
    SCHEDULE_SEEDED,     // "seedK": several resident blocks, every choice drawn from K
    SCHEDULE_ASCENDING,  // "ascending": pending float atomics by ascending magnitude
    SCHEDULE_DESCENDING, // "descending": by descending magnitude
    SCHEDULE_LAST_BLOCK, // "lastblockK": block K runs after all others
    SCHEDULE_LANES_APART // "apart": lanes of a warp as far from lockstep as barriers allow
};

struct schedule {
    uint32_t kind; // enum schedule_kind
    uint32_t reserved;
    uint64_t seed; // K
};

enum { SCHEDULE_TEXT = 32 };
void schedule_name(struct schedule schedule, char *text);
bool schedule_parse(const char *text, struct schedule *schedule);

#ifdef __cplusplus
}
#endif
#endif
