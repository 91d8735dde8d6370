// SPDX-License-Identifier: MIT
// A sum that ran: its value class, its error against the claimed bound, and whether its repeats agree.
#include "harness/stall.h"
#include "harness/support.h"
#include "harness/verdict.h"
#include "reference/bounds.h"
#include "reference/ulp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_PRECISION = 96 }; // bits of figures that are printed, not of the truth

// What is known before a result is looked at.
struct yardstick {
    mpfr_t bound;     // on |s - ŝ|; +infinity where no bound applies
    mpfr_t magnitude; // |s|
    uint64_t rounded;
    struct bound_terms terms;
    bool says_nothing; // bound >= |s| > 0
    bool overflow_possible;
    bool subnormals_matter; // data or sum in the subnormal range
};

typedef void bound_function(mpfr_t, const struct exact_sum *, enum float_type, const struct bound_terms *);

static bound_function *claimed_bound(uint32_t accuracy) {
    switch (accuracy) {
    case REDUCTIO_HEIGHT:
        return bound_height;
    case REDUCTIO_KAHAN:
        return bound_kahan;
    case REDUCTIO_COMPENSATED:
        return bound_compensated;
    case REDUCTIO_KAHAN_MERGED:
        return bound_kahan_merged;
    case REDUCTIO_DOUBLE_WORD:
        return bound_double_word;
    case REDUCTIO_WIDE:
        return bound_wide;
    case REDUCTIO_BINNED:
        return bound_binned_fold3;
    case REDUCTIO_BINNED_NOT_CLAIMED:
        return bound_binned_published;
    case REDUCTIO_FAITHFUL:
        return bound_faithful;
    case REDUCTIO_CORRECTLY_ROUNDED:
        return bound_correctly_rounded;
    default:
        return bound_any_order;
    }
}

static bool is_subnormal(enum float_type type, uint64_t bits) {
    const struct float_format *format = float_format(type);
    double magnitude = fabs(float_to_double(type, bits));
    return magnitude > 0 && magnitude < ldexp(1.0, format->min_exponent);
}

static void open_yardstick(struct yardstick *y, const struct evidence *e) {
    const struct exact_sum *exact = e->exact;
    mpfr_inits2(FIGURE_PRECISION, y->bound, (mpfr_ptr)NULL);
    mpfr_init2(y->magnitude, mpfr_get_prec(exact->sum));
    mpfr_abs(y->magnitude, exact->sum, MPFR_RNDN);
    y->rounded = exact_sum_round(exact, e->out);
    y->terms = (struct bound_terms){e->n, e->reply->height, e->reply->serial_terms, e->reply->atomics};
    y->subnormals_matter = exact->has_subnormal || is_subnormal(e->out, y->rounded);
    y->overflow_possible = exact->class_ == SUM_FINITE && may_overflow(exact, e->out, &y->terms);
    if (exact->class_ != SUM_FINITE || exact_sum_never_rounds(exact, e->out))
        mpfr_set_zero(y->bound, 1);
    else
        claimed_bound(e->card->accuracy)(y->bound, exact, e->out, &y->terms);
    if (e->out == FLOAT_F32 && y->terms.atomics && exact->nonzero)
        bound_add_atomic_flushes(y->bound, e->out, &y->terms);
    y->says_nothing = mpfr_sgn(y->magnitude) > 0 && mpfr_cmp(y->bound, y->magnitude) >= 0;
}

static void close_yardstick(struct yardstick *y) {
    mpfr_clear(y->bound);
    mpfr_clear(y->magnitude);
}

// |s - ŝ| for a finite result.
static void absolute_error(mpfr_t error, const struct evidence *e, uint64_t bits) {
    mpfr_t result;
    mpfr_init2(result, 64);
    mpfr_set_d(result, float_to_double(e->out, bits), MPFR_RNDN);
    mpfr_sub(error, e->exact->sum, result, MPFR_RNDA);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_clear(result);
}

static const char *hex_text(enum float_type type, uint64_t bits, char *text) {
    float_to_hex(type, bits, text);
    return text;
}

// What a wrong value breaks: the claim that speaks of it where it is made, and otherwise the accuracy, of which there
// always is a bound.
static enum claim claim_or_accuracy(const struct evidence *e, enum claim claim) {
    return claim_is_made(claim, e->card) ? claim : CLAIM_ACCURACY;
}

