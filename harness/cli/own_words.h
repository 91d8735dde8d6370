// SPDX-License-Identifier: MIT
// Words and lists in the text of a user's file.
#ifndef REDUCTIO_OWN_WORDS_H
#define REDUCTIO_OWN_WORDS_H

#include <stdbool.h>

bool is_in_word(char c);
// Whether the word stands in the text, and not in a longer one.
bool holds_word(const char *text, const char *word);
// Joins two texts from malloc, and gives up both.
char *join_texts(char *text, char *more);
// The next item of a list that ends at ')' or '>', from malloc; NULL behind the last. *at goes past it.
char *next_item(const char **at);
// The last word of a parameter is its name; from malloc.
char *name_of(const char *parameter);

#endif
