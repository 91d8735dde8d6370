// SPDX-License-Identifier: MIT
// The launches of the sums that claim correct rounding, on simt: hostile arrays of all lengths at all addresses, and
// arrays so long that what a thread adds in fills up, which binned_fold3 has to bear, too.
#include "kernels/tests/fuzz_support.h"

#include "harness/simt/control.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct reductio_variant reductio_exact_bins_f32_simt, reductio_exact_bins_f64_simt,
    reductio_exact_expansion_f32_simt, reductio_exact_expansion_f64_simt, reductio_binned_fold3_f32_simt,
    reductio_binned_fold3_f64_simt;

static const struct reductio_variant *const variants[] = {&reductio_exact_bins_f32_simt, &reductio_exact_bins_f64_simt,
                                                          &reductio_exact_expansion_f32_simt,
                                                          &reductio_exact_expansion_f64_simt};
enum { VARIANTS = sizeof variants / sizeof *variants };

static enum float_type type_of(const struct reductio_variant *variant) {
    return strcmp(variant->type, "f32") == 0 ? FLOAT_F32 : FLOAT_F64;
}

static size_t size_of(enum float_type type) {
    return type == FLOAT_F32 ? sizeof(float) : sizeof(double);
}

// One launch, its workspace filled with ones first.
static uint64_t launch_sum(const struct reductio_variant *variant, const void *x, size_t n,
                           struct reductio_shape shape) {
    size_t bytes = variant->workspace_bytes(n, shape);
    void *workspace = aligned_alloc(256, (bytes + 256) / 256 * 256);
    ck_assert(workspace != NULL);
    memset(workspace, 0xff, bytes);
    double out = 0;
    simt_begin((struct schedule){.kind = SCHEDULE_SEEDED, .seed = n});
    ck_assert_int_eq(variant->launch(x, n, &out, workspace, shape, NULL), 0);
    const char *message;
    enum work_outcome outcome = simt_ended(&message);
    ck_assert_msg(outcome == WORK_DONE, "%s %s: %s", variant->name, variant->type, message);
    free(workspace);
    return fuzz_load(type_of(variant), &out, 0);
}

static void check_sum(const struct reductio_variant *variant, const void *x, size_t n, struct reductio_shape shape) {
    uint64_t got = launch_sum(variant, x, n, shape);
    ck_assert_msg(fuzz_is_right(type_of(variant), x, n, got), "%s %s, %u threads, %u blocks, n = %zu", variant->name,
                  variant->type, shape.threads, shape.blocks, n);
}

// Arrays joined from hostile pieces; infinities and NaN would hide all else and have their own test.
static size_t fill_long(enum float_type type, uint64_t *state, char *x, size_t most) {
    char piece[FUZZ_MOST * sizeof(double)];
    size_t filled = 0;
    while (filled + FUZZ_MOST <= most) {
        size_t n = fuzz_array(type, state, piece);
        for (size_t i = 0; i < n; i++)
            if (float_is_nan(type, fuzz_load(type, piece, i)) || float_is_infinite(type, fuzz_load(type, piece, i)))
                fuzz_store(type, piece, i, 0);
        memcpy(x + filled * size_of(type), piece, n * size_of(type));
        filled += n;
    }
    return filled;
}

START_TEST(test_hostile_arrays) {
    const struct reductio_variant *variant = variants[_i];
    enum float_type type = type_of(variant);
    size_t most = 20000;
    char *x = malloc((most + 16) * size_of(type));
    ck_assert(x != NULL);
    uint64_t state = 4;
    for (int round = 0; round < 60; round++) {
        size_t offset = fuzz_draw(&state) % 16, limit = FUZZ_MOST + fuzz_draw(&state) % (most >> round % 9);
        char *from = x + offset * size_of(type);
        size_t n = fill_long(type, &state, from, limit);
        check_sum(variant, from, n, variant->shapes[round % 4]);
    }
    free(x);
}
END_TEST

