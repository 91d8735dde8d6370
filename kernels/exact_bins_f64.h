// SPDX-License-Identifier: MIT
// One thread's exact sum of doubles: a window of three doubles in registers for data whose exponents are near each
// other, and a double for every 32 exponents in shared memory for all others.
//
// Rows. Row v counts multiples of L(v) = 2^(32v - 1086) and starts at 1.5 * 2^52 L(v), so that its unit in the last
// place is L(v) as long as what was added is below 2^51 L(v). A double x with exponent field in 32b .. 32b + 31 is
// below 2^31 L(b+2) and a multiple of L(b); adding it to row b + 2 rounds, what the rounding left (at most L(b+2)/2)
// goes to row b + 1, and what is left then (at most L(b+1)/2) fits row b:
//
//     s' = s + x,  x -= s' - s     twice, then  s += x     Exact, every one: s' - s is a multiple of L(v) below 2^53
//     L(v)
//
// No row takes more than 2^31 of its units an addition, so 2^20 additions are safe. Row 0 starts at 0, for 1.5 * 2^52
// L(0) is subnormal; it takes only what is left. Fields from 2016 on would start a row beyond the largest double: such
// x are scaled by 2^-64 and have three rows of their own, 65 to 67. Row 67 alone meets infinities and NaN, and adds
// them as IEEE 754 says; then what rows 65 and 66 hold is NaN and not looked at.
//
// Window. Three accumulators built alike, with units U, 2^-42 U and none, take every x with exponent in u - 34 .. u +
// 40, where U = 2^u: chunks are at most 2^41 U, 2^41 (2^-42 U) and 2^-43 U, the last a multiple of 2^-86 U, so 2^10
// additions are safe. 75 exponents hold all of uniform and normal data, whatever their scale. Seven additions an
// element, no memory. The window is laid around a tile's elements whenever they fit one; what it held is added to the
// rows as three numbers. Rows are set when first needed.
//
// The idea of starting an accumulator at 1.5 * 2^52 units to fix its unit: Demmel and Nguyen, "Parallel reproducible
// summation", IEEE Trans. Comput. 64 (2015), section 4.
#ifndef REDUCTIO_KERNELS_EXACT_BINS_F64_H
#define REDUCTIO_KERNELS_EXACT_BINS_F64_H

#include "kernels/exact_bins_f32.h"
#include "kernels/exact_combine.h"

// 1.5 * 2^exponent.
static __device__ __forceinline__ double one_and_a_half(int exponent) {
    return __hiloint2double((exponent + 1023) << 20 | 0x80000, 0);
}

// Adds x to an accumulator that fixes its own unit; returns what did not fit, exactly.
static __device__ __forceinline__ double add_part(double &accumulator, double x) {
    const double sum = accumulator + x, part = sum - accumulator;
    accumulator = sum;
    return x - part;
}

// The register front end.
struct exponent_window {
    static constexpr int BELOW = 34, ABOVE = 40, SECOND = -42; // exponents around u, and the second unit's
    static constexpr int LEAST = -1074 - SECOND, MOST = 970;   // of u: no unit below 2^-1074, no sum beyond 2^1024
    static constexpr int ROOM_ABOVE = 16;                      // at least, when it is laid; a power of two
    static constexpr unsigned MOST_ADDED = 1 << 10;

    double high, middle, low;
    int u;                   // U = 2^u
    unsigned floor, ceiling; // keys that fit: floor <= key - 1 and key < ceiling

    __device__ __forceinline__ exponent_window() : u(0), floor(~0u), ceiling(0) { reset(); }

    __device__ __forceinline__ void reset() {
        high = one_and_a_half(52 + u);
        middle = one_and_a_half(52 + u + SECOND);
        low = 0;
    }

    // A double's key: sign off, the upper word, made odd-even with "something in the lower word". 0 for zero only.
    static __device__ __forceinline__ unsigned key(double x) {
        const unsigned lower = unsigned(__double2loint(x));
        return (unsigned(__double2hiint(x)) & 0x7fffffff) | (lower != 0);
    }