static void report_wrong_class(struct cell_result *cell, const struct evidence *e, uint64_t bits, enum claim claim,
                               const char *detector, uint64_t right) {
    char got[FLOAT_TEXT], want[FLOAT_TEXT];
    mark_broken(cell, claim);
    bool traced = strcmp(detector, "poison") == 0 && *e->reply->message;
    add_finding(cell, FINDING_WRONG_CLASS, detector, "It gave %s where %s is right.%s%s%s", hex_text(e->out, bits, got),
                hex_text(e->out, right, want), traced ? " The NaN is the poison of " : "",
                traced ? e->reply->message : "", traced ? "." : "");
}

// NaN where an infinity is right: finite numbers of the other sign overflowed before they met it.
static bool early_overflow_explains(const struct evidence *e, const struct yardstick *y, uint64_t bits) {
    return float_is_nan(e->out, bits) && !claim_is_made(CLAIM_NO_EARLY_OVERFLOW, e->card) &&
           may_overflow_against_infinity(e->exact, e->out, &y->terms);
}

// Data with NaN or infinities: the class alone is right or wrong.
static void judge_special(struct cell_result *cell, const struct evidence *e, const struct yardstick *y,
                          uint64_t bits) {
    if (early_overflow_explains(e, y, bits)) {
        add_finding(cell, FINDING_BOUND_SAYS_NOTHING, NULL,
                    "A partial sum overflowed to the other infinity, as its claims allow.");
        return;
    }
    cell->tested |= 1u << CLAIM_SPECIALS;
    if (float_same(e->out, bits, y->rounded))
        add_finding(cell, FINDING_CORRECTLY_ROUNDED, NULL, NULL);
    else if (claim_is_made(CLAIM_SPECIALS, e->card))
        report_wrong_class(cell, e, bits, CLAIM_SPECIALS, "specials", y->rounded);
    else
        add_finding(cell, FINDING_BOUND_SAYS_NOTHING, NULL, "Special values are not claimed to be kept.");
}

// Sums of -0 only, and of nothing: the sign is a matter of policy, which the variant states.
static void judge_zero_policy(struct cell_result *cell, const struct evidence *e, uint64_t bits) {
    bool empty = e->n == 0;
    enum claim claim = empty ? CLAIM_EMPTY : CLAIM_ALL_MINUS_ZERO;
    bool zero = (bits & ~float_format(e->out)->sign_bit) == 0;
    bool plus_wanted = empty || e->card->all_minus_zero == REDUCTIO_PLUS;
    uint64_t wanted = plus_wanted ? 0 : float_format(e->out)->sign_bit;
    cell->tested |= 1u << claim;
    if (bits == wanted || (zero && !claim_is_made(claim, e->card)))
        add_finding(cell, FINDING_CORRECTLY_ROUNDED, NULL, NULL);
    else
        report_wrong_class(cell, e, bits, claim_or_accuracy(e, claim), "specials", wanted);
}

