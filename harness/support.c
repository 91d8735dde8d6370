// SPDX-License-Identifier: MIT
#include "harness/support.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void harness_failed(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "reductio: the harness itself failed: ");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_HARNESS_FAILED);
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

// Bytes of the well-formed character that begins here (Unicode 15.0, table 3-7); 0 where none does.
static size_t character_length(const unsigned char *at, size_t left) {
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    bool beyond = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f); // surrogates; above U+10FFFF
    return overlong || beyond ? 0 : length;
}

// C0, DEL and C1: what a terminal may act on.
static bool is_control(const unsigned char *at, size_t length) {
    return length == 1 ? at[0] < ' ' || at[0] == 127 : length == 2 && at[0] == 0xc2 && at[1] < 0xa0;
}

void text_clean(char *text, size_t bytes) {
    for (size_t i = 0; i < bytes;) {
        const unsigned char *at = (const unsigned char *)text + i;
        size_t length = character_length(at, bytes - i);
        if (*at == '\n' || *at == '\t')
            text[i] = ' ';
        else if (!length || is_control(at, length))
            memset(text + i, '?', length ? length : 1);
        i += length ? length : 1;
    }
}

void text_clean_lines(char *text) {
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        text_clean(text, length);
    }
}

char *text_quote_word(const char *word) {
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
