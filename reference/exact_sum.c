// SPDX-License-Identifier: MIT
// From integer bins to the exact sum. Each bin is an integer times a power of two; MPFR adds the positive and the
// negative ones apart, at a precision that reaches from the lowest bin's unit to the highest bit that all bins together
// can set.
#include "reference/exact_sum.h"

#include "reference/exact_bins.h"
#include "reference/mpfr_exact.h"
#include "reference/parallel.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

// What the bins and windows hold of finite elements, read once as integers.
struct bin_values {
    struct window_value *list;
    size_t count;
    uint64_t not_finite;
    int leading_exponent; // as in struct exact_sum
    bool nan, plus_infinity, minus_infinity, has_subnormal;
};

static int bit_length(unsigned __int128 value) {
    uint64_t high = (uint64_t)(value >> 64);
    uint64_t low = (uint64_t)value;
    if (high != 0) {
        return 128 - __builtin_clzll(high);
    }
    return low != 0 ? 64 - __builtin_clzll(low) : 0;
}

static void note_special(struct bin_values *values, const struct bin_total *total, bool negative) {
    values->not_finite += total->count;
    if (total->mantissas != 0) {
        values->nan = true; // an infinity's mantissa field is 0, a NaN's is not
    }
    // With a NaN in the bin it does not matter whether infinities are there too.
    *(negative ? &values->minus_infinity : &values->plus_infinity) = true;
}

// Takes in the bin of one sign and exponent field.
static void read_bin(struct bin_values *values, const struct exact_bins *bins, size_t index) {
    const struct float_format *format = float_format(bins->in);
    int stored = format->precision - 1;
    size_t fields = exact_bins_size(bins) / 2;
    bool negative = index >= fields;
    int field = (int)(index % fields);
    struct bin_total total = exact_bins_total(bins, index);
    if (total.count == 0) {
        return;
    }
    if (field == (int)fields - 1) {
        note_special(values, &total, negative);
        return;
    }
    values->has_subnormal |= field == 0 && total.mantissas != 0;
    unsigned __int128 implicit = field == 0 ? 0 : (unsigned __int128)total.count << stored;
    int unit = (field == 0 ? 1 : field) - format->max_exponent - stored;
    if (total.mantissas + implicit != 0) {
        values->list[values->count++] = (struct window_value){total.mantissas + implicit, unit, negative};
        int leading = field - format->max_exponent;
        values->leading_exponent = leading > values->leading_exponent ? leading : values->leading_exponent;
    }
}

// The bins that may hold something, 64 a word.
static uint64_t occupied_bins(const struct exact_bins *bins, size_t word) {
    return bins->pending != 0 ? UINT64_MAX : bins->touched[word];
}

static struct bin_values read_bins(const struct exact_bins *bins) {
    size_t words = exact_bins_size(bins) / 64;
    size_t most = bins->windows != NULL ? WINDOW_VALUES : 0;
    for (size_t word = 0; word < words; word++) {
        most += (size_t)__builtin_popcountll(occupied_bins(bins, word));
    }
    struct bin_values values = {.list = malloc((most + 1) * sizeof *values.list),
                                .leading_exponent = bins->leading_exponent,
                                .has_subnormal = bins->has_subnormal};
    if (values.list == NULL) {
        fprintf(stderr, "reductio: out of memory for the exact sum.\n");
        abort();
    }
    for (size_t word = 0; word < words; word++) {
        for (uint64_t rest = occupied_bins(bins, word); rest != 0; rest &= rest - 1) {
            read_bin(&values, bins, word * 64 + (size_t)__builtin_ctzll(rest));
        }
    }
    if (bins->windows != NULL) {
        values.count += list_windows(bins->windows, values.list + values.count);
    }
    return values;
}

