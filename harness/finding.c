// SPDX-License-Identifier: MIT
#include "harness/finding.h"

#include <stddef.h>
#include <string.h>

static const char *const finding_words[FINDING_COUNT] = {
    [FINDING_DID_NOT_RUN] = "did not run",
    [FINDING_CRASHED] = "crashed",
    [FINDING_HUNG] = "hung",
    [FINDING_MISUSED] = "misused",
    [FINDING_RACED] = "raced",
    [FINDING_OUT_OF_BOUNDS] = "out of bounds",
    [FINDING_LOST_ELEMENTS] = "lost elements",
    [FINDING_DOUBLE_COUNTED] = "double-counted",
    [FINDING_WRONG_CLASS] = "wrong class",
    [FINDING_FLUSHED] = "flushed",
    [FINDING_OVERFLOWED_EARLY] = "overflowed early",
    [FINDING_BEYOND_BOUND] = "beyond bound",
    [FINDING_VARIED] = "varied",
    [FINDING_CORRECTLY_ROUNDED] = "correctly rounded",
    [FINDING_FAITHFUL] = "faithful",
    [FINDING_WITHIN_BOUND] = "within bound",
    [FINDING_VARIES_AS_CLAIMED] = "varies as claimed",
    [FINDING_BOUND_SAYS_NOTHING] = "bound says nothing",
    [FINDING_NOT_CHECKED] = "not checked",
};

static const char *const status_words[] = {
    [CLAIM_NOT_CLAIMED] = "not claimed", [CLAIM_HELD] = "held", [CLAIM_BROKEN] = "broken", [CLAIM_KNOWN] = "known",
    [CLAIM_NOT_TESTED] = "not tested",
};

const char *finding_word(enum finding finding) {
    return finding_words[finding];
}

bool finding_parse(const char *word, enum finding *finding) {
    for (int i = 0; i < FINDING_COUNT; i++)
        if (strcmp(word, finding_words[i]) == 0) {
            *finding = (enum finding)i;
            return true;
        }
    return false;
}

bool finding_is_bad(enum finding finding) {
    return finding <= FINDING_VARIED;
}

enum finding finding_head(finding_set set) {
    return (enum finding)__builtin_ctz(set);
}

const char *claim_status_word(enum claim_status status) {
    return status_words[status];
}

const char *const sanitizer_names[SANITIZERS] = {"tsan", "asan"};

bool is_sanitizer(const char *name) {
    for (int i = 0; i < SANITIZERS; i++)
        if (strcmp(sanitizer_names[i], name) == 0)
            return true;
    return false;
}

bool fault_is_at_home(const char *backend, const char *detector) {
    return is_sanitizer(backend) ? strcmp(backend, detector) == 0 : !is_sanitizer(detector);
}
