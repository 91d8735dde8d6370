// SPDX-License-Identifier: MIT
#include "reports/sample_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char sample_hostile_name[] = "evil</script><img src=x onerror=alert(1)>'\"&";
const char sample_hostile_detail[] = "</script><script>document.title='owned'</script> ]]> \033[31m \xff | `x` %s";

static void *need(void *memory) {
    if (!memory)
        abort();
    return memory;
}

static char *copy(const char *text) {
    return need(strdup(text));
}

static char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *print(const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return copy(text);
}

static finding_set set_of(enum finding finding) {
    return (finding_set)1 << finding;
}

static void fill_run(struct run_result *run) {
    static const char *const environment[][2] = {
        {"commit", "0123456789abcdef"},
        {"compiler", "gcc 12.2.0"},
        {"flags", "-O2 -ffp-contract=off"},
        {"cpu", "A <processor> & co"},
        {"mpfr", "4.2.0"},
        {"simt.emulated", "yes: CUDA on the CPU, no GPU was used"},
        {"simt.compiler", "g++ 12.2.0"},
    };
    run->verdict = copy("1 of 2 variants breaks a claim; 1 varies from run to run, as it says.");
    run->command = copy("selftest"); // where a planted fault is one
    run->argc = 4;
    run->argv = need(calloc(run->argc, sizeof *run->argv));
    run->argv[0] = copy("reductio");
    run->argv[1] = copy("selftest");
    run->argv[2] = copy("--tier");
    run->argv[3] = copy("smoke");
    run->tier = copy("smoke");
    run->seed = UINT64_C(0xfedcba9876543210); // above 2^63
    run->started = copy("2026-11-30T09:00:00Z");
    run->seconds = 12.5;
    run->environment_count = sizeof environment / sizeof *environment;
    run->environment = need(calloc(run->environment_count, sizeof *run->environment));
    for (size_t i = 0; i < run->environment_count; i++)
        run->environment[i] = (struct text_pair){copy(environment[i][0]), copy(environment[i][1])};
    run->backend_count = 1;
    run->backends = need(calloc(1, sizeof *run->backends));
    run->backends[0] = copy("simt");
    run->note_count = 1;
    run->notes = need(calloc(1, sizeof *run->notes));
    run->notes[0] = copy("No CUDA device: the cuda backend did not run.");
}

static struct claim_result claim(const char *name, const char *value, enum claim_status status, const char *why,
                                 const char *observed, size_t cells, size_t broken) {
    return (struct claim_result){.claim = copy(name),
                                 .value = copy(value),
                                 .status = status,
                                 .why = why ? copy(why) : NULL,
                                 .observed = observed ? copy(observed) : NULL,
                                 .cells = cells,
                                 .broken = broken};
}

static void fill_claims(struct variant_result *variant, bool breaks) {
    variant->claim_count = 5;
    variant->claims = need(calloc(variant->claim_count, sizeof *variant->claims));
    variant->claims[0] = claim("accuracy", "height", breaks ? CLAIM_BROKEN : CLAIM_HELD,
                               breaks ? "lost elements at n = 1025" : NULL, NULL, 40, breaks ? 2 : 0);
    variant->claims[1] = claim("same bits: run", breaks ? "yes" : "no", breaks ? CLAIM_HELD : CLAIM_NOT_CLAIMED, NULL,
                               breaks ? "1 bit pattern in 8 schedules" : "3 bit patterns in 8 schedules", 8, 0);
    variant->claims[2] = claim("same bits: device", "yes", CLAIM_NOT_TESTED, "one GPU at most", NULL, 0, 0);
    variant->claims[3] = claim("keeps subnormals", "yes", CLAIM_KNOWN, "listed in reductio-known.txt", NULL, 4, 1);
    variant->claims[4] = claim("specials", "yes", CLAIM_HELD, NULL, NULL, 6, 0);
}

