// SPDX-License-Identifier: MIT
// What the files of the catalogue share.
#ifndef REDUCTIO_CATALOG_PARTS_H
#define REDUCTIO_CATALOG_PARTS_H

#include "harness/cards.h"
#include "harness/catalog.h"

// The pointer is good until the next call.
struct catalog_backend *catalog_append_backend(struct catalog *catalog, struct catalog_backend backend);
// Asks the backend's worker for its rows, for which it opens no device. False where it does not answer: it is absent.
bool catalog_load_rows(struct catalog *catalog, int backend);
// Adds a line to the environment of a backend; all lines of an answer, which it frees, but for those of a file's
// compiler.
void catalog_keep_line(struct catalog_backend *backend, const char *key, const char *value);
void catalog_keep_environment(struct catalog_backend *backend, struct environment_line *lines, size_t count);
// Whether the names of the rows from `first` on are no earlier rows' from another place: rows of one name are one in
// every selection and report. Otherwise one sentence in message (BACKEND_MESSAGE bytes).
bool catalog_names_are_free(const struct catalog *catalog, size_t first, char *message);
struct row_call catalog_copy_call(struct row_call call);
// The call of rows that an option brings, "--plugin ./mine.so".
struct row_call catalog_call_by(const char *option, const char *value);
void catalog_add_variant(struct catalog *catalog, const struct variant_card *card, int backend);

#endif
