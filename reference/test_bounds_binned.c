// SPDX-License-Identifier: MIT
// The bound of a binned sum of fold 3, against figures worked out by hand and against slices cut by MPFR.
#include "reference/bounds.h"
#include "reference/test_support.h"

#include <float.h>

static void evaluate(mpfr_t bound, enum float_type in, const void *x, size_t n, enum float_type out) {
    struct exact_sum exact;
    exact_sum(&exact, in, x, n);
    bound_binned_fold3(bound, &exact, out, &(struct bound_terms){.n = n});
    exact_sum_clear(&exact);
}

static void assert_bound(enum float_type type, const void *x, size_t n, double expected) {
    mpfr_t bound;
    mpfr_init2(bound, 53);
    evaluate(bound, type, x, n, type);
    ck_assert_msg(mpfr_cmp_d(bound, expected) == 0, "got %a, expected %a", mpfr_get_d(bound, MPFR_RNDN), expected);
    mpfr_clear(bound);
}

START_TEST(test_formula) {
    // s = 4, e = 2: 2^-24·4 + (1 + 2^-24)·4·2^(2 - 26)
    const float x[] = {1, 2, -3, 4};
    assert_bound(FLOAT_F32, x, 4, 0x1p-22 + (1 + 0x1p-24) * 0x1p-22);
    // s = 0, e = 1, 2 of 3 terms nonzero: (1 + 2^-53)·2·2^(1 - 80)
    const double y[] = {3, -3, 0};
    assert_bound(FLOAT_F64, y, 3, nextafter(0x1p-78, 1)); // 2^-78 + 2^-131, rounded up
}
END_TEST

START_TEST(test_lowest_rows_drop_nothing) {
    // e <= -149 + 39 - 2 = -112: all multiples of 2^-149 below 2^-111 are kept.
    const float kept[] = {0x1.fffffep-112f, -0x1.fffffep-112f};
    assert_bound(FLOAT_F32, kept, 2, 0);
    const float dropped[] = {0x1p-111f, -0x1p-111f};
    assert_bound(FLOAT_F32, dropped, 2, 0x1p-136 + 0x1p-160); // 2·2^(-111 - 26)·(1 + 2^-24)
    const float subnormal[] = {0x1p-149f, 0x1p-140f, -0x1p-149f, -0x1p-140f};
    assert_bound(FLOAT_F32, subnormal, 4, 0);
    const float zeros[] = {0, -0.0f};
    assert_bound(FLOAT_F32, zeros, 2, 0);
    assert_bound(FLOAT_F32, zeros, 0, 0);
}
END_TEST

static void assert_published(enum float_type type, const void *x, size_t n, double expected) {
    mpfr_t bound;
    struct exact_sum exact;
    mpfr_init2(bound, 53);
    exact_sum(&exact, type, x, n);
    bound_binned_published(bound, &exact, type, &(struct bound_terms){.n = n});
    ck_assert_msg(mpfr_cmp_d(bound, expected) == 0, "got %a, expected %a", mpfr_get_d(bound, MPFR_RNDN), expected);
    exact_sum_clear(&exact);
    mpfr_clear(bound);
}

START_TEST(test_published_bound) {
    // s = 0, A = 4·2^20, e = 20, n = 4: 4·2^-26·2^21 against 3·2^-24·2^22; the published one is the smaller.
    const float cancels[] = {0x1p20f, -0x1p20f, 0x1p20f, -0x1p20f};
    assert_published(FLOAT_F32, cancels, 4, 0x1p-3);
    // s = A = 3, n = 3: 2u·3 against 3·2^-26·2 + 7u·3.
    const float plain[] = {1, 1, 1};
    assert_published(FLOAT_F32, plain, 3, 6 * 0x1p-24);
    // e = 115 is beyond 127 - 13, e = -88 below -126 + 39: any order alone.
    const float high[] = {0x1p115f, -0x1p115f, 0x1p115f, -0x1p115f};
    assert_published(FLOAT_F32, high, 4, 3 * 0x1p-24 * 0x1p117);
    const float low[] = {0x1p-88f, -0x1p-88f, 0x1p-88f, -0x1p-88f};
    assert_published(FLOAT_F32, low, 4, 3 * 0x1p-24 * 0x1p-86);
    // The edges of the range belong to it.
    const float edge[] = {0x1p114f, -0x1p114f, 0x1p114f, -0x1p114f};
    assert_published(FLOAT_F32, edge, 4, 4 * 0x1p115 * 0x1p-26);
    const double wide[] = {0x1p20, -0x1p20, 0x1p20, -0x1p20};
    assert_published(FLOAT_F64, wide, 4, 4 * 0x1p21 * 0x1p-80);
}
END_TEST