static struct order_result order(uint64_t n, const char *kind, uint64_t height, uint64_t hash, const char *formula,
                                 const char *why) {
    return (struct order_result){.n = n,
                                 .shape = copy("t256"),
                                 .kind = copy(kind),
                                 .height = height,
                                 .hash = hash,
                                 .formula = formula ? copy(formula) : NULL,
                                 .why = why ? copy(why) : NULL};
}

static void fill_orders(struct run_result *run) {
    run->variants[0].order_count = 2;
    run->variants[0].orders = need(calloc(2, sizeof *run->variants[0].orders));
    run->variants[0].orders[0] = order(4, "tree", 2, 0xabc, "((x0+x2)+(x1+x3))", NULL);
    run->variants[0].orders[1] = order(5, "multiway tree", 2, UINT64_C(0xfedcba9876543210), "((x0+x1+x2+x3)+x4)", NULL);
    run->variants[1].order_count = 1;
    run->variants[1].orders = need(calloc(1, sizeof *run->variants[1].orders));
    run->variants[1].orders[0] = order(4, "varies", 0, 0, NULL, "x1 and x2 meet elsewhere under <seed 3>");
}

static void fill_variants(struct run_result *run) {
    run->variant_count = 3;
    run->variants = need(calloc(run->variant_count, sizeof *run->variants));
    static const char *const names[] = {"tree_sequential", sample_hostile_name, "drops_tail"};
    for (size_t v = 0; v < run->variant_count; v++) {
        struct variant_result *variant = &run->variants[v];
        *variant = (struct variant_result){.name = copy(names[v]),
                                           .backend = copy("simt"),
                                           .type = copy("f32"),
                                           .summary = copy("Halving tree in shared memory, sequential addressing."),
                                           .origin = v ? NULL : copy("first tutorial, v2"),
                                           .arguments = v == 1 ? copy("mine.cu -- '-DX=<a b>'") : NULL,
                                           .hazards = copy(v ? "not checked" : "clean under tsan and asan"),
                                           .worst_error_over_bound = v == 1   ? INFINITY
                                                                     : v == 2 ? (double)NAN
                                                                              : 0.25};
        fill_claims(variant, v == 1);
    }
    fill_orders(run);
    run->variants[2].fault_finding = copy("lost elements");
    run->variants[2].fault_detector = copy("coverage map");
}

static void fill_datasets(struct run_result *run) {
    static const struct {
        const char *values, *exact, *hex;
        uint64_t n;
        double condition;
    } rows[] = {{"uniform", "512.25", "0x1.002p+9", 1025, 1.0}, {"cond1e8", "1.5", "0x1.8p+0", 257, 1.1e8},
                {"all_minus_zero", "-0", "-0x0p+0", 32, 1.0},   {"nan_first", "nan", "nan", 63, NAN},
                {"plus_infinity", "inf", "inf", 63, NAN},       {"cancels_to_zero", "0", "0x0p+0", 64, INFINITY}};
    run->dataset_count = sizeof rows / sizeof *rows;
    run->datasets = need(calloc(run->dataset_count, sizeof *run->datasets));
    for (size_t d = 0; d < run->dataset_count; d++)
        run->datasets[d] = (struct dataset_result){.name = print("f32/%s/%" PRIu64 "/given", rows[d].values, rows[d].n),
                                                   .type = copy("f32"),
                                                   .values = copy(rows[d].values),
                                                   .order = copy("given"),
                                                   .n = rows[d].n,
                                                   .seed = 0x1234 + d,
                                                   .what_for = copy("shows what it shows <&>"),
                                                   .exact_decimal = copy(rows[d].exact),
                                                   .exact_hex = copy(rows[d].hex),
                                                   .condition = rows[d].condition,
                                                   .abs_sum_decimal = copy("512.25"),
                                                   .never_rounds = d == 2};
}

