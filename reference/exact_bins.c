// SPDX-License-Identifier: MIT
// Gathers mantissas in integer bins. Long pieces take three passes over each cache-sized block: gather every element
// into a hot bin (one shift, one mask, one addition); ask whether any element can lower the trailing exponent, which
// after the first few blocks is rare for data with full mantissas; and count zeros where the zero bins grew.
#include "reference/exact_bins.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A hot bin of f32 is a uint64_t: mantissas (23 bits) in bits 0..42, count from bit 43 on; 2^20 elements fit both. The
// 16-bit formats share it: their mantissas have 10 or 7 bits.
// A hot bin of f64 is 128 bits: mantissas (52 bits) in bits 0..91, count from bit 92 on; 2^35 elements fit both.
enum { COUNT_SHIFT_F32 = 43, COUNT_SHIFT_F64 = 92, BLOCK = WINDOW_CHUNK };
static const uint64_t pending_max_f32 = UINT64_C(1) << 20;
static const uint64_t pending_max_f64 = UINT64_C(1) << 35;
static const uint64_t mantissa_mask_f32 = 0x7fffff;
static const uint64_t mantissa_mask_f64 = 0xfffffffffffff;
typedef unsigned __int128 hot_f64;
// The caller's floats, read as integers or as floats. An element is aligned to its size: compilers do not vectorise
// others.
typedef uint32_t __attribute__((may_alias)) word_f32;
typedef uint64_t __attribute__((may_alias)) word_f64;
typedef uint16_t __attribute__((may_alias)) word_16;
typedef float __attribute__((may_alias)) float_f32;
typedef double __attribute__((may_alias)) float_f64;

static void *require_memory(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "reductio: out of memory for the bins of the exact sum.\n");
        abort();
    }
    return memory;
}

size_t exact_bins_size(const struct exact_bins *bins) {
    return 4 * ((size_t)float_format(bins->in)->max_exponent + 1); // two signs, exponent fields 0..2·emax + 1
}

static bool hot_bins_are_small(const struct exact_bins *bins) {
    return bins->in != FLOAT_F64;
}

static bool has_16_bits(const struct exact_bins *bins) {
    return bins->in == FLOAT_F16 || bins->in == FLOAT_BF16;
}

struct exact_bins *exact_bins_new_for(enum float_type in, enum exact_gather gather) {
    struct exact_bins *bins = require_memory(calloc(1, sizeof *bins));
    bins->in = in;
    bins->trailing_exponent = INT_MAX;
    bins->leading_exponent = INT_MIN;
    bins->code = gather == GATHER_BEST && !has_16_bits(bins) && chunk_code_avx2_runs() ? &chunk_code_avx2 : NULL;
    bins->totals = require_memory(malloc(exact_bins_size(bins) * sizeof *bins->totals));
    return bins;
}

struct exact_bins *exact_bins_new(enum float_type in) {
    return exact_bins_new_for(in, GATHER_BEST);
}

void exact_bins_free(struct exact_bins *bins) {
    if (bins != NULL) {
        free(bins->totals);
        free(bins->hot);
        free(bins->windows);
        free(bins);
    }
}

static struct bin_total hot_total(const struct exact_bins *bins, size_t index) {
    struct bin_total total = {0, 0};
    for (size_t set = 0; set < HOT_SETS; set++) {
        if (hot_bins_are_small(bins)) {
            uint64_t bin = ((const uint64_t *)bins->hot)[index * HOT_SETS + set];
            total.mantissas += bin & ((UINT64_C(1) << COUNT_SHIFT_F32) - 1);
            total.count += bin >> COUNT_SHIFT_F32;
        } else {
            hot_f64 bin = ((const hot_f64 *)bins->hot)[index * HOT_SETS + set];
            total.mantissas += bin & (((hot_f64)1 << COUNT_SHIFT_F64) - 1);
            total.count += (uint64_t)(bin >> COUNT_SHIFT_F64);
        }
    }
    return total;
}

