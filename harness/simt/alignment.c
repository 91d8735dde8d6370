// SPDX-License-Identifier: MIT
// Misaligned accesses are an error on a GPU and none on most CPUs. Kernels are compiled with -fsanitize=alignment,
// whose checks call the two functions below; a build under the whole of UBSan has its own. Their argument is laid out
// as in compiler-rt's ubsan_handlers.h (struct TypeMismatchData); compiler-rt and GCC's libsanitizer keep that
// interface stable.
#include "harness/simt/scheduler.h"

#include <stdio.h>
#include <stdlib.h>

struct type_mismatch {
    const char *file;
    uint32_t line, column;
    const void *type;
    unsigned char log_alignment;
    unsigned char kind;
};

void __ubsan_handle_type_mismatch_v1(const struct type_mismatch *mismatch, const void *address);
void __ubsan_handle_type_mismatch_v1_abort(const struct type_mismatch *mismatch, const void *address);

void __ubsan_handle_type_mismatch_v1(const struct type_mismatch *mismatch, const void *address) {
    if (!simt_here) { // a launch function, on the host
        fprintf(stderr, "%s:%u: misaligned address %p\n", mismatch->file, mismatch->line, address);
        abort();
    }
    unsigned alignment = 1u << mismatch->log_alignment;
    simt_misuse((struct simt_place){mismatch->file, (int)mismatch->line},
                "misaligned address: it lies %u bytes past a multiple of %u, which the access needs",
                (unsigned)((uintptr_t)address % alignment), alignment);
}

void __ubsan_handle_type_mismatch_v1_abort(const struct type_mismatch *mismatch, const void *address) {
    __ubsan_handle_type_mismatch_v1(mismatch, address);
}