START_TEST(test_short_arrays) {
    const struct reductio_variant *variant = variants[_i];
    enum float_type type = type_of(variant);
    double x[FUZZ_MOST + 1];
    uint64_t state = 5;
    for (int round = 0; round < 400; round++) {
        char *from = (char *)x + round % 2 * size_of(type);
        size_t n = fuzz_array(type, &state, from);
        check_sum(variant, from, n, (struct reductio_shape){32, 1 + (unsigned)round % 3});
    }
}
END_TEST

// The second half cancels the first, so that a single lost unit shows.
static void mirror(enum float_type type, void *x, size_t n) {
    fuzz_store(type, x, n / 2, 0);
    for (size_t i = 0; i < n / 2; i++)
        fuzz_store(type, x, n - 1 - i, fuzz_load(type, x, i) ^ float_format(type)->sign_bit);
}

// One block of 32 threads adds four times as many elements as a bin holds: most as large as the bin takes, the others
// with the smallest unit that it counts.
START_TEST(test_more_than_bins_hold) {
    const struct reductio_variant *variant = variants[_i];
    enum float_type type = type_of(variant);
    size_t n = 4 * (size_t)32 * (1 << 14) + 77;
    char *x = malloc(n * size_of(type));
    ck_assert(x != NULL);
    int stored = float_format(type)->precision - 1;
    uint64_t state = 6, ones = (UINT64_C(1) << stored) - 1;
    const uint64_t largest[2][3] = {{143, 15, 254}, {1055, 31, 2046}}, width = type == FLOAT_F32 ? 15 : 31;
    for (int pattern = 0; pattern < 3; pattern++) {
        uint64_t field = largest[type == FLOAT_F64][pattern];
        for (size_t i = 0; i < n; i++) {
            bool small = fuzz_draw(&state) % 8 == 0;
            fuzz_store(type, x, i, (small ? field - width : field) << stored | (small ? ones - 2 : ones));
        }
        mirror(type, x, n);
        check_sum(variant, x, n, (struct reductio_shape){32, 1});
    }
    free(x);
}
END_TEST

// The first tile lays the window around 1, and more follow than its accumulators can take without being emptied. Which
// exponents it then holds is the kernel's business: all in question are tried, so one is the first of them, one the
// last, and some lie outside. A window is emptied after 64 tiles: when all is added it is full but for one.
enum { TILE = 32 * 16, TILES = 1 + 2 * 191 };

static void fill_window(double x[TILES * TILE], double first_half, double second_half) {
    for (size_t i = 0; i < TILES * TILE; i++)
        x[i] = i < TILE ? 1 : i < (1 + TILES / 2) * TILE ? first_half : second_half;
}

// The largest numbers that the first accumulator takes, and those that it leaves to the second.
START_TEST(test_high_end_of_windows) {
    double *x = malloc(TILES * TILE * sizeof *x);
    ck_assert(x != NULL);
    for (int exponent = -24; exponent < 60; exponent++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double largest = sign * ldexp(0x1.fffffffffffffp0, exponent);
            fill_window(x, largest, largest);
            check_sum(&reductio_exact_bins_f64_simt, x, TILES * TILE, (struct reductio_shape){32, 1});
        }
    free(x);
}
END_TEST

// Small numbers that leave the last accumulator the most, half a unit of the second, with the smallest unit that it
// counts: their bit at `half` below the leading one, but for a unit. What they add up to shows, since the rest cancels.
START_TEST(test_low_end_of_windows) {
    double *x = malloc(TILES * TILE * sizeof *x);
    ck_assert(x != NULL);
    for (int exponent = -30; exponent > -70; exponent--)
        for (int half = 1; half < 14; half++) {
            fill_window(x, ldexp(1 + ldexp(1, -half) - 0x1p-52, exponent), -ldexp(1, exponent));
            for (size_t i = 0; i < TILE; i++)
                x[i] = i % 2 ? 1 : -1;
            check_sum(&reductio_exact_bins_f64_simt, x, TILES * TILE, (struct reductio_shape){32, 1});
        }
    free(x);
}
END_TEST

