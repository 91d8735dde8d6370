// SPDX-License-Identifier: MIT
// A comparison for other programs: which runs, what differs around them, counts, and every cell that is not the same.
#include "reports/compare.h"
#include "reports/text.h"

static bool set(json_t *object, const char *member, json_t *value) {
    return json_object_set_new(object, member, value) == 0;
}

static json_t *run_to_json(const json_t *run) {
    static const char *const members[] = {"command", "tier", "seed", "started", "verdict"};
    json_t *object = json_object();
    bool good = object && set(object, "commit", json_string(text_of(json_object_get(run, "environment"), "commit")));
    for (size_t i = 0; good && i < sizeof members / sizeof *members; i++)
        good = set(object, members[i], json_string(text_of(run, members[i])));
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *counts_to_json(const struct comparison *comparison) {
    json_t *object = json_object();
    for (int kind = 0; object && kind < CHANGE_COUNT; kind++)
        if (!set(object, change_word((enum change)kind), json_integer((json_int_t)comparison->counts[kind]))) {
            json_decref(object);
            return NULL;
        }
    return object;
}

static json_t *cells_to_json(const struct comparison *comparison) {
    json_t *cells = json_array();
    for (size_t i = 0; cells && i < comparison->cell_count; i++) {
        const struct cell_change *cell = &comparison->cells[i];
        if (cell->change == CHANGE_SAME)
            continue;
        json_t *object = json_pack("{ss so sb}", "id", text_of(changed_cell(cell), "id"), "change",
                                   json_string(change_word(cell->change)), "bits_changed", (int)cell->bits_changed);
        // the reason may have been cut within a character
        if (!object || !set(object, "why", text_to_json(cell->why)) || json_array_append_new(cells, object)) {
            json_decref(cells);
            return NULL;
        }
    }
    return cells;
}

bool comparison_write_json(const struct comparison *comparison, FILE *out, char *message) {
    json_t *object = json_object();
    bool good = object && set(object, "schema_version", json_integer(REPORT_SCHEMA_VERSION)) &&
                set(object, "regression", json_boolean(comparison_regressed(comparison))) &&
                set(object, "times_compared", json_boolean(comparison->times_compared)) &&
                set(object, "before", run_to_json(comparison->before)) &&
                set(object, "after", run_to_json(comparison->after)) &&
                json_object_set(object, "environment", comparison->environment) == 0 &&
                json_object_set(object, "orders", comparison->orders) == 0 &&
                set(object, "counts", counts_to_json(comparison)) && set(object, "cells", cells_to_json(comparison));
    if (good)
        good = report_write_json(object, out, message);
    else
        snprintf(message, REPORT_MESSAGE, "The comparison does not fit in memory as JSON.");
    json_decref(object);
    return good;
}
