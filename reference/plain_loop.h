// SPDX-License-Identifier: MIT
// What the exact sum is timed against: one accumulator, one IEEE addition after the other. A file of its own, which
// CMakeLists.txt compiles with -O2 whatever the rest is built with: one compiler's attribute for that is unknown to the
// other.
#ifndef REDUCTIO_PLAIN_LOOP_H
#define REDUCTIO_PLAIN_LOOP_H

#include <stddef.h>

double plain_loop_f64(const double *x, size_t n);
float plain_loop_f32(const float *x, size_t n);

#endif
