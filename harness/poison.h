// SPDX-License-Identifier: MIT
// The poison of buffers, for the CPU and the GPU alike.
#ifndef REDUCTIO_POISON_H
#define REDUCTIO_POISON_H

#include <stdint.h>

// In a salt: every 16 bits are a NaN of f16 and of bf16 too, as elements of these types need. So little of a pattern is
// then left free that nobody can tell from a NaN which place it is from.
#define POISON_OF_16_BITS (UINT64_C(1) << 63)
// In a salt of 16 bits: the output's, which no other place has, also once it is quiet. So an output that is as it was
// left is known from a sum of what lay past an array.
#define POISON_OF_OUTPUT (UINT64_C(1) << 62)

#ifdef __CUDACC__
#define REDUCTIO_HOST_DEVICE __host__ __device__
#else
#define REDUCTIO_HOST_DEVICE
#endif

// The eight bytes at a multiple of 8 past some origin, `place` of them on. Read as f64 they are a signalling NaN, read
// as f32 two NaNs, of which the first is signalling (guarded.h says why not both).
static inline REDUCTIO_HOST_DEVICE uint64_t poison_pattern(uint64_t place, uint64_t salt) {
    uint64_t h = (place + 1) * 0x9E3779B97F4A7C15u + salt * 0xD1B54A32D192ED03u;
    h ^= h >> 29;
    // As f64 and f32 signalling where the words are looked at from their top; as bf16 too, but for the top one; as f16
    // quiet.
    if (salt & POISON_OF_16_BITS)
        return 0x7FF17F817F817F81u | (h & 0x8006801E801E801Eu) | (salt & POISON_OF_OUTPUT ? 0x0000002000200020u : 0);
    // High word: exponent of f64 all ones, quiet bit 0. Low word: exponent of f32 all ones, quiet bit 0. The two ones
    // keep the significands from zero, which would be an infinity.
    return 0x7FF000017F800001u | (h & 0x0007FFFF003FFFFFu);
}

#endif
