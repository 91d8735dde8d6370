// SPDX-License-Identifier: MIT
// Known trees are revealed from their sums alone, and false trees are refuted.
#include "cases/prng.h"
#include "harness/order/order.h"
#include "harness/support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MASK = 0x1p100, BIG = 0x1p60;

// A sum whose order is known. Terms beside one that is 2^40 times larger are lost, as in f32.
struct known_sum {
    const struct order_tree *tree;
    bool keeps_all; // like a compensated sum
    bool fails;
};

static double sum_node(const double *terms, uint32_t count) {
    double big = 0, small = 0;
    bool any_big = false;
    for (uint32_t i = 0; i < count; i++) {
        bool is_big = fabs(terms[i]) > BIG;
        any_big = any_big || is_big;
        *(is_big ? &big : &small) += terms[i];
    }
    return any_big ? big : small;
}

static double evaluate(const struct order_tree *tree, const double *x) {
    double *value = must_calloc((size_t)tree->n + tree->node_count, sizeof *value);
    memcpy(value, x, tree->n * sizeof *value);
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const struct order_node *node = &tree->nodes[k];
        double *terms = must_calloc(node->child_count, sizeof *terms);
        for (uint32_t c = 0; c < node->child_count; c++)
            terms[c] = value[tree->children[node->first_child + c]];
        value[tree->n + k] = sum_node(terms, node->child_count);
        free(terms);
    }
    double sum = value[order_root(tree)];
    free(value);
    return sum;
}

static bool ask(void *context, uint32_t n, const struct order_probe *probes, size_t count, double *survivors,
                char *message) {
    const struct known_sum *known = context;
    double *x = must_calloc(n, sizeof *x);
    for (size_t q = 0; q < count; q++) {
        for (uint32_t i = 0; i < n; i++)
            x[i] = 1;
        for (uint32_t p = 0; p < probes[q].pairs; p++) {
            x[probes[q].plus[p]] = MASK;
            x[probes[q].minus[p]] = -MASK;
        }
        survivors[q] = known->keeps_all ? n - 2 * probes[q].pairs : evaluate(known->tree, x);
    }
    free(x);
    strcpy(message, known->fails ? "it went away" : "");
    return !known->fails;
}

// ---- trees ----

static uint32_t add_pair(struct order_tree *tree, uint32_t a, uint32_t b) {
    uint32_t pair[2] = {a, b};
    return order_add_node(tree, pair, 2);
}

static void build_sequential(struct order_tree *tree) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i < tree->n; i++)
        sum = add_pair(tree, sum, i);
}

static void build_backwards(struct order_tree *tree) {
    uint32_t sum = tree->n - 1;
    for (uint32_t i = tree->n - 1; i-- > 0;)
        sum = add_pair(tree, sum, i);
}

static uint32_t build_halves(struct order_tree *tree, uint32_t first, uint32_t count) {
    if (count == 1)
        return first;
    uint32_t left = build_halves(tree, first, (count + 1) / 2);
    return add_pair(tree, left, build_halves(tree, first + (count + 1) / 2, count / 2));
}

static void build_pairwise(struct order_tree *tree) {
    build_halves(tree, 0, tree->n);
}

// Threads t, t + 8, t + 16, ... one by one, then sequential addressing: what most kernels do.
static void build_strided(struct order_tree *tree) {
    enum { THREADS = 8 };
    uint32_t sums[THREADS], threads = tree->n < THREADS ? tree->n : THREADS;
    for (uint32_t t = 0; t < threads; t++) {
        sums[t] = t;
        for (uint32_t i = t + THREADS; i < tree->n; i += THREADS)
            sums[t] = add_pair(tree, sums[t], i);
    }
    for (uint32_t stride = THREADS / 2; stride > 0; stride /= 2)
        for (uint32_t t = 0; t < stride; t++)
            if (t + stride < threads)
                sums[t] = add_pair(tree, sums[t], sums[t + stride]);
            else
                threads = threads < stride ? threads : stride;
}

// An accumulator and four products at once, like a matrix unit.
static void build_multiway(struct order_tree *tree) {
    uint32_t terms[5] = {0}, count = 1;
    for (uint32_t i = 1; i < tree->n; i++) {
        terms[count++] = i;
        if (count == 5 || i == tree->n - 1) {
            terms[0] = order_add_node(tree, terms, count);
            count = 1;
        }
    }
}

static void build_all_at_once(struct order_tree *tree) {
    uint32_t *all = must_calloc(tree->n, sizeof *all);
    for (uint32_t i = 0; i < tree->n; i++)
        all[i] = i;
    if (tree->n > 1)
        order_add_node(tree, all, tree->n);
    free(all);
}

static void build_random(struct order_tree *tree) {
    struct prng prng = prng_seeded(tree->n);
    uint32_t *roots = must_calloc(tree->n, sizeof *roots), count = tree->n;
    for (uint32_t i = 0; i < count; i++)
        roots[i] = i;
    while (count > 1) {
        uint32_t a = (uint32_t)prng_below(&prng, count), first = roots[a];
        roots[a] = roots[--count];
        uint32_t b = (uint32_t)prng_below(&prng, count);
        roots[b] = add_pair(tree, first, roots[b]);
    }
    free(roots);
}

