// SPDX-License-Identifier: MIT
// An error of every cell against a property of its input, by accuracy claim: median line, min-max whiskers, guides,
// data table.
#ifndef REDUCTIO_SCATTER_H
#define REDUCTIO_SCATTER_H

#include "reports/page.h"

enum { SCATTER_GUIDES = 3 }; // at most, of one chart

struct scatter_guide {
    const char *name;
    double (*at)(double x, double u);
};

struct scatter {
    const char *title, *x_label, *y_label;
    const char *type;   // of the variants whose cells count
    const char *values; // of their inputs; NULL = any
    double u;
    // The cell's place; false leaves it out. y = 0 is drawn on the floor.
    bool (*read)(const struct cell_view *cell, double *x, double *y);
    double x_most, y_least,
        y_most; // the axes reach no farther; what lies beyond in y is drawn on the edge, in x left out
    double bin; // x values within this factor share a point; 1 = none
    const struct scatter_guide *guides;
    size_t guide_count;
};

// Nothing is written where all cells have one place, or all are exact. False when memory is out.
bool scatter_write(const struct page *page, const struct scatter *scatter);

#endif
