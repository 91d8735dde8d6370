// SPDX-License-Identifier: MIT
// What may be found in a cell. A cell holds a set; the first in this order heads it.
#ifndef REDUCTIO_FINDING_H
#define REDUCTIO_FINDING_H

#include <stdbool.h>
#include <stdint.h>

enum finding {
    FINDING_DID_NOT_RUN,
    FINDING_CRASHED,
    FINDING_HUNG,
    FINDING_MISUSED,
    FINDING_RACED,
    FINDING_OUT_OF_BOUNDS,
    FINDING_LOST_ELEMENTS,
    FINDING_DOUBLE_COUNTED,
    FINDING_WRONG_CLASS,
    FINDING_FLUSHED,
    FINDING_OVERFLOWED_EARLY,
    FINDING_BEYOND_BOUND,
    FINDING_VARIED, // although it claims not to
    // The good ones.
    FINDING_CORRECTLY_ROUNDED,
    FINDING_FAITHFUL,
    FINDING_WITHIN_BOUND,
    FINDING_VARIES_AS_CLAIMED,
    FINDING_BOUND_SAYS_NOTHING, // bound >= |s|: never counted as a pass of accuracy
    FINDING_NOT_CHECKED,        // the detector that was asked cannot see here: neither a fault nor a pass
    FINDING_COUNT
};

typedef uint32_t finding_set; // bit 1 << finding

const char *finding_word(enum finding finding); // "did not run", "lost elements", ...
bool finding_parse(const char *word, enum finding *finding);
bool finding_is_bad(enum finding finding);
enum finding finding_head(finding_set set); // first of a non-empty set

// The status of a claim.
enum claim_status { CLAIM_NOT_CLAIMED, CLAIM_HELD, CLAIM_BROKEN, CLAIM_KNOWN, CLAIM_NOT_TESTED };
const char *claim_status_word(enum claim_status status); // "not claimed", "held", "broken", "known", "not tested"

// The detectors that are builds of the emulator of their own, each a backend of its name: "tsan" and "asan".
enum { SANITIZERS = 2 };
extern const char *const sanitizer_names[SANITIZERS];
bool is_sanitizer(const char *name); // of a detector or a backend
// Where a fault that `detector` is to catch must be caught: on the build of that sanitizer, otherwise on the plain
// ones.
bool fault_is_at_home(const char *backend, const char *detector);

#endif
