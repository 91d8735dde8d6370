// SPDX-License-Identifier: MIT
// What the cells say about each variant's claims.
#include "harness/environment.h"
#include "harness/note.h"
#include "harness/runner.h"
#include "harness/support.h"
#include "harness/verdict_sentence.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Below this worst err/bound over the full tier a bound says too little to be worth claiming.
static const double weak_bound_ratio = 1e-3;

static unsigned attack_on(enum claim claim) {
    switch (claim) {
    case CLAIM_SAME_BITS_RUN:
        return ATTACK_RUN;
    case CLAIM_SAME_BITS_SHAPE:
        return ATTACK_SHAPE;
    case CLAIM_SAME_BITS_PLACEMENT:
        return ATTACK_PLACEMENT;
    case CLAIM_SAME_BITS_ORDER:
        return ATTACK_ORDER;
    case CLAIM_SAME_BITS_DEVICE:
        return ATTACK_DEVICE;
    default:
        return ATTACK_NONE;
    }
}

static const char *not_tested_reason(const struct plan *plan, enum claim claim, const struct variant_card *card) {
    if (*card->absent)
        return card->absent;
    if (plan->attacks && attack_on(claim) & ~plan->attacks)
        return "it was not asked for";
    if (claim == CLAIM_SAME_BITS_DEVICE && strcmp(card->backend, "cuda") != 0)
        return "no GPU took part";
    if (claim == CLAIM_SAME_BITS_DEVICE && plan->catalog->devices < 2)
        return "one device";
    if (claim == CLAIM_SAME_BITS_DEVICE && plan->device_chosen)
        return "one device was chosen";
    if (claim == CLAIM_SAME_BITS_SHAPE && card->shape_count < 2)
        return "it has one launch shape";
    return "no cell of this run tests it";
}

static void replace_text(char **text, const char *with) {
    free(*text);
    *text = must_copy_text(with);
}

static bool is_same_bits(enum claim claim) {
    return claim >= CLAIM_SAME_BITS_RUN && claim <= CLAIM_SAME_BITS_DEVICE;
}

// Whether or not the row claims anything.
static size_t count_differing(const struct run_result *result, size_t variant, enum claim claim) {
    size_t differing = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        if (cell->variant != variant || !(cell->tested & (1u << claim)))
            continue;
        bool in_repeats = claim == CLAIM_SAME_BITS_RUN && cell->pattern_count > 1;
        differing += in_repeats || (cell->differs && strcmp(cell->attack, claim_name(claim)) == 0);
    }
    return differing;
}

static bool worse_than(const struct cell_result *cell, const struct cell_result *worst) {
    if (isnan(cell->error_over_bound))
        return false;
    return !worst || cell->error_over_bound > worst->error_over_bound;
}

static bool breaks(const struct cell_result *cell, enum claim claim) {
    return (cell->broken >> claim) & 1;
}

// The cell that speaks for a claim: the first that breaks it, otherwise, for accuracy, the nearest to its bound.
static const struct cell_result *speaking_cell(const struct run_result *result, size_t variant, enum claim claim) {
    const struct cell_result *worst = NULL;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        if (cell->variant != variant || !(cell->tested & (1u << claim)))
            continue;
        if (breaks(cell, claim))
            return cell;
        if (claim == CLAIM_ACCURACY && worse_than(cell, worst))
            worst = cell;
    }
    return worst;
}

// The reason of the first cell in which nobody could look; NULL if there is none.
static const char *unchecked_reason(const struct run_result *result, size_t variant) {
    for (size_t i = 0; i < result->cell_count; i++)
        if (result->cells[i].variant == variant && result->cells[i].head == FINDING_NOT_CHECKED)
            return result->cells[i].detail;
    return NULL;
}

