// SPDX-License-Identifier: MIT
#include "harness/selection.h"

#include "harness/support.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_list_add(struct text_list *list, const char *text) {
    list->items = grow_array(list->items, list->count, sizeof *list->items);
    list->items[list->count++] = must_copy_text(text);
}

void text_list_free(struct text_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct text_list){0};
}

void selection_free(struct selection *selection) {
    struct text_list *lists[] = {&selection->variants,   &selection->skip_variants, &selection->cases,
                                 &selection->skip_cases, &selection->types,         &selection->backends,
                                 &selection->cells};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        text_list_free(lists[i]);
}

bool is_glob(const char *text) {
    return strpbrk(text, "*?[") != NULL;
}

bool glob_matches_any(const struct text_list *globs, const char *text) {
    for (size_t i = 0; i < globs->count; i++)
        if (fnmatch(globs->items[i], text, 0) == 0)
            return true;
    return false;
}

static bool holds_exactly(const struct text_list *list, const char *text) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

typedef bool list_test(const struct text_list *list, const char *text);

// "kahan", "kahan@simt/f32" or "kahan@simt"
static bool any_form_passes(const struct text_list *list, list_test *test, const char *name, const char *backend,
                            const char *type) {
    char form[256];
    snprintf(form, sizeof form, "%s@%s/%s", name, backend, type);
    if (test(list, name) || test(list, form))
        return true;
    *strrchr(form, '/') = '\0';
    return test(list, form);
}

bool selects_backend(const struct selection *selection, const char *backend) {
    return !selection->backends.count || holds_exactly(&selection->backends, backend);
}

bool selects_type(const struct selection *selection, const char *type) {
    return !selection->types.count || holds_exactly(&selection->types, type);
}

// Planted faults are run by `selftest`, and elsewhere only where they are called by their full name.
bool selects_variant(const struct selection *selection, const char *name, const char *backend, const char *type,
                     bool faulty) {
    if (!selects_backend(selection, backend) || !selects_type(selection, type))
        return false;
    if (any_form_passes(&selection->skip_variants, glob_matches_any, name, backend, type))
        return false;
    if (faulty)
        return any_form_passes(&selection->variants, holds_exactly, name, backend, type);
    return !selection->variants.count || any_form_passes(&selection->variants, glob_matches_any, name, backend, type);
}

bool selects_case(const struct selection *selection, const char *values, const char *dataset) {
    const struct text_list *skip = &selection->skip_cases, *want = &selection->cases;
    if (glob_matches_any(skip, values) || glob_matches_any(skip, dataset))
        return false;
    return !want->count || glob_matches_any(want, values) || glob_matches_any(want, dataset);
}

// An identity may hold glob characters by chance in no coordinate, so a plain one matches itself alone.
bool selects_cell(const struct selection *selection, const char *id) {
    return !selection->cells.count || glob_matches_any(&selection->cells, id);
}

bool selects_group(const struct selection *selection, size_t group) {
    return !selection->shard_count || group % selection->shard_count == selection->shard_index - 1;
}
