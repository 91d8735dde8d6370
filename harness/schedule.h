// SPDX-License-Identifier: MIT
// In which order the emulator lets blocks and threads go on; the same schedule gives the same bits, for ever. A real
// machine has an order of its own: what can be chosen there is how busy it is and which one it is.
#ifndef REDUCTIO_SCHEDULE_H
#define REDUCTIO_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum schedule_kind {
    SCHEDULE_HARDWARE,    // "hw": whatever a real machine does
    SCHEDULE_IN_ORDER,    // "inorder": blocks and threads ascending, one block at a time
    SCHEDULE_REVERSED,    // "reversed": blocks and threads descending
    SCHEDULE_SEEDED,      // "seedK": several resident blocks, every choice drawn from K
    SCHEDULE_ASCENDING,   // "ascending": pending float atomics by ascending magnitude
    SCHEDULE_DESCENDING,  // "descending": by descending magnitude
    SCHEDULE_LAST_BLOCK,  // "lastblockK": block K runs after all others
    SCHEDULE_LANES_APART, // "apart": lanes of a warp as far from lockstep as barriers allow
    SCHEDULE_BUSY,        // "busyK": a real machine, K % of whose multiprocessors something else keeps occupied
    SCHEDULE_DEVICE       // "deviceK": GPU number K, where other cells run on the one that was chosen
};

struct schedule {
    uint32_t kind; // enum schedule_kind
    uint32_t reserved;
    uint64_t seed; // K
};

enum { SCHEDULE_TEXT = 32 };
void schedule_name(struct schedule schedule, char *text);
bool schedule_parse(const char *text, struct schedule *schedule);
// Whether only a real machine can follow it, and not the emulator.
bool schedule_is_real(struct schedule schedule);

#ifdef __cplusplus
}
#endif
#endif