struct bin_total exact_bins_total(const struct exact_bins *bins, size_t index) {
    struct bin_total total = {0, 0};
    if (exact_bins_touched(bins, index)) {
        total = bins->totals[index];
    }
    if (bins->pending != 0) {
        struct bin_total hot = hot_total(bins, index);
        total.mantissas += hot.mantissas;
        total.count += hot.count;
    }
    return total;
}

static void add_to_total(struct exact_bins *bins, size_t index, struct bin_total more) {
    if (!exact_bins_touched(bins, index)) {
        bins->touched[index / 64] |= UINT64_C(1) << (index % 64);
        bins->totals[index] = (struct bin_total){0, 0};
    }
    bins->totals[index].mantissas += more.mantissas;
    bins->totals[index].count += more.count;
}

static size_t hot_bytes(const struct exact_bins *bins) {
    return exact_bins_size(bins) * HOT_SETS * (hot_bins_are_small(bins) ? sizeof(uint64_t) : sizeof(hot_f64));
}

// Empties the hot bins into the totals.
static void spill_hot(struct exact_bins *bins) {
    for (size_t index = 0; index < exact_bins_size(bins); index++) {
        struct bin_total more = hot_total(bins, index);
        if (more.count != 0) {
            add_to_total(bins, index, more);
        }
    }
    memset(bins->hot, 0, hot_bytes(bins));
    bins->pending = 0;
}

// The largest q such that the nonzero finite value is a multiple of 2^q.
static int trailing_exponent_of(const struct float_format *format, uint64_t magnitude) {
    int stored = format->precision - 1;
    uint64_t field = magnitude >> stored;
    uint64_t mantissa = magnitude & ((UINT64_C(1) << stored) - 1);
    if (field == 0) {
        field = 1;
    } else {
        mantissa |= UINT64_C(1) << stored;
    }
    return (int)field - format->max_exponent - stored + __builtin_ctzll(mantissa);
}

static void lower_trailing_exponent(struct exact_bins *bins, uint64_t magnitude) {
    int q = trailing_exponent_of(float_format(bins->in), magnitude);
    bins->trailing_exponent = q < bins->trailing_exponent ? q : bins->trailing_exponent;
}

uint64_t exact_bins_harmless(const struct exact_bins *bins) {
    const struct float_format *format = float_format(bins->in);
    int stored = format->precision - 1;
    int quantum = format->min_exponent - stored;
    if (bins->trailing_exponent == INT_MAX) {
        return format->infinity;
    }
    if (bins->trailing_exponent == quantum) {
        return 0; // nothing can be lower
    }
    uint64_t field = (uint64_t)(bins->trailing_exponent - quantum + 1);
    uint64_t magnitude = field << stored;
    return magnitude < format->infinity ? magnitude : format->infinity;
}

static inline uint32_t bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t bits_of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Whether any |x| < limit = 2^(q+p-1) is no multiple of 2^q: limit + |x| lies where the format's spacing is 2^q, so
// that it rounds just then, and nothing else does. The minimum sends all that cannot matter, NaN included, to limit
// itself. Written without branches and compared as bits, for compilers to vectorise.
static bool any_finer_f32(const float_f32 *x, size_t n, float limit) {
    uint32_t difference = 0;
    for (size_t i = 0; i < n; i++) {
        float magnitude = fabsf(x[i]);
        float near = magnitude < limit ? magnitude : limit;
        difference |= bits_of_f32((near + limit) - limit) ^ bits_of_f32(near);
    }
    return difference != 0;
}

static bool any_finer_f64(const float_f64 *x, size_t n, double limit) {
    uint64_t difference = 0;
    for (size_t i = 0; i < n; i++) {
        double magnitude = fabs(x[i]);
        double near = magnitude < limit ? magnitude : limit;
        difference |= bits_of_f64((near + limit) - limit) ^ bits_of_f64(near);
    }
    return difference != 0;
}

static uint64_t count_zeros_f32(const word_f32 *x, size_t n) {
    uint32_t zeros = 0;
    for (size_t i = 0; i < n; i++) {
        zeros += x[i] << 1 == 0;
    }
    return zeros;
}

static uint64_t count_zeros_f64(const word_f64 *x, size_t n) {
    uint64_t zeros = 0;
    for (size_t i = 0; i < n; i++) {
        zeros += x[i] << 1 == 0;
    }
    return zeros;
}

