// SPDX-License-Identifier: MIT
// Which datasets a tier holds. Sizes are spread over the families instead of multiplied with them: each family meets
// sizes on both sides of a warp and of a block, and the three families that show any lost element meet all of them.
#include "cases/cases.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct size_list {
    const uint64_t *sizes;
    size_t count;
};

struct tier_line {
    const char *families; // glob; the first line that matches a family is the one that counts
    struct size_list smoke, full;
};

#define SIZES(...)                                                                                                     \
    { (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t) }

static const struct tier_line lines[] = {
    {"uniform",
     SIZES(0, 1, 2, 31, 32, 33, 48, 63, 65, 97, 127, 129, 180, 255, 257, 509, 1009, 1023, 1024, 1025, 2047, 2049, 4097),
     SIZES(3, 64, 181, 2039, 4093, 4095, 8191, 65535, 65536, 65537, 1048579, 16777216)},
    {"integers", SIZES(0, 1, 2, 31, 33, 48, 65, 127, 180, 257, 1023, 1025, 2049, 4097),
     SIZES(32, 63, 129, 255, 1009, 1024, 2047, 4095, 65535, 65537, 1048579, 16777216)},
    {"position", SIZES(2, 31, 32, 33, 48, 63, 65, 127, 129, 180, 255, 257, 1009, 1023, 1024, 1025, 2047, 2049),
     SIZES(1, 3, 64, 97, 181, 4095, 4096, 4097, 65535, 65536, 65537, 1048579, 16777216)},
    {"ones", SIZES(48, 1025), SIZES(4095, 65537, 16777217)},
    {"last_only", SIZES(129, 1025), SIZES(1, 32, 4097, 65537)},
    {"symmetric", SIZES(127, 4097), SIZES(33, 1025, 65537, 1048579, 16777216)},
    {"normal", SIZES(255, 2049), SIZES(1009, 65535)},
    {"tenth", SIZES(180, 2047), SIZES(65537, 1048579, 16777216)},
    {"stagnation", SIZES(2, 257), SIZES(4097, 65537)},
    {"edges32", SIZES(127, 2049), SIZES(33, 65, 4097)},
    {"edges256", SIZES(257, 1025), SIZES(513, 4097, 65537)},
    {"edges1024", SIZES(1025, 2049), SIZES(4097, 65537)},
    {"cond1e8", SIZES(65, 1025), SIZES(3, 257, 4097, 65537, 1048579)},
    {"cond1e40", SIZES(7, 1025), SIZES(33, 4097)},
    {"cond*", SIZES(63, 257), SIZES(4, 1025, 4097)},
    {"full_range", SIZES(33, 1023), SIZES(257, 4097, 65535, 1048579)},
    {"halfway*", SIZES(3, 129), SIZES(257, 2049)},
    {"double_rounding", SIZES(3, 129), SIZES(257, 2049)},
    {"overflow_*", SIZES(31, 257), SIZES(3, 1025)},
    {"minus_zeros", SIZES(1, 1000), SIZES(2, 31, 33, 257)},
    {"nan_*", SIZES(33, 257), SIZES(2, 127, 1025)},
    {"inf_*", SIZES(48, 255), SIZES(2, 127, 1025)},
    {"*", SIZES(33, 257), SIZES(180, 1025, 4097)},
};

// What only a GPU is given, in the full tier. Every row that meets such an array pays for copying 1 or 2 GiB to the
// device, so each type meets one for each question that no smaller array answers, and `bench` judges the other sums of
// this size that it times.
struct large_line {
    const char *family;
    enum float_type type;
    uint64_t n;
};