// Of a claim whose name, value and "made or not" are there. `why` says beforehand why no cell might test it.
static void judge_claim(const struct run_result *result, size_t variant, enum claim claim, struct claim_result *out) {
    size_t known = 0;
    out->cells = out->broken = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        if (cell->variant != variant || !(cell->tested & (1u << claim)))
            continue;
        out->cells++;
        out->broken += breaks(cell, claim);
        known += breaks(cell, claim) && cell->known;
    }
    const struct cell_result *worst = speaking_cell(result, variant, claim);
    replace_text(&out->worst_cell, worst ? worst->id : NULL);
    free(out->observed);
    out->observed = NULL;
    out->differing = is_same_bits(claim) ? count_differing(result, variant, claim) : 0;
    if (is_same_bits(claim) && out->cells)
        out->observed = text_format("%zu of %zu attacked cells gave other bits", out->differing, out->cells);
    if (out->status != CLAIM_NOT_CLAIMED)
        out->status = out->broken > known ? CLAIM_BROKEN
                      : out->broken       ? CLAIM_KNOWN
                      : out->cells        ? CLAIM_HELD
                                          : CLAIM_NOT_TESTED;
    const char *unchecked = unchecked_reason(result, variant);
    if (out->cells)
        replace_text(&out->why, out->broken ? worst->detail : NULL);
    else if (unchecked && claim == CLAIM_SOUND)
        replace_text(&out->why, unchecked);
}

static void count_cells(const struct run_result *result, size_t variant, struct variant_result *out) {
    const struct cell_result *worst = NULL;
    out->cell_count = out->bad_cells = out->known_cells = out->says_nothing_cells = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        if (cell->variant != variant)
            continue;
        out->cell_count++;
        out->bad_cells += cell->broken && !cell->known;
        out->known_cells += cell->broken && cell->known;
        out->says_nothing_cells += (cell->findings >> FINDING_BOUND_SAYS_NOTHING) & 1;
        if (worse_than(cell, worst) && !((cell->findings >> FINDING_BOUND_SAYS_NOTHING) & 1))
            worst = cell;
    }
    out->worst_error_over_bound = worst ? worst->error_over_bound : NAN;
    replace_text(&out->worst_cell, worst ? worst->id : NULL);
}

static char *tell_unchecked(const struct run_result *result, size_t variant) {
    const struct cell_result *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        if (cell->variant != variant || !cell->harness_fault)
            continue;
        first = first ? first : cell;
        count++;
    }
    return first ? text_format("Cells that could not be checked: %zu, first %s: %s", count, first->id, first->detail)
                 : NULL;
}

// What is looked at on each backend; the claim to be sound says with what result.
static const char *hazards_checked(const char *backend) {
    if (strcmp(backend, "simt") == 0)
        return "guard pages, poison, coverage map and schedules; no race detector in this run";
    if (strcmp(backend, "tsan") == 0)
        return "data races, by ThreadSanitizer";
    return strcmp(backend, "asan") == 0 ? "accesses out of bounds, by AddressSanitizer" : "not checked";
}

static char *text_or_null(const char *text) {
    return *text ? must_copy_text(text) : NULL;
}

static void list_claims(const struct plan *plan, const struct variant_card *card, struct variant_result *out) {
    out->claim_count = CLAIM_COUNT;
    out->claims = must_calloc(CLAIM_COUNT, sizeof *out->claims);
    for (enum claim claim = 0; claim < CLAIM_COUNT; claim++) {
        bool made = claim_is_made(claim, card);
        out->claims[claim] = (struct claim_result){
            .claim = must_copy_text(claim_name(claim)),
            .value = must_copy_text(claim_value(claim, card)),
            .status = made ? CLAIM_NOT_TESTED : CLAIM_NOT_CLAIMED,
            .why = must_copy_text(not_tested_reason(plan, claim, card)),
        };
    }
}

// What the row needs, and the seed of the data where it is not the one that every run takes by itself. Words behind a
// "--" are a compiler's, so that the seed comes first.
static char *arguments_with_seed(const char *arguments, uint64_t seed) {
    if (seed == DEFAULT_SEED)
        return must_copy_text(arguments);
    return text_format("--seed %" PRIu64 "%s%s", seed, arguments ? " " : "", arguments ? arguments : "");
}

static void describe_variant(const struct plan *plan, const struct catalog_variant *row, uint64_t seed,
                             struct variant_result *out) {
    const struct variant_card *card = &row->card;
    const struct catalog_backend *backend = &plan->catalog->backends[row->backend];
    *out = (struct variant_result){
        .name = must_copy_text(card->name),
        .backend = must_copy_text(card->backend),
        .type = must_copy_text(card->type),
        .summary = must_copy_text(card->summary),
        .origin = text_or_null(card->origin),
        .variables = must_copy_text(backend->recorded.variables),
        .arguments = arguments_with_seed(backend->recorded.arguments, seed),
        .given = {must_copy_text(backend->given.variables), arguments_with_seed(backend->given.arguments, seed)},
        .brought = backend->brought,
        .fault_finding = text_or_null(card->fault_finding),
        .fault_detector = text_or_null(card->fault_detector),
        .hazards = must_copy_text(hazards_checked(card->backend)),
    };
    list_claims(plan, card, out);
}

