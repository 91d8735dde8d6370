// SPDX-License-Identifier: MIT
// Time of the exact sum per term, beside a plain strict loop over the same array, reading alone, MPFR's own exact
// mpfr_sum, and with 1, 2, 4 ... threads. A round runs each way once, in turn, so that whatever else the machine does
// meets all of them; ratios are taken within a round, and the median of all rounds is told. One thread is timed by its
// processor time, several by the clock. Usage: bench_exact_sum [log2 n] [--rounds R] [--samples FILE.csv]
#include "reference/exact_bins.h"
#include "reference/parallel.h"
#include "reference/plain_loop.h"
#ifdef REDUCTIO_XSUM
#include <xsum.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KINDS = 4, MPFR_TERMS = 1 << 16, MOST_WAYS = 24, MOST_ROUNDS = 999 };
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

static volatile double sink; // keeps the plain loop alive

// An array, and the same terms, or the first of them, as MPFR numbers.
struct array {
    enum float_type type;
    void *x;
    size_t n, mpfr_n;
    mpfr_t *terms;
    mpfr_ptr *pointers;
};

struct way {
    const char *name;
    void (*run)(const struct array *array, unsigned threads);
    unsigned threads; // 0: one, timed by its processor time
    double ns[MOST_ROUNDS];
};

static void run_plain(const struct array *array, unsigned threads) {
    (void)threads;
    sink = array->type == FLOAT_F32 ? plain_loop_f32(array->x, array->n) : plain_loop_f64(array->x, array->n);
}

// Every word is needed for the result, and nothing waits for it but that. Lines are asked for as far ahead as the exact
// sum asks for them: without, reading takes longer than adding.
static void run_read(const struct array *array, unsigned threads) {
    (void)threads;
    const uint64_t __attribute__((may_alias)) *words = array->x;
    const size_t count = array->n * float_format(array->type)->size / sizeof *words;
    uint64_t all = 0;
    enum { LINE = 8, AHEAD = 512 };
    for (size_t i = 0; i < count; i += LINE) {
        __builtin_prefetch(words + i + AHEAD);
        for (size_t k = i; k < i + LINE && k < count; k++) {
            all |= words[k];
        }
    }
    sink = (double)all;
}

static void sum_bins(const struct array *array, enum exact_gather gather) {
    struct exact_bins *bins = exact_bins_new_for(array->type, gather);
    struct exact_sum sum;
    exact_bins_add(bins, array->x, array->n);
    exact_sum_of_bins(&sum, bins);
    sink = (double)exact_sum_round(&sum, array->type);
    exact_sum_clear(&sum);
    exact_bins_free(bins);
}

static void run_best(const struct array *array, unsigned threads) {
    (void)threads;
    sum_bins(array, GATHER_BEST);
}

static void run_plain_c(const struct array *array, unsigned threads) {
    (void)threads;
    sum_bins(array, GATHER_PLAIN);
}

static void run_threads(const struct array *array, unsigned threads) {
    struct exact_sum sum;
    exact_sum_parallel(&sum, array->type, array->x, array->n, threads);
    sink = (double)exact_sum_round(&sum, array->type);
    exact_sum_clear(&sum);
}

static void run_mpfr(const struct array *array, unsigned threads) {
    (void)threads;
    mpfr_t sum;
    mpfr_init2(sum, float_format(array->type)->precision);
    mpfr_sum(sum, array->pointers, array->mpfr_n, MPFR_RNDN);
    sink = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clear(sum);
}

#ifdef REDUCTIO_XSUM
static void run_xsum(const struct array *array, unsigned threads) {
    (void)threads;
    static xsum_large_accumulator sum;
    xsum_large_init(&sum);
    xsum_large_addv(&sum, array->x, (xsum_length)array->n);
    sink = xsum_large_round(&sum);
}
#endif

static size_t list_ways(struct way *ways, enum float_type type) {
    const struct way one_thread[] = {
        {"plain loop", run_plain, 0, {0}}, {"read", run_read, 0, {0}},     {"exact_sum", run_best, 0, {0}},
        {"plain C", run_plain_c, 0, {0}},  {"mpfr_sum", run_mpfr, 0, {0}},
#ifdef REDUCTIO_XSUM
        {"xsum", run_xsum, 0, {0}}, // f64: it takes no other
#endif
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof one_thread / sizeof *one_thread; i++) {
        if (type == FLOAT_F64 || strcmp(one_thread[i].name, "xsum") != 0) {
            ways[count++] = one_thread[i];
        }
    }
    const unsigned most = usable_processors();
    for (unsigned threads = 1; threads <= most; threads = threads < most && threads * 2 > most ? most : threads * 2) {
        ways[count++] = (struct way){"threads", run_threads, threads, {0}};
    }
    return count;
}

static void time_ways(struct way *ways, size_t count, const struct array *array, int rounds) {
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++) {
            const clockid_t clock = ways[i].threads ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
            const size_t n = ways[i].run == run_mpfr ? array->mpfr_n : array->n;
            const double start = seconds(clock);
            ways[i].run(array, ways[i].threads);
            ways[i].ns[round] = (seconds(clock) - start) / (double)n * 1e9;
        }
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of what a way takes over what another one takes in the same round; of its times where there is no other.
static double median(const struct way *way, const struct way *over, int rounds) {
    double values[MOST_ROUNDS];
    for (int i = 0; i < rounds; i++) {
        values[i] = way->ns[i] / (over ? over->ns[i] : 1);
    }
    qsort(values, (size_t)rounds, sizeof *values, compare_doubles);
    return (values[rounds / 2] + values[(rounds - 1) / 2]) / 2;
}

