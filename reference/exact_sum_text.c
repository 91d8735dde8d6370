// SPDX-License-Identifier: MIT
// The exact sum as text.
#include "reference/exact_sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *allocate_text(size_t size) {
    char *text = malloc(size);
    if (text == NULL) {
        fprintf(stderr, "reductio: out of memory for the text of an exact sum.\n");
        abort();
    }
    return text;
}

// "nan", "inf", "-inf", or NULL for a finite sum.
static const char *special_word(const struct exact_sum *sum) {
    switch (sum->class_) {
    case SUM_NAN:
        return "nan";
    case SUM_PLUS_INFINITY:
        return "inf";
    case SUM_MINUS_INFINITY:
        return "-inf";
    default:
        return NULL;
    }
}

static char *copy_text(const char *word) {
    char *text = allocate_text(strlen(word) + 1);
    return strcpy(text, word);
}

char *exact_sum_decimal(const struct exact_sum *sum) {
    static const char format[] = "%.40RNg"; // shorter sums print shorter: %g drops trailing zeros
    if (special_word(sum) != NULL) {
        return copy_text(special_word(sum));
    }
    if (sum->all_minus_zero) { // whose mpfr_t has lost the sign
        return copy_text("-0");
    }
    int length = mpfr_snprintf(NULL, 0, format, sum->sum);
    if (length < 0) {
        fprintf(stderr, "reductio: MPFR cannot print an exact sum.\n");
        abort();
    }
    char *text = allocate_text((size_t)length + 1);
    mpfr_snprintf(text, (size_t)length + 1, format, sum->sum);
    return text;
}

// "[-]0x1.<digits>p<exponent>" from |value| = mantissa·2^exponent, mantissa > 0.
static char *write_hex(mpz_t mantissa, mpfr_exp_t exponent, bool negative) {
    enum { AROUND = 40 }; // sign, prefix, point, exponent
    size_t fraction_bits = mpz_sizeinbase(mantissa, 2) - 1;
    exponent += (mpfr_exp_t)fraction_bits;
    mpz_mul_2exp(mantissa, mantissa, (4 - fraction_bits % 4) % 4); // the leading digit becomes 1
    size_t size = mpz_sizeinbase(mantissa, 16) + AROUND;
    char *digits = allocate_text(size);
    mpz_get_str(digits, 16, mantissa);
    size_t length = strlen(digits);
    while (length > 1 && digits[length - 1] == '0') {
        length--;
    }
    digits[length] = '\0';
    char *text = allocate_text(size);
    snprintf(text, size, "%s0x1%s%sp%+ld", negative ? "-" : "", length > 1 ? "." : "", digits + 1, (long)exponent);
    free(digits);
    return text;
}

char *exact_sum_hex(const struct exact_sum *sum) {
    if (special_word(sum) != NULL) {
        return copy_text(special_word(sum));
    }
    if (mpfr_zero_p(sum->sum)) {
        return copy_text(sum->all_minus_zero ? "-0x0p+0" : "0x0p+0");
    }
    mpz_t mantissa;
    mpz_init(mantissa);
    mpfr_exp_t exponent = mpfr_get_z_2exp(mantissa, sum->sum);
    mpz_abs(mantissa, mantissa);
    char *text = write_hex(mantissa, exponent, mpfr_sgn(sum->sum) < 0);
    mpz_clear(mantissa);
    return text;
}
