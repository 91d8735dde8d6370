// SPDX-License-Identifier: MIT
// The 16-bit formats: conversions of every pattern, texts, sums and distances, against MPFR at a precision of 11 or 8
// bits with the format's own exponent range.
#include "reference/float_16.h"
#include "reference/superaccumulator.h"
#include "reference/test_support.h"
#include "reference/ulp.h"

static const enum float_type both[] = {FLOAT_F16, FLOAT_BF16};
enum { PATTERNS = 1 << 16, BOTH = 2 };

// The value rounded by MPFR: p bits, exponents from the least subnormal number on, and gradual underflow.
static uint64_t round_by_mpfr(const mpfr_t value, enum float_type type) {
    const struct float_format *format = float_format(type);
    const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t rounded;
    mpfr_init2(rounded, format->precision);
    mpfr_set_emin(format->min_exponent - format->precision + 2); // MPFR's significands are in [1/2, 1)
    mpfr_set_emax(format->max_exponent + 1);
    int ternary = mpfr_set(rounded, value, MPFR_RNDN);
    ternary = mpfr_check_range(rounded, ternary, MPFR_RNDN);
    mpfr_subnormalize(rounded, ternary, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    uint64_t bits = mpfr_signbit(rounded) ? format->sign_bit : 0;
    if (mpfr_nan_p(rounded)) {
        bits = format->infinity + 1;
    } else if (mpfr_inf_p(rounded)) {
        bits |= format->infinity;
    } else if (!mpfr_zero_p(rounded)) {
        int exponent = (int)mpfr_get_exp(rounded) - 1, stored = format->precision - 1;
        int last = (exponent > format->min_exponent ? exponent : format->min_exponent) - stored;
        mpfr_abs(rounded, rounded, MPFR_RNDN);
        mpfr_mul_2si(rounded, rounded, -last, MPFR_RNDN);
        uint64_t significand = mpfr_get_uj(rounded, MPFR_RNDN);
        int field = significand >> stored ? last + stored + format->max_exponent : 0;
        bits |= (uint64_t)field << stored | (significand & ((UINT64_C(1) << stored) - 1));
    }
    mpfr_clear(rounded);
    return bits;
}

static uint64_t round_double_by_mpfr(double value, enum float_type type) {
    mpfr_t exact;
    mpfr_init2(exact, 53);
    mpfr_set_d(exact, value, MPFR_RNDN);
    uint64_t bits = round_by_mpfr(exact, type);
    mpfr_clear(exact);
    return bits;
}

// Table 3.3 and section 3.4 of IEEE 754-2019, word by word.
static double value_of(enum float_type type, uint64_t bits) {
    const struct float_format *format = float_format(type);
    const int stored = format->precision - 1;
    const double fraction = ldexp((double)(bits & ((UINT64_C(1) << stored) - 1)), -stored);
    const int field = (int)((bits & (format->sign_bit - 1)) >> stored);
    const double magnitude = field == 2 * format->max_exponent + 1 ? (fraction != 0 ? NAN : INFINITY)
                             : field == 0                          ? ldexp(fraction, format->min_exponent)
                                                                   : ldexp(1 + fraction, field - format->max_exponent);
    return bits & format->sign_bit ? -magnitude : magnitude;
}

START_TEST(test_every_pattern) {
    for (size_t t = 0; t < BOTH; t++) {
        for (uint64_t bits = 0; bits < PATTERNS; bits++) {
            const double value = float_to_double(both[t], bits), right = value_of(both[t], bits);
            char text[FLOAT_TEXT];
            uint64_t read = 0;
            assert_bits(FLOAT_F64, bits_f64(value), bits_f64(right));
            if (float_is_nan(both[t], bits)) {
                ck_assert(isnan(value) && float_is_nan(both[t], float_from_double(both[t], value)));
                continue;
            }
            ck_assert_uint_eq(float_from_double(both[t], value), bits);
            float_to_hex(both[t], bits, text);
            ck_assert(float_parse(both[t], text, &read) && read == bits);
            float_to_decimal(both[t], bits, text);
            ck_assert_msg(float_parse(both[t], text, &read) && read == bits, "%s", text);
        }
    }
}
END_TEST

// bf16 is the upper half of an f32; where the compiler knows f16, its conversions are a third opinion.
START_TEST(test_against_other_conversions) {
    for (uint32_t bits = 0; bits < PATTERNS; bits++) {
        const uint32_t upper = bits << 16;
        float single;
        memcpy(&single, &upper, sizeof single);
        assert_bits(FLOAT_F64, bits_f64(float_to_double(FLOAT_BF16, bits)), bits_f64(single));
#ifdef __FLT16_MANT_DIG__
        const uint16_t half_bits = (uint16_t)bits;
        _Float16 half;
        memcpy(&half, &half_bits, sizeof half);
        assert_bits(FLOAT_F64, bits_f64(float_to_double(FLOAT_F16, bits)), bits_f64((double)half));
#endif
    }
}
END_TEST

// The middle of every two neighbours, the doubles beside it and, of each, the negative: ties go to even, beyond the
// largest number to infinity.
START_TEST(test_every_tie) {
    for (size_t t = 0; t < BOTH; t++) {
        const struct float_format *format = float_format(both[t]);
        for (uint64_t bits = 0; bits < format->infinity; bits++) {
            const double low = value_of(both[t], bits);
            const double high =
                bits == format->max_finite ? ldexp(1, format->max_exponent + 1) : value_of(both[t], bits + 1);
            const double middle = low + (high - low) / 2;
            const double places[] = {nextafter(middle, 0), middle, nextafter(middle, INFINITY), nextafter(low, high),
                                     nextafter(high, low)};
            const uint64_t right[] = {bits, bits + (bits & 1), bits + 1, bits, bits + 1};
            for (size_t i = 0; i < 5; i++) {
                ck_assert_uint_eq(float_from_double(both[t], places[i]), right[i]);
                ck_assert_uint_eq(float_from_double(both[t], -places[i]), right[i] | format->sign_bit);
                if (bits % 64 == 0)
                    ck_assert_uint_eq(round_double_by_mpfr(places[i], both[t]), right[i]);
            }
        }
        ck_assert_uint_eq(float_from_double(both[t], INFINITY), format->infinity);
        ck_assert_uint_eq(float_from_double(both[t], 0x1p1000), format->infinity);
        ck_assert_uint_eq(float_from_double(both[t], 0x1p-1074), 0);
        ck_assert_uint_eq(float_from_double(both[t], -0x1p-300), format->sign_bit);
    }
}
END_TEST

START_TEST(test_texts_are_rounded_once) {
    static const struct {
        enum float_type type;
        const char *text;
        uint64_t right;
    } texts[] = {
        // 1 + 2^-11 and 1 + 2^-8 are ties; with a tail below a double's last place they are none.
        {FLOAT_F16, "1.00048828125", 0x3c00},
        {FLOAT_F16, "1.000488281250000000000000000000001", 0x3c01},
        {FLOAT_F16, "1.001464843749999999999999999999999", 0x3c01},
        {FLOAT_BF16, "1.00390625", 0x3f80},
        {FLOAT_BF16, "-1.00390625000000000000000000001", 0xbf81},
        {FLOAT_F16, "65519.999999999999999999999", 0x7bff},
        {FLOAT_F16, "65520", 0x7c00},
        {FLOAT_F16, "1e400", 0x7c00},
        {FLOAT_F16, "2.98023223876953125e-8", 0}, // 2^-25, a tie with 0
        {FLOAT_F16, "2.98023223876953125000000000001e-8", 1},
        {FLOAT_F16, "1e-400", 0},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t bits = 0x1234;
        ck_assert(float_parse(texts[i].type, texts[i].text, &bits));
        ck_assert_msg(bits == texts[i].right, "%s gives %#llx", texts[i].text, (unsigned long long)bits);
    }
}
END_TEST

// All sums of two terms of a set that has every exponent and the edges of each: rounded by both oracles as MPFR does.
START_TEST(test_every_sum_of_two) {
    for (size_t t = 0; t < BOTH; t++) {
        const struct float_format *format = float_format(both[t]);
        const uint64_t step = 512; // about 60 patterns of either sign, of all exponents and significands
        mpfr_t a, sum;
        mpfr_inits2(300, a, sum, (mpfr_ptr)0);
        for (uint64_t i = 0; i < 2 * format->infinity; i += step - 1) {
            for (uint64_t j = 0; j < format->infinity; j += step + 1) {
                const uint64_t x = i < format->infinity ? i : (i - format->infinity) | format->sign_bit;
                uint16_t terms[2] = {(uint16_t)x, (uint16_t)j};
                struct exact_sum exact;
                mpfr_set_d(a, value_of(both[t], x), MPFR_RNDN);
                mpfr_add_d(sum, a, value_of(both[t], j), MPFR_RNDN);
                exact_sum(&exact, both[t], terms, 2);
                const uint64_t right = round_by_mpfr(sum, both[t]);
                ck_assert_uint_eq(exact_sum_round(&exact, both[t]), right);
                ck_assert_uint_eq(superaccumulator_sum(both[t], terms, 2, both[t]), right);
                ck_assert_uint_eq(exact_sum_round(&exact, FLOAT_F32), bits_f32(mpfr_get_flt(sum, MPFR_RNDN)));
                ck_assert_uint_eq(superaccumulator_sum(both[t], terms, 2, FLOAT_F32),
                                  bits_f32(mpfr_get_flt(sum, MPFR_RNDN)));
                exact_sum_clear(&exact);
            }
        }
        mpfr_clears(a, sum, (mpfr_ptr)0);
    }
}
END_TEST

// More elements than the hot bins take at once: Gauss's sum of multiples of the least number, and its facts.
START_TEST(test_long_sum) {
    const size_t n = (size_t)5 << 19;
    uint16_t *x = malloc(n * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (size_t t = 0; t < BOTH; t++) {
        const uint64_t normals = UINT64_C(1) << (float_format(both[t])->precision - 1);
        uint64_t units = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = (uint16_t)(i % normals); // all subnormal, or zero
            units += i % normals;
        }
        struct exact_sum exact;
        exact_sum(&exact, both[t], x, n);
        const int quantum = float_format(both[t])->min_exponent - float_format(both[t])->precision + 1;
        ck_assert_int_eq(mpfr_cmp_ui_2exp(exact.sum, units, quantum), 0);
        ck_assert_int_eq(exact.trailing_exponent, quantum);
        ck_assert_uint_eq(exact.nonzero, n - (n + normals - 1) / normals);
        ck_assert(exact.has_subnormal);
        exact_sum_clear(&exact);
    }
    free(x);
}
END_TEST

// Thresholds that people met: 65519 and 65520 ones in f16 (the second rounds to infinity), and what is left of an ulp.
START_TEST(test_known_sums) {
    uint16_t *ones = malloc(65520 * sizeof *ones);
    ck_assert_ptr_nonnull(ones);
    for (size_t i = 0; i < 65520; i++)
        ones[i] = 0x3c00;
    ck_assert_uint_eq(superaccumulator_sum(FLOAT_F16, ones, 65519, FLOAT_F16), 0x7bff); // 65504
    ck_assert_uint_eq(superaccumulator_sum(FLOAT_F16, ones, 65520, FLOAT_F16), 0x7c00);
    struct exact_sum exact;
    exact_sum(&exact, FLOAT_F16, ones, 65519);
    ck_assert_uint_eq(exact_sum_round(&exact, FLOAT_F16), 0x7bff);
    ck_assert_uint_eq(exact_sum_round(&exact, FLOAT_F32), bits_f32(65519));
    ck_assert_double_eq(ulp_error(&exact, FLOAT_F16, 0x7bff), -15.0 / 32); // (65504 - 65519) / 2^5
    exact_sum_clear(&exact);
    exact_sum(&exact, FLOAT_F16, ones, 4096);
    ck_assert_uint_eq(exact_sum_round(&exact, FLOAT_F16), 0x6c00);
    ck_assert_double_eq(ulp_error(&exact, FLOAT_F16, 0x6800), -512); // 2048 where 4096, ulp 4, is right
    ck_assert_int_eq(ulp_steps(FLOAT_F16, 0x6800, 0x6c00), 1024);
    ck_assert_double_eq(ulp_of(FLOAT_BF16, 0x3f80), 0x1p-7);
    exact_sum_clear(&exact);
    free(ones);
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("float_16");
    tcase_add_test(tests, test_every_pattern);
    tcase_add_test(tests, test_against_other_conversions);
    tcase_add_test(tests, test_every_tie);
    tcase_add_test(tests, test_texts_are_rounded_once);
    tcase_add_test(tests, test_every_sum_of_two);
    tcase_add_test(tests, test_long_sum);
    tcase_add_test(tests, test_known_sums);
    return run_case(tests);
}
