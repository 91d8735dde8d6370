// SPDX-License-Identifier: MIT
#pragma once

namespace acc {

template <typename T>
__device__ __forceinline__ T warp_reduce(T v) {
#pragma unroll
    for (int lanes = 16; lanes; lanes >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, lanes, 32);
    return v;
}

} // namespace acc
