// SPDX-License-Identifier: MIT
// explain: why two sums of one array differ.
#include "harness/cli/commands.h"
#include "harness/cli/explain_page.h"
#include "harness/cli/given_option.h"
#include "harness/order_identify.h"
#include "harness/order_questions.h"
#include "harness/support.h"
#include "reference/bounds.h"
#include "reference/ulp.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_PRECISION = 64 };

// One of the two sums: a row that was run, or a value.
struct side {
    const char *word;
    bool is_row;
    struct probe_bench bench;
    const struct catalog_variant *row;
    enum float_type out;
    uint64_t bits;
    double ulps;
    bool within;    // the any-order bound
    bool overflows; // an infinity or NaN where a partial sum may overflow, of which the bound does not speak
    struct order_identity identity;
    bool identified;
};

struct explain {
    const struct options *options;
    struct catalog catalog;
    struct given_array given;
    struct exact_sum exact;
    struct side sides[2];
    struct explain_page page;
};

static bool parse_value(const struct explain *explain, struct side *side) {
    side->out = explain->given.array.type;
    return float_parse(side->out, side->word, &side->bits);
}

// The first row that answers to the word and takes the array.
static bool find_row(struct explain *explain, struct side *side) {
    struct selection one = {0};
    text_list_add(&one.variants, side->word);
    for (size_t v = 0; v < explain->catalog.variant_count && !side->is_row; v++) {
        const struct catalog_variant *row = &explain->catalog.variants[v];
        if (row->in != explain->given.array.type || !explain->catalog.backends[row->backend].present ||
            !selects_variant(&one, row->card.name, row->card.backend, row->card.type, false) ||
            !selects_backend(&explain->options->selection, row->card.backend))
            continue;
        side->is_row = true;
        side->row = row;
        side->out = row->out;
        probe_bench_open(&side->bench, &explain->catalog, v, &explain->options->selection);
        side->bench.interrupted = catch_interrupts();
    }
    selection_free(&one);
    return side->is_row;
}

static int open_side(struct explain *explain, struct side *side) {
    const struct npy_array *array = &explain->given.array;
    char message[ORDER_MESSAGE] = "";
    if (!find_row(explain, side)) {
        if (parse_value(explain, side))
            return EXIT_FINE;
        fprintf(stderr, "reductio: \"%s\" is neither a row that takes %s numbers nor a value.\n", side->word,
                float_format(array->type)->name);
        return EXIT_USAGE;
    }
    if (side->is_row && *side->row->card.absent) {
        fprintf(stderr, "reductio: %s is not run here: %s\n", side->word, side->row->card.absent);
        return EXIT_SKIPPED;
    }
    if (!probe_array(&side->bench, array->n, array->x, &side->bits, message)) {
        fprintf(stderr, "reductio: %s did not run: %s\n", side->word, message);
        return EXIT_CLAIM_BROKEN;
    }
    if (array->n < 1 || array->n > ORDER_MOST_INFERRED)
        return EXIT_FINE;
    side->identified = order_identify(&side->bench, (uint32_t)array->n, &side->identity, message);
    if (side->identified)
        return EXIT_FINE;
    fprintf(stderr, "reductio: the order of %s could not be revealed: %s\n", side->word, message);
    return EXIT_CLAIM_BROKEN;
}

// ---- the sections ----

static void say_exact_sum(struct explain *explain) {
    const struct exact_sum *exact = &explain->exact;
    page_begin(&explain->page, "The exact sum");
    if (exact->class_ != SUM_FINITE) {
        page_say(&explain->page, "The array holds NaN or infinities: the sum is %s in any order.",
                 exact->class_ == SUM_NAN             ? "NaN"
                 : exact->class_ == SUM_PLUS_INFINITY ? "infinity"
                                                      : "-infinity");
        return;
    }
    char *decimal = exact_sum_decimal(exact), *hex = exact_sum_hex(exact);
    page_say(&explain->page, "The %" PRIu64 " numbers of %s add up to %s (%s) exactly.", exact->n,
             float_format(exact->in)->name, decimal, hex);
    free(decimal);
    free(hex);
}

