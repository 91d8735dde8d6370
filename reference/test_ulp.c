// SPDX-License-Identifier: MIT
#include "reference/test_support.h"
#include "reference/ulp.h"

#include <float.h>

START_TEST(test_ulp_of) {
    static const struct {
        float value;
        double ulp;
    } f32[] = {
        {1.0f, 0x1p-23},
        {0x1.fffffep0f, 0x1p-23},
        {2.0f, 0x1p-22},
        {0x1.fffffep-1f, 0x1p-24},
        {-2.0f, 0x1p-22},
        {0.0f, 0x1p-149},
        {-0.0f, 0x1p-149},
        {0x1p-149f, 0x1p-149},
        {0x1p-126f, 0x1p-149},
        {0x1p-125f, 0x1p-148},
        {FLT_MAX, 0x1p104},
        {INFINITY, 0x1p104},
        {0x1.fffffcp-127f, 0x1p-149},
        {-INFINITY, 0x1p104},
    };
    for (size_t i = 0; i < sizeof f32 / sizeof f32[0]; i++) {
        ck_assert_double_eq(ulp_of(FLOAT_F32, bits_f32(f32[i].value)), f32[i].ulp);
    }
    ck_assert_double_eq(ulp_of(FLOAT_F64, bits_f64(1)), 0x1p-52);
    ck_assert_double_eq(ulp_of(FLOAT_F64, bits_f64(0x1.fffffffffffffp-1)), 0x1p-53);
    ck_assert_double_eq(ulp_of(FLOAT_F64, bits_f64(0)), 0x1p-1074);
    ck_assert_double_eq(ulp_of(FLOAT_F64, bits_f64(DBL_MAX)), 0x1p971);
    ck_assert_double_eq(ulp_of(FLOAT_F64, bits_f64(-INFINITY)), 0x1p971);
    ck_assert(isnan(ulp_of(FLOAT_F32, bits_f32(NAN))));
}
END_TEST

static double error_f32(const float *x, size_t n, float result) {
    struct exact_sum exact;
    exact_sum(&exact, FLOAT_F32, x, n);
    double error = ulp_error(&exact, FLOAT_F32, bits_f32(result));
    exact_sum_clear(&exact);
    return error;
}

START_TEST(test_ulp_error) {
    // 1 + 2^-24: rounds to 1, whose ulp is 2^-23.
    float tie[] = {1, 0x1p-24f};
    ck_assert_double_eq(error_f32(tie, 2, 1), -0.5);
    ck_assert_double_eq(error_f32(tie, 2, 0x1.000002p0f), 0.5);
    ck_assert_double_eq(error_f32(tie, 2, 2), 0x1p23 - 0.5);
    // Below a binade edge: 1 - 2^-26 rounds to 1, and is counted in the ulps of 1.
    float edge[] = {1, -0x1p-26f};
    ck_assert_double_eq(error_f32(edge, 2, 1), 0.125);
    ck_assert_double_eq(error_f32(edge, 2, 0x1.fffffep-1f), -0.375);
    // Exact zero: the unit is the least subnormal number.
    float zero[] = {1, -1};
    ck_assert_double_eq(error_f32(zero, 2, 0), 0);
    ck_assert_double_eq(error_f32(zero, 2, -0.0f), 0);
    ck_assert_double_eq(error_f32(zero, 2, -0x1p-148f), -2);
    ck_assert_double_eq(error_f32(zero, 2, 1), 0x1p149);
    float subnormal[] = {0x1p-149f, 0x1p-149f};
    ck_assert_double_eq(error_f32(subnormal, 2, 0), -2);
    ck_assert_double_eq(error_f32(subnormal, 2, 0x1p-126f), 0x1p23 - 2);
    float negative[] = {-3, -16777216, 5.484375f, -16777218, -4};
    ck_assert_double_eq(error_f32(negative, 5, -33554440), (33554435.515625 - 33554440) / 4);
}
END_TEST

START_TEST(test_ulp_error_of_specials) {
    float finite[] = {1};
    ck_assert(error_f32(finite, 1, INFINITY) == INFINITY && error_f32(finite, 1, -INFINITY) == -INFINITY);
    ck_assert(isnan(error_f32(finite, 1, NAN)));
    float infinite[] = {1, INFINITY};
    ck_assert(error_f32(infinite, 2, INFINITY) == 0 && error_f32(infinite, 2, -INFINITY) == -INFINITY);
    ck_assert(error_f32(infinite, 2, 3) == -INFINITY && isnan(error_f32(infinite, 2, NAN)));
    float minus[] = {-INFINITY};
    ck_assert(error_f32(minus, 1, -INFINITY) == 0 && error_f32(minus, 1, 3) == INFINITY);
    float nan[] = {INFINITY, -INFINITY};
    ck_assert(error_f32(nan, 2, NAN) == 0 && isnan(error_f32(nan, 2, INFINITY)));
    // A finite sum that rounds to infinity: infinity is right, and the largest number is half an ulp off.
    float overflow[] = {FLT_MAX, 0x1p103f};
    ck_assert(error_f32(overflow, 2, INFINITY) == 0);
    ck_assert_double_eq(error_f32(overflow, 2, FLT_MAX), -0.5);
}
END_TEST

