// SPDX-License-Identifier: MIT
// The fast side of the gathering state behind exact_sum.h: whole chunks of an array, with AVX2. Internal to reference/.
//
// A chunk is 1024 elements. It is read once, in the way that the chunk before it took (memory is what the sum waits
// for): what that pass finds of the exponents says whether the way holds, and only where it does not the chunk is read
// again. Nothing rounds either way:
//
// Narrow. With top the largest exponent (rounded up, so that there are few cases), every |x| < 2^(top+1) = 2^(k-1),
// where k = top + 2. C = 1.5·2^k. f32, as a double: where every exponent is at least top - 27, every x is a multiple of
// 2^(top-50) = 2^(k-52), the spacing of the doubles around C, so that x + C does not round and its encoding, as an
// integer, is that of C plus x / 2^(k-52). f64: x + C rounds to such a number, high = (x + C) - C is exact, and so is
// low = x - high, below 2^(k-52) in magnitude whatever the rounding mode (Rump, Ogita & Oishi 2008, "Accurate
// floating-point summation part I", section 3, for the extraction). Where every exponent is at least top - 49, low is a
// multiple of 2^(k-103), and added to 1.5·2^(k-51) it does not round either. The encodings are added as integers: 1024
// of less than 2^51 in magnitude, beside a known multiple of the encodings of the constants. Their disjunction ends in
// as many zero bits as the element with the fewest, which is the trailing exponent.
//
// Wide. f32: a window is one exponent of one sign, the top nine bits of the element, and takes the encodings whole,
// each with 2^48 added: the upper bits count them, the lower 48 hold less than 2^16 encodings below 2^32, and
// count·window·2^23 of these is not mantissa. f64: a window is 16 neighbouring exponents of one sign, the top byte.
// Significands, the leading one included where there is one, are cut into the low 26 bits and the rest, shifted by
// their exponent's place in the window (less than 2^41 and 2^42) and added; 2^20 of them stay below 2^62, in however
// few sets. Four sets take turns, so that neighbours in the array do not wait for each other's store, and all of them
// fit half of a first cache. f64 makes do with two sets, and so leaves more of the cache to the array, unless
// neighbours share a window often: they are 16 bytes, which a processor hands from store to load in 10 cycles.
// Infinities and NaN, which this adds like numbers, are taken out again.
#ifndef REDUCTIO_EXACT_WINDOWS_H
#define REDUCTIO_EXACT_WINDOWS_H

#include "reference/float_type.h"

enum {
    WINDOW_CHUNK = 1024,
    WINDOWS_F32 = 512,
    WINDOWS_F64 = 256,
    WINDOW_SETS = 4,
    FEW_SETS = 2,                     // that f64 takes where few neighbours share a window
    PENDING_F32 = 255 * WINDOW_CHUNK, // elements in all sets together: less than 2^16 in one
    PENDING_F64 = 1 << 20,
    NARROW_STEP = 8,    // exponents that `top` is rounded up to a multiple of, less one
    NARROW_GROUPS = 256 // exponent fields / NARROW_STEP, in f64
};
#define ONE_F32 (UINT64_C(1) << 48) // counts an element in its window

_Static_assert(PENDING_F32 / WINDOW_SETS < 1 << 16, "a window of f32 has room for encodings and count");
_Static_assert(PENDING_F64 <= 1 << 21, "a window's integers do not overflow");

// Sums of x and of the negative x alone, in units of one power of two.
struct narrow_total {
    __int128 sum, negative;
};

// What a window's integers come to; f32: part[0]; f64: low and high part.
struct window_sums {
    unsigned __int128 part[2];
};

struct exact_windows {
    union {
        uint64_t f32[WINDOW_SETS][WINDOWS_F32 + 8];    // sets lie apart by no power of two
        uint64_t f64[WINDOW_SETS][WINDOWS_F64 + 4][2]; // low and high part
    } hot;
    uint64_t pending; // elements in `hot` since it was last emptied
    bool crowded;     // neighbours of the wide chunk before shared windows often
    enum float_type in;
    struct window_sums totals[WINDOWS_F32];       // what `hot` has been emptied into
    struct narrow_total narrow[NARROW_GROUPS][2]; // by highest / NARROW_STEP; f32: [0]; f64: highs and lows
    unsigned group;                               // of the chunk before; NO_GROUP if it went the wide way
};
enum { NO_GROUP = NARROW_GROUPS };
// f64: C must not overflow, and no low part may be subnormal.
enum { LEAST_GROUP_F64 = 16, MOST_GROUP_F64 = 254 };

// The exponents of a chunk, as the encoding has them, and its zeros.
struct chunk_facts {
    unsigned highest,
        lowest; // exponent fields of the largest and of the least element other than 0; 0 if there is none
    unsigned zeros;
};

// A chunk gathered the narrow way: [0] f32, or the highs of f64; [1] their lows.
struct narrow_sums {
    int64_t sum[2], negative[2];
    uint64_t bits[2]; // of all integers together
};

// What a processor does with a chunk. The sums of a narrow pass hold only if chunk_fits(); a wide one is added at once.
struct chunk_code {
    struct chunk_facts (*add_narrow_f32)(const void *x, unsigned group, struct narrow_sums *sums);
    struct chunk_facts (*add_narrow_f64)(const void *x, unsigned group, struct narrow_sums *sums);
    struct chunk_facts (*add_wide_f32)(struct exact_windows *windows, const void *x);
    struct chunk_facts (*add_wide_f64)(struct exact_windows *windows, const void *x);
    // As any_finer of exact_bins.c.
    bool (*any_finer_f32)(const void *x, float limit);
    bool (*any_finer_f64)(const void *x, double limit);
};
extern const struct chunk_code chunk_code_avx2;
bool chunk_code_avx2_runs(void); // on this processor

// Whether all elements of a chunk are in reach of the narrow way with the top of this group.
bool chunk_fits(enum float_type in, const struct chunk_facts *facts, unsigned group);
// The group that reaches them if any does.
unsigned group_of_chunk(const struct chunk_facts *facts);
// Adds what a chunk that fits came to; returns its trailing exponent, INT_MAX if it is all zeros.
int add_narrow_sums(struct exact_windows *windows, unsigned group, const struct narrow_sums *sums);
// Undoes what the wide way did with one infinity or NaN.
void take_out_of_windows(struct exact_windows *windows, uint64_t bits);
struct exact_windows *exact_windows_new(enum float_type in); // aborts when memory is out; free with free()
void empty_windows(struct exact_windows *windows);
void merge_windows(struct exact_windows *windows, const struct exact_windows *from);

// One integer of the state: value = mantissa·2^unit, or its negative.
struct window_value {
    unsigned __int128 mantissa;
    int unit;
    bool negative;
};
enum { WINDOW_VALUES = 2 * WINDOWS_F32 + 4 * NARROW_GROUPS };
// Puts all that are not 0 into values; returns their number.
size_t list_windows(const struct exact_windows *windows, struct window_value values[WINDOW_VALUES]);

#endif
