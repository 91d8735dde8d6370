// SPDX-License-Identifier: MIT
// Arithmetic in f16 and bf16: every operation rounded once, against MPFR at 11 and 8 bits; shuffles and atomics.
#include "harness/simt/test_support.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mpfr.h>

enum { OPERANDS = 120 }; // of 2^16: a multiplicative generator walks through exponents, signs and significands

// Rounded by MPFR: p bits, the format's exponents, gradual underflow.
static double round_by_mpfr(mpfr_t exact, int precision, int emin, int emax) {
    const mpfr_exp_t old_emin = mpfr_get_emin(), old_emax = mpfr_get_emax();
    mpfr_t rounded;
    mpfr_init2(rounded, precision);
    mpfr_set_emin(emin - precision + 2);
    mpfr_set_emax(emax + 1);
    int ternary = mpfr_set(rounded, exact, MPFR_RNDN);
    ternary = mpfr_check_range(rounded, ternary, MPFR_RNDN);
    mpfr_subnormalize(rounded, ternary, MPFR_RNDN);
    mpfr_set_emin(old_emin);
    mpfr_set_emax(old_emax);
    const double value = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    return value;
}

template <class T>
struct format;
template <>
struct format<__half> {
    static constexpr int precision = 11, emin = -14, emax = 15;
};
template <>
struct format<__nv_bfloat16> {
    static constexpr int precision = 8, emin = -126, emax = 127;
};

static void expect_same(double got, double right, const char *what, double a, double b) {
    const bool same = (got != got && right != right) || (got == right && std::signbit(got) == std::signbit(right));
    ck_assert_msg(same, "%a %s %a gives %a, not %a", a, what, b, got, right);
}

template <class T>
static void check_pair(T a, T b, mpfr_t x, mpfr_t y, mpfr_t exact) {
    const double u = float(a), v = float(b);
    const auto rounded = [&] { return round_by_mpfr(exact, format<T>::precision, format<T>::emin, format<T>::emax); };
    mpfr_set_d(x, u, MPFR_RNDN);
    mpfr_set_d(y, v, MPFR_RNDN);
    mpfr_add(exact, x, y, MPFR_RNDN);
    expect_same(float(a + b), rounded(), "+", u, v);
    mpfr_sub(exact, x, y, MPFR_RNDN);
    expect_same(float(__hsub(a, b)), rounded(), "-", u, v);
    mpfr_mul(exact, x, y, MPFR_RNDN);
    expect_same(float(a * b), rounded(), "*", u, v);
    mpfr_div(exact, x, y, MPFR_RNDN); // 600 bits: no tie arises from its rounding
    expect_same(float(a / b), rounded(), "/", u, v);
    mpfr_fma(exact, x, y, x, MPFR_RNDN);
    expect_same(float(__hfma(a, b, a)), rounded(), "fma", u, v);
}

template <class T>
static void check_all() {
    mpfr_t x, y, exact;
    mpfr_inits2(600, x, y, exact, (mpfr_ptr) nullptr);
    for (unsigned i = 0; i < OPERANDS; i++)
        for (unsigned j = 0; j < OPERANDS; j++)
            check_pair(T::of_bits(uint16_t(i * 40503u + 1u)), T::of_bits(uint16_t(j * 52711u + i)), x, y, exact);
    mpfr_clears(x, y, exact, (mpfr_ptr) nullptr);
}

START_TEST(operations_are_rounded_once) {
    check_all<__half>();
    check_all<__nv_bfloat16>();
}
END_TEST

START_TEST(fma_is_not_rounded_twice) {
    // 1 + 2^-11 is a tie between 1 and 1 + 2^-10; the product's tail, below double's last place beside 1, decides it.
    const __half above = __hfma(__ushort_as_half(0x0001), __ushort_as_half(0x0001), __half(0)); // 2^-48: lost
    ck_assert_uint_eq(__half_as_ushort(above), 0);
    const __nv_bfloat16 tiny = 0x1p-60, half_ulp = 0x1p-8, one = 1;
    ck_assert_uint_eq(__bfloat16_as_ushort(__hfma(tiny, tiny, one)), 0x3f80);
    ck_assert_uint_eq(__bfloat16_as_ushort(__hfma(half_ulp, one, one)), 0x3f80);                 // a tie
    ck_assert_uint_eq(__bfloat16_as_ushort(__hfma(__nv_bfloat16(0x1.02p-8), one, one)), 0x3f81); // above it
    ck_assert_uint_eq(__bfloat16_as_ushort(__hfma(__nv_bfloat16(0x1.82p-1), __nv_bfloat16(0x1.52p-7), one)), 0x3f81);
}
END_TEST

