// SPDX-License-Identifier: MIT
// Each way of gathering, forced: it must give the sum of the second oracle, and the facts that plain C finds.
#include "reference/exact_bins.h"
#include "reference/superaccumulator.h"
#include "reference/test_support.h"

#include <fenv.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

enum { MOST = 5 * WINDOW_CHUNK + 77 };

static void gather(struct exact_sum *sum, enum float_type in, const void *x, size_t n, enum exact_gather how) {
    struct exact_bins *bins = exact_bins_new_for(in, how);
    exact_bins_add(bins, x, n);
    exact_sum_of_bins(sum, bins);
    exact_bins_free(bins);
}

static void assert_same_facts(const struct exact_sum *a, const struct exact_sum *b) {
    ck_assert(a->class_ == b->class_ && a->n == b->n && a->nonzero == b->nonzero);
    ck_assert(mpfr_equal_p(a->sum, b->sum) && mpfr_equal_p(a->abs_sum, b->abs_sum));
    ck_assert_int_eq(a->trailing_exponent, b->trailing_exponent);
    ck_assert_int_eq(a->leading_exponent, b->leading_exponent);
    ck_assert(a->all_minus_zero == b->all_minus_zero && a->has_subnormal == b->has_subnormal);
    ck_assert_int_eq(a->has_nan, b->has_nan);
}

static void assert_ways_agree(enum float_type in, const void *x, size_t n) {
    struct exact_sum plain, best;
    gather(&plain, in, x, n, GATHER_PLAIN);
    gather(&best, in, x, n, GATHER_BEST);
    assert_same_facts(&plain, &best);
    for (enum float_type out = FLOAT_F32; out <= FLOAT_F64; out++)
        assert_bits(out, exact_sum_round(&best, out), superaccumulator_sum(in, x, n, out));
    exact_sum_clear(&plain);
    exact_sum_clear(&best);
}

static uint64_t largest_field(enum float_type in) {
    return 2 * (uint64_t)float_format(in)->max_exponent; // of a finite number
}

static uint64_t with_field(enum float_type in, uint64_t field, uint64_t mantissa, bool negative) {
    return (negative ? float_format(in)->sign_bit : 0) | field << (float_format(in)->precision - 1) | mantissa;
}

static uint64_t all_ones(enum float_type in) {
    return (UINT64_C(1) << (float_format(in)->precision - 1)) - 1;
}

START_TEST(test_this_machine_has_the_fast_way) {
#ifdef __x86_64__
    if (!chunk_code_avx2_runs())
        printf("This processor has no AVX2: plain C is compared with itself.\n");
#else
    ck_assert(!chunk_code_avx2_runs());
#endif
}
END_TEST

// Some of every kind: narrow and wide chunks, zeros, subnormals, infinities and NaN in a few places or in many.
static void fill_kind(enum float_type in, void *x, size_t n, uint64_t *state) {
    uint64_t most = largest_field(in), lowest = random_below(state, most), width = random_below(state, 3);
    uint64_t reach = width == 0 ? 1 : width == 1 ? 40 : most;
    uint64_t highest = lowest + reach < most ? lowest + reach : most;
    uint64_t signs = random_below(state, 3), tiny = random_below(state, 6), special = random_below(state, 10);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = random_float(in, state, lowest, highest), sign = float_format(in)->sign_bit;
        bits = signs == 0 ? bits & ~sign : signs == 1 ? bits | sign : bits;
        if (tiny == 0 && random_below(state, 3) == 0)
            bits &= sign;
        if (tiny == 1 && random_below(state, 200) == 0)
            bits &= sign | all_ones(in);
        if (tiny == 2 && random_below(state, 900) == 0)
            bits = (bits & sign) | random_below(state, 4);
        if (special == 0 && random_below(state, 2000) == 0)
            bits = (bits & sign) | float_format(in)->infinity | random_below(state, 2);
        float_store(in, x, i, bits);
    }
}

START_TEST(test_ways_agree_on_every_kind) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    static const size_t sizes[] = {WINDOW_CHUNK - 1, WINDOW_CHUNK, WINDOW_CHUNK + 1, 3 * WINDOW_CHUNK + 500, MOST};
    uint64_t state = test_seed;
    static double room[MOST + 1];
    for (int trial = 0; trial < 1200; trial++) {
        enum float_type in = trial % 2 ? FLOAT_F64 : FLOAT_F32;
        size_t n = sizes[random_below(&state, sizeof sizes / sizeof *sizes)];
        void *x = (char *)room + (trial % 5 == 0 ? 1 + random_below(&state, 7) : 0); // at any alignment
        fill_kind(in, x, n, &state);
        assert_ways_agree(in, x, n);
    }
}
END_TEST

// The narrow way at its limits: all of a chunk is the largest number of its exponent but for one at, just inside or
// just outside of its reach, with a last place that must not be lost.
static void assert_limits(enum float_type in, uint64_t field, int signs) {
    static double x[WINDOW_CHUNK];
    for (uint64_t below = 20; below < 48; below++) {
        if (field <= below)
            continue;
        for (size_t i = 0; i < WINDOW_CHUNK; i++)
            float_store(in, x, i, with_field(in, field, all_ones(in), signs == 1 || (signs == 2 && i % 2)));
        float_store(in, x, below, with_field(in, field - below, 1, signs == 1));
        assert_ways_agree(in, x, WINDOW_CHUNK);
    }
}

