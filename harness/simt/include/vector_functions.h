// SPDX-License-Identifier: MIT
// Stands in for CUDA's header of this name: one header has all of it.
#ifndef REDUCTIO_SIMT_VECTOR_FUNCTIONS_H
#define REDUCTIO_SIMT_VECTOR_FUNCTIONS_H

#include <cuda_runtime.h>

#endif
