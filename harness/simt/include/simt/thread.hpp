// SPDX-License-Identifier: MIT
// Barriers, fences, and shared memory as the translator's output asks for it.
#ifndef REDUCTIO_SIMT_THREAD_HPP
#define REDUCTIO_SIMT_THREAD_HPP

#include "simt/types.hpp"

// The caller's place, as a default argument.
#define SIMT_PLACE simt_place place = {__builtin_FILE(), __builtin_LINE()}

inline void __syncthreads(SIMT_PLACE) {
    simt_barrier(place, false);
}
inline int __syncthreads_count(int predicate, SIMT_PLACE) {
    return simt_barrier_count(place, predicate != 0);
}
inline int __syncthreads_or(int predicate, SIMT_PLACE) {
    return simt_barrier_count(place, predicate != 0) > 0;
}
// All hold if none fails; so no one need count the threads that have not exited.
inline int __syncthreads_and(int predicate, SIMT_PLACE) {
    return simt_barrier_count(place, predicate == 0) == 0;
}

// Kernels of a stream run one after the other here: the one before has always ended.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

namespace simt {

// The memory model, for a race detector (hazard_order.c); nothing otherwise. An atomic is told after its read and
// before its write.
inline void order_fence([[maybe_unused]] simt_scope scope) {
#if defined(REDUCTIO_SIMT_TSAN)
    simt_order_fence(scope);
#endif
}
inline void order_atomic([[maybe_unused]] const void *address, [[maybe_unused]] bool writes) {
#if defined(REDUCTIO_SIMT_TSAN)
    simt_order_atomic(address, writes);
#endif
}

} // namespace simt

inline void __threadfence(SIMT_PLACE) {
    simt::order_fence(SIMT_DEVICE);
    simt_yield(place);
}
inline void __threadfence_block(SIMT_PLACE) {
    simt::order_fence(SIMT_BLOCK);
    simt_yield(place);
}
inline void __threadfence_system(SIMT_PLACE) {
    simt::order_fence(SIMT_DEVICE);
    simt_yield(place);
}
inline void __nanosleep(unsigned, SIMT_PLACE) {
    simt_yield(place);
}
[[noreturn]] inline void __trap(SIMT_PLACE) {
    simt_trap(place);
}

namespace simt {

// One site for each declaration (`Tag` is a struct local to its function) and instantiation of that function.
template <class T, class Tag>
T &shared(const char *name, SIMT_PLACE) {
    static simt_site site = {name, place, sizeof(T), alignof(T), 0, 0};
    return *static_cast<T *>(simt_shared(&site));
}

template <class T>
T &dynamic_shared() {
    return *reinterpret_cast<T *>(simt_here->block->dynamic);
}

} // namespace simt

#endif
