// SPDX-License-Identifier: MIT
// The gathering state behind exact_sum.h. Internal to reference/.
//
// There is one bin for each value of the sign and exponent field: 2^9 for f32 and bf16, 2^12 for f64, 2^6 for f16. A
// bin holds the integer sum of the stored mantissa fields of its elements and their number; the implicit leading ones
// are count·2^(p-1). Infinities and NaN have bins of their own (mantissa sum 0 or not), and so have ±0 with the
// subnormals.
#ifndef REDUCTIO_EXACT_BINS_H
#define REDUCTIO_EXACT_BINS_H

#include "reference/exact_sum.h"
#include "reference/exact_windows.h"

enum { HOT_SETS = 4, MOST_BINS = 1 << 12 };

// At most 2^40 mantissas below 2^52 make less than 2^92.
struct bin_total {
    unsigned __int128 mantissas;
    uint64_t count;
};

struct exact_bins {
    enum float_type in;
    uint64_t n;
    uint64_t zeros;                   // elements that are ±0
    int trailing_exponent;            // as in struct exact_sum
    struct bin_total *totals;         // those that are touched; the rest is not even initialised
    uint64_t touched[MOST_BINS / 64]; // bit i: totals[i] counts
    // Where long pieces are gathered: HOT_SETS interleaved copies of each bin, so that neighbours in the array do not
    // wait for each other's store. Mantissas and count share one integer, and `pending` bounds both. NULL until first
    // needed.
    void *hot;
    uint64_t pending; // elements in `hot`
    // Where whole chunks are gathered if the processor can; NULL until first needed.
    const struct chunk_code *code; // NULL: it cannot
    struct exact_windows *windows;
    int leading_exponent; // of the elements in windows, as in struct exact_sum
    bool has_subnormal;   // likewise
};

// How long arrays are gathered: as well as the processor can, or in plain C whatever it can.
enum exact_gather { GATHER_BEST, GATHER_PLAIN };
struct exact_bins *exact_bins_new_for(enum float_type in, enum exact_gather gather);

static inline bool exact_bins_touched(const struct exact_bins *bins, size_t index) {
    return (bins->touched[index / 64] >> (index % 64) & 1) != 0;
}

size_t exact_bins_size(const struct exact_bins *bins); // number of bins
// The bin's total, with what is still in `hot`.
struct bin_total exact_bins_total(const struct exact_bins *bins, size_t index);

// The parts of gathering. Adds `count` copies of one value without counting them in n.
void exact_bins_add_copies(struct exact_bins *bins, uint64_t bits, uint64_t count);
// Elements of at least this magnitude (as bits) are multiples of 2^trailing_exponent whatever their mantissa.
uint64_t exact_bins_harmless(const struct exact_bins *bins);
// Lowers the trailing exponent to that of the elements, looking at each.
void exact_bins_scan_trailing(struct exact_bins *bins, const void *x, size_t n);
struct exact_windows *exact_bins_windows(struct exact_bins *bins);
// Adds WINDOW_CHUNK elements. False, with nothing done, for a chunk that is not worth it: with infinities or NaN, or
// without a normal number.
bool exact_bins_add_chunk(struct exact_bins *bins, const void *x);

#endif
