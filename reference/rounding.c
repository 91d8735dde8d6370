// SPDX-License-Identifier: MIT
// A value is written as N·2^q plus a remainder, where 2^q is the spacing of the format's numbers at the value: the
// integer N and two bits about the remainder (is it at least half, is it other than 0 and half) decide every rounding,
// and a carry out of N runs into the exponent field by itself: up to the next binade, and to infinity at the end.
#include "reference/rounding.h"

#include "reference/exact_sum.h"
#include "reference/mpfr_exact.h"

struct cut {
    uint64_t bits; // magnitude, cut toward zero; format's infinity or more if the value is at least 2^(emax+1)
    bool half;     // the remainder is at least half a spacing
    bool more;     // the remainder is neither 0 nor half a spacing
};

// |value| < 2^e is nonzero; q is the exponent of the spacing and e > q, so N and the remainder are found by a shift.
static struct cut cut_at(const mpfr_t value, mpfr_exp_t q, uint64_t field_bits) {
    struct cut cut = {0, false, false};
    mpz_t mantissa;
    mpz_init(mantissa);
    mpfr_exp_t exponent = mpfr_get_z_2exp(mantissa, value);
    mpz_abs(mantissa, mantissa);
    if (exponent >= q) {
        mpz_mul_2exp(mantissa, mantissa, (mp_bitcnt_t)(exponent - q));
    } else {
        mp_bitcnt_t shift = (mp_bitcnt_t)(q - exponent);
        mp_bitcnt_t lowest = mpz_scan1(mantissa, 0);
        cut.half = mpz_tstbit(mantissa, shift - 1) != 0;
        cut.more = lowest < shift - 1;
        mpz_tdiv_q_2exp(mantissa, mantissa, shift);
    }
    cut.bits = field_bits + mpz_get_ui(mantissa); // N <= 2^p - 1 < 2^64
    mpz_clear(mantissa);
    return cut;
}

static struct cut cut_value(const mpfr_t value, const struct float_format *format) {
    mpfr_exp_t e = mpfr_get_exp(value); // 2^(e-1) <= |value| < 2^e
    mpfr_exp_t quantum = format->min_exponent - format->precision + 1;
    mpfr_exp_t q = e - format->precision > quantum ? e - format->precision : quantum;
    if (e > format->max_exponent + 1) {
        return (struct cut){format->infinity, false, true};
    }
    if (e <= q) { // below one spacing: only subnormal results get here
        bool half = e == q;
        return (struct cut){0, half, !half || mpfr_min_prec(value) > 1};
    }
    return cut_at(value, q, (uint64_t)(q - quantum) << (format->precision - 1));
}

static uint64_t sign_of(const mpfr_t value, const struct float_format *format) {
    return mpfr_signbit(value) ? format->sign_bit : 0;
}

uint64_t round_to_float(const mpfr_t value, enum float_type out) {
    const struct float_format *format = float_format(out);
    uint64_t sign = sign_of(value, format);
    if (mpfr_zero_p(value)) {
        return sign;
    }
    struct cut cut = cut_value(value, format);
    if (cut.bits >= format->infinity) {
        return sign | format->infinity;
    }
    bool up = cut.half && (cut.more || (cut.bits & 1) != 0);
    return sign | (cut.bits + up);
}

uint64_t truncate_to_float(const mpfr_t value, enum float_type out, bool *exact) {
    const struct float_format *format = float_format(out);
    uint64_t sign = sign_of(value, format);
    if (mpfr_zero_p(value)) {
        *exact = true;
        return sign;
    }
    struct cut cut = cut_value(value, format);
    *exact = !cut.half && !cut.more;
    return sign | (cut.bits > format->max_finite ? format->max_finite : cut.bits);
}

void set_float(mpfr_t rop, enum float_type type, uint64_t bits) {
    if (!float_is_infinite(type, bits)) {
        require_exact(mpfr_set_d(rop, float_to_double(type, bits), MPFR_RNDN), "float to MPFR");
        return;
    }
    int sign = float_is_negative(type, bits) ? -1 : 1;
    require_exact(mpfr_set_si_2exp(rop, sign, float_format(type)->max_exponent + 1, MPFR_RNDN), "infinity's place");
}
