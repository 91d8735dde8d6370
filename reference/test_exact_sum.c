// SPDX-License-Identifier: MIT
// The exact sum against answers worked out by hand: specials, zeros, traps, long counts, text and what is known of the
// data.
#include "reference/test_support.h"

#include <float.h>
#include <limits.h>
#include <signal.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

static uint64_t rounded(enum float_type in, const void *x, size_t n, enum float_type out) {
    struct exact_sum sum;
    exact_sum(&sum, in, x, n);
    uint64_t bits = exact_sum_round(&sum, out);
    exact_sum_clear(&sum);
    return bits;
}

static uint64_t sum_f32(const float *x, size_t n) {
    return rounded(FLOAT_F32, x, n, FLOAT_F32);
}

START_TEST(test_zeros) {
    float plus[] = {0, 0};
    float mixed[] = {-0.0f, 0, -0.0f};
    float minus[] = {-0.0f, -0.0f, -0.0f};
    float cancelled[] = {-1, 1};
    float cancelled_minus[] = {-0.0f, -1, 1};
    assert_bits(FLOAT_F32, sum_f32(plus, 0), 0);
    assert_bits(FLOAT_F32, sum_f32(plus, 2), 0);
    assert_bits(FLOAT_F32, sum_f32(mixed, 3), 0);
    assert_bits(FLOAT_F32, sum_f32(minus, 3), 0x80000000);
    assert_bits(FLOAT_F64, rounded(FLOAT_F32, minus, 1, FLOAT_F64), 0x8000000000000000);
    assert_bits(FLOAT_F32, sum_f32(cancelled, 2), 0);
    assert_bits(FLOAT_F32, sum_f32(cancelled_minus, 3), 0);
}
END_TEST

START_TEST(test_specials) {
    float x[] = {1, INFINITY, 2, -INFINITY, NAN};
    assert_bits(FLOAT_F32, sum_f32(x, 3), bits_f32(INFINITY));
    assert_bits(FLOAT_F32, sum_f32(x + 2, 2), bits_f32(-INFINITY));
    assert_bits(FLOAT_F32, sum_f32(x, 4), bits_f32(NAN));
    assert_bits(FLOAT_F32, sum_f32(x, 5), bits_f32(NAN));
    assert_bits(FLOAT_F64, rounded(FLOAT_F32, x, 2, FLOAT_F64), bits_f64(INFINITY));
    struct exact_sum sum;
    exact_sum(&sum, FLOAT_F32, x, 4);
    ck_assert_int_eq(sum.class_, SUM_NAN);
    ck_assert_uint_eq(sum.nonzero, 2);
    ck_assert(mpfr_zero_p(sum.sum) && mpfr_cmp_ui(sum.abs_sum, 3) == 0 && sum.trailing_exponent == 0);
    ck_assert(isnan(exact_sum_condition(&sum)) && !exact_sum_never_rounds(&sum, FLOAT_F32));
    ck_assert(!sum.has_nan); // both infinities make the sum NaN, and that of |x| infinite
    exact_sum_clear(&sum);
    exact_sum(&sum, FLOAT_F32, x, 5);
    ck_assert(sum.has_nan);
    exact_sum_clear(&sum);
}
END_TEST

// Finite elements that stand against an infinity of the array.
static const struct {
    float x[4];
    unsigned long opposing_sum;
} opposed[] = {{{-3, INFINITY, 2, -4}, 7},         {{-INFINITY, 5, -1, 1}, 6},  {{INFINITY, 1, 2, 3}, 0},
               {{INFINITY, -1, -2, -INFINITY}, 0}, {{NAN, INFINITY, -1, 2}, 0}, {{-1, -2, 3, 4}, 0}};

START_TEST(test_what_opposes_an_infinity) {
    struct exact_sum sum;
    exact_sum(&sum, FLOAT_F32, opposed[_i].x, 4);
    ck_assert(mpfr_cmp_ui(sum.opposing_sum, opposed[_i].opposing_sum) == 0);
    exact_sum_clear(&sum);
}
END_TEST

