// SPDX-License-Identifier: MIT
// A run of real weight: synthetic figures that follow the theory's shapes, so that charts can be judged by eye.
#include "reports/sample_parts.h"
#include "reports/sample_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sample_family {
    const char *values;
    double condition; // at every n
};

static const struct sample_family families[] = {{"ones", 1},
                                                {"integers", 1},
                                                {"uniform", 1},
                                                {"symmetric", 300},
                                                {"normal", 500},
                                                {"tenth", 1},
                                                {"ramp", 1},
                                                {"harmonic", 1},
                                                {"stagnation", 1},
                                                {"cond1e2", 1e2},
                                                {"cond1e4", 1e4},
                                                {"cond1e6", 1e6},
                                                {"cond1e8", 1e8},
                                                {"cond1e10", 1e10},
                                                {"cond1e12", 1e12},
                                                {"cond1e16", 1e16},
                                                {"cond1e20", 1e20},
                                                {"huge_range", 40},
                                                {"alternating", 1e5},
                                                {"kahan_trap", 1e7},
                                                {"halfway", 1},
                                                {"early_overflow", 10},
                                                {"subnormals", 1},
                                                {"minus_zero", 1},
                                                {"nan_first", NAN},
                                                {"plus_infinity", NAN},
                                                {"corpus/kahan_last_rounding", 1},
                                                {"corpus/ramp_65536", 1}};
static const uint64_t sample_sizes[] = {2, 33, 257, 1025, 4099, 65537, 1048579};
enum { FAMILIES = sizeof families / sizeof *families, SIZES = sizeof sample_sizes / sizeof *sample_sizes };

// A small generator (Knuth's MMIX constants): the sample is the same on every machine.
static double next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / (double)(UINT64_C(1) << 53);
}

static void fill_large_variants(struct run_result *run) {
    static const char *const names[] = {
        "host_sequential", "host_pairwise",    "host_kahan",     "atomic_per_element",     "tree_modulo",
        "tree_strided",    "tree_sequential",  "tree_two_loads", "tree_warp_unrolled",     "warp_shuffle",
        "two_level",       "two_level_serial", "grid_stride",    "single_pass_last_block", "kahan",
        "neumaier",        "f64_accumulator",  "double_word"};
    static const char *const accuracies[] = {"height", "any order", "Kahan", "double word"};
    enum { NAMES = sizeof names / sizeof *names };
    run->variant_count = 2 * NAMES;
    run->variants = sample_need(calloc(run->variant_count, sizeof *run->variants));
    for (size_t v = 0; v < run->variant_count; v++) {
        struct variant_result *variant = &run->variants[v];
        *variant = (struct variant_result){.name = sample_copy(names[v / 2]),
                                           .backend = sample_copy(v / 2 < 3 ? "host" : "simt"),
                                           .type = sample_copy(v % 2 ? "f64" : "f32"),
                                           .summary = sample_copy("Adds what it is given, in an order of its own."),
                                           .hazards = sample_copy("not checked")};
        sample_fill_claims(variant, names[v / 2][0] == 'a');
        sample_set_text(&variant->claims[0].value, accuracies[v / 2 % 4]);
    }
}

static void fill_large_datasets(struct run_result *run) {
    run->dataset_count = 2 * FAMILIES * SIZES;
    run->datasets = sample_need(calloc(run->dataset_count, sizeof *run->datasets));
    for (size_t d = 0; d < run->dataset_count; d++) {
        const struct sample_family *family = &families[d / 2 % FAMILIES];
        const char *type = d % 2 ? "f64" : "f32";
        uint64_t n = sample_sizes[d / 2 / FAMILIES];
        run->datasets[d] =
            (struct dataset_result){.name = sample_print("%s/%s/%" PRIu64 "/given", type, family->values, n),
                                    .type = sample_copy(type),
                                    .values = sample_copy(family->values),
                                    .order = sample_copy("given"),
                                    .n = n,
                                    .seed = d * UINT64_C(0x9e3779b97f4a7c15),
                                    .what_for = sample_print("what %s attacks", family->values),
                                    .exact_decimal = sample_print("%.17g", (double)n / 3),
                                    .exact_hex = sample_print("%a", (double)n / 3),
                                    .condition = family->condition,
                                    .abs_sum_decimal = sample_print("%.17g", (double)n)};
    }
}

