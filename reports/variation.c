// SPDX-License-Identifier: MIT
#include "reports/variation.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const attack_names[ATTACK_KINDS] = {"run", "shape", "placement", "order", "device"};
const char *const attack_claims[ATTACK_KINDS] = {"same bits: run", "same bits: shape", "same bits: placement",
                                                 "same bits: order", "same bits: device"};

const json_t *claim_named(const json_t *variant, const char *name) {
    size_t i;
    json_t *claim;
    json_array_foreach(json_object_get(variant, "claims"), i, claim) {
        if (!strcmp(text_of(claim, "claim"), name))
            return claim;
    }
    return NULL;
}

// A cell's place in the sorted list of groups: the base first, under each attack that it is the base of.
struct member {
    size_t variant, base, cell;
    enum attack attack;
};

struct members {
    struct member *list;
    size_t count;
};

static int compare_members(const void *a, const void *b) {
    const struct member *x = a, *y = b;
    if (x->variant != y->variant)
        return x->variant < y->variant ? -1 : 1;
    if (x->attack != y->attack)
        return x->attack < y->attack ? -1 : 1;
    if (x->base != y->base)
        return x->base < y->base ? -1 : 1;
    if ((x->cell == x->base) != (y->cell == y->base))
        return x->cell == x->base ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static enum attack attack_of(const json_t *cell) {
    for (int attack = 0; attack < ATTACK_KINDS; attack++)
        if (!strcmp(text_of(cell, "attack"), attack_claims[attack]))
            return (enum attack)attack;
    return ATTACK_KINDS;
}

static json_t *index_by_id(const struct run_view *view) {
    json_t *index = json_object();
    for (size_t i = 0; index && i < view->cell_count; i++)
        if (json_object_set_new(index, text_of(view->cells[i].json, "id"), json_integer((json_int_t)i))) {
            json_decref(index);
            return NULL;
        }
    return index;
}

static bool has_result(const struct cell_view *cell) {
    return flag_of(cell->json, "has_result");
}

// A base stands in a group for each attack made on it, entered once per attacking cell and thinned out later; a cell
// that was repeated is a group of its own under run.
static bool collect(struct members *members, const struct run_view *view) {
    json_t *index = index_by_id(view);
    members->list = index ? calloc(3 * view->cell_count + 1, sizeof *members->list) : NULL;
    for (size_t i = 0; members->list && i < view->cell_count; i++) {
        const struct cell_view *cell = &view->cells[i];
        const json_t *base = json_object_get(index, text_of(cell->json, "compared_with"));
        size_t at = (size_t)json_integer_value(base);
        enum attack attack = attack_of(cell->json);
        if (!has_result(cell))
            continue;
        if (count_of(cell->json, "runs") > 1 && attack != ATTACK_ON_RUN)
            members->list[members->count++] = (struct member){cell->variant, i, i, ATTACK_ON_RUN};
        if (!base || attack == ATTACK_KINDS || !has_result(&view->cells[at]) ||
            view->cells[at].variant != cell->variant)
            continue;
        members->list[members->count++] = (struct member){cell->variant, at, at, attack};
        members->list[members->count++] = (struct member){cell->variant, at, i, attack};
    }
    json_decref(index);
    return members->list != NULL;
}

static bool same_bits(const char *a, const char *b) {
    return !strcmp(a, b);
}

// Adds a cell's patterns to the group's.
static size_t merge_patterns(const json_t *cell, const char *type, struct group_pattern *patterns, size_t count) {
    size_t i;
    json_t *pattern;
    json_array_foreach(json_object_get(cell, "patterns"), i, pattern) {
        const char *bits = text_of(pattern, "bits");
        size_t p = 0;
        while (p < count && !same_bits(patterns[p].bits, bits))
            p++;
        if (p == count)
            patterns[count++] = (struct group_pattern){
                .bits = bits, .ulps = figure_of(pattern, "ulps"), .value = result_value(type, bits)};
        patterns[p].count += (uint64_t)count_of(pattern, "count");
    }
    return count;
}

static int compare_patterns(const void *a, const void *b) {
    double x = ((const struct group_pattern *)a)->ulps, y = ((const struct group_pattern *)b)->ulps;
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

static double spread_of(const struct group_pattern *patterns, size_t count) {
    if (count < 2)
        return 0;
    double width = patterns[count - 1].ulps - patterns[0].ulps; // sorted, NaN last
    return isnan(width) ? (double)INFINITY : width;
}

bool has_real_runs(const json_t *variant) {
    const char *backend = text_of(variant, "backend");
    return !strcmp(backend, "cuda") || !strcmp(backend, "exec");
}

bool is_busy(const json_t *cell) {
    return !strncmp(text_of(cell, "schedule"), "busy", strlen("busy"));
}

static void count_busy(struct spread *spread, const json_t *cell) {
    size_t patterns = json_array_size(json_object_get(cell, "patterns"));
    if (!is_busy(cell) || patterns < spread->busy_patterns)
        return;
    spread->busy_patterns = patterns;
    spread->busy_runs = (uint64_t)count_of(cell, "runs");
}

static void count_vs(struct spread *spread, const struct group_pattern *patterns, size_t count, double first) {
    for (size_t p = 0; p < count; p++) {
        double vs = 1 - fabs(patterns[p].value / first);
        if (fabs(vs) > fabs(spread->vs))
            spread->vs = vs;
    }
}

static void count_group(struct spread *spread, const struct group_pattern *patterns, size_t count, size_t base,
                        bool control) {
    uint64_t results = 0, commonest = 0;
    spread->controls += control;
    spread->varied_controls += control && count > 1;
    for (size_t p = 0; p < count; p++) {
        results += patterns[p].count;
        commonest = patterns[p].count > commonest ? patterns[p].count : commonest;
    }
    spread->groups++;
    spread->varied_groups += count > 1;
    spread->results += results;
    spread->most_ulps = fmax(spread->most_ulps, spread_of(patterns, count));
    if (count > spread->most_patterns || (count == spread->most_patterns && results > spread->widest_runs)) {
        spread->most_patterns = count;
        spread->widest_runs = results;
        spread->commonest = results ? (double)commonest / (double)results : 0;
        spread->example = base;
    }
}

static size_t pattern_total(const struct run_view *view, const struct member *first, const struct member *end) {
    size_t total = 0;
    for (const struct member *member = first; member < end; member++)
        total += json_array_size(json_object_get(view->cells[member->cell].json, "patterns"));
    return total;
}

static bool read_group(struct variation *variation, const struct run_view *view, const struct member *first,
                       const struct member *end) {
    struct spread *spread = &variation->spreads[first->variant * ATTACK_KINDS + first->attack];
    struct group_pattern *patterns = calloc(pattern_total(view, first, end) + 1, sizeof *patterns);
    const char *type = text_of(view->variants[first->variant].json, "type");
    size_t count = 0, most_before = spread->most_patterns;
    uint64_t runs_before = spread->widest_runs;
    if (!patterns)
        return false;
    for (const struct member *member = first; member < end; member++)
        if (member == first || member->cell != member[-1].cell) {
            count = merge_patterns(view->cells[member->cell].json, type, patterns, count);
            count_busy(spread, view->cells[member->cell].json);
        }
    count_vs(spread, patterns, count, result_value(type, text_of(view->cells[first->base].json, "bits")));
    qsort(patterns, count, sizeof *patterns, compare_patterns);
    count_group(spread, patterns, count, first->base, flag_of(view->cells[first->base].dataset, "never_rounds"));
    bool widest = spread->most_patterns > most_before || spread->widest_runs > runs_before;
    if (first->attack != ATTACK_ON_RUN || !widest) {
        free(patterns);
        return true;
    }
    free(variation->widest[first->variant]);
    variation->widest[first->variant] = patterns;
    variation->widest_count[first->variant] = count;
    return true;
}

static bool same_group(const struct member *a, const struct member *b) {
    return a->variant == b->variant && a->attack == b->attack && a->base == b->base;
}

bool variation_make(struct variation *variation, const struct run_view *view) {
    struct members members = {0};
    size_t spreads = view->variant_count * ATTACK_KINDS;
    variation->spreads = calloc(spreads + 1, sizeof *variation->spreads);
    variation->widest = calloc(view->variant_count + 1, sizeof *variation->widest);
    variation->widest_count = calloc(view->variant_count + 1, sizeof *variation->widest_count);
    bool good = variation->spreads && variation->widest && variation->widest_count && collect(&members, view);
    for (size_t i = 0; good && i < spreads; i++)
        variation->spreads[i].example = SIZE_MAX;
    if (good)
        qsort(members.list, members.count, sizeof *members.list, compare_members);
    for (size_t first = 0, end; good && first < members.count; first = end) {
        for (end = first + 1; end < members.count && same_group(&members.list[first], &members.list[end]);)
            end++;
        good = read_group(variation, view, &members.list[first], &members.list[end]);
    }
    free(members.list);
    return good;
}

void variation_free(struct variation *variation, const struct run_view *view) {
    for (size_t v = 0; variation->widest && v < view->variant_count; v++)
        free(variation->widest[v]);
    free(variation->spreads);
    free(variation->widest);
    free(variation->widest_count);
    *variation = (struct variation){0};
}