// Equal numbers reach no more rows than a binned sum of fold 3 keeps, so that theirs is rounded once, too. A thread
// adds more of them than its slices hold, odd ones and, at one of these exponents, the largest.
START_TEST(test_more_than_slices_hold) {
    const struct reductio_variant *variant = _i ? &reductio_binned_fold3_f64_simt : &reductio_binned_fold3_f32_simt;
    enum float_type type = type_of(variant);
    int width = type == FLOAT_F32 ? 13 : 40;
    size_t sums = 32 * 16 / size_of(type),
           n = sums * (type == FLOAT_F32 ? 5000 : 18000); // a load of 16 bytes feeds several
    char *x = malloc(n * size_of(type));
    ck_assert(x != NULL);
    for (int exponent = 0; exponent < width; exponent++) {
        uint64_t bits = float_from_double(type, ldexp(ldexp(1, width - 1) - 1, exponent));
        for (size_t i = 0; i < n; i++)
            fuzz_store(type, x, i, bits);
        check_sum(variant, x, n, (struct reductio_shape){32, 1});
    }
    free(x);
}
END_TEST

// The library's functions, as kernels/reductio_exact_sum.h declares them for CUDA programs; here stream and error code
// are simt's.
extern size_t reductio_exact_sum_f32_workspace(size_t n), reductio_exact_sum_f64_workspace(size_t n);
extern int reductio_exact_sum_f32(const float *in, size_t n, float *out, void *workspace, void *stream);
extern int reductio_exact_sum_f64(const double *in, size_t n, double *out, void *workspace, void *stream);

START_TEST(test_library_functions) {
    const float x[] = {0x1p24f, 1, -0x1p24f, 0.5f};
    const double y[] = {1e16, 1, -1e16, 0.5};
    float sum_f32 = 0;
    double sum_f64 = 0;
    void *workspace = malloc(reductio_exact_sum_f32_workspace(4) + reductio_exact_sum_f64_workspace(4));
    ck_assert(workspace != NULL);
    simt_begin((struct schedule){.kind = SCHEDULE_IN_ORDER});
    ck_assert_int_eq(reductio_exact_sum_f32(x, 4, &sum_f32, workspace, NULL), 0);
    ck_assert_int_eq(reductio_exact_sum_f64(y, 4, &sum_f64, workspace, NULL), 0);
    ck_assert(sum_f32 == 1.5f && sum_f64 == 1.5);
    free(workspace);
}
END_TEST

START_TEST(test_shapes_it_cannot_take_are_errors) {
    double x[4] = {1, 2, 3, 4}, out = 0, workspace[4096];
    struct reductio_shape odd = {48, 1};
    ck_assert_int_ne(reductio_exact_bins_f32_simt.launch(x, 4, &out, workspace, odd, NULL), 0);
    ck_assert_int_ne(reductio_exact_bins_f64_simt.launch(x, 4, &out, workspace, odd, NULL), 0);
    ck_assert(out == 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("kernels");
    TCase *tests = tcase_create("exact_sums");
    tcase_add_loop_test(tests, test_hostile_arrays, 0, VARIANTS);
    tcase_add_loop_test(tests, test_short_arrays, 0, VARIANTS);
    tcase_add_loop_test(tests, test_more_than_bins_hold, 0, VARIANTS);
    tcase_add_test(tests, test_high_end_of_windows);
    tcase_add_test(tests, test_low_end_of_windows);
    tcase_add_loop_test(tests, test_more_than_slices_hold, 0, 2);
    tcase_add_test(tests, test_library_functions);
    tcase_add_test(tests, test_shapes_it_cannot_take_are_errors);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
