// SPDX-License-Identifier: MIT
// C++ and CUDA source cut into tokens, each of which keeps its text or is given another.
#ifndef REDUCTIO_SIMT_TOKENS_H
#define REDUCTIO_SIMT_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_SPACE,     // white space, comments, spliced lines; the only kind but literals that holds line ends
    TOKEN_NAME,      // identifiers and keywords
    TOKEN_LITERAL,   // numbers, strings, raw strings, characters
    TOKEN_SIGN,      // one character of an operator or a bracket
    TOKEN_DIRECTIVE, // a preprocessor line other than #define, or all that `#if 0` hides
    TOKEN_DEFINE,    // `#define NAME(parameters)`; its body is read as code
    TOKEN_END        // of that body, empty
};

struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
    int line;
    char *replacement; // owned; NULL: the text
};

struct tokens {
    struct token *token;
    size_t count, room;
};

// False when memory is out. `source` must outlive the tokens and end with a zero byte.
bool tokens_read(struct tokens *tokens, const char *source);
void tokens_free(struct tokens *tokens);

bool token_is(const struct token *token, const char *text);
// The next or previous token that is not space; tokens->count where there is none.
size_t tokens_after(const struct tokens *tokens, size_t at);
size_t tokens_before(const struct tokens *tokens, size_t at);
// The bracket that closes the one at `at`, ( [ or {; tokens->count if it is never closed.
size_t tokens_closing(const struct tokens *tokens, size_t at);

#endif