START_TEST(test_ulp_error_across_the_range) {
    double x[] = {DBL_MAX, DBL_MAX, 0x1p-1074};
    struct exact_sum exact;
    exact_sum(&exact, FLOAT_F64, x, 3);
    // 2·(2^1024 - 2^971) + 2^-1074 against 0 in units of 2^971.
    ck_assert_double_eq(ulp_error(&exact, FLOAT_F64, 0), -(0x1p54 - 2));
    ck_assert(ulp_error(&exact, FLOAT_F64, bits_f64(INFINITY)) == 0);
    exact_sum_clear(&exact);
}
END_TEST

static int64_t steps_f32(float a, float b) {
    return ulp_steps(FLOAT_F32, bits_f32(a), bits_f32(b));
}

START_TEST(test_ulp_steps) {
    ck_assert_int_eq(steps_f32(1, 1), 0);
    ck_assert_int_eq(steps_f32(1, 0x1.000002p0f), 1);
    ck_assert_int_eq(steps_f32(1, 0x1.fffffep-1f), -1);
    ck_assert_int_eq(steps_f32(-0.0f, 0), 0);
    ck_assert_int_eq(steps_f32(-0x1p-149f, 0x1p-149f), 2);
    ck_assert_int_eq(steps_f32(0x1p-149f, -0.0f), -1);
    ck_assert_int_eq(steps_f32(FLT_MAX, INFINITY), 1);
    ck_assert_int_eq(steps_f32(-FLT_MAX, -INFINITY), -1);
    ck_assert_int_eq(steps_f32(1, 2), 1 << 23);
    ck_assert_int_eq(steps_f32(NAN, -NAN), 0);
    ck_assert_int_eq(steps_f32(NAN, 1), INT64_MAX);
    ck_assert_int_eq(steps_f32(1, NAN), INT64_MAX);
    uint64_t plus = bits_f64(INFINITY);
    uint64_t minus = bits_f64(-INFINITY);
    ck_assert_int_eq(ulp_steps(FLOAT_F64, minus, plus), INT64_MAX);
    ck_assert_int_eq(ulp_steps(FLOAT_F64, plus, minus), -INT64_MAX);
    ck_assert_int_eq(ulp_steps(FLOAT_F64, bits_f64(0), plus), 0x7ff0000000000000);
}
END_TEST

static bool faithful_f32(const float *x, size_t n, float result) {
    struct exact_sum exact;
    exact_sum(&exact, FLOAT_F32, x, n);
    bool faithful = is_faithful(&exact, FLOAT_F32, bits_f32(result));
    exact_sum_clear(&exact);
    return faithful;
}

START_TEST(test_faithful) {
    float above[] = {1, 0x1p-50f};
    ck_assert(faithful_f32(above, 2, 1) && faithful_f32(above, 2, 0x1.000002p0f));
    ck_assert(!faithful_f32(above, 2, 0x1.fffffep-1f) && !faithful_f32(above, 2, 0x1.000004p0f));
    ck_assert(!faithful_f32(above, 2, -1) && !faithful_f32(above, 2, NAN));
    float below[] = {-1, 0x1p-50f};
    ck_assert(faithful_f32(below, 2, -1) && faithful_f32(below, 2, -0x1.fffffep-1f));
    ck_assert(!faithful_f32(below, 2, -0x1.000002p0f));
    float exact[] = {1, 2};
    ck_assert(faithful_f32(exact, 2, 3));
    ck_assert(!faithful_f32(exact, 2, 0x1.800002p1f) && !faithful_f32(exact, 2, 0x1.7ffffep1f));
    float zero[] = {1, -1};
    ck_assert(faithful_f32(zero, 2, 0) && faithful_f32(zero, 2, -0.0f) && !faithful_f32(zero, 2, 0x1p-149f));
    float over[] = {FLT_MAX, 1};
    ck_assert(faithful_f32(over, 2, FLT_MAX) && faithful_f32(over, 2, INFINITY) && !faithful_f32(over, 2, -INFINITY));
    ck_assert(!faithful_f32(over, 2, 0x1.fffffcp127f));
    float infinite[] = {INFINITY, 1};
    ck_assert(faithful_f32(infinite, 2, INFINITY) && !faithful_f32(infinite, 2, FLT_MAX));
    float nan[] = {NAN};
    ck_assert(faithful_f32(nan, 1, -NAN) && !faithful_f32(nan, 1, 0));
}
END_TEST

// f64 data below f32's least number: its neighbours are a zero of either sign and that number.
START_TEST(test_faithful_below_the_least_number) {
    double x[] = {-0x1p-200};
    struct exact_sum exact;
    exact_sum(&exact, FLOAT_F64, x, 1);
    ck_assert(is_faithful(&exact, FLOAT_F32, bits_f32(-0.0f)) && is_faithful(&exact, FLOAT_F32, bits_f32(0)));
    ck_assert(is_faithful(&exact, FLOAT_F32, bits_f32(-0x1p-149f)));
    ck_assert(!is_faithful(&exact, FLOAT_F32, bits_f32(0x1p-149f)));
    exact_sum_clear(&exact);
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("ulp");
    tcase_add_test(tests, test_ulp_of);
    tcase_add_test(tests, test_ulp_error);
    tcase_add_test(tests, test_ulp_error_of_specials);
    tcase_add_test(tests, test_ulp_error_across_the_range);
    tcase_add_test(tests, test_ulp_steps);
    tcase_add_test(tests, test_faithful);
    tcase_add_test(tests, test_faithful_below_the_least_number);
    return run_case(tests);
}
