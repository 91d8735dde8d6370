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
    superdigit digits[THREADS][superaccumulator<double>::DIGITS + 2];
};

static __device__ unsigned close_alone(thread_bins<float, THREADS> &own, superdigit *digits) {
    return own.close(digits);
}

static __device__ unsigned close_alone(thread_bins<double, THREADS> &own, superdigit *digits) {
    const exponent_window &window = own.window;
    window.add_units(digits, window.u, window.high_units(), window.middle_units(), window.low_units());
    return own.seen();
}

// What a block does, by one thread: tiles, single elements for the rest, rows, window, digits. Each thread rounds its
// own sum, or the warp all of them, one after the other, as the kernel has it, which takes this machine much longer.
template <typename T>
static __global__ void sum_each(batch<T> *data, bool by_warp) {
    extern __shared__ double bins[];
    typedef superaccumulator<T> format;
    const unsigned thread = threadIdx.x;
    superdigit *digits = data->digits[thread];
    for (unsigned d = 0; d < format::DIGITS + 2; d++)
        digits[d] = {0, 0};
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
    unsigned seen = close_alone(own, digits);
    for (unsigned row = 0; row < own.ROWS && own.fills_rows(); row++)
        add_to_digits(digits, own.integer(row, own.bins[row * THREADS], seen), own.position(row));
    if (!by_warp) {
        data->sums[thread] = round_digits<T, format::UNIT, format::DIGITS, 1>(digits, seen);
        return;
    }
    for (unsigned t = 0; t < THREADS; t++) {
        const unsigned seen_by_t = __shfl_sync(WHOLE_WARP, seen, int(t));
        const T sum = round_digits<T, format::UNIT, format::DIGITS>(data->digits[t], seen_by_t);
        if (thread == t)
            data->sums[t] = sum;
    }
}

template <typename T>
static void fuzz(float_type type) {
    static batch<T> data;
    uint64_t state = 20261130;
    begin(0);
    for (unsigned done = 0; done < SUMS; done += THREADS) {
        for (unsigned t = 0; t < THREADS; t++)
            data.n[t] = fuzz_array(type, &state, data.x[t]);
        sum_each<T><<<1, THREADS, sizeof(double) * THREADS * thread_bins<T, THREADS>::ROWS>>>(
            &data, done % (20 * THREADS) == 0);
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
