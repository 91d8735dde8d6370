// SPDX-License-Identifier: MIT
// The chunks of exact_windows.h on processors with AVX2; the rest of the program is compiled for any. Loads are
// unaligned ones: an array starts where its owner put it.
#include "reference/exact_windows.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

bool chunk_code_avx2_runs(void) {
    return __builtin_cpu_supports("avx2");
}

static AVX2 inline __m256i load_words(const void *x, size_t byte) {
    return _mm256_loadu_si256((const __m256i *)((const char *)x + byte));
}

// Asks for the line that lies a chunk further on: the processor's own prefetching ends with the page, and memory would
// stand still while a chunk is worked at. Past the end of the array it is a wish that nothing comes of.
static AVX2 inline void fetch_next_chunk(const void *x, size_t byte, size_t element) {
    _mm_prefetch((const char *)x + byte + WINDOW_CHUNK * element, _MM_HINT_T0);
}

// The least and the largest of words that are |x| - 1, so that a zero is the largest unsigned and a negative number.
struct extremes {
    __m256i least, largest, tiny; // tiny: negative where one of them was
    __m256i any, all;             // bits that some and that all words have
};

static AVX2 inline void note_words(struct extremes *seen, __m256i words) {
    const __m256i magnitude = _mm256_and_si256(words, _mm256_set1_epi32(INT32_MAX));
    const __m256i less_one = _mm256_sub_epi32(magnitude, _mm256_set1_epi32(1));
    seen->least = _mm256_min_epu32(seen->least, less_one);
    seen->largest = _mm256_max_epi32(seen->largest, less_one);
    seen->tiny = _mm256_or_si256(seen->tiny, less_one);
    seen->any = _mm256_or_si256(seen->any, words);
    seen->all = _mm256_and_si256(seen->all, words);
}

static AVX2 inline struct extremes no_words(void) {
    const __m256i zeros = _mm256_setzero_si256(), ones = _mm256_set1_epi32(-1);
    return (struct extremes){ones, ones, zeros, zeros, ones};
}

// `stored`: bits of a word below the exponent field.
static AVX2 struct chunk_facts facts_of(const struct extremes *seen, int stored) {
    uint32_t least[8], largest[8], any[8], all[8];
    _mm256_storeu_si256((__m256i *)least, seen->least);
    _mm256_storeu_si256((__m256i *)largest, seen->largest);
    _mm256_storeu_si256((__m256i *)any, seen->any);
    _mm256_storeu_si256((__m256i *)all, seen->all);
    uint32_t low = UINT32_MAX, some = 0, every = UINT32_MAX;
    int32_t high = -1;
    for (int i = 0; i < 8; i++) {
        low = least[i] < low ? least[i] : low;
        high = (int32_t)largest[i] > high ? (int32_t)largest[i] : high;
        some |= any[i];
        every &= all[i];
    }
    return (struct chunk_facts){.highest = (uint32_t)(high + 1) >> stored,
                                .lowest = (low + 1) >> stored,
                                .tiny = _mm256_movemask_ps(_mm256_castsi256_ps(seen->tiny)) != 0,
                                .positive = every >> 31 == 0,
                                .negative = some >> 31 != 0};
}

static AVX2 struct chunk_facts read_f32(const void *x) {
    struct extremes seen = no_words();
    for (size_t byte = 0; byte < WINDOW_CHUNK * sizeof(float); byte += 32) {
        const __m256i words = load_words(x, byte);
        note_words(&seen, words);
    }
    return facts_of(&seen, 23);
}

static AVX2 struct chunk_facts read_f64(const void *x) {
    struct extremes seen = no_words();
    for (size_t byte = 0; byte < WINDOW_CHUNK * sizeof(double); byte += 64) {
        const __m256 first = _mm256_castsi256_ps(load_words(x, byte));
        const __m256 second = _mm256_castsi256_ps(load_words(x, byte + 32));
        const __m256i words = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xdd)); // the high ones
        note_words(&seen, words);
    }
    return facts_of(&seen, 20);
}

