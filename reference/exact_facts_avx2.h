// SPDX-License-Identifier: MIT
// What exact_windows_avx2.c and exact_wide_avx2.c share: loads, and the facts of a chunk. Loads are unaligned ones: an
// array starts where its owner put it. Internal to these two, where AVX2 is.
#ifndef REDUCTIO_EXACT_FACTS_AVX2_H
#define REDUCTIO_EXACT_FACTS_AVX2_H

#include "reference/exact_windows.h"

#include <immintrin.h>

#define AVX2          __attribute__((target("avx2,bmi2")))
#define ALWAYS_INLINE inline __attribute__((always_inline))

static AVX2 inline __m256i load_words(const void *x, size_t byte) {
    return _mm256_loadu_si256((const __m256i *)((const char *)x + byte));
}

// Elements of f64 whose exponents are looked at together, in a short loop of its own: one for all would need more
// registers than there are.
enum { STRETCH = 128 };

// Asks for a line further on: the processor's own prefetching ends with the page, and memory would stand still while a
// chunk is worked at. Past the end of the array it is a wish that nothing comes of. Inlined always: gcc takes a
// function that only asks for one without effect, and may leave out its call.
static AVX2 ALWAYS_INLINE void fetch_ahead(const void *x, size_t byte) {
    enum { AHEAD = 4096 }; // bytes
    _mm_prefetch((const char *)x + byte + AHEAD, _MM_HINT_T0);
}

// The least and the largest of magnitudes less one, so that a zero is the largest unsigned and a negative number.
struct extremes {
    __m256i least, largest, zeros; // zeros: less their number
};

static AVX2 inline struct extremes no_words(void) {
    const __m256i ones = _mm256_set1_epi32(-1);
    return (struct extremes){ones, ones, _mm256_setzero_si256()};
}

static AVX2 inline void note_magnitudes(struct extremes *seen, __m256i magnitudes) {
    const __m256i less_one = _mm256_sub_epi32(magnitudes, _mm256_set1_epi32(1));
    seen->least = _mm256_min_epu32(seen->least, less_one);
    seen->largest = _mm256_max_epi32(seen->largest, less_one);
    seen->zeros = _mm256_add_epi32(seen->zeros, _mm256_srai_epi32(less_one, 31));
}

static AVX2 inline __m256i magnitudes_of(__m256i words) {
    return _mm256_and_si256(words, _mm256_set1_epi32(INT32_MAX));
}

// The least and the largest of magnitudes, zeros among them: half the work where there are none.
struct range {
    __m256i least, largest;
};

static AVX2 inline struct range no_range(void) {
    return (struct range){_mm256_set1_epi32(INT32_MAX), _mm256_setzero_si256()};
}

static AVX2 inline void note_range(struct range *seen, __m256i magnitudes) {
    seen->least = _mm256_min_epi32(seen->least, magnitudes);
    seen->largest = _mm256_max_epi32(seen->largest, magnitudes);
}

static AVX2 inline bool any_below(const struct range *seen, int32_t limit) {
    const __m256i below = _mm256_cmpgt_epi32(_mm256_set1_epi32(limit), seen->least);
    return !_mm256_testz_si256(below, below);
}

// Of words that are not 0.
static AVX2 inline void join_range(struct extremes *all, const struct range *seen) {
    const __m256i one = _mm256_set1_epi32(1);
    all->least = _mm256_min_epu32(all->least, _mm256_sub_epi32(seen->least, one));
    all->largest = _mm256_max_epi32(all->largest, _mm256_sub_epi32(seen->largest, one));
}

// The high words of eight f64, which tell their exponents.
static AVX2 inline __m256i high_magnitudes(const void *x, size_t byte, __m256i *low) {
    const __m256 first = _mm256_castsi256_ps(load_words(x, byte));
    const __m256 second = _mm256_castsi256_ps(load_words(x, byte + 32));
    if (low)
        *low = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88));
    return magnitudes_of(_mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xdd)));
}

// With zeros and subnormals: a high word of 0 is told from a zero's by a last bit if the low one is not 0.
static AVX2 __attribute__((noinline)) void note_tiny_f64(struct extremes *seen, const void *x, size_t byte) {
    for (size_t end = byte + STRETCH * sizeof(double); byte < end; byte += 64) {
        __m256i low;
        const __m256i high = high_magnitudes(x, byte, &low);
        note_magnitudes(seen, _mm256_max_epu32(high, _mm256_min_epu32(low, _mm256_set1_epi32(1))));
    }
}

// Notes a stretch of f64; true if it has exponent fields of 0.
static AVX2 inline bool note_f64(struct extremes *seen, const void *x, size_t from) {
    struct range range = no_range();
    for (size_t byte = from; byte < from + STRETCH * sizeof(double); byte += 64)
        note_range(&range, high_magnitudes(x, byte, NULL));
    if (any_below(&range, 1 << 20)) {
        note_tiny_f64(seen, x, from);
        return true;
    }
    join_range(seen, &range);
    return false;
}

// `stored`: bits of a word below the exponent field.
static AVX2 inline struct chunk_facts facts_of(const struct extremes *seen, int stored) {
    uint32_t least[8], largest[8], zeros[8];
    _mm256_storeu_si256((__m256i *)least, seen->least);
    _mm256_storeu_si256((__m256i *)largest, seen->largest);
    _mm256_storeu_si256((__m256i *)zeros, seen->zeros);
    struct chunk_facts facts = {0, UINT32_MAX, 0};
    int32_t high = -1;
    for (int i = 0; i < 8; i++) {
        facts.lowest = least[i] < facts.lowest ? least[i] : facts.lowest;
        high = (int32_t)largest[i] > high ? (int32_t)largest[i] : high;
        facts.zeros -= zeros[i];
    }
    facts.highest = (uint32_t)(high + 1) >> stored;
    facts.lowest = (facts.lowest + 1) >> stored;
    return facts;
}

static AVX2 inline void note_f32(struct range *seen, const void *x, size_t byte) {
    note_range(seen, magnitudes_of(load_words(x, byte)));
}

static AVX2 __attribute__((noinline)) struct extremes note_zeros_f32(const void *x) {
    struct extremes seen = no_words();
    for (size_t byte = 0; byte < WINDOW_CHUNK * sizeof(float); byte += 32)
        note_magnitudes(&seen, magnitudes_of(load_words(x, byte)));
    return seen;
}

// What a chunk with this range of magnitudes is like: where it has zeros, these are counted, in a pass of its own.
static AVX2 inline struct chunk_facts facts_of_f32(const struct range *range, const void *x) {
    struct extremes seen = no_words();
    if (any_below(range, 1))
        seen = note_zeros_f32(x);
    else
        join_range(&seen, range);
    return facts_of(&seen, 23);
}

// exact_wide_avx2.c: the wide way, of struct chunk_code.
struct chunk_facts add_wide_f32_avx2(struct exact_windows *windows, const void *x);
struct chunk_facts add_wide_f64_avx2(struct exact_windows *windows, const void *x);

#endif
