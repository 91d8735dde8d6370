// SPDX-License-Identifier: MIT
// One thread's exact sum of floats: a double for every 16 exponents.
//
// Row r takes the floats whose exponent field is in 16r .. 16r + 15, as they are. These are multiples of 2^(16r - 150)
// and less than 2^(16r - 111), so up to 2^14 of them sum to at most 2^53 units: every addition is exact. Row 15 takes
// infinities and NaN too, and adds them as IEEE 754 says. Row 0 takes zeros; all rows start at -0, which a sum leaves
// for ever as soon as anything but -0 is added: x + y is -0 in no other case.
#ifndef REDUCTIO_KERNELS_EXACT_BINS_F32_H
#define REDUCTIO_KERNELS_EXACT_BINS_F32_H

#include "kernels/superaccumulator.h"

template <typename T, unsigned THREADS>
struct thread_bins;

template <unsigned THREADS>
struct thread_bins<float, THREADS> {
    static constexpr unsigned ROWS = 16;
    static constexpr unsigned MOST_ADDED = 1 << 14; // by one thread, between two resets

    double *bins; // this thread's, row r at bins[r * THREADS]: a warp's 32 doubles of one row touch each bank twice

    __device__ explicit thread_bins(double *shared) : bins(shared + threadIdx.x) { reset(); }

    __device__ __forceinline__ void reset() {
        for (unsigned r = 0; r < ROWS; r++)
            bins[r * THREADS] = -0.0;
    }

    __device__ __forceinline__ void add(float x) { bins[(__float_as_uint(x) >> 27 & 15) * THREADS] += double(x); }

    template <unsigned COUNT>
    __device__ __forceinline__ void add_tile(const float (&x)[COUNT]) {
#pragma unroll
        for (unsigned i = 0; i < COUNT; i++)
            add(x[i]);
    }

    // Nothing is kept outside the bins.
    __device__ __forceinline__ bool fills_rows() const {
        return true;
    }
    __device__ __forceinline__ void prepare_rows() {}
    __device__ __forceinline__ unsigned close(superdigit *) {
        return 0;
    }

    // A row's content as an integer, in units of 2^(UNIT + position(row)); what it tells besides goes into `seen`.
    static __device__ __forceinline__ long long integer(unsigned row, double bin, unsigned &seen) {
        if (__double_as_longlong(bin) != __double_as_longlong(-0.0))
            seen |= SEEN_NOT_MINUS_ZERO;
        if (row == ROWS - 1 && !(fabs(bin) <= DBL_MAX)) {
            seen |= class_of_special(bin);
            return 0;
        }
        const int unit = superaccumulator<float>::UNIT + 16 * int(row);
        return static_cast<long long>(bin * __hiloint2double((1023 - unit) << 20, 0)); // Exact: a power of two.
    }

    static __device__ __forceinline__ unsigned position(unsigned row) {
        return 16 * row;
    }
};

#endif