START_TEST(test_limits_of_the_narrow_way) {
    for (enum float_type in = FLOAT_F32; in <= FLOAT_F64; in++)
        for (uint64_t field = 21; field <= largest_field(in); field += in == FLOAT_F32 ? 5 : 37)
            for (int signs = 0; signs < 3; signs++)
                assert_limits(in, field, signs);
}
END_TEST

// Any rounding mode: exact operations know none.
START_TEST(test_rounding_modes) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    uint64_t state = test_seed + 1;
    static double x[2 * WINDOW_CHUNK];
    for (int trial = 0; trial < 60; trial++) {
        enum float_type in = trial % 2 ? FLOAT_F64 : FLOAT_F32;
        uint64_t field = 60 + random_below(&state, largest_field(in) - 120);
        for (size_t i = 0; i < 2 * WINDOW_CHUNK; i++)
            float_store(in, x, i, random_float(in, &state, field, field + (trial % 3 == 0 ? 60 : 12)));
        for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
            struct exact_sum sum;
            ck_assert_int_eq(fesetround(modes[m]), 0);
            gather(&sum, in, x, 2 * WINDOW_CHUNK, GATHER_BEST);
            ck_assert_int_eq(fesetround(FE_TONEAREST), 0);
            assert_bits(in, exact_sum_round(&sum, in), superaccumulator_sum(in, x, 2 * WINDOW_CHUNK, in));
            exact_sum_clear(&sum);
        }
    }
}
END_TEST

#ifdef __SSE2__
// A process that flushes subnormals, as a library compiled for fast arithmetic leaves it: nothing is lost, in the
// smallest exponents and with subnormals.
START_TEST(test_flushing) {
    enum { FLUSH = 0x8040 }; // MXCSR: flush to zero, denormals are zero
    uint64_t state = test_seed + 2;
    static double x[2 * WINDOW_CHUNK];
    for (int trial = 0; trial < 200; trial++) {
        enum float_type in = trial % 2 ? FLOAT_F64 : FLOAT_F32;
        uint64_t field = random_below(&state, in == FLOAT_F64 ? 140 : 30);
        for (size_t i = 0; i < 2 * WINDOW_CHUNK; i++)
            float_store(in, x, i, random_float(in, &state, field, field + (trial % 3 == 0 ? 60 : 12)));
        struct exact_sum sum;
        const unsigned saved = _mm_getcsr();
        _mm_setcsr(saved | FLUSH);
        gather(&sum, in, x, 2 * WINDOW_CHUNK, GATHER_BEST);
        _mm_setcsr(saved);
        assert_bits(in, exact_sum_round(&sum, in), superaccumulator_sum(in, x, 2 * WINDOW_CHUNK, in));
        exact_sum_clear(&sum);
    }
}
END_TEST
#endif

// What a single chunk alone tells: the least or the largest exponent, or one element that is not normal. Numbers that
// lie far apart, then some that are near each other.
START_TEST(test_facts_of_single_chunks) {
    enum { CHUNKS = 40 };
    static float x[CHUNKS * WINDOW_CHUNK];
    uint64_t state = test_seed + 3;
    for (int trial = 0; trial < 40; trial++) {
        const size_t low = random_below(&state, CHUNKS), high = random_below(&state, CHUNKS);
        const size_t near = CHUNKS / 2 + random_below(&state, CHUNKS / 2); // from this chunk on
        for (size_t i = 0; i < CHUNKS * WINDOW_CHUNK; i++) {
            const size_t chunk = i / WINDOW_CHUNK;
            const uint64_t least = chunk == low || trial % 4 == 0 ? 1 : 60,
                           most = chunk == high || trial % 4 == 1 ? 254 : 200;
            float_store(FLOAT_F32, x, i,
                        chunk < near ? random_float(FLOAT_F32, &state, least, most)
                                     : random_float(FLOAT_F32, &state, 120, 130));
        }
        const uint64_t strange[] = {0, 1, all_ones(FLOAT_F32), with_field(FLOAT_F32, 255, 0, false),
                                    with_field(FLOAT_F32, 255, 1, false)};
        // A subnormal ends all question of the trailing exponent, and a NaN hides other faults.
        const size_t kinds = (size_t[]){1, 3, sizeof strange / sizeof *strange}[trial % 3];
        for (size_t chunk = 1; chunk < CHUNKS; chunk += 1 + random_below(&state, 8))
            float_store(FLOAT_F32, x, chunk * WINDOW_CHUNK + random_below(&state, WINDOW_CHUNK),
                        strange[random_below(&state, kinds)] |
                            (random_below(&state, 2) ? float_format(FLOAT_F32)->sign_bit : 0));
        assert_ways_agree(FLOAT_F32, x, CHUNKS * WINDOW_CHUNK);
    }
}
END_TEST

