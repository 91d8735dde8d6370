// SPDX-License-Identifier: MIT
// kernel<T, N><<<grid, block, bytes, stream>>>(a, b) becomes
//     ::simt::launcher{"kernel", {grid, block, bytes, stream}, [&](auto &...simt_a) { kernel<T, N>(simt_a...); }}(a, b)
// cudaLaunchKernelEx(&config, kernel, a) becomes simt_launch_ex("kernel", &config, kernel, a), and
// cudaLaunchCooperativeKernel((void *)kernel, grid, block, arguments) becomes
//     simt_launch_cooperative("kernel", kernel, grid, block, arguments)
#include "harness/simt/translate.h"

#include <stdlib.h>
#include <string.h>

static bool is_sign(const struct tokens *tokens, size_t at, char sign) {
    return at < tokens->count && tokens->token[at].kind == TOKEN_SIGN && *tokens->token[at].text == sign;
}

// Three of one sign without space between.
static bool is_chevron(const struct tokens *tokens, size_t at, char sign) {
    return is_sign(tokens, at, sign) && is_sign(tokens, at + 1, sign) && is_sign(tokens, at + 2, sign);
}

// The bracket that opens the one at `at`, looking back; also for <>, counting only brackets of its kind outside of
// other brackets.
static size_t find_opening(const struct tokens *tokens, size_t at, char open, char close) {
    int depth = 0, nested = 0;
    for (size_t i = at + 1; i-- > 0;) {
        if (tokens->token[i].kind != TOKEN_SIGN)
            continue;
        char c = *tokens->token[i].text;
        if (c == ';' || c == '{' || c == '}')
            break;
        if (open == '<' && (c == ')' || c == ']'))
            nested++;
        else if (open == '<' && (c == '(' || c == '['))
            nested--;
        else if (!nested && c == close)
            depth++;
        else if (!nested && c == open && --depth == 0)
            return i;
    }
    return tokens->count;
}

// One step of a postfix expression, from its last token back to its first: name, name<...>, [...] or (...).
static size_t step_back(const struct tokens *tokens, size_t at) {
    const struct token *token = &tokens->token[at];
    if (token->kind == TOKEN_NAME)
        return at;
    if (is_sign(tokens, at, '>')) {
        size_t open = find_opening(tokens, at, '<', '>');
        size_t name = open < tokens->count ? tokens_before(tokens, open) : tokens->count;
        return name < tokens->count && tokens->token[name].kind == TOKEN_NAME ? name : tokens->count;
    }
    if (is_sign(tokens, at, ']')) {
        size_t open = find_opening(tokens, at, '[', ']');
        size_t base = open < tokens->count ? tokens_before(tokens, open) : tokens->count;
        return base < tokens->count ? step_back(tokens, base) : tokens->count;
    }
    return is_sign(tokens, at, ')') ? find_opening(tokens, at, '(', ')') : tokens->count;
}

// The first token of the expression that ends at `at`: steps joined by `::`, `.` and `->`.
static size_t find_kernel(const struct tokens *tokens, size_t at) {
    size_t first = step_back(tokens, at);
    while (first < tokens->count) {
        size_t sign = tokens_before(tokens, first);
        bool member = is_sign(tokens, sign, '.');
        bool pair = is_sign(tokens, sign, ':') && sign > 0 && is_sign(tokens, sign - 1, ':');
        bool arrow = is_sign(tokens, sign, '>') && sign > 0 && is_sign(tokens, sign - 1, '-');
        if (!member && !pair && !arrow)
            return first;
        size_t join = member ? sign : sign - 1, left = tokens_before(tokens, join);
        bool joined = left < tokens->count && (tokens->token[left].kind == TOKEN_NAME || is_sign(tokens, left, '>') ||
                                               is_sign(tokens, left, ']') || is_sign(tokens, left, ')'));
        if (joined && !token_is(&tokens->token[left], "return"))
            first = step_back(tokens, left);
        else
            return pair ? join : tokens->count; // ::kernel
    }
    return tokens->count;
}

// The `>>>` that ends a configuration: outside of brackets and followed by an argument list.
static size_t find_end(const struct tokens *tokens, size_t at) {
    for (; at < tokens->count; at++) {
        const struct token *token = &tokens->token[at];
        if (token->kind != TOKEN_SIGN)
            continue;
        if (strchr("([{", *token->text)) {
            at = tokens_closing(tokens, at);
        } else if (*token->text == ';' || strchr(")]}", *token->text)) {
            break;
        } else if (is_chevron(tokens, at, '>') && is_sign(tokens, tokens_after(tokens, at + 2), '(')) {
            return at;
        }
    }
    return tokens->count;
}

