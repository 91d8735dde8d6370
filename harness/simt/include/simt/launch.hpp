// SPDX-License-Identifier: MIT
// Launches: what the translator makes of kernel<<<...>>>(...), cudaLaunchKernelEx and cudaLaunchCooperativeKernel.
#ifndef REDUCTIO_SIMT_LAUNCH_HPP
#define REDUCTIO_SIMT_LAUNCH_HPP

#include "harness/simt/runtime.h"

#include "simt/thread.hpp"

#include <tuple>
#include <utility>

enum cudaError_t {
    cudaSuccess = SIMT_SUCCESS,
    cudaErrorInvalidValue = SIMT_ERROR_INVALID_VALUE,
    cudaErrorMemoryAllocation = SIMT_ERROR_MEMORY_ALLOCATION,
    cudaErrorInvalidConfiguration = SIMT_ERROR_INVALID_CONFIGURATION,
    cudaErrorInvalidDevice = SIMT_ERROR_INVALID_DEVICE,
    cudaErrorLaunchFailure = SIMT_ERROR_LAUNCH_FAILURE,
    cudaErrorCooperativeLaunchTooLarge = SIMT_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
    cudaErrorNotSupported = SIMT_ERROR_NOT_SUPPORTED,
    cudaErrorUnknown = SIMT_ERROR_UNKNOWN,
    // never returned here; host code names them
    cudaErrorInitializationError = 3,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorAssert = 710,
    cudaErrorMisalignedAddress = 716
};

typedef struct CUstream_st *cudaStream_t;

enum cudaLaunchAttributeID {
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6
};

union cudaLaunchAttributeValue {
    int cooperative;
    int programmaticStreamSerializationAllowed;
};

struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

namespace simt {

struct configuration {
    dim3 grid, block;
    size_t dynamic_bytes;
    simt_place place;
    bool cooperative = false;
    configuration(dim3 grid, dim3 block, size_t dynamic_bytes = 0, cudaStream_t = nullptr, SIMT_PLACE)
        : grid(grid), block(block), dynamic_bytes(dynamic_bytes), place(place) {}
};

// Runs `body` on copies of the arguments, made once, as a launch does.
template <class Body, class... Arguments>
cudaError_t launch(const char *kernel, const configuration &how, Body &body, std::tuple<Arguments...> arguments) {
    struct call {
        Body &body;
        std::tuple<Arguments...> &arguments;
    } call = {body, arguments};
    struct simt_launch request = {kernel,
                                  how.place,
                                  how.grid,
                                  how.block,
                                  how.dynamic_bytes,
                                  [](void *state) {
                                      auto *call = static_cast<struct call *>(state);
                                      std::apply(call->body, call->arguments);
                                  },
                                  &call,
                                  how.cooperative};
    return (cudaError_t)simt_note_error(::simt_launch(&request));
}

// kernel<<<how>>>(arguments)
template <class Body>
struct launcher {
    const char *kernel;
    configuration how;
    Body body;
    template <class... Arguments>
    void operator()(Arguments &&...arguments) {
        launch(kernel, how, body, std::make_tuple(std::forward<Arguments>(arguments)...));
    }
};
template <class Body>
launcher(const char *, configuration, Body) -> launcher<Body>;

// A copy of the bytes there, as a launch makes it: what they are an object of is not known, nor need it be aligned.
template <class T>
T copy_argument(const void *from) {
    union copy {
        T value;
        copy() {}
        ~copy() {}
    } copy;
    memcpy((void *)&copy.value, from, sizeof copy.value);
    return copy.value;
}

template <class... Expected, size_t... I>
std::tuple<Expected...> copy_arguments([[maybe_unused]] void **arguments, std::index_sequence<I...>) {
    return std::tuple<Expected...>(copy_argument<Expected>(arguments[I])...);
}

} // namespace simt

// cudaLaunchKernelEx, given the kernel's name by the translator.
template <class... Expected, class... Given>
cudaError_t simt_launch_ex(const char *name, const cudaLaunchConfig_t *config, void (*kernel)(Expected...),
                           Given &&...given) {
    simt::configuration how(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream);
    how.place = {name, 0};
    // A kernel may start early, and need not: one after the other is one of the orders that CUDA allows.
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (config->attrs[i].id == cudaLaunchAttributeCooperative)
            how.cooperative = config->attrs[i].val.cooperative != 0;
        else if (config->attrs[i].id != cudaLaunchAttributeProgrammaticStreamSerialization)
            return (cudaError_t)simt_note_error(cudaErrorNotSupported);
    }
    return simt::launch(name, how, *kernel, std::tuple<Expected...>(std::forward<Given>(given)...));
}

// cudaLaunchCooperativeKernel, given the kernel's name by the translator, which takes its cast to void * away.
template <class... Expected>
cudaError_t simt_launch_cooperative(const char *name, void (*kernel)(Expected...), dim3 grid, dim3 block,
                                    void **arguments, size_t dynamic_bytes = 0, cudaStream_t stream = nullptr,
                                    SIMT_PLACE) {
    simt::configuration how(grid, block, dynamic_bytes, stream, place);
    how.cooperative = true;
    return simt::launch(name, how, *kernel,
                        simt::copy_arguments<Expected...>(arguments, std::index_sequence_for<Expected...>()));
}
[[gnu::error("simt has no launches by an untyped pointer")]] cudaError_t
simt_launch_cooperative(const char *, const void *, dim3, dim3, void **, size_t = 0, cudaStream_t = nullptr);

#endif
