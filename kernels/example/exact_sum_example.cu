// SPDX-License-Identifier: MIT
// 10^16 + 1 - 10^16 + 0.5 is 1.5. Sums of doubles give 0.5 in this order; in others 0, 1, 1.5 or 2.
#include "reductio_exact_sum.h"

#include <stdio.h>

int main(void) {
    const double x[] = {1e16, 1, -1e16, 0.5};
    const size_t n = sizeof x / sizeof *x;
    double *device = NULL, sum = 0;
    void *workspace = NULL;
    bool fits = cudaMalloc(&device, sizeof x + sizeof sum) == cudaSuccess &&
                cudaMalloc(&workspace, reductio_exact_sum_f64_workspace(n)) == cudaSuccess &&
                cudaMemcpy(device, x, sizeof x, cudaMemcpyHostToDevice) == cudaSuccess &&
                reductio_exact_sum_f64(device, n, device + n, workspace, 0) == cudaSuccess &&
                cudaMemcpy(&sum, device + n, sizeof sum, cudaMemcpyDeviceToHost) == cudaSuccess;
    printf(fits ? "%g\n" : "%g: a CUDA call failed\n", sum);
    cudaFree(device);
    cudaFree(workspace);
    return fits && sum == 1.5 ? 0 : 1;
}
