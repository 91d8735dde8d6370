// SPDX-License-Identifier: MIT
// Each bound on sums done by hand. The expected figures are the formulas of bounds.h evaluated in rational arithmetic.
#include "reference/bounds.h"
#include "reference/test_support.h"

#include <float.h>

typedef void bound_function(mpfr_t, const struct exact_sum *, enum float_type, const struct bound_terms *);

// The bound is the rational rounded up: not below it, and at most a relative 2^-50 above.
static void assert_rounded_up(const mpfr_t bound, const char *rational, const char *what) {
    mpq_t expected;
    mpq_init(expected);
    ck_assert_int_eq(mpq_set_str(expected, rational, 10), 0);
    mpfr_t lower;
    mpfr_init2(lower, 200);
    mpfr_mul_d(lower, bound, 1 - 0x1p-50, MPFR_RNDD);
    ck_assert_msg(mpfr_cmp_q(bound, expected) >= 0, "%s is below its formula", what);
    ck_assert_msg(mpfr_cmp_q(lower, expected) <= 0, "%s is above its formula", what);
    mpfr_clear(lower);
    mpq_clear(expected);
}

static void evaluate(mpfr_t bound, bound_function *function, enum float_type in, const void *x, size_t n,
                     enum float_type out, struct bound_terms terms) {
    struct exact_sum exact;
    exact_sum(&exact, in, x, n);
    function(bound, &exact, out, &terms);
    exact_sum_clear(&exact);
}

// 1 + 2 - 3 + 4: s = 4, A = 10, n = 4, by a tree of height 2.
START_TEST(test_formulas) {
    static const struct {
        const char *name;
        bound_function *function;
        enum float_type out;
        const char *expected;
    } cases[] = {
        {"any order", bound_any_order, FLOAT_F32, "15/8388608"},
        {"height", bound_height, FLOAT_F32, "10/8388607"},
        {"kahan", bound_kahan, FLOAT_F32, "201326717/140737488355328"},
        {"compensated", bound_compensated, FLOAT_F32, "70368802897927/295147799626244947968"},
        {"kahan merged", bound_kahan_merged, FLOAT_F32,
         "118842339989599204453690376417/83076720025998660390602778511147008"},
        {"double word", bound_double_word, FLOAT_F32, "4722370704995537387559/19807040628565662185811869696"},
        {"wide to f32", bound_wide, FLOAT_F32, "1801439867725415/7555786372591430664192"},
        {"wide to f64", bound_wide, FLOAT_F64, "2/900719925474099"},
    };
    float x[] = {1, 2, -3, 4};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bound_terms terms = {.n = 4, .height = 2, .serial_terms = 4};
        evaluate(bound, cases[i].function, FLOAT_F32, x, 4, cases[i].out, terms);
        assert_rounded_up(bound, cases[i].expected, cases[i].name);
    }
    mpfr_clear(bound);
}
END_TEST

START_TEST(test_any_order_is_the_cap_of_height) {
    float x[] = {1, 2, -3, 4};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    struct bound_terms sequential = {.n = 4, .height = 3};
    evaluate(bound, bound_height, FLOAT_F32, x, 4, FLOAT_F32, sequential); // 3u < γ_3
    assert_rounded_up(bound, "15/8388608", "height n - 1");
    struct bound_terms too_high = {.n = 4, .height = UINT64_C(1) << 24}; // γ does not apply
    evaluate(bound, bound_height, FLOAT_F32, x, 4, FLOAT_F32, too_high);
    assert_rounded_up(bound, "15/8388608", "height 2^24");
    struct bound_terms none = {.n = 0};
    evaluate(bound, bound_any_order, FLOAT_F32, x, 0, FLOAT_F32, none);
    ck_assert(mpfr_zero_p(bound));
    struct bound_terms one = {.n = 1};
    evaluate(bound, bound_any_order, FLOAT_F32, x, 1, FLOAT_F32, one);
    ck_assert(mpfr_zero_p(bound));
    mpfr_clear(bound);
}
END_TEST

START_TEST(test_single_terms_are_exact) {
    static bound_function *const functions[] = {bound_any_order,    bound_height,      bound_kahan, bound_compensated,
                                                bound_kahan_merged, bound_double_word, bound_wide};
    float x[] = {3};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        struct bound_terms terms = {.n = 1, .height = 0, .serial_terms = 1};
        evaluate(bound, functions[i], FLOAT_F32, x, 1, functions[i] == bound_wide ? FLOAT_F64 : FLOAT_F32, terms);
        ck_assert_msg(mpfr_zero_p(bound), "bound %zu", i);
    }
    mpfr_clear(bound);
}
END_TEST

