// SPDX-License-Identifier: MIT
#include "reports/view.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool finding_in(finding_set set, enum finding finding) {
    return set >> finding & 1;
}

// Figures descending, NaN last.
static int compare_figures(double a, double b) {
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a < b) - (a > b);
}

int compare_badness(const struct cell_view *a, const struct cell_view *b) {
    if (a->failed != b->failed)
        return b->failed - a->failed;
    if (a->known != b->known)
        return b->known - a->known;
    if (finding_is_bad(a->head) || finding_is_bad(b->head))
        if (a->head != b->head)
            return (int)a->head - (int)b->head;
    // err/bound is no measure where the bound says nothing.
    bool a_says_nothing = a->head == FINDING_BOUND_SAYS_NOTHING, b_says_nothing = b->head == FINDING_BOUND_SAYS_NOTHING;
    if (a_says_nothing != b_says_nothing)
        return a_says_nothing - b_says_nothing;
    int by_bound = compare_figures(a->error_over_bound, b->error_over_bound);
    int by_ulps = compare_figures(fabs(a->ulps), fabs(b->ulps));
    if (by_bound || by_ulps)
        return by_bound ? by_bound : by_ulps;
    return (a->index > b->index) - (a->index < b->index);
}

static int compare_slots(const void *a, const void *b, void *cells) {
    return compare_badness((struct cell_view *)cells + *(const size_t *)a,
                           (struct cell_view *)cells + *(const size_t *)b);
}

static bool has_few_terms(const struct cell_view *cell) {
    return count_of(cell->json, "n") <= VIEW_FEW_TERMS;
}

// Which of two cells speaks for a variant on its inputs: what is bad at any n, then the larger sums.
static int compare_weight(const struct cell_view *a, const struct cell_view *b) {
    bool bad = finding_is_bad(a->head) || finding_is_bad(b->head);
    if (!bad && has_few_terms(a) != has_few_terms(b))
        return has_few_terms(a) - has_few_terms(b);
    return compare_badness(a, b);
}

double nearest_ratio(const struct run_view *view, const struct variant_view *variant) {
    return variant->nearest == SIZE_MAX ? (double)NAN : view->cells[variant->nearest].error_over_bound;
}

static int compare_variants(const void *a, const void *b, void *view) {
    const struct variant_view *variants = ((const struct run_view *)view)->variants;
    const struct variant_view *x = &variants[*(const size_t *)a], *y = &variants[*(const size_t *)b];
    bool x_failed = x->failures || x->claims_by_status[CLAIM_BROKEN];
    bool y_failed = y->failures || y->claims_by_status[CLAIM_BROKEN];
    if (x_failed != y_failed)
        return y_failed - x_failed;
    bool x_known = x->claims_by_status[CLAIM_KNOWN], y_known = y->claims_by_status[CLAIM_KNOWN];
    if (x_known != y_known)
        return y_known - x_known;
    int nearer = compare_figures(nearest_ratio(view, x), nearest_ratio(view, y));
    return nearer ? nearer : (x->index > y->index) - (x->index < y->index);
}

enum claim_status claim_status_of(const json_t *claim) {
    for (int status = CLAIM_NOT_CLAIMED; status <= CLAIM_NOT_TESTED; status++)
        if (!strcmp(text_of(claim, "status"), claim_status_word((enum claim_status)status)))
            return (enum claim_status)status;
    return CLAIM_NOT_TESTED;
}

void write_variant_label(const json_t *variant, FILE *out) {
    write_printable(text_of(variant, "name"), out);
    fputc('@', out);
    write_printable(text_of(variant, "backend"), out);
    fputc(' ', out);
    write_printable(text_of(variant, "type"), out);
}

static bool allocate(struct run_view *view) {
    size_t cells = view->cell_count, variants = view->variant_count;
    // calloc(0) may be NULL, so every array has one element more than it needs.
    view->cells = calloc(cells + 1, sizeof *view->cells);
    view->variants = calloc(variants + 1, sizeof *view->variants);
    view->faults = calloc(variants + 1, sizeof *view->faults);
    view->order = calloc(variants + 1, sizeof *view->order);
    view->slots = calloc(cells + 1, sizeof *view->slots);
    size_t datasets = json_array_size(json_object_get(view->json, "datasets"));
    view->families = calloc(datasets + 1, sizeof *view->families);
    view->family_order = calloc(datasets + 1, sizeof *view->family_order);
    return view->cells && view->variants && view->faults && view->order && view->slots && view->families &&
           view->family_order;
}

