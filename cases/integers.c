// SPDX-License-Identifier: MIT
// The controls: whole multiples of one power of two whose magnitudes sum to at most 2^p units. Every partial sum, in
// any order, is then a representable number, no addition rounds, and whatever differs between two results is a fault.
#include "cases/families.h"

#include <math.h>

// Random magnitudes of 1..budget/n units; where n exceeds the budget, single units as far apart as it allows.
bool fill_integers(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct integer_family *family = self->data;
    const struct float_format *format = float_format(type);
    uint64_t budget =
        family->subnormal ? (UINT64_C(1) << (format->precision - 1)) - 1 : UINT64_C(1) << format->precision;
    double unit = family->subnormal ? smallest_subnormal(type) : ldexp(1, family->scale[type]);
    uint64_t most = n ? budget / n : 0;
    uint64_t stride = most ? 1 : n / budget + 1;
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t units = i % stride ? 0 : most > 1 ? 1 + prng_below(&prng, most) : 1;
        bool negative = family->mixed_signs && units && prng_coin(&prng);
        store_value(type, x, i, (negative ? -unit : unit) * (double)units);
    }
    return true;
}

static bool is_near_edge(uint64_t index, uint64_t block) {
    uint64_t place = index % block;
    return place <= 1 || place == block - 1;
}

// 1 + (i mod m), with m the largest odd number (n where that fits) that keeps the sum within 2^p: n·(m + 1)/2 <= 2^p.
// Odd, so that no block size is a multiple of the period. With a block size as parameter, zeros except beside its
// multiples: these may then be ones alone.
bool fill_positions(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const uint64_t *block = self->data;
    uint64_t twice_mean = n ? (UINT64_C(2) << float_format(type)->precision) / n : 2;
    uint64_t largest = twice_mean > 1 ? twice_mean - 1 : 1;
    uint64_t period = n < largest ? n : (largest - 1) | 1;
    for (uint64_t i = 0; i < n; i++) {
        bool used = *block == 0 || is_near_edge(i, *block);
        store_value(type, x, i, used ? (double)(1 + i % period) : 0.0);
    }
    return true;
}

bool fill_single(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct single_family *family = self->data;
    for (uint64_t i = 0; i < n; i++)
        store_value(type, x, i, family->tiny ? -0.0 : 0.0);
    uint64_t index = family->place == PLACE_FIRST ? 0 : family->place == PLACE_MIDDLE ? n / 2 : n - 1;
    store_value(type, x, index, family->tiny ? smallest_subnormal(type) : 1);
    return true;
}
