// SPDX-License-Identifier: MIT
// The worker's side of plug-ins: loads one, holds what it says of itself against reductio_plugin.h, and makes variants
// of its rows. Whatever a plug-in does while it is loaded happens in this process, which the runner watches.
#include "harness/reductio_plugin.h"
#include "harness/variant_type.h"
#include "harness/worker/worker.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4096 };

struct loading {
    const char *path, *file; // the file is the path's last part
    char *message;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct loading *loading, const char *format, ...) {
    int length = snprintf(loading->message, BACKEND_MESSAGE, "The plug-in %.200s ", loading->file);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(loading->message + length, (size_t)(BACKEND_MESSAGE - length), format, arguments);
    va_end(arguments);
    return false;
}

// What dlopen says begins with the path, which belongs to this machine and to no report.
static bool refuse_with_reason(const struct loading *loading, const char *reason) {
    size_t length = strlen(loading->path);
    if (strncmp(reason, loading->path, length) == 0 && reason[length] == ':')
        reason += length + 1 + strspn(reason + length + 1, " ");
    return refuse(loading, "cannot be loaded: %s.", reason);
}

// A name that cells, globs and file names can carry.
static bool name_is_plain(const char *name) {
    size_t length = name ? strlen(name) : 0;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '-')
            return false;
    return length > 0;
}

static bool check_sizes(const struct loading *loading, const struct reductio_plugin *plugin) {
    const struct {
        const char *what;
        size_t said, wanted;
    } sizes[] = {{"struct reductio_plugin", plugin->plugin_size, sizeof(struct reductio_plugin)},
                 {"struct reductio_plugin_row", plugin->row_size, sizeof(struct reductio_plugin_row)},
                 {"struct reductio_claims", plugin->claims_size, sizeof(struct reductio_claims)}};
    if (plugin->version != REDUCTIO_PLUGIN_VERSION)
        return refuse(loading, "is of version %u of the interface; this program speaks version %u.", plugin->version,
                      REDUCTIO_PLUGIN_VERSION);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].said != sizes[i].wanted)
            return refuse(loading, "was compiled with a %s of %zu bytes; here it has %zu.", sizes[i].what,
                          sizes[i].said, sizes[i].wanted);
    return true;
}

static bool check_row(const struct loading *loading, const struct reductio_plugin *plugin, size_t index) {
    const struct reductio_plugin_row *row = &plugin->rows[index];
    struct worker_type type;
    if (!name_is_plain(row->name) || strlen(plugin->name) + 1 + strlen(row->name) >= CARD_NAME)
        return refuse(loading,
                      "has a row number %zu without a name of letters, digits, '_' and '-' that, with its own "
                      "name before it, is shorter than %d bytes.",
                      index, CARD_NAME);
    if (!row->type || !worker_type_parse(row->type, &type))
        return refuse(loading, "gives its row \"%s\" the type \"%.20s\"; the types are " VARIANT_TYPE_NAMES ".",
                      row->name, row->type ? row->type : "");
    if (!row->launch)
        return refuse(loading, "gives its row \"%s\" no function to launch.", row->name);
    if (row->memory != REDUCTIO_HOST_MEMORY && row->memory != REDUCTIO_DEVICE_MEMORY)
        return refuse(loading, "gives its row \"%s\" the unknown memory %u.", row->name, row->memory);
    for (size_t i = 0; i < index; i++)
        if (strcmp(plugin->rows[i].name, row->name) == 0 && strcmp(plugin->rows[i].type, row->type) == 0 &&
            plugin->rows[i].memory == row->memory)
            return refuse(loading, "has two rows \"%s\" of type %s.", row->name, row->type);
    return true;
}

static bool check_plugin(const struct loading *loading, const struct reductio_plugin *plugin) {
    if (!plugin)
        return refuse(loading, "gives NULL from " REDUCTIO_PLUGIN_SYMBOL "().");
    if (!check_sizes(loading, plugin))
        return false;
    if (!name_is_plain(plugin->name))
        return refuse(loading, "has no name of letters, digits, '_' and '-'.");
    if (!plugin->rows || plugin->row_count < 1 || plugin->row_count > MOST_ROWS)
        return refuse(loading, "holds %zu rows; 1 to %d are possible.", plugin->rows ? plugin->row_count : 0,
                      MOST_ROWS);
    for (size_t i = 0; i < plugin->row_count; i++)
        if (!check_row(loading, plugin, i))
            return false;
    return true;
}

static const struct reductio_plugin *load(const struct loading *loading) {
    void *library = dlopen(loading->path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        refuse_with_reason(loading, dlerror());
        return NULL;
    }
    void *symbol = dlsym(library, REDUCTIO_PLUGIN_SYMBOL);
    if (!symbol) {
        refuse(loading, "has no function " REDUCTIO_PLUGIN_SYMBOL "; REDUCTIO_PLUGIN of reductio_plugin.h writes it.");
        return NULL;
    }
    const struct reductio_plugin *(*describe)(void);
    memcpy(&describe, &symbol, sizeof describe); // ISO C has no cast from an object's address to a function's
    const struct reductio_plugin *plugin = describe();
    return check_plugin(loading, plugin) ? plugin : NULL;
}

static const char *backend_of(const struct reductio_plugin_row *row) {
    return row->memory == REDUCTIO_DEVICE_MEMORY ? "cuda" : "host";
}

static bool make_variant(const struct reductio_plugin *plugin, const struct reductio_plugin_row *row,
                         struct reductio_variant *variant) {
    char *name;
    if (asprintf(&name, "%s.%s", plugin->name, row->name) < 0)
        return false;
    *variant = (struct reductio_variant){.name = name,
                                         .type = row->type,
                                         .backend = backend_of(row),
                                         .launch = row->launch,
                                         .summary = row->summary ? row->summary : "A row of a plug-in",
                                         .workspace_bytes = row->workspace_bytes,
                                         .max_n = row->max_n,
                                         .claims = row->claims};
    memcpy(variant->shapes, row->shapes, sizeof variant->shapes);
    return true;
}

const struct reductio_variant *const *plugin_variants(const struct worker_errand *errand, const char *own_backend,
                                                      char *message) {
    const char *path = errand->load, *slash = strrchr(path, '/');
    const struct loading loading = {.path = path, .file = slash ? slash + 1 : path, .message = message};
    const struct reductio_plugin *plugin = load(&loading);
    if (!plugin)
        return NULL;
    struct reductio_variant *variants = calloc(plugin->row_count, sizeof *variants);
    const struct reductio_variant **list = calloc(plugin->row_count + 1, sizeof *list);
    size_t count = 0;
    bool good = variants && list;
    for (size_t i = 0; good && i < plugin->row_count; i++) {
        if (errand->variant && strcmp(backend_of(&plugin->rows[i]), own_backend) != 0)
            continue;
        good = make_variant(plugin, &plugin->rows[i], &variants[count]);
        list[count] = &variants[count];
        count++;
    }
    if (good)
        return list;
    refuse(&loading, "holds more rows than there is memory for.");
    return NULL;
}
