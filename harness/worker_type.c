// SPDX-License-Identifier: MIT
#include "harness/worker.h"

#include <string.h>

bool worker_type_parse(const char *name, struct worker_type *type) {
    static const struct {
        const char *name;
        struct worker_type type;
    } types[] = {
        // 12 digits are 24 bits, all of an f32 significand; 26 digits are 52 bits of f64's 53.
        {"f32", {sizeof(float), sizeof(float), 12}},
        {"f64", {sizeof(double), sizeof(double), 26}},
        {"f32:f64", {sizeof(float), sizeof(double), 12}},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0) {
            *type = types[i].type;
            return true;
        }
    return false;
}
