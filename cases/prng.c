// SPDX-License-Identifier: MIT
#include "cases/prng.h"

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
