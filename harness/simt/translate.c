// SPDX-License-Identifier: MIT
// Makes C++ of CUDA: only what no macro can do. Everything else of CUDA is in the headers under include/.
#include "harness/simt/translate.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void refuse(struct translation *translation, const struct token *token, const char *format, ...) {
    if (translation->failed)
        return;
    translation->failed = true;
    int length = snprintf(translation->message, sizeof translation->message, "%s:%d: ", translation->path,
                          token ? token->line : 1);
    if (length < 0 || (size_t)length >= sizeof translation->message)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(translation->message + length, sizeof translation->message - (size_t)length, format, arguments);
    va_end(arguments);
}

void text_print(struct text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int more = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t needed = text->length + (size_t)(more < 0 ? 0 : more) + 1;
    if (!text->failed && needed > text->room) {
        char *grown = realloc(text->bytes, 2 * needed);
        text->failed = !grown;
        if (grown) {
            text->bytes = grown;
            text->room = 2 * needed;
        }
    }
    if (!text->failed && more >= 0) {
        vsnprintf(text->bytes + text->length, text->room - text->length, format, again);
        text->length = needed - 1;
    }
    va_end(again);
}

// Comments and line ends become one space, so that the text fits anywhere.
void text_add_tokens(struct text *text, const struct tokens *tokens, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const struct token *token = &tokens->token[i];
        if (token->kind == TOKEN_SPACE)
            text_print(text, " ");
        else if (token->replacement)
            text_print(text, "%s", token->replacement);
        else
            text_print(text, "%.*s", (int)token->length, token->text);
    }
}

// The line ends of a token, with the backslash that a macro's need.
static void add_line_ends(struct text *text, const struct token *token) {
    for (size_t i = 0; i < token->length; i++) {
        if (token->text[i] == '\n')
            text_print(text, i > 0 && token->text[i - 1] == '\\' ? "\\\n" : "\n");
    }
}

void replace(struct translation *translation, size_t first, size_t last, const char *string) {
    struct text text = {0};
    text_print(&text, "%s", string);
    for (size_t i = first; i <= last; i++) {
        struct token *token = &translation->tokens.token[i];
        add_line_ends(&text, token);
        free(token->replacement);
        token->replacement = i == first ? NULL : strdup("");
        text.failed |= i != first && !token->replacement;
    }
    translation->tokens.token[first].replacement = text.bytes;
    if (text.failed)
        refuse(translation, NULL, "out of memory");
}

// No other place than libstdc++'s own attributes may see a macro of this name.
static void translate_attributes(struct translation *translation) {
    for (size_t i = 0; i < translation->tokens.count; i++) {
        if (translation->tokens.token[i].kind == TOKEN_NAME && token_is(&translation->tokens.token[i], "__noinline__"))
            replace(translation, i, i, "__attribute__((noinline))");
    }
}

static bool write_all(const struct translation *translation, FILE *out) {
    fputs("#line 1 \"", out);
    for (const char *c = translation->path; *c; c++) { // a string literal
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        fputc(*c, out);
    }
    fputs("\"\n", out);
    for (size_t i = 0; i < translation->tokens.count; i++) {
        const struct token *token = &translation->tokens.token[i];
        if (token->replacement)
            fputs(token->replacement, out);
        else
            fwrite(token->text, 1, token->length, out);
    }
    return !ferror(out);
}

bool translate(const char *source, const char *path, struct header_set *headers, FILE *out, char *message,
               size_t message_size) {
    struct translation translation = {.path = path, .headers = headers};
    if (!tokens_read(&translation.tokens, source))
        refuse(&translation, NULL, "out of memory");
    refuse_what_simt_lacks(&translation);
    if (!translation.failed)
        translate_attributes(&translation);
    if (!translation.failed)
        translate_includes(&translation);
    if (!translation.failed)
        translate_shared_memory(&translation);
    if (!translation.failed)
        translate_launches(&translation);
    if (!translation.failed && !write_all(&translation, out))
        refuse(&translation, NULL, "cannot write the translation");
    tokens_free(&translation.tokens);
    snprintf(message, message_size, "%s", translation.message);
    return !translation.failed;
}
