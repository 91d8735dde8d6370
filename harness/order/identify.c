// SPDX-License-Identifier: MIT
#include "harness/order/identify.h"

#include "cases/prng.h"
#include "harness/order/pattern.h"
#include "harness/support.h"
#include "reference/ulp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Random arrays that a tree is evaluated on; runs of each question on real hardware; the largest n whose trees are
// revealed under every schedule.
enum { RANDOM_ARRAYS = 48, HARDWARE_RUNS = 5, SAMPLE_N = 512 };

// Mean distance from the exact sum, in ulps, of a sum that loses next to nothing: it is a quarter of an ulp where every
// result is correctly rounded.
static const double COMPENSATED_ULPS = 0.3;
enum { TELLING_N = 16 }; // below, plain sums are as good

const char *order_kind_words(enum order_kind kind) {
    static const char *const words[] = {"a plain addition tree",
                                        "an addition tree in a wider format",
                                        "a tree with nodes of many terms",
                                        "not a plain addition tree: compensated",
                                        "not a plain addition tree: exact",
                                        "the order is not fixed",
                                        "not a plain addition tree"};
    return words[kind];
}

const char *order_kind_name(enum order_kind kind) {
    static const char *const names[] = {"tree",  "wide tree", "multiway tree", "compensated",
                                        "exact", "varies",    "unknown"};
    return names[kind];
}

struct arrays {
    enum float_type type;
    uint32_t n;
};

static void store_number(const struct arrays *arrays, void *x, uint32_t i, double value) {
    float_store(arrays->type, x, i, float_from_double(arrays->type, value));
}

// Of the kinds of random arrays, the last cancels: where little does, a compensated sum gives the bits of a wide one.
enum { KIND_SIGNS = 1, KIND_SPREAD, KIND_CANCELS, KINDS };
enum { UNCANCELLED = 8 }; // of so many terms one stays

// The second half is the first with the other sign, but for a few small terms in both, which are what is left.
static double cancel_number(const struct arrays *arrays, const void *x, uint32_t i, double value) {
    const uint32_t half = arrays->n / 2;
    if (half == 0 || i == 2 * half || i % half % UNCANCELLED == 0)
        return ldexp(value, -float_format(arrays->type)->precision);
    return i < half ? value : -float_to_double(arrays->type, float_load(arrays->type, x, i - half));
}

// Array number `index`: in turn positive, of both signs, spread over 2^p, and of a sum that is small beside its terms.
static void fill_random(void *context, size_t index, void *x) {
    const struct arrays *arrays = context;
    struct prng prng = prng_seeded(index + 1);
    int precision = float_format(arrays->type)->precision;
    for (uint32_t i = 0; i < arrays->n; i++) {
        double value = prng_unit(&prng, precision);
        if (index % KINDS == KIND_SIGNS && prng_coin(&prng))
            value = -value;
        if (index % KINDS == KIND_SPREAD)
            value = ldexp(value, (int)prng_below(&prng, (uint64_t)precision));
        if (index % KINDS == KIND_CANCELS)
            value = cancel_number(arrays, x, i, value);
        store_number(arrays, x, i, value);
    }
}

// M, m, 1 with M >> m >> 1; f16 has no room for them but with its least number for the 1.
static const double three_scales[FLOAT_TYPES][3] = {[FLOAT_F32] = {0x1p120, 0x1p60, 1},
                                                    [FLOAT_F64] = {0x1p1000, 0x1p500, 1},
                                                    [FLOAT_F16] = {0x1p15, 0x1p-5, 0x1p-24},
                                                    [FLOAT_BF16] = {0x1p120, 0x1p60, 1}};