// Data whose elements at i % step == first are far below the others, which are all the same: its exact sum.
struct two_kinds {
    uint64_t field; // of the others
    size_t step, first;
};

static uint64_t far_below(enum float_type in, const struct two_kinds *kinds) {
    return with_field(in, kinds->field - 60, 1, false);
}

// (2^p - 1)·2^-(p-1) a time, times 2^(field - bias), and (1 + 2^-(p-1)) at 2^-60 of it for each that is far below.
static void expect_two_kinds(mpfr_t expected, enum float_type in, const struct two_kinds *kinds, size_t n) {
    const int p = float_format(in)->precision;
    const uint64_t far_ones = (n - kinds->first + kinds->step - 1) / kinds->step;
    mpfr_t far;
    mpfr_init2(far, 400);
    mpfr_set_ui_2exp(expected, 1, p, MPFR_RNDN);
    mpfr_sub_ui(expected, expected, 1, MPFR_RNDN);
    mpfr_mul_ui(expected, expected, n - far_ones, MPFR_RNDN);
    mpfr_set_ui_2exp(far, 1, p - 1, MPFR_RNDN);
    mpfr_add_ui(far, far, 1, MPFR_RNDN);
    mpfr_mul_ui(far, far, far_ones, MPFR_RNDN);
    mpfr_div_2ui(far, far, 60, MPFR_RNDN);
    mpfr_add(expected, expected, far, MPFR_RNDN);
    mpfr_mul_2si(expected, expected, (long)kinds->field - float_format(in)->max_exponent - (p - 1), MPFR_RNDN);
    mpfr_clear(far);
}

// The fullest windows there can be, across several emptyings: the largest significand at the window's last place again
// and again, and in each chunk an element from far away, so that no chunk is narrow. Where the far ones are those that
// the wide way asks whether neighbours share windows, two sets take what else four would.
START_TEST(test_full_windows) {
    static const size_t steps[][2] = {{WINDOW_CHUNK, 7}, {64, 0}};
    const size_t n = (size_t)3 * PENDING_F64 + 5 * WINDOW_CHUNK;
    void *x = malloc(n * sizeof(double));
    ck_assert_ptr_nonnull(x);
    for (int trial = 0; trial < 4; trial++) {
        enum float_type in = trial % 2 ? FLOAT_F64 : FLOAT_F32;
        // The field is odd, and one below a multiple of 16.
        const struct two_kinds kinds = {in == FLOAT_F32 ? 129 : 1023, steps[trial / 2][0], steps[trial / 2][1]};
        for (size_t i = 0; i < n; i++)
            float_store(in, x, i,
                        i % kinds.step == kinds.first ? far_below(in, &kinds)
                                                      : with_field(in, kinds.field, all_ones(in), false));
        struct exact_sum sum;
        gather(&sum, in, x, n, GATHER_BEST);
        mpfr_t expected;
        mpfr_init2(expected, 400);
        expect_two_kinds(expected, in, &kinds, n);
        ck_assert(mpfr_equal_p(sum.sum, expected) && mpfr_equal_p(sum.abs_sum, expected));
        mpfr_clear(expected);
        exact_sum_clear(&sum);
    }
    free(x);
}
END_TEST

// The integers of a narrow group stand the 2^40 elements that an exact sum takes: as if so many had been gathered.
START_TEST(test_full_narrow_groups) {
    static double x[WINDOW_CHUNK];
    for (int negative = 0; negative < 2; negative++) {
        for (size_t i = 0; i < WINDOW_CHUNK; i++)
            float_store(FLOAT_F64, x, i, with_field(FLOAT_F64, 1023, all_ones(FLOAT_F64), negative));
        struct exact_bins *bins = exact_bins_new(FLOAT_F64);
        exact_bins_add(bins, x, WINDOW_CHUNK);
        for (int doubling = 0; doubling < 30; doubling++) {
            struct exact_bins *twice = exact_bins_new(FLOAT_F64);
            exact_bins_merge(twice, bins);
            exact_bins_merge(twice, bins);
            exact_bins_free(bins);
            bins = twice;
        }
        struct exact_sum sum;
        exact_sum_of_bins(&sum, bins);
        ck_assert_uint_eq(sum.n, UINT64_C(1) << 40);
        assert_bits(FLOAT_F64, exact_sum_round(&sum, FLOAT_F64),
                    bits_f64(negative ? -0x1.fffffffffffffp40 : 0x1.fffffffffffffp40));
        ck_assert(mpfr_cmpabs(sum.sum, sum.abs_sum) == 0);
        exact_sum_clear(&sum);
        exact_bins_free(bins);
    }
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("exact_windows");
    tcase_add_test(tests, test_this_machine_has_the_fast_way);
    tcase_add_test(tests, test_ways_agree_on_every_kind);
    tcase_add_test(tests, test_limits_of_the_narrow_way);
    tcase_add_test(tests, test_rounding_modes);
#ifdef __SSE2__
    tcase_add_test(tests, test_flushing);
#endif
    tcase_add_test(tests, test_facts_of_single_chunks);
    tcase_add_test(tests, test_full_windows);
    tcase_add_test(tests, test_full_narrow_groups);
    return run_case(tests);
}
