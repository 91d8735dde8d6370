// SPDX-License-Identifier: MIT
#include "reports/sample_result.h"
#include "reports/sample_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char sample_hostile_name[] = "evil</script><img src=x onerror=alert(1)>'\"&";
const char sample_hostile_detail[] = "</script><script>document.title='owned'</script> ]]> \033[31m \xff | `x` %s";

void *sample_need(void *memory) {
    if (!memory)
        abort();
    return memory;
}

char *sample_copy(const char *text) {
    return sample_need(strdup(text));
}

char *sample_print(const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sample_copy(text);
}

finding_set sample_set_of(enum finding finding) {
    return (finding_set)1 << finding;
}

void sample_fill_run(struct run_result *run) {
    static const char *const environment[][2] = {
        {"commit", "0123456789abcdef"},
        {"compiler", "gcc 12.2.0"},
        {"flags", "-O2 -ffp-contract=off"},
        {"cpu", "A <processor> & co"},
        {"mpfr", "4.2.0"},
        {"simt.emulated", "yes: CUDA on the CPU, no GPU was used"},
        {"simt.compiler", "g++ 12.2.0"},
    };
    run->verdict = sample_copy("1 of 2 variants breaks a claim; 1 varies from run to run, as it says.");
    run->command = sample_copy("selftest"); // where a planted fault is one
    run->argc = 4;
    run->argv = sample_need(calloc(run->argc, sizeof *run->argv));
    run->argv[0] = sample_copy("reductio");
    run->argv[1] = sample_copy("selftest");
    run->argv[2] = sample_copy("--tier");
    run->argv[3] = sample_copy("smoke");
    run->tier = sample_copy("smoke");
    run->seed = UINT64_C(0xfedcba9876543210); // above 2^63
    run->started = sample_copy("2026-11-30T09:00:00Z");
    run->seconds = 12.5;
    run->environment_count = sizeof environment / sizeof *environment;
    run->environment = sample_need(calloc(run->environment_count, sizeof *run->environment));
    for (size_t i = 0; i < run->environment_count; i++)
        run->environment[i] = (struct text_pair){sample_copy(environment[i][0]), sample_copy(environment[i][1])};
    run->backend_count = 1;
    run->backends = sample_need(calloc(1, sizeof *run->backends));
    run->backends[0] = sample_copy("simt");
    run->note_count = 1;
    run->notes = sample_need(calloc(1, sizeof *run->notes));
    run->notes[0] = sample_copy("No CUDA device: the cuda backend did not run.");
}

static struct claim_result claim(const char *name, const char *value, enum claim_status status, const char *why,
                                 const char *observed, size_t cells, size_t broken) {
    return (struct claim_result){.claim = sample_copy(name),
                                 .value = sample_copy(value),
                                 .status = status,
                                 .why = why ? sample_copy(why) : NULL,
                                 .observed = observed ? sample_copy(observed) : NULL,
                                 .cells = cells,
                                 .broken = broken};
}

void sample_fill_claims(struct variant_result *variant, bool breaks) {
    variant->claim_count = 5;
    variant->claims = sample_need(calloc(variant->claim_count, sizeof *variant->claims));
    variant->claims[0] = claim("accuracy", "height", breaks ? CLAIM_BROKEN : CLAIM_HELD,
                               breaks ? "lost elements at n = 1025" : NULL, NULL, 40, breaks ? 2 : 0);
    variant->claims[1] =
        claim("same bits: run", breaks ? "yes" : "no", breaks ? CLAIM_HELD : CLAIM_NOT_CLAIMED, NULL,
              breaks ? "0 of 8 attacked cells gave other bits" : "3 of 8 attacked cells gave other bits", 8, 0);
    variant->claims[1].differing = breaks ? 0 : 3;
    variant->claims[2] = claim("same bits: device", "yes", CLAIM_NOT_TESTED, "one GPU at most", NULL, 0, 0);
    variant->claims[3] = claim("keeps subnormals", "yes", CLAIM_KNOWN, "listed in reductio-known.txt", NULL, 4, 1);
    variant->claims[4] = claim("specials", "yes", CLAIM_HELD, NULL, NULL, 6, 0);
}

static struct order_result order(uint64_t n, const char *kind, uint64_t height, uint64_t hash, const char *formula,
                                 const char *why) {
    return (struct order_result){.n = n,
                                 .shape = sample_copy("t256"),
                                 .kind = sample_copy(kind),
                                 .height = height,
                                 .hash = hash,
                                 .formula = formula ? sample_copy(formula) : NULL,
                                 .why = why ? sample_copy(why) : NULL};
}

