// SPDX-License-Identifier: MIT
// Two runs as one map: variants against families of values, the worst err/bound of each square before and after, and
// how many of its cells changed in which way.
#ifndef REDUCTIO_COMPARE_MAP_H
#define REDUCTIO_COMPARE_MAP_H

#include "reports/compare.h"

struct change_square {
    double before, after; // worst err/bound where the bound says something; NaN for none
    bool ran_before, ran_after;
    size_t counts[CHANGE_COUNT];
};

// A row or a column: what it is called, and how much happened in it.
struct change_line {
    const char *label;
    size_t counts[CHANGE_COUNT];
};

struct change_map {
    json_t *row_index, *column_index; // label to its place; they own the labels
    struct change_line *rows, *columns;
    size_t row_count, column_count;
    size_t *row_order, *column_order; // what changed for the worse first
    struct change_square *squares;    // [row * column_count + column]
};

// False when memory is out; free with change_map_free in either case. The comparison must outlive the map.
bool change_map_make(struct change_map *map, const struct comparison *comparison);
void change_map_free(struct change_map *map);

#endif
