// SPDX-License-Identifier: MIT
#include "harness/simt/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_name_start(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}
static bool is_name_part(char c) {
    return is_name_start(c) || isdigit((unsigned char)c);
}

static size_t splice_length(const char *at) {
    if (at[0] != '\\')
        return 0;
    return at[1] == '\n' ? 2 : at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

static size_t comment_length(const char *at) {
    if (at[0] != '/' || (at[1] != '*' && at[1] != '/'))
        return 0;
    const char *p = at + 2;
    if (at[1] == '*') {
        const char *end = strstr(p, "*/");
        return end ? (size_t)(end + 2 - at) : strlen(at);
    }
    while (*p && *p != '\n')
        p += splice_length(p) ? splice_length(p) : 1;
    return (size_t)(p - at);
}

static size_t space_length(const char *at) {
    const char *p = at;
    for (;;) {
        size_t step = splice_length(p) ? splice_length(p) : comment_length(p);
        if (step)
            p += step;
        else if (isspace((unsigned char)*p))
            p++;
        else
            return (size_t)(p - at);
    }
}

// Inside of #define, space ends with the line.
static size_t space_within_line(const char *at) {
    const char *p = at;
    for (;;) {
        size_t step = splice_length(p) ? splice_length(p) : comment_length(p);
        if (step)
            p += step;
        else if (isspace((unsigned char)*p) && *p != '\n')
            p++;
        else
            return (size_t)(p - at);
    }
}

static size_t quoted_length(const char *at) {
    const char *p = at + 1;
    while (*p && *p != *at && *p != '\n')
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return (size_t)(p - at) + (*p == *at);
}

// R"tag( ... )tag", with its prefix.
static size_t raw_string_length(const char *at) {
    static const char *const PREFIXES[] = {"R\"", "u8R\"", "uR\"", "UR\"", "LR\""};
    for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++) {
        size_t length = strlen(PREFIXES[i]);
        if (strncmp(at, PREFIXES[i], length) != 0)
            continue;
        const char *tag = at + length, *open = strchr(tag, '(');
        if (!open || open - tag > 16)
            return 0;
        for (const char *p = open + 1; (p = strchr(p, ')')); p++) {
            if (strncmp(p + 1, tag, (size_t)(open - tag)) == 0 && p[1 + (open - tag)] == '"')
                return (size_t)(p + 2 + (open - tag) - at);
        }
        return strlen(at);
    }
    return 0;
}

// A preprocessing number: digits, letters, points, digit separators, signed exponents.
static size_t number_length(const char *at) {
    if (!isdigit((unsigned char)at[0]) && !(at[0] == '.' && isdigit((unsigned char)at[1])))
        return 0;
    const char *p = at + 1;
    for (;; p++) {
        bool exponent = strchr("eEpP", p[-1]) && (*p == '+' || *p == '-');
        bool separator = *p == '\'' && isalnum((unsigned char)p[1]);
        if (!is_name_part(*p) && *p != '.' && !exponent && !separator)
            return (size_t)(p - at);
    }
}

static size_t name_length(const char *at) {
    const char *p = at;
    while (is_name_part(*p))
        p++;
    return (size_t)(p - at);
}

// To the end of the line, spliced lines and comments over several lines included.
static size_t line_length(const char *at) {
    const char *p = at;
    while (*p && *p != '\n') {
        size_t step = splice_length(p) ? splice_length(p) : comment_length(p);
        if (!step && *p == '"')
            step = quoted_length(p);
        p += step ? step : 1;
    }
    return (size_t)(p - at);
}

static const char *directive_word(const char *hash) {
    return hash + 1 + space_within_line(hash + 1);
}

static bool starts_with_word(const char *at, const char *word) {
    return strncmp(at, word, strlen(word)) == 0 && !is_name_part(at[strlen(word)]);
}

static const char *next_line(const char *at) {
    at += line_length(at);
    return *at ? at + 1 : at;
}

// A macro that nvcc's own passes define and the C++ compiler does not.
static size_t gpu_macro_length(const char *at) {
    static const char *const macros[] = {"__CUDA_ARCH__", "__CUDACC__", "__NVCC__"};
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (starts_with_word(at, macros[i]))
            return strlen(macros[i]);
    return 0;
}

// `word` is the one behind the '#'. Sure are "if 0" and, for a compiler that is not nvcc, "ifdef __CUDA_ARCH__", "if
// defined(__CUDA_ARCH__) && ..." and "if __CUDA_ARCH__ >= 700"; not what holds an "or".
static bool is_surely_false(const char *word) {
    bool ifdef = starts_with_word(word, "ifdef");
    if (!ifdef && !starts_with_word(word, "if"))
        return false;
    const char *at = word + (ifdef ? 5 : 2), *end = word + line_length(word);
    at += space_within_line(at);
    if (!ifdef && at[0] == '0' && strchr("\n\r\t /", at[1]))
        return true;
    for (const char *p = at; p + 1 < end; p++)
        if (p[0] == '|' && p[1] == '|')
            return false;
    bool defined = starts_with_word(at, "defined");
    if (defined) {
        at += strlen("defined");
        at += strspn(at, " \t(");
    }
    size_t length = gpu_macro_length(at);
    if (!length || ifdef || defined)
        return length > 0;
    at += length + strspn(at + length, " \t");
    return strchr("\n\r/>", *at) != NULL; // an unknown macro is 0
}

