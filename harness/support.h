// SPDX-License-Identifier: MIT
// Memory and text for the runner. Running out of memory is a failure of the harness itself: one sentence, exit code 99.
#ifndef REDUCTIO_SUPPORT_H
#define REDUCTIO_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

enum { EXIT_HARNESS_FAILED = 99 };

// Says what the harness failed at and ends the program with EXIT_HARNESS_FAILED.
_Noreturn void harness_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

// "reductio: " and one sentence, on a line of standard error, in which the words of others are cleaned.
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_error_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

void *must_calloc(size_t count, size_t size);
void *must_realloc(void *memory, size_t count, size_t size);
char *must_copy_text(const char *text); // NULL gives NULL
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The end of a noun behind its number.
#define PLURAL(count) ((count) == 1 ? "" : "s")
// Appends to a text from malloc (or NULL), with a blank between sentences; the old pointer is no longer valid.
char *text_append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A text that is written through a stream, for what also writes to files. Memory that runs out is a failure of the
// harness: a stream of open_memstream would lose the write, and neither set its error flag nor fail to close.
struct text_stream {
    FILE *out;
    char *text;
    size_t length;
};
void text_stream_open(struct text_stream *stream); // which must stay in its place until it is closed
char *text_stream_close(struct text_stream *stream);

// As one word of a shell's command line, from malloc: in single quotes, and a quote as '\''. What text_clean would
// change becomes "$(printf '...')" of plain ASCII, for a line that may be shown anywhere and pasted.
char *text_quote_word(const char *word);

// Copies a text into a field of `size` bytes; one that does not fit is a failure of the harness, never cut.
void copy_text(char *field, size_t size, const char *text);

// Makes room for one more in an array that grows by doubling; `count` is how many it holds. Returns the array.
void *grow_array(void *array, size_t count, size_t size);

#endif