// Families are few (tens), so a linear search does.
static size_t family_index(struct run_view *view, const char *name) {
    for (size_t i = 0; i < view->family_count; i++)
        if (!strcmp(view->families[i], name))
            return i;
    view->families[view->family_count] = name;
    return view->family_count++;
}

static void read_cell(struct run_view *view, size_t index) {
    struct cell_view *cell = &view->cells[index];
    const json_t *json = json_array_get(json_object_get(view->json, "cells"), index), *word;
    const json_t *dataset = json_object_get(json, "dataset");
    size_t i;
    *cell = (struct cell_view){.json = json, .index = index, .variant = (size_t)count_of(json, "variant")};
    if (json_is_integer(dataset))
        cell->dataset = json_array_get(json_object_get(view->json, "datasets"), (size_t)json_integer_value(dataset));
    cell->family = family_index(view, cell->dataset ? text_of(cell->dataset, "values") : "coverage map");
    finding_parse(text_of(json, "head"), &cell->head);
    json_array_foreach(json_object_get(json, "findings"), i, word) {
        enum finding finding;
        if (finding_parse(json_string_value(word), &finding))
            cell->findings |= (finding_set)1 << finding;
    }
    cell->error_over_bound = figure_of(json, "error_over_bound");
    cell->ulps = figure_of(json, "ulps");
    bool bad = finding_is_bad(cell->head);
    cell->known = bad && flag_of(json, "known");
    cell->failed = bad && !cell->known;
}

static void read_variant(struct run_view *view, size_t index) {
    struct variant_view *variant = &view->variants[index];
    size_t i;
    json_t *claim;
    variant->json = json_array_get(json_object_get(view->json, "variants"), index);
    variant->index = index;
    variant->nearest = SIZE_MAX;
    // Run by name in a run or check, a fault is judged like any other row: that shows what its author will see.
    bool selftest = !strcmp(text_of(view->json, "command"), "selftest");
    variant->planted = selftest && has_text(variant->json, "fault_finding");
    if (variant->planted)
        view->faults[index] = (struct fault_row){.name = text_of(variant->json, "name"),
                                                 .backend = text_of(variant->json, "backend"),
                                                 .type = text_of(variant->json, "type"),
                                                 .finding = text_of(variant->json, "fault_finding"),
                                                 .detector = text_of(variant->json, "fault_detector")};
    json_array_foreach(json_object_get(variant->json, "claims"), i, claim) {
        variant->claims_by_status[claim_status_of(claim)]++;
    }
    view->order[index] = index;
}

static void count_cell(struct variant_view *variant, const struct cell_view *cell) {
    variant->cell_count++;
    variant->failures += cell->failed;
    variant->known += cell->known;
    variant->varied +=
        finding_in(cell->findings, FINDING_VARIED) || finding_in(cell->findings, FINDING_VARIES_AS_CLAIMED);
}

static void settle_faults(struct run_view *view) {
    fault_rows_settle(view->faults, view->variant_count, flag_of(view->json, "interrupted"));
    for (size_t v = 0; v < view->variant_count; v++)
        view->variants[v].outcome = view->faults[v].outcome;
}

enum claim_status variant_status(const struct variant_view *variant) {
    if (variant->failures || variant->claims_by_status[CLAIM_BROKEN])
        return CLAIM_BROKEN;
    if (variant->known)
        return CLAIM_KNOWN;
    return variant->claims_by_status[CLAIM_HELD] ? CLAIM_HELD : CLAIM_NOT_TESTED;
}

void write_fault_demand(const struct variant_view *variant, text_writer *write, FILE *out) {
    fputs("should be found as ", out);
    write(text_of(variant->json, "fault_finding"), out);
    fputs(" by ", out);
    write(text_of(variant->json, "fault_detector"), out);
}

bool is_correctly_rounded_by_claim(const struct cell_view *cell) {
    return cell->head == FINDING_CORRECTLY_ROUNDED && !strcmp(text_of(cell->json, "bound"), "correctly rounded");
}

// Only what is good and says something: a broken bound is told as a failure, an error beyond the bound that is none
// (what a row does not keep) as what it is, and half an ulp of a correctly rounded sum is the best there is.
static void find_nearest(struct run_view *view, const struct cell_view *cell) {
    size_t *nearest = &view->variants[cell->variant].nearest;
    if (!(cell->error_over_bound <= 1) || cell->head == FINDING_BOUND_SAYS_NOTHING || finding_is_bad(cell->head) ||
        is_correctly_rounded_by_claim(cell))
        return;
    if (*nearest == SIZE_MAX || compare_weight(cell, &view->cells[*nearest]) < 0)
        *nearest = cell->index;
}

