// SPDX-License-Identifier: MIT
#include "reports/rank_test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { EXACT_PRODUCT = 400 };

struct sample {
    uint64_t value;
    bool from_a;
};

static int compare_samples(const void *x, const void *y) {
    uint64_t a = ((const struct sample *)x)->value, b = ((const struct sample *)y)->value;
    return (a > b) - (a < b);
}

struct ranks {
    double u;        // pairs in which a's value is the larger one, a tie counting half
    double tie_term; // sum of t^3 - t over groups of t equal values
};

static struct ranks rank_samples(const struct sample *sorted, size_t count, size_t a_count) {
    double rank_sum = 0, tie_term = 0;
    for (size_t first = 0, end; first < count; first = end) {
        size_t of_a = 0;
        for (end = first; end < count && sorted[end].value == sorted[first].value; end++)
            of_a += sorted[end].from_a;
        double tied = (double)(end - first);
        rank_sum += (double)of_a * ((double)first + (tied + 1) / 2);
        tie_term += tied * tied * tied - tied;
    }
    return (struct ranks){.u = rank_sum - (double)a_count * ((double)a_count + 1) / 2, .tie_term = tie_term};
}

// P(U <= u): of all choices of a's ranks, the share whose U is at most u. ways[k][j] counts choices of k ranks with U =
// j; each further rank of the pooled sample is b's (U stays) or a's (U grows by the b's before it).
static double exact_tail(size_t a, size_t b, size_t u) {
    size_t width = a * b + 1;
    double *ways = calloc((a + 1) * width, sizeof *ways);
    if (!ways)
        return -1;
    ways[0] = 1;
    for (size_t rank = 0; rank < a + b; rank++)
        for (size_t k = a < rank + 1 ? a : rank + 1; k > 0; k--) {
            size_t before = rank - (k - 1); // ranks of b below this one
            for (size_t j = width; before <= b && j-- > before;)
                ways[k * width + j] += ways[(k - 1) * width + j - before];
        }
    double tail = 0, all = 0;
    for (size_t j = 0; j < width; j++) {
        all += ways[a * width + j];
        tail += j <= u ? ways[a * width + j] : 0;
    }
    free(ways);
    return tail / all;
}

static double normal_two_sided(double u, double a, double b, double tie_term) {
    double n = a + b;
    double variance = a * b / 12 * (n + 1 - tie_term / (n * (n - 1)));
    double distance = fmax(0, fabs(u - a * b / 2) - 0.5); // continuity
    return variance > 0 ? erfc(distance / sqrt(2 * variance)) : 1;
}

double rank_test(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, int *shift) {
    *shift = 0;
    if (!a_count || !b_count)
        return 1;
    size_t count = a_count + b_count;
    struct sample *samples = calloc(count, sizeof *samples);
    if (!samples)
        return -1;
    for (size_t i = 0; i < count; i++)
        samples[i] = (struct sample){i < a_count ? a[i] : b[i - a_count], i < a_count};
    qsort(samples, count, sizeof *samples, compare_samples);
    struct ranks ranks = rank_samples(samples, count, a_count);
    free(samples);
    double pairs = (double)a_count * (double)b_count, smaller = fmin(ranks.u, pairs - ranks.u);
    *shift = (ranks.u > pairs / 2) - (ranks.u < pairs / 2);
    if (ranks.tie_term > 0 || pairs > EXACT_PRODUCT)
        return normal_two_sided(ranks.u, (double)a_count, (double)b_count, ranks.tie_term);
    double tail = exact_tail(a_count, b_count, (size_t)smaller);
    return tail < 0 ? -1 : fmin(1, 2 * tail);
}
