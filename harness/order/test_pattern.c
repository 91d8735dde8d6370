// SPDX-License-Identifier: MIT
// Rules are recognised in the trees of small n and written out for a larger one. The trees that must come out are built
// here by loops of their own.
#include "cases/prng.h"
#include "harness/order/pattern.h"
#include "harness/support.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t small[] = {611, 2053, 4099};
enum { SMALL = sizeof small / sizeof *small, LARGE = 30011 };

static uint32_t add(struct order_tree *tree, uint32_t a, uint32_t b) {
    return order_add_node(tree, (uint32_t[]){a, b}, 2);
}

static uint32_t add_halves(struct order_tree *tree, uint32_t first, uint32_t count) {
    if (count == 1)
        return first;
    uint32_t left = add_halves(tree, first, count / 2);
    return add(tree, left, add_halves(tree, first + count / 2, count - count / 2));
}

static void build_halves(struct order_tree *tree) {
    add_halves(tree, 0, tree->n);
}

// NumPy: blocks of up to 128 in eight strands, halves cut at a multiple of eight.
static uint32_t add_numpy(struct order_tree *tree, uint32_t first, uint32_t count) {
    if (count > 128) {
        uint32_t left = count / 2 / 8 * 8, sum = add_numpy(tree, first, left);
        return add(tree, sum, add_numpy(tree, first + left, count - left));
    }
    uint32_t strand[8], i = first + 8, sum = first;
    for (uint32_t k = 0; k < 8; k++)
        strand[k] = first + k;
    if (count < 8) {
        i = first + 1;
    } else {
        for (; i + 8 <= first + count; i += 8)
            for (uint32_t k = 0; k < 8; k++)
                strand[k] = add(tree, strand[k], i + k);
        uint32_t a = add(tree, strand[0], strand[1]), b = add(tree, strand[2], strand[3]);
        uint32_t c = add(tree, strand[4], strand[5]), d = add(tree, strand[6], strand[7]);
        a = add(tree, a, b);
        sum = add(tree, a, add(tree, c, d));
    }
    for (; i < first + count; i++)
        sum = add(tree, sum, i);
    return sum;
}

static void build_numpy(struct order_tree *tree) {
    add_numpy(tree, 0, tree->n);
}

// A block of threads in shared memory: slot i += slot i + stride, for falling strides.
static uint32_t add_block(struct order_tree *tree, uint32_t *slots, uint32_t count, uint32_t threads) {
    for (uint32_t stride = threads / 2; stride; stride /= 2)
        for (uint32_t i = 0; i < stride && i + stride < count; i++)
            slots[i] = add(tree, slots[i], slots[i + stride]);
    return slots[0];
}

// Passes of such blocks until one number is left.
static void build_passes(struct order_tree *tree) {
    enum { THREADS = 64 };
    uint32_t *ids = must_calloc(tree->n, sizeof *ids), count = tree->n;
    for (uint32_t i = 0; i < count; i++)
        ids[i] = i;
    while (count > 1) {
        uint32_t blocks = (count - 1) / THREADS + 1;
        for (uint32_t b = 0; b < blocks; b++)
            ids[b] = add_block(tree, ids + b * THREADS, count - b * THREADS < THREADS ? count - b * THREADS : THREADS,
                               THREADS);
        count = blocks;
    }
    free(ids);
}

// A fixed grid: thread t adds t, t + T, ... one by one; then warps of 32 fold, then the warps' sums.
static void build_grid(struct order_tree *tree) {
    enum { THREADS = 512, WARP = 32 };
    uint32_t sums[THREADS], warps[THREADS / WARP];
    for (uint32_t t = 0; t < THREADS; t++) {
        sums[t] = t;
        for (uint32_t i = t + THREADS; i < tree->n; i += THREADS)
            sums[t] = add(tree, sums[t], i);
    }
    for (uint32_t w = 0; w < THREADS / WARP; w++)
        warps[w] = add_block(tree, sums + w * WARP, WARP, WARP);
    add_block(tree, warps, THREADS / WARP, THREADS / WARP);
}

// Sums of blocks, each strided by 16 lanes, added one by one.
static void build_strided_blocks(struct order_tree *tree) {
    enum { BLOCK = 128, LANES = 16 };
    uint32_t whole = UINT32_MAX;
    for (uint32_t first = 0; first < tree->n; first += BLOCK) {
        uint32_t lane[LANES], count = tree->n - first < BLOCK ? tree->n - first : BLOCK;
        for (uint32_t i = 0; i < count; i++)
            lane[i % LANES] = i < LANES ? first + i : add(tree, lane[i % LANES], first + i);
        uint32_t block = add_block(tree, lane, count < LANES ? count : LANES, LANES);
        whole = whole == UINT32_MAX ? block : add(tree, whole, block);
    }
}