// 2^exponent, a normal number.
static double power_of_two(int exponent) {
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

// The sum of lanes that are integers of at most 53 bits times 1/scale.
static AVX2 int64_t integer_of(__m256d lanes, double scale) {
    double values[4];
    _mm256_storeu_pd(values, _mm256_mul_pd(lanes, _mm256_set1_pd(scale)));
    return (int64_t)values[0] + (int64_t)values[1] + (int64_t)values[2] + (int64_t)values[3];
}

static AVX2 inline __m256d magnitude_of(__m256d x) {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}

static void add_to_narrow(struct narrow_total *total, int64_t sum, int64_t magnitude) {
    total->sum += sum;
    total->magnitude += magnitude;
}

static AVX2 void add_narrow_f32(struct exact_windows *windows, const void *x, const struct chunk_facts *facts) {
    const unsigned group = facts->highest / NARROW_STEP;
    const int top = (int)group * NARROW_STEP + NARROW_STEP - 1 - 127;
    const double scale = power_of_two(45 - top);
    const float *from = x;
    __m256d sum[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()}, magnitude[2] = {sum[0], sum[0]};
    for (size_t i = 0; i < WINDOW_CHUNK; i += 8) {
        if (i % 16 == 0)
            fetch_next_chunk(x, i * sizeof(float), sizeof(float));
        for (int half = 0; half < 2; half++) {
            const __m256d wide = _mm256_cvtps_pd(_mm_loadu_ps(from + i + 4 * half));
            sum[half] = _mm256_add_pd(sum[half], wide);
            magnitude[half] = _mm256_add_pd(magnitude[half], magnitude_of(wide));
        }
    }
    add_to_narrow(&windows->narrow[group][0], integer_of(sum[0], scale) + integer_of(sum[1], scale),
                  integer_of(magnitude[0], scale) + integer_of(magnitude[1], scale));
}

// Lanes of highs and lows, two of each in turn.
struct cut_sums {
    __m256d high[2], low[2];
};

static AVX2 void add_cut_sums(struct narrow_total totals[2], const struct cut_sums *sum,
                              const struct cut_sums *magnitude, int k, bool minus) {
    const double high = power_of_two(52 - k), low = power_of_two(97 - k), sign = minus ? -1 : 1;
    add_to_narrow(&totals[0], integer_of(sum->high[0], high) + integer_of(sum->high[1], high),
                  integer_of(magnitude->high[0], sign * high) + integer_of(magnitude->high[1], sign * high));
    add_to_narrow(&totals[1], integer_of(sum->low[0], low) + integer_of(sum->low[1], low),
                  integer_of(magnitude->low[0], sign * low) + integer_of(magnitude->low[1], sign * low));
}

static AVX2 void add_narrow_f64(struct exact_windows *windows, const void *x, const struct chunk_facts *facts) {
    const unsigned group = facts->highest / NARROW_STEP;
    const bool both_signs = facts->positive && facts->negative;
    const int k = (int)group * NARROW_STEP + NARROW_STEP - 1 - 1023 + 8;
    const __m256d c = _mm256_set1_pd(1.5 * power_of_two(k));
    const double *from = x;
    struct cut_sums sum, magnitude;
    for (int turn = 0; turn < 2; turn++)
        sum.high[turn] = sum.low[turn] = magnitude.high[turn] = magnitude.low[turn] = _mm256_setzero_pd();
    for (size_t i = 0; i < WINDOW_CHUNK; i += 8) {
        fetch_next_chunk(x, i * sizeof(double), sizeof(double));
        for (int turn = 0; turn < 2; turn++) {
            const __m256d all = _mm256_loadu_pd(from + i + 4 * turn);
            const __m256d high = _mm256_sub_pd(_mm256_add_pd(all, c), c), low = _mm256_sub_pd(all, high);
            sum.high[turn] = _mm256_add_pd(sum.high[turn], high);
            sum.low[turn] = _mm256_add_pd(sum.low[turn], low);
            if (!both_signs)
                continue;
            // The sign of a low part is its own: |x| = |high| + (low or -low, by the sign of x).
            const __m256d sign = _mm256_and_pd(all, _mm256_set1_pd(-0.0));
            magnitude.high[turn] = _mm256_add_pd(magnitude.high[turn], _mm256_xor_pd(high, sign));
            magnitude.low[turn] = _mm256_add_pd(magnitude.low[turn], _mm256_xor_pd(low, sign));
        }
    }
    add_cut_sums(windows->narrow[group], &sum, both_signs ? &magnitude : &sum, k, !both_signs && facts->negative);
}

static AVX2 void add_wide_f32(struct exact_windows *windows, const void *x) {
    enum { STRETCH = 64 };
    const __m256i mask = _mm256_set1_epi32(0x7fffff), one = _mm256_set1_epi32(0x800000);
    const __m256i field = _mm256_set1_epi32(0x7f800000), zero = _mm256_setzero_si256();
    const unsigned char *bytes = x;
    uint32_t shifted[STRETCH] __attribute__((aligned(32)));
    for (size_t i = 0; i < WINDOW_CHUNK; i += STRETCH) {
        for (size_t k = 0; k < STRETCH; k += 8) {
            if (k % 16 == 0)
                fetch_next_chunk(x, (i + k) * sizeof(float), sizeof(float));
            const __m256i words = load_words(x, (i + k) * sizeof(float));
            // Exponent field 0: no leading one, and the exponent of field 1.
            const __m256i none = _mm256_cmpeq_epi32(_mm256_and_si256(words, field), zero);
            const __m256i leading = _mm256_andnot_si256(none, one);
            const __m256i significand = _mm256_or_si256(_mm256_and_si256(words, mask), leading);
            const __m256i parity = _mm256_and_si256(_mm256_srli_epi32(words, 23), _mm256_set1_epi32(1));
            const __m256i place = _mm256_sub_epi32(parity, none);
            _mm256_store_si256((__m256i *)(shifted + k), _mm256_sllv_epi32(significand, place));
        }
        for (size_t k = 0; k < STRETCH; k += WINDOW_SETS)
            for (size_t set = 0; set < WINDOW_SETS; set++)
                windows->hot.f32[set][bytes[(i + k + set) * sizeof(float) + 3]] += shifted[k + set];
    }
}

static AVX2 inline void add_pair(struct exact_windows *windows, unsigned window, size_t set, __m128i pair) {
    __m128i *sums = (__m128i *)windows->hot.f64[window][set];
    _mm_storeu_si128(sums, _mm_add_epi64(_mm_loadu_si128(sums), pair));
}

static AVX2 void add_wide_f64(struct exact_windows *windows, const void *x) {
    const __m256i mask = _mm256_set1_epi64x(0xfffffffffffff), one = _mm256_set1_epi64x(INT64_C(1) << 52);
    const __m256i low_mask = _mm256_set1_epi64x((INT64_C(1) << 26) - 1);
    const __m256i field = _mm256_set1_epi64x(INT64_C(0x7ff) << 52), zero = _mm256_setzero_si256();
    for (size_t i = 0; i < WINDOW_CHUNK; i += WINDOW_SETS) {
        fetch_next_chunk(x, i * sizeof(double), sizeof(double));
        for (size_t set = 0; set < WINDOW_SETS; set += 4) {
            const unsigned char *top = (const unsigned char *)x + (i + set) * sizeof(double) + 7;
            const __m256i words = load_words(x, (i + set) * sizeof(double));
            const __m256i none = _mm256_cmpeq_epi64(_mm256_and_si256(words, field), zero);
            const __m256i leading = _mm256_andnot_si256(none, one);
            const __m256i significand = _mm256_or_si256(_mm256_and_si256(words, mask), leading);
            const __m256i remainder = _mm256_and_si256(_mm256_srli_epi64(words, 52), _mm256_set1_epi64x(15));
            const __m256i place = _mm256_sub_epi64(remainder, none);
            const __m256i low = _mm256_sllv_epi64(_mm256_and_si256(significand, low_mask), place);
            const __m256i high = _mm256_sllv_epi64(_mm256_srli_epi64(significand, 26), place);
            const __m256i even = _mm256_unpacklo_epi64(low, high), odd = _mm256_unpackhi_epi64(low, high);
            add_pair(windows, top[0], set, _mm256_castsi256_si128(even));
            add_pair(windows, top[8], set + 1, _mm256_castsi256_si128(odd));
            add_pair(windows, top[16], set + 2, _mm256_extracti128_si256(even, 1));
            add_pair(windows, top[24], set + 3, _mm256_extracti128_si256(odd, 1));
        }
    }
}

static size_t append_places(uint16_t *places, size_t count, size_t first, unsigned lanes) {
    for (; lanes != 0; lanes &= lanes - 1)
        places[count++] = (uint16_t)(first + (size_t)__builtin_ctz(lanes));
    return count;
}

static AVX2 size_t find_tiny_f32(const void *x, uint16_t places[WINDOW_CHUNK]) {
    const __m256i field = _mm256_set1_epi32(0x7f800000);
    size_t count = 0;
    for (size_t i = 0; i < WINDOW_CHUNK; i += 32) {
        __m256i none[4];
        for (size_t k = 0; k < 4; k++) {
            const __m256i fields = _mm256_and_si256(load_words(x, (i + 8 * k) * sizeof(float)), field);
            none[k] = _mm256_cmpeq_epi32(fields, _mm256_setzero_si256());
        }
        const __m256i any = _mm256_or_si256(_mm256_or_si256(none[0], none[1]), _mm256_or_si256(none[2], none[3]));
        if (_mm256_testz_si256(any, any)) // mostly
            continue;
        for (size_t k = 0; k < 4; k++)
            count = append_places(places, count, i + 8 * k, (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(none[k])));
    }
    return count;
}

static AVX2 size_t find_tiny_f64(const void *x, uint16_t places[WINDOW_CHUNK]) {
    const __m256i field = _mm256_set1_epi64x(INT64_C(0x7ff) << 52);
    size_t count = 0;
    for (size_t i = 0; i < WINDOW_CHUNK; i += 4) {
        const __m256i fields = _mm256_and_si256(load_words(x, i * sizeof(double)), field);
        const __m256i none = _mm256_cmpeq_epi64(fields, _mm256_setzero_si256());
        count = append_places(places, count, i, (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(none)));
    }
    return count;
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
    .read_f32 = read_f32,
    .read_f64 = read_f64,
    .add_narrow_f32 = add_narrow_f32,
    .add_narrow_f64 = add_narrow_f64,
    .add_wide_f32 = add_wide_f32,
    .add_wide_f64 = add_wide_f64,
    .find_tiny_f32 = find_tiny_f32,
    .find_tiny_f64 = find_tiny_f64,
    .any_finer_f32 = any_finer_f32,
    .any_finer_f64 = any_finer_f64,
};

#else

const struct chunk_code chunk_code_avx2 = {0};

bool chunk_code_avx2_runs(void) {
    return false;
}

#endif