START_TEST(test_where_it_does_not_apply) {
    const float not_finite[] = {1, INFINITY};
    const float narrow[] = {1, 2};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    evaluate(bound, FLOAT_F32, not_finite, 2, FLOAT_F32);
    ck_assert(mpfr_inf_p(bound));
    evaluate(bound, FLOAT_F32, narrow, 2, FLOAT_F64);
    ck_assert(mpfr_inf_p(bound));
    mpfr_clear(bound);
}
END_TEST

// rest -= the multiple of 2^unit nearest to rest, ties to even, which is added to sum. All at a precision that holds
// every bit.
static void cut_slice(mpfr_t sum, mpfr_t rest, int unit) {
    mpfr_t slice;
    mpfr_init2(slice, 2400);
    mpfr_mul_2si(slice, rest, -unit, MPFR_RNDN);
    mpfr_rint(slice, slice, MPFR_RNDN);
    mpfr_mul_2si(slice, slice, unit, MPFR_RNDN);
    mpfr_sub(rest, rest, slice, MPFR_RNDN);
    mpfr_add(sum, sum, slice, MPFR_RNDN);
    mpfr_clear(slice);
}

// The definition of bounds.h, word by word.
static double binned_error_over_bound(enum float_type type, const double *x, const void *typed, size_t n) {
    const int width = type == FLOAT_F32 ? 13 : 40, least = type == FLOAT_F32 ? -149 : -1074;
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    int top = 2, exponent = 0;
    frexp(most, &exponent);
    while (most != 0 && exponent > width * top + least + width - 1)
        top++;
    mpfr_t sum, rest, result, bound;
    mpfr_inits2(2400, sum, rest, (mpfr_ptr)0);
    mpfr_inits2(53, result, bound, (mpfr_ptr)0);
    mpfr_set_zero(sum, 1);
    for (size_t i = 0; i < n; i++) {
        mpfr_set_d(rest, x[i], MPFR_RNDN);
        for (int row = top; row > top - 3; row--)
            cut_slice(sum, rest, width * row + least);
    }
    uint64_t bits = round_to_float(sum, type);
    mpfr_set_d(result, float_to_double(type, bits), MPFR_RNDN);
    struct exact_sum exact;
    exact_sum(&exact, type, typed, n);
    bound_binned_fold3(bound, &exact, type, &(struct bound_terms){.n = n});
    mpfr_sub(rest, exact.sum, result, MPFR_RNDN);
    mpfr_abs(rest, rest, MPFR_RNDN);
    double ratio = mpfr_zero_p(rest) ? 0 : mpfr_get_d(rest, MPFR_RNDU) / mpfr_get_d(bound, MPFR_RNDD);
    exact_sum_clear(&exact);
    mpfr_clears(sum, rest, result, bound, (mpfr_ptr)0);
    return ratio;
}

// Two terms that set the top row and cancel, and terms at and below half the last row's unit: in every other array all
// just below it, so that all is dropped where a power of two is the top row's unit.
static double worst_ratio(enum float_type type, int top_exponent, uint64_t *state) {
    const int width = type == FLOAT_F32 ? 13 : 40;
    double x[64];
    float narrow[64];
    size_t n = 3 + random_below(state, 60);
    bool dropped = n % 2 == 0;
    x[0] = ldexp(1 + (double)random_below(state, 2), top_exponent - (int)random_below(state, 2));
    x[1] = -x[0];
    for (size_t i = 2; i < n; i++) {
        double fraction = ldexp((double)(random_bits(state) >> 44), -20); // in [0, 1)
        double term = dropped ? 1 - fraction / 16 : ldexp(1 + fraction, -(int)random_below(state, 4));
        x[i] = ldexp(term, top_exponent - 2 * width) * (dropped || random_below(state, 8) ? 1 : -1);
        narrow[i] = (float)x[i];
        x[i] = type == FLOAT_F32 ? narrow[i] : x[i];
    }
    narrow[0] = (float)x[0];
    narrow[1] = (float)x[1];
    return binned_error_over_bound(type, x, type == FLOAT_F32 ? (const void *)narrow : x, n);
}

START_TEST(test_bound_holds_and_is_reached) {
    for (int type = FLOAT_F32; type <= FLOAT_F64; type++) {
        uint64_t state = test_seed;
        double worst = 0;
        for (int round = 0; round < 4000; round++) {
            double ratio = worst_ratio((enum float_type)type, round % 43 - 4, &state);
            ck_assert_msg(ratio <= 1, "round %d: error / bound = %g, seed %llu", round, ratio,
                          (unsigned long long)test_seed);
            worst = fmax(worst, ratio);
        }
        ck_assert_msg(worst > 0.8, "error / bound only reaches %g", worst);
    }
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("binned");
    tcase_add_test(tests, test_published_bound);
    tcase_add_test(tests, test_formula);
    tcase_add_test(tests, test_lowest_rows_drop_nothing);
    tcase_add_test(tests, test_where_it_does_not_apply);
    tcase_add_test(tests, test_bound_holds_and_is_reached);
    return run_case(tests);
}