// Infinity or NaN from data whose exact sum is finite.
static void judge_not_finite(struct cell_result *cell, const struct evidence *e, const struct yardstick *y,
                             uint64_t bits) {
    mpfr_t reach, threshold;
    mpfr_inits2(FIGURE_PRECISION, reach, threshold, (mpfr_ptr)NULL);
    mpfr_add(reach, y->magnitude, y->bound, MPFR_RNDU);
    const struct float_format *format = float_format(e->out);
    mpfr_set_ui_2exp(threshold, 1, format->max_exponent + 1, MPFR_RNDN); // Ω = 2^emax·(2 - 2^-p)
    mpfr_t half_ulp;
    mpfr_init2(half_ulp, FIGURE_PRECISION);
    mpfr_set_ui_2exp(half_ulp, 1, format->max_exponent - format->precision, MPFR_RNDN);
    mpfr_sub(threshold, threshold, half_ulp, MPFR_RNDN);
    bool right_infinity = float_is_infinite(e->out, bits) && mpfr_cmp(reach, threshold) >= 0 &&
                          float_is_negative(e->out, bits) == (mpfr_sgn(e->exact->sum) < 0);
    bool wrong_infinity = float_is_infinite(e->out, bits) && float_is_infinite(e->out, y->rounded);
    if (right_infinity)
        add_finding(cell, FINDING_WITHIN_BOUND, NULL, "The overflow threshold lies within the bound.");
    else if (wrong_infinity)
        report_wrong_class(cell, e, bits, CLAIM_ACCURACY, "bound", y->rounded);
    else if (y->overflow_possible && !claim_is_made(CLAIM_NO_EARLY_OVERFLOW, e->card)) {
        cell->overflowed_early = true;
        add_finding(cell, FINDING_BOUND_SAYS_NOTHING, NULL, "A partial sum overflowed, as its claims allow.");
    } else if (y->overflow_possible) {
        cell->overflowed_early = true;
        mark_broken(cell, CLAIM_NO_EARLY_OVERFLOW);
        add_finding(cell, FINDING_OVERFLOWED_EARLY, "bound", "A partial sum overflowed; the exact sum is finite.");
    } else
        report_wrong_class(cell, e, bits, CLAIM_ACCURACY, float_is_nan(e->out, bits) ? "poison" : "bound", y->rounded);
    mpfr_clears(reach, threshold, half_ulp, (mpfr_ptr)NULL);
}

// The excess over the bound is what flushing subnormals explains: at most 2^emin for each of n terms.
static bool flushing_explains(const struct evidence *e, const struct yardstick *y, const mpfr_t error) {
    if (!y->subnormals_matter)
        return false;
    mpfr_t allowed;
    mpfr_init2(allowed, FIGURE_PRECISION);
    mpfr_set_ui_2exp(allowed, e->n, float_format(e->out)->min_exponent, MPFR_RNDU);
    mpfr_add(allowed, allowed, y->bound, MPFR_RNDU);
    bool explains = mpfr_cmp(error, allowed) <= 0;
    mpfr_clear(allowed);
    return explains;
}

static void judge_beyond_bound(struct cell_result *cell, const struct evidence *e, const struct yardstick *y,
                               const mpfr_t error) {
    if (!flushing_explains(e, y, error)) {
        mark_broken(cell, CLAIM_ACCURACY);
        add_finding(cell, FINDING_BEYOND_BOUND, "bound", "The error exceeds the bound \"%s\".%s", cell->bound,
                    exact_sum_never_rounds(e->exact, e->out)
                        ? " On these data no addition rounds in any order, so the sum must be exact."
                        : "");
    } else if (e->card->keeps_subnormals == REDUCTIO_NO)
        add_finding(cell, FINDING_WITHIN_BOUND, NULL, "Subnormals were flushed, as its claims allow.");
    else {
        mark_broken(cell, claim_or_accuracy(e, CLAIM_KEEPS_SUBNORMALS));
        add_finding(
            cell, FINDING_FLUSHED, "bound", "Subnormal values were lost.%s",
            e->card->keeps_subnormals == REDUCTIO_UNSTATED
                ? " Its claims say nothing of them; where they may be lost, it has to claim keeps_subnormals = no."
                : "");
    }
}

// No finding of its own: whatever the claims allow, this is why the result is where it is.
static void say_stall(struct cell_result *cell, const struct evidence *e, uint64_t bits) {
    struct stall stall;
    if (!e->x || !find_stall(&stall, e->exact, e->out, bits, e->x))
        return;
    char *sentence = describe_stall(&stall, e->n);
    cell->detail = text_append(cell->detail, "%s", sentence);
    free(sentence);
}

static void judge_finite(struct cell_result *cell, const struct evidence *e, const struct yardstick *y, uint64_t bits) {
    mpfr_t error;
    mpfr_init2(error, FIGURE_PRECISION);
    absolute_error(error, e, bits);
    uint64_t sign = float_format(e->out)->sign_bit;
    if (!y->says_nothing)
        cell->tested |= 1u << CLAIM_ACCURACY;
    if (y->subnormals_matter)
        cell->tested |= 1u << CLAIM_KEEPS_SUBNORMALS;
    if (y->overflow_possible)
        cell->tested |= 1u << CLAIM_NO_EARLY_OVERFLOW;
    if (bits == y->rounded)
        add_finding(cell, FINDING_CORRECTLY_ROUNDED, NULL, NULL);
    else if (bits == sign && mpfr_zero_p(e->exact->sum))
        report_wrong_class(cell, e, bits, CLAIM_ACCURACY, "bound", y->rounded);
    else if (mpfr_cmp(error, y->bound) > 0)
        judge_beyond_bound(cell, e, y, error);
    else if (y->says_nothing)
        add_finding(cell, FINDING_BOUND_SAYS_NOTHING, NULL, NULL);
    else
        add_finding(cell, is_faithful(e->exact, e->out, bits) ? FINDING_FAITHFUL : FINDING_WITHIN_BOUND, NULL, NULL);
    say_stall(cell, e, bits);
    mpfr_clear(error);
}