START_TEST(test_rounded_once) {
    float kahan[] = {-3, -16777216, 5.484375f, -16777218, -4};
    assert_bits(FLOAT_F32, sum_f32(kahan, 5), bits_f32(-33554436));
    // f64 data to f32: 1 + 2^-24 + 2^-80 must not become the tie 1 + 2^-24.
    double above[] = {1, 0x1p-24, 0x1p-80};
    assert_bits(FLOAT_F32, rounded(FLOAT_F64, above, 3, FLOAT_F32), 0x3f800001);
    assert_bits(FLOAT_F32, rounded(FLOAT_F64, above, 2, FLOAT_F32), 0x3f800000);
    double tiny[] = {0x1p-150, 0x1p-300};
    assert_bits(FLOAT_F32, rounded(FLOAT_F64, tiny, 2, FLOAT_F32), 1);
    assert_bits(FLOAT_F32, rounded(FLOAT_F64, tiny, 1, FLOAT_F32), 0);
    double below[] = {-0x1.8p-149, 0x1p-260};
    assert_bits(FLOAT_F32, rounded(FLOAT_F64, below, 2, FLOAT_F32), 0x80000001);
    double overflow[] = {FLT_MAX, 0x1p103, -0x1p-300};
    assert_bits(FLOAT_F32, rounded(FLOAT_F64, overflow, 2, FLOAT_F32), bits_f32(INFINITY));
    assert_bits(FLOAT_F32, rounded(FLOAT_F64, overflow, 3, FLOAT_F32), bits_f32(FLT_MAX));
    float to_f64[] = {1, 0x1p-30f, 0x1p-53f, 0x1p-100f};
    assert_bits(FLOAT_F64, rounded(FLOAT_F32, to_f64, 4, FLOAT_F64), bits_f64(1 + 0x1p-30 + 0x1p-52));
}
END_TEST

// Intermediate overflow is none, and the largest numbers cancel down to the smallest.
START_TEST(test_no_early_overflow) {
    double x[] = {DBL_MAX, DBL_MAX, DBL_MAX, 0x1p-1074, -DBL_MAX, -DBL_MAX, -DBL_MAX};
    assert_bits(FLOAT_F64, rounded(FLOAT_F64, x, 7, FLOAT_F64), 1);
    assert_bits(FLOAT_F64, rounded(FLOAT_F64, x, 6, FLOAT_F64), bits_f64(DBL_MAX));
    assert_bits(FLOAT_F64, rounded(FLOAT_F64, x, 2, FLOAT_F64), bits_f64(INFINITY));
    assert_bits(FLOAT_F64, rounded(FLOAT_F64, x + 4, 2, FLOAT_F64), bits_f64(-INFINITY));
}
END_TEST

// Negative results whose mantissas are all ones: a published superaccumulator rounded these wrongly until 2024.
START_TEST(test_negative_all_ones) {
    for (int exponent = -1000; exponent <= 900; exponent += 25) {
        double ones = ldexp(-(0x1p53 - 1), exponent);
        double half = ldexp(0.5, exponent);
        double up[] = {ones, -half};
        double down[] = {ones, -half, ldexp(half, -3)};
        double inside[] = {ones, half, -ldexp(half, -3)};
        assert_bits(FLOAT_F64, rounded(FLOAT_F64, up, 2, FLOAT_F64), bits_f64(ldexp(-1, exponent + 53)));
        assert_bits(FLOAT_F64, rounded(FLOAT_F64, down, 3, FLOAT_F64), bits_f64(ones));
        assert_bits(FLOAT_F64, rounded(FLOAT_F64, inside, 3, FLOAT_F64), bits_f64(ones));
    }
}
END_TEST

static uint64_t rounded_bins(const struct exact_bins *bins, enum float_type out) {
    struct exact_sum sum;
    exact_sum_of_bins(&sum, bins);
    uint64_t bits = exact_sum_round(&sum, out);
    exact_sum_clear(&sum);
    return bits;
}

