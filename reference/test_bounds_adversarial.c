// SPDX-License-Identifier: MIT
// Sums made here, in plain C, on inputs that hurt: none may exceed its bound, and each bound must be approached by some
// input, because one that nothing approaches would catch nothing.
#include "reference/bounds.h"
#include "reference/test_support.h"

#include <float.h>

enum { MAX_N = 1024, THREADS = 8 };

// A sum and its correction: the value is high + low.
struct pair {
    float high, low;
};

static struct pair two_sum(float a, float b) { // Knuth
    float sum = a + b;
    float b_part = sum - a;
    float a_part = sum - b_part;
    return (struct pair){sum, (a - a_part) + (b - b_part)};
}

static struct pair fast_two_sum(float a, float b) { // Dekker; |a| >= |b|
    float sum = a + b;
    return (struct pair){sum, b - (sum - a)};
}

static size_t ceil_log2(size_t n) {
    size_t height = 0;
    while (((size_t)1 << height) < n) {
        height++;
    }
    return height;
}

static float sum_sequential(const float *x, size_t n, struct bound_terms *terms) {
    float sum = n > 0 ? x[0] : 0;
    for (size_t i = 1; i < n; i++) {
        sum += x[i];
    }
    terms->height = n > 0 ? n - 1 : 0;
    return sum;
}

// In place, neighbours first; a last odd one moves up unchanged.
static float sum_pairwise(const float *x, size_t n, struct bound_terms *terms) {
    float level[MAX_N] = {0};
    memcpy(level, x, n * sizeof *x);
    terms->height = ceil_log2(n);
    for (; n > 1; n = (n + 1) / 2) {
        for (size_t i = 0; i < n / 2; i++) {
            level[i] = level[2 * i] + level[2 * i + 1];
        }
        if (n % 2 != 0) {
            level[n / 2] = level[n - 1];
        }
    }
    return level[0];
}

static struct pair kahan_pair(const float *x, size_t n, size_t first, size_t step) {
    float sum = 0, correction = 0;
    for (size_t i = first; i < n; i += step) {
        float y = x[i] - correction;
        float next = sum + y;
        correction = (next - sum) - y;
        sum = next;
    }
    return (struct pair){sum, -correction};
}

static float sum_kahan(const float *x, size_t n, struct bound_terms *terms) {
    terms->serial_terms = n;
    return kahan_pair(x, n, 0, 1).high;
}

static float merge_pairs(struct pair *pairs, size_t count) {
    for (; count > 1; count = (count + 1) / 2) {
        for (size_t i = 0; i < count / 2; i++) {
            struct pair left = pairs[2 * i], right = pairs[2 * i + 1];
            struct pair sum = two_sum(left.high, right.high);
            pairs[i] = (struct pair){sum.high, (left.low + right.low) + sum.low};
        }
        if (count % 2 != 0) {
            pairs[count / 2] = pairs[count - 1];
        }
    }
    return pairs[0].high + pairs[0].low;
}

static float sum_kahan_merged(const float *x, size_t n, struct bound_terms *terms) {
    struct pair pairs[THREADS];
    for (size_t thread = 0; thread < THREADS; thread++) {
        pairs[thread] = kahan_pair(x, n, thread, THREADS);
    }
    terms->serial_terms = (n + THREADS - 1) / THREADS;
    terms->height = ceil_log2(THREADS);
    return merge_pairs(pairs, THREADS);
}

// Neumaier in each thread, then the merging tree.
static float sum_compensated(const float *x, size_t n, struct bound_terms *terms) {
    struct pair pairs[THREADS] = {{0, 0}};
    for (size_t i = 0; i < n; i++) {
        struct pair *own = &pairs[i % THREADS];
        struct pair sum = two_sum(own->high, x[i]);
        *own = (struct pair){sum.high, own->low + sum.low};
    }
    terms->height = (n + THREADS - 1) / THREADS + ceil_log2(THREADS);
    return merge_pairs(pairs, THREADS);
}

static struct pair add_word(struct pair x, float y) { // Joldes, Muller & Popescu 2017, algorithm 4
    struct pair s = two_sum(x.high, y);
    return fast_two_sum(s.high, x.low + s.low);
}

