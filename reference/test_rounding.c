// SPDX-License-Identifier: MIT
// Results rounded once and results rounded twice told apart, and the format's edges.
#include "reference/mpfr_exact.h"
#include "reference/rounding.h"
#include "reference/test_support.h"

#include <float.h>
#include <signal.h>

// value = Σ terms, each ±2^exponent·multiple.
struct term {
    long multiple;
    long exponent;
};

static void set_terms(mpfr_t value, const struct term *terms, size_t count) {
    mpfr_t term;
    mpfr_init2(term, 64);
    mpfr_set_zero(value, 1);
    for (size_t i = 0; i < count; i++) {
        require_exact(mpfr_set_si_2exp(term, terms[i].multiple, terms[i].exponent, MPFR_RNDN), "term");
        require_exact(mpfr_add(value, value, term, MPFR_RNDN), "test value");
    }
    mpfr_clear(term);
}

struct trap {
    enum float_type out;
    struct term terms[3];
    uint64_t expected;  // by hand
    bool twice_differs; // to f64 first, then to f32, gives another answer
};

static const struct trap traps[] = {
    // Just above a tie: the double nearest to it is the tie itself, which goes to even.
    {FLOAT_F32, {{1, 0}, {1, -24}, {1, -80}}, 0x3f800001, true},
    {FLOAT_F32, {{1, 0}, {1, -24}}, 0x3f800000, false},
    {FLOAT_F32, {{1, 0}, {1, -24}, {-1, -80}}, 0x3f800000, false},
    {FLOAT_F32, {{1, 0}, {3, -24}, {-1, -80}}, 0x3f800001, true},
    {FLOAT_F32, {{1, 0}, {3, -24}}, 0x3f800002, false},
    // Half of the least subnormal number, and a little more.
    {FLOAT_F32, {{1, -150}}, 0, false},
    {FLOAT_F32, {{1, -150}, {1, -300}}, 1, true},
    {FLOAT_F32, {{1, -150}, {-1, -300}}, 0, false},
    {FLOAT_F32, {{1, -151}}, 0, false},
    {FLOAT_F32, {{1, -400}}, 0, false},
    {FLOAT_F32, {{3, -150}}, 2, false},
    {FLOAT_F32, {{3, -150}, {-1, -260}}, 1, true},
    // The overflow threshold 2^127·(2 - 2^-24) is a tie whose even neighbour is infinity.
    {FLOAT_F32, {{1, 128}, {-1, 103}}, 0x7f800000, false},
    {FLOAT_F32, {{1, 128}, {-1, 103}, {-1, 0}}, 0x7f7fffff, true},
    {FLOAT_F32, {{1, 128}, {-1, 103}, {1, 0}}, 0x7f800000, false},
    {FLOAT_F32, {{1, 128}}, 0x7f800000, false},
    {FLOAT_F32, {{1, 500}}, 0x7f800000, false},
    {FLOAT_F32, {{1, 128}, {-1, 104}}, 0x7f7fffff, false},
    // The largest subnormal number, the least normal one, and the tie between them.
    {FLOAT_F32, {{1, -126}, {-1, -149}}, 0x007fffff, false},
    {FLOAT_F32, {{1, -126}, {-1, -150}}, 0x00800000, false},
    {FLOAT_F32, {{1, -126}, {-1, -150}, {-1, -250}}, 0x007fffff, true},
    // All mantissa bits set, and a carry through them all.
    {FLOAT_F32, {{0xffffff, 0}, {1, -2}}, 0x4b7fffff, false},
    {FLOAT_F32, {{0xffffff, 0}, {1, -1}}, 0x4b800000, false},
    {FLOAT_F64, {{1, 0}, {1, -53}, {1, -500}}, 0x3ff0000000000001, false},
    {FLOAT_F64, {{1, 0}, {1, -53}}, 0x3ff0000000000000, false},
    {FLOAT_F64, {{1, -1075}}, 0, false},
    {FLOAT_F64, {{1, -1075}, {1, -2000}}, 1, false},
    {FLOAT_F64, {{3, -1075}, {-1, -2000}}, 1, false},
    {FLOAT_F64, {{1, -1022}, {-1, -1075}}, 0x0010000000000000, false},
    {FLOAT_F64, {{1, -1022}, {-1, -1075}, {-1, -2000}}, 0x000fffffffffffff, false},
    {FLOAT_F64, {{1, 1024}, {-1, 970}}, 0x7ff0000000000000, false},
    {FLOAT_F64, {{1, 1024}, {-1, 970}, {-1, -1074}}, 0x7fefffffffffffff, false},
    {FLOAT_F64, {{0x1fffffffffffff, 0}, {1, -1}}, 0x4340000000000000, false},
};

