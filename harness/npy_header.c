// SPDX-License-Identifier: MIT
#include "harness/npy_header.h"

#include "text/foreign_text.h"

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORD_BYTES = 64 };

// A type's name in a hostile header must not act on a terminal.
bool npy_say(char *message, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, NPY_MESSAGE, format, arguments);
    va_end(arguments);
    text_clean(message, strlen(message));
    return false;
}

static void skip_blanks(const char **at) {
    *at += strspn(*at, " \t\n\r");
}

static bool take(const char **at, char wanted) {
    skip_blanks(at);
    if (**at != wanted)
        return false;
    ++*at;
    return true;
}

// A string in either kind of quotes, without escapes.
static bool take_string(const char **at, char word[WORD_BYTES]) {
    skip_blanks(at);
    char quote = **at;
    if (quote != '\'' && quote != '"')
        return false;
    const char *start = *at + 1, *end = strchr(start, quote);
    if (!end || end - start >= WORD_BYTES || memchr(start, '\\', (size_t)(end - start)))
        return false;
    memcpy(word, start, (size_t)(end - start));
    word[end - start] = '\0';
    *at = end + 1;
    return true;
}

static bool take_word(const char **at, const char *word) {
    skip_blanks(at);
    if (strncmp(*at, word, strlen(word)) != 0)
        return false;
    *at += strlen(word);
    return true;
}

static bool take_length(const char **at, uint64_t *value) {
    skip_blanks(at);
    if (**at < '0' || **at > '9')
        return false;
    for (*value = 0; **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, (uint64_t)(**at - '0'), value))
            return false;
    if (**at == 'L') // as Python 2 wrote them
        ++*at;
    return true;
}

static bool take_shape(struct npy_header *header, const char **at) {
    if (!take(at, '('))
        return false;
    bool comma = true;
    while (!take(at, ')')) {
        if (!comma || header->dimensions == NPY_MOST_DIMENSIONS || !take_length(at, &header->shape[header->dimensions]))
            return false;
        header->dimensions++;
        comma = take(at, ',');
    }
    return header->dimensions != 1 || comma; // "(3)" is a number, not a shape
}

const char *npy_type_code(enum float_type type) {
    static const char *const codes[FLOAT_TYPES] = {"f4", "f8", "f2", "V2"};
    return codes[type];
}

static bool parse_type(struct npy_header *header, const char *descr, char *message) {
    static const char own = BYTE_ORDER == LITTLE_ENDIAN ? '<' : '>';
    char order = descr[0];
    bool known_order = order == '<' || order == '>' || order == '=';
    for (enum float_type type = FLOAT_F32; type < FLOAT_TYPES; type++)
        if ((known_order && strcmp(descr + 1, npy_type_code(type)) == 0) ||
            (order == '|' && type == FLOAT_BF16 && strcmp(descr + 1, npy_type_code(type)) == 0)) {
            header->type = type;
            header->swapped = order != '=' && order != '|' && order != own;
            return true;
        }
    return npy_say(message, "its numbers are \"%.20s\", not " FLOAT_TYPE_NAMES, descr);
}

static bool parse_item(struct npy_header *header, const char **at, bool have[3], char *message) {
    static const char *const keys[3] = {"descr", "fortran_order", "shape"};
    char key[WORD_BYTES], descr[WORD_BYTES];
    int which = 0;
    if (!take_string(at, key) || !take(at, ':'))
        return npy_say(message, "its header is no dictionary");
    while (which < 3 && strcmp(keys[which], key) != 0)
        which++;
    if (which == 3 || have[which])
        return npy_say(message, "its header has %s key", which == 3 ? "an unknown" : "twice the same");
    have[which] = true;
    if (which == 0) {
        skip_blanks(at);
        if (**at == '[')
            return npy_say(message, "its elements are records, not numbers");
        return take_string(at, descr) ? parse_type(header, descr, message)
                                      : npy_say(message, "its header names no type");
    }
    if (which == 1) {
        header->fortran_order = take_word(at, "True");
        return header->fortran_order || take_word(at, "False") ||
               npy_say(message, "its header says neither True nor False for fortran_order");
    }
    return take_shape(header, at) || npy_say(message, "its shape cannot be read");
}

bool npy_header_parse(struct npy_header *header, const char *text, char *message) {
    bool have[3] = {false};
    *header = (struct npy_header){0};
    if (!take(&text, '{'))
        return npy_say(message, "its header is no dictionary");
    bool comma = true;
    while (!take(&text, '}')) {
        if (!comma)
            return npy_say(message, "its header is no dictionary");
        if (!parse_item(header, &text, have, message))
            return false;
        comma = take(&text, ',');
    }
    skip_blanks(&text);
    if (*text)
        return npy_say(message, "something follows its header's dictionary");
    if (!have[0] || !have[1] || !have[2])
        return npy_say(message, "its header lacks descr, fortran_order or shape");
    return true;
}
