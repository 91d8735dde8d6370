// SPDX-License-Identifier: MIT
// Text of others (what programs print, why they fail, what files hold) where it comes in. Terminals, pages and logs get
// it as it is afterwards.
#ifndef REDUCTIO_FOREIGN_TEXT_H
#define REDUCTIO_FOREIGN_TEXT_H

#include <stddef.h>

// In place: line ends and tabs become blanks; other control characters, and bytes that are no UTF-8, '?'.
void text_clean(char *text, size_t bytes);
// The same of what has several lines, which stay.
void text_clean_lines(char *text);

#endif
