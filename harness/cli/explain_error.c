// SPDX-License-Identifier: MIT
// explain: how far two sums of an array are off, and whether rounding in some order can be why.
#include "harness/cli/explain.h"
#include "harness/stall.h"
#include "harness/support.h"
#include "reference/bounds.h"
#include "reference/ulp.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_PRECISION = 64 };

static double element(const struct npy_array *array, uint64_t i) {
    return float_to_double(array->type, float_load(array->type, array->x, i));
}

static void say_where_not_finite(struct explain *explain) {
    const struct npy_array *array = &explain->given.array;
    uint64_t count = 0, first = 0;
    for (uint64_t i = array->n; i-- > 0;)
        if (!isfinite(element(array, i))) {
            count++;
            first = i;
        }
    page_say(&explain->page, "There %s %" PRIu64 " of them; the first is x[%" PRIu64 "] = %g.",
             count == 1 ? "is" : "are", count, first, element(array, first));
}

void say_exact_sum(struct explain *explain) {
    const struct exact_sum *exact = &explain->exact;
    page_begin(&explain->page, "The exact sum");
    if (exact->class_ != SUM_FINITE) {
        page_say(&explain->page, "The array holds NaN or infinities: the sum is %s.",
                 exact->class_ == SUM_NAN             ? "NaN in any order"
                 : exact->class_ == SUM_PLUS_INFINITY ? "infinity"
                                                      : "-infinity");
        say_where_not_finite(explain);
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

static void say_stall(struct explain *explain, struct side *side) {
    struct stall stall;
    side->stalls = find_stall(&stall, &explain->exact, side->out, side->bits, explain->given.array.x);
    if (!side->stalls)
        return;
    char *sentence = describe_stall(&stall, explain->exact.n);
    page_say(&explain->page, "%s", sentence);
    free(sentence);
}

static bool is_zero(const struct side *side) {
    return float_to_double(side->out, side->bits) == 0;
}

// Which zero it is no bound tells (IEEE 754, 6.3).
static const char *say_rightness(const struct explain *explain, const struct side *side) {
    if (side->bits == exact_sum_round(&explain->exact, side->out))
        return ": it is correctly rounded";
    if (!mpfr_zero_p(explain->exact.sum) || !is_zero(side))
        return "";
    return explain->exact.all_minus_zero ? ": it is right but for its sign, since -0 + -0 is -0"
                                         : ": it is right but for its sign, since only a sum of -0 alone is -0";
}

static void say_steps(struct explain *explain, long long steps) {
    const char *name = float_format(explain->sides[0].out)->name;
    if (steps)
        page_say(&explain->page, "%lld step%s of %s lie%s between them.", steps, PLURAL(steps), name,
                 steps == 1 ? "s" : "");
    else
        page_say(&explain->page, "They are the same number of %s.", name);
}

static bool is_as_it_must_be(const struct explain *explain, const struct side *side) {
    return float_same(side->out, side->bits, exact_sum_round(&explain->exact, side->out));
}

static struct bound_terms any_terms(const struct explain *explain) {
    return (struct bound_terms){.n = explain->exact.n, .height = explain->exact.n};
}

static bool may_meet_other_infinity(const struct explain *explain, const struct side *side) {
    const struct bound_terms terms = any_terms(explain);
    return float_is_nan(side->out, side->bits) && may_overflow_against_infinity(&explain->exact, side->out, &terms);
}

static const char *say_rightness_not_finite(const struct explain *explain, const struct side *side) {
    return is_as_it_must_be(explain, side) ? "as it must be"
           : side->overflows ? "as in an order that overflows to the other infinity before it meets that of the array"
                             : "which is wrong";
}

void say_distances(struct explain *explain) {
    page_begin(&explain->page, "How far each is off");
    for (int s = 0; s < 2; s++) {
        struct side *side = &explain->sides[s];
        char name[256], hex[FLOAT_TEXT], decimal[FLOAT_TEXT];
        name_side(side, name, sizeof name);
        float_to_hex(side->out, side->bits, hex);
        float_to_decimal(side->out, side->bits, decimal);
        side->ulps = ulp_error(&explain->exact, side->out, side->bits);
        page_paragraph(&explain->page);
        if (explain->exact.class_ != SUM_FINITE) {
            side->overflows = may_meet_other_infinity(explain, side);
            page_say(&explain->page, "%s: %s gives %s, %s.", s ? "B" : "A", name, decimal,
                     say_rightness_not_finite(explain, side));
            continue;
        }
        page_say(&explain->page, "%s: %s gives %s (%s), %.4g ulp%s from the exact sum%s.", s ? "B" : "A", name, decimal,
                 hex, side->ulps + 0.0, PLURAL(fabs(side->ulps)), say_rightness(explain, side));
        say_stall(explain, side);
    }
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    page_paragraph(&explain->page);
    if (explain->exact.class_ == SUM_FINITE && a->out == b->out && !float_is_nan(a->out, a->bits) &&
        !float_is_nan(b->out, b->bits))
        say_steps(explain, llabs((long long)ulp_steps(a->out, a->bits, b->bits)));
}

void say_condition(struct explain *explain) {
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
    const struct bound_terms terms = any_terms(explain);
    return may_overflow(&explain->exact, out, &terms);
}

static bool are_same(const struct side *a, const struct side *b) {
    return a->out == b->out && float_same(a->out, a->bits, b->bits);
}

static void say_bound_of_both(struct explain *explain, const double share[2]) {
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    if (a->within && b->within && are_same(a, b))
        page_say(
            &explain->page,
            "There is nothing to explain: both gave the same bits, with %.3g of that bound. On other arrays they may "
            "differ.",
            share[0]);
    else if (is_zero(a) && is_zero(b))
        page_say(
            &explain->page,
            "Both do, and differ in the sign of zero alone, which no rounding explains: a sum of -0 alone is -0 by "
            "IEEE 754, and one that starts from +0 is +0.");
    else if (a->within && b->within)
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

void say_whether_an_order_explains(struct explain *explain) {
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

void say_input_rounding(struct explain *explain) {
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

void say_advice_not_finite(struct explain *explain) {
    page_begin(&explain->page, "What to do");
    page_say(&explain->page,
             "Look for where the NaN or the infinity in the array comes from; a sum can only pass it on.");
}

// No order of additions gives its result, or, where the sum is no finite number, any other than that.
static bool is_faulty(const struct explain *explain, const struct side *side) {
    if (explain->exact.class_ != SUM_FINITE)
        return !is_as_it_must_be(explain, side) && !side->overflows;
    return !side->within && !side->overflows;
}

// "A", "B", "both" or NULL
static const char *name_faulty(const struct explain *explain) {
    bool a = is_faulty(explain, &explain->sides[0]), b = is_faulty(explain, &explain->sides[1]);
    return a && b ? "both" : a ? "A" : b ? "B" : NULL;
}

// What is no fault.
static const char *describe_difference(const struct explain *explain) {
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    if (a->out != b->out)
        return "They are numbers of two formats; neither is shown to be broken.";
    if (a->overflows || b->overflows)
        return "An order that overflows on its way explains it; neither is shown to be broken.";
    if (is_zero(a) && is_zero(b))
        return "They differ in the sign of zero alone.";
    return "Rounding in two orders can explain it; neither is shown to be broken.";
}

void set_verdict(struct explain *explain, const char *array) {
    const char *faulty = name_faulty(explain);
    bool same = are_same(&explain->sides[0], &explain->sides[1]);
    explain->page.title = text_format(same ? "Two sums of %s, which are the same" : "Why two sums of %s differ", array);
    if (!faulty)
        explain->page.verdict = must_copy_text(same ? "Both gave the same." : describe_difference(explain));
    else if (strcmp(faulty, "both") == 0)
        explain->page.verdict = must_copy_text("Both are wrong: no order of additions gives these results.");
    else
        explain->page.verdict = text_format("%s is wrong: no order of additions gives its result.", faulty);
}

void say_advice(struct explain *explain) {
    const struct side *a = &explain->sides[0], *b = &explain->sides[1];
    bool varies = (a->identified && a->identity.kind == ORDER_KIND_VARIES) ||
                  (b->identified && b->identity.kind == ORDER_KIND_VARIES);
    page_begin(&explain->page, "What to do");
    const char *faulty = name_faulty(explain);
    if (faulty)
        page_say(&explain->page,
                 "Look for a fault in %s: lost or repeated elements, another array, a narrower accumulator. \"reductio "
                 "check\" names the element where it can.",
                 faulty);
    else if (a->overflows || b->overflows)
        page_say(&explain->page, "Scale the numbers by a power of two, or sum in a format with a wider range, so that "
                                 "no partial sum overflows.");
    else if (a->stalls || b->stalls)
        page_say(&explain->page, "Accumulate in a wider format, or sum in many short parts (pairwise): one accumulator "
                                 "of so few bits takes no more.");
    else if (are_same(a, b))
        page_say(&explain->page, "Nothing: the two are the same.");
    else if (is_zero(a) && is_zero(b))
        page_say(&explain->page,
                 "Where the sign of zero matters, start a sum from its first element, or from -0, and not from +0.");
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