static const struct large_line large_lines[] = {
    {"uniform", FLOAT_F32, UINT64_C(1) << 28},  // do errors still follow their bound where n·u is 16?
    {"ones", FLOAT_F32, UINT64_C(1) << 28},     // an accumulator that counts stops at 2^24
    {"integers", FLOAT_F32, UINT64_C(1) << 28}, // nothing rounds: a lost element shows
    {"integers", FLOAT_F64, UINT64_C(1) << 28}, // likewise, in 2^31 bytes: an offset of 32 bits wraps
    // An index of 32 bits wraps, with and without a sign. Beyond every backend's share of a tier.
    {"last_only", FLOAT_F32, (UINT64_C(1) << 31) + 1},
    {"last_only", FLOAT_F64, (UINT64_C(1) << 31) + 1},
    {"last_only", FLOAT_F32, (UINT64_C(1) << 32) + 1},
    {"last_only", FLOAT_F64, (UINT64_C(1) << 32) + 1},
};

enum {
    CORPUS_SMOKE_LIMIT = 2048,  // larger corpus files wait for the full tier
    CORPUS_ORDER_LIMIT = 65537, // up to here they are also fed reversed and shuffled
};

// A sum of 16-bit numbers has long stopped or overflowed by then (ones: at 2048 or 65520 in f16, at 256 in bf16), and
// what only a large index shows, f32 shows.
static const uint64_t most_of_16_bits = 65537;

struct attack_line {
    const char *family;
    uint64_t n;
    enum case_tier from; // the smallest tier that attacks it
    unsigned attacks;
};

// Attacks repeat a dataset many times: they are kept to data on which an order shows, and to the control, on which none
// may.
static const struct attack_line attack_lines[] = {
    {"uniform", 1025, TIER_SMOKE, EVERY_ATTACK},   {"integers", 1025, TIER_SMOKE, EVERY_ATTACK},
    {"symmetric", 4097, TIER_SMOKE, EVERY_ATTACK}, {"normal", 2049, TIER_SMOKE, EVERY_ATTACK},
    {"cond1e8", 1025, TIER_SMOKE, EVERY_ATTACK},   {"uniform", 33, TIER_SMOKE, EVERY_ATTACK},
    {"position", 1025, TIER_FULL, EVERY_ATTACK},   {"harmonic", 4097, TIER_FULL, EVERY_ATTACK},
    {"full_range", 4097, TIER_FULL, EVERY_ATTACK}, {"cond1e40", 1025, TIER_FULL, EVERY_ATTACK},
    {"cond1e16", 4097, TIER_FULL, EVERY_ATTACK},   {"uniform", 65537, TIER_FULL, EVERY_ATTACK},
};

// What a tier costs follows from its largest arrays: on the emulator three quarters of the full tier's time once went
// to one attack on 65537 elements and to eight families of a million. So the everyday case and the control alone are
// given arrays of more than an eighth of what a backend affords, and an attack, which repeats its dataset some forty
// times, is made on a 64th of that at most. (What else the largest size is for is in large_lines.)
enum { LARGE_SHARE = 8, ATTACK_SHARE = 64 };

static bool is_affordable(const struct case_values *values, uint64_t n, uint64_t max_n) {
    bool everywhere = strcmp(values->name, "uniform") == 0 || strcmp(values->name, "integers") == 0;
    return n <= (everywhere ? max_n : max_n / LARGE_SHARE);
}

static unsigned attacks_on(const struct dataset_key *key, enum case_tier tier, uint64_t max_n) {
    for (size_t i = 0; i < sizeof attack_lines / sizeof attack_lines[0]; i++) {
        const struct attack_line *line = &attack_lines[i];
        bool affordable = line->from == TIER_SMOKE || line->n <= max_n / ATTACK_SHARE;
        if (line->n == key->n && line->from <= tier && affordable && strcmp(line->family, key->values->name) == 0)
            return line->attacks;
    }
    return ATTACK_NONE;
}

struct dataset_list {
    struct dataset *datasets;
    size_t count, capacity;
    enum case_tier tier;
    enum float_type type;
    uint64_t max_n;
};