static void name_side(const struct side *side, char *text, size_t size) {
    if (side->is_row)
        snprintf(text, size, "%s@%s/%s", side->row->card.name, side->row->card.backend, side->row->card.type);
    else
        snprintf(text, size, "the value %s", side->word);
}

static void say_distances(struct explain *explain) {
    page_begin(&explain->page, "How far each is off");
    for (int s = 0; s < 2; s++) {
        struct side *side = &explain->sides[s];
        char name[256], hex[FLOAT_TEXT], decimal[FLOAT_TEXT];
        name_side(side, name, sizeof name);
        float_to_hex(side->out, side->bits, hex);
        float_to_decimal(side->out, side->bits, decimal);
        side->ulps = ulp_error(&explain->exact, side->out, side->bits);
        page_say(&explain->page, "%s: %s gives %s (%s), %.4g ulps from the exact sum%s.", s ? "B" : "A", name, decimal,
                 hex, side->ulps,
                 side->bits == exact_sum_round(&explain->exact, side->out) ? ": it is correctly rounded" : "");
    }
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    if (a->out == b->out && !float_is_nan(a->out, a->bits) && !float_is_nan(b->out, b->bits))
        page_say(&explain->page, "Between them lie %" PRId64 " steps of %s.",
                 (int64_t)llabs((long long)ulp_steps(a->out, a->bits, b->bits)), float_format(a->out)->name);
}

static void say_condition(struct explain *explain) {
    double condition = exact_sum_condition(&explain->exact);
    page_begin(&explain->page, "How hard the array is");
    page_say(&explain->page, "The condition number, sum |x| / |sum x|, is %.4g.", condition);
    if (exact_sum_never_rounds(&explain->exact, explain->given.array.type))
        page_say(&explain->page, "No addition of these numbers rounds, in any order: every right sum is exact.");
    else if (condition > 1e3)
        page_say(&explain->page, "Much cancels, so rounding errors are magnified that many times.");
    else
        page_say(&explain->page, "Little cancels: the array is an easy one.");
}

// |result - exact| against (n-1)·u·sum|x|.
static bool is_within(const struct explain *explain, const struct side *side, double *share) {
    const struct bound_terms terms = {.n = explain->exact.n};
    mpfr_t bound, error, value;
    mpfr_inits2(FIGURE_PRECISION, bound, error, value, (mpfr_ptr)NULL);
    bound_any_order(bound, &explain->exact, side->out, &terms);
    mpfr_set_d(value, float_to_double(side->out, side->bits), MPFR_RNDN);
    mpfr_sub(error, explain->exact.sum, value, MPFR_RNDA);
    mpfr_abs(error, error, MPFR_RNDN);
    bool within = mpfr_number_p(value) && mpfr_cmp(error, bound) <= 0;
    mpfr_div(value, error, bound, MPFR_RNDU);
    *share = mpfr_zero_p(error) ? 0 : mpfr_get_d(value, MPFR_RNDU);
    mpfr_clears(bound, error, value, (mpfr_ptr)NULL);
    return within;
}

static bool partial_sums_may_overflow(const struct explain *explain, enum float_type out) {
    return may_overflow(&explain->exact, out, &(struct bound_terms){.n = explain->exact.n, .height = explain->exact.n});
}

static void say_bound_of_both(struct explain *explain, const double share[2]) {
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    if (a->within && b->within)
        page_say(&explain->page,
                 "Both do: A uses %.3g and B %.3g of that bound. Rounding in two orders can explain the difference; "
                 "neither is shown to be broken.",
                 share[0], share[1]);
    else
        page_say(&explain->page,
                 "%s: no order of additions gives that result. It is broken, was given other numbers, or computes in "
                 "a narrower format.",
                 !a->within && !b->within ? "Neither does"
                 : a->within              ? "A does, B does not"
                                          : "B does, A does not");
}

