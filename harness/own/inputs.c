// SPDX-License-Identifier: MIT
#include "harness/own/inputs.h"

#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The character of a path that starts at *at, as it is on disk. g++ and clang write "$" as "$$", "#" as "\#" and a
// blank as "\ ", with the backslashes in front of a blank doubled; nvcc escapes blanks alone. False at the path's end.
static bool take_character(const char **at, char **to) {
    size_t slashes = strspn(*at, "\\"), kept = slashes;
    const char *next = *at + slashes;
    bool blank = *next && strchr(" \t", *next), ends = !*next || *next == '\n' || (blank && slashes % 2 == 0);
    if (blank)
        kept = slashes / 2;
    else if (slashes && (*next == '\n' || *next == '#'))
        kept = slashes - 1;
    memset(*to, '\\', kept);
    *to += kept;
    *at = next;
    if (ends)
        return false;
    *at += *next == '$' && next[1] == '$' ? 2 : 1;
    *(*to)++ = *next;
    return true;
}

// Behind "target:" or nvcc's "target :"; a colon within the target's path is followed by something else.
static const char *skip_target(const char *text) {
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':'))
        if (colon[1] == ' ' || colon[1] == '\n')
            return colon + 1;
    return text + strlen(text);
}

// The paths of a rule "target: a b \ c" for make.
static void parse_rule(const char *text, struct text_list *paths) {
    char *path = must_calloc(strlen(text) + 1, 1);
    for (const char *at = skip_target(text); *at;) {
        char *to = path;
        while (take_character(&at, &to))
            continue;
        *to = '\0';
        if (to > path)
            text_list_add(paths, path);
        at += strspn(at, " \t\n");
    }
    free(path);
}

static bool lies_in(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
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
        if (!lies_in(paths.items[i], scratch) && !lies_in(paths.items[i], kit) && strcmp(paths.items[i], path) != 0)
            text_list_add(inputs, paths.items[i]);
    free(rule);
    text_list_free(&paths);
}

const char *own_find_edited(const struct text_list *inputs, const struct timespec *started) {
    struct stat state;
    for (size_t i = 0; i < inputs->count; i++) {
        if (stat(inputs->items[i], &state) != 0)
            continue; // own_cache_keep refuses it, and says why
        const struct timespec *edited = &state.st_mtim;
        if (edited->tv_sec > started->tv_sec ||
            (edited->tv_sec == started->tv_sec && edited->tv_nsec > started->tv_nsec))
            return inputs->items[i];
    }
    return NULL;
}