static uint64_t count_zeros_16(const word_16 *x, size_t n) {
    uint64_t zeros = 0;
    for (size_t i = 0; i < n; i++) {
        zeros += (uint16_t)(x[i] << 1) == 0;
    }
    return zeros;
}

static void gather_16(uint64_t *hot, const word_16 *x, size_t n, int stored) {
    const unsigned mask = (1u << stored) - 1;
    for (size_t i = 0; i < n; i++) {
        unsigned bits = x[i];
        hot[(bits >> stored) * HOT_SETS + i % HOT_SETS] += (UINT64_C(1) << COUNT_SHIFT_F32) | (bits & mask);
    }
}

static void gather_f32(uint64_t *hot, const word_f32 *x, size_t n) {
    size_t i = 0;
    for (; i + HOT_SETS <= n; i += HOT_SETS) {
        for (size_t set = 0; set < HOT_SETS; set++) {
            uint32_t bits = x[i + set];
            hot[(bits >> 23) * HOT_SETS + set] += (UINT64_C(1) << COUNT_SHIFT_F32) | (bits & mantissa_mask_f32);
        }
    }
    for (; i < n; i++) {
        hot[(x[i] >> 23) * HOT_SETS] += (UINT64_C(1) << COUNT_SHIFT_F32) | (x[i] & mantissa_mask_f32);
    }
}

static void gather_f64(hot_f64 *hot, const word_f64 *x, size_t n) {
    size_t i = 0;
    for (; i + HOT_SETS <= n; i += HOT_SETS) {
        for (size_t set = 0; set < HOT_SETS; set++) {
            uint64_t bits = x[i + set];
            hot[(bits >> 52) * HOT_SETS + set] += ((hot_f64)1 << COUNT_SHIFT_F64) | (bits & mantissa_mask_f64);
        }
    }
    for (; i < n; i++) {
        hot[(x[i] >> 52) * HOT_SETS] += ((hot_f64)1 << COUNT_SHIFT_F64) | (x[i] & mantissa_mask_f64);
    }
}

// Some normal element of the piece may lower the trailing exponent.
static bool any_finer(const struct exact_bins *bins, const void *x, size_t n) {
    uint64_t harmless = exact_bins_harmless(bins);
    if (harmless >= float_format(bins->in)->max_finite || (has_16_bits(bins) && harmless != 0)) {
        return true; // no limit of this size can be added to itself; 16-bit numbers are looked at one by one
    }
    double limit = float_to_double(bins->in, harmless);
    return harmless != 0 && (bins->in == FLOAT_F32 ? any_finer_f32(x, n, (float)limit) : any_finer_f64(x, n, limit));
}

static uint64_t load_magnitude(enum float_type in, const void *x, size_t index) {
    switch (in) {
    case FLOAT_F32:
        return ((const word_f32 *)x)[index] & INT32_MAX;
    case FLOAT_F64:
        return ((const word_f64 *)x)[index] & INT64_MAX;
    default:
        return ((const word_16 *)x)[index] & INT16_MAX;
    }
}

void exact_bins_scan_trailing(struct exact_bins *bins, const void *x, size_t n) {
    uint64_t harmless = exact_bins_harmless(bins);
    for (size_t i = 0; i < n && harmless != 0; i++) {
        uint64_t magnitude = load_magnitude(bins->in, x, i);
        if (magnitude != 0 && magnitude < harmless) {
            lower_trailing_exponent(bins, magnitude);
            harmless = exact_bins_harmless(bins);
        }
    }
}

// Elements so far in the hot bins of ±0 and the subnormals.
static uint64_t hot_tiny(const struct exact_bins *bins) {
    return hot_total(bins, 0).count + hot_total(bins, exact_bins_size(bins) / 2).count;
}

static void gather(struct exact_bins *bins, const void *x, size_t n) {
    switch (bins->in) {
    case FLOAT_F32:
        gather_f32(bins->hot, x, n);
        return;
    case FLOAT_F64:
        gather_f64(bins->hot, x, n);
        return;
    default:
        gather_16(bins->hot, x, n, float_format(bins->in)->precision - 1);
    }
}

