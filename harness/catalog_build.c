// SPDX-License-Identifier: MIT
// Workers built from the user's own source in the catalogue.
#include "harness/catalog_parts.h"
#include "harness/plan.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *arguments_of(const struct catalog *catalog, size_t variant) {
    const char *arguments = catalog->backends[catalog->variants[variant].backend].given.arguments;
    return arguments ? arguments : "";
}

bool catalog_names_are_free(const struct catalog *catalog, size_t first, char *message) {
    for (size_t i = first; i < catalog->variant_count; i++)
        for (size_t v = 0; v < first; v++) {
            const char *name = catalog->variants[i].card.name, *elsewhere = arguments_of(catalog, v);
            if (strcmp(name, catalog->variants[v].card.name) != 0 || strcmp(elsewhere, arguments_of(catalog, i)) == 0)
                continue;
            snprintf(message, BACKEND_MESSAGE, "the name \"%s\" is taken by a row of %s: choose another.", name,
                     *elsewhere ? elsewhere : "Reductio's own");
            return false;
        }
    return true;
}

// "compiler of mine.cu": what the file was compiled with.
static void tell_compiler(struct catalog_backend *backend, const struct catalog_build *build) {
    const struct text_pair told[] = {{"compiler", (char *)build->compiler}, {"flags", (char *)build->flags}};
    for (size_t i = 0; i < 2; i++) {
        char *key = text_format("%s of %s", told[i].key, build->source);
        catalog_keep_line(backend, key, told[i].value);
        free(key);
    }
}

// Two files of one name in different folders.
static bool rows_are_new(const struct catalog *catalog, size_t first, char *message) {
    for (size_t i = first; i < catalog->variant_count; i++) {
        const struct variant_card *card = &catalog->variants[i].card;
        if (catalog_find_variant(catalog, card->name, card->backend, card->type) == (int)i)
            continue;
        snprintf(message, BACKEND_MESSAGE, "there are two rows %s@%s/%s.", card->name, card->backend, card->type);
        return false;
    }
    return true;
}

bool catalog_add_build(struct catalog *catalog, const struct catalog_build *build, char *message) {
    size_t first = catalog->variant_count;
    int like = catalog_find_backend(catalog, build->backend);
    if (like == NO_INDEX)
        harness_failed("there is no backend %s to build for.", build->backend);
    const struct catalog_backend *kind = &catalog->backends[like];
    struct catalog_backend brought = {.name = kind->name,
                                      .worker = must_copy_text(build->worker),
                                      .max_n = kind->max_n,
                                      .hazard = kind->hazard,
                                      .start_seconds = kind->start_seconds,
                                      .brought = true,
                                      .file = build->file,
                                      .given = catalog_copy_call(build->given),
                                      .recorded = catalog_copy_call(build->recorded)};
    tell_compiler(&brought, build);
    const struct catalog_backend *backend = catalog_append_backend(catalog, brought);
    if (!catalog_load_rows(catalog, (int)catalog->backend_count - 1)) {
        snprintf(message, BACKEND_MESSAGE, "%.*s", BACKEND_MESSAGE - 1, backend->absent);
        return false;
    }
    return catalog_names_are_free(catalog, first, message) && rows_are_new(catalog, first, message);
}
