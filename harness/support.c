// SPDX-License-Identifier: MIT
#include "harness/support.h"

#include "text/foreign_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// That there is no memory is said without any: a sentence of usual length stands on the stack, and a longer one is cut
// where the heap has no room for it.
static void say(const char *start, const char *format, va_list arguments) {
    char usual[2048], *longer = NULL;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(usual, sizeof usual, format, arguments);
    if (length >= (int)sizeof usual && vasprintf(&longer, format, again) < 0)
        longer = NULL;
    va_end(again);
    char *sentence = longer ? longer : usual;
    text_clean(sentence, strlen(sentence));
    fprintf(stderr, "reductio: %s%s\n", start, sentence);
    free(longer);
}

_Noreturn void harness_failed(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("the harness itself failed: ", format, arguments);
    va_end(arguments);
    exit(EXIT_HARNESS_FAILED);
}

void say_error_list(const char *format, va_list arguments) {
    say("", format, arguments);
}

void say_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_error_list(format, arguments);
    va_end(arguments);
}

void *must_calloc(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        harness_failed("no memory for %zu x %zu bytes.", count, size);
    return memory;
}

void *must_realloc(void *memory, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        harness_failed("no memory for %zu x %zu bytes.", count, size);
    void *larger = realloc(memory, bytes ? bytes : 1);
    if (!larger)
        harness_failed("no memory for %zu x %zu bytes.", count, size);
    return larger;
}

char *must_copy_text(const char *text) {
    if (!text)
        return NULL;
    size_t bytes = strlen(text) + 1;
    return memcpy(must_calloc(bytes, 1), text, bytes);
}

static char *format_list(const char *format, va_list arguments) {
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        harness_failed("no memory for a line of text.");
    return text;
}

char *text_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    return text;
}

char *text_append(char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *more = format_list(format, arguments);
    va_end(arguments);
    if (!text || !*text) {
        free(text);
        return more;
    }
    char *both = text_format("%s %s", text, more);
    free(text);
    free(more);
    return both;
}

static ssize_t append_bytes(void *cookie, const char *bytes, size_t count) {
    struct text_stream *stream = cookie;
    stream->text = must_realloc(stream->text, stream->length + count + 1, 1);
    memcpy(stream->text + stream->length, bytes, count);
    stream->length += count;
    stream->text[stream->length] = '\0';
    return (ssize_t)count;
}

void text_stream_open(struct text_stream *stream) {
    *stream = (struct text_stream){.text = must_copy_text("")};
    stream->out = fopencookie(stream, "w", (cookie_io_functions_t){.write = append_bytes});
    if (!stream->out)
        harness_failed("no memory for a text.");
}

char *text_stream_close(struct text_stream *stream) {
    bool failed = ferror(stream->out);
    if (fclose(stream->out) != 0 || failed)
        harness_failed("a text could not be written to memory.");
    return stream->text;
}

// The word as printf(1) of POSIX writes it. A command substitution drops line ends behind the last character: no name
// of a file that is compiled or loaded ends so.
static char *quote_octal(const char *word) {
    struct text_stream stream;
    text_stream_open(&stream);
    fputs("\"$(printf '", stream.out);
    for (const char *at = word; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        bool plain = byte >= ' ' && byte < 127 && !strchr("'\\%", byte) && (byte != '-' || at > word);
        fprintf(stream.out, plain ? "%c" : "\\%03o", byte);
    }
    fputs("')\"", stream.out);
    return text_stream_close(&stream);
}

char *text_quote_word(const char *word) {
    char *clean = must_copy_text(word);
    text_clean(clean, strlen(clean));
    bool raw = strcmp(clean, word) != 0;
    free(clean);
    if (raw)
        return quote_octal(word);
    char *text = must_copy_text("'");
    for (const char *part = word; *part;) {
        size_t length = strcspn(part, "'");
        char *longer = text_format("%s%.*s%s", text, (int)length, part, part[length] ? "'\\''" : "");
        free(text);
        text = longer;
        part += length + (part[length] != '\0');
    }
    char *quoted = text_format("%s'", text);
    free(text);
    return quoted;
}

void copy_text(char *field, size_t size, const char *text) {
    size_t bytes = strlen(text) + 1;
    if (bytes > size)
        harness_failed("\"%s\" is longer than %zu bytes.", text, size - 1);
    memcpy(field, text, bytes);
}

void *grow_array(void *array, size_t count, size_t size) {
    bool power_of_two = (count & (count - 1)) == 0;
    if (count && !power_of_two)
        return array;
    return must_realloc(array, count ? 2 * count : 1, size);
}
