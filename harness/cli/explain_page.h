// SPDX-License-Identifier: MIT
// A page of a few headed paragraphs, kept once and written as text or as HTML.
#ifndef REDUCTIO_EXPLAIN_PAGE_H
#define REDUCTIO_EXPLAIN_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct explain_section {
    char *heading;
    char *text;  // paragraphs, a newline between them
    bool breaks; // before the next sentence
};

struct explain_page {
    char *title, *verdict; // the second in one sentence
    struct explain_section *sections;
    size_t count;
};

// Begins a section; its text grows by sentences, in one paragraph until the next begins.
void page_begin(struct explain_page *page, const char *heading);
void page_paragraph(struct explain_page *page);
void page_say(struct explain_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_write_text(const struct explain_page *page, FILE *out);
bool page_write_html(const void *page, FILE *out, char *message); // a whole_writer
void page_free(struct explain_page *page);

#endif
