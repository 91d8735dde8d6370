// SPDX-License-Identifier: MIT
// Fibers: stacks that take turns. fiber_own.c switches in a dozen instructions, fiber_boost.c by Boost.Context; a
// library of simt holds one of them.
#ifndef REDUCTIO_SIMT_FIBER_H
#define REDUCTIO_SIMT_FIBER_H

#include <stddef.h>

// Makes a context on the stack [top - size, top), `top` aligned to 64. The first switch to it calls `entry`, which must
// never return. Anything that ran on the stack is forgotten.
void *simt_fiber_prepare(void *top, size_t size, void (*entry)(void));

// Stores the running context in *from and goes on with `to`. Contexts are used up: *from is set anew by each switch.
void simt_fiber_switch(void **from, void *to);

extern const char simt_fiber_kind[];

#endif