static void append_dataset(struct dataset_list *list, const struct case_values *values, uint64_t n, const char *order) {
    const bool has_16_bits = float_format(list->type)->size == sizeof(uint16_t);
    if (n > list->max_n || (has_16_bits && n > most_of_16_bits) || values->refusal(values, list->type, n) ||
        !list->datasets)
        return;
    if (list->count == list->capacity) {
        list->capacity *= 2;
        struct dataset *grown = realloc(list->datasets, list->capacity * sizeof *grown);
        if (!grown)
            free(list->datasets);
        list->datasets = grown;
        if (!grown)
            return;
    }
    struct dataset *dataset = &list->datasets[list->count++];
    *dataset = (struct dataset){.key = {.type = list->type, .values = values, .n = n}};
    strcpy(dataset->key.order, order);
    dataset->attacks = strcmp(order, "given") == 0 ? attacks_on(&dataset->key, list->tier, list->max_n) : ATTACK_NONE;
}

static void append_family(struct dataset_list *list, const struct case_values *values) {
    const struct tier_line *line = lines;
    while (fnmatch(line->families, values->name, 0) != 0)
        line++; // the last line matches every name
    for (size_t i = 0; i < line->smoke.count; i++)
        append_dataset(list, values, line->smoke.sizes[i], "given");
    for (size_t i = 0; list->tier == TIER_FULL && i < line->full.count; i++)
        if (is_affordable(values, line->full.sizes[i], list->max_n))
            append_dataset(list, values, line->full.sizes[i], "given");
}

// A corpus file has one size; the full tier also meets it reversed and shuffled, as its report may have.
static void append_corpus(struct dataset_list *list, const struct case_values *values) {
    bool affordable = values->fixed_n <= CORPUS_SMOKE_LIMIT || is_affordable(values, values->fixed_n, list->max_n);
    if (affordable && (list->tier == TIER_FULL || values->fixed_n <= CORPUS_SMOKE_LIMIT))
        append_dataset(list, values, values->fixed_n, "given");
    if (list->tier == TIER_FULL && values->fixed_n > 2 && values->fixed_n <= CORPUS_ORDER_LIMIT) {
        append_dataset(list, values, values->fixed_n, "reversed");
        append_dataset(list, values, values->fixed_n, "shuffled1");
    }
}

static void append_orders(struct dataset_list *list) {
    static const char *const orders[] = {"reversed", "ascending", "descending", "shuffled1"};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        append_dataset(list, case_values_find("symmetric"), 1025, orders[i]);
        append_dataset(list, case_values_find("full_range"), 1023, orders[i]);
    }
}

static void append_large(struct dataset_list *list) {
    for (size_t i = 0; i < sizeof large_lines / sizeof large_lines[0]; i++)
        if (large_lines[i].type == list->type)
            append_dataset(list, case_values_find(large_lines[i].family), large_lines[i].n, "given");
}

size_t tier_datasets(enum case_tier tier, enum float_type type, uint64_t max_n, struct dataset **list) {
    enum { FIRST_CAPACITY = 256 };
    struct dataset_list made = {.capacity = FIRST_CAPACITY, .tier = tier, .type = type, .max_n = max_n};
    made.datasets = malloc(FIRST_CAPACITY * sizeof *made.datasets);
    for (size_t i = 0; i < case_values_count(); i++) {
        const struct case_values *values = case_values_at(i);
        if (values->fixed_n)
            append_corpus(&made, values);
        else
            append_family(&made, values);
    }
    if (tier == TIER_FULL) {
        append_orders(&made);
        append_large(&made);
    }
    *list = made.datasets;
    return made.datasets ? made.count : 0;
}

const uint64_t *tier_coverage_sizes(enum case_tier tier, enum float_type type) {
    static const uint64_t smoke_16[] = {1, 33, 48, 180, 257, 0};
    static const uint64_t full_16[] = {1, 2, 31, 33, 48, 63, 65, 127, 180, 255, 257, 1023, 1025, 0};
    static const uint64_t smoke[] = {1, 33, 48, 180, 257, 1025, 0};
    static const uint64_t full[] = {1, 2, 31, 33, 48, 63, 65, 127, 180, 255, 257, 1023, 1025, 2049, 4097, 0};
    if (float_format(type)->size == sizeof(uint16_t))
        return tier == TIER_SMOKE ? smoke_16 : full_16;
    return tier == TIER_SMOKE ? smoke : full;
}
