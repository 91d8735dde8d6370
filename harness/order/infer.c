// SPDX-License-Identifier: MIT
// The order of a sum of more terms than can be asked about one by one. The trees of a few smaller n are revealed, rules
// are recognised of which all of them are instances, and each rule is written out for n. What comes out must then give
// the variant's bits on random arrays of n terms; and where so many sums of n terms can be afforded, it is proven at n
// like a tree that was revealed. A rule whose sizes grow with n shows in none of the smaller trees: then nothing is
// inferred.
#include "harness/order/identify.h"
#include "harness/order/pattern.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Odd sizes, so that the last part of every cut is a short one. The largest is what cuts of up to 2048 terms show at.
static const uint32_t looked_into[] = {611, 2053, 4099};
enum { LOOKS = sizeof looked_into / sizeof *looked_into, REPLAYS = 6 };

// Terms that a proof may add up, for about ten seconds' work.
static const uint64_t AFFORDED = (uint64_t)1 << 28, AFFORDED_EMULATED = (uint64_t)1 << 25;

struct inference {
    struct probe_bench *bench;
    uint32_t n;
    struct order_identity *identity;
    struct order_tree trees[LOOKS];
    char *message;
};

static bool reveal_trees(struct inference *inference, bool *revealed) {
    *revealed = true;
    for (size_t k = 0; k + 1 < LOOKS && *revealed; k++) {
        struct order_oracle oracle = probe_oracle(inference->bench);
        enum order_answer answer =
            order_reveal(&oracle, looked_into[k], &inference->trees[k], &inference->identity->cost, inference->message);
        if (answer == ORDER_NOT_ASKED)
            return false;
        *revealed = answer == ORDER_REVEALED && order_is_binary(&inference->trees[k]);
    }
    return true;
}

static bool is_known(const uint64_t *hashes, uint32_t count, uint64_t hash) {
    for (uint32_t k = 0; k < count; k++)
        if (hashes[k] == hash)
            return true;
    return false;
}

// Tries the rules in turn, until one gives the variant's bits on every array.
static bool find_rule(struct inference *inference, const struct order_pattern *fits, uint32_t count, bool *found) {
    struct order_identity *identity = inference->identity;
    uint64_t hashes[PATTERN_MOST_FITS];
    *found = false;
    for (uint32_t f = 0; f < count && !*found; f++) {
        struct order_tree tree;
        uint32_t agreed = 0;
        pattern_build(&fits[f], inference->n, &tree);
        hashes[f] = order_hash(&tree);
        bool news = !is_known(hashes, f, hashes[f]);
        if (news && !order_agree(inference->bench, &tree, identity->arithmetic, REPLAYS, &agreed, inference->message)) {
            order_free(&tree);
            return false;
        }
        *found = news && agreed == REPLAYS;
        if (!*found) {
            order_free(&tree);
            continue;
        }
        identity->tree = tree;
        identity->has_tree = true;
        identity->compared = identity->agreed = REPLAYS;
        identity->pattern = pattern_words(&fits[f]);
    }
    return true;
}

static bool can_afford(const struct inference *inference, uint64_t questions) {
    bool emulated = inference->bench->schedule.kind != SCHEDULE_HARDWARE;
    return questions <= (emulated ? AFFORDED_EMULATED : AFFORDED) / inference->n;
}

static bool prove_tree(struct inference *inference) {
    struct order_identity *identity = inference->identity;
    struct order_oracle oracle = probe_oracle(inference->bench);
    uint64_t questions = order_proof_size(&identity->tree);
    char said[ORDER_MESSAGE] = "";
    bool differs;
    if (!can_afford(inference, questions))
        return true;
    if (order_prove(&oracle, &identity->tree, &differs, &identity->cost, said) == ORDER_NOT_ASKED) {
        memcpy(inference->message, said, ORDER_MESSAGE);
        return false;
    }
    identity->proof = differs ? 0 : questions;
    if (differs) {
        identity->kind = ORDER_KIND_UNKNOWN;
        snprintf(identity->why, ORDER_MESSAGE, "the rule of smaller sums gives the right bits and yet %.*s",
                 ORDER_MESSAGE - 64, said);
    }
    return true;
}

static bool infer_tree(struct inference *inference) {
    struct order_identity *identity = inference->identity;
    struct order_pattern fits[PATTERN_MOST_FITS];
    bool revealed, found = false;
    if (!reveal_trees(inference, &revealed))
        return false;
    uint32_t count = revealed ? pattern_fit(inference->trees, LOOKS, fits) : 0;
    if (!find_rule(inference, fits, count, &found))
        return false;
    if (found)
        return prove_tree(inference);
    identity->kind = ORDER_KIND_UNKNOWN;
    snprintf(identity->why, ORDER_MESSAGE,
             count ? "no rule that is recognised in the trees of %u, %u and %u terms gives the variant's bits at n = %u"
                   : "no rule is recognised in the trees of %u, %u and %u terms; n = %u is too large to be asked about",
             looked_into[0], looked_into[1], looked_into[2], inference->n);
    return true;
}

bool order_infer(struct probe_bench *bench, uint32_t n, struct order_identity *identity, char *message) {
    struct order_identity seen;
    struct inference inference = {.bench = bench, .n = n, .identity = identity, .message = message};
    if (!order_identify(bench, looked_into[LOOKS - 1], &seen, message))
        return false;
    inference.trees[LOOKS - 1] = seen.tree;
    *identity = seen;
    identity->tree = (struct order_tree){0};
    identity->has_tree = false;
    free(identity->pattern);
    identity->pattern = NULL;
    identity->inferred_from = looked_into[LOOKS - 1];
    bool plain = seen.kind == ORDER_KIND_TREE || seen.kind == ORDER_KIND_WIDE;
    bool done = !plain || infer_tree(&inference);
    for (size_t k = 0; k < LOOKS; k++)
        order_free(&inference.trees[k]);
    identity->claimed_height = bench->height;
    return done;
}