// M, m, ones, -m, -M, turned by `index` places: two words cannot hold all three.
static void fill_three_scales(void *context, size_t index, void *x) {
    const struct arrays *arrays = context;
    double large = three_scales[arrays->type][0], middle = three_scales[arrays->type][1];
    for (uint32_t i = 0; i < arrays->n; i++) {
        double value = i == 0               ? large
                       : i == 1             ? middle
                       : i == arrays->n - 2 ? -middle
                       : i == arrays->n - 1 ? -large
                                            : three_scales[arrays->type][2];
        store_number(arrays, x, (uint32_t)((i + index * arrays->n / 8) % arrays->n), value);
    }
}

struct subject {
    struct probe_bench *bench;
    const struct catalog_variant *row;
    struct arrays arrays;
    struct order_identity *identity;
    char *message;
};

// Evaluates the tree, and measures the variant's errors, on the random arrays whose results are given.
static void compare_results(struct subject *subject, enum order_arithmetic arithmetic, const uint64_t *bits) {
    struct order_identity *identity = subject->identity;
    const struct catalog_variant *row = subject->row;
    void *x = must_calloc(subject->arrays.n, float_format(row->in)->size);
    identity->compared = RANDOM_ARRAYS;
    identity->agreed = 0;
    identity->mean_ulps = 0;
    for (size_t k = 0; k < RANDOM_ARRAYS; k++) {
        struct exact_sum exact;
        fill_random(&subject->arrays, k, x);
        exact_sum(&exact, row->in, x, subject->arrays.n);
        if (k % KINDS != KIND_CANCELS)
            identity->mean_ulps += fabs(ulp_error(&exact, row->out, bits[k])) / (RANDOM_ARRAYS - RANDOM_ARRAYS / KINDS);
        exact_sum_clear(&exact);
        if (identity->has_tree && identity->kind != ORDER_KIND_MULTIWAY)
            identity->agreed += order_evaluate(&identity->tree, row->in, x, arithmetic, row->out) == bits[k];
    }
    free(x);
}

// Every result on three scales is the count of ones.
static bool keeps_three_scales(struct subject *subject, bool *keeps) {
    enum { TURNS = 8 };
    uint64_t bits[TURNS];
    uint32_t n = subject->arrays.n;
    *keeps = n >= 5;
    if (*keeps && !probe_arrays(subject->bench, n, TURNS, fill_three_scales, &subject->arrays, bits, subject->message))
        return false;
    for (size_t k = 0; *keeps && k < TURNS; k++)
        *keeps = float_to_double(subject->row->out, bits[k]) == (n - 4) * three_scales[subject->row->in][2];
    return true;
}

// For a sum whose results no tree explains.
static bool identify_without_tree(struct subject *subject) {
    struct order_identity *identity = subject->identity;
    bool keeps;
    if (!keeps_three_scales(subject, &keeps))
        return false;
    bool precise = identity->mean_ulps <= COMPENSATED_ULPS && subject->arrays.n >= TELLING_N;
    identity->kind = !precise ? ORDER_KIND_UNKNOWN : keeps ? ORDER_KIND_EXACT : ORDER_KIND_COMPENSATED;
    if (identity->has_tree)
        snprintf(identity->why, ORDER_MESSAGE,
                 "probes show a tree of height %u, but adding up in that order gives its bits on only %u of %u random "
                 "arrays",
                 order_height(&identity->tree), identity->agreed, identity->compared);
    return true;
}

static bool identify_arithmetic(struct subject *subject) {
    struct order_identity *identity = subject->identity;
    uint64_t bits[RANDOM_ARRAYS];
    if (!probe_arrays(subject->bench, subject->arrays.n, RANDOM_ARRAYS, fill_random, &subject->arrays, bits,
                      subject->message))
        return false;
    if (identity->has_tree && !order_is_binary(&identity->tree)) {
        identity->kind = ORDER_KIND_MULTIWAY;
        compare_results(subject, ORDER_IN_F64, bits);
        return true;
    }
    const enum order_arithmetic own = order_arithmetic_of(subject->row->in);
    for (enum order_arithmetic arithmetic = own;; arithmetic = order_wider(arithmetic)) {
        compare_results(subject, arithmetic, bits);
        if (identity->agreed == identity->compared) {
            identity->kind = arithmetic == own ? ORDER_KIND_TREE : ORDER_KIND_WIDE;
            identity->arithmetic = arithmetic;
            return true;
        }
        if (arithmetic == ORDER_IN_EXTENDED)
            return identify_without_tree(subject);
    }
}