static void set_large_figures(struct cell_result *cell, const struct dataset_result *dataset, uint64_t *state) {
    double u = dataset->type[1] == '6' ? 0x1p-53 : 0x1p-24;
    double cond = isnan(dataset->condition) ? 1 : dataset->condition;
    double share = pow(10, -6 * next_random(state));
    double sign = next_random(state) < 0.5 ? -1 : 1;
    sample_fill_figures(cell);
    cell->bits = cell->rounded_bits = (uint64_t)(next_random(state) * 0x1p32);
    sample_set_text(&cell->got_hex, "0x1.002p+9");
    cell->error_over_uA = share * sqrt((double)cell->n) * (1 + (double)(cell->variant * 7 % 11));
    cell->relative_error = cell->error_over_uA * u * cond;
    cell->ulps = sign * cell->error_over_uA * cond;
    cell->gigabytes_per_second = (double)(1 + cell->variant * 13 % 37);
    cell->error_over_bound = share;
    cell->bound_over_sum = (double)cell->n * u * cond;
    cell->patterns[0].bits = cell->bits;
    cell->ns[0] = (uint64_t)(1000 + 1e6 * next_random(state));
    cell->ns[1] = (uint64_t)(1000 + 1e6 * next_random(state));
    if (cell->bound_over_sum >= 1)
        cell->head = FINDING_BOUND_SAYS_NOTHING;
    cell->findings = sample_set_of(cell->head);
}

static void set_large_patterns(struct cell_result *cell, uint64_t *state) {
    struct bit_pattern patterns[6];
    for (size_t i = 0; i < 6; i++)
        patterns[i] = (struct bit_pattern){cell->bits + i, 6 - i, cell->ulps + (double)i - 2, "seed"};
    cell->runs = 21;
    sample_set_patterns(cell, patterns, 2 + (size_t)(next_random(state) * 4));
    cell->min_ulps = cell->ulps - 2;
    cell->max_ulps = cell->ulps + 3;
    cell->findings |= sample_set_of(FINDING_VARIES_AS_CLAIMED);
}

static void add_large_cell(struct run_result *run, size_t i, double failing, uint64_t *state) {
    size_t v = i % run->variant_count;
    size_t pick = i / run->variant_count % (run->dataset_count / 2);
    bool fails = next_random(state) < failing;
    struct variant_result *variant = &run->variants[v];
    struct cell_result *cell = &run->cells[i];
    *cell = sample_make_cell(run, v, 2 * pick + v % 2, fails ? FINDING_LOST_ELEMENTS : FINDING_WITHIN_BOUND);
    if (fails)
        cell->detail = sample_copy("The last 20 lanes of each 180-thread block are lost.");
    else
        set_large_figures(cell, &run->datasets[cell->dataset], state);
    if (!fails && variant->name[0] == 'a')
        set_large_patterns(cell, state);
    size_t round = i / run->variant_count / (run->dataset_count / 2);
    free(cell->id);
    cell->id = sample_print("%s@%s/%s/t256/0/seed%zu", variant->name, variant->backend,
                            run->datasets[cell->dataset].name, round);
    variant->cell_count++;
    variant->bad_cells += fails;
    if (!fails && cell->error_over_bound > variant->worst_error_over_bound)
        variant->worst_error_over_bound = cell->error_over_bound;
}

static struct run_result make_large(size_t cells, double failing) {
    struct run_result run = {0};
    uint64_t state = 1;
    sample_fill_run(&run);
    fill_large_variants(&run);
    fill_large_datasets(&run);
    run.cell_count = cells;
    run.cells = sample_need(calloc(cells + 1, sizeof *run.cells));
    for (size_t i = 0; i < cells; i++)
        add_large_cell(&run, i, failing, &state);
    return run;
}

struct run_result sample_large_result(size_t cells) {
    return make_large(cells, 0.004);
}

struct run_result sample_one_broken_result(size_t cells) {
    struct run_result run = make_large(cells, 0);
    for (size_t i = cells; i-- > 0;) {
        struct cell_result *cell = &run.cells[i];
        if (cell->n > sample_sizes[0] || strcmp(run.datasets[cell->dataset].values, families[FAMILIES - 1].values) != 0)
            continue;
        cell->head = FINDING_LOST_ELEMENTS;
        cell->findings = sample_set_of(cell->head);
        run.variants[cell->variant].bad_cells++;
        break;
    }
    return run;
}
