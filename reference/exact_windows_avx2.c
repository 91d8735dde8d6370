// SPDX-License-Identifier: MIT
// The chunks of exact_windows.h on processors with AVX2 and BMI2; the rest of the program is compiled for any. Loads
// are unaligned ones: an array starts where its owner put it. What the wide way waits for, once memory keeps up, is the
// number of instructions, so that one fewer an element shows.
#include "reference/exact_windows.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>
#include <string.h>

#define AVX2          __attribute__((target("avx2,bmi2")))
#define ALWAYS_INLINE inline __attribute__((always_inline))

bool chunk_code_avx2_runs(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}

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
static AVX2 struct chunk_facts facts_of(const struct extremes *seen, int stored) {
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
static AVX2 struct chunk_facts facts_of_f32(const struct range *range, const void *x) {
    struct extremes seen = no_words();
    if (any_below(range, 1))
        seen = note_zeros_f32(x);
    else
        join_range(&seen, range);
    return facts_of(&seen, 23);
}

// 1.5·2^exponent.
static double constant_of(int exponent) {
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52 | UINT64_C(1) << 51;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

// Encodings of c plus something, added up: of all elements, of the negative ones (the rest giving c), and their bits.
struct encodings {
    __m256i sum, negative, bits;
};

static AVX2 inline void note_encodings(struct encodings *all, __m256d shifted, __m256d c, __m256d x) {
    all->sum = _mm256_add_epi64(all->sum, _mm256_castpd_si256(shifted));
    all->negative = _mm256_add_epi64(all->negative, _mm256_castpd_si256(_mm256_blendv_pd(c, shifted, x)));
    all->bits = _mm256_or_si256(all->bits, _mm256_castpd_si256(shifted));
}

static AVX2 inline uint64_t add_lanes(__m256i lanes) {
    uint64_t values[4];
    _mm256_storeu_si256((__m256i *)values, lanes);
    return values[0] + values[1] + values[2] + values[3];
}

static AVX2 void take_integers(struct narrow_sums *sums, int part, const struct encodings *all, double c) {
    uint64_t bits[4], constant;
    memcpy(&constant, &c, sizeof constant);
    _mm256_storeu_si256((__m256i *)bits, all->bits);
    sums->sum[part] = (int64_t)(add_lanes(all->sum) - WINDOW_CHUNK * constant);
    sums->negative[part] = (int64_t)(add_lanes(all->negative) - WINDOW_CHUNK * constant);
    sums->bits[part] = (bits[0] | bits[1] | bits[2] | bits[3]) & ((UINT64_C(1) << 51) - 1); // below that of c
}

static AVX2 inline struct encodings no_encodings(void) {
    return (struct encodings){_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
}

// The k of exact_windows.h.
static int exponent_of(unsigned group, int bias) {
    return (int)group * NARROW_STEP + NARROW_STEP - 1 - bias + 2;
}

static AVX2 struct chunk_facts add_narrow_f32(const void *x, unsigned group, struct narrow_sums *sums) {
    const double constant = constant_of(exponent_of(group, 127));
    const __m256d c = _mm256_set1_pd(constant);
    const float *from = x;
    struct range seen = no_range();
    struct encodings all = no_encodings();
    for (size_t i = 0; i < WINDOW_CHUNK; i += 16) {
        fetch_ahead(x, i * sizeof(float));
        for (size_t k = i; k < i + 16; k += 8) {
            note_f32(&seen, x, k * sizeof(float));
            for (size_t half = k; half < k + 8; half += 4) {
                const __m256d wide = _mm256_cvtps_pd(_mm_loadu_ps(from + half));
                note_encodings(&all, _mm256_add_pd(wide, c), c, wide);
            }
        }
    }
    *sums = (struct narrow_sums){0};
    take_integers(sums, 0, &all, constant);
    return facts_of_f32(&seen, x);
}

static AVX2 inline void add_cut(struct encodings *highs, struct encodings *lows, __m256d x, __m256d c, __m256d c_low) {
    const __m256d shifted = _mm256_add_pd(x, c), low = _mm256_sub_pd(x, _mm256_sub_pd(shifted, c));
    note_encodings(highs, shifted, c, x);
    note_encodings(lows, _mm256_add_pd(low, c_low), c_low, x);
}

static AVX2 struct chunk_facts add_narrow_f64(const void *x, unsigned group, struct narrow_sums *sums) {
    const int k = group < LEAST_GROUP_F64 || group > MOST_GROUP_F64 ? 0 : exponent_of(group, 1023);
    const double constant = constant_of(k), constant_low = constant_of(k - 51);
    const __m256d c = _mm256_set1_pd(constant), c_low = _mm256_set1_pd(constant_low);
    const double *from = x;
    struct extremes seen = no_words();
    struct encodings highs = no_encodings(), lows = no_encodings();
    for (size_t i = 0; i < WINDOW_CHUNK; i += STRETCH) {
        note_f64(&seen, x, i * sizeof(double));
        for (size_t k = i; k < i + STRETCH; k += 8) {
            fetch_ahead(x, k * sizeof(double));
            add_cut(&highs, &lows, _mm256_loadu_pd(from + k), c, c_low);
            add_cut(&highs, &lows, _mm256_loadu_pd(from + k + 4), c, c_low);
        }
    }
    take_integers(sums, 0, &highs, constant);
    take_integers(sums, 1, &lows, constant_low);
    return facts_of(&seen, 20);
}

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

static AVX2 struct chunk_facts add_wide_f32(struct exact_windows *windows, const void *x) {
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

static AVX2 struct chunk_facts add_wide_f64(struct exact_windows *windows, const void *x) {
    const struct chunk_facts facts =
        windows->crowded ? add_chunk_f64(windows, x, WINDOW_SETS) : add_chunk_f64(windows, x, FEW_SETS);
    windows->crowded = often_share_windows(x);
    return facts;
}

// exact_bins.c explains the test. A minimum with a NaN is its second operand.
static AVX2 bool any_finer_f32(const void *x, float limit) {
    const __m256 wide = _mm256_set1_ps(limit);
    __m256 difference = _mm256_setzero_ps();
    for (size_t byte = 0; byte < WINDOW_CHUNK * sizeof(float); byte += 32) {
        const __m256 all = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), _mm256_castsi256_ps(load_words(x, byte)));
        const __m256 near = _mm256_min_ps(all, wide);
        difference = _mm256_or_ps(difference, _mm256_xor_ps(_mm256_sub_ps(_mm256_add_ps(near, wide), wide), near));
    }
    const __m256i bits = _mm256_castps_si256(difference);
    return !_mm256_testz_si256(bits, bits);
}

static AVX2 inline __m256d magnitude_of(__m256d x) {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}

static AVX2 bool any_finer_f64(const void *x, double limit) {
    const __m256d wide = _mm256_set1_pd(limit);
    __m256d difference = _mm256_setzero_pd();
    for (size_t byte = 0; byte < WINDOW_CHUNK * sizeof(double); byte += 32) {
        const __m256d near = _mm256_min_pd(magnitude_of(_mm256_castsi256_pd(load_words(x, byte))), wide);
        difference = _mm256_or_pd(difference, _mm256_xor_pd(_mm256_sub_pd(_mm256_add_pd(near, wide), wide), near));
    }
    const __m256i bits = _mm256_castpd_si256(difference);
    return !_mm256_testz_si256(bits, bits);
}

const struct chunk_code chunk_code_avx2 = {
    .add_narrow_f32 = add_narrow_f32,
    .add_narrow_f64 = add_narrow_f64,
    .add_wide_f32 = add_wide_f32,
    .add_wide_f64 = add_wide_f64,
    .any_finer_f32 = any_finer_f32,
    .any_finer_f64 = any_finer_f64,
};

#else

const struct chunk_code chunk_code_avx2 = {0};

bool chunk_code_avx2_runs(void) {
    return false;
}

#endif
