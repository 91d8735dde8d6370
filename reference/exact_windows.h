// SPDX-License-Identifier: MIT
// The fast side of the gathering state behind exact_sum.h: whole chunks of an array, with AVX2. Internal to reference/.
//
// A chunk is 1024 elements. Its exponents decide how it is gathered, and nothing rounds either way:
//
// Narrow. With top the largest exponent (rounded up, so that there are few cases), every |x| < 2^(top+1). f32: each
// element is added as a double, 128 to a lane, so that a lane stays below 2^(top+8); where every exponent is at least
// top - 22, all are multiples of 2^(top-45), of which a lane then holds at most 2^53: no addition rounds. f64: with
// k = top + 8 and C = 1.5·2^k, high = (x + C) - C is a multiple of 2^(k-52) and low = x - high is exact and at most
// 2^(k-52), whatever the rounding mode (Rump, Ogita & Oishi 2008, "Accurate floating-point summation part I", section
// 3, for the extraction). A lane takes 128 of each: the highs stay at or below 2^k, 2^52 of their units, and where
// every exponent is at least top - 37, the lows are multiples of 2^(k-97) and stay below 2^(k-45), 2^52 of those. The
// lanes are integers in these units, and are added up as such, for x and for |x|.
//
// Wide. A window is 2 (f32) or 16 (f64) neighbouring exponents of one sign: the top byte of the element. Significands,
// the leading one included where there is one, are shifted by their exponent's place in the window and added to the
// window's integers: f32 as one of less than 2^25, f64 cut into the low 26 bits and the rest, less than 2^41 and 2^42.
// WINDOW_PENDING elements, 2^20, keep every sum below 2^62. Eight sets take turns, so that neighbours in the array do
// not wait for each other's store.
#ifndef REDUCTIO_EXACT_WINDOWS_H
#define REDUCTIO_EXACT_WINDOWS_H

#include "reference/float_type.h"

enum {
    WINDOW_CHUNK = 1024,
    WINDOWS = 256,
    WINDOW_SETS = 8,
    WINDOW_PENDING = 1 << 20,
    NARROW_STEP = 8,    // exponents that `top` is rounded up to a multiple of, less one
    NARROW_GROUPS = 256 // exponent fields / NARROW_STEP, in f64
};

// 2^20 integers below 2^42, and room to add the sets of a window up.
_Static_assert(WINDOW_PENDING <= 1 << 21, "a window's integers do not overflow");

// Sums of x and of |x| (of low parts: times the sign of their x) in units of one power of two.
struct narrow_total {
    __int128 sum, magnitude;
};

struct exact_windows {
    union {
        uint64_t f32[WINDOW_SETS][WINDOWS + 8]; // sets lie apart by no power of two
        uint64_t f64[WINDOWS][WINDOW_SETS][2];  // low and high part
    } hot;
    uint64_t pending; // elements in `hot` since it was last emptied
    enum float_type in;
    unsigned __int128 totals[WINDOWS][2];         // what `hot` has been emptied into
    struct narrow_total narrow[NARROW_GROUPS][2]; // by highest / NARROW_STEP; f32: [0]; f64: highs and lows
};

// The exponents of a chunk, as the encoding has them.
struct chunk_facts {
    unsigned highest, lowest; // exponent fields of the largest and the least element, `tiny` ones left aside
    bool tiny;                // there are zeros (f64: or subnormals whose high word is 0)
    bool positive, negative;  // there are elements of this sign
};

// What a processor does with a chunk.
struct chunk_code {
    struct chunk_facts (*read_f32)(const void *x);
    struct chunk_facts (*read_f64)(const void *x);
    void (*add_narrow_f32)(struct exact_windows *windows, const void *x, const struct chunk_facts *facts);
    void (*add_narrow_f64)(struct exact_windows *windows, const void *x, const struct chunk_facts *facts);
    void (*add_wide_f32)(struct exact_windows *windows, const void *x);
    void (*add_wide_f64)(struct exact_windows *windows, const void *x);
    // Places of the elements of exponent field 0; returns their number.
    size_t (*find_tiny_f32)(const void *x, uint16_t places[WINDOW_CHUNK]);
    size_t (*find_tiny_f64)(const void *x, uint16_t places[WINDOW_CHUNK]);
    // As any_finer of exact_bins.c.
    bool (*any_finer_f32)(const void *x, float limit);
    bool (*any_finer_f64)(const void *x, double limit);
};
extern const struct chunk_code chunk_code_avx2;
bool chunk_code_avx2_runs(void); // on this processor

// Whether all elements of a chunk are in reach of the narrow way.
bool chunk_is_narrow(enum float_type in, const struct chunk_facts *facts);
struct exact_windows *exact_windows_new(enum float_type in); // NULL when memory is out; free with free()
void empty_windows(struct exact_windows *windows);
void merge_windows(struct exact_windows *windows, const struct exact_windows *from);

// One integer of the state: value = mantissa·2^unit, or its negative.
struct window_value {
    unsigned __int128 mantissa;
    int unit;
    bool negative;
};
enum { WINDOW_VALUES = 2 * WINDOWS + 4 * NARROW_GROUPS };
// Puts all that are not 0 into values; returns their number.
size_t list_windows(const struct exact_windows *windows, struct window_value values[WINDOW_VALUES]);

#endif