// 2^40 - 1 copies of the largest number and one of its negative, in every format: counts that no array reaches.
START_TEST(test_long_counts) {
    const uint64_t most = UINT64_C(1) << 40;
    struct exact_bins *bins = exact_bins_new(FLOAT_F64);
    exact_bins_add_repeated(bins, bits_f64(0x1.fffffffffffffp0), most);
    // (2 - 2^-52)·2^40
    assert_bits(FLOAT_F64, rounded_bins(bins, FLOAT_F64), bits_f64(0x1.fffffffffffffp40));
    assert_bits(FLOAT_F32, rounded_bins(bins, FLOAT_F32), bits_f32(0x1p41f));
    exact_bins_free(bins);

    bins = exact_bins_new(FLOAT_F32);
    exact_bins_add_repeated(bins, bits_f32(-FLT_MAX), most - 2);
    assert_bits(FLOAT_F32, rounded_bins(bins, FLOAT_F32), bits_f32(-INFINITY));
    // -(2^24 - 1)·2^104·(2^40 - 2) = -(2^64 - 2^25 - 2^40 + 2)·2^104, to 53 bits: the 2 falls below the last bit, 2^11.
    assert_bits(FLOAT_F64, rounded_bins(bins, FLOAT_F64), bits_f64(-ldexp(0x1p64 - 0x1p40 - 0x1p25, 104)));
    float rest[] = {FLT_MAX, 1};
    exact_bins_add(bins, rest, 2);
    struct exact_sum sum;
    exact_sum_of_bins(&sum, bins);
    ck_assert_uint_eq(sum.n, most);
    ck_assert_uint_eq(sum.nonzero, most);
    ck_assert_int_eq(sum.trailing_exponent, 0);
    exact_sum_clear(&sum);
    exact_bins_free(bins);
}
END_TEST

// 2^40 terms that cancel but for the least number.
START_TEST(test_long_cancellation) {
    const uint64_t half = (UINT64_C(1) << 39) - 1;
    struct exact_bins *bins = exact_bins_new(FLOAT_F64);
    exact_bins_add_repeated(bins, bits_f64(DBL_MAX), half);
    exact_bins_add_repeated(bins, bits_f64(-DBL_MAX), half);
    exact_bins_add_repeated(bins, 1, 1);
    assert_bits(FLOAT_F64, rounded_bins(bins, FLOAT_F64), 1);
    struct exact_sum sum;
    exact_sum_of_bins(&sum, bins);
    ck_assert_uint_eq(sum.nonzero, 2 * half + 1);
    ck_assert_int_eq(sum.trailing_exponent, -1074);
    ck_assert(sum.has_subnormal);
    exact_sum_clear(&sum);
    exact_bins_free(bins);
}
END_TEST

START_TEST(test_too_many_elements_abort) {
    struct exact_bins *bins = exact_bins_new(FLOAT_F32);
    exact_bins_add_repeated(bins, 0, UINT64_C(1) << 40);
    exact_bins_add_repeated(bins, 0, 1);
}
END_TEST

// Hot bins that spill: 5·2^20 + 5 copies of an f32 whose mantissa fills them fastest, more than four sets hold.
START_TEST(test_hot_bins_spill) {
    const size_t n = 5 * ((size_t)1 << 20) + 5;
    float *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < n; i++) {
        x[i] = 0x1.fffffep0f;
    }
    // (2^24 - 1)·2^-23·n
    assert_bits(FLOAT_F64, rounded(FLOAT_F32, x, n, FLOAT_F64), bits_f64(((0x1p24 - 1) * (double)n) * 0x1p-23));
    free(x);
}
END_TEST

struct facts {
    int trailing_exponent;
    uint64_t nonzero;
    bool has_subnormal;
    bool never_rounds;
};

static void assert_facts(const float *x, size_t n, struct facts expected) {
    struct exact_sum sum;
    exact_sum(&sum, FLOAT_F32, x, n);
    ck_assert_int_eq(sum.trailing_exponent, expected.trailing_exponent);
    ck_assert_uint_eq(sum.nonzero, expected.nonzero);
    ck_assert(sum.has_subnormal == expected.has_subnormal);
    ck_assert(exact_sum_never_rounds(&sum, FLOAT_F32) == expected.never_rounds);
    exact_sum_clear(&sum);
}