static uint64_t count_zeros(enum float_type in, const void *x, size_t n) {
    switch (in) {
    case FLOAT_F32:
        return count_zeros_f32(x, n);
    case FLOAT_F64:
        return count_zeros_f64(x, n);
    default:
        return count_zeros_16(x, n);
    }
}

static void add_block(struct exact_bins *bins, const void *x, size_t n) {
    uint64_t pending_max = hot_bins_are_small(bins) ? pending_max_f32 : pending_max_f64;
    if (bins->hot == NULL) {
        bins->hot = require_memory(calloc(1, hot_bytes(bins)));
    }
    if (bins->pending > pending_max - BLOCK) {
        spill_hot(bins);
    }
    uint64_t tiny = hot_tiny(bins);
    gather(bins, x, n);
    uint64_t subnormals = hot_tiny(bins) - tiny;
    if (subnormals != 0) {
        uint64_t zeros = count_zeros(bins->in, x, n);
        bins->zeros += zeros;
        subnormals -= zeros;
    }
    // Subnormals are looked at one by one: a process that flushes them would not see them in floating point.
    if (subnormals != 0 || any_finer(bins, x, n)) {
        exact_bins_scan_trailing(bins, x, n);
    }
    bins->pending += n;
    bins->n += n;
}

void exact_bins_add_copies(struct exact_bins *bins, uint64_t bits, uint64_t count) {
    int stored = float_format(bins->in)->precision - 1;
    uint64_t mantissa = bits & ((UINT64_C(1) << stored) - 1);
    uint64_t magnitude = bits & (float_format(bins->in)->sign_bit - 1);
    add_to_total(bins, bits >> stored, (struct bin_total){(unsigned __int128)mantissa * count, count});
    if (magnitude == 0) {
        bins->zeros += count;
    } else if (magnitude < exact_bins_harmless(bins)) {
        lower_trailing_exponent(bins, magnitude);
    }
}

static void require_room(const struct exact_bins *bins, uint64_t more) {
    const uint64_t limit = UINT64_C(1) << 40;
    if (more > limit || bins->n > limit - more) {
        fprintf(stderr, "reductio: the exact sum takes at most 2^40 elements.\n");
        abort();
    }
}

void exact_bins_add_repeated(struct exact_bins *bins, uint64_t bits, uint64_t count) {
    require_room(bins, count);
    if (count == 0) {
        return;
    }
    exact_bins_add_copies(bins, bits, count);
    bins->n += count;
}

void exact_bins_merge(struct exact_bins *bins, const struct exact_bins *from) {
    require_room(bins, from->n);
    for (size_t index = 0; index < exact_bins_size(from); index++) {
        struct bin_total more = exact_bins_total(from, index);
        if (more.count != 0) {
            add_to_total(bins, index, more);
        }
    }
    bins->n += from->n;
    bins->zeros += from->zeros;
    if (from->trailing_exponent < bins->trailing_exponent) {
        bins->trailing_exponent = from->trailing_exponent;
    }
    if (from->leading_exponent > bins->leading_exponent) {
        bins->leading_exponent = from->leading_exponent;
    }
    bins->has_subnormal |= from->has_subnormal;
    if (from->windows != NULL) {
        merge_windows(exact_bins_windows(bins), from->windows);
    }
}

void exact_bins_add(struct exact_bins *bins, const void *x, size_t n) {
    enum { SHORT = 256 };
    require_room(bins, n);
    if (n < SHORT) { // not worth the hot bins' cost
        for (size_t i = 0; i < n; i++) {
            exact_bins_add_repeated(bins, float_load(bins->in, x, i), 1);
        }
        return;
    }
    size_t size = float_format(bins->in)->size;
    bool aligned = (uintptr_t)x % size == 0;
    double copy[BLOCK];
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t length = n - i < BLOCK ? n - i : BLOCK;
        const void *block = (const char *)x + i * size;
        if (!aligned) {
            block = memcpy(copy, block, length * size);
        }
        if (bins->code == NULL || length < WINDOW_CHUNK || !exact_bins_add_chunk(bins, block)) {
            add_block(bins, block, length);
        }
    }
}
