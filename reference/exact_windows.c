// SPDX-License-Identifier: MIT
#include "reference/exact_windows.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// exact_windows.h derives these: exponents below the top of the group that the narrow way reaches, and the units.
enum { REACH_F32 = 27, REACH_F64 = 49, UNIT_HIGH = 2 - 52, CARRY = 103 - 52 };
enum { LOW_BITS_F64 = 26 };

static int bias_of(enum float_type in) {
    return float_format(in)->max_exponent;
}

static unsigned top_of(unsigned group) {
    return group * NARROW_STEP + NARROW_STEP - 1;
}

unsigned group_of_chunk(const struct chunk_facts *facts) {
    return facts->highest / NARROW_STEP;
}

bool chunk_fits(enum float_type in, const struct chunk_facts *facts, unsigned group) {
    unsigned special = 2 * (unsigned)bias_of(in) + 1, reach = in == FLOAT_F32 ? REACH_F32 : REACH_F64;
    if (facts->highest == special || facts->highest > top_of(group) || facts->lowest == 0 ||
        facts->lowest + reach < top_of(group))
        return false;
    return in == FLOAT_F32 || (group >= LEAST_GROUP_F64 && group <= MOST_GROUP_F64);
}

int add_narrow_sums(struct exact_windows *windows, unsigned group, const struct narrow_sums *sums) {
    int unit = (int)top_of(group) - bias_of(windows->in) + UNIT_HIGH;
    for (int part = 0; part < 2; part++) {
        windows->narrow[group][part].sum += sums->sum[part];
        windows->narrow[group][part].negative += sums->negative[part];
    }
    if (sums->bits[1] != 0)
        return unit - CARRY + __builtin_ctzll(sums->bits[1]);
    return sums->bits[0] != 0 ? unit + __builtin_ctzll(sums->bits[0]) : INT_MAX;
}

void take_out_of_windows(struct exact_windows *windows, uint64_t bits) {
    const int stored = float_format(windows->in)->precision - 1;
    const uint64_t leading = UINT64_C(1) << stored, significand = (bits & (leading - 1)) | leading;
    // A total may fall below 0 until `hot` is added, modulo 2^128.
    if (windows->in == FLOAT_F32) {
        windows->totals[bits >> stored].part[0] -= significand;
        return;
    }
    struct window_sums *total = &windows->totals[bits >> 56];
    total->part[0] -= (significand & ((UINT64_C(1) << LOW_BITS_F64) - 1)) << (bits >> stored & 15);
    total->part[1] -= significand >> LOW_BITS_F64 << (bits >> stored & 15);
}

struct exact_windows *exact_windows_new(enum float_type in) {
    const size_t line = 64, bytes = (sizeof(struct exact_windows) + line - 1) / line * line;
    struct exact_windows *windows = aligned_alloc(line, bytes);
    if (windows == NULL) {
        fprintf(stderr, "reductio: out of memory for the windows of the exact sum.\n");
        abort();
    }
    memset(windows, 0, bytes);
    windows->in = in;
    return windows;
}

static size_t window_count(const struct exact_windows *windows) {
    return windows->in == FLOAT_F32 ? WINDOWS_F32 : WINDOWS_F64;
}

static void add_hot(struct window_sums *sums, const struct exact_windows *windows, size_t window) {
    uint64_t first = 0, second = 0; // f32: encodings and their count
    for (size_t set = 0; set < WINDOW_SETS; set++) {
        if (windows->in == FLOAT_F32) {
            first += windows->hot.f32[set][window] % ONE_F32;
            second += windows->hot.f32[set][window] / ONE_F32;
        } else {
            first += windows->hot.f64[set][window][0];
            second += windows->hot.f64[set][window][1];
        }
    }
    const uint64_t implicit = window % (WINDOWS_F32 / 2) != 0 ? UINT64_C(1) << 23 : 0;
    sums->part[0] += windows->in == FLOAT_F32 ? first - second * (window << 23) + second * implicit : first;
    sums->part[1] += windows->in == FLOAT_F32 ? 0 : second;
}

void empty_windows(struct exact_windows *windows) {
    for (size_t window = 0; window < window_count(windows); window++)
        add_hot(&windows->totals[window], windows, window);
    memset(&windows->hot, 0, sizeof windows->hot);
    windows->pending = 0;
}

void merge_windows(struct exact_windows *windows, const struct exact_windows *from) {
    for (size_t window = 0; window < window_count(windows); window++) {
        for (int part = 0; part < 2; part++)
            windows->totals[window].part[part] += from->totals[window].part[part];
        add_hot(&windows->totals[window], from, window);
    }
    for (size_t group = 0; group < NARROW_GROUPS; group++)
        for (int part = 0; part < 2; part++) {
            windows->narrow[group][part].sum += from->narrow[group][part].sum;
            windows->narrow[group][part].negative += from->narrow[group][part].negative;
        }
}

static size_t append(struct window_value *values, size_t count, struct window_value value) {
    if (value.mantissa != 0)
        values[count++] = value;
    return count;
}

// What the elements of one sign add up to, without it.
static __int128 of_sign(const struct narrow_total *total, bool negative) {
    return negative ? -total->negative : total->sum - total->negative;
}

// The exponent of a window's unit.
static int unit_of_window(enum float_type in, int window) {
    const int least = 1 - bias_of(in) - (float_format(in)->precision - 1); // of the subnormals
    if (in == FLOAT_F64)
        return window % (WINDOWS_F64 / 2) * 16 - 1 + least;
    const int field = window % (WINDOWS_F32 / 2);
    return field == 0 ? least : field - 1 + least;
}

size_t list_windows(const struct exact_windows *windows, struct window_value values[WINDOW_VALUES]) {
    const int bias = bias_of(windows->in);
    size_t count = 0;
    for (size_t window = 0; window < window_count(windows); window++) {
        const int unit = unit_of_window(windows->in, (int)window);
        const bool negative = window >= window_count(windows) / 2;
        struct window_sums sums = windows->totals[window];
        add_hot(&sums, windows, window);
        count = append(values, count, (struct window_value){sums.part[0], unit, negative});
        count = append(values, count, (struct window_value){sums.part[1], unit + LOW_BITS_F64, negative});
    }
    for (unsigned group = 0; group < NARROW_GROUPS; group++) {
        const struct narrow_total *total = windows->narrow[group];
        const int top = (int)top_of(group) - bias;
        for (int negative = 0; negative < 2; negative++) {
            __int128 high = of_sign(&total[0], negative), low = of_sign(&total[1], negative);
            high += low >> CARRY; // a low part may have the other sign: one unit of high is 2^CARRY of low
            low &= ((__int128)1 << CARRY) - 1;
            const int unit = top + UNIT_HIGH;
            count = append(values, count, (struct window_value){(unsigned __int128)high, unit, negative});
            count = append(values, count, (struct window_value){(unsigned __int128)low, unit - CARRY, negative});
        }
    }
    return count;
}
