// SPDX-License-Identifier: MIT
// Reductio's one public header: what a sum under test must say about itself.
//
// A variant is one file. It holds, in this order: a header comment (the order of additions, what is exact, the bound
// and its source), the kernels in plain CUDA, two functions named `workspace_bytes` and `launch`, and one
// REDUCTIO_VARIANT.
//
//     size_t workspace_bytes(size_t n, struct reductio_shape shape);
//     cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace,
//                        struct reductio_shape shape, cudaStream_t stream);
//
// The file is compiled once for each type and backend; reductio_in and reductio_out are float or double, or, in a file
// that names such types, __half or __nv_bfloat16 (plain C: see kernels/host_arithmetic.h). `in` holds n
// elements and may start at any element, so it is aligned to sizeof(reductio_in) and to nothing more. `out` is one
// element, `workspace` holds workspace_bytes(n, shape) bytes aligned to 256; both are filled with poison, never zero.
// `launch` queues its work on `stream` and returns the first error; it neither allocates nor synchronises.
// Host variants (plain C, host_*.c) use `int` for both cudaError_t and the stream.
#ifndef REDUCTIO_H
#define REDUCTIO_H

#include "reductio_plugin.h" // launch shapes and claims

#include <stdbool.h>
#include <stddef.h>

#if defined(REDUCTIO_DEVICE_SOURCE)
#include <cuda_runtime.h>
#ifdef REDUCTIO_16_BITS
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
#elif defined(REDUCTIO_16_BITS) // C17 knows no such types; kernels/host_arithmetic.h adds these
#include <stdint.h>
typedef struct reductio_f16 {
    uint16_t bits;
} __half;
typedef struct reductio_bf16 {
    uint16_t bits;
} __nv_bfloat16;
#endif

#ifdef __cplusplus
extern "C" {
#endif

// A planted fault says what must be found, and which detector must find it. Real variants leave both NULL.
struct reductio_fault {
    const char *finding; // a finding word of harness/finding.h, e.g. "lost elements"
    // bound, specials, coverage map, poison, guard, repeats, schedules, shapes, placement, permutations, misuse,
    // limits, tsan, asan
    const char *detector;
};

typedef int (*reductio_launch)(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape,
                               void *stream);

struct reductio_variant {
    const char *name;    // set by REDUCTIO_VARIANT
    const char *type;    // likewise: "f32", "f64", "f32:f64", "f16", "bf16", "f16:f32", "bf16:f32"
    const char *backend; // likewise: "host", "simt", "cuda"
    reductio_launch launch;
    const char *summary; // one sentence: the order of additions
    const char *absent;  // why this build cannot run it ("not in this CCCL ..."); NULL: it can
    const char *origin;  // where it was published, e.g. "first tutorial, v2"; NULL if ours
    size_t (*workspace_bytes)(size_t n, struct reductio_shape shape);
    struct reductio_shape shapes[REDUCTIO_MAX_SHAPES]; // the first is the default; ends at threads = 0
    size_t max_n;                                      // largest n it can take, 0 = any
    // The input always starts at a multiple of 256 bytes, as cudaMalloc's arrays do: for kernels that need aligned
    // loads, and those that choose the address themselves.
    bool fixed_placement;
    struct reductio_claims claims;
    struct reductio_fault fault;
    bool is_probe; // no sum, but a question to the machine: `reductio hardware` asks it
};

#ifdef __cplusplus
}
#endif

// ---- what follows is for variants only: the build defines REDUCTIO_IN, REDUCTIO_OUT, REDUCTIO_TYPE, REDUCTIO_BACKEND
// ----
#ifdef REDUCTIO_IN

#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wmissing-field-initializers" // a descriptor leaves out what it does not claim
#endif

typedef REDUCTIO_IN reductio_in;
typedef REDUCTIO_OUT reductio_out;

#ifdef REDUCTIO_DEVICE_SOURCE
typedef cudaError_t reductio_error;
typedef cudaStream_t reductio_stream;
#define REDUCTIO_EXPORT extern "C"
#else
typedef int reductio_error;
typedef void *reductio_stream;
#define REDUCTIO_EXPORT
#endif

#define REDUCTIO_STRING_(x)                  #x
#define REDUCTIO_STRING(x)                   REDUCTIO_STRING_(x)
#define REDUCTIO_SYMBOL_(name, tag, backend) reductio_##name##_##tag##_##backend
#define REDUCTIO_SYMBOL(name, tag, backend)  REDUCTIO_SYMBOL_(name, tag, backend)

// A file that is built by itself (reductio check mine.cu) enters its variants into the register when it is loaded. It
// may hold several, as long as each stands in a namespace of its own with its `launch`.
#if defined(REDUCTIO_REGISTERS_ITSELF) && defined(__cplusplus)
#include "reductio_launch.h"
#else
#define REDUCTIO_ENTER(variant) struct reductio_variant
#define REDUCTIO_UNTYPED_LAUNCH                                                                                        \
    static int reductio_untyped_launch(const void *in, size_t n, void *out, void *workspace,                           \
                                       struct reductio_shape shape, void *stream) {                                    \
        return (int)launch((const reductio_in *)in, n, (reductio_out *)out, workspace, shape,                          \
                           (reductio_stream)stream);                                                                   \
    }
#endif

// REDUCTIO_VARIANT(name, .summary = ..., .shapes = {{256, 0}}, .claims = {...}) defines the descriptor of this file.
// REDUCTIO_TAG is the type as a symbol (f32, f64, f32_f64, ...); the file's `launch` and `workspace_bytes` are taken as
// they are. The name must be the file's own: the register that CMake writes looks for it.
#define REDUCTIO_VARIANT(variant_name, ...)                                                                            \
    REDUCTIO_UNTYPED_LAUNCH                                                                                            \
    REDUCTIO_EXPORT const struct reductio_variant REDUCTIO_SYMBOL(variant_name, REDUCTIO_TAG, REDUCTIO_BACKEND);       \
    const struct reductio_variant REDUCTIO_SYMBOL(variant_name, REDUCTIO_TAG,                                          \
                                                  REDUCTIO_BACKEND) = {.name = #variant_name,                          \
                                                                       .type = REDUCTIO_TYPE,                          \
                                                                       .backend = REDUCTIO_STRING(REDUCTIO_BACKEND),   \
                                                                       .launch = reductio_untyped_launch,              \
                                                                       __VA_ARGS__};                                   \
    REDUCTIO_ENTER(REDUCTIO_SYMBOL(variant_name, REDUCTIO_TAG, REDUCTIO_BACKEND))

#endif // REDUCTIO_IN
#endif // REDUCTIO_H
