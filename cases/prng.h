// SPDX-License-Identifier: MIT
// The project's own random numbers, so that data are the same bits on every platform: xoshiro256** (Blackman & Vigna
// 2021, "Scrambled linear pseudorandom number generators") seeded by splitmix64 (Steele, Lea & Flood 2014), and FNV-1a
// (Fowler, Noll & Vo) to turn a name into a number. No libm function takes part.
#ifndef REDUCTIO_PRNG_H
#define REDUCTIO_PRNG_H

#include <stdbool.h>
#include <stdint.h>

struct prng {
    uint64_t state[4];
};

uint64_t splitmix64(uint64_t *state); // advances *state and returns the next number
uint64_t fnv1a64(const char *text);   // over the bytes before the terminating 0

struct prng prng_seeded(uint64_t seed);

// The draws are inline: they are most of the time that a large array takes to make.

static inline uint64_t rotate_left(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

// 64 uniform bits.
static inline uint64_t prng_next(struct prng *prng) {
    uint64_t *s = prng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

// Uniform in 0..bound-1 without bias; bound >= 1. Numbers of the last, incomplete round of `bound` among the 2^64 are
// drawn again: there are fewer than `bound` of them, and so none above it.
static inline uint64_t prng_below(struct prng *prng, uint64_t bound) {
    uint64_t draw = prng_next(prng);
    if ((bound & (bound - 1)) == 0)
        return draw & (bound - 1); // every round is complete
    while (draw < bound && draw < (0 - bound) % bound)
        draw = prng_next(prng);
    return draw % bound;
}

static inline bool prng_coin(struct prng *prng) {
    return prng_next(prng) >> 63;
}

// Uniform multiple of 2^-bits in (0, 1]; 1 <= bits <= 53.
static inline double prng_unit(struct prng *prng, int bits) {
    uint64_t k = (prng_next(prng) >> (64 - bits)) + 1;
    return (double)k * (1.0 / (double)(UINT64_C(1) << bits)); // exact: k <= 2^53 times a power of two
}

#endif
