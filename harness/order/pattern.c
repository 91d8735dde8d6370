// SPDX-License-Identifier: MIT
#include "harness/order/pattern.h"

#include "harness/support.h"

#include <stdlib.h>
#include <string.h>

// Terms of NumPy's blocks and strands (numpy/core/src/umath/loops_utils.h.src, PW_BLOCKSIZE).
enum { NUMPY_BLOCK = 128, NUMPY_STRANDS = 8 };

struct builder {
    const struct order_pattern *pattern;
    struct order_tree *tree;
};

static uint32_t build(const struct builder *builder, uint32_t rule, uint32_t *ids, uint32_t m);

static uint32_t add(const struct builder *builder, uint32_t a, uint32_t b) {
    return order_add_node(builder->tree, (uint32_t[]){a, b}, 2);
}

static uint32_t add_forwards(const struct builder *builder, const uint32_t *ids, uint32_t m) {
    uint32_t sum = ids[0];
    for (uint32_t i = 1; i < m; i++)
        sum = add(builder, sum, ids[i]);
    return sum;
}

static uint32_t add_backwards(const struct builder *builder, const uint32_t *ids, uint32_t m) {
    uint32_t sum = ids[m - 1];
    for (uint32_t i = m - 1; i-- > 0;)
        sum = add(builder, ids[i], sum);
    return sum;
}

static uint32_t add_neighbours(const struct builder *builder, uint32_t *ids, uint32_t m) {
    for (; m > 1; m = (m + 1) / 2)
        for (uint32_t i = 0; i < m; i += 2)
            ids[i / 2] = i + 1 < m ? add(builder, ids[i], ids[i + 1]) : ids[i];
    return ids[0];
}

static uint32_t power_below(uint32_t m) {
    uint32_t power = 1;
    while (power < m - power)
        power *= 2;
    return power;
}

static uint32_t add_folded(const struct builder *builder, uint32_t *ids, uint32_t m) {
    while (m > 1) {
        uint32_t half = power_below(m);
        for (uint32_t i = 0; i + half < m; i++)
            ids[i] = add(builder, ids[i], ids[i + half]);
        m = half;
    }
    return ids[0];
}

static uint32_t add_strands(const struct builder *builder, const uint32_t *ids, uint32_t m) {
    uint32_t strand[NUMPY_STRANDS], whole = m - m % NUMPY_STRANDS;
    if (m < NUMPY_STRANDS)
        return add_forwards(builder, ids, m);
    memcpy(strand, ids, sizeof strand);
    for (uint32_t i = NUMPY_STRANDS; i < whole; i++)
        strand[i % NUMPY_STRANDS] = add(builder, strand[i % NUMPY_STRANDS], ids[i]);
    uint32_t sum = add_neighbours(builder, strand, NUMPY_STRANDS);
    for (uint32_t i = whole; i < m; i++)
        sum = add(builder, sum, ids[i]);
    return sum;
}

// Where a rule of two parts cuts its list; 0: it is not cut.
static uint32_t cut_place(enum rule_kind kind, uint32_t m) {
    switch (kind) {
    case RULE_HALVES:
        return m / 2;
    case RULE_POWERS:
        return m > 1 ? power_below(m) : 0;
    default:
        return m > NUMPY_BLOCK ? m / 2 - m / 2 % NUMPY_STRANDS : 0;
    }
}

static uint32_t add_two_parts(const struct builder *builder, enum rule_kind kind, const uint32_t *ids, uint32_t m) {
    uint32_t cut = cut_place(kind, m);
    if (!cut)
        return add_strands(builder, ids, m); // of one term, unless it is NumPy's
    uint32_t first = add_two_parts(builder, kind, ids, cut);
    return add(builder, first, add_two_parts(builder, kind, ids + cut, m - cut));
}

// The sums of the parts replace the first ids.
static uint32_t add_parts(const struct builder *builder, const struct order_rule *rule, uint32_t *ids, uint32_t m) {
    bool runs = rule->kind == RULE_RUNS;
    uint32_t parts = runs ? (m - 1) / rule->size + 1 : m < rule->size ? m : rule->size;
    uint32_t *part = must_calloc(m, sizeof *part), *sums = must_calloc(parts, sizeof *sums);
    for (uint32_t k = 0; k < parts; k++) {
        uint32_t count = 0, step = runs ? 1 : rule->size, first = runs ? k * rule->size : k;
        uint32_t end = runs && m - first > rule->size ? first + rule->size : m;
        for (uint32_t i = first; i < end; i += step)
            part[count++] = ids[i];
        sums[k] = build(builder, rule->inner, part, count);
    }
    free(part);
    bool again = builder->pattern->rules[rule->outer].kind == RULE_AGAIN;
    uint32_t whole = (uint32_t)(rule - builder->pattern->rules);
    uint32_t sum = parts == 1 ? sums[0] : build(builder, again ? whole : rule->outer, sums, parts);
    free(sums);
    return sum;
}

static uint32_t build(const struct builder *builder, uint32_t rule, uint32_t *ids, uint32_t m) {
    const struct order_rule *what = &builder->pattern->rules[rule];
    switch (what->kind) {
    case RULE_FORWARDS:
        return add_forwards(builder, ids, m);
    case RULE_BACKWARDS:
        return add_backwards(builder, ids, m);
    case RULE_NEIGHBOURS:
        return add_neighbours(builder, ids, m);
    case RULE_FOLD:
        return add_folded(builder, ids, m);
    case RULE_HALVES:
    case RULE_POWERS:
    case RULE_EIGHTS:
        return add_two_parts(builder, what->kind, ids, m);
    default:
        return add_parts(builder, what, ids, m);
    }
}

void pattern_build(const struct order_pattern *pattern, uint32_t n, struct order_tree *tree) {
    *tree = (struct order_tree){.n = n};
    const struct builder builder = {.pattern = pattern, .tree = tree};
    uint32_t *ids = must_calloc(n, sizeof *ids);
    for (uint32_t i = 0; i < n; i++)
        ids[i] = i;
    build(&builder, 0, ids, n);
    free(ids);
}

// ---- in words ----

static char *describe(const struct order_pattern *pattern, uint32_t index) {
    static const char *const whole[] = {[RULE_FORWARDS] = "one by one from the first",
                                        [RULE_BACKWARDS] = "one by one from the last",
                                        [RULE_NEIGHBOURS] = "neighbours in pairs, level by level",
                                        [RULE_FOLD] = "x(i) + x(i+h) for h = ..., 4, 2, 1",
                                        [RULE_HALVES] = "halves, each likewise",
                                        [RULE_POWERS] = "the largest power of two and the rest, each likewise",
                                        [RULE_EIGHTS] = "NumPy's pairwise sum, eight strands of up to 128 terms",
                                        [RULE_AGAIN] = "the same again until one is left"};
    const struct order_rule *rule = &pattern->rules[index];
    if (rule->kind != RULE_RUNS && rule->kind != RULE_STRIDES)
        return must_copy_text(whole[rule->kind]);
    char *inner = describe(pattern, rule->inner), *outer = describe(pattern, rule->outer);
    char *text = rule->kind == RULE_RUNS
                     ? text_format("runs of %u: (%s); their sums: (%s)", rule->size, inner, outer)
                     : text_format("every %u-th term: (%s); these %u sums: (%s)", rule->size, inner, rule->size, outer);
    free(inner);
    free(outer);
    return text;
}

char *pattern_words(const struct order_pattern *pattern) {
    return describe(pattern, 0);
}