START_TEST(test_where_bounds_do_not_apply) {
    float x[] = {1, 2};
    double wide[] = {1, 2};
    float nan[] = {1, NAN};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    struct bound_terms high = {.n = 2, .height = UINT64_C(1) << 23, .serial_terms = 2};
    evaluate(bound, bound_compensated, FLOAT_F32, x, 2, FLOAT_F32, high); // 2h·u = 1
    ck_assert(mpfr_inf_p(bound));
    evaluate(bound, bound_kahan_merged, FLOAT_F32, x, 2, FLOAT_F32, high);
    ck_assert(mpfr_inf_p(bound));
    high.height--;
    evaluate(bound, bound_compensated, FLOAT_F32, x, 2, FLOAT_F32, high);
    ck_assert(mpfr_number_p(bound));
    struct bound_terms many = {.n = (UINT64_C(1) << 42) + 1, .height = 1, .serial_terms = (UINT64_C(1) << 42) + 1};
    evaluate(bound, bound_kahan, FLOAT_F32, x, 2, FLOAT_F32, many);
    ck_assert(mpfr_inf_p(bound));
    evaluate(bound, bound_kahan_merged, FLOAT_F32, x, 2, FLOAT_F32, many);
    ck_assert(mpfr_inf_p(bound));
    many.n--;
    evaluate(bound, bound_kahan, FLOAT_F32, x, 2, FLOAT_F32, many);
    ck_assert(mpfr_number_p(bound));
    static bound_function *const functions[] = {
        bound_any_order,    bound_height,      bound_kahan,    bound_compensated,
        bound_kahan_merged, bound_double_word, bound_faithful, bound_correctly_rounded,
        bound_wide};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        struct bound_terms two = {.n = 2, .height = 1, .serial_terms = 2};
        evaluate(bound, functions[i], FLOAT_F32, nan, 2, FLOAT_F32, two);
        ck_assert(mpfr_inf_p(bound));
        bool by_rounding = functions[i] == bound_faithful || functions[i] == bound_correctly_rounded;
        if (!by_rounding && functions[i] != bound_wide) { // f64 terms are no f32 numbers
            evaluate(bound, functions[i], FLOAT_F64, wide, 2, FLOAT_F32, two);
            ck_assert(mpfr_inf_p(bound));
        }
    }
    mpfr_clear(bound);
}
END_TEST

static void assert_roundings(enum float_type in, const void *x, size_t n, double nearest, double farther) {
    struct bound_terms terms = {.n = n};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    evaluate(bound, bound_correctly_rounded, in, x, n, FLOAT_F32, terms);
    ck_assert_double_eq(mpfr_get_d(bound, MPFR_RNDN), nearest);
    evaluate(bound, bound_faithful, in, x, n, FLOAT_F32, terms);
    ck_assert_double_eq(mpfr_get_d(bound, MPFR_RNDN), farther);
    mpfr_clear(bound);
}

START_TEST(test_distances_to_neighbours) {
    float above[] = {1, 0x1p-25f};
    assert_roundings(FLOAT_F32, above, 2, 0x1p-25, 3 * 0x1p-25);
    float below[] = {-1, 0x1p-26f};
    assert_roundings(FLOAT_F32, below, 2, 0x1p-26, 3 * 0x1p-26); // the spacing below 1 is 2^-24
    float exact[] = {1, 2, -3};
    assert_roundings(FLOAT_F32, exact, 3, 0, 0);
    double tiny[] = {0x1p-151};
    assert_roundings(FLOAT_F64, tiny, 1, 0x1p-151, 3 * 0x1p-151);
    float overflow[] = {FLT_MAX, 0x1p102f}; // stays FLT_MAX
    assert_roundings(FLOAT_F32, overflow, 2, 0x1p102, 3 * 0x1p102);
    float infinite[] = {FLT_MAX, 0x1p103f, 0x1p102f}; // becomes infinity, which stands at 2^128
    assert_roundings(FLOAT_F32, infinite, 3, 0x1p102, 3 * 0x1p102);
}
END_TEST

// Distances that 53 bits cannot hold are rounded up.
START_TEST(test_distances_are_rounded_up) {
    double x[] = {0x1p-30, 0x1p-200, 1};
    struct bound_terms terms = {.n = 3};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    evaluate(bound, bound_correctly_rounded, FLOAT_F64, x, 3, FLOAT_F32, terms);
    ck_assert_double_eq(mpfr_get_d(bound, MPFR_RNDN), 0x1.0000000000001p-30);
    mpfr_clear(bound);
}
END_TEST

// f64 data whose sum is subnormal in f32: the last rounding may lose half of f32's least number.
START_TEST(test_wide_to_subnormal) {
    double x[] = {0x1p-150, 0x1p-300};
    struct bound_terms terms = {.n = 2, .height = 1};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    evaluate(bound, bound_wide, FLOAT_F64, x, 2, FLOAT_F32, terms);
    ck_assert(mpfr_cmp_ui_2exp(bound, 1, -150) > 0 && mpfr_cmp_d(bound, 0x1.0000000000004p-150) < 0);
    float multiples[] = {0x1p-149f, 0x1p-148f}; // f32 data: the same place, but exact
    evaluate(bound, bound_wide, FLOAT_F32, multiples, 2, FLOAT_F32, terms);
    ck_assert(mpfr_cmp_ui_2exp(bound, 1, -160) < 0);
    mpfr_clear(bound);
}
END_TEST