    // least is the smallest key - 1 (wrapping, so that zeros do not count), most the largest key.
    __device__ __forceinline__ bool takes(unsigned least, unsigned most) const {
        return least >= floor && most < ceiling;
    }

    // Lays the window so that the largest element has ROOM_ABOVE to 2 ROOM_ABOVE - 1 exponents above it: only at every
    // 16th place, so that the threads of a block mostly agree.
    __device__ __forceinline__ void lay(unsigned most) {
        const int exponent = (int(most >> 20) - 1023 - (ABOVE - 2 * ROOM_ABOVE + 1)) & -ROOM_ABOVE;
        u = min(max(exponent, LEAST), MOST);
        const int field = u - BELOW + 1023; // from 1 down all smaller numbers fit: their last bit is no lower
        floor = field > 1 ? (unsigned(field) << 20) - 1 : 0;
        ceiling = unsigned(u + ABOVE + 1 + 1023) << 20;
    }

    __device__ __forceinline__ void add(double x) { low += add_part(middle, add_part(high, x)); }

    // What the accumulators hold, as integers below 2^53: of 2^u, 2^(u + SECOND) and 2^lowest(u). The first two stay
    // in the binade that they start in, where the bits count units.
    __device__ __forceinline__ long long high_units() const { return units(high, one_and_a_half(52 + u)); }
    __device__ __forceinline__ long long middle_units() const { return units(middle, one_and_a_half(52 + u + SECOND)); }
    __device__ __forceinline__ long long low_units() const {
        const int half = -lowest(u) / 2; // 2^-lowest may overflow
        return static_cast<long long>(low * __hiloint2double((1023 + half) << 20, 0) *
                                      __hiloint2double((1023 - lowest(u) - half) << 20, 0));
    }

    // The last bit of the least number that a window takes, or of all doubles.
    static __device__ __forceinline__ int lowest(int u) { return max(u - BELOW - 52, -1074); }

    static __device__ __forceinline__ void add_units(superdigit *digits, int u, long long high, long long middle,
                                                     long long low) {
        constexpr int UNIT = superaccumulator<double>::UNIT;
        add_to_digits(digits, high, unsigned(u - UNIT));
        add_to_digits(digits, middle, unsigned(u + SECOND - UNIT));
        add_to_digits(digits, low, unsigned(lowest(u) - UNIT));
    }

  private:
    static __device__ __forceinline__ long long units(double accumulator, double start) {
        return __double_as_longlong(accumulator) - __double_as_longlong(start);
    }
};

template <unsigned THREADS>
struct thread_bins<double, THREADS> {
    static constexpr unsigned ROWS = 68, SCALED = 65;
    static constexpr unsigned MOST_ADDED = 1 << 14; // 2^20 would be safe; earlier, so that tests reach it

    double *bins; // as in exact_bins_f32.h
    exponent_window window;
    unsigned in_window = 0, not_minus_zero = 0;
    bool has_rows = false; // whether the rows were ever set: few elements of one scale do not need them

    __device__ explicit thread_bins(double *shared) : bins(shared + threadIdx.x) {}

    static __device__ __forceinline__ int level(unsigned row) { return int(row < SCALED ? row : row - 4); }

    static __device__ __forceinline__ double start(unsigned row) {
        return row == 0 ? 0 : one_and_a_half(52 + 32 * level(row) + superaccumulator<double>::UNIT);
    }

    __device__ __forceinline__ void reset() {
        for (unsigned r = 0; r < ROWS; r++)
            bins[r * THREADS] = start(r);
        has_rows = true;
    }

    __device__ __forceinline__ bool fills_rows() const { return has_rows; }

    __device__ __forceinline__ void prepare_rows() {
        if (!has_rows)
            reset();
    }

