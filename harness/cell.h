// SPDX-License-Identifier: MIT
// A cell: one variant on one dataset in one launch shape, at one offset, under one schedule. Its identity
//     variant@backend/type/values/n/order/shape/offset/schedule
// is stable across releases: `run --cell`, known-lines, compare and links in the report all use it.
#ifndef REDUCTIO_CELL_H
#define REDUCTIO_CELL_H

#include "cases/cases.h"
#include "harness/protocol.h"
#include "harness/variant_type.h"

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": threads of a block.
enum { CELL_ID_TEXT = 320, SHAPE_MOST_THREADS = 1024 };

// The coordinates of an identity, as text and numbers. The coverage map has values "coverage".
struct cell_key {
    char variant[CARD_NAME];
    char backend[16];
    char type[16];
    char values[96];
    uint64_t n;
    char order[16];
    struct reductio_shape shape;
    uint32_t offset;
    struct schedule schedule;
};

#define COVERAGE_VALUES "coverage"

void cell_key_print(const struct cell_key *key, char *text); // CELL_ID_TEXT bytes
// False if the text is no identity.
bool cell_key_parse(const char *text, struct cell_key *key);
void shape_print(struct reductio_shape shape, char *text, size_t size); // "t256", "t256b8"
bool shape_parse(const char *text, struct reductio_shape *shape);       // false if the text is no shape

#endif
