// SPDX-License-Identifier: MIT
#include "harness/stall.h"

#include "harness/support.h"
#include "reference/ulp.h"

#include <inttypes.h>
#include <math.h>

// Where one accumulator of type `out` ends; *first is one past the last element that changed it. A double holds more
// than 2p + 2 bits of f32, f16 and bf16, so that adding in it and rounding again rounds as if once (Figueroa 1995,
// "When is double rounding innocuous?").
static double accumulate(enum float_type in, enum float_type out, const void *x, uint64_t n, uint64_t *first) {
    double sum = 0;
    *first = 0;
    for (uint64_t i = 0; i < n; i++) {
        double next = sum + float_to_double(in, float_load(in, x, i));
        if (out != FLOAT_F64)
            next = float_to_double(out, float_from_double(out, next));
        if (next != sum)
            *first = i + 1;
        sum = next;
    }
    return sum;
}

// What x[first..n) add up to is at least half of what the result lacks.
static bool explains_loss(const struct stall *stall, const struct exact_sum *exact, const void *x) {
    struct exact_sum unmoved;
    mpfr_t lost;
    struct exact_bins *bins = exact_bins_new(stall->in);
    exact_bins_add(bins, (const char *)x + stall->first * float_format(stall->in)->size, exact->n - stall->first);
    exact_sum_of_bins(&unmoved, bins);
    exact_bins_free(bins);
    mpfr_init2(lost, 64);
    mpfr_set_d(lost, float_to_double(stall->out, stall->value), MPFR_RNDN);
    mpfr_sub(lost, exact->sum, lost, MPFR_RNDA);
    mpfr_div_2ui(lost, lost, 1, MPFR_RNDN);
    bool same_sign = mpfr_sgn(lost) == mpfr_sgn(exact->sum);
    bool explains = same_sign && mpfr_cmpabs(unmoved.sum, lost) >= 0;
    mpfr_clear(lost);
    exact_sum_clear(&unmoved);
    return explains;
}

static uint64_t find_largest(enum float_type in, const void *x, uint64_t first, uint64_t n) {
    uint64_t largest = float_load(in, x, first);
    for (uint64_t i = first + 1; i < n; i++) {
        uint64_t bits = float_load(in, x, i);
        if (fabs(float_to_double(in, bits)) > fabs(float_to_double(in, largest)))
            largest = bits;
    }
    return largest;
}

bool find_stall(struct stall *stall, const struct exact_sum *exact, enum float_type out, uint64_t result,
                const void *x) {
    double value = float_to_double(out, result);
    if (exact->class_ != SUM_FINITE || !isfinite(value) || mpfr_cmpabs(exact->sum, exact->abs_sum) != 0 ||
        !(fabs(ulp_error(exact, out, result)) >= STALL_LEAST_ULPS))
        return false;
    *stall = (struct stall){.value = result, .in = exact->in, .out = out};
    if (accumulate(exact->in, out, x, exact->n, &stall->first) != value || stall->first == exact->n ||
        !explains_loss(stall, exact, x))
        return false;
    stall->largest = find_largest(exact->in, x, stall->first, exact->n);
    return true;
}

char *describe_stall(const struct stall *stall, uint64_t n) {
    char value[FLOAT_TEXT], largest[FLOAT_TEXT];
    float_to_decimal(stall->out, stall->value, value);
    float_to_decimal(stall->in, stall->largest, largest);
    return text_format("It stalls at %s: adding %s no longer changes it, nor does any of x[%" PRIu64 "..%" PRIu64
                       "], as in one %s accumulator.",
                       value, largest, stall->first, n - 1, float_format(stall->out)->name);
}