// Neither the bound that is ours nor exactness can be too weak.
static bool has_bound_of_its_own(const struct variant_result *row) {
    const char *value = row->claims[CLAIM_ACCURACY].value;
    return strcmp(value, accuracy_name(REDUCTIO_ACCURACY_NOT_CLAIMED)) != 0 &&
           strcmp(value, accuracy_name(REDUCTIO_BINNED_NOT_CLAIMED)) != 0 &&
           strcmp(value, accuracy_name(REDUCTIO_CORRECTLY_ROUNDED)) != 0;
}

static void summarise_variant(const struct run_result *result, size_t variant, struct variant_result *out) {
    for (enum claim claim = 0; claim < CLAIM_COUNT; claim++)
        judge_claim(result, variant, claim, &out->claims[claim]);
    count_cells(result, variant, out);
    free(out->unchecked);
    out->unchecked = tell_unchecked(result, variant);
    out->bound_too_weak = has_bound_of_its_own(out) && strcmp(result->tier, "full") == 0 &&
                          out->worst_error_over_bound < weak_bound_ratio;
}

// Cells refer to the catalogue until here; the record holds only the variants that were run.
static void keep_variants_that_ran(const struct plan *plan, struct run_result *result) {
    const struct catalog *catalog = plan->catalog;
    size_t *position = must_calloc(catalog->variant_count, sizeof *position);
    const struct catalog_variant **rows = must_calloc(catalog->variant_count, sizeof *rows);
    for (size_t i = 0; i < result->cell_count; i++)
        position[result->cells[i].variant] = 1;
    for (size_t i = 0; i < plan->absent_count; i++)
        position[plan->absent[i]] = 1;
    for (size_t v = 0; v < catalog->variant_count; v++)
        if (position[v]) {
            rows[result->variant_count] = &catalog->variants[v];
            position[v] = result->variant_count++;
        }
    for (size_t i = 0; i < result->cell_count; i++)
        result->cells[i].variant = position[result->cells[i].variant];
    result->variants = must_calloc(result->variant_count, sizeof *result->variants);
    for (size_t v = 0; v < result->variant_count; v++)
        describe_variant(plan, rows[v], result->seed, &result->variants[v]);
    free(position);
    free(rows);
}

// Two programs or plug-ins are one backend.
static void note_backend(struct run_result *result, const char *name) {
    for (size_t i = 0; i < result->backend_count; i++)
        if (strcmp(result->backends[i], name) == 0)
            return;
    result->backends = grow_array(result->backends, result->backend_count, sizeof *result->backends);
    result->backends[result->backend_count++] = must_copy_text(name);
}

static void record_backends(const struct catalog *catalog, struct run_result *result) {
    for (size_t b = 0; b < catalog->backend_count; b++) {
        const struct catalog_backend *backend = &catalog->backends[b];
        bool ran = false;
        for (size_t i = 0; i < result->cell_count && !ran; i++)
            ran = catalog->variants[result->cells[i].variant].backend == (int)b;
        for (size_t i = 0; i < result->hardware_count && !ran; i++)
            ran = strcmp(result->hardware[i].backend, backend->name) == 0;
        if (backend->absent)
            add_note(result, text_format("Backend %s did not take part: %s", backend->name, backend->absent));
        if (!ran)
            continue;
        note_backend(result, backend->name);
        for (size_t i = 0; i < backend->environment_count; i++)
            add_environment(result, backend->name, backend->environment[i].key, backend->environment[i].value);
    }
}

void summarise_cells(struct run_result *result) {
    for (size_t v = 0; v < result->variant_count; v++)
        summarise_variant(result, v, &result->variants[v]);
    free(result->verdict);
    result->verdict = verdict_sentence(result);
}

void summarise(const struct plan *plan, const struct known_list *known, struct run_result *result) {
    record_environment(result);
    record_backends(plan->catalog, result);
    for (size_t i = 0; i < plan->catalog->notes.count; i++)
        add_note(result, must_copy_text(plan->catalog->notes.items[i]));
    if (known)
        known_apply(known, result);
    keep_variants_that_ran(plan, result);
    summarise_cells(result);
    note_unclaimed_accuracy(result);
    note_misaligned_rows(result);
}