// Random numbers of terms at once.
static void build_random_multiway(struct order_tree *tree) {
    struct prng prng = prng_seeded(tree->n + 1);
    uint32_t *roots = must_calloc(tree->n, sizeof *roots), count = tree->n;
    for (uint32_t i = 0; i < count; i++)
        roots[i] = i;
    while (count > 1) {
        uint32_t take = 2 + (uint32_t)prng_below(&prng, 4);
        take = take < count ? take : count;
        for (uint32_t i = 0; i < take; i++) {
            uint32_t other = i + (uint32_t)prng_below(&prng, count - i), swapped = roots[i];
            roots[i] = roots[other];
            roots[other] = swapped;
        }
        uint32_t node = order_add_node(tree, roots, take);
        memmove(roots, roots + take, (count - take) * sizeof *roots);
        count -= take;
        roots[count++] = node;
    }
    free(roots);
}

static const struct {
    const char *name;
    void (*build)(struct order_tree *tree);
} orders[] = {
    {"sequential", build_sequential}, {"backwards", build_backwards},
    {"pairwise", build_pairwise},     {"strided", build_strided},
    {"multiway", build_multiway},     {"all at once", build_all_at_once},
    {"random", build_random},         {"random multiway", build_random_multiway},
};
enum { ORDERS = sizeof orders / sizeof *orders };
static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 64, 100, 257, 300};

START_TEST(test_known_trees_are_revealed) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct order_tree tree = {.n = sizes[s]}, found = {0};
        struct order_cost cost = {0};
        char message[ORDER_MESSAGE] = "";
        orders[_i].build(&tree);
        struct known_sum known = {.tree = &tree};
        struct order_oracle oracle = {ask, &known};
        enum order_answer answer = order_reveal(&oracle, sizes[s], &found, &cost, message);
        ck_assert_msg(answer == ORDER_REVEALED, "%s of %u: %s", orders[_i].name, sizes[s], message);
        ck_assert_msg(order_hash(&found) == order_hash(&tree), "%s of %u: %s", orders[_i].name, sizes[s],
                      order_formula(&found));
        ck_assert_uint_eq(order_height(&found), order_height(&tree));
        ck_assert_uint_eq(found.node_count, tree.node_count);
        order_free(&tree);
        order_free(&found);
    }
}
END_TEST

// Regular orders of 2048 terms cost little more than a question a term.
START_TEST(test_regular_orders_are_cheap) {
    enum { N = 2048 };
    struct order_tree tree = {.n = N}, found = {0};
    struct order_cost cost = {0};
    char message[ORDER_MESSAGE];
    orders[_i].build(&tree);
    struct known_sum known = {.tree = &tree};
    struct order_oracle oracle = {ask, &known};
    ck_assert_int_eq(order_reveal(&oracle, N, &found, &cost, message), ORDER_REVEALED);
    ck_assert(order_hash(&found) == order_hash(&tree));
    ck_assert_msg(cost.probes <= N * 11, "%s: %llu questions", orders[_i].name, (unsigned long long)cost.probes);
    if (orders[_i].build == build_pairwise)
        ck_assert_msg(cost.probes <= N + N / 2, "%llu questions", (unsigned long long)cost.probes);
    ck_assert_msg(cost.rounds <= 40, "%s: %llu rounds", orders[_i].name, (unsigned long long)cost.rounds);
    order_free(&tree);
    order_free(&found);
}
END_TEST

// Exchanges two leaves.
static void build_exchanged(const struct order_tree *tree, uint32_t a, uint32_t b, struct order_tree *exchanged) {
    *exchanged = (struct order_tree){.n = tree->n};
    for (uint32_t k = 0; k < tree->node_count; k++) {
        uint32_t pair[2];
        for (int c = 0; c < 2; c++) {
            uint32_t child = tree->children[tree->nodes[k].first_child + (uint32_t)c];
            pair[c] = child == a ? b : child == b ? a : child;
        }
        order_add_node(exchanged, pair, 2);
    }
}

START_TEST(test_a_proof_tells_any_two_leaves_apart) {
    enum { N = 41 };
    static void (*const builders[])(struct order_tree *) = {build_sequential, build_pairwise, build_strided,
                                                            build_random};
    struct order_tree tree = {.n = N};
    struct order_cost cost = {0};
    char message[ORDER_MESSAGE];
    builders[_i](&tree);
    struct known_sum known = {.tree = &tree};
    struct order_oracle oracle = {ask, &known};
    bool differs;
    ck_assert_int_eq(order_prove(&oracle, &tree, &differs, &cost, message), ORDER_REVEALED);
    ck_assert_msg(!differs, "%s", message);
    for (uint32_t a = 0; a < N; a++)
        for (uint32_t b = 0; b < a; b++) {
            struct order_tree false_tree;
            build_exchanged(&tree, a, b, &false_tree);
            ck_assert_int_eq(order_prove(&oracle, &false_tree, &differs, &cost, message), ORDER_REVEALED);
            ck_assert_msg(differs == (order_hash(&false_tree) != order_hash(&tree)), "x%u and x%u", a, b);
            order_free(&false_tree);
        }
    order_free(&tree);
}
END_TEST

