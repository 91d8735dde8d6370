// SPDX-License-Identifier: MIT
#include "harness/own_inputs.h"

#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The paths of a rule "target: a b \ c" for make, in which a blank within a path is "\ ".
static void parse_rule(char *text, struct text_list *paths) {
    char *at = strchr(text, ':');
    for (at = at ? at + 1 : text + strlen(text); *at;) {
        char *path = at, *to = at;
        for (; *at && !strchr(" \n", *at); at++) {
            bool escaped = *at == '\\' && (at[1] == ' ' || at[1] == '\n');
            if (escaped && at[1] == '\n')
                break;
            at += escaped;
            *to++ = *at;
        }
        while (*at && strchr(" \\\n", *at))
            at++;
        if (to > path) {
            char *copy = text_format("%.*s", (int)(to - path), path);
            text_list_add(paths, copy);
            free(copy);
        }
    }
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static char *read_note(const char *scratch, const char *name) {
    char *path = text_format("%s/%s", scratch, name), *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = must_copy_text("");
    }
    if (file)
        fclose(file);
    free(path);
    return text;
}

// The translator's list, a path a line: the compiler saw only what became of these.
static void add_translated_headers(struct text_list *inputs, const char *scratch) {
    char *text = read_note(scratch, "headers/list"), *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        text_list_add(inputs, line);
    free(text);
}

void own_list_inputs(struct text_list *inputs, const char *scratch, const char *kit, const char *path) {
    struct text_list paths = {0};
    char *rule = read_note(scratch, "inputs.d");
    parse_rule(rule, &paths);
    text_list_add(inputs, path);
    add_translated_headers(inputs, scratch);
    for (size_t i = 0; i < paths.count; i++)
        if (!starts_with(paths.items[i], scratch) && !starts_with(paths.items[i], kit) &&
            strcmp(paths.items[i], path) != 0)
            text_list_add(inputs, paths.items[i]);
    free(rule);
    text_list_free(&paths);
}

const char *own_find_edited(const struct text_list *inputs, const struct timespec *started) {
    struct stat state;
    for (size_t i = 0; i < inputs->count; i++) {
        if (stat(inputs->items[i], &state) != 0)
            continue;
        const struct timespec *edited = &state.st_mtim;
        if (edited->tv_sec > started->tv_sec ||
            (edited->tv_sec == started->tv_sec && edited->tv_nsec > started->tv_nsec))
            return inputs->items[i];
    }
    return NULL;
}
