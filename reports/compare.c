// SPDX-License-Identifier: MIT
#include "reports/compare.h"
#include "reports/rank_test.h"
#include "reports/text.h"
#include "reports/variation.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Over all cells that are timed, the chance of calling any one slower by mistake.
static const double family_error = 0.01;

const char *change_word(enum change change) {
    static const char *const words[] = {
        [CHANGE_WORSE] = "WORSE",   [CHANGE_GONE] = "GONE", [CHANGE_AMBIGUOUS] = "AMBIGUOUS",
        [CHANGE_BETTER] = "BETTER", [CHANGE_NEW] = "NEW",   [CHANGE_SAME] = "SAME",
    };
    return words[change];
}

static const json_t *variant_of(const json_t *run, const json_t *cell) {
    return json_array_get(json_object_get(run, "variants"), (size_t)count_of(cell, "variant"));
}

// What the parts of a cell say: how many got better, how many worse.
struct scale {
    int better, worse;
    bool bits_changed;
    char *why;
    size_t used;
};

static void note(struct scale *scale, int direction, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void note(struct scale *scale, int direction, const char *format, ...) {
    va_list arguments;
    scale->better += direction > 0;
    scale->worse += direction < 0;
    if (scale->used && scale->used + 3 < CHANGE_TEXT)
        scale->used += (size_t)snprintf(scale->why + scale->used, CHANGE_TEXT - scale->used, "; ");
    if (scale->used + 1 >= CHANGE_TEXT)
        return;
    va_start(arguments, format);
    int length = vsnprintf(scale->why + scale->used, CHANGE_TEXT - scale->used, format, arguments);
    va_end(arguments);
    scale->used += length > 0 ? (size_t)length : 0;
    if (scale->used >= CHANGE_TEXT)
        scale->used = CHANGE_TEXT - 1;
}

static bool has_pattern(const json_t *patterns, const char *bits) {
    size_t i;
    json_t *pattern;
    json_array_foreach(patterns, i, pattern) {
        if (!strcmp(text_of(pattern, "bits"), bits))
            return true;
    }
    return false;
}

static bool same_patterns(const json_t *a, const json_t *b) {
    size_t i;
    json_t *pattern;
    if (json_array_size(a) != json_array_size(b))
        return false;
    json_array_foreach(a, i, pattern) {
        if (!has_pattern(b, text_of(pattern, "bits")))
            return false;
    }
    return true;
}

static bool order_changed(const struct comparison *comparison, const json_t *cell);

static void weigh_bits(struct scale *scale, const struct comparison *comparison, const json_t *before,
                       const json_t *after) {
    const json_t *old = json_object_get(before, "patterns"), *new = json_object_get(after, "patterns");
    // A cell that varies shows other patterns of its set each time; how many there are is weighed elsewhere.
    if (json_array_size(old) > 1 && json_array_size(new) > 1)
        return;
    if (same_patterns(old, new))
        return;
    scale->bits_changed = true;
    note(scale, 0, "bits %.20s -> %.20s%s", text_of(before, "bits"), text_of(after, "bits"),
         order_changed(comparison, after) ? ", another order of additions" : "");
}

// By err/bound where the bound is one and the same, otherwise by err/(u·A): a tree that became lower has a smaller
// bound, and its err/bound may grow while its error shrinks. A correctly rounded sum cannot be worse than any other.
static void weigh_error(struct scale *scale, const json_t *before, const json_t *after) {
    bool one_bound = !strcmp(text_of(before, "bound_decimal"), text_of(after, "bound_decimal"));
    const char *member = one_bound ? "error_over_bound" : "error_over_uA";
    double old = figure_of(before, member), new = figure_of(after, member);
    if (scale->bits_changed && old != new && !isnan(old) && !isnan(new))
        note(scale, new < old ? 1 : -1, "%s %.4g -> %.4g", one_bound ? "err/bound" : "err/(uA)", old, new);
}

static void weigh_finding(struct scale *scale, const json_t *before, const json_t *after) {
    enum finding old, new;
    finding_parse(text_of(before, "head"), &old);
    finding_parse(text_of(after, "head"), &new);
    bool was_bad = finding_is_bad(old), is_bad = finding_is_bad(new);
    if ((old == FINDING_NOT_CHECKED) != (new == FINDING_NOT_CHECKED)) // who does not look sees nothing bad
        note(scale, 0, "%s -> %s", finding_word(old), finding_word(new));
    else if (was_bad != is_bad)
        note(scale, was_bad ? 1 : -1, "%s -> %s", finding_word(old), finding_word(new));
    else if (is_bad && old != new)
        note(scale, 0, "%s -> %s", finding_word(old), finding_word(new));
}

static void weigh_variation(struct scale *scale, const json_t *before, const json_t *after) {
    size_t old = json_array_size(json_object_get(before, "patterns"));
    size_t new = json_array_size(json_object_get(after, "patterns"));
    if (old && new && (old > 1) != (new > 1))
        note(scale, old > 1 ? 1 : -1, "%zu -> %zu bit patterns", old, new);
}

static uint64_t *read_samples(const json_t *cell, size_t *count) {
    const json_t *ns = json_object_get(cell, "ns");
    *count = json_array_size(ns);
    uint64_t *samples = calloc(*count + 1, sizeof *samples);
    for (size_t i = 0; samples && i < *count; i++)
        samples[i] = (uint64_t)json_integer_value(json_array_get(ns, i));
    return samples;
}

static int compare_counts(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Whether the middle halves lie apart. The samples of one process share its memory layout and clock, so that a rank
// test finds small shifts between any two processes of one program; a shift beyond their own spread is another matter.
static bool middles_lie_apart(uint64_t *a, size_t a_count, uint64_t *b, size_t b_count) {
    qsort(a, a_count, sizeof *a, compare_counts);
    qsort(b, b_count, sizeof *b, compare_counts);
    return a[a_count / 4] > b[b_count - 1 - b_count / 4] || b[b_count / 4] > a[a_count - 1 - a_count / 4];
}

// Of sorted samples in ns.
static double median_us(const uint64_t *samples, size_t count) {
    return ((double)samples[(count - 1) / 2] + (double)samples[count / 2]) / 2e3;
}

static bool weigh_time(struct scale *scale, const json_t *before, const json_t *after, double significance) {
    size_t old_count, new_count;
    int slower = 0;
    uint64_t *old = read_samples(before, &old_count), *new = read_samples(after, &new_count);
    double chance = old && new ? rank_test(new, new_count, old, old_count, &slower) : -1;
    if (chance >= 0 && chance < significance && slower && middles_lie_apart(new, new_count, old, old_count))
        note(scale, -slower, "%s: median %.5g -> %.5g us (rank test p = %.2g)", slower > 0 ? "slower" : "faster",
             median_us(old, old_count), median_us(new, new_count), chance);
    free(old);
    free(new);
    return chance >= 0;
}

// Only a GPU that runs one cell at a time gives times that two runs share; on the CPU, cells run side by side.
static bool is_timed(const struct comparison *comparison, const struct cell_change *cell) {
    return comparison->times_compared &&
           !strcmp(text_of(variant_of(comparison->after, cell->after), "backend"), "cuda");
}

static enum change verdict_of(const struct scale *scale) {
    if (scale->better && scale->worse)
        return CHANGE_AMBIGUOUS;
    if (scale->better || scale->worse)
        return scale->better ? CHANGE_BETTER : CHANGE_WORSE;
    return scale->used ? CHANGE_AMBIGUOUS : CHANGE_SAME;
}

// A row that says nothing of the same call again, and was seen to vary: which of its results a run meets is chance.
static bool varies_by_itself(const json_t *variant) {
    const json_t *claim = claim_named(variant, attack_claims[ATTACK_ON_RUN]);
    return has_real_runs(variant) && claim && claim_status_of(claim) == CLAIM_NOT_CLAIMED &&
           count_of(claim, "differing");
}

static bool compare_cells(const struct comparison *comparison, struct cell_change *cell, double significance) {
    struct scale scale = {.why = cell->why};
    bool chance = varies_by_itself(variant_of(comparison->before, cell->before)) &&
                  varies_by_itself(variant_of(comparison->after, cell->after));
    if (!chance)
        weigh_bits(&scale, comparison, cell->before, cell->after);
    weigh_error(&scale, cell->before, cell->after);
    weigh_finding(&scale, cell->before, cell->after);
    if (!chance)
        weigh_variation(&scale, cell->before, cell->after);
    if (is_timed(comparison, cell) && !weigh_time(&scale, cell->before, cell->after, significance))
        return false;
    cell->bits_changed = scale.bits_changed;
    cell->change = verdict_of(&scale);
    return true;
}

// ---- orders of additions ----

// "name@backend/type", from malloc; NULL when memory is out.
static char *name_variant(const json_t *variant) {
    char *text;
    int length =
        asprintf(&text, "%s@%s/%s", text_of(variant, "name"), text_of(variant, "backend"), text_of(variant, "type"));
    return length < 0 ? NULL : text;
}

static bool order_changed(const struct comparison *comparison, const json_t *cell) {
    size_t i;
    json_t *order;
    char *name = name_variant(variant_of(comparison->after, cell));
    bool changed = false;
    json_array_foreach(comparison->orders, i, order) {
        changed |= name && !strcmp(text_of(order, "variant"), name);
    }
    free(name);
    return changed;
}

static const json_t *find_variant(const json_t *run, const json_t *like) {
    static const char *const members[] = {"name", "backend", "type"};
    size_t i;
    json_t *variant;
    json_array_foreach(json_object_get(run, "variants"), i, variant) {
        size_t same = 0;
        for (size_t m = 0; m < sizeof members / sizeof *members; m++)
            same += !strcmp(text_of(variant, members[m]), text_of(like, members[m]));
        if (same == sizeof members / sizeof *members)
            return variant;
    }
    return NULL;
}

static json_t *find_order(const json_t *variant, const json_t *like) {
    size_t i;
    json_t *order;
    json_array_foreach(json_object_get(variant, "orders"), i, order) {
        if (count_of(order, "n") == count_of(like, "n") && !strcmp(text_of(order, "shape"), text_of(like, "shape")))
            return order;
    }
    return NULL;
}

// What varies has no one tree to compare; that it does is its kind.
static bool compare_order(json_t *orders, const json_t *variant, json_t *before, json_t *after) {
    if (!before || (!strcmp(text_of(before, "kind"), text_of(after, "kind")) &&
                    !strcmp(text_of(before, "hash"), text_of(after, "hash"))))
        return true;
    char *name = name_variant(variant);
    bool good = name && json_array_append_new(orders, json_pack("{sosOsO}", "variant", text_to_json(name), "before",
                                                                before, "after", after)) == 0;
    free(name);
    return good;
}

static json_t *compare_orders(const json_t *before, const json_t *after) {
    size_t v, i;
    json_t *variant, *order, *orders = json_array();
    bool good = orders;
    json_array_foreach(json_object_get(after, "variants"), v, variant) {
        const json_t *old = find_variant(before, variant);
        json_array_foreach(json_object_get(variant, "orders"), i, order) {
            good = good && compare_order(orders, variant, find_order(old, order), order);
        }
    }
    if (good)
        return orders;
    json_decref(orders);
    return NULL;
}

// ---- the runs as a whole ----

static bool note_environment(json_t *differences, const char *key, const char *before, const char *after) {
    if (!strcmp(key, "commit") || !strcmp(before, after))
        return true;
    return json_object_set_new(differences, key, json_pack("[ss]", before, after)) == 0;
}

static json_t *compare_environments(const json_t *before, const json_t *after) {
    const json_t *old = json_object_get(before, "environment"), *new = json_object_get(after, "environment");
    json_t *differences = json_object(), *value;
    const char *key;
    bool good = differences != NULL;
    json_object_foreach((json_t *)old, key, value) {
        good = good && note_environment(differences, key, json_string_value(value), text_of(new, key));
    }
    json_object_foreach((json_t *)new, key, value) {
        good = good && (json_object_get(old, key) || note_environment(differences, key, "", json_string_value(value)));
    }
    if (!good) {
        json_decref(differences);
        return NULL;
    }
    return differences;
}

static json_t *cells_by_id(const json_t *run) {
    json_t *index = json_object(), *cell;
    size_t i;
    json_array_foreach(json_object_get(run, "cells"), i, cell) {
        if (index && json_object_set_nocheck(index, text_of(cell, "id"), cell)) {
            json_decref(index);
            index = NULL;
        }
    }
    return index;
}

static bool match_cells(struct comparison *comparison, const json_t *old, const json_t *new) {
    size_t i;
    json_t *cell;
    const json_t *before = json_object_get(comparison->before, "cells"),
                 *after = json_object_get(comparison->after, "cells");
    double significance = family_error / (double)(json_array_size(after) + 1);
    json_array_foreach(after, i, cell) {
        struct cell_change *change = &comparison->cells[comparison->cell_count++];
        *change = (struct cell_change){
            .before = json_object_get(old, text_of(cell, "id")), .after = cell, .change = CHANGE_NEW};
        if (change->before && !compare_cells(comparison, change, significance))
            return false;
        comparison->counts[change->change]++;
    }
    json_array_foreach(before, i, cell) {
        if (json_object_get(new, text_of(cell, "id")))
            continue;
        comparison->cells[comparison->cell_count++] = (struct cell_change){.before = cell, .change = CHANGE_GONE};
        comparison->counts[CHANGE_GONE]++;
    }
    return true;
}

bool comparison_make(struct comparison *comparison, const json_t *before, const json_t *after, char *message) {
    size_t most = json_array_size(json_object_get(before, "cells")) + json_array_size(json_object_get(after, "cells"));
    *comparison = (struct comparison){.before = before, .after = after};
    if (strcmp(text_of(before, "seed"), text_of(after, "seed")) != 0) {
        snprintf(message, REPORT_MESSAGE, "The runs have the seeds %.20s and %.20s: their cells hold different data.",
                 text_of(before, "seed"), text_of(after, "seed"));
        return false;
    }
    json_t *old = cells_by_id(before), *new = cells_by_id(after);
    comparison->environment = compare_environments(before, after);
    comparison->orders = compare_orders(before, after);
    comparison->times_compared = comparison->environment && json_object_size(comparison->environment) == 0;
    comparison->cells = calloc(most + 1, sizeof *comparison->cells);
    bool good = old && new && comparison->environment && comparison->orders &&
                comparison->cells &&match_cells(comparison, old, new);
    if (!good)
        snprintf(message, REPORT_MESSAGE, "The comparison does not fit in memory.");
    json_decref(old);
    json_decref(new);
    return good;
}

void comparison_free(struct comparison *comparison) {
    free(comparison->cells);
    json_decref(comparison->environment);
    json_decref(comparison->orders);
    *comparison = (struct comparison){0};
}

bool comparison_regressed(const struct comparison *comparison) {
    return comparison->counts[CHANGE_WORSE] || comparison->counts[CHANGE_GONE];
}

const json_t *changed_cell(const struct cell_change *change) {
    return change->after ? change->after : change->before;
}

static bool name_changed(const struct comparison *comparison, const char *name) {
    for (size_t i = 0; i < comparison->cell_count; i++)
        if (comparison->cells[i].bits_changed &&
            !strcmp(text_of(variant_of(comparison->after, comparison->cells[i].after), "name"), name))
            return true;
    return false;
}

size_t comparison_changed_variants(const struct comparison *comparison) {
    const json_t *variants = json_object_get(comparison->after, "variants");
    size_t count = 0;
    for (size_t v = 0; v < json_array_size(variants); v++) {
        const char *name = text_of(json_array_get(variants, v), "name");
        bool counted = false;
        for (size_t earlier = 0; earlier < v && !counted; earlier++)
            counted = !strcmp(text_of(json_array_get(variants, earlier), "name"), name);
        count += !counted && name_changed(comparison, name);
    }
    return count;
}

struct comparison_file {
    comparison_writer *writer;
    const struct comparison *comparison;
};

static bool write_comparison(const void *what, FILE *out, char *message) {
    const struct comparison_file *file = what;
    return file->writer(file->comparison, out, message);
}

bool comparison_save(const char *path, comparison_writer *writer, const struct comparison *comparison, char *message) {
    struct comparison_file file = {writer, comparison};
    return save_whole(path, write_comparison, &file, message);
}
