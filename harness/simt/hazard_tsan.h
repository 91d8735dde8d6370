// SPDX-License-Identifier: MIT
// Inside the ThreadSanitizer build of simt: what its files share, and the functions of the sanitizer's runtime that no
// header of gcc declares (compiler-rt, sanitizer/tsan_interface.h and lib/tsan/rtl/tsan_debugging.cpp).
#ifndef REDUCTIO_SIMT_HAZARD_TSAN_H
#define REDUCTIO_SIMT_HAZARD_TSAN_H

#include "harness/simt/hazard.h"

// clang-format off
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void *__tsan_get_current_fiber(void);
void __tsan_set_fiber_name(void *fiber, const char *name);
void __tsan_acquire(void *object);
void __tsan_release(void *object);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
unsigned char __tsan_atomic8_load(const volatile unsigned char *object, int order);
void __tsan_atomic8_store(volatile unsigned char *object, unsigned char value, int order);
// clang-format on

// An object that carries a clock. Only its address counts; the runtime keeps a cell for each eight bytes.
struct simt_clock {
    _Alignas(8) unsigned char cell[8];
};

// Adds the running thread's clock to what the object carries, and takes over what it carries.
static inline void release_clock(struct simt_clock *object) {
    __tsan_release(object);
}
static inline void acquire_clock(struct simt_clock *object) {
    __tsan_acquire(object);
}
// Carries the running thread's clock and nothing else from now on.
static inline void set_clock(struct simt_clock *object) {
    __tsan_atomic8_store(object->cell, 0, __ATOMIC_RELEASE);
}

// hazard_tsan.c: the running thread's accesses are not looked at until it exits.
void simt_hazard_mute(const struct simt_thread *self);

// hazard_order.c: forgets the fences and atomics of the last launch.
void simt_order_begin(void);

// hazard_report.c. While a canary runs, races are counted and not reported.
struct simt_canary_watch {
    const void *cells[3];
    bool seen[3];
};
void simt_report_begin(void);
void simt_report_block(const struct simt_block *block);
void simt_report_watch(struct simt_canary_watch *watch); // NULL: report again

// hazard_canary.cu: races on cells[0] among the threads of a block, and on cells[16] and cells[32] between blocks.
void simt_canary_launch(unsigned *cells, unsigned threads, unsigned blocks, bool cooperative);

#endif
