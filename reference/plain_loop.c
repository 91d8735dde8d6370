// SPDX-License-Identifier: MIT
#include "reference/plain_loop.h"

double plain_loop_f64(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

float plain_loop_f32(const float *x, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
