// SPDX-License-Identifier: MIT
// Atomics. The machine runs one thread at a time, so that a read and a write are one step; what counts is that another
// thread may go first. Accesses are relaxed atomics: a __restrict__ pointer is then no licence to keep the value, and a
// race detector knows what they are.
#ifndef REDUCTIO_SIMT_ATOMICS_HPP
#define REDUCTIO_SIMT_ATOMICS_HPP

#include "simt/thread.hpp"

#include <type_traits>

namespace simt {

template <class T>
T load(T *address) {
    T &cell = *address; // for the check of its alignment
    T value;
    __atomic_load(&cell, &value, __ATOMIC_RELAXED);
    order_atomic(address, false);
    return value;
}
template <class T>
void store(T *address, T value) {
    order_atomic(address, true);
    __atomic_store(address, &value, __ATOMIC_RELAXED);
}

template <class T, class Operation>
T change(T *address, simt_place place, Operation operation) {
    simt_yield(place);
    T old = load(address);
    store(address, operation(old));
    return old;
}

// `atom.add.f32` on global memory flushes subnormal inputs and results to signed zero, on shared memory it does not
// (PTX ISA, "atom"), and no option changes that.
inline float flush(float x) {
    return fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x;
}

inline float add(float *address, float value, simt_place place) {
    simt_yield_float(value, place);
    float old = load(address);
    store(address, simt_is_shared(address) ? old + value : flush(flush(old) + flush(value)));
    return old;
}

inline double add(double *address, double value, simt_place place) {
    simt_yield_float(value, place);
    double old = load(address);
    store(address, old + value);
    return old;
}

} // namespace simt

// Those of a scope are one step for all threads too: that a scope is too narrow shows on hardware alone.
#define SIMT_SCOPE(name, type, scope)                                                                                  \
    inline type name##scope(type *address, type value, SIMT_PLACE) {                                                   \
        return name(address, value, place);                                                                            \
    }
#define SIMT_SCOPES(name, type) SIMT_SCOPE(name, type, _block) SIMT_SCOPE(name, type, _system)

inline float atomicAdd(float *address, float value, SIMT_PLACE) {
    return simt::add(address, value, place);
}
inline double atomicAdd(double *address, double value, SIMT_PLACE) {
    return simt::add(address, value, place);
}
SIMT_SCOPES(atomicAdd, float)
SIMT_SCOPES(atomicAdd, double)

#define SIMT_ATOMIC(name, type, expression)                                                                            \
    inline type name(type *address, type value, SIMT_PLACE) {                                                          \
        return simt::change(address, place, [value](type old) -> type { return expression; });                         \
    }                                                                                                                  \
    SIMT_SCOPES(name, type)
#define SIMT_CAS_SCOPE(type, scope)                                                                                    \
    inline type atomicCAS##scope(type *address, type compare, type value, SIMT_PLACE) {                                \
        return atomicCAS(address, compare, value, place);                                                              \
    }
// Sums of signed integers wrap, as the hardware's do.
#define SIMT_ATOMICS(type)                                                                                             \
    SIMT_ATOMIC(atomicAdd, type, (type)((std::make_unsigned_t<type>)old + (std::make_unsigned_t<type>)value))          \
    SIMT_ATOMIC(atomicExch, type, ((void)old, value))                                                                  \
    SIMT_ATOMIC(atomicMin, type, old < value ? old : value)                                                            \
    SIMT_ATOMIC(atomicMax, type, old > value ? old : value)                                                            \
    SIMT_ATOMIC(atomicAnd, type, old &value)                                                                           \
    SIMT_ATOMIC(atomicOr, type, old | value)                                                                           \
    SIMT_ATOMIC(atomicXor, type, old ^ value)                                                                          \
    inline type atomicCAS(type *address, type compare, type value, SIMT_PLACE) {                                       \
        simt_yield(place);                                                                                             \
        type old = simt::load(address);                                                                                \
        if (old == compare)                                                                                            \
            simt::store(address, value);                                                                               \
        return old;                                                                                                    \
    }                                                                                                                  \
    SIMT_CAS_SCOPE(type, _block)                                                                                       \
    SIMT_CAS_SCOPE(type, _system)
SIMT_ATOMICS(int)
SIMT_ATOMICS(unsigned)
SIMT_ATOMICS(long long)
SIMT_ATOMICS(unsigned long long)
SIMT_ATOMIC(atomicSub, int, (int)((unsigned)old - (unsigned)value))
SIMT_ATOMIC(atomicSub, unsigned, old - value)
SIMT_ATOMIC(atomicInc, unsigned, old >= value ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
SIMT_ATOMIC(atomicExch, float, ((void)old, value))
#undef SIMT_ATOMICS
#undef SIMT_ATOMIC
#undef SIMT_CAS_SCOPE
#undef SIMT_SCOPES
#undef SIMT_SCOPE

#endif
