// SPDX-License-Identifier: MIT
// The tree of additions that each row is seen to have, against what it claims: the height is the claimed one, to the
// level, and the tree evaluated on the CPU gives the row's bits. Run as: test_heights WORKER_DIRECTORY.
#include "harness/cell.h"
#include "harness/order/probe.h"
#include "harness/support.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct catalog catalog;
static const struct selection selection = {.seed = DEFAULT_SEED};

// Trees of one n that some row is proven to have: most rows share theirs with another, and a proof is cheap.
enum { MOST_TREES = 64 };
struct known_trees {
    struct order_tree trees[MOST_TREES];
    size_t count;
};

// Rows that promise an order, and a bound from the height of its tree.
static bool claims_a_tree(const struct catalog_variant *row) {
    bool by_height = row->card.accuracy == REDUCTIO_HEIGHT || row->card.accuracy == REDUCTIO_WIDE;
    return !row->faulty && by_height && (row->card.same_bits & REDUCTIO_RUN);
}

// One row on uniform data, and on data that cancel, on which hardly two trees agree by chance.
enum { UNIFORM, CANCELLING, ARRAYS };
struct seen {
    struct probe_bench bench;
    const struct catalog_variant *row;
    uint32_t n;
    void *x[ARRAYS];
    uint64_t bits[ARRAYS];
    char title[256];
};

static uint64_t evaluate(const struct seen *seen, const struct order_tree *tree, int array) {
    enum order_arithmetic arithmetic = order_arithmetic_of(seen->row->out);
    if (seen->row->card.accuracy == REDUCTIO_WIDE && arithmetic != ORDER_IN_F64)
        arithmetic = order_wider(arithmetic);
    return order_evaluate(tree, seen->row->in, seen->x[array], arithmetic, seen->row->out);
}

static bool gives_its_bits(const struct seen *seen, const struct order_tree *tree) {
    for (int array = 0; array < ARRAYS; array++)
        if (evaluate(seen, tree, array) != seen->bits[array])
            return false;
    return true;
}

// Only a tree that gives the row's bits is worth a proof.
static const struct order_tree *find_known(struct known_trees *known, const struct order_oracle *oracle,
                                           const struct seen *seen) {
    char message[ORDER_MESSAGE] = "";
    struct order_cost cost = {0};
    bool differs;
    for (size_t k = 0; k < known->count; k++) {
        if (!gives_its_bits(seen, &known->trees[k]))
            continue;
        ck_assert_msg(order_prove(oracle, &known->trees[k], &differs, &cost, message) == ORDER_REVEALED, "%s", message);
        if (!differs)
            return &known->trees[k];
    }
    return NULL;
}

static const struct order_tree *find_tree(struct known_trees *known, struct seen *seen) {
    char message[ORDER_MESSAGE] = "";
    struct order_cost cost = {0};
    struct order_oracle oracle = probe_oracle(&seen->bench);
    const struct order_tree *tree = find_known(known, &oracle, seen);
    if (tree)
        return tree;
    ck_assert_uint_lt(known->count, MOST_TREES);
    enum order_answer answer = order_reveal(&oracle, seen->n, &known->trees[known->count], &cost, message);
    ck_assert_msg(answer == ORDER_REVEALED, "%s: %s", seen->title, message);
    return &known->trees[known->count++];
}

// The condition is beyond a wide accumulator's too, but for f16, which has no such data. Of a few elements each tree
// cancels alike, and there are few trees.
static void look_at_data(struct seen *seen, int array) {
    enum { FEW = 8 };
    const char *values = array == UNIFORM || seen->n < FEW ? "uniform"
                         : seen->row->in == FLOAT_F16      ? "cond1e8"
                                                           : "cond1e24";
    char message[ORDER_MESSAGE] = "";
    struct dataset_key key = {
        .type = seen->row->in, .values = case_values_find(values), .n = seen->n, .order = "given"};
    seen->x[array] = must_calloc(seen->n, float_format(seen->row->in)->size);
    ck_assert(dataset_fill(&key, DEFAULT_SEED, seen->x[array]));
    ck_assert_msg(probe_array(&seen->bench, seen->n, seen->x[array], &seen->bits[array], message), "%s: %s",
                  seen->title, message);
}

