// SPDX-License-Identifier: MIT
// The arithmetic of exact_bins, one thread a sum: 10^6 hostile short arrays of each type, bit for bit against MPFR.
#include "kernels/exact_bins_f64.h"

#include "kernels/tests/fuzz_support.h"

#include "harness/simt/test_support.hpp"

static constexpr unsigned THREADS = 32, TILE = 16;
static constexpr unsigned SUMS = 1000000;

template <typename T>
struct batch {
    T x[THREADS][FUZZ_MOST];
    size_t n[THREADS];
    T sums[THREADS];
    unsigned long long digits[THREADS][superaccumulator<double>::DIGITS + 2];
};

// What a block does, by one thread: tiles, single elements for the rest, rows, digits, one rounding.
template <typename T>
static __global__ void sum_each(batch<T> *data) {
    extern __shared__ double bins[];
    typedef superaccumulator<T> format;
    const unsigned thread = threadIdx.x;
    unsigned long long *digits = data->digits[thread];
    for (unsigned d = 0; d < format::DIGITS + 2; d++)
        digits[d] = 0;
    thread_bins<T, THREADS> own(bins);
    size_t i = 0;
    for (; i + TILE <= data->n[thread]; i += TILE) {
        T tile[TILE];
        for (unsigned k = 0; k < TILE; k++)
            tile[k] = data->x[thread][i + k];
        own.add_tile(tile);
    }
    for (; i < data->n[thread]; i++)
        own.add(data->x[thread][i]);
    unsigned seen = own.close();
    for (unsigned row = 0; row < own.ROWS; row++)
        add_to_digits(digits, own.integer(row, own.bins[row * THREADS], seen), own.position(row));
    data->sums[thread] = round_digits<T, format::UNIT, format::DIGITS>(reinterpret_cast<long long *>(digits), seen);
}

template <typename T>
static void fuzz(float_type type) {
    static batch<T> data;
    uint64_t state = 20261130;
    begin(0);
    for (unsigned done = 0; done < SUMS; done += THREADS) {
        for (unsigned t = 0; t < THREADS; t++)
            data.n[t] = fuzz_array(type, &state, data.x[t]);
        sum_each<T><<<1, THREADS, sizeof(double) * THREADS * thread_bins<T, THREADS>::ROWS>>>(&data);
        expect_done();
        for (unsigned t = 0; t < THREADS; t++)
            ck_assert(fuzz_is_right(type, data.x[t], data.n[t], fuzz_load(type, &data.sums[t], 0)));
    }
}

START_TEST(test_short_sums_f32) {
    fuzz<float>(FLOAT_F32);
}
END_TEST

START_TEST(test_short_sums_f64) {
    fuzz<double>(FLOAT_F64);
}
END_TEST

int main() {
    TCase *tests = tcase_create("exact_bins");
    tcase_add_test(tests, test_short_sums_f32);
    tcase_add_test(tests, test_short_sums_f64);
    return run_suite("kernels", tests);
}
