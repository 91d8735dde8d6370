// SPDX-License-Identifier: MIT
// Plug-ins in the catalogue. The plug-in is loaded by a worker that is asked for its cards, never by this process.
#include "harness/catalog_parts.h"
#include "harness/environment.h"
#include "harness/plan.h"
#include "harness/support.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PLUGIN_SECONDS = 30, PSEUDO_STEM = 40 };

struct plugin {
    const char *given;   // the path as it was given
    char path[PATH_MAX]; // absolute
    const char *file;    // its last part
};

// "sums.so, 15440 bytes, FNV-1a 0x...": which binary it was that a report speaks of.
static char *describe_binary(const struct plugin *plugin) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325), bytes = 0;
    FILE *file = fopen(plugin->path, "rb");
    for (int c; file && (c = getc(file)) != EOF; bytes++)
        hash = (hash ^ (uint64_t)c) * UINT64_C(0x100000001b3);
    if (file)
        fclose(file);
    return text_format("%s, %" PRIu64 " bytes, FNV-1a 0x%016" PRIx64, plugin->file, bytes, hash);
}

// A backend whose one worker loads the plug-in; returns its index.
static int add_backend(struct catalog *catalog, const struct plugin *plugin, const char *name) {
    const struct catalog_backend *own = &catalog->backends[catalog_find_backend(catalog, name)];
    char *recorded = argument_without_folder(plugin->given);
    struct catalog_backend backend = {.name = own->name,
                                      .worker = must_copy_text(own->worker),
                                      .load = must_copy_text(plugin->path),
                                      .device = strcmp(name, "host") == 0 ? DEVICE_OPENS : DEVICE_NOT_TRIED,
                                      .max_n = own->max_n,
                                      .start_seconds = own->start_seconds,
                                      .brought = true,
                                      .given = catalog_call_by("--plugin", plugin->given),
                                      .recorded = catalog_call_by("--plugin", recorded)};
    free(recorded);
    char *binary = describe_binary(plugin);
    catalog_keep_line(&backend, "plug-in", binary);
    free(binary);
    catalog_append_backend(catalog, backend);
    return (int)catalog->backend_count - 1;
}

// A row that was never seen stands for a plug-in that could not be loaded. Its name begins as those of its rows would,
// if the file is called like the plug-in.
static void add_fault(struct catalog *catalog, const struct plugin *plugin, enum cards_answer answer,
                      const char *message) {
    struct variant_card card = {.version = PROTOCOL_VERSION, .backend = "host", .type = "f32"};
    size_t length = strcspn(plugin->file, ".");
    int stem = (int)(length < PSEUDO_STEM ? length : PSEUDO_STEM);
    snprintf(card.name, sizeof card.name, "%.*s.plugin", stem, plugin->file);
    for (char *c = card.name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.' && *c != '-')
            *c = '_';
    snprintf(card.summary, sizeof card.summary, "A plug-in that could not be loaded");
    int index = add_backend(catalog, plugin, "host");
    struct catalog_backend *backend = &catalog->backends[index];
    backend->fault = must_copy_text(message);
    backend->outcome = answer == CARDS_LATE        ? WORK_HUNG
                       : answer == CARDS_NO_DEVICE ? WORK_REFUSED
                       : answer == CARDS_LOST      ? WORK_LOST
                                                   : WORK_CRASHED;
    catalog_add_variant(catalog, &card, index);
}

// Length of the plug-in's own name in that of a row.
static size_t prefix_length(const char *name) {
    return strcspn(name, ".") + 1;
}

static bool find_namesake(const struct catalog *catalog, const struct plugin *plugin, const char *name, char *message) {
    for (size_t i = 0; i < catalog->variant_count; i++) {
        const struct catalog_variant *row = &catalog->variants[i];
        const char *load = catalog->backends[row->backend].load;
        if (!load || strcmp(row->card.backend, "exec") == 0 || strncmp(row->card.name, name, prefix_length(name)) != 0)
            continue;
        const char *slash = strrchr(load, '/');
        snprintf(message, BACKEND_MESSAGE, "%.200s and %.200s both call their rows %.*s*: rename one of them.",
                 slash ? slash + 1 : load, plugin->file, (int)prefix_length(name), name);
        return true;
    }
    return false;
}

static void add_rows(struct catalog *catalog, const struct plugin *plugin, struct variant_card *cards, size_t count) {
    int host = NO_INDEX, device = NO_INDEX;
    for (size_t i = 0; i < count; i++) {
        bool on_device = strcmp(cards[i].backend, "cuda") == 0;
        int *index = on_device ? &device : &host;
        if (*index == NO_INDEX)
            *index = add_backend(catalog, plugin, cards[i].backend);
        catalog_add_variant(catalog, &cards[i], *index);
    }
}

static bool find_file(struct plugin *plugin, char *message) {
    struct stat state;
    bool found = realpath(plugin->given, plugin->path) && stat(plugin->path, &state) == 0;
    if (found && S_ISREG(state.st_mode)) {
        plugin->file = strrchr(plugin->path, '/') + 1;
        return true;
    }
    snprintf(message, BACKEND_MESSAGE, "%s.", found ? "it is no file" : strerror(errno));
    return false;
}

bool catalog_add_plugin(struct catalog *catalog, const char *path, double seconds, char *message) {
    struct plugin plugin = {.given = path};
    struct variant_card *cards;
    size_t count;
    if (!find_file(&plugin, message))
        return false;
    char *subject = text_format("The plug-in %s", plugin.file);
    const struct worker_command worker = {catalog->backends[catalog_find_backend(catalog, "host")].worker, plugin.path,
                                          subject};
    enum cards_answer answer = cards_load(&worker, seconds > 0 ? seconds : PLUGIN_SECONDS, &cards, &count, message);
    if (answer == CARDS_FINE && !count) {
        answer = CARDS_FAILED;
        snprintf(message, BACKEND_MESSAGE, "%.400s ended the process that loaded it.", subject);
    }
    free(subject);
    bool clashes = answer == CARDS_FINE && find_namesake(catalog, &plugin, cards[0].name, message);
    if (answer != CARDS_FINE)
        add_fault(catalog, &plugin, answer, message);
    else if (!clashes)
        add_rows(catalog, &plugin, cards, count);
    free(cards);
    return !clashes;
}

const struct catalog_backend *catalog_fault(const struct catalog *catalog, size_t variant) {
    const struct catalog_backend *backend = &catalog->backends[catalog->variants[variant].backend];
    return backend->fault ? backend : NULL;
}
