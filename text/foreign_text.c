// SPDX-License-Identifier: MIT
#include "text/foreign_text.h"

#include <stdbool.h>
#include <string.h>

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
