// SPDX-License-Identifier: MIT
// The chunks of exact_windows.h on processors with AVX2 and BMI2; the rest of the program is compiled for any.
#include "reference/exact_windows.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include "reference/exact_facts_avx2.h"

#include <string.h>

bool chunk_code_avx2_runs(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
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
    .add_wide_f32 = add_wide_f32_avx2,
    .add_wide_f64 = add_wide_f64_avx2,
    .any_finer_f32 = any_finer_f32,
    .any_finer_f64 = any_finer_f64,
};

#else

const struct chunk_code chunk_code_avx2 = {0};

bool chunk_code_avx2_runs(void) {
    return false;
}

#endif
