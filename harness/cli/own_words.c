// SPDX-License-Identifier: MIT
#include "harness/cli/own_words.h"

#include "harness/support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool is_in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

bool holds_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; length && (at = strstr(at, word)); at += length)
        if ((at == text || !is_in_word(at[-1])) && !is_in_word(at[length]))
            return true;
    return false;
}

char *join_texts(char *text, char *more) {
    char *both = text_format("%s%s", text, more);
    free(text);
    free(more);
    return both;
}

char *next_item(const char **at) {
    size_t length = 0;
    while (isspace((unsigned char)**at))
        ++*at;
    if (!**at || strchr(")>", **at))
        return NULL;
    for (int depth = 0; (*at)[length] && (depth > 0 || !strchr(",)>", (*at)[length])); length++)
        depth += (strchr("(<", (*at)[length]) != NULL) - (strchr(")>", (*at)[length]) != NULL);
    char *item = text_format("%.*s", (int)length, *at);
    *at += length + ((*at)[length] == ',');
    return item;
}

char *name_of(const char *parameter) {
    size_t end = strcspn(parameter, "=");
    while (end && !is_in_word(parameter[end - 1]))
        end--;
    size_t start = end;
    while (start && is_in_word(parameter[start - 1]))
        start--;
    return text_format("%.*s", (int)(end - start), parameter + start);
}