// Gives each variant its part of the slots, then sorts each part.
static void sort_cells(struct run_view *view) {
    size_t *next = view->slots;
    for (size_t v = 0; v < view->variant_count; v++) {
        view->variants[v].cells = next;
        next += view->variants[v].cell_count;
        view->variants[v].cell_count = 0;
    }
    for (size_t i = 0; i < view->cell_count; i++) {
        struct variant_view *variant = &view->variants[view->cells[i].variant];
        variant->cells[variant->cell_count++] = i;
    }
    for (size_t v = 0; v < view->variant_count; v++)
        qsort_r(view->variants[v].cells, view->variants[v].cell_count, sizeof(size_t), compare_slots, view->cells);
}

static bool fill_grid(struct run_view *view) {
    size_t size = view->variant_count * view->family_count;
    view->worst = calloc(size + 1, sizeof *view->worst);
    view->seen = calloc(size + 1, sizeof *view->seen);
    if (!view->worst || !view->seen)
        return false;
    for (size_t i = 0; i < size; i++)
        view->worst[i] = SIZE_MAX;
    for (size_t i = 0; i < view->cell_count; i++) {
        const struct cell_view *cell = &view->cells[i];
        size_t at = cell->variant * view->family_count + cell->family;
        if (view->worst[at] == SIZE_MAX || compare_weight(cell, &view->cells[view->worst[at]]) < 0)
            view->worst[at] = i;
        view->seen[at] |= cell->findings;
    }
    return true;
}

// What the worst of a family's squares shows.
enum weight { WEIGHT_FAILED, WEIGHT_KNOWN, WEIGHT_ERROR, WEIGHT_EXACT, WEIGHTS };

static enum weight weigh_family(const struct run_view *view, size_t family) {
    enum weight weight = WEIGHT_EXACT;
    for (size_t v = 0; v < view->variant_count; v++) {
        size_t worst = view->worst[v * view->family_count + family];
        const struct cell_view *cell = worst == SIZE_MAX ? NULL : &view->cells[worst];
        if (!cell)
            continue;
        bool error = cell->head == FINDING_BOUND_SAYS_NOTHING || cell->error_over_bound > 0;
        enum weight its = cell->failed  ? WEIGHT_FAILED
                          : cell->known ? WEIGHT_KNOWN
                          : error       ? WEIGHT_ERROR
                                        : WEIGHT_EXACT;
        weight = its < weight ? its : weight;
    }
    return weight;
}

// A map may be wider than the screen: what failed must not lie where nobody scrolls to.
static void order_families(struct run_view *view) {
    size_t placed = 0;
    for (enum weight weight = 0; weight < WEIGHTS; weight++)
        for (size_t family = 0; family < view->family_count; family++)
            if (weigh_family(view, family) == weight)
                view->family_order[placed++] = family;
}

bool run_view_make(struct run_view *view, const json_t *run) {
    *view = (struct run_view){.json = run};
    view->cell_count = json_array_size(json_object_get(run, "cells"));
    view->variant_count = json_array_size(json_object_get(run, "variants"));
    if (!allocate(view))
        return false;
    for (size_t v = 0; v < view->variant_count; v++)
        read_variant(view, v);
    for (size_t i = 0; i < view->cell_count; i++) {
        read_cell(view, i);
        count_cell(&view->variants[view->cells[i].variant], &view->cells[i]);
        fault_row_take_cell(&view->faults[view->cells[i].variant], view->cells[i].head,
                            text_of(view->cells[i].json, "detector"), has_text(view->cells[i].json, "harness_fault"));
        find_nearest(view, &view->cells[i]);
    }
    settle_faults(view);
    sort_cells(view);
    qsort_r(view->order, view->variant_count, sizeof *view->order, compare_variants, view);
    if (!fill_grid(view))
        return false;
    order_families(view);
    return true;
}

void run_view_free(struct run_view *view) {
    free(view->cells);
    free(view->variants);
    free(view->faults);
    free(view->order);
    free(view->slots);
    free(view->families);
    free(view->family_order);
    free(view->worst);
    free(view->seen);
    *view = (struct run_view){0};
}

bool cell_breaks(const json_t *cell, size_t claim) {
    size_t i;
    json_t *number;
    json_array_foreach(json_object_get(cell, "broken"), i, number) {
        if ((size_t)json_integer_value(number) == claim)
            return true;
    }
    return false;
}
