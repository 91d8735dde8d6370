// SPDX-License-Identifier: MIT
// Pictures of an addition tree.
#ifndef REDUCTIO_ORDER_DRAW_H
#define REDUCTIO_ORDER_DRAW_H

#include "harness/order/order.h"

#include <stdio.h>

// An SVG document. A subtree of a shape that is drawn already is a box that names it; a chain of equal additions is one
// box with the number of its steps and the terms of each.
void order_draw_svg(const struct order_tree *tree, const char *title, FILE *out);

#endif
