// SPDX-License-Identifier: MIT
// A program's hello: what it calls itself and which rows it has, read without trust. README.md here lists its keys.
#ifndef REDUCTIO_EXEC_HELLO_H
#define REDUCTIO_EXEC_HELLO_H

#include "harness/backend.h"
#include "harness/result.h"

#include <jansson.h>

enum { HELLO_MOST_ROWS = 256 };

struct hello_row {
    struct reductio_variant variant; // without claims.height, which has no way back to the program
    bool claims_height;              // its accuracy is a bound in the height of its tree
    bool tells_height;               // and it answers FRAME_HEIGHT
};

struct hello {
    struct hello_row *rows;
    const struct reductio_variant **variants; // of the rows, ending with NULL
    size_t row_count;
    struct text_pair *lines; // of the environment: "NAME.library", ...
    size_t line_count;
};

// Reads a hello. False with one sentence in message (BACKEND_MESSAGE bytes) for anything that is not one, or that says
// why the program cannot serve. *hello is then still to be freed.
bool hello_read(struct hello *hello, const char *text, char *message);
void hello_free(struct hello *hello);

// What both the names of programs and of rows are made of: letters, digits, '_', '-' and '.', at least one.
bool hello_is_name(const char *name);
struct hello_row *hello_add_row(struct hello *hello);
void hello_close_rows(struct hello *hello); // fills in `variants`

#endif