// From a condition that does not hold to before the directive that ends its first group.
static size_t hidden_length(const char *at) {
    const char *p = next_line(at);
    for (int depth = 1; *p; p = next_line(p)) {
        const char *hash = p + space_within_line(p);
        if (*hash != '#')
            continue;
        const char *word = directive_word(hash);
        if (strncmp(word, "if", 2) == 0)
            depth++;
        else if (starts_with_word(word, "endif"))
            depth--;
        if (depth == 0 || (depth == 1 && strncmp(word, "el", 2) == 0))
            break;
    }
    return (size_t)(p - at);
}

// `#define NAME` or `#define NAME(parameters)`: what comes after is read as code.
static size_t define_length(const char *at) {
    const char *p = directive_word(at) + strlen("define");
    p += space_within_line(p);
    p += name_length(p);
    if (*p == '(') {
        while (*p && *p != ')' && *p != '\n')
            p += splice_length(p) ? splice_length(p) : 1;
        p += *p == ')';
    }
    return (size_t)(p - at);
}

static size_t directive_length(const char *at, bool *defines) {
    const char *word = directive_word(at);
    *defines = starts_with_word(word, "define");
    if (*defines)
        return define_length(at);
    return is_surely_false(word) ? hidden_length(at) : line_length(at);
}

static bool add(struct tokens *tokens, enum token_kind kind, const char *text, size_t length, int line) {
    if (tokens->count == tokens->room) {
        size_t room = tokens->room ? 2 * tokens->room : 1024;
        struct token *grown = realloc(tokens->token, room * sizeof *grown);
        if (!grown)
            return false;
        tokens->token = grown;
        tokens->room = room;
    }
    tokens->token[tokens->count++] = (struct token){kind, text, length, line, NULL};
    return true;
}

static size_t literal_length(const char *at) {
    size_t length = raw_string_length(at);
    if (!length && (*at == '"' || *at == '\''))
        length = quoted_length(at);
    return length ? length : number_length(at);
}

static enum token_kind classify(const char *at, bool line_start, bool in_define, size_t *length, bool *defines) {
    *defines = false;
    if ((*length = in_define ? space_within_line(at) : space_length(at)))
        return TOKEN_SPACE;
    if (*at == '#' && line_start && !in_define) {
        *length = directive_length(at, defines);
        return *defines ? TOKEN_DEFINE : TOKEN_DIRECTIVE;
    }
    if ((*length = literal_length(at)))
        return TOKEN_LITERAL;
    if ((*length = name_length(at)))
        return TOKEN_NAME;
    *length = 1;
    return TOKEN_SIGN;
}

bool tokens_read(struct tokens *tokens, const char *source) {
    int line = 1;
    bool line_start = true, in_define = false, defines;
    for (const char *p = source; *p;) {
        if (in_define && *p == '\n') {
            in_define = false;
            if (!add(tokens, TOKEN_END, p, 0, line))
                return false;
        }
        size_t length;
        enum token_kind kind = classify(p, line_start, in_define, &length, &defines);
        if (!add(tokens, kind, p, length, line))
            return false;
        in_define |= defines;
        line_start = kind == TOKEN_SPACE && (line_start || memchr(p, '\n', length));
        for (size_t i = 0; i < length; i++)
            line += p[i] == '\n';
        p += length;
    }
    return true;
}

void tokens_free(struct tokens *tokens) {
    for (size_t i = 0; i < tokens->count; i++)
        free(tokens->token[i].replacement);
    free(tokens->token);
    *tokens = (struct tokens){0};
}

bool token_is(const struct token *token, const char *text) {
    return token->kind != TOKEN_LITERAL && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}

size_t tokens_after(const struct tokens *tokens, size_t at) {
    for (at++; at < tokens->count && tokens->token[at].kind == TOKEN_SPACE;)
        at++;
    return at < tokens->count ? at : tokens->count;
}

size_t tokens_before(const struct tokens *tokens, size_t at) {
    while (at-- > 0) {
        if (tokens->token[at].kind != TOKEN_SPACE)
            return at;
    }
    return tokens->count;
}

size_t tokens_closing(const struct tokens *tokens, size_t at) {
    int depth = 0;
    for (; at < tokens->count; at++) {
        if (tokens->token[at].kind != TOKEN_SIGN)
            continue;
        char c = *tokens->token[at].text;
        if (strchr("([{", c))
            depth++;
        else if (strchr(")]}", c) && --depth == 0)
            return at;
    }
    return tokens->count;
}