// The bits between the lowest unit and the highest that the sum of all magnitudes can reach; it holds every partial
// sum.
static mpfr_prec_t working_precision(const struct bin_values *values) {
    int bottom = INT_MAX;
    int top = INT_MIN;
    for (size_t i = 0; i < values->count; i++) {
        int highest = values->list[i].unit + bit_length(values->list[i].mantissa);
        bottom = values->list[i].unit < bottom ? values->list[i].unit : bottom;
        top = highest > top ? highest : top;
    }
    if (values->count == 0) {
        return MPFR_PREC_MIN;
    }
    return top - bottom + bit_length(values->count);
}

static void add_bin(mpfr_t total, mpfr_t word, const struct window_value *value) {
    const uint64_t halves[2] = {(uint64_t)value->mantissa, (uint64_t)(value->mantissa >> 64)};
    for (int i = 0; i < 2; i++) {
        if (halves[i] != 0) {
            require_exact(mpfr_set_uj_2exp(word, halves[i], value->unit + 64 * i, MPFR_RNDN), "bin to MPFR");
            require_exact(mpfr_add(total, total, word, MPFR_RNDN), "sum of bins");
        }
    }
}

// The sums of all finite elements, from those of either sign.
static void add_bins(struct exact_sum *sum, const struct bin_values *values) {
    mpfr_prec_t precision = working_precision(values);
    mpfr_t positive, negative, word;
    mpfr_inits2(precision, positive, negative, (mpfr_ptr)0);
    mpfr_init2(word, 64);
    mpfr_init2(sum->sum, precision);
    mpfr_init2(sum->abs_sum, precision);
    mpfr_init2(sum->opposing_sum, precision);
    mpfr_set_zero(sum->opposing_sum, 1);
    mpfr_set_zero(positive, 1);
    mpfr_set_zero(negative, 1);
    for (size_t i = 0; i < values->count; i++) {
        add_bin(values->list[i].negative ? negative : positive, word, &values->list[i]);
    }
    require_exact(mpfr_sub(sum->sum, positive, negative, MPFR_RNDN), "positive minus negative");
    require_exact(mpfr_add(sum->abs_sum, positive, negative, MPFR_RNDN), "positive plus negative");
    if (sum->class_ == SUM_PLUS_INFINITY || sum->class_ == SUM_MINUS_INFINITY) {
        mpfr_swap(sum->opposing_sum, sum->class_ == SUM_PLUS_INFINITY ? negative : positive);
    }
    mpfr_clears(positive, negative, word, (mpfr_ptr)0);
}

static enum sum_class class_of(const struct bin_values *values) {
    if (values->nan || (values->plus_infinity && values->minus_infinity)) {
        return SUM_NAN;
    }
    if (values->plus_infinity) {
        return SUM_PLUS_INFINITY;
    }
    return values->minus_infinity ? SUM_MINUS_INFINITY : SUM_FINITE;
}

void exact_sum_of_bins(struct exact_sum *sum, const struct exact_bins *bins) {
    struct exponent_range range = enter_full_exponent_range();
    struct bin_values values = read_bins(bins);
    struct bin_total minus_tiny = exact_bins_total(bins, exact_bins_size(bins) / 2);
    sum->in = bins->in;
    sum->class_ = class_of(&values);
    sum->n = bins->n;
    sum->trailing_exponent = bins->trailing_exponent;
    sum->leading_exponent = values.leading_exponent;
    sum->nonzero = bins->n - bins->zeros - values.not_finite;
    sum->all_minus_zero = bins->n > 0 && minus_tiny.count == bins->n && minus_tiny.mantissas == 0;
    sum->has_nan = values.nan;
    sum->has_subnormal = values.has_subnormal;
    add_bins(sum, &values);
    if (sum->class_ != SUM_FINITE) {
        mpfr_set_zero(sum->sum, 1);
    }
    free(values.list);
    leave_full_exponent_range(range);
}

// An array cut into pieces of equal size, the last one shorter, and the bins of each.
struct pieces {
    enum float_type in;
    const char *x;
    size_t n, size;
    struct exact_bins **bins;
};