static void fill_orders(struct run_result *run) {
    run->variants[0].order_count = 2;
    run->variants[0].orders = sample_need(calloc(2, sizeof *run->variants[0].orders));
    run->variants[0].orders[0] = order(4, "tree", 2, 0xabc, "((x0+x2)+(x1+x3))", NULL);
    run->variants[0].orders[1] = order(5, "multiway tree", 2, UINT64_C(0xfedcba9876543210), "((x0+x1+x2+x3)+x4)", NULL);
    run->variants[1].order_count = 1;
    run->variants[1].orders = sample_need(calloc(1, sizeof *run->variants[1].orders));
    run->variants[1].orders[0] = order(4, "varies", 0, 0, NULL, "x1 and x2 meet elsewhere under <seed 3>");
}

static void fill_variants(struct run_result *run) {
    run->variant_count = 3;
    run->variants = sample_need(calloc(run->variant_count, sizeof *run->variants));
    static const char *const names[] = {"tree_sequential", sample_hostile_name, "drops_tail"};
    for (size_t v = 0; v < run->variant_count; v++) {
        struct variant_result *variant = &run->variants[v];
        *variant =
            (struct variant_result){.name = sample_copy(names[v]),
                                    .backend = sample_copy("simt"),
                                    .type = sample_copy("f32"),
                                    .summary = sample_copy("Halving tree in shared memory, sequential addressing."),
                                    .origin = v ? NULL : sample_copy("first tutorial, v2"),
                                    .arguments = v == 1 ? sample_copy("mine.cu -- '-DX=<a b>'") : NULL,
                                    .hazards = sample_copy(v ? "not checked" : "clean under tsan and asan"),
                                    .worst_error_over_bound = v == 1   ? INFINITY
                                                              : v == 2 ? (double)NAN
                                                                       : 0.25};
        sample_fill_claims(variant, v == 1);
    }
    fill_orders(run);
    run->variants[2].fault_finding = sample_copy("lost elements");
    run->variants[2].fault_detector = sample_copy("coverage map");
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
    run->datasets = sample_need(calloc(run->dataset_count, sizeof *run->datasets));
    for (size_t d = 0; d < run->dataset_count; d++)
        run->datasets[d] =
            (struct dataset_result){.name = sample_print("f32/%s/%" PRIu64 "/given", rows[d].values, rows[d].n),
                                    .type = sample_copy("f32"),
                                    .values = sample_copy(rows[d].values),
                                    .order = sample_copy("given"),
                                    .n = rows[d].n,
                                    .seed = 0x1234 + d,
                                    .what_for = sample_copy("shows what it shows <&>"),
                                    .exact_decimal = sample_copy(rows[d].exact),
                                    .exact_hex = sample_copy(rows[d].hex),
                                    .condition = rows[d].condition,
                                    .abs_sum_decimal = sample_copy("512.25"),
                                    .never_rounds = d == 2};
}

void sample_fill_figures(struct cell_result *cell) {
    cell->has_result = true;
    cell->bits = 0x44001000;
    cell->rounded_bits = 0x44001001;
    cell->got_hex = sample_copy("0x1.002p+9");
    cell->got_decimal = sample_copy("512.25");
    cell->rounded_hex = sample_copy("0x1.002002p+9");
    cell->rounded_decimal = sample_copy("512.250061");
    cell->ulps = -1.25;
    cell->relative_error = 1.19e-7;
    cell->error_over_uA = 1.5;
    cell->error_over_bound = 0.25;
    cell->bound_over_sum = 6e-7;
    cell->bound = sample_copy("height");
    cell->bound_decimal = sample_copy("0.000305");
    cell->runs = 8;
    cell->min_ulps = -1.25;
    cell->max_ulps = -1.25;
    cell->vs = 0.0;
    cell->pattern_count = 1;
    cell->patterns = sample_need(calloc(1, sizeof *cell->patterns));
    cell->patterns[0] = (struct bit_pattern){.bits = 0x44001000, .count = 8, .ulps = -1.25, .first_at = "inorder"};
    cell->ns_count = 2;
    cell->ns = sample_need(calloc(cell->ns_count, sizeof *cell->ns));
    cell->ns[0] = 1200;
    cell->ns[1] = 1100;
    cell->gigabytes_per_second = 3.5;
    cell->bandwidth_share = 0.4;
}

struct cell_result sample_make_cell(const struct run_result *run, size_t variant, size_t dataset, enum finding head) {
    const struct variant_result *v = &run->variants[variant];
    const struct dataset_result *d = dataset == SIZE_MAX ? NULL : &run->datasets[dataset];
    uint64_t n = d ? d->n : 1025;
    return (struct cell_result){.id = sample_print("%s@%s/%s/%s/%" PRIu64 "/given/t256/0/inorder", v->name, v->backend,
                                                   v->type, d ? d->values : "coverage", n),
                                .variant = variant,
                                .dataset = dataset,
                                .n = n,
                                .shape = sample_copy("t256"),
                                .schedule = sample_copy("inorder"),
                                .head = head,
                                .findings = sample_set_of(head),
                                .tested = 1,
                                .broken = finding_is_bad(head),
                                .detector = finding_is_bad(head) ? sample_copy("bound") : NULL,
                                .runs = 8};
}