START_TEST(test_facts) {
    assert_facts(NULL, 0, (struct facts){INT_MAX, 0, false, true});
    float zeros[] = {0, -0.0f};
    assert_facts(zeros, 2, (struct facts){INT_MAX, 0, false, true});
    float integers[] = {0, 16777213, 3};
    assert_facts(integers, 3, (struct facts){0, 2, false, true}); // 2^24 is reached, and is exact
    float beyond[] = {16777213, 3, 1};
    assert_facts(beyond, 3, (struct facts){0, 3, false, false});
    float even[] = {16777214, -16777212, 4};
    assert_facts(even, 3, (struct facts){1, 3, false, true});
    float subnormals[] = {0x1p-149f, -0x1p-126f, 0x1p-127f};
    assert_facts(subnormals, 3, (struct facts){-149, 3, true, true});
    float large[] = {FLT_MAX, FLT_MAX}; // exact multiples, but their sum overflows
    assert_facts(large, 2, (struct facts){104, 2, false, false});
    float infinite[] = {INFINITY, 6};
    assert_facts(infinite, 2, (struct facts){1, 1, false, false});
}
END_TEST

// A sum that fits f64's range of multiples need not fit f32's.
START_TEST(test_never_rounds_in_the_other_format) {
    double x[] = {0x1p-150, 0x1p-150};
    struct exact_sum sum;
    exact_sum(&sum, FLOAT_F64, x, 2);
    ck_assert(exact_sum_never_rounds(&sum, FLOAT_F64) && !exact_sum_never_rounds(&sum, FLOAT_F32));
    exact_sum_clear(&sum);
}
END_TEST

// Long arrays take another path than short ones: the facts must be those that a scan finds.
START_TEST(test_facts_of_long_arrays) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed;
    enum { N = 3000 };
    float x[N];
    for (int trial = 0; trial < 2000; trial++) {
        uint64_t lowest = random_below(&state, 3) == 0 ? 0 : random_below(&state, 240);
        uint64_t highest = lowest + random_below(&state, 255 - lowest);
        int cut = (int)random_below(&state, 24);
        size_t n = (size_t)random_below(&state, N);
        struct facts expected = {INT_MAX, 0, false, false};
        for (size_t i = 0; i < n; i++) {
            uint64_t bits = random_float(FLOAT_F32, &state, lowest, highest) >> cut << cut;
            float_store(FLOAT_F32, x, i, random_below(&state, 8) == 0 ? 0 : bits);
            if (x[i] != 0) {
                int exponent;
                float fraction = frexpf(x[i], &exponent); // x = fraction·2^exponent
                int q = exponent - 24 + __builtin_ctz((unsigned)fabsf(fraction * 0x1p24f));
                expected.trailing_exponent = q < expected.trailing_exponent ? q : expected.trailing_exponent;
                expected.nonzero++;
                expected.has_subnormal |= fabsf(x[i]) < FLT_MIN;
            }
        }
        struct exact_sum sum;
        exact_sum(&sum, FLOAT_F32, x, n);
        ck_assert_int_eq(sum.trailing_exponent, expected.trailing_exponent);
        ck_assert_uint_eq(sum.nonzero, expected.nonzero);
        ck_assert(sum.has_subnormal == expected.has_subnormal);
        exact_sum_clear(&sum);
    }
}
END_TEST

#ifdef __SSE2__
// A process that flushes subnormals (some libraries switch it on while they load) changes nothing.
START_TEST(test_flushing_process) {
    enum { N = 1024 };
    static float x[N];
    for (int i = 0; i < N; i++) {
        x[i] = 0x1p-126f;
    }
    x[N - 1] = 0x1p-140f;
    unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040); // flush results, take subnormal operands as zero
    struct exact_sum sum;
    exact_sum(&sum, FLOAT_F32, x, N);
    bool never_rounds = exact_sum_never_rounds(&sum, FLOAT_F32);
    uint64_t bits = exact_sum_round(&sum, FLOAT_F32);
    _mm_setcsr(saved);
    assert_bits(FLOAT_F32, bits, bits_f32(1023 * 0x1p-126f + 0x1p-140f));
    ck_assert_int_eq(sum.trailing_exponent, -140);
    ck_assert_uint_eq(sum.nonzero, N);
    ck_assert(never_rounds && sum.has_subnormal);
    exact_sum_clear(&sum);
}
END_TEST
#endif

