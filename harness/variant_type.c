// SPDX-License-Identifier: MIT
#include "harness/variant_type.h"

#include <string.h>

const struct variant_type variant_types[VARIANT_TYPES] = {
    {"f32", FLOAT_F32, FLOAT_F32},       {"f64", FLOAT_F64, FLOAT_F64},    {"f32:f64", FLOAT_F32, FLOAT_F64},
    {"f16", FLOAT_F16, FLOAT_F16},       {"bf16", FLOAT_BF16, FLOAT_BF16}, {"f16:f32", FLOAT_F16, FLOAT_F32},
    {"bf16:f32", FLOAT_BF16, FLOAT_F32},
};

bool variant_type_parse(const char *name, enum float_type *in, enum float_type *out) {
    for (size_t i = 0; i < VARIANT_TYPES; i++)
        if (strcmp(name, variant_types[i].name) == 0) {
            *in = variant_types[i].in;
            *out = variant_types[i].out;
            return true;
        }
    return false;
}