static struct pair add_pair(struct pair x, struct pair y) { // algorithm 6
    struct pair s = two_sum(x.high, y.high);
    struct pair t = two_sum(x.low, y.low);
    struct pair v = fast_two_sum(s.high, s.low + t.high);
    return fast_two_sum(v.high, t.low + v.low);
}

static float sum_double_word(const float *x, size_t n, struct bound_terms *terms) {
    struct pair pairs[THREADS] = {{0, 0}};
    for (size_t i = 0; i < n; i++) {
        pairs[i % THREADS] = add_word(pairs[i % THREADS], x[i]);
    }
    for (size_t count = THREADS / 2; count > 0; count /= 2) {
        for (size_t i = 0; i < count; i++) {
            pairs[i] = add_pair(pairs[i], pairs[i + count]);
        }
    }
    terms->height = (n + THREADS - 1) / THREADS + ceil_log2(THREADS);
    return pairs[0].high;
}

static float sum_wide(const float *x, size_t n, struct bound_terms *terms) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    terms->height = n;
    return (float)sum;
}

static float sum_exactly(const float *x, size_t n, struct bound_terms *terms) {
    (void)terms;
    struct exact_sum sum;
    exact_sum(&sum, FLOAT_F32, x, n);
    float rounded = (float)float_to_double(FLOAT_F32, exact_sum_round(&sum, FLOAT_F32));
    exact_sum_clear(&sum);
    return rounded;
}

// Inputs. Scales stay away from overflow; the smallest are subnormal.
static void fill_exponents(float *x, size_t n, uint64_t *state, uint64_t low, uint64_t high) {
    for (size_t i = 0; i < n; i++) {
        float_store(FLOAT_F32, x, i, random_float(FLOAT_F32, state, low, high));
    }
}

// Pairs that cancel around a small rest.
static void fill_cancelling(float *x, size_t n, uint64_t *state) {
    fill_exponents(x, n, state, 100, 140);
    for (size_t i = 0; i + 1 < n; i += 2) {
        x[i + 1] = -x[i];
    }
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)random_below(state, i);
        float swap = x[i - 1];
        x[i - 1] = x[j];
        x[j] = swap;
    }
}

// A one, and terms of half its ulp that are lost one by one (or, with signs and multiples, lost and doubled).
static void fill_stagnating(float *x, size_t n, uint64_t *state) {
    bool mixed = random_below(state, 2) != 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = mixed ? 0x1p-24f * (float)((int)random_below(state, 7) - 3) : 0x1p-24f;
    }
    x[0] = 1;
}

// For a pairwise tree: one term of half an ulp where each level adds it to the one.
static void fill_tree_stagnating(float *x, size_t n) {
    memset(x, 0, n * sizeof *x);
    x[0] = 1;
    for (size_t i = 1; i < n; i *= 2) {
        x[i] = 0x1p-24f;
    }
}

// Two neighbours of a power of two, with small odd terms between: Kahan's y and sum round at every step.
static void fill_kahan_hostile(float *x, size_t n, uint64_t *state) {
    for (size_t i = 0; i < n; i++) {
        bool large = random_below(state, 2) != 0;
        float magnitude = large ? 0x1p24f + 2 * (float)random_below(state, 4) : (float)random_below(state, 256) / 32;
        x[i] = random_below(state, 4) != 0 ? -magnitude : magnitude;
    }
}

enum { FAMILIES = 8 };

static void fill(float *x, size_t n, unsigned family, uint64_t *state) {
    switch (family) {
    case 0:
        fill_exponents(x, n, state, 126, 127);
        break;
    case 1:
        fill_exponents(x, n, state, 1, 200);
        break;
    case 2:
        fill_exponents(x, n, state, 0, 2);
        break;
    case 3:
        fill_cancelling(x, n, state);
        break;
    case 4:
        fill_stagnating(x, n, state);
        break;
    case 5:
        fill_tree_stagnating(x, n);
        break;
    case 6:
        fill_kahan_hostile(x, n, state);
        break;
    default:
        fill_exponents(x, n, state, 110, 127);
        break;
    }
}

struct method {
    const char *name;
    float (*sum)(const float *x, size_t n, struct bound_terms *terms);
    void (*bound)(mpfr_t, const struct exact_sum *, enum float_type, const struct bound_terms *);
    double reached; // by the worst input below, at least
};

