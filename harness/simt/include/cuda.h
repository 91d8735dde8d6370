// SPDX-License-Identifier: MIT
// Stands in for CUDA's header of this name: one header has all of it.
#ifndef REDUCTIO_SIMT_CUDA_H
#define REDUCTIO_SIMT_CUDA_H

#include <cuda_runtime.h>

#endif
