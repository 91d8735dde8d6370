// SPDX-License-Identifier: MIT
// Shared memory. For each declarator of a declaration in a function,
//     __shared__ T a[N][M];          becomes  typedef T simt_type_1[N][M]; struct simt_site_1;
//                                             auto &a = ::simt::shared<simt_type_1, simt_site_1>("a");
//     extern __shared__ T b[];       becomes  typedef T simt_type_2[];
//                                             auto &b = ::simt::dynamic_shared<simt_type_2>();
// A struct local to a function template is another type in each instantiation, so each has memory of its own. Outside
// of functions there is no running block to refer to: there, each later use of the name becomes the expression.
#include "harness/simt/translate.h"

#include <stdlib.h>
#include <string.h>

struct declaration {
    size_t first, end; // tokens; end: its semicolon
    size_t specifiers; // one past the last of those that all declarators share
    bool dynamic, in_function;
};

static bool is_sign(const struct tokens *tokens, size_t at, char sign) {
    return at < tokens->count && tokens->token[at].kind == TOKEN_SIGN && *tokens->token[at].text == sign;
}

static bool is_dropped(const struct token *token) {
    return token_is(token, "__shared__") || token_is(token, "extern") || token_is(token, "static");
}

// A declaration starts after the statement or label before it.
static size_t find_start(const struct tokens *tokens, size_t at) {
    size_t first = at;
    for (size_t i = tokens_before(tokens, at); i < tokens->count; i = tokens_before(tokens, i)) {
        const struct token *token = &tokens->token[i];
        bool scope = is_sign(tokens, i, ':') && i > 0 && (is_sign(tokens, i - 1, ':') || is_sign(tokens, i + 1, ':'));
        if (token->kind >= TOKEN_DIRECTIVE || is_sign(tokens, i, ';') || is_sign(tokens, i, '{') ||
            is_sign(tokens, i, '}') || (is_sign(tokens, i, ':') && !scope))
            break;
        first = i;
    }
    return first;
}

static bool takes_arguments(const struct token *token) {
    return token_is(token, "alignas") || token_is(token, "__align__") || token_is(token, "__attribute__") ||
           token_is(token, "decltype");
}

// Past a bracketed group or one token.
static size_t step(const struct tokens *tokens, size_t at) {
    if (is_sign(tokens, at, '(') || is_sign(tokens, at, '[') || is_sign(tokens, at, '{')) {
        size_t closing = tokens_closing(tokens, at);
        return closing < tokens->count ? closing + 1 : tokens->count;
    }
    return at + 1;
}

// The token where a declarator's name ends: the first [ , or ; outside of template arguments.
static size_t find_name_end(struct translation *translation, size_t at, size_t end) {
    const struct tokens *tokens = &translation->tokens;
    int angles = 0;
    for (; at < end; at = step(tokens, at)) {
        const struct token *token = &tokens->token[at];
        if (token->kind == TOKEN_NAME && takes_arguments(token)) {
            size_t open = tokens_after(tokens, at);
            if (is_sign(tokens, open, '('))
                at = tokens_closing(tokens, open);
        } else if (is_sign(tokens, at, '<')) {
            angles++;
        } else if (is_sign(tokens, at, '>')) {
            angles--;
        } else if (angles == 0 && (is_sign(tokens, at, '[') || is_sign(tokens, at, ','))) {
            return at;
        } else if (angles == 0 && (is_sign(tokens, at, '=') || is_sign(tokens, at, '{'))) {
            refuse(translation, token, "simt has no initialisers of __shared__ variables, nor has CUDA");
            return end;
        } else if (angles == 0 && is_sign(tokens, at, '(')) {
            refuse(translation, token, "simt does not understand this __shared__ declaration");
            return end;
        }
    }
    return end;
}

static void add_specifiers(struct text *text, const struct tokens *tokens, const struct declaration *declaration) {
    for (size_t i = declaration->first; i < declaration->specifiers; i++) {
        const struct token *token = &tokens->token[i];
        if (token->kind == TOKEN_NAME && token_is(token, "alignas")) {
            size_t open = tokens_after(tokens, i), closing = tokens_closing(tokens, open);
            text_print(text, "__attribute__((aligned");
            text_add_tokens(text, tokens, open, closing + 1);
            text_print(text, "))");
            i = closing;
        } else if (!is_dropped(token)) {
            text_add_tokens(text, tokens, i, i + 1);
        }
    }
}

static size_t find_declarator_end(const struct tokens *tokens, size_t at, size_t end) {
    while (at < end && !is_sign(tokens, at, ','))
        at = step(tokens, at);
    return at < end ? at : end;
}

// Later uses of a name declared outside of functions.
static void replace_uses(struct translation *translation, size_t name, size_t from, const char *expression) {
    struct tokens *tokens = &translation->tokens;
    for (size_t i = from; i < tokens->count; i++) {
        const struct token *token = &tokens->token[i];
        if (token->kind != TOKEN_NAME || token->length != tokens->token[name].length ||
            memcmp(token->text, tokens->token[name].text, token->length) != 0)
            continue;
        size_t before = tokens_before(tokens, i);
        if (!is_sign(tokens, before, '.') && !(is_sign(tokens, before, '>') && is_sign(tokens, before - 1, '-')))
            replace(translation, i, i, expression);
    }
}