START_TEST(test_no_other_builder_passes_a_proof) {
    for (uint32_t n = 3; n <= 40; n++)
        for (size_t a = 0; a < ORDERS; a++)
            for (size_t b = 0; b < ORDERS; b++) {
                struct order_tree tree = {.n = n}, claimed = {.n = n};
                struct order_cost cost = {0};
                char message[ORDER_MESSAGE];
                bool differs;
                orders[a].build(&tree);
                orders[b].build(&claimed);
                struct known_sum known = {.tree = &tree};
                struct order_oracle oracle = {ask, &known};
                if (order_is_binary(&claimed)) {
                    ck_assert_int_eq(order_prove(&oracle, &claimed, &differs, &cost, message), ORDER_REVEALED);
                    ck_assert_msg(differs == (order_hash(&tree) != order_hash(&claimed)), "%s for %s of %u",
                                  orders[b].name, orders[a].name, n);
                }
                order_free(&tree);
                order_free(&claimed);
            }
}
END_TEST

START_TEST(test_what_is_no_tree_is_said) {
    struct order_tree tree = {0};
    struct order_cost cost = {0};
    char message[ORDER_MESSAGE] = "";
    struct known_sum known = {.keeps_all = true};
    struct order_oracle oracle = {ask, &known};
    ck_assert_int_eq(order_reveal(&oracle, 9, &tree, &cost, message), ORDER_NO_TREE);
    ck_assert_ptr_nonnull(strstr(message, "meet in a sum of 2 terms"));
    order_free(&tree);
}
END_TEST

START_TEST(test_a_failing_oracle_ends_it) {
    struct order_tree tree = {.n = 4}, found = {0};
    struct order_cost cost = {0};
    char message[ORDER_MESSAGE] = "";
    build_pairwise(&tree);
    struct known_sum known = {.tree = &tree, .fails = true};
    struct order_oracle oracle = {ask, &known};
    ck_assert_int_eq(order_reveal(&oracle, 4, &found, &cost, message), ORDER_NOT_ASKED);
    ck_assert_str_eq(message, "it went away");
    order_free(&tree);
}
END_TEST

START_TEST(test_joins_formula_and_shapes) {
    struct order_tree tree = {.n = 4};
    build_pairwise(&tree);
    char *formula = order_formula(&tree);
    ck_assert_str_eq(formula, "((x0+x1)+(x2+x3))");
    free(formula);
    ck_assert_uint_eq(order_join(&tree, 0, 1), 2);
    ck_assert_uint_eq(order_join(&tree, 1, 2), 4);
    uint64_t shapes[3];
    order_shape_hashes(&tree, shapes);
    ck_assert(shapes[0] == shapes[1] && shapes[1] != shapes[2]);
    order_free(&tree);
}
END_TEST

// 2^24 + 1 is no f32 number: one by one the ones are lost, as a pair they are not, and in f64 neither is.
START_TEST(test_evaluation_rounds_in_the_format_asked_for) {
    const float x[3] = {0x1p24f, 1, 1};
    struct order_tree forwards = {.n = 3}, backwards = {.n = 3};
    build_sequential(&forwards);
    build_backwards(&backwards);
    ck_assert_uint_eq(order_evaluate(&forwards, FLOAT_F32, x, ORDER_IN_F32, FLOAT_F32), 0x4b800000);
    ck_assert_uint_eq(order_evaluate(&backwards, FLOAT_F32, x, ORDER_IN_F32, FLOAT_F32), 0x4b800001);
    ck_assert_uint_eq(order_evaluate(&forwards, FLOAT_F32, x, ORDER_IN_F64, FLOAT_F32), 0x4b800001);
    ck_assert_uint_eq(order_evaluate(&forwards, FLOAT_F32, x, ORDER_IN_F64, FLOAT_F64), 0x4170000020000000);
    order_free(&forwards);
    order_free(&backwards);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("order");
    TCase *tests = tcase_create("order");
    tcase_add_loop_test(tests, test_known_trees_are_revealed, 0, ORDERS);
    tcase_add_loop_test(tests, test_regular_orders_are_cheap, 0, 4);
    tcase_add_loop_test(tests, test_a_proof_tells_any_two_leaves_apart, 0, 4);
    tcase_add_test(tests, test_no_other_builder_passes_a_proof);
    tcase_add_test(tests, test_what_is_no_tree_is_said);
    tcase_add_test(tests, test_a_failing_oracle_ends_it);
    tcase_add_test(tests, test_joins_formula_and_shapes);
    tcase_add_test(tests, test_evaluation_rounds_in_the_format_asked_for);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
