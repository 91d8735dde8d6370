// SPDX-License-Identifier: MIT
#include "harness/given.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *refuse_other_types(const struct case_values *self, enum float_type type, uint64_t n) {
    static const char *const reasons[FLOAT_TYPES] = {"the array holds f32 numbers", "the array holds f64 numbers",
                                                     "the array holds f16 numbers", "the array holds bf16 numbers"};
    const struct npy_array *array = self->data;
    (void)n;
    return type == array->type ? NULL : reasons[array->type];
}

static bool fill_given(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct npy_array *array = self->data;
    (void)seed;
    if (type != array->type || n != array->n) {
        errno = EINVAL;
        return false;
    }
    if (n) // an empty array is at no address
        memcpy(x, array->x, n * float_format(type)->size);
    return true;
}

// The file's name without folders and ending, in characters that a cell's identity can carry.
static void name_given(struct given_array *given, const char *path) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    if (strcmp(path, "-") == 0)
        start = "stdin", length = 5;
    snprintf(given->name, sizeof given->name, "file/%.*s", (int)(length < 48 ? length : 48), start);
    for (char *c = given->name + 5; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '.')
            *c = '_';
}

bool given_load(struct given_array *given, const char *path, const enum float_type *raw, char *message) {
    *given = (struct given_array){0};
    if (!npy_load(&given->array, path, raw, message))
        return false;
    name_given(given, path);
    given->values = (struct case_values){.name = given->name,
                                         .what_for = "an array from a file",
                                         .fixed_n = given->array.n,
                                         .refusal = refuse_other_types,
                                         .fill = fill_given,
                                         .data = &given->array};
    return true;
}

struct dataset_key given_key(const struct given_array *given) {
    return (struct dataset_key){
        .type = given->array.type, .values = &given->values, .n = given->array.n, .order = "given"};
}

void given_free(struct given_array *given) {
    npy_free(&given->array);
}
