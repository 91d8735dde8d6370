// SPDX-License-Identifier: MIT
// Stands in for CUDA's header of this name when a .cu file is compiled for simt.
#ifndef REDUCTIO_SIMT_CUDA_RUNTIME_H
#define REDUCTIO_SIMT_CUDA_RUNTIME_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/types.hpp"

#include "simt/thread.hpp"

#include "simt/atomics.hpp"
#include "simt/intrinsics.hpp"
#include "simt/launch.hpp"
#include "simt/runtime_api.hpp"
#include "simt/warp.hpp"

#ifdef REDUCTIO_REGISTERS_ITSELF
#include "simt/host_api.hpp"
#endif

#endif