static void judge_value(struct cell_result *cell, const struct evidence *e, const struct yardstick *y, uint64_t bits) {
    if (e->exact->class_ != SUM_FINITE)
        judge_special(cell, e, y, bits);
    else if (e->n == 0 || e->exact->all_minus_zero)
        judge_zero_policy(cell, e, bits);
    else if (float_is_nan(e->out, bits) || (float_is_infinite(e->out, bits) && bits != y->rounded))
        judge_not_finite(cell, e, y, bits);
    else if (float_is_infinite(e->out, bits))
        add_finding(cell, FINDING_CORRECTLY_ROUNDED, NULL, NULL); // truly overflows
    else
        judge_finite(cell, e, y, bits);
}

// Gathers the distinct results, most frequent first; NaNs count as one.
static void gather_patterns(struct cell_result *cell, const struct evidence *e) {
    for (uint64_t run = 0; run < e->reply->runs; run++) {
        size_t i = 0;
        while (i < cell->pattern_count && !float_same(e->out, cell->patterns[i].bits, e->runs[run].bits))
            i++;
        if (i == cell->pattern_count) {
            cell->patterns = grow_array(cell->patterns, cell->pattern_count++, sizeof *cell->patterns);
            cell->patterns[i] =
                (struct bit_pattern){.bits = e->runs[run].bits, .ulps = ulp_error(e->exact, e->out, e->runs[run].bits)};
            snprintf(cell->patterns[i].first_at, sizeof cell->patterns[i].first_at, "run %llu",
                     (unsigned long long)run + 1);
        }
        cell->patterns[i].count++;
        for (; i > 0 && cell->patterns[i - 1].count < cell->patterns[i].count; i--) {
            struct bit_pattern swapped = cell->patterns[i];
            cell->patterns[i] = cell->patterns[i - 1];
            cell->patterns[i - 1] = swapped;
        }
    }
}

// The pattern farthest from the exact sum; one that is not comparable (NaN, infinity) counts as farthest.
static size_t worst_pattern(const struct cell_result *cell) {
    size_t worst = 0;
    for (size_t i = 1; i < cell->pattern_count; i++)
        if (!(fabs(cell->patterns[i].ulps) <= fabs(cell->patterns[worst].ulps)))
            worst = i;
    return worst;
}

static double ratio_up(const mpfr_t numerator, const mpfr_t denominator) {
    mpfr_t ratio;
    mpfr_init2(ratio, FIGURE_PRECISION);
    mpfr_div(ratio, numerator, denominator, MPFR_RNDU); // 0/0 is NaN, x/0 infinity
    double value = mpfr_get_d(ratio, MPFR_RNDU);
    mpfr_clear(ratio);
    return value;
}

static void fill_error_figures(struct cell_result *cell, const struct evidence *e, const struct yardstick *y,
                               uint64_t bits) {
    mpfr_t error, scale;
    mpfr_inits2(FIGURE_PRECISION, error, scale, (mpfr_ptr)NULL);
    bool comparable = e->exact->class_ == SUM_FINITE && !float_is_nan(e->out, bits) && !float_is_infinite(e->out, bits);
    if (comparable) {
        absolute_error(error, e, bits);
        mpfr_mul_2si(scale, e->exact->abs_sum, -float_format(e->out)->precision, MPFR_RNDD);
        cell->relative_error = mpfr_zero_p(error) ? 0 : ratio_up(error, y->magnitude);
        cell->error_over_uA = mpfr_zero_p(error) ? 0 : ratio_up(error, scale);
        cell->error_over_bound = ratio_up(error, y->bound);
    } else {
        bool right = float_same(e->out, bits, y->rounded);
        cell->relative_error = cell->error_over_uA = right ? 0 : NAN;
        cell->error_over_bound = NAN;
    }
    cell->bound_over_sum = e->exact->class_ == SUM_FINITE ? ratio_up(y->bound, y->magnitude) : NAN;
    mpfr_clears(error, scale, (mpfr_ptr)NULL);
}

