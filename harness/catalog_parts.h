// SPDX-License-Identifier: MIT
// What the files of the catalogue share.
#ifndef REDUCTIO_CATALOG_PARTS_H
#define REDUCTIO_CATALOG_PARTS_H

#include "harness/catalog.h"

// The pointer is good until the next call.
struct catalog_backend *catalog_append_backend(struct catalog *catalog, struct catalog_backend backend);
// Appends a backend with its rows; its device may be absent. False where it does not answer. In both cases there is one
// sentence in message (BACKEND_MESSAGE bytes).
bool catalog_bring_backend(struct catalog *catalog, struct catalog_backend brought, char *message);
// Whether the names of the rows from `first` on are no earlier rows' from another place: rows of one name are one in
// every selection and report. Otherwise one sentence in message (BACKEND_MESSAGE bytes).
bool catalog_names_are_free(const struct catalog *catalog, size_t first, char *message);
struct row_call catalog_copy_call(struct row_call call);
// The call of rows that an option brings, "--plugin ./mine.so".
struct row_call catalog_call_by(const char *option, const char *value);
void catalog_add_variant(struct catalog *catalog, const struct variant_card *card, int backend);

#endif
