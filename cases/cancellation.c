// SPDX-License-Identifier: MIT
// Sums that cancel: mirrored pairs, and data of a prescribed condition number Σ|x| / |Σx|.
#include "cases/families.h"
#include "cases/orders.h"
#include "reference/exact_sum.h"

#include <math.h>

// x and -x half an array apart, over 2p binades, or as many as the first half can be added in; the one or two elements
// left over are 2^-p each, and are the sum.
bool fill_cancelling_pairs(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    int precision = float_format(type)->precision, top = top_exponent(type, n);
    int binades = 2 * precision < top ? 2 * precision : top > 1 ? top : 1;
    struct prng prng = prng_seeded(seed);
    uint64_t pairs = (n - 1) / 2;
    for (uint64_t i = 0; i < pairs; i++) {
        int exponent = (int)prng_below(&prng, (uint64_t)binades);
        double value = ldexp(prng_unit(&prng, precision), exponent);
        store_value(type, x, i, value);
        store_value(type, x, n - pairs + i, -value);
    }
    for (uint64_t i = pairs; i < n - pairs; i++)
        store_value(type, x, i, ldexp(1, -precision));
    return true;
}

// ---- a prescribed condition number ----
// After Ogita, Rump & Oishi 2005 (Accurate sum and dot product, section 6): free terms with exponents spread over all
// binades of the condition number, then terms that each take away the exact sum of everything before them but for a
// chosen rest, then a random order. One such term of p bits leaves a rest 2^-(p-2) times the sum, to within a quarter
// of that rest; the sum of what comes before the first of them is at most half of Σ|x|. So ceil((log2 cond - 1)/(p -
// 2)) of them reach any cond, and fewer terms than one more than that cannot be asked for. (The limit itself is p bits
// a term; two are kept so that the rest can be aimed at.) The exponents stay within ±log2(cond)/2 around 0: nothing
// under- or overflows, up to cond = 1e40 and n = 2^40 also in f32 and bf16. In f16 they lie as high as n terms can be
// added, for its least number is 2^-24, and what is not to be had within its 40 binades is refused.

static int condition_bits(double condition) {
    int bits;
    frexp(condition, &bits); // 2^(bits-1) <= condition < 2^bits
    return bits;
}

static uint64_t least_cancelling_terms(enum float_type type, double condition) {
    int kept = float_format(type)->precision - 2;
    return (uint64_t)((condition_bits(condition) - 1 + kept - 1) / kept);
}

// More of them than needed where n has room: one for every four bits, so that rests of every size occur.
static uint64_t cancelling_terms(enum float_type type, double condition, uint64_t n) {
    uint64_t least = least_cancelling_terms(type, condition);
    uint64_t wished = (uint64_t)condition_bits(condition) / 4;
    if (wished > n / 2)
        wished = n / 2;
    return wished > least ? wished : least;
}

// Σ|x| is about 2^emax/log2(cond), and the rest that is aimed at must be some multiple of the format's least number.
static bool exponents_reach(enum float_type type, double condition) {
    enum { ROOM = 10 };
    const struct float_format *format = float_format(type);
    return condition_bits(condition) + ROOM <= format->max_exponent - format->min_exponent + format->precision - 1;
}

const char *refuse_condition(const struct case_values *self, enum float_type type, uint64_t n) {
    const double *condition = self->data;
    if (!exponents_reach(type, *condition))
        return "the type has too few exponents for this condition number";
    if (n >= 1 + least_cancelling_terms(type, *condition))
        return NULL;
    return "this condition number needs 1 + ceil((log2(cond) - 1) / (p - 2)) elements or more";
}

// Turns the rest aimed at last (`goal`) into the one for this step: as many bits above it as there are steps to come.
static void choose_rest(mpfr_t rest, const mpfr_t sum, const mpfr_t goal, uint64_t steps_left, struct prng *prng) {
    mpfr_set(rest, goal, MPFR_RNDN);
    long excess = mpfr_zero_p(sum) ? 0 : (long)(mpfr_get_exp(sum) - mpfr_get_exp(goal));
    if (excess > 0 && steps_left > 1) {
        long shift = (excess + (long)steps_left - 1) / (long)steps_left;
        mpfr_abs(rest, sum, MPFR_RNDN);
        mpfr_div_2si(rest, rest, shift, MPFR_RNDN);
    }
    mpfr_mul_d(rest, rest, 0.75 + prng_unit(prng, 20) / 4, MPFR_RNDN);
    if (prng_coin(prng))
        mpfr_neg(rest, rest, MPFR_RNDN);
}

// The next term: the rest of this step less the exact sum so far, rounded to the type. 512 bits hold that difference
// exactly.
static uint64_t cancelling_term(const struct exact_bins *bins, enum float_type type, double condition,
                                uint64_t steps_left, struct prng *prng) {
    struct exact_sum so_far;
    exact_sum_of_bins(&so_far, bins);
    mpfr_t goal, rest, term;
    mpfr_inits2(512, goal, rest, term, (mpfr_ptr)NULL);
    // This term will be about as large as the sum that it takes away, and belongs to Σ|x|.
    mpfr_abs(goal, so_far.sum, MPFR_RNDN);
    mpfr_add(goal, goal, so_far.abs_sum, MPFR_RNDN);
    mpfr_div_d(goal, goal, condition, MPFR_RNDN);
    choose_rest(rest, so_far.sum, goal, steps_left, prng);
    mpfr_sub(term, rest, so_far.sum, MPFR_RNDN);
    uint64_t bits = round_to_float(term, type);
    mpfr_clears(goal, rest, term, (mpfr_ptr)NULL);
    exact_sum_clear(&so_far);
    return bits;
}

bool fill_condition(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const double *condition = self->data;
    int precision = float_format(type)->precision, bits = condition_bits(*condition);
    uint64_t steps = cancelling_terms(type, *condition, n);
    int highest = top_exponent(type, n) < bits - bits / 2 ? top_exponent(type, n) : bits - bits / 2;
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < n - steps; i++) {
        int exponent = i ? (int)prng_below(&prng, (uint64_t)bits + 1) + highest - bits : highest;
        double value = ldexp(prng_unit(&prng, precision), exponent);
        store_value(type, x, i, prng_coin(&prng) ? -value : value);
    }
    struct exact_bins *bins = exact_bins_new(type);
    exact_bins_add(bins, x, n - steps);
    for (uint64_t left = steps; left > 0; left--) {
        float_store(type, x, n - left, cancelling_term(bins, type, *condition, left, &prng));
        exact_bins_add(bins, (const char *)x + (n - left) * float_format(type)->size, 1);
    }
    exact_bins_free(bins);
    shuffle_elements(type, x, n, &prng);
    return true;
}