// No order that overflows comes back to a finite number.
static void say_beside_overflow(struct explain *explain, const struct side *side, double share, const char *label) {
    if (side->overflows)
        page_say(&explain->page,
                 "%s is no finite number, as the sum is in an order that overflows on its way: it is not shown to be "
                 "broken.",
                 label);
    else if (side->within)
        page_say(&explain->page, "%s does, with %.3g of that bound: it is not shown to be broken.", label, share);
    else
        page_say(&explain->page,
                 "%s does not, and an order that overflows gives no finite number. It is broken, was given other "
                 "numbers, or "
                 "computes in a narrower format.",
                 label);
}

static void say_whether_an_order_explains(struct explain *explain) {
    page_begin(&explain->page, "Can rounding in some order explain it?");
    double share[2];
    bool may = false;
    for (int s = 0; s < 2; s++) {
        struct side *side = &explain->sides[s];
        bool may_here = partial_sums_may_overflow(explain, side->out);
        side->within = is_within(explain, side, &share[s]);
        side->overflows = may_here && !isfinite(float_to_double(side->out, side->bits));
        may = may || may_here;
    }
    page_say(&explain->page, "Any order of additions%s stays within (n-1)·u·sum |x| of the exact sum.%s",
             may ? " in which no partial sum overflows" : "",
             may ? " Here one may, since sum |x| reaches the end of the format." : "");
    if (!explain->sides[0].overflows && !explain->sides[1].overflows)
        say_bound_of_both(explain, share);
    else
        for (int s = 0; s < 2; s++)
            say_beside_overflow(explain, &explain->sides[s], share[s], s ? "B" : "A");
}

static void say_order(struct explain *explain, const struct side *side, const char *label) {
    const struct order_identity *identity = &side->identity;
    if (!side->is_row) {
        page_say(&explain->page, "%s is a bare value; nothing is known of its order.", label);
        return;
    }
    page_say(&explain->page, "%s: %s%s%s.", label, order_kind_words(identity->kind), *identity->why ? ", because " : "",
             identity->why);
    if (identity->kind == ORDER_KIND_TREE || identity->kind == ORDER_KIND_WIDE)
        page_say(&explain->page, "Its additions are in %s, its height is %u.",
                 order_arithmetic_name(identity->arithmetic), order_height(&identity->tree));
    if (identity->pattern)
        page_say(&explain->page, "In words: %s.", identity->pattern);
    if (identity->inferred_from && identity->has_tree)
        page_say(&explain->page, "That is inferred from sums of up to %u terms, %s.", identity->inferred_from,
                 identity->proof ? "and proven for this number of them"
                                 : "and gives the right bits for this number of them");
}

