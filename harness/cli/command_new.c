// SPDX-License-Identifier: MIT
// new: a file of the user's own to start from.
#include "harness/cli/commands.h"
#include "harness/cli/own_template.h"
#include "harness/protocol.h"
#include "harness/support.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACEHOLDER "@NAME@"

// What is wrong with the name, or NULL.
static const char *find_fault(const char *name) {
    bool good = isalpha((unsigned char)*name);
    for (const char *at = name; *at && good; at++)
        good = isalnum((unsigned char)*at) || *at == '_';
    if (!good)
        return "a name is made of letters, digits and '_' and starts with a letter";
    if (strlen(name) >= CARD_NAME)
        return "a name is at most 63 letters long";
    return NULL;
}

static bool is_taken(const char *name) {
    struct catalog catalog;
    bool taken = false;
    catalog_load(&catalog, 0);
    for (size_t v = 0; v < catalog.variant_count; v++)
        taken |= strcmp(catalog.variants[v].card.name, name) == 0;
    catalog_free(&catalog);
    return taken;
}

static bool write_template(FILE *out, const char *name) {
    const char *at = own_template_cu_in;
    for (const char *next; (next = strstr(at, PLACEHOLDER)); at = next + strlen(PLACEHOLDER))
        if (fprintf(out, "%.*s%s", (int)(next - at), at, name) < 0)
            return false;
    return fputs(at, out) >= 0;
}

static int write_new(const char *name) {
    char *path = text_format("%s.cu", name);
    FILE *out = fopen(path, "wx"); // x: an existing file is somebody's work
    bool good = out && write_template(out, name);
    if (out)
        good = fclose(out) == 0 && good;
    if (good)
        printf("%s is written. Next: reductio check %s\n", path, path);
    else
        say_error("%s: %s.", path, strerror(errno));
    if (out && !good)
        remove(path);
    free(path);
    return good ? EXIT_FINE : EXIT_USAGE;
}

int command_new(const struct command_line *line) {
    if (line->options->word_count != 1) {
        say_error("new wants one name: reductio new mine writes mine.cu.");
        return EXIT_USAGE;
    }
    const char *name = line->options->words[0], *fault = find_fault(name);
    if (!fault && is_taken(name))
        fault = "a row of Reductio's own has that name";
    if (!fault)
        return write_new(name);
    say_error("new %s: %s.", name, fault);
    return EXIT_USAGE;
}
