// SPDX-License-Identifier: MIT
// Infinities and NaN among uniform numbers, at every class of position.
#include "cases/families.h"

// Quiet NaNs have the top bit of the significand set; payload and sign are random.
static uint64_t special_bits(enum float_type type, enum special special, struct prng *prng) {
    const struct float_format *format = float_format(type);
    uint64_t quiet = UINT64_C(1) << (format->precision - 2);
    if (special == SPECIAL_PLUS_INFINITY)
        return format->infinity;
    if (special == SPECIAL_MINUS_INFINITY)
        return format->infinity | format->sign_bit;
    uint64_t sign = prng_coin(prng) ? format->sign_bit : 0;
    uint64_t payload = prng_below(prng, quiet);
    return sign | format->infinity | quiet | (payload ? payload : 1);
}

bool fill_specials(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct special_family *family = self->data;
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < n; i++)
        store_value(type, x, i, prng_unit(&prng, float_format(type)->precision));
    if (family->first != SPECIAL_NONE)
        float_store(type, x, 0, special_bits(type, family->first, &prng));
    if (family->middle != SPECIAL_NONE)
        float_store(type, x, n / 2, special_bits(type, family->middle, &prng));
    if (family->last != SPECIAL_NONE)
        float_store(type, x, n - 1, special_bits(type, family->last, &prng));
    return true;
}