static void fill_figures(struct cell_result *cell) {
    cell->has_result = true;
    cell->bits = 0x44001000;
    cell->rounded_bits = 0x44001001;
    cell->got_hex = copy("0x1.002p+9");
    cell->got_decimal = copy("512.25");
    cell->rounded_hex = copy("0x1.002002p+9");
    cell->rounded_decimal = copy("512.250061");
    cell->ulps = -1.25;
    cell->relative_error = 1.19e-7;
    cell->error_over_uA = 1.5;
    cell->error_over_bound = 0.25;
    cell->bound_over_sum = 6e-7;
    cell->bound = copy("height");
    cell->bound_decimal = copy("0.000305");
    cell->runs = 8;
    cell->min_ulps = -1.25;
    cell->max_ulps = -1.25;
    cell->vs = 0.0;
    cell->pattern_count = 1;
    cell->patterns = need(calloc(1, sizeof *cell->patterns));
    cell->patterns[0] = (struct bit_pattern){.bits = 0x44001000, .count = 8, .ulps = -1.25, .first_at = "inorder"};
    cell->ns_count = 2;
    cell->ns = need(calloc(cell->ns_count, sizeof *cell->ns));
    cell->ns[0] = 1200;
    cell->ns[1] = 1100;
    cell->gigabytes_per_second = 3.5;
    cell->bandwidth_share = 0.4;
}

static struct cell_result make_cell(const struct run_result *run, size_t variant, size_t dataset, enum finding head) {
    const struct variant_result *v = &run->variants[variant];
    const struct dataset_result *d = dataset == SIZE_MAX ? NULL : &run->datasets[dataset];
    uint64_t n = d ? d->n : 1025;
    return (struct cell_result){.id = print("%s@%s/%s/%s/%" PRIu64 "/given/t256/0/inorder", v->name, v->backend,
                                            v->type, d ? d->values : "coverage", n),
                                .variant = variant,
                                .dataset = dataset,
                                .n = n,
                                .shape = copy("t256"),
                                .schedule = copy("inorder"),
                                .head = head,
                                .findings = set_of(head),
                                .tested = 1,
                                .broken = finding_is_bad(head),
                                .detector = finding_is_bad(head) ? copy("bound") : NULL,
                                .runs = 8};
}

static void set_patterns(struct cell_result *cell, const struct bit_pattern *patterns, size_t count) {
    free(cell->patterns);
    cell->patterns = need(calloc(count, sizeof *cell->patterns));
    memcpy(cell->patterns, patterns, count * sizeof *patterns);
    cell->pattern_count = count;
}

static void set_text(char **member, const char *text) {
    free(*member);
    *member = copy(text);
}

static void fill_odd_cells(struct run_result *run) {
    static const struct bit_pattern varied[] = {
        {0x44001000, 5, -1.25, "inorder"}, {0x44001001, 2, -0.25, "reversed"}, {0x44001003, 1, 1.75, "seed3"}};
    struct cell_result *cell = run->cells;
    cell[1].attack = copy("same bits: run");
    cell[1].compared_with = copy(cell[0].id);
    cell[1].tested = 1u << 1;
    cell[1].differs = true;
    cell[1].findings |= set_of(FINDING_VARIES_AS_CLAIMED);
    set_patterns(&cell[1], varied, 3);
    cell[1].max_ulps = 1.75;
    cell[2].bits = cell[2].rounded_bits = cell[2].patterns[0].bits = 0x80000000;
    set_text(&cell[2].got_hex, "-0x0p+0");
    set_text(&cell[2].got_decimal, "-0");
    cell[2].ulps = -0.0;
    cell[2].error_over_bound = NAN;
    cell[3].ulps = NAN;
    cell[3].bits = cell[3].patterns[0].bits = 0x7fc00000;
    set_text(&cell[3].got_hex, "nan");
    cell[5].known = true;
    cell[5].known_reason = copy("upstream issue, accepted <until> fixed");
    cell[6].ulps = -INFINITY;
    cell[6].relative_error = INFINITY;
    cell[6].error_over_bound = INFINITY;
    cell[6].detail = copy(sample_hostile_detail);
}