    // After prepare_rows.
    __device__ __forceinline__ void add_to_rows(double x) {
        const unsigned b = unsigned(__double2hiint(x)) >> 25 & 63;
        const bool scaled = b == 63;
        double *row = bins + (b + (scaled ? SCALED - 63 : 0)) * THREADS; // the lowest of its three
        x = scaled ? x * 0x1p-64 : x;
        x = add_part(row[2 * THREADS], x);
        x = add_part(row[THREADS], x);
        row[0] += x;
    }

    __device__ __forceinline__ void add(double x) {
        not_minus_zero |= (unsigned(__double2hiint(x)) ^ 0x80000000) | unsigned(__double2loint(x));
        prepare_rows();
        add_to_rows(x);
    }

    __device__ void empty_window() {
        prepare_rows();
        add_to_rows(window.high - one_and_a_half(52 + window.u));
        add_to_rows(window.middle - one_and_a_half(52 + window.u + exponent_window::SECOND));
        add_to_rows(window.low);
        window.reset();
        in_window = 0;
    }

    template <unsigned COUNT>
    __device__ __forceinline__ void add_tile(const double (&x)[COUNT]) {
        unsigned least = ~0u, most = 0;
#pragma unroll
        for (unsigned i = 0; i < COUNT; i++) {
            const unsigned key = exponent_window::key(x[i]);
            least = min(least, key - 1);
            most = max(most, key);
            not_minus_zero |= (unsigned(__double2hiint(x[i])) ^ 0x80000000) | unsigned(__double2loint(x[i]));
        }
        if (!window.takes(least, most)) {
            exponent_window other;
            other.lay(most);
            if (!other.takes(least, most)) {
                prepare_rows();
#pragma unroll
                for (unsigned i = 0; i < COUNT; i++)
                    add_to_rows(x[i]);
                return;
            }
            if (in_window != 0) // rows are not set for nothing
                empty_window();
            window.lay(most);
            window.reset();
        }
#pragma unroll
        for (unsigned i = 0; i < COUNT; i++)
            window.add(x[i]);
        in_window += COUNT;
        if (in_window + COUNT > exponent_window::MOST_ADDED)
            empty_window();
    }

    __device__ __forceinline__ unsigned seen() const {
        return not_minus_zero != 0 ? SEEN_NOT_MINUS_ZERO : 0u;
    }

    // Brings the windows of a whole warp into the block's digits, all windows that lie alike as one. Returns what this
    // thread has seen.
    __device__ __forceinline__ unsigned close(superdigit *digits) {
        const bool leads = threadIdx.x % 32 == 0;
        for (unsigned left = WHOLE_WARP; left != 0;) {
            const int u = __shfl_sync(WHOLE_WARP, window.u, __ffs(int(left)) - 1);
            const bool alike = window.u == u;
            const long long high = sum_warp(alike ? window.high_units() : 0);
            const long long middle = sum_warp(alike ? window.middle_units() : 0);
            const long long low = sum_warp(alike ? window.low_units() : 0);
            left &= ~__ballot_sync(WHOLE_WARP, alike);
            if (leads)
                exponent_window::add_units(digits, u, high, middle, low);
        }
        return seen();
    }

    static __device__ __forceinline__ long long integer(unsigned row, double bin, unsigned &seen) {
        if (row >= SCALED && !(fabs(bin) <= DBL_MAX)) {
            if (row == ROWS - 1)
                seen |= class_of_special(bin);
            return 0;
        }
        // 1 / L(row) overflows in row 0: its square root, twice. Exact: powers of two.
        const double root = __hiloint2double((1023 - superaccumulator<double>::UNIT / 2 - 16 * level(row)) << 20, 0);
        return static_cast<long long>((bin - start(row)) * root * root);
    }

    static __device__ __forceinline__ unsigned position(unsigned row) {
        return 32 * (row < SCALED ? row : row - 2);
    }
};

#endif