static const struct schedule other_schedules[] = {
    {.kind = SCHEDULE_REVERSED},          {.kind = SCHEDULE_LANES_APART},       {.kind = SCHEDULE_SEEDED, .seed = 1},
    {.kind = SCHEDULE_SEEDED, .seed = 2}, {.kind = SCHEDULE_SEEDED, .seed = 3}, {.kind = SCHEDULE_ASCENDING},
    {.kind = SCHEDULE_DESCENDING}};
enum { OTHER_SCHEDULES = sizeof other_schedules / sizeof *other_schedules };

// A tree with nodes of many terms cannot be proven, so it is revealed once more.
static enum order_answer compare_trees(const struct order_oracle *oracle, struct order_identity *identity,
                                       bool *differs, char *said) {
    struct order_tree other = {0};
    enum order_answer answer = order_reveal(oracle, identity->tree.n, &other, &identity->cost, said);
    *differs =
        answer == ORDER_NO_TREE || (answer == ORDER_REVEALED && order_hash(&other) != order_hash(&identity->tree));
    if (*differs && answer == ORDER_REVEALED)
        snprintf(said, ORDER_MESSAGE, "the tree is another");
    order_free(&other);
    return answer;
}

// The tree holds under a schedule, or the clause says where it does not.
static bool holds_under(struct subject *subject, struct schedule schedule, bool *holds) {
    struct order_identity *identity = subject->identity;
    const struct schedule own = subject->bench->schedule;
    char name[SCHEDULE_TEXT], said[ORDER_MESSAGE] = "";
    struct order_oracle oracle = probe_oracle(subject->bench);
    bool differs;
    subject->bench->schedule = schedule;
    enum order_answer answer = order_is_binary(&identity->tree)
                                   ? order_prove(&oracle, &identity->tree, &differs, &identity->cost, said)
                                   : compare_trees(&oracle, identity, &differs, said);
    subject->bench->schedule = own;
    if (answer == ORDER_NOT_ASKED) {
        memcpy(subject->message, said, ORDER_MESSAGE);
        return false;
    }
    *holds = !differs;
    schedule_name(schedule, name);
    if (differs)
        snprintf(identity->why, ORDER_MESSAGE, "under the schedule \"%s\" %.*s", name, ORDER_MESSAGE - 64, said);
    return true;
}

static bool add_sample(struct subject *subject, struct schedule schedule) {
    struct order_identity *identity = subject->identity;
    const struct schedule own = subject->bench->schedule;
    struct order_tree tree = {0};
    struct order_oracle oracle = probe_oracle(subject->bench);
    subject->bench->schedule = schedule;
    enum order_answer answer = order_reveal(&oracle, subject->arrays.n, &tree, &identity->cost, subject->message);
    subject->bench->schedule = own;
    if (answer == ORDER_NOT_ASKED)
        return false;
    bool is_tree = answer == ORDER_REVEALED;
    identity->samples[identity->sample_count++] = (struct order_sample){
        .schedule = schedule, .is_tree = is_tree, .tree = tree, .hash = is_tree ? order_hash(&tree) : 0};
    return true;
}

// Such a schedule has no tree: its order depends on the values, and so on the question.
static bool follows_values(struct schedule schedule) {
    return schedule.kind == SCHEDULE_ASCENDING || schedule.kind == SCHEDULE_DESCENDING;
}

static bool sample_schedules(struct subject *subject) {
    bool done = add_sample(subject, subject->bench->schedule);
    for (size_t k = 0; done && k < OTHER_SCHEDULES && subject->identity->sample_count < ORDER_MOST_SAMPLES; k++)
        if (!follows_values(other_schedules[k]))
            done = add_sample(subject, other_schedules[k]);
    return done;
}

