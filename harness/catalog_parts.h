// SPDX-License-Identifier: MIT
// What the files of the catalogue share.
#ifndef REDUCTIO_CATALOG_PARTS_H
#define REDUCTIO_CATALOG_PARTS_H

#include "harness/catalog.h"

// The pointer is good until the next call.
struct catalog_backend *catalog_append_backend(struct catalog *catalog, struct catalog_backend backend);
// As a word of a shell's command line, from malloc.
char *catalog_quote_word(const char *word);
void catalog_add_variant(struct catalog *catalog, const struct variant_card *card, int backend);

#endif
