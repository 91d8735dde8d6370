// SPDX-License-Identifier: MIT
#include "cases/prng.h"

#include <math.h>

uint64_t splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t fnv1a64(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

struct prng prng_seeded(uint64_t seed) {
    struct prng prng;
    for (int i = 0; i < 4; i++)
        prng.state[i] = splitmix64(&seed);
    return prng;
}

static uint64_t rotate_left(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

uint64_t prng_next(struct prng *prng) {
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

// Numbers of the last, incomplete round of `bound` among the 2^64 are drawn again.
uint64_t prng_below(struct prng *prng, uint64_t bound) {
    uint64_t incomplete = (0 - bound) % bound; // 2^64 mod bound
    uint64_t draw;
    do {
        draw = prng_next(prng);
    } while (draw < incomplete);
    return draw % bound;
}

bool prng_coin(struct prng *prng) {
    return prng_next(prng) >> 63;
}

double prng_unit(struct prng *prng, int bits) {
    uint64_t k = (prng_next(prng) >> (64 - bits)) + 1;
    return ldexp((double)k, -bits);
}
