// SPDX-License-Identifier: MIT
// Which way of exact_windows.h a chunk takes, and what of it goes elsewhere: zeros are counted, infinities and NaN have
// bins of their own, and the trailing exponent is kept.
#include "reference/exact_bins.h"

struct exact_windows *exact_bins_windows(struct exact_bins *bins) {
    if (bins->windows == NULL) {
        bins->windows = exact_windows_new(bins->in);
    }
    return bins->windows;
}

static bool has_specials(enum float_type in, const struct chunk_facts *facts) {
    return facts->highest == float_format(in)->infinity >> (float_format(in)->precision - 1);
}

static void note_leading_field(struct exact_bins *bins, unsigned field) {
    int leading = (int)field - float_format(bins->in)->max_exponent;
    bins->leading_exponent = leading > bins->leading_exponent ? leading : bins->leading_exponent;
}

// Infinities and NaN, which the wide way has taken for numbers, go to their own bins.
static void take_out_specials(struct exact_bins *bins, const void *x) {
    const struct float_format *format = float_format(bins->in);
    for (size_t i = 0; i < WINDOW_CHUNK; i++) {
        uint64_t bits = float_load(bins->in, x, i), magnitude = bits & (format->sign_bit - 1);
        if (magnitude >= format->infinity) {
            take_out_of_windows(bins->windows, bits);
            exact_bins_add_copies(bins, bits, 1);
        } else if (magnitude != 0) {
            note_leading_field(bins, (unsigned)(magnitude >> (format->precision - 1)));
        }
    }
}

static struct chunk_facts gather_wide(struct exact_bins *bins, const void *x) {
    struct exact_windows *windows = bins->windows;
    if (windows->pending == (bins->in == FLOAT_F32 ? PENDING_F32 : PENDING_F64)) {
        empty_windows(windows);
    }
    windows->pending += WINDOW_CHUNK;
    return bins->in == FLOAT_F32 ? bins->code->add_wide_f32(windows, x) : bins->code->add_wide_f64(windows, x);
}

// Adds a chunk the narrow way if it fits this group.
static struct chunk_facts gather_narrow(struct exact_bins *bins, const void *x, unsigned group) {
    struct narrow_sums sums;
    struct chunk_facts facts = bins->in == FLOAT_F32 ? bins->code->add_narrow_f32(x, group, &sums)
                                                     : bins->code->add_narrow_f64(x, group, &sums);
    if (chunk_fits(bins->in, &facts, group)) {
        int trailing = add_narrow_sums(bins->windows, group, &sums);
        bins->trailing_exponent = trailing < bins->trailing_exponent ? trailing : bins->trailing_exponent;
    }
    return facts;
}

// Lowers the trailing exponent where an element of a wide chunk does. Subnormals are looked at one by one: a process
// that flushes them would not see them in floating point.
static void note_fine_elements(struct exact_bins *bins, const void *x, unsigned lowest, bool subnormal) {
    const struct float_format *format = float_format(bins->in);
    uint64_t harmless = exact_bins_harmless(bins);
    if (harmless == 0 || (!subnormal && (uint64_t)lowest << (format->precision - 1) >= harmless)) {
        return;
    }
    bool look = subnormal || harmless >= format->max_finite;
    if (!look) {
        double limit = float_to_double(bins->in, harmless);
        look = bins->in == FLOAT_F32 ? bins->code->any_finer_f32(x, (float)limit) : bins->code->any_finer_f64(x, limit);
    }
    if (look) {
        exact_bins_scan_trailing(bins, x, WINDOW_CHUNK);
    }
}

static void note_facts(struct exact_bins *bins, const void *x, const struct chunk_facts *facts, bool wide) {
    bool subnormal = facts->zeros < WINDOW_CHUNK && facts->lowest == 0;
    if (has_specials(bins->in, facts)) {
        take_out_specials(bins, x);
    } else if (facts->zeros < WINDOW_CHUNK) {
        note_leading_field(bins, facts->highest);
    }
    if (wide && facts->zeros < WINDOW_CHUNK) {
        note_fine_elements(bins, x, facts->lowest, subnormal);
    }
    bins->has_subnormal |= subnormal;
    bins->zeros += facts->zeros;
    bins->n += WINDOW_CHUNK;
}

// After a chunk that no group fits: the wide way, and what to try with the next one.
static void add_wide_chunk(struct exact_bins *bins, const void *x) {
    struct chunk_facts facts = gather_wide(bins, x);
    unsigned group = group_of_chunk(&facts);
    bins->windows->group = has_specials(bins->in, &facts) ? 0 : chunk_fits(bins->in, &facts, group) ? group : NO_GROUP;
    note_facts(bins, x, &facts, true);
}

bool exact_bins_add_chunk(struct exact_bins *bins, const void *x) {
    struct exact_windows *windows = exact_bins_windows(bins);
    if (windows->group == NO_GROUP) {
        add_wide_chunk(bins, x);
        return true;
    }
    struct chunk_facts facts = gather_narrow(bins, x, windows->group);
    if (!chunk_fits(bins->in, &facts, windows->group)) {
        if (facts.highest == 0 || has_specials(bins->in, &facts)) {
            return false;
        }
        windows->group = group_of_chunk(&facts);
        if (!chunk_fits(bins->in, &facts, windows->group)) {
            add_wide_chunk(bins, x);
            return true;
        }
        gather_narrow(bins, x, windows->group);
    }
    note_facts(bins, x, &facts, false);
    return true;
}
