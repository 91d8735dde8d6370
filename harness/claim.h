// SPDX-License-Identifier: MIT
// The claims that a variant can make, as the bits of a set. A cell records which of them it tested and which it broke.
#ifndef REDUCTIO_CLAIM_H
#define REDUCTIO_CLAIM_H

#include "harness/protocol.h"

enum claim {
    CLAIM_SOUND, // made by every variant: runs to its end, inside its arrays, and adds each element once
    CLAIM_ACCURACY,
    CLAIM_SAME_BITS_RUN,
    CLAIM_SAME_BITS_SHAPE,
    CLAIM_SAME_BITS_PLACEMENT,
    CLAIM_SAME_BITS_ORDER,
    CLAIM_SAME_BITS_DEVICE,
    CLAIM_KEEPS_SUBNORMALS,
    CLAIM_NO_EARLY_OVERFLOW,
    CLAIM_SPECIALS,
    CLAIM_ALL_MINUS_ZERO,
    CLAIM_EMPTY,
    CLAIM_COUNT
};

typedef uint32_t claim_set; // bit 1 << claim

const char *claim_name(enum claim claim); // "accuracy", "same bits: run", ...
// What the card says of it, as a word: "height", "yes", "minus", "not claimed", ...
const char *claim_value(enum claim claim, const struct variant_card *card);
bool claim_is_made(enum claim claim, const struct variant_card *card);
// The name of an accuracy claim's bound: "height", "any order", ...
const char *accuracy_name(enum reductio_accuracy accuracy);

#endif
