// SPDX-License-Identifier: MIT
// Time of the exact sum per term, beside a plain strict loop over the same array and MPFR's own exact mpfr_sum. The
// ways are run in turn, on one thread, and the best of nine rounds counts, in processor time: what else the machine
// does disturbs all of them alike. With all processors it is the time on the clock that counts. Usage: bench_exact_sum
// [log2 n]
#include "reference/exact_bins.h"
#include "reference/parallel.h"
#ifdef REDUCTIO_XSUM
#include <xsum.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 9, KINDS = 4, MPFR_TERMS = 1 << 16 };
static const char *const kind_names[KINDS] = {"uniform", "full range", "one exponent", "integers"};

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545f4914f6cdd1d;
}

static double make_f64(int kind, uint64_t *state) {
    uint64_t bits = next_random(state);
    switch (kind) {
    case 0:
        return (double)(bits >> 11) * 0x1p-53;
    case 1:
        while ((bits >> 52 & 0x7ff) == 0x7ff) {
            bits = next_random(state);
        }
        return float_to_double(FLOAT_F64, bits);
    case 2:
        return float_to_double(FLOAT_F64, bits >> 12 | UINT64_C(0x3ff) << 52);
    default:
        return (double)(bits >> 54);
    }
}

static float make_f32(int kind, uint64_t *state) {
    uint64_t bits = next_random(state) >> 32;
    switch (kind) {
    case 0:
        return (float)(bits >> 8) * 0x1p-24f;
    case 1:
        while ((bits >> 23 & 0xff) == 0xff) {
            bits = next_random(state) >> 32;
        }
        return (float)float_to_double(FLOAT_F32, bits);
    case 2:
        return (float)float_to_double(FLOAT_F32, bits >> 9 | UINT64_C(0x7f) << 23);
    default:
        return (float)(bits >> 22);
    }
}

// One accumulator, one addition after the other, at -O2 whatever the rest is built with.
__attribute__((noinline, optimize("O2"))) static double plain_f64(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}

__attribute__((noinline, optimize("O2"))) static double plain_f32(const float *x, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum;
}

static volatile double sink; // keeps the plain loop alive

static void run_plain(enum float_type type, const void *x, size_t n) {
    sink = type == FLOAT_F32 ? plain_f32(x, n) : plain_f64(x, n);
}

static void sum_bins(enum float_type type, const void *x, size_t n, enum exact_gather gather) {
    struct exact_bins *bins = exact_bins_new_for(type, gather);
    struct exact_sum sum;
    exact_bins_add(bins, x, n);
    exact_sum_of_bins(&sum, bins);
    sink = (double)exact_sum_round(&sum, type);
    exact_sum_clear(&sum);
    exact_bins_free(bins);
}

static void run_best(enum float_type type, const void *x, size_t n) {
    sum_bins(type, x, n, GATHER_BEST);
}

static void run_plain_c(enum float_type type, const void *x, size_t n) {
    sum_bins(type, x, n, GATHER_PLAIN);
}

static void run_threads(enum float_type type, const void *x, size_t n, unsigned threads) {
    struct exact_sum sum;
    exact_sum_parallel(&sum, type, x, n, threads);
    sink = (double)exact_sum_round(&sum, type);
    exact_sum_clear(&sum);
}

struct way {
    void (*run)(enum float_type type, const void *x, size_t n);
    clockid_t clock;
    double best; // ns a term
};

static void time_ways(struct way *ways, size_t count, enum float_type type, const void *x, size_t n) {
    for (int run = 0; run < RUNS; run++)
        for (size_t i = 0; i < count; i++) {
            double start = seconds(ways[i].clock);
            ways[i].run(type, x, n);
            double taken = (seconds(ways[i].clock) - start) / (double)n * 1e9;
            ways[i].best = run == 0 || taken < ways[i].best ? taken : ways[i].best;
        }
}

// mpfr_sum over the first terms; making the MPFR numbers is not timed.
static double mpfr_sum_ns(enum float_type type, const void *x, size_t n) {
    mpfr_t *terms = malloc(n * sizeof *terms);
    mpfr_ptr *pointers = malloc(n * sizeof *pointers);
    if (terms == NULL || pointers == NULL) {
        fprintf(stderr, "bench_exact_sum: out of memory.\n");
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < n; i++) {
        mpfr_init2(terms[i], float_format(type)->precision);
        mpfr_set_d(terms[i], float_to_double(type, float_load(type, x, i)), MPFR_RNDN);
        pointers[i] = terms[i];
    }
    mpfr_t sum;
    mpfr_init2(sum, float_format(type)->precision);
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    mpfr_sum(sum, pointers, n, MPFR_RNDN);
    double taken = seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    mpfr_clear(sum);
    for (size_t i = 0; i < n; i++) {
        mpfr_clear(terms[i]);
    }
    free(terms);
    free(pointers);
    return taken / (double)n * 1e9;
}