static const struct method methods[] = {
    {"sequential, any order", sum_sequential, bound_any_order, 0.99},
    {"sequential, height", sum_sequential, bound_height, 0.99},
    {"pairwise, any order", sum_pairwise, bound_any_order, 0.5},
    {"pairwise, height", sum_pairwise, bound_height, 0.99},
    {"Kahan", sum_kahan, bound_kahan, 0.5},
    {"Kahan merged", sum_kahan_merged, bound_kahan_merged, 0.3},
    {"compensated", sum_compensated, bound_compensated, 0.9},
    {"double word", sum_double_word, bound_double_word, 0.9},
    {"wide", sum_wide, bound_wide, 0.9},
    {"correctly rounded", sum_exactly, bound_correctly_rounded, 1},
    {"correctly rounded, as faithful", sum_exactly, bound_faithful, 0.9},
};

// error / bound; 0 where the error is 0. Fails if the error is beyond the bound.
static double measure(const struct method *method, const float *x, size_t n, const struct exact_sum *exact) {
    struct bound_terms terms = {.n = n};
    float result = method->sum(x, n, &terms);
    mpfr_t bound, error;
    mpfr_init2(bound, 53);
    mpfr_init2(error, 700);
    method->bound(bound, exact, FLOAT_F32, &terms);
    ck_assert_int_eq(mpfr_sub_d(error, exact->sum, result, MPFR_RNDN), 0);
    mpfr_abs(error, error, MPFR_RNDN);
    ck_assert_msg(mpfr_cmp(error, bound) <= 0, "%s exceeds its bound, n = %zu, result %a", method->name, n, result);
    mpfr_div(bound, error, bound, MPFR_RNDN);
    bool trivial = mpfr_zero_p(error) || terms.serial_terms == 1; // one term a thread: not Kahan's sum
    double ratio = trivial ? 0 : mpfr_get_d(bound, MPFR_RNDN);
    mpfr_clears(bound, error, (mpfr_ptr)0);
    return ratio;
}

START_TEST(test_no_sum_exceeds_its_bound) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed;
    enum { METHODS = sizeof methods / sizeof methods[0] };
    double worst[METHODS] = {0};
    float x[MAX_N];
    for (unsigned trial = 0; trial < 16000; trial++) {
        unsigned family = trial % FAMILIES;
        size_t n = 1 + (size_t)random_below(&state, random_below(&state, 4) != 0 ? 12 : MAX_N);
        fill(x, n, family, &state);
        struct exact_sum exact;
        exact_sum(&exact, FLOAT_F32, x, n);
        for (size_t i = 0; i < METHODS; i++) {
            double ratio = measure(&methods[i], x, n, &exact);
            worst[i] = ratio > worst[i] ? ratio : worst[i];
        }
        exact_sum_clear(&exact);
    }
    for (size_t i = 0; i < METHODS; i++) {
        printf("%-32s worst error/bound %.4f\n", methods[i].name, worst[i]);
    }
    fflush(stdout); // a failing assertion would lose it
    for (size_t i = 0; i < METHODS; i++) {
        ck_assert_msg(worst[i] >= methods[i].reached, "%s: nothing comes near its bound", methods[i].name);
    }
}
END_TEST

// The final rounding of Kahan's sum counts: its error is above 2u·A, the bound of the pair, and below the bound here.
START_TEST(test_kahan_alone_is_worse_than_its_pair) {
    float x[] = {-3, -16777216, 5.484375f, -16777218, -4};
    struct bound_terms terms = {.n = 5};
    ck_assert(sum_kahan(x, 5, &terms) == -33554440);
    struct exact_sum exact;
    exact_sum(&exact, FLOAT_F32, x, 5);
    double error_over_u_a = (33554440 - 33554435.515625) / (mpfr_get_d(exact.abs_sum, MPFR_RNDN) * 0x1p-24);
    ck_assert(error_over_u_a > 2.24 && error_over_u_a < 2.25);
    double ratio = measure(&methods[4], x, 5, &exact);
    ck_assert(ratio > 0.74 && ratio < 0.75);
    exact_sum_clear(&exact);
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("adversarial");
    tcase_add_test(tests, test_no_sum_exceeds_its_bound);
    tcase_add_test(tests, test_kahan_alone_is_worse_than_its_pair);
    return run_case(tests);
}