static void check_bits(const struct seen *seen, const struct order_tree *tree) {
    for (int array = 0; array < ARRAYS; array++) {
        uint64_t bits = evaluate(seen, tree, array);
        ck_assert_msg(bits == seen->bits[array], "%s: bits %llx, the tree gives %llx", seen->title,
                      (unsigned long long)seen->bits[array], (unsigned long long)bits);
    }
}

static void check_row(size_t variant, struct reductio_shape shape, uint32_t n, struct known_trees *known) {
    struct seen seen = {.row = &catalog.variants[variant], .n = n};
    char shape_text[32];
    probe_bench_open(&seen.bench, &catalog, variant, &selection);
    seen.bench.shape = shape;
    shape_print(shape, shape_text, sizeof shape_text);
    snprintf(seen.title, sizeof seen.title, "%s@%s/%s, n = %u, %s", seen.row->card.name, seen.row->card.backend,
             seen.row->card.type, n, shape_text);
    for (int array = 0; array < ARRAYS; array++)
        look_at_data(&seen, array);
    const struct order_tree *tree = find_tree(known, &seen);
    ck_assert_msg(order_height(tree) == seen.bench.height, "%s: the tree has height %u, claimed are %llu", seen.title,
                  order_height(tree), (unsigned long long)seen.bench.height);
    check_bits(&seen, tree);
    for (int array = 0; array < ARRAYS; array++)
        free(seen.x[array]);
    probe_bench_close(&seen.bench);
}

// On a GPU each row costs the start of a context, and the rows are the emulator's: one size, in the first shape.
static const struct {
    uint32_t n;
    bool all_shapes, both_types, on_gpu;
} sizes[] = {{1, false, true, false},     {2, true, false, false},    {31, false, true, false},
             {33, true, true, false},     {255, false, false, false}, {257, true, true, true},
             {1025, false, false, false}, {2049, false, false, false}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static bool is_looked_into(const struct catalog_variant *row, int size) {
    bool on_gpu = strcmp(row->card.backend, "cuda") == 0;
    if (sizes[size].n > UINT64_C(1) << float_format(row->out)->precision) // the format cannot count the leaves
        return false;
    return claims_a_tree(row) && !*row->card.absent && (!on_gpu || sizes[size].on_gpu) &&
           (row->in != FLOAT_F64 || sizes[size].both_types) && catalog_is_present(&catalog, row->backend);
}

START_TEST(test_every_claimed_height) {
    struct known_trees known = {.count = 0};
    size_t rows = 0;
    for (size_t v = 0; v < catalog.variant_count; v++) {
        const struct catalog_variant *row = &catalog.variants[v];
        if (!is_looked_into(row, _i))
            continue;
        bool all_shapes = sizes[_i].all_shapes && strcmp(row->card.backend, "cuda") != 0;
        uint32_t shapes = all_shapes ? row->card.shape_count : 1;
        for (uint32_t s = 0; s < shapes; s++, rows++)
            check_row(v, row->card.shapes[s], sizes[_i].n, &known);
    }
    ck_assert_uint_gt(rows, 0);
    for (size_t k = 0; k < known.count; k++)
        order_free(&known.trees[k]);
}
END_TEST

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: test_heights WORKER_DIRECTORY\n");
        return 2;
    }
    setenv("REDUCTIO_WORKERS", argv[1], 1);
    const char *fault = cases_load(NULL);
    if (fault) {
        fprintf(stderr, "%s\n", fault);
        return 1;
    }
    catalog_load(&catalog, 0);
    Suite *suite = suite_create("heights");
    TCase *tests = tcase_create("heights");
    tcase_add_loop_test(tests, test_every_claimed_height, 0, SIZES);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    catalog_free(&catalog);
    return failed != 0;
}
