// SPDX-License-Identifier: MIT
// exact_sum, the superaccumulator and mpfr_sum must give the same bits: three ways that share nothing but the input.
#include "reference/superaccumulator.h"
#include "reference/test_support.h"

#include <float.h>

static void assert_oracles_agree(enum float_type in, const void *x, size_t n) {
    struct exact_sum sum;
    exact_sum(&sum, in, x, n);
    for (enum float_type out = FLOAT_F32; out <= FLOAT_F64; out++) {
        assert_bits(out, superaccumulator_sum(in, x, n, out), exact_sum_round(&sum, out));
    }
    exact_sum_clear(&sum);
}

// What IEEE 754 addition gives to a sum of special values in any order, decided without adding.
static uint64_t special_answer(enum float_type type, const uint64_t *bits, size_t n, bool *special) {
    bool nan = false, plus = false, minus = false;
    for (size_t i = 0; i < n; i++) {
        nan |= float_is_nan(type, bits[i]);
        plus |= bits[i] == float_format(type)->infinity;
        minus |= bits[i] == (float_format(type)->infinity | float_format(type)->sign_bit);
    }
    *special = nan || plus || minus;
    if (nan || (plus && minus)) {
        return float_format(type)->infinity + 1;
    }
    return float_format(type)->infinity | (minus ? float_format(type)->sign_bit : 0);
}

enum { SPECIAL_VALUES = 13 };

static void list_special_values(enum float_type type, uint64_t values[SPECIAL_VALUES]) {
    const struct float_format *format = float_format(type);
    uint64_t least_normal = UINT64_C(1) << (format->precision - 1);
    uint64_t one = (uint64_t)format->max_exponent << (format->precision - 1); // the bias
    const uint64_t magnitudes[] = {format->infinity, 0, one, format->max_finite, least_normal, 1};
    for (size_t i = 0; i < 6; i++) {
        values[2 * i] = magnitudes[i];
        values[2 * i + 1] = magnitudes[i] | format->sign_bit;
    }
    values[12] = format->infinity + 3;
}

// Every combination of {NaN, ±Inf, ±0, ±1, ±max, ±min normal, ±min subnormal} at up to four places.
START_TEST(test_special_combinations) {
    for (enum float_type type = FLOAT_F32; type < FLOAT_TYPES; type++) {
        uint64_t values[SPECIAL_VALUES], chosen[4], x[4];
        list_special_values(type, values);
        int combinations = 1;
        for (size_t n = 1; n <= 4; n++) {
            combinations *= SPECIAL_VALUES;
            for (int combination = 0; combination < combinations; combination++) {
                int rest = combination;
                for (size_t i = 0; i < n; i++, rest /= SPECIAL_VALUES) {
                    chosen[i] = values[rest % SPECIAL_VALUES];
                    float_store(type, x, i, chosen[i]);
                }
                assert_oracles_agree(type, x, n);
                bool special;
                uint64_t expected = special_answer(type, chosen, n, &special);
                if (special) {
                    assert_bits(type, superaccumulator_sum(type, x, n, type), expected);
                }
            }
        }
    }
}
END_TEST

// Two terms: the hardware rounds their sum once, too.
START_TEST(test_two_terms_as_the_hardware) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed;
    for (int trial = 0; trial < 50000; trial++) {
        uint64_t near = random_below(&state, 1900);
        uint64_t bits[2] = {random_float(FLOAT_F64, &state, near, near + 60),
                            random_float(FLOAT_F64, &state, near, near + 60)};
        double x[2];
        memcpy(x, bits, sizeof x);
        struct exact_sum sum;
        exact_sum(&sum, FLOAT_F64, x, 2);
        assert_bits(FLOAT_F64, exact_sum_round(&sum, FLOAT_F64), bits_f64(x[0] + x[1]));
        exact_sum_clear(&sum);
    }
}
END_TEST

// mpfr_sum rounds once, to a precision; `precision` is wide enough to hold the sum, which round_to_float takes from
// there.
static void assert_mpfr_sum_agrees(enum float_type in, const void *x, size_t n) {
    mpfr_t *terms = malloc((n + 1) * sizeof *terms);
    mpfr_ptr *pointers = malloc((n + 1) * sizeof *pointers);
    ck_assert(terms != NULL && pointers != NULL);
    for (size_t i = 0; i < n; i++) {
        mpfr_init2(terms[i], 53);
        mpfr_set_d(terms[i], float_to_double(in, float_load(in, x, i)), MPFR_RNDN);
        pointers[i] = terms[i];
    }
    mpfr_t total;
    mpfr_init2(total, 2200);
    int ternary = mpfr_sum(total, pointers, n, MPFR_RNDN);
    struct exact_sum sum;
    exact_sum(&sum, in, x, n);
    ck_assert_msg(ternary == 0 && mpfr_equal_p(total, sum.sum), "mpfr_sum disagrees, n = %zu", n);
    for (size_t i = 0; i < n; i++) {
        mpfr_abs(terms[i], terms[i], MPFR_RNDN);
    }
    ternary = mpfr_sum(total, pointers, n, MPFR_RNDN);
    ck_assert_msg(ternary == 0 && mpfr_equal_p(total, sum.abs_sum), "mpfr_sum of |x| disagrees, n = %zu", n);
    for (size_t i = 0; i < n; i++) {
        mpfr_clear(terms[i]);
    }
    exact_sum_clear(&sum);
    mpfr_clear(total);
    free(terms);
    free(pointers);
}

