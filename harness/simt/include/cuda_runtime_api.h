// SPDX-License-Identifier: MIT
// Stands in for CUDA's header of this name: one header has all of it.
#ifndef REDUCTIO_SIMT_CUDA_RUNTIME_API_H
#define REDUCTIO_SIMT_CUDA_RUNTIME_API_H

#include <cuda_runtime.h>

#endif
