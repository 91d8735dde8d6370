// SPDX-License-Identifier: MIT
#include "cases/corpus_sum.h"

#include "cases/families.h"
#include "reference/exact_sum.h"

// More bits than the sum of any 2^40 numbers of f64 has.
enum { STATED_BITS = 4096, CHUNK = 1024 };

double corpus_run_value(const struct corpus_run *run, uint64_t index) {
    switch (run->kind) {
    case RUN_RAMP:
        return run->first + (double)index * run->second;
    case RUN_LINSPACE:
        return run->first + (double)index * ((run->second - run->first) / (double)(run->count - 1));
    case RUN_REPEAT:
    default:
        return run->first;
    }
}

static void add_run(struct exact_bins *bins, enum float_type type, const struct corpus_run *run) {
    double numbers[CHUNK]; // of any type
    if (run->kind == RUN_REPEAT) {
        exact_bins_add_repeated(bins, float_from_double(type, run->first), run->count);
        return;
    }
    for (uint64_t first = 0; first < run->count; first += CHUNK) {
        size_t some = run->count - first < CHUNK ? (size_t)(run->count - first) : CHUNK;
        for (size_t i = 0; i < some; i++)
            store_value(type, numbers, i, corpus_run_value(run, first + i));
        exact_bins_add(bins, numbers, some);
    }
}

static bool is_stated(const struct exact_sum *exact, const mpfr_t stated) {
    switch (exact->class_) {
    case SUM_NAN:
        return mpfr_nan_p(stated);
    case SUM_PLUS_INFINITY:
    case SUM_MINUS_INFINITY:
        return mpfr_inf_p(stated) && (mpfr_sgn(stated) > 0) == (exact->class_ == SUM_PLUS_INFINITY);
    case SUM_FINITE:
    default:
        return mpfr_equal_p(exact->sum, stated) &&
               (!mpfr_zero_p(stated) || (mpfr_signbit(stated) != 0) == exact->all_minus_zero);
    }
}

bool corpus_sum_is(const struct corpus_file *file, enum float_type type, const char *stated) {
    struct exact_bins *bins = exact_bins_new(type);
    struct exact_sum exact;
    mpfr_t number;
    for (size_t r = 0; r < file->run_count; r++)
        add_run(bins, type, &file->runs[r]);
    exact_sum_of_bins(&exact, bins);
    mpfr_init2(number, STATED_BITS);
    bool is = mpfr_set_str(number, stated, 0, MPFR_RNDN) == 0 && is_stated(&exact, number);
    mpfr_clear(number);
    exact_sum_clear(&exact);
    exact_bins_free(bins);
    return is;
}
