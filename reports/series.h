// SPDX-License-Identifier: MIT
// What a mark stands for, the same over the whole page: each claim of accuracy and each variant has one shape and one
// colour, and none is given twice while there are SVG_MARKS or fewer.
#ifndef REDUCTIO_SERIES_H
#define REDUCTIO_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum series_kind { SERIES_CLAIM, SERIES_VARIANT };

struct series_name {
    enum series_kind kind;
    const char *name; // the run's
};

struct series {
    struct series_name *names; // in the order of their first use: neighbours differ in colour
    size_t count, room;
};

// Room for so many names. False when memory is out; free with series_free in either case.
bool series_make(struct series *series, size_t room);
void series_free(struct series *series);
// The number of the name's mark, for svg_mark and svg_colour.
unsigned series_mark(struct series *series, enum series_kind kind, const char *name);
// The mark before its name, as in every key of the page.
void write_series_item(unsigned mark, const char *name, const char *more, FILE *out);

#endif
