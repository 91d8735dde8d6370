// SPDX-License-Identifier: MIT
#include "harness/cli/given_option.h"

#include "harness/support.h"
#include "reports/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_npy(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".npy") == 0;
}

int load_given(struct given_array *given, const char *path, const struct options *options) {
    const struct text_list *types = &options->selection.types;
    enum float_type type, out;
    char message[NPY_MESSAGE];
    bool raw = types->count && !is_npy(path);
    if (raw && types->count != 1) {
        say_error("%s: the numbers of a raw file are of one --type.", path);
        return EXIT_USAGE;
    }
    if (raw && !variant_type_parse(types->items[0], &type, &out)) {
        say_error("--type %s: the numbers of a raw file are one of " FLOAT_TYPE_NAMES ".", types->items[0]);
        return EXIT_USAGE;
    }
    if (given_load(given, path, raw ? &type : NULL, message))
        return EXIT_FINE;
    say_error("%s", message);
    return EXIT_USAGE;
}

int load_array(struct given_array *given, const char *path, const struct options *options) {
    if (!options->selection.types.count || !is_npy(path))
        return load_given(given, path, options);
    say_error("--type is for files of plain numbers: %s says its own.", path);
    return EXIT_USAGE;
}

struct dump {
    const struct dataset_key *key;
    const void *x;
};

static bool write_dump(const void *what, FILE *out, char *message) {
    const struct dump *dump = what;
    bool good = npy_write(out, dump->key->type, dump->x, dump->key->n);
    if (!good)
        snprintf(message, REPORT_MESSAGE, "the data could not be written.");
    return good;
}

int dump_cell(const struct plan *plan, const struct options *options) {
    char message[REPORT_MESSAGE] = "";
    if (!options->dump)
        return EXIT_FINE;
    const struct dataset_key *key = NULL;
    for (size_t i = 0; i < plan->cell_count; i++) // a cell stands behind the one that it is compared with
        if (plan->cells[i].dataset != NO_INDEX)
            key = &plan->datasets[plan->cells[i].dataset];
    const struct text_list *cells = &options->selection.cells;
    if (cells->count != 1 || is_glob(cells->items[0]) || !key) {
        say_error("--dump wants one --cell, and one that has data.");
        return EXIT_USAGE;
    }
    void *x = must_calloc(key->n, float_format(key->type)->size);
    if (!dataset_fill(key, options->selection.seed, x))
        harness_failed("no memory to make a dataset of %llu elements.", (unsigned long long)key->n);
    bool written = save_whole(options->dump, write_dump, &(struct dump){key, x}, message);
    free(x);
    if (!written)
        say_error("%s", message);
    return written ? EXIT_FINE : EXIT_USAGE;
}