static void *require_memory(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "bench_exact_sum: out of memory.\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static void make_mpfr_terms(struct array *array) {
    array->mpfr_n = array->n < MPFR_TERMS ? array->n : MPFR_TERMS;
    array->terms = require_memory(malloc(array->mpfr_n * sizeof *array->terms));
    array->pointers = require_memory(malloc(array->mpfr_n * sizeof *array->pointers));
    for (size_t i = 0; i < array->mpfr_n; i++) {
        mpfr_init2(array->terms[i], float_format(array->type)->precision);
        mpfr_set_d(array->terms[i], float_to_double(array->type, float_load(array->type, array->x, i)), MPFR_RNDN);
        array->pointers[i] = array->terms[i];
    }
}

static void free_mpfr_terms(struct array *array) {
    for (size_t i = 0; i < array->mpfr_n; i++) {
        mpfr_clear(array->terms[i]);
    }
    free(array->terms);
    free(array->pointers);
}

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

static void print_ways(const struct way *ways, size_t count, enum float_type type, int kind, int rounds) {
    const struct way *one = NULL; // thread, timed by the clock
    printf("%s %-12s", float_format(type)->name, kind_names[kind]);
    for (size_t i = 0; i < count; i++) {
        const double ns = median(&ways[i], NULL, rounds);
        if (ways[i].threads == 0) {
            printf("  %s %.2f (%.2f)", ways[i].name, ns, median(&ways[i], &ways[0], rounds));
        } else if (one == NULL) {
            one = &ways[i];
            printf("\n                  on the clock: 1 thread %.3f", ns);
        } else {
            printf("  %u threads %.3f (x %.2f)", ways[i].threads, ns, median(one, &ways[i], rounds));
        }
    }
    printf("\n");
}

static void write_samples(FILE *csv, const struct way *ways, size_t count, enum float_type type, int kind, int rounds) {
    for (size_t i = 0; i < count; i++)
        for (int round = 0; round < rounds; round++)
            fprintf(csv, "%s,%s,%s,%u,%d,%.5f\n", float_format(type)->name, kind_names[kind], ways[i].name,
                    ways[i].threads, round, ways[i].ns[round]);
}

struct bench_options {
    int log2_n, rounds;
    const char *samples; // NULL: none are written
};

static bool read_options(struct bench_options *options, int argc, char **argv) {
    *options = (struct bench_options){.log2_n = 24, .rounds = 9};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            options->rounds = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--samples") == 0 && i + 1 < argc) {
            options->samples = argv[++i];
        } else {
            options->log2_n = atoi(argv[i]);
        }
    }
    return options->log2_n >= 1 && options->log2_n <= 30 && options->rounds >= 1 && options->rounds <= MOST_ROUNDS;
}

// Whether all of them could be written.
static bool bench_all(const struct bench_options *options, FILE *csv) {
    struct array array = {.n = (size_t)1 << options->log2_n};
    array.x = require_memory(malloc(array.n * sizeof(double)));
    struct way *ways = require_memory(malloc(MOST_WAYS * sizeof *ways));
    printf(
        "ns a term, n = 2^%d (mpfr_sum: at most 2^16), one thread; in brackets: over the plain loop; medians of %d\n",
        options->log2_n, options->rounds);
    for (array.type = FLOAT_F32; array.type <= FLOAT_F64; array.type++) {
        for (int kind = 0; kind < KINDS; kind++) {
            fill(array.type, kind, array.x, array.n);
            make_mpfr_terms(&array);
            const size_t count = list_ways(ways, array.type);
            time_ways(ways, count, &array, options->rounds);
            print_ways(ways, count, array.type, kind, options->rounds);
            if (csv != NULL) {
                write_samples(csv, ways, count, array.type, kind, options->rounds);
            }
            free_mpfr_terms(&array);
        }
    }
    free(ways);
    free(array.x);
    return csv == NULL || (fflush(csv) == 0 && ferror(csv) == 0);
}

int main(int argc, char **argv) {
    struct bench_options options;
    if (!read_options(&options, argc, argv)) {
        fprintf(stderr, "usage: bench_exact_sum [log2 n, 1 to 30] [--rounds 1 to %d] [--samples FILE.csv]\n",
                MOST_ROUNDS);
        return 2;
    }
    FILE *csv = NULL;
    if (options.samples != NULL && (csv = fopen(options.samples, "w")) == NULL) {
        fprintf(stderr, "bench_exact_sum: %s cannot be written.\n", options.samples);
        return EXIT_FAILURE;
    }
    if (csv != NULL) {
        fprintf(csv, "type,data,way,threads,round,ns\n");
    }
    const bool written = bench_all(&options, csv);
    if (csv != NULL && (fclose(csv) != 0 || !written)) {
        fprintf(stderr, "bench_exact_sum: %s could not be written whole.\n", options.samples);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