// On the emulator. Real hardware is asked again and again instead.
static bool check_that_it_is_fixed(struct subject *subject) {
    bool holds = true;
    for (size_t k = 0; holds && k < OTHER_SCHEDULES; k++)
        if (!holds_under(subject, other_schedules[k], &holds))
            return false;
    if (holds)
        return true;
    subject->identity->kind = ORDER_KIND_VARIES;
    return subject->arrays.n > SAMPLE_N || sample_schedules(subject);
}

static bool is_emulated(const struct subject *subject) {
    return subject->bench->schedule.kind != SCHEDULE_HARDWARE;
}

static bool judge_answers(struct subject *subject, enum order_answer answer) {
    struct order_identity *identity = subject->identity;
    struct probe_bench *bench = subject->bench;
    identity->has_tree = answer == ORDER_REVEALED;
    if (identity->has_tree && is_emulated(subject) && !check_that_it_is_fixed(subject))
        return false;
    bench->runs = is_emulated(subject) ? 1 : HARDWARE_RUNS;
    if (identity->kind != ORDER_KIND_VARIES && !bench->varied && !identify_arithmetic(subject))
        return false;
    if (!bench->varied)
        return true;
    identity->kind = ORDER_KIND_VARIES;
    snprintf(identity->why, ORDER_MESSAGE, "equal calls gave different sums");
    return true;
}

bool order_agree(struct probe_bench *bench, const struct order_tree *tree, enum order_arithmetic arithmetic,
                 uint32_t arrays, uint32_t *agreed, char *message) {
    const struct catalog_variant *row = &bench->catalog->variants[bench->variant];
    struct arrays kind = {.type = row->in, .n = tree->n};
    uint64_t *bits = must_calloc(arrays, sizeof *bits);
    void *x = must_calloc(tree->n, float_format(row->in)->size);
    bool ran = probe_arrays(bench, tree->n, arrays, fill_random, &kind, bits, message);
    *agreed = 0;
    for (uint32_t k = 0; ran && k < arrays; k++) {
        fill_random(&kind, k, x);
        *agreed += order_evaluate(tree, row->in, x, arithmetic, row->out) == bits[k];
    }
    free(x);
    free(bits);
    return ran;
}

// A regular tree in words.
static void name_pattern(struct order_identity *identity) {
    struct order_pattern fits[PATTERN_MOST_FITS];
    bool plain = identity->kind == ORDER_KIND_TREE || identity->kind == ORDER_KIND_WIDE;
    if (plain && pattern_fit(&identity->tree, 1, fits))
        identity->pattern = pattern_words(&fits[0]);
}

bool order_identify(struct probe_bench *bench, uint32_t n, struct order_identity *identity, char *message) {
    struct subject subject = {
        .bench = bench, .row = &bench->catalog->variants[bench->variant], .identity = identity, .message = message};
    subject.arrays = (struct arrays){.type = subject.row->in, .n = n};
    *identity = (struct order_identity){.kind = ORDER_KIND_UNKNOWN};
    if (n > ORDER_MOST_LEAVES)
        return order_infer(bench, n, identity, message);
    bench->runs = strcmp(subject.row->card.backend, "cuda") == 0 ? 2 : 1;
    struct order_oracle oracle = probe_oracle(bench);
    enum order_answer answer = order_reveal(&oracle, n, &identity->tree, &identity->cost, identity->why);
    if (answer == ORDER_NOT_ASKED) {
        memcpy(message, identity->why, ORDER_MESSAGE);
        return false;
    }
    bool done = judge_answers(&subject, answer);
    identity->claimed_height = bench->height;
    if (done)
        name_pattern(identity);
    return done;
}

void order_identity_free(struct order_identity *identity) {
    order_free(&identity->tree);
    free(identity->pattern);
    for (uint32_t k = 0; k < identity->sample_count; k++)
        order_free(&identity->samples[k].tree);
    *identity = (struct order_identity){0};
}