START_TEST(test_once_and_twice) {
    mpfr_t value;
    mpfr_init2(value, 4096);
    for (size_t i = 0; i < sizeof traps / sizeof traps[0]; i++) {
        const struct trap *trap = &traps[i];
        set_terms(value, trap->terms, 3);
        assert_bits(trap->out, round_to_float(value, trap->out), trap->expected);
        if (trap->out == FLOAT_F32) { // the mistake must be visible, or the trap is none
            uint64_t twice = bits_f32((float)mpfr_get_d(value, MPFR_RNDN));
            ck_assert_msg((twice != trap->expected) == trap->twice_differs, "trap %zu", i);
        }
        mpfr_neg(value, value, MPFR_RNDN);
        assert_bits(trap->out, round_to_float(value, trap->out), trap->expected | float_format(trap->out)->sign_bit);
    }
    mpfr_clear(value);
}
END_TEST

START_TEST(test_zero_keeps_its_sign) {
    mpfr_t value;
    mpfr_init2(value, 10);
    for (int sign = 1; sign >= -1; sign -= 2) {
        mpfr_set_zero(value, sign);
        assert_bits(FLOAT_F32, round_to_float(value, FLOAT_F32), sign > 0 ? 0 : 0x80000000u);
        assert_bits(FLOAT_F64, round_to_float(value, FLOAT_F64), sign > 0 ? 0 : 0x8000000000000000u);
    }
    mpfr_clear(value);
}
END_TEST

// mpfr_get_flt and mpfr_get_d round once too (MPFR 4): they are the independent source here.
START_TEST(test_agrees_with_mpfr) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed;
    mpfr_t value, tail;
    mpfr_inits2(400, value, tail, (mpfr_ptr)0);
    for (int i = 0; i < 200000; i++) {
        bool narrow = i % 2 == 0;
        long span = narrow ? 300 : 2200;
        long exponent = (long)random_below(&state, (uint64_t)span) - (narrow ? 170 : 1140);
        uint64_t mantissa = random_bits(&state) >> random_below(&state, 64);
        require_exact(mpfr_set_uj_2exp(value, mantissa, exponent - (narrow ? 24 : 53), MPFR_RNDN), "mantissa");
        int sign = (int)random_below(&state, 3) - 1;
        mpfr_set_si_2exp(tail, sign, exponent - 100 - (long)random_below(&state, 100), MPFR_RNDN);
        require_exact(mpfr_add(value, value, tail, MPFR_RNDN), "tail");
        if (random_below(&state, 2) != 0) {
            mpfr_neg(value, value, MPFR_RNDN);
        }
        assert_bits(FLOAT_F32, round_to_float(value, FLOAT_F32), bits_f32(mpfr_get_flt(value, MPFR_RNDN)));
        assert_bits(FLOAT_F64, round_to_float(value, FLOAT_F64), bits_f64(mpfr_get_d(value, MPFR_RNDN)));
    }
    mpfr_clears(value, tail, (mpfr_ptr)0);
}
END_TEST

START_TEST(test_truncation) {
    static const struct {
        struct term terms[2];
        uint64_t expected;
        bool exact;
    } cases[] = {
        {{{1, 0}, {1, -24}}, 0x3f800000, false},
        {{{1, 0}, {-1, -80}}, 0x3f7fffff, false},
        {{{1, 0}}, 0x3f800000, true},
        {{{1, -150}}, 0, false},
        {{{1, -1000}}, 0, false},
        {{{3, -150}}, 1, false},
        {{{1, 128}}, 0x7f7fffff, false},
        {{{1, 900}}, 0x7f7fffff, false},
        {{{1, 128}, {-1, 104}}, 0x7f7fffff, true},
        {{{1, 128}, {-1, 100}}, 0x7f7fffff, false},
        {{{1, -149}}, 1, true},
    };
    mpfr_t value;
    mpfr_init2(value, 4096);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool exact;
        set_terms(value, cases[i].terms, 2);
        assert_bits(FLOAT_F32, truncate_to_float(value, FLOAT_F32, &exact), cases[i].expected);
        ck_assert_msg(exact == cases[i].exact, "case %zu", i);
    }
    mpfr_clear(value);
}
END_TEST

// An inexact step must end the program.
START_TEST(test_inexact_step_aborts) {
    mpfr_t narrow;
    mpfr_init2(narrow, 2);
    require_exact(mpfr_set_ui(narrow, 6, MPFR_RNDN), "6 has two bits"); // passes
    int ternary = mpfr_add_ui(narrow, narrow, 1, MPFR_RNDN);            // 7 has three
    mpfr_clear(narrow);
    require_exact(ternary, "7 in two bits");
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("rounding");
    tcase_add_test(tests, test_once_and_twice);
    tcase_add_test(tests, test_zero_keeps_its_sign);
    tcase_add_test(tests, test_agrees_with_mpfr);
    tcase_add_test(tests, test_truncation);
    tcase_add_test_raise_signal(tests, test_inexact_step_aborts, SIGABRT);
    return run_case(tests);
}
