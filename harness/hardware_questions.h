// SPDX-License-Identifier: MIT
// What is asked of a machine's arithmetic, and what it must answer. In f32 and f64, values by name.
#ifndef REDUCTIO_HARDWARE_QUESTIONS_H
#define REDUCTIO_HARDWARE_QUESTIONS_H

#include "kernels/probes/operations.h"
#include "reference/float_type.h"

// Operands and results by name, since the same question is asked in both formats.
enum value {
    ZERO,
    MINUS_ZERO,
    ONE,
    MINUS_ONE,
    ONE_NEXT,       // one ulp above 1
    HALF_ULP,       // half an ulp of 1
    ABOVE_HALF_ULP, // its successor
    TINY,           // a subnormal
    MINUS_TINY,     //
    SMALLEST,       // the smallest subnormal
    LEAST,          // the smallest normal number
    MINUS_LEAST,    //
    LEAST_NEXT,     // LEAST + SMALLEST
    LEAST_AND_HALF, // 1.5 LEAST
    MINUS_LEAST_AND_HALF,
    HALF_LEAST, // a subnormal, the difference of the two
    MINUS_HALF_LEAST,
    MAX,
    INFINITE,
    MINUS_INFINITE,
    QUIET_NAN,      // with a payload
    SIGNALLING_NAN, // likewise
    CANONICAL_NAN,  // all ones but the sign
    FACTOR,         // 1 + 2^-k with k so large that its square is no number of the format
    MINUS_SQUARE,   // minus its square, rounded
    VALUES
};

enum comparison {
    BY_BITS,
    BY_CLASS,    // any NaN is as good as another
    BITS_ON_GPU, // by bits on a GPU; the emulator adds as the CPU does, whose NaNs keep a payload
};

enum { OPERANDS = 3, TYPES = 2 };

struct hardware_question {
    enum probe_operation operation;
    enum value operands[OPERANDS];
    unsigned count;
    enum value expected[TYPES];
    enum comparison comparison[TYPES];
    const char *what, *source;
};

extern const struct hardware_question hardware_questions[];
extern const size_t hardware_question_count;

// The value's bits in a format.
uint64_t value_bits(enum value value, enum float_type type);

#endif
