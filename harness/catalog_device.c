// SPDX-License-Identifier: MIT
// Opening the devices of the catalogue's backends, each when it is first asked for.
#include "harness/catalog_parts.h"

#include "harness/plan.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned catalog_backend_number(const struct catalog_backend *backend, const char *key) {
    for (size_t i = 0; i < backend->environment_count; i++)
        if (strcmp(backend->environment[i].key, key) == 0)
            return (unsigned)strtoul(backend->environment[i].value, NULL, 10);
    return 0;
}

void catalog_keep_line(struct catalog_backend *backend, const char *key, const char *value) {
    backend->environment = grow_array(backend->environment, backend->environment_count, sizeof *backend->environment);
    backend->environment[backend->environment_count++] = (struct text_pair){must_copy_text(key), must_copy_text(value)};
}

static bool is_of_compiler(const char *key) {
    return strcmp(key, "compiler") == 0 || strcmp(key, "flags") == 0;
}

// Of the machine, then, and not of what our own worker was built with.
static bool is_of_machine(const char *key) {
    return !is_of_compiler(key) && strcmp(key, "cuda") != 0 && strcmp(key, "cccl") != 0;
}

// A worker knows what its libraries were compiled with, not what the user's file was.
void catalog_keep_environment(struct catalog_backend *backend, struct environment_line *lines, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!backend->file || !is_of_compiler(lines[i].key))
            catalog_keep_line(backend, lines[i].key, lines[i].value);
    environment_free(lines, count);
}

static void ask_worker(const struct catalog *catalog, struct catalog_backend *backend) {
    struct environment_line *lines;
    size_t count;
    char message[BACKEND_MESSAGE];
    const struct worker_command worker = {.path = backend->worker};
    bool opens =
        environment_load(&worker, (int)catalog->device, backend->start_seconds, &lines, &count, message) == CARDS_FINE;
    backend->device = opens ? DEVICE_OPENS : DEVICE_ABSENT;
    if (opens)
        catalog_keep_environment(backend, lines, count);
    else
        backend->absent = must_copy_text(message);
}

// ---- files ----

// All builds of a file for one backend are of one compiler, and so the first that is asked speaks for the others.
static const struct catalog_backend *find_sibling(const struct catalog *catalog, const struct catalog_backend *build) {
    for (size_t b = 0; b < catalog->backend_count; b++) {
        const struct catalog_backend *other = &catalog->backends[b];
        if (other->file && strcmp(other->file, build->file) == 0 && strcmp(other->name, build->name) == 0 &&
            other->device != DEVICE_NOT_TRIED)
            return other;
    }
    return NULL;
}

static void copy_device(struct catalog_backend *build, const struct catalog_backend *sibling) {
    build->device = sibling->device;
    build->absent = must_copy_text(sibling->absent);
    build->fault = must_copy_text(sibling->fault);
    build->outcome = sibling->outcome;
    for (size_t i = build->environment_count; i < sibling->environment_count; i++) // before them, both tell of the file
        catalog_keep_line(build, sibling->environment[i].key, sibling->environment[i].value);
}

// What the user's compiler made may ask for another driver than ours: that is no machine without a device.
static void blame_build(struct catalog_backend *build) {
    build->fault = text_format("No device opens for what was built of it, though one does for Reductio's own rows: %s",
                               build->absent);
    build->outcome = WORK_REFUSED;
    build->device = DEVICE_OPENS;
    free(build->absent);
    build->absent = NULL;
}

static void open_build(struct catalog *catalog, struct catalog_backend *build, int own) {
    const struct catalog_backend *sibling = find_sibling(catalog, build);
    if (sibling) {
        copy_device(build, sibling);
        return;
    }
    ask_worker(catalog, build);
    if (build->device == DEVICE_ABSENT && catalog_is_present(catalog, own))
        blame_build(build);
}

// ---- plug-ins ----

// Our own worker loads the plug-in, so that what is true of the one is true of the other.
static void open_for_plugin(struct catalog *catalog, int index, int own) {
    struct catalog_backend *plugin = &catalog->backends[index];
    const struct catalog_backend *device = &catalog->backends[own];
    bool opens = catalog_is_present(catalog, own);
    plugin->device = DEVICE_OPENS;
    for (size_t i = 0; opens && i < device->environment_count; i++)
        if (is_of_machine(device->environment[i].key))
            catalog_keep_line(plugin, device->environment[i].key, device->environment[i].value);
    for (size_t v = 0; !opens && v < catalog->variant_count; v++) {
        struct variant_card *card = &catalog->variants[v].card;
        if (catalog->variants[v].backend == index)
            snprintf(card->absent, sizeof card->absent,
                     "it wants device memory, and the backend cuda is absent: %.400s", device->absent);
    }
}

bool catalog_is_present(struct catalog *catalog, int index) {
    struct catalog_backend *backend = &catalog->backends[index];
    int own = catalog_find_backend(catalog, backend->name);
    if (backend->device == DEVICE_NOT_TRIED) {
        if (backend->load)
            open_for_plugin(catalog, index, own);
        else if (backend->file)
            open_build(catalog, backend, own);
        else
            ask_worker(catalog, backend);
        unsigned devices = catalog_backend_number(backend, "devices"); // which only a backend of GPUs has
        catalog->devices = devices > catalog->devices ? devices : catalog->devices;
    }
    return backend->device == DEVICE_OPENS;
}