static void build_backwards(struct order_tree *tree) {
    uint32_t sum = tree->n - 1;
    for (uint32_t i = tree->n - 1; i-- > 0;)
        sum = add(tree, i, sum);
}

static const struct {
    const char *name, *words;
    void (*build)(struct order_tree *tree);
} orders[] = {
    {"halves", "halves, each likewise", build_halves},
    {"numpy", "NumPy's pairwise sum", build_numpy},
    {"passes", "runs of 64: (x(i) + x(i+h)", build_passes},
    {"grid", "every 512-th term: (one by one from the first); these 512 sums: (runs of 32:", build_grid},
    {"strided blocks", "runs of 128: (every 16-th term", build_strided_blocks},
    {"backwards", "one by one from the last", build_backwards},
};
enum { ORDERS = sizeof orders / sizeof *orders };

START_TEST(test_rules_of_small_sums_hold_for_large_ones) {
    struct order_tree trees[SMALL], large = {.n = LARGE};
    struct order_pattern fits[PATTERN_MOST_FITS];
    for (int k = 0; k < SMALL; k++) {
        trees[k] = (struct order_tree){.n = small[k]};
        orders[_i].build(&trees[k]);
    }
    orders[_i].build(&large);
    uint32_t count = pattern_fit(trees, SMALL, fits), right = 0;
    for (uint32_t f = 0; f < count; f++) {
        struct order_tree built;
        pattern_build(&fits[f], LARGE, &built);
        right += order_hash(&built) == order_hash(&large) && order_height(&built) == order_height(&large);
        order_free(&built);
    }
    ck_assert_msg(right > 0, "%s: none of %u rules is right", orders[_i].name, count);
    char *words = pattern_words(&fits[0]);
    ck_assert_msg(strncmp(words, orders[_i].words, strlen(orders[_i].words)) == 0, "%s: %s", orders[_i].name, words);
    free(words);
    for (int k = 0; k < SMALL; k++)
        order_free(&trees[k]);
    order_free(&large);
}
END_TEST

// What follows no rule, or changes its rule with n, has none.
START_TEST(test_no_rule_is_made_up) {
    struct order_tree random = {.n = 300}, mixed[2] = {{.n = 611}, {.n = 300}};
    struct order_pattern fits[PATTERN_MOST_FITS];
    struct prng prng = prng_seeded(7);
    uint32_t roots[300], count = 300;
    for (uint32_t i = 0; i < count; i++)
        roots[i] = i;
    while (count > 1) {
        uint32_t a = (uint32_t)prng_below(&prng, count), last = roots[--count];
        uint32_t taken = a == count ? last : roots[a];
        if (a != count)
            roots[a] = last;
        uint32_t b = count > 1 ? (uint32_t)prng_below(&prng, count) : 0;
        roots[b] = add(&random, roots[b], taken);
    }
    ck_assert_uint_eq(order_leaves_of(&random, order_root(&random)), 300);
    ck_assert_uint_eq(pattern_fit(&random, 1, fits), 0);
    build_halves(&mixed[0]);
    build_numpy(&mixed[1]);
    ck_assert_uint_eq(pattern_fit(mixed, 2, fits), 0);
    order_free(&random);
    order_free(&mixed[0]);
    order_free(&mixed[1]);
}
END_TEST

// The first two leaves are a part by themselves, and no others are: ((((x0+x1)+x3)+x2)+x5)+x4.
START_TEST(test_parts_that_are_missing) {
    struct order_tree tree = {.n = 6};
    struct order_pattern fits[PATTERN_MOST_FITS];
    uint32_t sum = add(&tree, 0, 1);
    sum = add(&tree, sum, 3);
    sum = add(&tree, sum, 2);
    sum = add(&tree, sum, 5);
    add(&tree, sum, 4);
    ck_assert_uint_eq(pattern_fit(&tree, 1, fits), 0);
    order_free(&tree);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("order_pattern");
    TCase *tests = tcase_create("order_pattern");
    tcase_add_loop_test(tests, test_rules_of_small_sums_hold_for_large_ones, 0, ORDERS);
    tcase_add_test(tests, test_no_rule_is_made_up);
    tcase_add_test(tests, test_parts_that_are_missing);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
