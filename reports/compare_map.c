// SPDX-License-Identifier: MIT
#include "reports/compare_map.h"
#include "reports/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_TEXT = 512 };

static const json_t *run_of(const struct comparison *comparison, const struct cell_change *change) {
    return change->after ? comparison->after : comparison->before;
}

static void row_label(const struct comparison *comparison, const struct cell_change *change, char *label) {
    const json_t *variants = json_object_get(run_of(comparison, change), "variants");
    const json_t *row = json_array_get(variants, (size_t)count_of(changed_cell(change), "variant"));
    snprintf(label, LABEL_TEXT, "%.300s@%.60s %.60s", text_of(row, "name"), text_of(row, "backend"),
             text_of(row, "type"));
}

static const char *column_label(const struct comparison *comparison, const struct cell_change *change) {
    const json_t *dataset = json_object_get(changed_cell(change), "dataset");
    const json_t *datasets = json_object_get(run_of(comparison, change), "datasets");
    return json_is_integer(dataset) ? text_of(json_array_get(datasets, (size_t)json_integer_value(dataset)), "values")
                                    : "coverage map";
}

// The place of a label, which it gets when it is first met; SIZE_MAX when memory is out.
static size_t place_of(json_t *index, const char *label) {
    json_t *place = json_object_get(index, label);
    if (place)
        return (size_t)json_integer_value(place);
    size_t next = json_object_size(index);
    // a label may have been cut within a character
    return json_object_set_new_nocheck(index, label, json_integer((json_int_t)next)) ? SIZE_MAX : next;
}

static bool place_cell(const struct change_map *map, const struct comparison *comparison,
                       const struct cell_change *change, size_t *row, size_t *column) {
    char label[LABEL_TEXT];
    row_label(comparison, change, label);
    *row = place_of(map->row_index, label);
    *column = place_of(map->column_index, column_label(comparison, change));
    return *row != SIZE_MAX && *column != SIZE_MAX;
}

static bool bound_says_nothing(const json_t *cell) {
    size_t i;
    json_t *word;
    json_array_foreach(json_object_get(cell, "findings"), i, word) {
        if (!strcmp(json_string_value(word), finding_word(FINDING_BOUND_SAYS_NOTHING)))
            return true;
    }
    return false;
}

static void keep_worst(double *worst, const json_t *cell) {
    double ratio = cell && !bound_says_nothing(cell) ? figure_of(cell, "error_over_bound") : (double)NAN;
    if (isnan(*worst) || ratio > *worst)
        *worst = ratio;
}

static void add_cell(struct change_map *map, const struct cell_change *change, size_t row, size_t column) {
    struct change_square *square = &map->squares[row * map->column_count + column];
    square->counts[change->change]++;
    map->rows[row].counts[change->change]++;
    map->columns[column].counts[change->change]++;
    square->ran_before |= change->before != NULL;
    square->ran_after |= change->after != NULL;
    keep_worst(&square->before, change->before);
    keep_worst(&square->after, change->after);
}

// Lexicographic in the order of enum change: what is worst counts first. Ties stay in the order of the run.
static int compare_lines(const void *a, const void *b, void *lines) {
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const struct change_line *x = (const struct change_line *)lines + i, *y = (const struct change_line *)lines + j;
    for (int kind = 0; kind < CHANGE_SAME; kind++)
        if (x->counts[kind] != y->counts[kind])
            return x->counts[kind] > y->counts[kind] ? -1 : 1;
    return i < j ? -1 : 1;
}

static bool make_lines(json_t *index, struct change_line **lines, size_t **order, size_t *count) {
    const char *label;
    json_t *place;
    *count = json_object_size(index);
    *lines = calloc(*count + 1, sizeof **lines);
    *order = calloc(*count + 1, sizeof **order);
    if (!*lines || !*order)
        return false;
    json_object_foreach(index, label, place) {
        (*lines)[json_integer_value(place)].label = label;
    }
    for (size_t i = 0; i < *count; i++)
        (*order)[i] = i;
    return true;
}

static bool name_lines(struct change_map *map, const struct comparison *comparison) {
    size_t row, column;
    map->row_index = json_object();
    map->column_index = json_object();
    if (!map->row_index || !map->column_index)
        return false;
    for (size_t i = 0; i < comparison->cell_count; i++)
        if (!place_cell(map, comparison, &comparison->cells[i], &row, &column))
            return false;
    return make_lines(map->row_index, &map->rows, &map->row_order, &map->row_count) &&
           make_lines(map->column_index, &map->columns, &map->column_order, &map->column_count);
}

bool change_map_make(struct change_map *map, const struct comparison *comparison) {
    size_t row, column;
    *map = (struct change_map){0};
    if (!name_lines(map, comparison))
        return false;
    map->squares = calloc(map->row_count * map->column_count + 1, sizeof *map->squares);
    if (!map->squares)
        return false;
    for (size_t i = 0; i < map->row_count * map->column_count; i++)
        map->squares[i].before = map->squares[i].after = NAN;
    for (size_t i = 0; i < comparison->cell_count; i++)
        if (place_cell(map, comparison, &comparison->cells[i], &row, &column))
            add_cell(map, &comparison->cells[i], row, column);
    qsort_r(map->row_order, map->row_count, sizeof *map->row_order, compare_lines, map->rows);
    qsort_r(map->column_order, map->column_count, sizeof *map->column_order, compare_lines, map->columns);
    return true;
}

void change_map_free(struct change_map *map) {
    free(map->squares);
    free(map->rows);
    free(map->columns);
    free(map->row_order);
    free(map->column_order);
    json_decref(map->row_index);
    json_decref(map->column_index);
    *map = (struct change_map){0};
}