#ifdef REDUCTIO_XSUM
static void run_xsum(enum float_type type, const void *x, size_t n) {
    (void)type; // f64: it takes no other
    static xsum_large_accumulator sum;
    xsum_large_init(&sum);
    xsum_large_addv(&sum, x, (xsum_length)n);
    sink = xsum_large_round(&sum);
}

static void bench_xsum(const void *x, size_t n, int kind) {
    struct way ways[] = {{run_xsum, CLOCK_THREAD_CPUTIME_ID, 0}, {run_best, CLOCK_THREAD_CPUTIME_ID, 0}};
    time_ways(ways, 2, FLOAT_F64, x, n);
    printf("f64  %-12s  xsum %5.2f  exact_sum %5.2f  xsum / exact_sum %4.2f\n", kind_names[kind], ways[0].best,
           ways[1].best, ways[0].best / ways[1].best);
}
#endif

static void fill(enum float_type type, int kind, void *x, size_t n) {
    uint64_t state = 88172645463325252;
    for (size_t i = 0; i < n; i++) {
        if (type == FLOAT_F32) {
            ((float *)x)[i] = make_f32(kind, &state);
        } else {
            ((double *)x)[i] = make_f64(kind, &state);
        }
    }
}

static void bench(enum float_type type, int kind, void *x, size_t n) {
    fill(type, kind, x, n);
    struct way ways[] = {{run_plain, CLOCK_THREAD_CPUTIME_ID, 0},
                         {run_best, CLOCK_THREAD_CPUTIME_ID, 0},
                         {run_plain_c, CLOCK_THREAD_CPUTIME_ID, 0}};
    time_ways(ways, sizeof ways / sizeof *ways, type, x, n);
    double plain = ways[0].best, exact = ways[1].best;
    double mpfr = mpfr_sum_ns(type, x, n < MPFR_TERMS ? n : MPFR_TERMS);
    printf("%s  %-12s  plain loop %5.2f  exact_sum %5.2f (%4.2f)  in plain C %5.2f (%4.2f)  mpfr_sum %6.1f (%5.1f)\n",
           float_format(type)->name, kind_names[kind], plain, exact, exact / plain, ways[2].best, ways[2].best / plain,
           mpfr, mpfr / plain);
#ifdef REDUCTIO_XSUM
    if (type == FLOAT_F64)
        bench_xsum(x, n, kind);
#endif
}

// Time on the clock with 1, 2, 4 ... threads, up to all processors: the best of nine rounds.
static void bench_threads(enum float_type type, int kind, void *x, size_t n) {
    fill(type, kind, x, n);
    printf("%s  %-12s ", float_format(type)->name, kind_names[kind]);
    const unsigned most = usable_processors();
    double one = 0;
    for (unsigned threads = 1; threads <= most; threads = threads < most && threads * 2 > most ? most : threads * 2) {
        double best = 0;
        for (int run = 0; run < RUNS; run++) {
            double start = seconds(CLOCK_MONOTONIC);
            run_threads(type, x, n, threads);
            double taken = (seconds(CLOCK_MONOTONIC) - start) / (double)n * 1e9;
            best = run == 0 || taken < best ? taken : best;
        }
        one = threads == 1 ? best : one;
        printf("  %u: %.3f (x %.2f)", threads, best, one / best);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    int log2_n = argc > 1 ? atoi(argv[1]) : 24;
    if (argc > 2 || log2_n < 1 || log2_n > 30) {
        fprintf(stderr, "usage: bench_exact_sum [log2 n, 1 to 30]\n");
        return 2;
    }
    size_t n = (size_t)1 << log2_n;
    void *x = malloc(n * sizeof(double));
    if (x == NULL) {
        fprintf(stderr, "bench_exact_sum: no memory for 2^%d terms.\n", log2_n);
        return EXIT_FAILURE;
    }
    printf("ns a term, n = 2^%d (mpfr_sum: at most 2^16), one thread; in brackets: over the plain loop\n", log2_n);
    for (enum float_type type = FLOAT_F32; type <= FLOAT_F64; type++) {
        for (int kind = 0; kind < KINDS; kind++) {
            bench(type, kind, x, n);
        }
    }
    printf("threads: ns a term on the clock (times as fast as one)\n");
    for (enum float_type type = FLOAT_F32; type <= FLOAT_F64; type++)
        for (int kind = 0; kind < 2; kind++)
            bench_threads(type, kind, x, n);
    free(x);
    return EXIT_SUCCESS;
}