static void add_quoted(struct text *text, const char *string) {
    for (const char *p = string; *p; p++)
        text_print(text, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
}

static void translate_chevron(struct translation *translation, size_t at) {
    struct tokens *tokens = &translation->tokens;
    size_t last = tokens_before(tokens, at), first = last < tokens->count ? find_kernel(tokens, last) : tokens->count;
    size_t end = find_end(tokens, at + 3);
    if (first == tokens->count) {
        refuse(translation, &tokens->token[at], "simt does not understand which kernel is launched here");
        return;
    }
    if (end == tokens->count) {
        refuse(translation, &tokens->token[at], "simt does not understand this launch: no >>> ( closes it");
        return;
    }
    struct text kernel = {0}, name = {0}, head = {0}, tail = {0};
    text_add_tokens(&kernel, tokens, first, last + 1);
    size_t name_end = first;
    while (name_end <= last && !is_sign(tokens, name_end, '<'))
        name_end++;
    text_add_tokens(&name, tokens, first, name_end);
    text_print(&head, "::simt::launcher{\"");
    add_quoted(&head, name.failed ? "" : name.bytes);
    text_print(&head, "\", ::simt::configuration(");
    text_print(&tail, "), [&](auto &...simt_arguments) { %s(simt_arguments...); }}", kernel.failed ? "" : kernel.bytes);
    if (kernel.failed || name.failed || head.failed || tail.failed) {
        refuse(translation, NULL, "out of memory");
    } else {
        replace(translation, first, at + 2, head.bytes);
        replace(translation, end, end + 2, tail.bytes);
    }
    free(kernel.bytes);
    free(name.bytes);
    free(head.bytes);
    free(tail.bytes);
}

// The comma that ends the argument from `i` on, outside of brackets; `end` where there is none.
static size_t end_of_argument(const struct tokens *tokens, size_t i, size_t end) {
    while (i < end && !is_sign(tokens, i, ','))
        i = tokens->token[i].kind == TOKEN_SIGN && strchr("([{", *tokens->token[i].text) ? tokens_closing(tokens, i) + 1
                                                                                         : i + 1;
    return i < end ? i : end;
}

// The last token of `(void *)`, or of the `reinterpret_cast<const void *>` before the brackets; `at` where it is
// neither.
static size_t end_of_void_cast(const struct tokens *tokens, size_t at) {
    bool named = token_is(&tokens->token[at], "reinterpret_cast") || token_is(&tokens->token[at], "static_cast");
    size_t i = named ? tokens_after(tokens, at) : at;
    if (!is_sign(tokens, i, named ? '<' : '('))
        return at;
    bool is_void = false, pointer = false;
    for (i = tokens_after(tokens, i); i < tokens->count && !is_sign(tokens, i, named ? '>' : ')');
         i = tokens_after(tokens, i)) {
        is_void |= token_is(&tokens->token[i], "void");
        pointer |= is_sign(tokens, i, '*');
        if (!is_sign(tokens, i, '*') && !token_is(&tokens->token[i], "void") && !token_is(&tokens->token[i], "const"))
            return at;
    }
    return i < tokens->count && is_void && pointer ? i : at;
}

// The name of the kernel that an argument is, without what qualifies it.
static size_t find_name(const struct tokens *tokens, size_t i, size_t end) {
    while (i < end && tokens->token[i].kind != TOKEN_NAME)
        i = tokens_after(tokens, i);
    for (size_t sign = tokens_after(tokens, i); i < end && is_sign(tokens, sign, ':'); sign = tokens_after(tokens, i))
        i = tokens_after(tokens, sign + 1);
    return i;
}

// A call that is given its kernel as its argument of that number is named `becomes`, and told the kernel's name first.
static void translate_call(struct translation *translation, size_t at, const char *becomes, int number) {
    struct tokens *tokens = &translation->tokens;
    size_t open = tokens_after(tokens, at);
    if (!is_sign(tokens, open, '('))
        return;
    size_t end = tokens_closing(tokens, open), kernel = tokens_after(tokens, open);
    for (int i = 0; i < number; i++)
        kernel = tokens_after(tokens, end_of_argument(tokens, kernel, end));
    size_t cast = kernel < end ? end_of_void_cast(tokens, kernel) : kernel;
    size_t first = cast > kernel ? tokens_after(tokens, cast) : kernel, last = end_of_argument(tokens, first, end);
    size_t name = find_name(tokens, first, last);
    if (name >= last || end == tokens->count) {
        refuse(translation, &tokens->token[at], "simt does not understand which kernel is launched here");
        return;
    }
    struct text text = {0};
    text_print(&text, "(\"");
    text_add_tokens(&text, tokens, name, name + 1);
    text_print(&text, "\", ");
    if (text.failed) {
        refuse(translation, NULL, "out of memory");
    } else {
        replace(translation, at, at, becomes);
        replace(translation, open, open, text.bytes);
        if (cast > kernel)
            replace(translation, kernel, cast, "");
    }
    free(text.bytes);
}

void translate_launches(struct translation *translation) {
    struct tokens *tokens = &translation->tokens;
    for (size_t i = 0; i < tokens->count && !translation->failed; i++) {
        size_t before = tokens_before(tokens, i);
        bool operator_name = before < tokens->count && token_is(&tokens->token[before], "operator");
        if (is_chevron(tokens, i, '<') && !operator_name)
            translate_chevron(translation, i);
        else if (tokens->token[i].kind == TOKEN_NAME && token_is(&tokens->token[i], "cudaLaunchKernelEx"))
            translate_call(translation, i, "simt_launch_ex", 1);
        else if (tokens->token[i].kind == TOKEN_NAME && token_is(&tokens->token[i], "cudaLaunchCooperativeKernel"))
            translate_call(translation, i, "simt_launch_cooperative", 0);
    }
}