// Fills x with n values of one random kind; some kinds cancel.
static void fill_random(enum float_type type, void *x, size_t n, uint64_t *state) {
    uint64_t fields = 2 * (uint64_t)float_format(type)->max_exponent;
    uint64_t lowest = random_below(state, 3) == 0 ? 0 : random_below(state, fields);
    uint64_t highest = lowest + random_below(state, random_below(state, 2) == 0 ? 4 : fields - lowest + 1);
    highest = highest < fields ? highest : fields;
    bool cancel = random_below(state, 3) == 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = random_float(type, state, lowest, highest);
        if (cancel && i > 0 && random_below(state, 2) == 0) {
            bits = float_load(type, x, random_below(state, i)) ^ float_format(type)->sign_bit;
        }
        float_store(type, x, i, bits);
    }
}

START_TEST(test_small_random_sums) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed;
    double x[12];
    for (int trial = 0; trial < 100000; trial++) {
        enum float_type type = (enum float_type)(trial % FLOAT_TYPES);
        size_t n = (size_t)random_below(&state, 13);
        fill_random(type, x, n, &state);
        assert_oracles_agree(type, x, n);
        assert_mpfr_sum_agrees(type, x, n);
    }
}
END_TEST

START_TEST(test_longer_random_sums) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed + 1;
    static const size_t sizes[] = {255, 256, 257, 1023, 1024, 1025, 4099, 65536};
    double *x = malloc(65536 * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int trial = 0; trial < (sizes[i] > 4096 ? 6 : 30); trial++) {
            enum float_type type = (enum float_type)(trial % FLOAT_TYPES);
            fill_random(type, x, sizes[i], &state);
            assert_oracles_agree(type, x, sizes[i]);
            assert_mpfr_sum_agrees(type, x, sizes[i]);
        }
    }
    free(x);
}
END_TEST

// Halfway cases: a random float, half an ulp of it, and nothing or a speck, split over several terms.
START_TEST(test_halfway_cases) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed + 2;
    for (int trial = 0; trial < 50000; trial++) {
        double x[6];
        memcpy(x, &(uint64_t){random_float(FLOAT_F64, &state, 200, 2000)}, sizeof(double));
        int exponent;
        frexp(x[0], &exponent);
        double half = ldexp(random_below(&state, 2) ? 1 : -1, exponent - 54);
        double speck = ldexp(1, exponent - 60 - (int)random_below(&state, 100));
        x[1] = half / 2;
        x[2] = half / 4;
        x[3] = half / 4;
        x[4] = random_below(&state, 3) ? speck : 0;
        x[5] = random_below(&state, 3) ? -speck : 0;
        assert_oracles_agree(FLOAT_F64, x, 6);
        assert_mpfr_sum_agrees(FLOAT_F64, x, 6);
    }
}
END_TEST

// An array gives the same sum in pieces of any size, at any alignment.
START_TEST(test_pieces_and_alignment) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed + 3;
    enum { N = 5000 };
    static double x[N + 1];
    for (int trial = 0; trial < 60; trial++) {
        enum float_type type = (enum float_type)(trial % FLOAT_TYPES);
        size_t size = float_format(type)->size;
        char *start = (char *)x + random_below(&state, sizeof(double));
        fill_random(type, start, N, &state);
        struct exact_bins *bins = exact_bins_new(type);
        for (size_t done = 0, piece; done < N; done += piece) {
            piece = 1 + (size_t)random_below(&state, random_below(&state, 2) ? 10 : 2000);
            piece = piece < N - done ? piece : N - done;
            exact_bins_add(bins, start + done * size, piece);
        }
        struct exact_sum whole, pieces;
        exact_sum(&whole, type, start, N);
        exact_sum_of_bins(&pieces, bins);
        ck_assert(mpfr_equal_p(whole.sum, pieces.sum) && mpfr_equal_p(whole.abs_sum, pieces.abs_sum));
        ck_assert(whole.trailing_exponent == pieces.trailing_exponent && whole.nonzero == pieces.nonzero);
        ck_assert_uint_eq(whole.n, pieces.n);
        exact_sum_clear(&whole);
        exact_sum_clear(&pieces);
        exact_bins_free(bins);
    }
}
END_TEST

// Threads give every field of the sum to the bit, whatever their number.
START_TEST(test_threads) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed + 4;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 400000};
    static const unsigned threads[] = {0, 2, 3, 7, 300};
    double *x = malloc(400000 * sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (enum float_type type = FLOAT_F32; type < FLOAT_TYPES; type++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct exact_sum alone, together;
            fill_random(type, x, sizes[i], &state);
            exact_sum(&alone, type, x, sizes[i]);
            for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
                exact_sum_parallel(&together, type, x, sizes[i], threads[t]);
                ck_assert(mpfr_equal_p(alone.sum, together.sum) && mpfr_equal_p(alone.abs_sum, together.abs_sum));
                ck_assert(alone.class_ == together.class_ && alone.n == together.n && together.n == sizes[i]);
                ck_assert(alone.nonzero == together.nonzero && alone.has_subnormal == together.has_subnormal);
                ck_assert_int_eq(alone.trailing_exponent, together.trailing_exponent);
                ck_assert_int_eq(alone.leading_exponent, together.leading_exponent);
                ck_assert(alone.all_minus_zero == together.all_minus_zero && alone.has_nan == together.has_nan);
                exact_sum_clear(&together);
            }
            exact_sum_clear(&alone);
        }
    free(x);
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("oracles");
    tcase_add_test(tests, test_special_combinations);
    tcase_add_test(tests, test_two_terms_as_the_hardware);
    tcase_add_test(tests, test_small_random_sums);
    tcase_add_test(tests, test_longer_random_sums);
    tcase_add_test(tests, test_halfway_cases);
    tcase_add_test(tests, test_pieces_and_alignment);
    tcase_add_test(tests, test_threads);
    return run_case(tests);
}
