// SPDX-License-Identifier: MIT
// A run as two streams that deflate to a sixth of what its JSON does: the cells by columns, each value a small code
// where another member of the same cell tells it. page.js turns them back into the very JSON; the page's legend says
// how.
#ifndef REDUCTIO_PACK_H
#define REDUCTIO_PACK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct pack {
    // Pieces that each end with a NUL: a specification as JSON, {"rows": R, "columns": [[member, [key, ...]], ...]}
    // with keys by number; the JSON before the first cell; that after the last; then for each column the texts that
    // occur in it, in the order in which they first do, each ended by a line feed. Three columns of one member follow
    // each other and are its text in three parts.
    char *text;
    size_t text_size;
    // For each column, for each row that has the member, one LEB128 number. 0: the text of the last row with the same
    // texts in the key columns, or, where there is none, the text that this row has in the first of them. 1: the next
    // text that is new to the column. k > 1: the text that was new as number k - 2.
    char *codes;
    size_t codes_size;
};

// Of a checked run. False when memory is out; free with pack_free in either case.
bool pack_make(struct pack *pack, const json_t *run);
void pack_free(struct pack *pack);

#endif