static void gather_piece(void *context, size_t part) {
    struct pieces *pieces = context;
    size_t first = part * pieces->size;
    size_t count = pieces->n - first < pieces->size ? pieces->n - first : pieces->size;
    pieces->bins[part] = exact_bins_new(pieces->in);
    exact_bins_add(pieces->bins[part], pieces->x + first * float_format(pieces->in)->size, count);
}

void exact_sum_parallel(struct exact_sum *sum, enum float_type in, const void *x, size_t n, unsigned threads) {
    enum { MOST_PIECES = 256, LEAST_PIECE = 1 << 16 }; // a smaller piece takes less time than starting its thread
    struct exact_bins *bins[MOST_PIECES];
    size_t wanted = threads ? threads : usable_processors();
    size_t worth = n / LEAST_PIECE + 1;
    size_t count = wanted < worth ? wanted : worth;
    count = count < MOST_PIECES ? count : MOST_PIECES;
    struct pieces pieces = {.in = in, .x = x, .n = n, .size = n / count + 1, .bins = bins};
    size_t filled = n / pieces.size + 1; // of them, the last may be empty
    run_in_parallel((unsigned)count, filled, gather_piece, &pieces);
    for (size_t i = 1; i < filled; i++) {
        exact_bins_merge(bins[0], bins[i]);
        exact_bins_free(bins[i]);
    }
    exact_sum_of_bins(sum, bins[0]);
    exact_bins_free(bins[0]);
}

void exact_sum(struct exact_sum *sum, enum float_type in, const void *x, size_t n) {
    exact_sum_parallel(sum, in, x, n, 1);
}

void exact_sum_clear(struct exact_sum *sum) {
    mpfr_clears(sum->sum, sum->abs_sum, sum->opposing_sum, (mpfr_ptr)0);
}

uint64_t exact_sum_round(const struct exact_sum *sum, enum float_type out) {
    const struct float_format *format = float_format(out);
    switch (sum->class_) {
    case SUM_NAN:
        return format->infinity | UINT64_C(1) << (format->precision - 2); // a quiet one
    case SUM_PLUS_INFINITY:
        return format->infinity;
    case SUM_MINUS_INFINITY:
        return format->sign_bit | format->infinity;
    default:
        break;
    }
    if (mpfr_zero_p(sum->sum)) {
        return sum->all_minus_zero ? format->sign_bit : 0;
    }
    return round_to_float(sum->sum, out);
}

bool exact_sum_never_rounds(const struct exact_sum *sum, enum float_type out) {
    const struct float_format *format = float_format(out);
    if (sum->class_ != SUM_FINITE) {
        return false;
    }
    if (sum->nonzero == 0) {
        return true;
    }
    if (sum->trailing_exponent < format->min_exponent - format->precision + 1) {
        return false;
    }
    int top = sum->trailing_exponent + format->precision;
    bool overflows = mpfr_cmp_ui_2exp(sum->abs_sum, 1, format->max_exponent + 1) >= 0;
    return !overflows && mpfr_cmp_ui_2exp(sum->abs_sum, 1, top) <= 0;
}

double exact_sum_condition(const struct exact_sum *sum) {
    if (sum->class_ != SUM_FINITE) {
        return NAN;
    }
    if (sum->nonzero == 0) {
        return 1;
    }
    if (mpfr_zero_p(sum->sum)) {
        return INFINITY;
    }
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t ratio;
    mpfr_init2(ratio, 53);
    mpfr_div(ratio, sum->abs_sum, sum->sum, MPFR_RNDN);
    mpfr_abs(ratio, ratio, MPFR_RNDN);
    double condition = mpfr_get_d(ratio, MPFR_RNDZ); // so that a huge one stays finite
    mpfr_clear(ratio);
    leave_full_exponent_range(range);
    return condition;
}
