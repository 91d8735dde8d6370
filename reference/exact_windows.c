// SPDX-License-Identifier: MIT
#include "reference/exact_windows.h"

#include <stdlib.h>
#include <string.h>

// exact_windows.h derives these: exponents below the top of the group that the narrow way reaches, and the units.
enum {
    REACH_F32 = 22,
    REACH_F64 = 37,
    UNIT_F32 = -45,
    UNIT_HIGH_F64 = 8 - 52,
    UNIT_LOW_F64 = 8 - 97,
    CARRY_F64 = 97 - 52
};
// f64: C must not overflow, and no low part may be subnormal.
enum { LEAST_GROUP_F64 = 16, MOST_GROUP_F64 = 253 };
enum { LOW_BITS_F64 = 26 };

static int bias_of(enum float_type in) {
    return float_format(in)->max_exponent;
}

static unsigned top_of(unsigned group) {
    return group * NARROW_STEP + NARROW_STEP - 1;
}

bool chunk_is_narrow(enum float_type in, const struct chunk_facts *facts) {
    unsigned group = facts->highest / NARROW_STEP, special = 2 * (unsigned)bias_of(in) + 1;
    unsigned reach = in == FLOAT_F32 ? REACH_F32 : REACH_F64;
    if (facts->highest == special || facts->lowest == 0 || facts->lowest + reach < top_of(group))
        return false;
    return in == FLOAT_F32 || (group >= LEAST_GROUP_F64 && group <= MOST_GROUP_F64);
}

struct exact_windows *exact_windows_new(enum float_type in) {
    const size_t line = 64, bytes = (sizeof(struct exact_windows) + line - 1) / line * line;
    struct exact_windows *windows = aligned_alloc(line, bytes);
    if (windows) {
        memset(windows, 0, bytes);
        windows->in = in;
    }
    return windows;
}

static uint64_t hot_sum(const struct exact_windows *windows, size_t window, int part) {
    uint64_t sum = 0;
    for (size_t set = 0; set < WINDOW_SETS; set++)
        sum += windows->in == FLOAT_F64 ? windows->hot.f64[window][set][part]
               : part == 0              ? windows->hot.f32[set][window]
                                        : 0;
    return sum;
}

void empty_windows(struct exact_windows *windows) {
    for (size_t window = 0; window < WINDOWS; window++)
        for (int part = 0; part < 2; part++)
            windows->totals[window][part] += hot_sum(windows, window, part);
    memset(&windows->hot, 0, sizeof windows->hot);
    windows->pending = 0;
}

void merge_windows(struct exact_windows *windows, const struct exact_windows *from) {
    for (size_t window = 0; window < WINDOWS; window++)
        for (int part = 0; part < 2; part++)
            windows->totals[window][part] += from->totals[window][part] + hot_sum(from, window, part);
    for (size_t group = 0; group < NARROW_GROUPS; group++)
        for (int part = 0; part < 2; part++) {
            windows->narrow[group][part].sum += from->narrow[group][part].sum;
            windows->narrow[group][part].magnitude += from->narrow[group][part].magnitude;
        }
}

static size_t append(struct window_value *values, size_t count, struct window_value value) {
    if (value.mantissa != 0)
        values[count++] = value;
    return count;
}

// What the elements of one sign add up to, without it.
static __int128 of_sign(const struct narrow_total *total, bool negative) {
    return (negative ? total->magnitude - total->sum : total->magnitude + total->sum) / 2; // exact: both are even
}

size_t list_windows(const struct exact_windows *windows, struct window_value values[WINDOW_VALUES]) {
    const bool narrow_format = windows->in == FLOAT_F32;
    const int bias = bias_of(windows->in), stored = float_format(windows->in)->precision - 1;
    const int exponents = narrow_format ? 2 : 16; // of a window
    size_t count = 0;
    for (int window = 0; window < WINDOWS; window++) {
        int unit = window % (WINDOWS / 2) * exponents - bias - stored;
        for (int part = 0; part < 2; part++) {
            unsigned __int128 sum = windows->totals[window][part] + hot_sum(windows, (size_t)window, part);
            count =
                append(values, count, (struct window_value){sum, unit + part * LOW_BITS_F64, window >= WINDOWS / 2});
        }
    }
    for (unsigned group = 0; group < NARROW_GROUPS; group++) {
        const struct narrow_total *total = windows->narrow[group];
        const int top = (int)top_of(group) - bias;
        for (int negative = 0; negative < 2; negative++) {
            __int128 high = of_sign(&total[0], negative), low = of_sign(&total[1], negative);
            if (!narrow_format) { // a low part may have the other sign: one unit of high is 2^CARRY_F64 of low
                high += low >> CARRY_F64;
                low &= ((__int128)1 << CARRY_F64) - 1;
            }
            int unit = top + (narrow_format ? UNIT_F32 : UNIT_HIGH_F64);
            count = append(values, count, (struct window_value){(unsigned __int128)high, unit, negative});
            unit = top + UNIT_LOW_F64;
            count = append(values, count, (struct window_value){(unsigned __int128)low, unit, negative});
        }
    }
    return count;
}
