// SPDX-License-Identifier: MIT
// What the parts of the translator share.
#ifndef REDUCTIO_SIMT_TRANSLATE_H
#define REDUCTIO_SIMT_TRANSLATE_H

#include "harness/simt/tokens.h"

#include <stdio.h>

// A header that was translated on the way.
struct header {
    char *real;        // its absolute path
    char *translation; // the path of what it became
};

struct header_set {
    const char *into;     // folder for translations
    const char **folders; // where headers are looked for besides beside their includer
    size_t folder_count;
    struct header *header;
    size_t count;
};

struct translation {
    const char *path;           // of the source, as messages name it
    struct header_set *headers; // NULL: includes stay as they are
    struct tokens tokens;
    int sites;         // shared declarations so far
    bool failed;       // a sentence has been written
    char message[512]; // "file:line: simt has no ..."
};

// Translates `source`, which calls itself `path`, into `out`, and the headers that it includes with quotes into files
// of headers->into; NULL: they are left alone. False with one sentence in message on refusal.
bool translate(const char *source, const char *path, struct header_set *headers, FILE *out, char *message,
               size_t message_size);
// The whole file, from malloc; NULL with errno.
char *read_source(const char *path);
bool list_headers(const struct header_set *headers, FILE *out); // their absolute paths, one a line
void free_headers(struct header_set *headers);

// Keeps the first sentence: PATH:LINE: sentence.
__attribute__((format(printf, 3, 4))) void refuse(struct translation *translation, const struct token *token,
                                                  const char *format, ...);
// Replaces tokens [first, last] by `text`, which is copied, and as many line ends as they held.
void replace(struct translation *translation, size_t first, size_t last, const char *text);

// A growing string; `failed` once memory is out.
struct text {
    char *bytes;
    size_t length, room;
    bool failed;
};
__attribute__((format(printf, 2, 3))) void text_print(struct text *text, const char *format, ...);
void text_add_tokens(struct text *text, const struct tokens *tokens, size_t first, size_t end);

void refuse_what_simt_lacks(struct translation *translation);  // translate_refusals.c
void translate_includes(struct translation *translation);      // translate_headers.c
void translate_launches(struct translation *translation);      // translate_launches.c
void translate_shared_memory(struct translation *translation); // translate_shared.c

#endif
