// SPDX-License-Identifier: MIT
// Which CCCL the vendor rows are built with.
#ifndef REDUCTIO_KERNELS_VENDOR_CCCL_H
#define REDUCTIO_KERNELS_VENDOR_CCCL_H

#include "harness/reductio.h"

#include <cub/version.cuh>

// CUB_VERSION of CCCL 3.5.0 reads 300500.
#define CUB_TEXT "CUB " REDUCTIO_STRING(CUB_VERSION)

#endif