// One question to two backends, the second of which answers otherwise.
static void fill_hardware(struct run_result *run) {
    static const char *const backends[] = {"simt", "cuda"}, *const observed[] = {"0x0p+0", "0x1p-140"};
    run->hardware_count = 2;
    run->hardware = need(calloc(run->hardware_count, sizeof *run->hardware));
    for (size_t i = 0; i < run->hardware_count; i++)
        run->hardware[i] = (struct hardware_result){.operation = copy("atomicAdd, global memory"),
                                                    .what = copy("+0 and a <subnormal>"),
                                                    .backend = copy(backends[i]),
                                                    .type = copy("f32"),
                                                    .operands = copy("0x0p+0, 0x1p-140"),
                                                    .expected = copy("0x0p+0"),
                                                    .observed = copy(observed[i]),
                                                    .source = copy("PTX ISA"),
                                                    .as_stated = i == 0};
}

struct run_result sample_result(void) {
    static const struct {
        size_t variant, dataset;
        enum finding head;
        bool result;
    } rows[] = {{0, 0, FINDING_WITHIN_BOUND, true},         {0, 1, FINDING_BOUND_SAYS_NOTHING, true},
                {0, 2, FINDING_CORRECTLY_ROUNDED, true},    {0, 3, FINDING_CORRECTLY_ROUNDED, true},
                {0, SIZE_MAX, FINDING_WITHIN_BOUND, false}, {1, 0, FINDING_FLUSHED, true},
                {1, 5, FINDING_BEYOND_BOUND, true},         {1, 4, FINDING_HUNG, false},
                {1, 3, FINDING_WRONG_CLASS, true},          {2, SIZE_MAX, FINDING_LOST_ELEMENTS, false}};
    struct run_result run = {0};
    fill_run(&run);
    fill_variants(&run);
    fill_datasets(&run);
    run.cell_count = sizeof rows / sizeof *rows;
    run.cells = need(calloc(run.cell_count, sizeof *run.cells));
    for (size_t i = 0; i < run.cell_count; i++) {
        run.cells[i] = make_cell(&run, rows[i].variant, rows[i].dataset, rows[i].head);
        if (rows[i].result)
            fill_figures(&run.cells[i]);
        run.variants[rows[i].variant].cell_count++;
        run.variants[rows[i].variant].bad_cells += finding_is_bad(rows[i].head);
    }
    fill_odd_cells(&run);
    fill_hardware(&run);
    set_text(&run.cells[9].detector, "coverage map");
    run.cells[9].detectors = need(calloc(2, sizeof *run.cells[9].detectors));
    run.cells[9].detectors[run.cells[9].detector_count++] = copy("coverage map");
    run.cells[9].detectors[run.cells[9].detector_count++] = copy("guard");
    return run;
}

struct run_result sample_empty_result(void) {
    struct run_result run = {0};
    fill_run(&run);
    run.interrupted = true;
    set_text(&run.verdict, "Interrupted before the first cell.");
    return run;
}

// ---- a run of real weight: synthetic figures that follow the theory's shapes, so that charts can be judged by eye
// ----

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
    run->variants = need(calloc(run->variant_count, sizeof *run->variants));
    for (size_t v = 0; v < run->variant_count; v++) {
        struct variant_result *variant = &run->variants[v];
        *variant = (struct variant_result){.name = copy(names[v / 2]),
                                           .backend = copy(v / 2 < 3 ? "host" : "simt"),
                                           .type = copy(v % 2 ? "f64" : "f32"),
                                           .summary = copy("Adds what it is given, in an order of its own."),
                                           .hazards = copy("not checked")};
        fill_claims(variant, names[v / 2][0] == 'a');
        set_text(&variant->claims[0].value, accuracies[v / 2 % 4]);
    }
}

