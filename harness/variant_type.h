// SPDX-License-Identifier: MIT
// The types of variants: input, or input:output where they differ. The accumulator is the variant's own affair.
#ifndef REDUCTIO_VARIANT_TYPE_H
#define REDUCTIO_VARIANT_TYPE_H

#include "reference/float_type.h"

#define VARIANT_TYPE_NAMES "f32, f64, f32:f64, f16, bf16, f16:f32 and bf16:f32"

struct variant_type {
    const char *name;
    enum float_type in, out;
};

enum { VARIANT_TYPES = 7 };
extern const struct variant_type variant_types[VARIANT_TYPES];

// False if it is none of them.
bool variant_type_parse(const char *name, enum float_type *in, enum float_type *out);

#endif
