// SPDX-License-Identifier: MIT
// The wide way of exact_windows.h on processors with AVX2 and BMI2. What it waits for, once memory keeps up, is the
// number of instructions, so that one fewer an element shows.
#include "reference/exact_windows.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include "reference/exact_facts_avx2.h"

#include <string.h>

// What the compiler shall keep in a register and not reckon with. A constant shift would overwrite what is shifted, and
// cost a copy; addresses that it derives from one another have four bytes of distance in each instruction, and of those
// the processor holds fewer decoded.
#define KEEP(variable) __asm__("" : "+r"(variable))

// Adds 16 elements, two of a load. Encodings are added whole: what sign and exponent add to the sum is known from the
// window and the count above it.
static AVX2 ALWAYS_INLINE void add_line_f32(uint64_t *const sets[WINDOW_SETS], const void *x, uint32_t of_word,
                                            uint64_t of_pair) {
#pragma GCC unroll 8
    for (size_t k = 0; k < 16; k += 2) {
        uint64_t pair;
        memcpy(&pair, (const char *)x + k * sizeof(float), sizeof pair);
        const uint32_t first = (uint32_t)pair;
        sets[k % WINDOW_SETS][first >> of_word] += first + ONE_F32;
        sets[(k + 1) % WINDOW_SETS][pair >> of_pair] += (pair >> 32) + ONE_F32;
    }
}

AVX2 struct chunk_facts add_wide_f32_avx2(struct exact_windows *windows, const void *x) {
    uint64_t *sets[WINDOW_SETS] = {windows->hot.f32[0], windows->hot.f32[1], windows->hot.f32[2], windows->hot.f32[3]};
    for (size_t set = 0; set < WINDOW_SETS; set++)
        KEEP(sets[set]);
    uint32_t of_word = 23;
    uint64_t of_pair = 32 + 23;
    KEEP(of_word);
    KEEP(of_pair);
    struct range seen = no_range();
    const char *line = x;
    for (const char *end = line + WINDOW_CHUNK * sizeof(float); line < end; line += 64) {
        KEEP(line);
        fetch_ahead(line, 0);
        note_f32(&seen, line, 0);
        note_f32(&seen, line, 32);
        add_line_f32(sets, line, of_word, of_pair);
    }
    return facts_of_f32(&seen, x);
}

static AVX2 inline void add_pair(char *set, unsigned window, __m128i pair) {
    __m128i *sums = (__m128i *)(set + window * sizeof(__m128i));
    _mm_store_si128(sums, _mm_add_epi64(_mm_load_si128(sums), pair));
}

// Adds four elements. Exponent field 0: no leading one, and the exponent of field 1.
static AVX2 ALWAYS_INLINE void add_four(char *const sets[4], const void *x, size_t byte, bool tiny) {
    const __m256i half = _mm256_set1_epi64x((INT64_C(1) << 26) - 1), one = _mm256_set1_epi64x(INT64_C(1) << 26);
    const unsigned char *top = (const unsigned char *)x + byte + 7;
    const __m256i words = load_words(x, byte);
    __m256i place = _mm256_and_si256(_mm256_srli_epi64(words, 52), _mm256_set1_epi64x(15)), leading = one;
    if (tiny) {
        const __m256i fields = _mm256_and_si256(words, _mm256_set1_epi64x(INT64_C(0x7ff) << 52));
        const __m256i none = _mm256_cmpeq_epi64(fields, _mm256_setzero_si256());
        leading = _mm256_andnot_si256(none, one);
        place = _mm256_sub_epi64(place, none);
    }
    const __m256i stored = _mm256_and_si256(_mm256_srli_epi64(words, 26), half);
    const __m256i low = _mm256_sllv_epi64(_mm256_and_si256(words, half), place);
    const __m256i high = _mm256_sllv_epi64(_mm256_or_si256(stored, leading), place);
    const __m256i even = _mm256_unpacklo_epi64(low, high), odd = _mm256_unpackhi_epi64(low, high);
    add_pair(sets[0], top[0], _mm256_castsi256_si128(even));
    add_pair(sets[1], top[8], _mm256_castsi256_si128(odd));
    add_pair(sets[2], top[16], _mm256_extracti128_si256(even, 1));
    add_pair(sets[3], top[24], _mm256_extracti128_si256(odd, 1));
}

static AVX2 ALWAYS_INLINE void add_stretch(char *const sets[4], const char *line, bool tiny) {
    for (const char *end = line + STRETCH * sizeof(double); line < end; line += 64) {
        KEEP(line);
        fetch_ahead(line, 0);
        add_four(sets, line, 0, tiny);
        add_four(sets, line, 32, tiny);
    }
}

static AVX2 ALWAYS_INLINE struct chunk_facts add_chunk_f64(struct exact_windows *windows, const void *x, size_t count) {
    char *sets[4];
    for (size_t i = 0; i < 4; i++) {
        sets[i] = i < count ? (char *)windows->hot.f64[i] : sets[i % count];
        if (i < count)
            KEEP(sets[i]);
    }
    struct extremes seen = no_words();
    for (size_t byte = 0; byte < WINDOW_CHUNK * sizeof(double); byte += STRETCH * sizeof(double)) {
        const char *stretch = (const char *)x + byte;
        if (note_f64(&seen, stretch, 0))
            add_stretch(sets, stretch, true);
        else
            add_stretch(sets, stretch, false);
    }
    return facts_of(&seen, 20);
}

// Whether neighbours in a set of two often share a window, by a few of them.
static bool often_share_windows(const void *x) {
    enum { STEP = 64, OFTEN = 3 };
    const unsigned char *top = (const unsigned char *)x + 7;
    unsigned shared = 0;
    for (size_t i = 0; i < WINDOW_CHUNK; i += STEP)
        shared += top[i * 8] == top[(i + 2) * 8];
    return shared >= OFTEN;
}

AVX2 struct chunk_facts add_wide_f64_avx2(struct exact_windows *windows, const void *x) {
    const struct chunk_facts facts =
        windows->crowded ? add_chunk_f64(windows, x, WINDOW_SETS) : add_chunk_f64(windows, x, FEW_SETS);
    windows->crowded = often_share_windows(x);
    return facts;
}

#endif