static void fill_large_datasets(struct run_result *run) {
    run->dataset_count = 2 * FAMILIES * SIZES;
    run->datasets = need(calloc(run->dataset_count, sizeof *run->datasets));
    for (size_t d = 0; d < run->dataset_count; d++) {
        const struct sample_family *family = &families[d / 2 % FAMILIES];
        const char *type = d % 2 ? "f64" : "f32";
        uint64_t n = sample_sizes[d / 2 / FAMILIES];
        run->datasets[d] = (struct dataset_result){.name = print("%s/%s/%" PRIu64 "/given", type, family->values, n),
                                                   .type = copy(type),
                                                   .values = copy(family->values),
                                                   .order = copy("given"),
                                                   .n = n,
                                                   .seed = d * UINT64_C(0x9e3779b97f4a7c15),
                                                   .what_for = print("what %s attacks", family->values),
                                                   .exact_decimal = print("%.17g", (double)n / 3),
                                                   .exact_hex = print("%a", (double)n / 3),
                                                   .condition = family->condition,
                                                   .abs_sum_decimal = print("%.17g", (double)n)};
    }
}

static void set_large_figures(struct cell_result *cell, const struct dataset_result *dataset, uint64_t *state) {
    double u = dataset->type[1] == '6' ? 0x1p-53 : 0x1p-24;
    double cond = isnan(dataset->condition) ? 1 : dataset->condition;
    double share = pow(10, -6 * next_random(state));
    double sign = next_random(state) < 0.5 ? -1 : 1;
    fill_figures(cell);
    cell->bits = cell->rounded_bits = (uint64_t)(next_random(state) * 0x1p32);
    set_text(&cell->got_hex, "0x1.002p+9");
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
    cell->findings = set_of(cell->head);
}

static void set_large_patterns(struct cell_result *cell, uint64_t *state) {
    struct bit_pattern patterns[6];
    for (size_t i = 0; i < 6; i++)
        patterns[i] = (struct bit_pattern){cell->bits + i, 6 - i, cell->ulps + (double)i - 2, "seed"};
    cell->runs = 21;
    set_patterns(cell, patterns, 2 + (size_t)(next_random(state) * 4));
    cell->min_ulps = cell->ulps - 2;
    cell->max_ulps = cell->ulps + 3;
    cell->findings |= set_of(FINDING_VARIES_AS_CLAIMED);
}

static void add_large_cell(struct run_result *run, size_t i, double failing, uint64_t *state) {
    size_t v = i % run->variant_count;
    size_t pick = i / run->variant_count % (run->dataset_count / 2);
    bool fails = next_random(state) < failing;
    struct variant_result *variant = &run->variants[v];
    struct cell_result *cell = &run->cells[i];
    *cell = make_cell(run, v, 2 * pick + v % 2, fails ? FINDING_LOST_ELEMENTS : FINDING_WITHIN_BOUND);
    if (fails)
        cell->detail = copy("The last 20 lanes of each 180-thread block are lost.");
    else
        set_large_figures(cell, &run->datasets[cell->dataset], state);
    if (!fails && variant->name[0] == 'a')
        set_large_patterns(cell, state);
    size_t round = i / run->variant_count / (run->dataset_count / 2);
    free(cell->id);
    cell->id =
        print("%s@%s/%s/t256/0/seed%zu", variant->name, variant->backend, run->datasets[cell->dataset].name, round);
    variant->cell_count++;
    variant->bad_cells += fails;
    if (!fails && cell->error_over_bound > variant->worst_error_over_bound)
        variant->worst_error_over_bound = cell->error_over_bound;
}

static struct run_result make_large(size_t cells, double failing) {
    struct run_result run = {0};
    uint64_t state = 1;
    fill_run(&run);
    fill_large_variants(&run);
    fill_large_datasets(&run);
    run.cell_count = cells;
    run.cells = need(calloc(cells + 1, sizeof *run.cells));
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
        cell->findings = set_of(cell->head);
        run.variants[cell->variant].bad_cells++;
        break;
    }
    return run;
}
