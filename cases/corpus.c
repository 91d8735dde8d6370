// SPDX-License-Identifier: MIT
#include "cases/corpus.h"

#include "cases/corpus_sum.h"
#include "cases/families.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *refuse_other_types(const struct case_values *self, enum float_type type, uint64_t n) {
    const struct corpus_file *file = self->data;
    return file->has_type[type] ? NULL : "this file holds numbers of another type";
}

static bool fill_corpus(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct corpus_file *file = self->data;
    if (n != self->fixed_n || !file->has_type[type]) {
        errno = EINVAL;
        return false;
    }
    uint64_t place = 0;
    for (size_t r = 0; r < file->run_count; r++)
        for (uint64_t i = 0; i < file->runs[r].count; i++)
            store_value(type, x, place++, corpus_run_value(&file->runs[r], i));
    return true;
}

const char *corpus_stated_sum(const struct case_values *values) {
    return ((const struct corpus_file *)values->data)->sum;
}

struct case_values corpus_file_values(const struct corpus_file *file) {
    return (struct case_values){
        .name = file->name,
        .what_for = file->shows,
        .source = file->source,
        .fixed_n = file->n,
        .refusal = refuse_other_types,
        .fill = fill_corpus,
        .data = file,
    };
}

static int is_corpus_name(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && dot && strcmp(dot, ".txt") == 0;
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool load_file(struct corpus *corpus, const char *directory, const char *file_name, char *message) {
    struct corpus_file *file = corpus_file_read(directory, file_name, message);
    if (!file)
        return false;
    corpus->values[corpus->count++] = corpus_file_values(file);
    return true;
}

bool corpus_load(struct corpus *corpus, const char *directory, char *message) {
    struct dirent **entries;
    *corpus = (struct corpus){0};
    int found = scandir(directory, &entries, is_corpus_name, compare_names);
    if (found < 0) {
        snprintf(message, CORPUS_MESSAGE, "%s: cannot read the corpus: %s", directory, strerror(errno));
        return false;
    }
    corpus->values = calloc((size_t)found + 1, sizeof *corpus->values);
    bool good = corpus->values;
    if (!good)
        snprintf(message, CORPUS_MESSAGE, "%s: out of memory", directory);
    for (int i = 0; i < found; i++) {
        good = good && load_file(corpus, directory, entries[i]->d_name, message);
        free(entries[i]);
    }
    free(entries);
    if (!good)
        corpus_free(corpus);
    return good;
}

void corpus_free(struct corpus *corpus) {
    for (size_t i = 0; i < corpus->count; i++)
        corpus_file_free((struct corpus_file *)corpus->values[i].data);
    free(corpus->values);
    *corpus = (struct corpus){0};
}