static void add_declarator(struct translation *translation, const struct declaration *declaration, struct text *text,
                           size_t from, size_t name, size_t end) {
    struct tokens *tokens = &translation->tokens;
    int site = ++translation->sites;
    text_print(text, "typedef ");
    add_specifiers(text, tokens, declaration);
    text_print(text, " ");
    text_add_tokens(text, tokens, from, name);
    text_print(text, "simt_type_%d", site);
    text_add_tokens(text, tokens, name + 1, end);
    text_print(text, "; ");
    struct text expression = {0}, word = {0};
    text_add_tokens(&word, tokens, name, name + 1);
    if (declaration->dynamic) {
        text_print(&expression, "::simt::dynamic_shared<simt_type_%d>()", site);
    } else {
        text_print(text, "struct simt_site_%d; ", site);
        text_print(&expression, "::simt::shared<simt_type_%d, simt_site_%d>(\"%s\")", site, site,
                   word.failed ? "" : word.bytes);
    }
    text->failed |= word.failed || expression.failed;
    if (!text->failed && declaration->in_function)
        text_print(text, "auto &%s = %s; ", word.bytes, expression.bytes);
    else if (!text->failed)
        replace_uses(translation, name, declaration->end, expression.bytes);
    free(word.bytes);
    free(expression.bytes);
}

static void translate_declaration(struct translation *translation, struct declaration *declaration) {
    struct tokens *tokens = &translation->tokens;
    struct text text = {0};
    size_t from = declaration->first, line_token = declaration->first;
    for (bool first = true; from < declaration->end && !translation->failed; first = false) {
        size_t name_end = find_name_end(translation, from, declaration->end), name = tokens_before(tokens, name_end);
        if (translation->failed)
            break;
        if (name == tokens->count || name < from || tokens->token[name].kind != TOKEN_NAME) {
            refuse(translation, &tokens->token[line_token], "simt does not understand this __shared__ declaration");
            break;
        }
        if (first) { // pointers belong to the declarator, the rest to all
            declaration->specifiers = name;
            for (size_t i = tokens_before(tokens, name); is_sign(tokens, i, '*') || is_sign(tokens, i, '&');
                 i = tokens_before(tokens, i))
                declaration->specifiers = i;
            from = declaration->specifiers;
        }
        size_t end = find_declarator_end(tokens, name_end, declaration->end);
        add_declarator(translation, declaration, &text, from, name, end);
        from = end + 1;
    }
    if (text.failed)
        refuse(translation, NULL, "out of memory");
    if (!translation->failed)
        replace(translation, declaration->first, declaration->end, text.bytes);
    free(text.bytes);
}

// Braces of namespaces and extern "C" do not make a function.
static bool opens_namespace(const struct tokens *tokens, size_t brace) {
    size_t i = tokens_before(tokens, brace);
    if (i < tokens->count && tokens->token[i].kind == TOKEN_LITERAL && *tokens->token[i].text == '"')
        return true;
    while (i < tokens->count && (tokens->token[i].kind == TOKEN_NAME || is_sign(tokens, i, ':'))) {
        if (token_is(&tokens->token[i], "namespace"))
            return true;
        i = tokens_before(tokens, i);
    }
    return false;
}

static size_t find_semicolon(const struct tokens *tokens, size_t at) {
    while (at < tokens->count && !is_sign(tokens, at, ';')) {
        if (tokens->token[at].kind >= TOKEN_DIRECTIVE)
            return tokens->count;
        at = step(tokens, at);
    }
    return at;
}

static void visit(struct translation *translation, size_t at, bool in_function) {
    struct tokens *tokens = &translation->tokens;
    struct declaration declaration = {.first = find_start(tokens, at), .end = find_semicolon(tokens, at)};
    if (declaration.end == tokens->count) {
        refuse(translation, &tokens->token[at], "simt does not understand this __shared__ declaration");
        return;
    }
    declaration.in_function = in_function;
    for (size_t i = declaration.first; i < declaration.end; i++)
        declaration.dynamic |= token_is(&tokens->token[i], "extern");
    translate_declaration(translation, &declaration);
}

void translate_shared_memory(struct translation *translation) {
    struct tokens *tokens = &translation->tokens;
    int depth = 0, namespaces = 0;
    bool in_define = false;
    for (size_t i = 0; i < tokens->count && !translation->failed; i++) {
        const struct token *token = &tokens->token[i];
        in_define = token->kind == TOKEN_DEFINE || (in_define && token->kind != TOKEN_END);
        if (is_sign(tokens, i, '{')) {
            namespaces += depth == namespaces && opens_namespace(tokens, i);
            depth++;
        } else if (is_sign(tokens, i, '}')) {
            depth--;
            namespaces = namespaces < depth ? namespaces : depth;
        } else if (token->kind == TOKEN_NAME && token_is(token, "__shared__") && !token->replacement) {
            visit(translation, i, depth > namespaces || in_define);
        }
    }
}