START_TEST(conversions_and_comparisons) {
    ck_assert_uint_eq(__half_as_ushort(__float2half(65519.0f)), 0x7bff);
    ck_assert_uint_eq(__half_as_ushort(__float2half(65520.0f)), 0x7c00);
    ck_assert_uint_eq(__half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40)), 0x3c01); // a float would lose the tail
    ck_assert_uint_eq(__half_as_ushort(__half(2049)), 0x6800);
    ck_assert(float(__half(-0.0)) == 0 && __half_as_ushort(__half(-0.0)) == 0x8000);
    const __half nan = __ushort_as_half(0x7e01), one = 1;
    ck_assert(__hisnan(nan) && !__hisnan(one) && __hisinf(__half(-1e9)) == -1);
    ck_assert(nan != nan && !__hne(nan, nan) && !(nan < one) && !__hge(nan, one));
    ck_assert(float(__hmax(nan, one)) == 1 && float(__hmin(__half(0.0), __half(-0.0))) == 0);
    ck_assert_uint_eq(__half_as_ushort(__hmin(__half(0.0), __half(-0.0))), 0x8000);
    const __half2 pair = __hadd2(__floats2half2_rn(1, 2048), __float2half2_rn(1));
    ck_assert(__low2float(pair) == 2 && __high2float(pair) == 2048);
}
END_TEST

template <class T>
static __global__ void sum_by_shuffles(const T *from, T *to) {
    T sum = from[threadIdx.x];
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0)
        *to = sum;
}

START_TEST(shuffles_move_them) {
    __half halves[32], half_sum;
    __nv_bfloat16 bf16s[32], bf16_sum;
    for (int i = 0; i < 32; i++)
        halves[i] = i, bf16s[i] = i % 8; // 496 and 112: both are exact
    begin(0);
    sum_by_shuffles<<<1, 32>>>(halves, &half_sum);
    expect_done();
    sum_by_shuffles<<<1, 32>>>(bf16s, &bf16_sum);
    expect_done();
    ck_assert(float(half_sum) == 496 && float(bf16_sum) == 112);
}
END_TEST

template <class T>
static __global__ void add_ones(T *cell) {
    atomicAdd(cell, T(1));
}
template <class T>
static __global__ void add_one_value(T *cell, T value) {
    __shared__ T shared;
    shared = *cell;
    atomicAdd(&shared, value);
    atomicAdd(cell, value);
    cell[1] = shared;
}

// One by one they stop where 1 is half a last place: at 2^p. Subnormals are kept (PTX ISA, "atom": .noftz).
START_TEST(atomics_round_once_and_keep_subnormals) {
    for (int i = 0; i < SCHEDULE_COUNT; i++) {
        __half half_cell = 0;
        __nv_bfloat16 bf16_cell = 0;
        begin(i);
        add_ones<<<4, 1024>>>(&half_cell);
        expect_done();
        add_ones<<<4, 1024>>>(&bf16_cell);
        expect_done();
        ck_assert(float(half_cell) == 2048 && float(bf16_cell) == 256);
    }
    __half cells[2] = {__ushort_as_half(3), 0};
    __nv_bfloat16 others[2] = {__ushort_as_bfloat16(0x8003), 0};
    begin(0);
    add_one_value<<<1, 1>>>(cells, __ushort_as_half(4));
    add_one_value<<<1, 1>>>(others, __ushort_as_bfloat16(0x0001));
    expect_done();
    ck_assert(__half_as_ushort(cells[0]) == 7 && __half_as_ushort(cells[1]) == 7);
    ck_assert(__bfloat16_as_ushort(others[0]) == 0x8002 && __bfloat16_as_ushort(others[1]) == 0x8002);
}
END_TEST

int main() {
    TCase *tests = tcase_create("float_16");
    tcase_add_test(tests, operations_are_rounded_once);
    tcase_add_test(tests, fma_is_not_rounded_twice);
    tcase_add_test(tests, conversions_and_comparisons);
    tcase_add_test(tests, shuffles_move_them);
    tcase_add_test(tests, atomics_round_once_and_keep_subnormals);
    return run_suite("float_16", tests);
}
