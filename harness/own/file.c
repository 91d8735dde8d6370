// SPDX-License-Identifier: MIT
// What is to be built of a user's file.
#include "cases/input_file.h"
#include "harness/own/build.h"
#include "harness/own/flags.h"
#include "harness/own/tools.h"
#include "harness/support.h"
#include "harness/variant_type.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const known_backends[] = {"simt", "cuda"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *find_word(const char *const *words, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return words[i];
    return NULL;
}

// ---- the header lines, as cmake/variants.cmake reads them from our own kernels ----

struct header {
    struct text_list types, backends;
};

// "a, b and c".
static char *join_words(const char *const *words, size_t count) {
    char *text = must_copy_text(words[0]);
    for (size_t i = 1; i < count; i++) {
        char *longer = text_format("%s%s%s", text, i + 1 < count ? ", " : " and ", words[i]);
        free(text);
        text = longer;
    }
    return text;
}

// The words behind "// KEY:", or one sentence about one that is not known.
static char *read_words(struct text_list *list, const char *key, char *words, const char *const *known, size_t count) {
    char *rest = NULL;
    for (char *word = strtok_r(words, " \t\r\n", &rest); word; word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (!find_word(known, count, word)) {
            char *all = join_words(known, count);
            char *why = text_format("the line \"// %s:\" names \"%s\"; what can stand there is %s.", key, word, all);
            free(all);
            return why;
        }
        text_list_add(list, word);
    }
    return NULL;
}

static char *read_header(struct header *header, FILE *file) {
    const char *known_types[VARIANT_TYPES];
    for (size_t t = 0; t < VARIANT_TYPES; t++)
        known_types[t] = variant_types[t].name;
    char *line = NULL, *why = NULL;
    size_t room = 0;
    while (!why && getline(&line, &room, file) > 0) {
        if (strncmp(line, "// Types: ", 10) == 0 && !header->types.count)
            why = read_words(&header->types, "Types", line + 10, known_types, COUNT(known_types));
        else if (strncmp(line, "// Backends: ", 13) == 0 && !header->backends.count)
            why = read_words(&header->backends, "Backends", line + 13, known_backends, COUNT(known_backends));
    }
    free(line);
    if (!header->types.count) {
        text_list_add(&header->types, "f32");
        text_list_add(&header->types, "f64");
    }
    return why;
}

static bool names(const struct text_list *list, const char *word) {
    return !list->count || find_word((const char *const *)list->items, list->count, word) != NULL;
}

// ---- builds ----

static void add_build(struct own_file *file, const char *backend, const char *type) {
    file->builds = grow_array(file->builds, file->build_count, sizeof *file->builds);
    file->builds[file->build_count++] = (struct own_build){.backend = backend, .type = type};
}

static void plan_builds(struct own_file *file, const struct header *header, const struct text_list *backends,
                        const struct text_list *types) {
    for (size_t b = 0; b < backends->count; b++) {
        bool cuda = strcmp(backends->items[b], "cuda") == 0;
        if (!names(&header->backends, cuda ? "cuda" : "simt") || (cuda ? !file->nvcc : !file->cxx) ||
            !own_build_possible(backends->items[b]))
            continue;
        for (size_t t = 0; t < VARIANT_TYPES; t++)
            if (names(&header->types, variant_types[t].name) && names(types, variant_types[t].name))
                add_build(file, backends->items[b], variant_types[t].name);
    }
}

static char *explain_nothing(const struct own_file *file, const struct header *header) {
    bool cuda_alone = header->backends.count == 1 && strcmp(header->backends.items[0], "cuda") == 0;
    if (cuda_alone && !file->nvcc)
        return text_format("%s is for cuda alone, and there is no nvcc: put it on the PATH, or set CUDACXX.",
                           file->path);
    if (!file->cxx)
        return text_format("there is no C++ compiler: install the package g++, or set CXX.");
    return text_format("%s: there is nothing to build for the types and backends that are asked for.", file->path);
}

// A name that breaks lines would break them in make's rules, in reports, and in the lines that are to be pasted.
static bool is_printable(const char *path) {
    while (*path && !iscntrl((unsigned char)*path))
        path++;
    return !*path;
}

char *own_file_open(struct own_file *file, const char *path, const struct text_list *flags,
                    const struct text_list *backends, const struct text_list *types) {
    struct header header = {0};
    *file = (struct own_file){.path = path};
    char fault[INPUT_FAULT];
    FILE *source = is_printable(path) ? input_file_open(path, fault) : NULL;
    char *why = source               ? read_header(&header, source)
                : is_printable(path) ? text_format("%s: %s.", path, fault)
                                     : must_copy_text("the name of a .cu file holds a control character.");
    if (source)
        fclose(source);
    for (size_t i = 0; i < flags->count; i++)
        text_list_add(&file->flags, flags->items[i]);
    if (!why)
        why = own_flags_split(&file->flags, &file->taken, &file->left);
    if (!why) {
        own_tools_find(file);
        plan_builds(file, &header, backends, types);
        if (!file->build_count)
            why = explain_nothing(file, &header);
    }
    text_list_free(&header.types);
    text_list_free(&header.backends);
    return why;
}

void own_file_free(struct own_file *file) {
    for (size_t i = 0; i < file->build_count; i++) {
        free(file->builds[i].worker);
        free(file->builds[i].failure);
    }
    free(file->builds);
    text_list_free(&file->flags);
    text_list_free(&file->taken);
    text_list_free(&file->left);
    free(file->cxx);
    free(file->nvcc);
    free(file->cxx_version);
    free(file->nvcc_version);
    *file = (struct own_file){0};
}