void sample_set_patterns(struct cell_result *cell, const struct bit_pattern *patterns, size_t count) {
    struct bit_pattern *copy = sample_need(calloc(count, sizeof *copy));
    memcpy(copy, patterns, count * sizeof *patterns); // which may be some of those that the cell has
    free(cell->patterns);
    cell->patterns = copy;
    cell->pattern_count = count;
}

void sample_set_text(char **member, const char *text) {
    free(*member);
    *member = sample_copy(text);
}

static void fill_odd_cells(struct run_result *run) {
    static const struct bit_pattern varied[] = {
        {0x44001000, 5, -1.25, "inorder"}, {0x44001001, 2, -0.25, "reversed"}, {0x44001003, 1, 1.75, "seed3"}};
    struct cell_result *cell = run->cells;
    cell[1].attack = sample_copy("same bits: run");
    cell[1].compared_with = sample_copy(cell[0].id);
    cell[1].tested = 1u << 1;
    cell[1].differs = true;
    cell[1].findings |= sample_set_of(FINDING_VARIES_AS_CLAIMED);
    sample_set_patterns(&cell[1], varied, 3);
    cell[1].max_ulps = 1.75;
    cell[2].bits = cell[2].rounded_bits = cell[2].patterns[0].bits = 0x80000000;
    sample_set_text(&cell[2].got_hex, "-0x0p+0");
    sample_set_text(&cell[2].got_decimal, "-0");
    cell[2].ulps = -0.0;
    cell[2].error_over_bound = NAN;
    cell[3].ulps = NAN;
    cell[3].bits = cell[3].patterns[0].bits = 0x7fc00000;
    sample_set_text(&cell[3].got_hex, "nan");
    cell[5].known = true;
    cell[5].known_reason = sample_copy("upstream issue, accepted <until> fixed");
    cell[6].ulps = -INFINITY;
    cell[6].relative_error = INFINITY;
    cell[6].error_over_bound = INFINITY;
    cell[6].detail = sample_copy(sample_hostile_detail);
}

// One question to two backends, the second of which answers otherwise.
static void fill_hardware(struct run_result *run) {
    static const char *const backends[] = {"simt", "cuda"}, *const observed[] = {"0x0p+0", "0x1p-140"};
    run->hardware_count = 2;
    run->hardware = sample_need(calloc(run->hardware_count, sizeof *run->hardware));
    for (size_t i = 0; i < run->hardware_count; i++)
        run->hardware[i] = (struct hardware_result){.operation = sample_copy("atomicAdd, global memory"),
                                                    .what = sample_copy("+0 and a <subnormal>"),
                                                    .backend = sample_copy(backends[i]),
                                                    .type = sample_copy("f32"),
                                                    .operands = sample_copy("0x0p+0, 0x1p-140"),
                                                    .expected = sample_copy("0x0p+0"),
                                                    .observed = sample_copy(observed[i]),
                                                    .source = sample_copy("PTX ISA"),
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
    sample_fill_run(&run);
    fill_variants(&run);
    fill_datasets(&run);
    run.cell_count = sizeof rows / sizeof *rows;
    run.cells = sample_need(calloc(run.cell_count, sizeof *run.cells));
    for (size_t i = 0; i < run.cell_count; i++) {
        run.cells[i] = sample_make_cell(&run, rows[i].variant, rows[i].dataset, rows[i].head);
        if (rows[i].result)
            sample_fill_figures(&run.cells[i]);
        run.variants[rows[i].variant].cell_count++;
        run.variants[rows[i].variant].bad_cells += finding_is_bad(rows[i].head);
    }
    fill_odd_cells(&run);
    fill_hardware(&run);
    sample_set_text(&run.cells[9].detector, "coverage map");
    run.cells[9].detectors = sample_need(calloc(2, sizeof *run.cells[9].detectors));
    run.cells[9].detectors[run.cells[9].detector_count++] = sample_copy("coverage map");
    run.cells[9].detectors[run.cells[9].detector_count++] = sample_copy("guard");
    return run;
}

struct run_result sample_empty_result(void) {
    struct run_result run = {0};
    sample_fill_run(&run);
    run.interrupted = true;
    sample_set_text(&run.verdict, "Interrupted before the first cell.");
    return run;
}
