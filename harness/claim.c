// SPDX-License-Identifier: MIT
#include "harness/claim.h"

const char *claim_name(enum claim claim) {
    static const char *const names[CLAIM_COUNT] = {
        [CLAIM_SOUND] = "sound",
        [CLAIM_ACCURACY] = "accuracy",
        [CLAIM_SAME_BITS_RUN] = "same bits: run",
        [CLAIM_SAME_BITS_SHAPE] = "same bits: shape",
        [CLAIM_SAME_BITS_PLACEMENT] = "same bits: placement",
        [CLAIM_SAME_BITS_ORDER] = "same bits: order",
        [CLAIM_SAME_BITS_DEVICE] = "same bits: device",
        [CLAIM_KEEPS_SUBNORMALS] = "keeps subnormals",
        [CLAIM_NO_EARLY_OVERFLOW] = "no early overflow",
        [CLAIM_SPECIALS] = "specials",
        [CLAIM_ALL_MINUS_ZERO] = "all minus zero",
        [CLAIM_EMPTY] = "empty sum",
    };
    return names[claim];
}

const char *accuracy_name(enum reductio_accuracy accuracy) {
    static const char *const names[] = {
        [REDUCTIO_ACCURACY_NOT_CLAIMED] = "any order (not claimed)",
        [REDUCTIO_ANY_ORDER] = "any order",
        [REDUCTIO_HEIGHT] = "height",
        [REDUCTIO_KAHAN] = "Kahan",
        [REDUCTIO_COMPENSATED] = "compensated",
        [REDUCTIO_KAHAN_MERGED] = "Kahan, merged",
        [REDUCTIO_DOUBLE_WORD] = "double word",
        [REDUCTIO_WIDE] = "wide accumulator",
        [REDUCTIO_BINNED] = "binned, fold 3",
        [REDUCTIO_FAITHFUL] = "faithful",
        [REDUCTIO_CORRECTLY_ROUNDED] = "correctly rounded",
        [REDUCTIO_BINNED_NOT_CLAIMED] = "any order, published binned (neither claimed)",
    };
    return accuracy <= REDUCTIO_BINNED_NOT_CLAIMED ? names[accuracy] : "unknown";
}

static const char *answer_word(uint32_t answer) {
    return answer == REDUCTIO_YES ? "yes" : answer == REDUCTIO_NO ? "no" : "not claimed";
}

static uint32_t same_bits_member(enum claim claim) {
    return 1u << (claim - CLAIM_SAME_BITS_RUN); // in the order of enum reductio_same_bits
}

const char *claim_value(enum claim claim, const struct variant_card *card) {
    switch (claim) {
    case CLAIM_SOUND:
        return "always";
    case CLAIM_ACCURACY:
        return accuracy_name(card->accuracy);
    case CLAIM_KEEPS_SUBNORMALS:
        return answer_word(card->keeps_subnormals);
    case CLAIM_NO_EARLY_OVERFLOW:
        return card->may_overflow_early == REDUCTIO_NO    ? "yes"
               : card->may_overflow_early == REDUCTIO_YES ? "no"
                                                          : "not claimed";
    case CLAIM_SPECIALS:
        return answer_word(card->specials);
    case CLAIM_ALL_MINUS_ZERO:
        return card->all_minus_zero == REDUCTIO_MINUS  ? "minus zero"
               : card->all_minus_zero == REDUCTIO_PLUS ? "plus zero"
                                                       : "not claimed";
    case CLAIM_EMPTY:
        return card->empty == REDUCTIO_YES ? "plus zero" : answer_word(card->empty);
    default:
        return card->same_bits & same_bits_member(claim) ? "yes" : "not claimed";
    }
}

bool claim_is_made(enum claim claim, const struct variant_card *card) {
    switch (claim) {
    case CLAIM_SOUND:
        return true;
    case CLAIM_ACCURACY:
        return true; // without a claim of its own it is judged by the any-order bound, and its value says so
    case CLAIM_KEEPS_SUBNORMALS:
        return card->keeps_subnormals == REDUCTIO_YES;
    case CLAIM_NO_EARLY_OVERFLOW:
        return card->may_overflow_early == REDUCTIO_NO;
    case CLAIM_SPECIALS:
        return card->specials == REDUCTIO_YES;
    case CLAIM_ALL_MINUS_ZERO:
        return card->all_minus_zero != REDUCTIO_ZERO_UNSTATED;
    case CLAIM_EMPTY:
        return card->empty == REDUCTIO_YES;
    default:
        return (card->same_bits & same_bits_member(claim)) != 0;
    }
}
