// SPDX-License-Identifier: MIT
// The order of additions of a variant as a picture, from its formula in the JSON: terms in a row below, each addition
// above what it adds, as high as the longest path of additions to it.
#ifndef REDUCTIO_ORDER_DRAWING_H
#define REDUCTIO_ORDER_DRAWING_H

#include "reports/text.h"

enum { ORDER_DRAWING_TERMS = 64 };

// Width and height of the picture. False if there is none: no formula, one that is malformed, or too many terms.
bool order_drawing_size(const json_t *order, double *width, double *height);
// What stands within <svg> or <symbol>; only where order_drawing_size is true.
void order_drawing_write(const json_t *order, FILE *out);
// "n = 16, t256: tree, height 4, hash 0x…" or "n = 16, t256: varies, because …", escaped
void order_write_caption(const json_t *order, FILE *out);

#endif