static char *float_text(enum float_type type, uint64_t bits, void (*print)(enum float_type, uint64_t, char *)) {
    char text[FLOAT_TEXT];
    print(type, bits, text);
    return must_copy_text(text);
}

// V_s = 1 - |S_nd / S_d| against the first run, the largest over the runs (Shanmugavelu et al. 2024, section 3).
static double largest_vs(const struct cell_result *cell, enum float_type out) {
    double first = float_to_double(out, cell->bits), largest = 0;
    for (size_t i = 0; i < cell->pattern_count; i++) {
        double vs = 1 - fabs(float_to_double(out, cell->patterns[i].bits) / first);
        if (fabs(vs) > fabs(largest))
            largest = vs;
    }
    return largest;
}

static void fill_figures(struct cell_result *cell, const struct evidence *e, const struct yardstick *y) {
    uint64_t worst = cell->patterns[worst_pattern(cell)].bits;
    cell->has_result = true;
    cell->bits = e->runs[0].bits;
    cell->rounded_bits = y->rounded;
    cell->got_hex = float_text(e->out, worst, float_to_hex);
    cell->got_decimal = float_text(e->out, worst, float_to_decimal);
    cell->rounded_hex = float_text(e->out, y->rounded, float_to_hex);
    cell->rounded_decimal = float_text(e->out, y->rounded, float_to_decimal);
    cell->ulps = cell->patterns[worst_pattern(cell)].ulps;
    cell->min_ulps = cell->max_ulps = cell->patterns[0].ulps;
    for (size_t i = 1; i < cell->pattern_count; i++) {
        cell->min_ulps = fmin(cell->min_ulps, cell->patterns[i].ulps);
        cell->max_ulps = fmax(cell->max_ulps, cell->patterns[i].ulps);
    }
    cell->vs = largest_vs(cell, e->out);
    cell->runs = e->reply->runs;
    cell->ns_count = e->reply->runs;
    cell->ns = must_calloc(cell->ns_count, sizeof *cell->ns);
    for (size_t i = 0; i < cell->ns_count; i++)
        cell->ns[i] = e->runs[i].ns;
    cell->bound_decimal = must_calloc(FLOAT_TEXT, 1);
    mpfr_snprintf(cell->bound_decimal, FLOAT_TEXT, "%.5Re", y->bound);
    fill_error_figures(cell, e, y, worst);
}

static void judge_repeats(struct cell_result *cell, const struct evidence *e) {
    if (cell->runs > 1)
        cell->tested |= 1u << CLAIM_SAME_BITS_RUN;
    if (cell->pattern_count < 2)
        return;
    if (claim_is_made(CLAIM_SAME_BITS_RUN, e->card)) {
        mark_broken(cell, CLAIM_SAME_BITS_RUN);
        add_finding(cell, FINDING_VARIED, "repeats", "%zu distinct results in %llu runs, although it claims one.",
                    cell->pattern_count, (unsigned long long)cell->runs);
    } else
        add_finding(cell, FINDING_VARIES_AS_CLAIMED, NULL, "%zu distinct results in %llu runs.", cell->pattern_count,
                    (unsigned long long)cell->runs);
}

void judge_sum(struct cell_result *cell, const struct evidence *e) {
    struct yardstick y;
    open_yardstick(&y, e);
    cell->bound = must_copy_text(exact_sum_never_rounds(e->exact, e->out) && e->exact->class_ == SUM_FINITE
                                     ? "no addition rounds"
                                     : accuracy_name(e->card->accuracy));
    gather_patterns(cell, e);
    for (size_t i = 0; i < cell->pattern_count; i++)
        judge_value(cell, e, &y, cell->patterns[i].bits);
    fill_figures(cell, e, &y);
    judge_repeats(cell, e);
    close_yardstick(&y);
}
