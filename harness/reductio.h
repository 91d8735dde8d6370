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
// The file is compiled once for each type and backend; reductio_in and reductio_out are float or double. `in` holds n
// elements and may start at any element, so it is aligned to sizeof(reductio_in) and to nothing more. `out` is one
// element, `workspace` holds workspace_bytes(n, shape) bytes aligned to 256; both are filled with poison, never zero.
// `launch` queues its work on `stream` and returns the first error; it neither allocates nor synchronises.
// Host variants (plain C, host_*.c) use `int` for both cudaError_t and the stream.
#ifndef REDUCTIO_H
#define REDUCTIO_H

#include <stdbool.h>
#include <stddef.h>

#if defined(REDUCTIO_DEVICE_SOURCE)
#include <cuda_runtime.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

// A launch shape. blocks = 0 means: as many as n needs, by the variant's own rule. A host variant ignores both.
struct reductio_shape {
    unsigned threads; // per block
    unsigned blocks;  // per grid, 0 = derived from n
};

enum { REDUCTIO_MAX_SHAPES = 6 };

// The bound that the variant promises on |exact - result|. The formulas, with their sources, are in reference/bounds.h;
// u is the unit roundoff of the output type, A the sum of |x|, h = height(n, shape), m = global_atomics(n, shape).
enum reductio_accuracy {
    REDUCTIO_ACCURACY_NOT_CLAIMED = 0, // judged by the any-order bound all the same, and marked so
    REDUCTIO_ANY_ORDER,                // (n-1)·u·A: every addition tree meets it
    REDUCTIO_HEIGHT,                   // min(γ_h, (n-1)·u)·A
    REDUCTIO_KAHAN,                    // Kahan over serial_terms(n, shape), result rounded to one word
    REDUCTIO_COMPENSATED,              // two_sum at every node of a tree of height h, corrections added along
    REDUCTIO_KAHAN_MERGED,             // Kahan over serial_terms in each thread, its pairs merged by such a tree
    REDUCTIO_DOUBLE_WORD,              // double-word accumulation in a tree of height h
    REDUCTIO_WIDE,                     // f32 summed in f64 by a tree of height h, rounded once to the output type
    REDUCTIO_BINNED,                   // only the three highest rows of a fixed grid of exponents are kept
    REDUCTIO_FAITHFUL,                 // one of the two neighbours of the exact sum, or the sum itself
    REDUCTIO_CORRECTLY_ROUNDED         // the exact sum rounded once to nearest, ties to even
};

// What may change without changing a bit of the result: a set of these.
enum reductio_same_bits {
    REDUCTIO_SAME_BITS_NONE = 0,
    REDUCTIO_RUN = 1,       // the same call again; on the emulator, any schedule of threads
    REDUCTIO_SHAPE = 2,     // another launch shape
    REDUCTIO_PLACEMENT = 4, // another base address: offsets of 0..15 elements
    REDUCTIO_ORDER = 8,     // the same elements permuted
    REDUCTIO_DEVICE = 16    // another GPU
};

enum reductio_answer { REDUCTIO_UNSTATED = 0, REDUCTIO_YES, REDUCTIO_NO };
enum reductio_zero { REDUCTIO_ZERO_UNSTATED = 0, REDUCTIO_MINUS, REDUCTIO_PLUS };

struct reductio_claims {
    enum reductio_accuracy accuracy;
    // Longest path of additions from an element to the result; needed where `accuracy` speaks of h.
    size_t (*height)(size_t n, struct reductio_shape shape);
    // Most terms that one accumulator adds one after the other; needed by the Kahan bounds.
    size_t (*serial_terms)(size_t n, struct reductio_shape shape);
    // Float atomicAdds on global memory in one call; NULL = none. Each may flush a subnormal (PTX ISA, `atom`).
    size_t (*global_atomics)(size_t n, struct reductio_shape shape);
    unsigned same_bits;                      // set of reductio_same_bits
    enum reductio_answer keeps_subnormals;   // subnormal inputs and results are not flushed to zero
    enum reductio_answer may_overflow_early; // a partial sum may overflow although the exact sum is finite
    enum reductio_answer specials;           // NaN in gives NaN; Inf with finite gives Inf; Inf - Inf gives NaN
    enum reductio_zero all_minus_zero;       // what a sum of -0 only gives
    enum reductio_answer empty;              // n = 0 gives +0
};

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
    const char *type;    // likewise: "f32", "f64", "f32:f64"
    const char *backend; // likewise: "host", "simt", "cuda"
    reductio_launch launch;
    const char *summary; // one sentence: the order of additions
    const char *absent;  // why this build cannot run it ("not in this CCCL ..."); NULL: it can
    const char *origin;  // where it was published, e.g. "first tutorial, v2"; NULL if ours
    size_t (*workspace_bytes)(size_t n, struct reductio_shape shape);
    struct reductio_shape shapes[REDUCTIO_MAX_SHAPES]; // the first is the default; ends at threads = 0
    size_t max_n;                                      // largest n it can take, 0 = any
    bool fixed_placement; // it chooses the input's base address itself, so that no attack can
    struct reductio_claims claims;
    struct reductio_fault fault;
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

// REDUCTIO_VARIANT(name, .summary = ..., .shapes = {{256, 0}}, .claims = {...}) defines the descriptor of this file.
// REDUCTIO_TAG is the type as a symbol (f32, f64, f32_f64); the file's `launch` and `workspace_bytes` are taken as they
// are. The name must be the file's own: the register that CMake writes looks for it.
#define REDUCTIO_VARIANT(variant_name, ...)                                                                            \
    static int reductio_untyped_launch(const void *in, size_t n, void *out, void *workspace,                           \
                                       struct reductio_shape shape, void *stream) {                                    \
        return (int)launch((const reductio_in *)in, n, (reductio_out *)out, workspace, shape,                          \
                           (reductio_stream)stream);                                                                   \
    }                                                                                                                  \
    REDUCTIO_EXPORT const struct reductio_variant REDUCTIO_SYMBOL(variant_name, REDUCTIO_TAG, REDUCTIO_BACKEND);       \
    const struct reductio_variant REDUCTIO_SYMBOL(variant_name, REDUCTIO_TAG,                                          \
                                                  REDUCTIO_BACKEND) = {.name = #variant_name,                          \
                                                                       .type = REDUCTIO_TYPE,                          \
                                                                       .backend = REDUCTIO_STRING(REDUCTIO_BACKEND),   \
                                                                       .launch = reductio_untyped_launch,              \
                                                                       __VA_ARGS__}

#endif // REDUCTIO_IN
#endif // REDUCTIO_H
