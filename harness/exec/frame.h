// SPDX-License-Identifier: MIT
// What reductio and a program that sums say to each other over two pipes; README.md here is its description. Everything
// is little-endian, and so must this machine be.
#ifndef REDUCTIO_EXEC_FRAME_H
#define REDUCTIO_EXEC_FRAME_H

#include <stdint.h>

#define FRAME_MAGIC "rdct"

enum { PIPE_VERSION = 1, FRAME_MAGIC_BYTES = 4 };
enum { HELLO_MOST_BYTES = 1 << 20, FAILED_MOST_BYTES = 800 };

enum frame_kind {
    FRAME_HELLO = 1,  // from the program, once: JSON
    FRAME_SUM = 2,    // to the program: struct sum_request, then n elements
    FRAME_HEIGHT = 3, // to the program: struct sum_request alone; the answer's bits are the height of its tree
    FRAME_ANSWER = 4, // from the program: struct sum_answer
    FRAME_FAILED = 5  // from the program instead: one sentence why it has no sum
};

struct frame_head {
    char magic[FRAME_MAGIC_BYTES];
    uint32_t kind;
    uint64_t sequence; // of a request, 1, 2, ...; what is sent back carries that of its request; 0 in the hello
    uint64_t bytes;    // that follow
};

struct sum_request {
    uint32_t row;    // of the hello, from 0
    uint32_t offset; // of the array's address, in elements past a multiple of 256 bytes
    uint32_t element_bytes, result_bytes;
    uint64_t n;
    uint64_t token; // a signalling NaN of the result's format, another one each time: the bits that say "no result"
};

struct sum_answer {
    struct sum_request request; // what was answered
    uint64_t bits;              // the result, zero-extended
    uint64_t ns;                // that the sum took, 0: not measured
};

_Static_assert(sizeof(struct frame_head) == 24 && sizeof(struct sum_request) == 32 && sizeof(struct sum_answer) == 48,
               "frames have no holes");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are little-endian");

#endif
