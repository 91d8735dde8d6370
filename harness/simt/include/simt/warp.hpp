// SPDX-License-Identifier: MIT
// Warp operations with a mask. The old ones without _sync do not exist: they are gone since compute capability 7.0.
#ifndef REDUCTIO_SIMT_WARP_HPP
#define REDUCTIO_SIMT_WARP_HPP

#include "simt/thread.hpp"

#include <type_traits>

inline void __syncwarp(unsigned mask = 0xffffffffu, SIMT_PLACE) {
    simt_warp(SIMT_SYNC, mask, 0, 0, SIMT_WARP, place);
}
inline unsigned __activemask(SIMT_PLACE) {
    return simt_active_mask(place);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, SIMT_PLACE) {
    return (unsigned)simt_warp(SIMT_BALLOT, mask, predicate != 0, 0, SIMT_WARP, place);
}
inline int __any_sync(unsigned mask, int predicate, SIMT_PLACE) {
    return (int)simt_warp(SIMT_ANY, mask, predicate != 0, 0, SIMT_WARP, place);
}
inline int __all_sync(unsigned mask, int predicate, SIMT_PLACE) {
    return (int)simt_warp(SIMT_ALL, mask, predicate != 0, 0, SIMT_WARP, place);
}

namespace simt {

// The 16-bit types say so in their own header.
template <class T>
constexpr bool can_shuffle = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
T exchange(simt_warp_operation operation, unsigned mask, T value, int argument, int width, simt_place place) {
    static_assert(can_shuffle<T>, "a shuffle moves int, unsigned, long, long long, float or double, or, with their "
                                  "header, the 16-bit floating-point types");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = simt_warp(operation, mask, bits, argument, width, place);
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Distances beyond a warp all mean the same.
inline int clamp(unsigned distance) {
    return distance > 64 ? 64 : (int)distance;
}

} // namespace simt

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = SIMT_WARP, SIMT_PLACE) {
    return simt::exchange(SIMT_SHUFFLE, mask, value, lane & (SIMT_WARP - 1), width, place);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = SIMT_WARP, SIMT_PLACE) {
    return simt::exchange(SIMT_SHUFFLE_UP, mask, value, simt::clamp(delta), width, place);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = SIMT_WARP, SIMT_PLACE) {
    return simt::exchange(SIMT_SHUFFLE_DOWN, mask, value, simt::clamp(delta), width, place);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = SIMT_WARP, SIMT_PLACE) {
    return simt::exchange(SIMT_SHUFFLE_XOR, mask, value, simt::clamp((unsigned)lanes), width, place);
}
template <class T>
unsigned __match_any_sync(unsigned mask, T value, SIMT_PLACE) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return (unsigned)simt_warp(SIMT_MATCH_ANY, mask, bits, 0, SIMT_WARP, place);
}

#define SIMT_REDUCE(name, type, operation)                                                                             \
    inline type __reduce_##name##_sync(unsigned mask, type value, SIMT_PLACE) {                                        \
        return (type)simt_warp(operation, mask, (unsigned)value, 0, SIMT_WARP, place);                                 \
    }
SIMT_REDUCE(add, unsigned, SIMT_REDUCE_ADD)
SIMT_REDUCE(add, int, SIMT_REDUCE_ADD)
SIMT_REDUCE(min, unsigned, SIMT_REDUCE_MIN)
SIMT_REDUCE(min, int, SIMT_REDUCE_MIN_SIGNED)
SIMT_REDUCE(max, unsigned, SIMT_REDUCE_MAX)
SIMT_REDUCE(max, int, SIMT_REDUCE_MAX_SIGNED)
SIMT_REDUCE(and, unsigned, SIMT_REDUCE_AND)
SIMT_REDUCE(or, unsigned, SIMT_REDUCE_OR)
SIMT_REDUCE(xor, unsigned, SIMT_REDUCE_XOR)
#undef SIMT_REDUCE

#endif