START_TEST(test_atomic_flushes) {
    struct bound_terms terms = {.n = 4, .height = 2, .atomics = 3};
    mpfr_t bound;
    mpfr_init2(bound, 53);
    mpfr_set_zero(bound, 1);
    bound_add_atomic_flushes(bound, FLOAT_F32, &terms);
    assert_rounded_up(bound, "3/85070581589029814040008439884316409856", "flushes");
    mpfr_set_ui(bound, 5, MPFR_RNDN);
    bound_add_atomic_flushes(bound, FLOAT_F64, &terms);
    ck_assert(mpfr_cmp_ui(bound, 5) == 0);
    bound_add_atomic_flushes(bound, FLOAT_F32, &terms);
    ck_assert(mpfr_cmp_ui(bound, 5) > 0); // rounded up
    terms.height = UINT64_C(1) << 30;     // γ does not apply, (n-1)·u does
    mpfr_set_zero(bound, 1);
    bound_add_atomic_flushes(bound, FLOAT_F32, &terms);
    ck_assert(mpfr_cmp_ui_2exp(bound, 4, -126) < 0 && mpfr_cmp_ui_2exp(bound, 3, -126) > 0);
    mpfr_clear(bound);
}
END_TEST

static bool overflows(enum float_type in, const void *x, size_t n, enum float_type out, uint64_t height) {
    struct bound_terms terms = {.n = n, .height = height};
    struct exact_sum exact;
    exact_sum(&exact, in, x, n);
    bool reaches = may_overflow(&exact, out, &terms);
    exact_sum_clear(&exact);
    return reaches;
}

START_TEST(test_may_overflow) {
    float x[] = {FLT_MAX, 0x1p103f, -FLT_MAX};
    ck_assert(!overflows(FLOAT_F32, x, 1, FLOAT_F32, 0));
    ck_assert(overflows(FLOAT_F32, x, 2, FLOAT_F32, 1));
    double below[] = {FLT_MAX, 0x1.fffffffffffffp102}; // A just below Ω, and h = 0
    ck_assert(!overflows(FLOAT_F64, below, 2, FLOAT_F32, 0));
    double at[] = {FLT_MAX, 0x1p103}; // A = Ω
    ck_assert(overflows(FLOAT_F64, at, 2, FLOAT_F32, 0));
    ck_assert(!overflows(FLOAT_F32, x, 3, FLOAT_F64, 2));
    float half[] = {FLT_MAX / 2, FLT_MAX / 2.5f};
    ck_assert(!overflows(FLOAT_F32, half, 2, FLOAT_F32, 1));
    float cancels[] = {FLT_MAX, -FLT_MAX}; // some order may overflow: |x| is what counts
    ck_assert(overflows(FLOAT_F32, cancels, 2, FLOAT_F32, 1));
    float infinite[] = {INFINITY};
    ck_assert(overflows(FLOAT_F32, infinite, 1, FLOAT_F32, 0));
}
END_TEST

// Only what is finite and of the other sign may overflow against an infinity.
START_TEST(test_may_overflow_against_infinity) {
    static const struct {
        float x[3];
        bool may;
    } cases[] = {{{INFINITY, -FLT_MAX, -0x1p103f}, true},
                 {{INFINITY, -FLT_MAX, -1}, true}, // by rounding: FLT_MAX (1 + 2u)
                 {{INFINITY, -FLT_MAX / 2, -FLT_MAX / 2.5f}, false},
                 {{-INFINITY, FLT_MAX, FLT_MAX}, true},
                 {{INFINITY, FLT_MAX, FLT_MAX}, false},
                 {{INFINITY, -INFINITY, -FLT_MAX}, false},
                 {{FLT_MAX, FLT_MAX, -FLT_MAX}, false}};
    const struct bound_terms terms = {.n = 3, .height = 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct exact_sum exact;
        exact_sum(&exact, FLOAT_F32, cases[i].x, 3);
        ck_assert_msg(may_overflow_against_infinity(&exact, FLOAT_F32, &terms) == cases[i].may, "case %zu", i);
        ck_assert(!may_overflow_against_infinity(&exact, FLOAT_F64, &terms));
        exact_sum_clear(&exact);
    }
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("bounds");
    tcase_add_test(tests, test_formulas);
    tcase_add_test(tests, test_any_order_is_the_cap_of_height);
    tcase_add_test(tests, test_single_terms_are_exact);
    tcase_add_test(tests, test_where_bounds_do_not_apply);
    tcase_add_test(tests, test_distances_to_neighbours);
    tcase_add_test(tests, test_distances_are_rounded_up);
    tcase_add_test(tests, test_wide_to_subnormal);
    tcase_add_test(tests, test_atomic_flushes);
    tcase_add_test(tests, test_may_overflow);
    tcase_add_test(tests, test_may_overflow_against_infinity);
    return run_case(tests);
}