// A set of leaves as a number: sums of random words by leaf.
static uint64_t *hash_leaf_sets(const struct order_tree *tree) {
    uint64_t *sets = must_calloc((size_t)tree->n + tree->node_count, sizeof *sets);
    for (uint32_t i = 0; i < tree->n; i++) {
        uint64_t state = i + UINT64_C(0x9e3779b97f4a7c15);
        state = (state ^ state >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
        sets[i] = (state ^ state >> 29) * UINT64_C(0x94d049bb133111eb);
    }
    for (uint32_t k = 0; k < tree->node_count; k++)
        for (uint32_t c = 0; c < tree->nodes[k].child_count; c++)
            sets[tree->n + k] += sets[tree->children[tree->nodes[k].first_child + c]];
    return sets;
}

static int compare_words(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// The lowest node of A whose terms are no partial sum of B; SIZE_MAX if there is none.
static size_t find_parting(const struct order_tree *a, const struct order_tree *b) {
    uint64_t *sets_a = hash_leaf_sets(a), *sets_b = hash_leaf_sets(b);
    size_t count = (size_t)b->n + b->node_count, found = SIZE_MAX;
    qsort(sets_b, count, sizeof *sets_b, compare_words);
    for (uint32_t k = 0; k < a->node_count; k++) {
        bool shared = bsearch(&sets_a[a->n + k], sets_b, count, sizeof *sets_b, compare_words) != NULL;
        if (!shared && (found == SIZE_MAX || a->nodes[k].height < a->nodes[found].height ||
                        (a->nodes[k].height == a->nodes[found].height && a->nodes[k].lowest < a->nodes[found].lowest)))
            found = k;
    }
    free(sets_a);
    free(sets_b);
    return found;
}

static void say_terms(struct explain *explain, const struct side *side, size_t node, const char *label) {
    const struct order_tree *tree = &side->identity.tree;
    const struct npy_array *array = &explain->given.array;
    const uint32_t *child = &tree->children[tree->nodes[node].first_child];
    uint32_t leaves[2] = {order_leaves_of(tree, child[0]), order_leaves_of(tree, child[1])};
    char text[2][64];
    for (int c = 0; c < 2; c++)
        if (leaves[c] == 1)
            snprintf(text[c], sizeof text[c], "x[%u]", child[c]);
        else
            snprintf(text[c], sizeof text[c], "the sum of %u terms from x[%u] on", leaves[c],
                     order_lowest_of(tree, child[c]));
    enum float_type type = side->identity.arithmetic == ORDER_IN_F32 ? FLOAT_F32 : FLOAT_F64;
    uint64_t bits =
        order_evaluate_at(tree, tree->n + (uint32_t)node, array->type, array->x, side->identity.arithmetic, type);
    char hex[FLOAT_TEXT], decimal[FLOAT_TEXT];
    float_to_hex(type, bits, hex);
    float_to_decimal(type, bits, decimal);
    page_say(&explain->page, "%s adds %s and %s, which gives %s (%s).", label, text[0], text[1], decimal, hex);
}

// The smallest partial sum of a tree that holds all terms of another tree's node.
static size_t find_enclosing(const struct order_tree *tree, const struct order_tree *other, size_t node) {
    uint32_t count, *ids = order_gather(other, other->n + (uint32_t)node, &count);
    uint32_t *inside = must_calloc((size_t)tree->n + tree->node_count, sizeof *inside);
    uint32_t wanted = other->nodes[node].leaves;
    for (uint32_t i = 0; i < count && ids[i] < other->n; i++)
        inside[ids[i]] = 1;
    size_t found = 0;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        for (uint32_t c = 0; c < tree->nodes[k].child_count; c++)
            inside[tree->n + k] += inside[tree->children[tree->nodes[k].first_child + c]];
        if (inside[tree->n + k] == wanted) {
            found = k;
            break;
        }
    }
    free(ids);
    free(inside);
    return found;
}

static bool has_fixed_order(const struct side *side) {
    return side->identified && (side->identity.kind == ORDER_KIND_TREE || side->identity.kind == ORDER_KIND_WIDE);
}

static void say_orders(struct explain *explain) {
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    page_begin(&explain->page, "The two orders");
    if (explain->given.array.n > ORDER_MOST_INFERRED) {
        page_say(&explain->page, "Orders are revealed or inferred for up to %d numbers; this array has more.",
                 ORDER_MOST_INFERRED);
        return;
    }
    say_order(explain, a, "A");
    say_order(explain, b, "B");
    if (!has_fixed_order(a) || !has_fixed_order(b))
        return;
    const struct order_tree *tree_a = &a->identity.tree, *tree_b = &b->identity.tree;
    size_t parting = find_parting(tree_a, tree_b);
    if (parting == SIZE_MAX) {
        page_say(&explain->page, "Both add in the same order%s.",
                 a->identity.arithmetic == b->identity.arithmetic ? "" : "; what differs is the format they add in");
        return;
    }
    page_say(&explain->page, "The first partial sum in which they part:");
    say_terms(explain, a, parting, "A");
    say_terms(explain, b, find_enclosing(tree_b, tree_a, parting), "Where B first has all of these together, it");
}

static void say_input_rounding(struct explain *explain) {
    const struct exact_sum *exact = &explain->exact;
    enum float_type type = explain->given.array.type;
    double u = ldexp(1, -float_format(type)->precision), abs_sum = mpfr_get_d(exact->abs_sum, MPFR_RNDU);
    double ulp = ulp_of(type, exact_sum_round(exact, type));
    page_begin(&explain->page, "What rounding the inputs did");
    page_say(&explain->page,
             "All of the above takes the numbers as they are. If they were rounded to %s from something finer, that "
             "alone may have moved the exact sum by up to u·sum |x| = %.3g, which is %.3g ulps of the result.",
             float_format(type)->name, u * abs_sum, u * abs_sum / ulp);
}

static void say_advice(struct explain *explain) {
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    bool varies = (a->identified && a->identity.kind == ORDER_KIND_VARIES) ||
                  (b->identified && b->identity.kind == ORDER_KIND_VARIES);
    page_begin(&explain->page, "What to do");
    bool fault_in_a = !a->within && !a->overflows, fault_in_b = !b->within && !b->overflows;
    if (fault_in_a || fault_in_b)
        page_say(&explain->page,
                 "Look for a fault in %s: lost or repeated elements, another array, a narrower accumulator. \"reductio "
                 "check\" names the element where it can.",
                 fault_in_a && fault_in_b ? "both"
                 : fault_in_a             ? "A"
                                          : "B");
    else if (a->overflows || b->overflows)
        page_say(&explain->page, "Scale the numbers by a power of two, or sum in a format with a wider range, so that "
                                 "no partial sum overflows.");
    else if (a->bits == b->bits && a->out == b->out)
        page_say(&explain->page, "Nothing: the two are the same.");
    else if (fabs(a->ulps) > 1 || fabs(b->ulps) > 1)
        page_say(
            &explain->page,
            "If the last digits matter, sum with compensation or in a wider format; \"reductio sum\" on this array "
            "lists the rows that come closer. If not, compare such sums with a tolerance of at least the sum of "
            "their bounds, not bit for bit.");
    else
        page_say(&explain->page, "Both are within one ulp. Do not compare them bit for bit.");
    if (varies)
        page_say(&explain->page, "An order that is not fixed gives other bits from run to run: where equal bits are "
                                 "needed, choose a row that claims the same bits in every run.");
}

static int explain_array(struct explain *explain) {
    const struct npy_array *array = &explain->given.array;
    int code = EXIT_FINE;
    for (int s = 0; s < 2 && code == EXIT_FINE; s++)
        code = open_side(explain, &explain->sides[s]);
    if (code != EXIT_FINE)
        return code;
    explain->page.title = text_format("Why two sums of %s differ", explain->given.name);
    exact_sum(&explain->exact, array->type, array->x, array->n);
    say_exact_sum(explain);
    say_distances(explain);
    if (explain->exact.class_ == SUM_FINITE) {
        say_condition(explain);
        say_whether_an_order_explains(explain);
        say_orders(explain);
        say_input_rounding(explain);
        say_advice(explain);
    }
    exact_sum_clear(&explain->exact);
    page_write_text(&explain->page, stdout);
    char message[REPORT_MESSAGE] = "";
    if (!explain->options->html || save_whole(explain->options->html, page_write_html, &explain->page, message))
        return EXIT_FINE;
    fprintf(stderr, "reductio: %s\n", message);
    return EXIT_USAGE;
}

int command_explain(const struct command_line *line) {
    struct explain explain = {.options = line->options};
    if (line->options->word_count != 3) {
        fprintf(stderr, "reductio: explain wants an array and two sums of it: DATA.npy A B, rows or values.\n");
        return EXIT_USAGE;
    }
    for (int s = 0; s < 2; s++)
        explain.sides[s].word = line->options->words[s + 1];
    int code = load_given(&explain.given, line->options->words[0], line->options);
    if (code != EXIT_FINE)
        return code;
    code = open_catalog(&explain.catalog, explain.options, false);
    if (code == EXIT_FINE)
        code = explain_array(&explain);
    for (int s = 0; s < 2; s++) {
        order_identity_free(&explain.sides[s].identity);
        probe_bench_close(&explain.sides[s].bench);
    }
    page_free(&explain.page);
    catalog_free(&explain.catalog);
    given_free(&explain.given);
    return code;
}
