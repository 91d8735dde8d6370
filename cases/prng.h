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
uint64_t prng_next(struct prng *prng);                  // 64 uniform bits
uint64_t prng_below(struct prng *prng, uint64_t bound); // uniform in 0..bound-1 without bias; bound >= 1
bool prng_coin(struct prng *prng);
double prng_unit(struct prng *prng, int bits); // uniform multiple of 2^-bits in (0, 1]; 1 <= bits <= 53

#endif
