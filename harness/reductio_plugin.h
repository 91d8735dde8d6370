// SPDX-License-Identifier: MIT
// The interface of a plug-in: a shared library that holds sums, put to the test by `reductio check --plugin ./mine.so`.
//
// This header is C and C++, needs nothing of CUDA and includes nothing but <stddef.h>. A plug-in exports one function,
// which REDUCTIO_PLUGIN writes:
//
//     #include <reductio_plugin.h>
//
//     static int launch(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape,
//                       void *stream) {
//         const float *x = in;
//         float sum = 0;
//         for (size_t i = 0; i < n; i++)
//             sum += x[i];
//         *(float *)out = sum;
//         return 0;
//     }
//
//     static const struct reductio_plugin_row rows[] = {{.name = "loop", .type = "f32", .launch = launch}};
//     REDUCTIO_PLUGIN("mine", rows)
//
// and is built with `cc -O2 -shared -fPIC -o mine.so mine.c`. The row is then called mine.loop. It is run in a process
// of its own, so that whatever it does is said of it and of nothing else. This header also holds what a sum says about
// itself in either form, as a plug-in or as a file of kernels/ (reductio.h).
#ifndef REDUCTIO_PLUGIN_H
#define REDUCTIO_PLUGIN_H

#include <stddef.h>

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
    REDUCTIO_CORRECTLY_ROUNDED,        // the exact sum rounded once to nearest, ties to even
    REDUCTIO_BINNED_NOT_CLAIMED        // not claimed; judged by any order and by what is published of binned sums
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
    // Longest path of additions from an element to the result; needed where `accuracy` speaks of h. At most n - 1: what
    // adds a 0 that fills up a block, or that a loop starts from, does not round and does not count.
    size_t (*height)(size_t n, struct reductio_shape shape);
    // Most terms that one accumulator adds one after the other, at most n; needed by the Kahan bounds.
    size_t (*serial_terms)(size_t n, struct reductio_shape shape);
    // Float atomicAdds on global memory in one call; NULL = none. Each may flush a subnormal (PTX ISA, `atom`).
    size_t (*global_atomics)(size_t n, struct reductio_shape shape);
    unsigned same_bits;                      // set of reductio_same_bits
    enum reductio_answer keeps_subnormals;   // subnormal inputs and results are not flushed to zero
    enum reductio_answer may_overflow_early; // a partial sum may overflow although the exact sum is finite or the other
                                             // infinity
    enum reductio_answer specials;           // NaN in gives NaN; Inf with finite gives Inf; Inf - Inf gives NaN
    enum reductio_zero all_minus_zero;       // what a sum of -0 only gives
    enum reductio_answer empty;              // n = 0 gives +0
};

// ---- plug-ins ----

// Grows whenever a struct of this header, or what a member means, changes. The first four members of struct
// reductio_plugin stay what they are in every version.
#define REDUCTIO_PLUGIN_VERSION 1u

// What in, out and workspace of a row point to.
enum reductio_memory {
    REDUCTIO_HOST_MEMORY = 0,  // stream is NULL; the row is known as NAME@host
    REDUCTIO_DEVICE_MEMORY = 1 // of one GPU, current when launch is called; stream is a cudaStream_t; NAME@cuda
};

// One sum in one type. Only name, type and launch are needed.
struct reductio_plugin_row {
    const char *name;    // letters, digits, '_' and '-'
    const char *type;    // "f32", "f64", "f16", "bf16"; elements and sum: "f32:f64", "f16:f32", "bf16:f32"
    const char *summary; // one sentence: the order of additions, say
    unsigned memory;     // enum reductio_memory
    // Queues the sum of in[0..n) into *out, or has put it there when it returns; 0, or an error: a cudaError_t where
    // the memory is the device's, otherwise any number. It may allocate, and on the host it may start threads. `in` is
    // aligned to its elements and to nothing more, `workspace` to 256 bytes; out and workspace hold signalling NaNs.
    int (*launch)(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape, void *stream);
    size_t (*workspace_bytes)(size_t n, struct reductio_shape shape); // NULL: it needs none
    // Launch shapes that it is to be called with, ending at threads = 0; none: it is called with {1, 0}.
    struct reductio_shape shapes[REDUCTIO_MAX_SHAPES];
    size_t max_n;                  // largest n it can take, 0 = any
    struct reductio_claims claims; // what is left out is not tested; accuracy left out is judged by the any-order bound
};

struct reductio_plugin {
    unsigned version;     // REDUCTIO_PLUGIN_VERSION
    unsigned plugin_size; // sizeof(struct reductio_plugin)
    unsigned row_size;    // sizeof(struct reductio_plugin_row)
    unsigned claims_size; // sizeof(struct reductio_claims)
    const char *name;     // put before the names of its rows: letters, digits, '_' and '-'
    const struct reductio_plugin_row *rows;
    size_t row_count;
};

// The one symbol of a plug-in. It is called once in a process; what it returns stays valid until the process ends.
#define REDUCTIO_PLUGIN_SYMBOL "reductio_plugin"
__attribute__((visibility("default"))) const struct reductio_plugin *reductio_plugin(void);

// Defines it for an array of rows.
#define REDUCTIO_PLUGIN(plugin_name, row_array)                                                                        \
    const struct reductio_plugin *reductio_plugin(void) {                                                              \
        static const struct reductio_plugin plugin = {REDUCTIO_PLUGIN_VERSION,                                         \
                                                      sizeof(struct reductio_plugin),                                  \
                                                      sizeof(struct reductio_plugin_row),                              \
                                                      sizeof(struct reductio_claims),                                  \
                                                      plugin_name,                                                     \
                                                      row_array,                                                       \
                                                      sizeof(row_array) / sizeof *(row_array)};                        \
        return &plugin;                                                                                                \
    }

#ifdef __cplusplus
}
#endif
#endif
