// SPDX-License-Identifier: MIT
#include "reports/test_pair.h"

#include "reports/sample_result.h"

#include <check.h>

void make_pair(struct pair *pair) {
    struct run_result result = sample_result();
    char message[REPORT_MESSAGE];
    pair->before = report_of_result(&result, message);
    ck_assert_msg(pair->before != NULL, "%s", message);
    pair->after = json_deep_copy(pair->before);
    run_result_free(&result);
}

json_t *cell_at(json_t *run, size_t index) {
    return json_array_get(json_object_get(run, "cells"), index);
}

json_t *order_at(json_t *run, size_t index) {
    return json_array_get(json_object_get(json_array_get(json_object_get(run, "variants"), 0), "orders"), index);
}

void set(json_t *object, const char *member, json_t *value) {
    ck_assert_int_eq(json_object_set_new(object, member, value), 0);
}

void compare(struct pair *pair) {
    char message[REPORT_MESSAGE];
    ck_assert_msg(comparison_make(&pair->comparison, pair->before, pair->after, message), "%s", message);
}

void drop(struct pair *pair) {
    comparison_free(&pair->comparison);
    json_decref(pair->before);
    json_decref(pair->after);
}

void set_bits(json_t *cell, const char *bits, const char *error_over_bound) {
    set(cell, "bits", json_string(bits));
    set(cell, "patterns", json_pack("[{sssissss}]", "bits", bits, "count", 8, "ulps", "0", "first_at", "inorder"));
    set(cell, "error_over_bound", json_string(error_over_bound));
}