START_TEST(test_condition) {
    double x[] = {3, -2, 0, -1};
    struct exact_sum sum;
    exact_sum(&sum, FLOAT_F64, x, 3);
    ck_assert_double_eq(exact_sum_condition(&sum), 5);
    exact_sum_clear(&sum);
    exact_sum(&sum, FLOAT_F64, x, 4);
    ck_assert(exact_sum_condition(&sum) == INFINITY);
    exact_sum_clear(&sum);
    exact_sum(&sum, FLOAT_F64, x, 0);
    ck_assert_double_eq(exact_sum_condition(&sum), 1);
    exact_sum_clear(&sum);
    double huge[] = {DBL_MAX, -DBL_MAX, -0x1p-1074};
    exact_sum(&sum, FLOAT_F64, huge, 3);
    ck_assert_double_eq(exact_sum_condition(&sum), DBL_MAX); // finite, however large
    exact_sum_clear(&sum);
}
END_TEST

static void assert_texts(const double *x, size_t n, const char *decimal, const char *hex) {
    struct exact_sum sum;
    exact_sum(&sum, FLOAT_F64, x, n);
    char *text = exact_sum_decimal(&sum);
    ck_assert_str_eq(text, decimal);
    free(text);
    text = exact_sum_hex(&sum);
    ck_assert_str_eq(text, hex);
    free(text);
    exact_sum_clear(&sum);
}

START_TEST(test_texts) {
    double small[] = {-33554435, -0.515625};
    assert_texts(small, 2, "-33554435.515625", "-0x1.000001c2p+25");
    double wide[] = {1, 0x1p-70};
    assert_texts(wide, 2, "1.000000000000000000000847032947254300339", "0x1.000000000000000004p+0");
    double zero[] = {1, -1};
    assert_texts(zero, 2, "0", "0x0p+0");
    assert_texts(zero, 0, "0", "0x0p+0");
    double minus_zero[] = {-0.0, -0.0, 0};
    assert_texts(minus_zero, 2, "-0", "-0x0p+0");
    assert_texts(minus_zero, 3, "0", "0x0p+0");
    double least[] = {0x1p-1074};
    assert_texts(least, 1, "4.940656458412465441765687928682213723651e-324", "0x1p-1074");
    double beyond[] = {DBL_MAX, DBL_MAX};
    assert_texts(beyond, 2, "3.595386269724631416290548474634087135961e+308", "0x1.fffffffffffffp+1024");
    double infinite[] = {-INFINITY, INFINITY};
    assert_texts(infinite, 1, "-inf", "-inf");
    assert_texts(infinite + 1, 1, "inf", "inf");
    assert_texts(infinite, 2, "nan", "nan");
}
END_TEST

// A caller's narrow exponent range neither rounds the sum nor is lost.
START_TEST(test_exponent_range_is_restored) {
    mpfr_exp_t emin = mpfr_get_emin();
    mpfr_exp_t emax = mpfr_get_emax();
    ck_assert(mpfr_set_emin(-5) == 0 && mpfr_set_emax(5) == 0);
    double x[] = {0x1p1000, 0x1p-1000, -0x1p1000};
    assert_bits(FLOAT_F64, rounded(FLOAT_F64, x, 3, FLOAT_F64), bits_f64(0x1p-1000));
    ck_assert(mpfr_get_emin() == -5 && mpfr_get_emax() == 5);
    ck_assert(mpfr_set_emin(emin) == 0 && mpfr_set_emax(emax) == 0);
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("exact_sum");
    tcase_add_test(tests, test_zeros);
    tcase_add_test(tests, test_specials);
    tcase_add_loop_test(tests, test_what_opposes_an_infinity, 0, sizeof opposed / sizeof *opposed);
    tcase_add_test(tests, test_rounded_once);
    tcase_add_test(tests, test_no_early_overflow);
    tcase_add_test(tests, test_negative_all_ones);
    tcase_add_test(tests, test_long_counts);
    tcase_add_test(tests, test_long_cancellation);
    tcase_add_test_raise_signal(tests, test_too_many_elements_abort, SIGABRT);
    tcase_add_test(tests, test_hot_bins_spill);
    tcase_add_test(tests, test_facts);
    tcase_add_test(tests, test_never_rounds_in_the_other_format);
    tcase_add_test(tests, test_facts_of_long_arrays);
#ifdef __SSE2__
    tcase_add_test(tests, test_flushing_process);
#endif
    tcase_add_test(tests, test_condition);
    tcase_add_test(tests, test_texts);
    tcase_add_test(tests, test_exponent_range_is_restored);
    return run_case(tests);
}
