// SPDX-License-Identifier: MIT
#include "harness/cli/explain_page.h"

#include "harness/support.h"
#include "reports/reports.h"
#include "reports/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_WIDTH = 100 };

void page_begin(struct explain_page *page, const char *heading) {
    page->sections = grow_array(page->sections, page->count, sizeof *page->sections);
    page->sections[page->count++] = (struct explain_section){.heading = must_copy_text(heading)};
}

void page_paragraph(struct explain_page *page) {
    struct explain_section *section = &page->sections[page->count - 1];
    section->breaks = section->text != NULL;
}

void page_say(struct explain_page *page, const char *format, ...) {
    struct explain_section *section = &page->sections[page->count - 1];
    char *sentence = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&sentence, format, arguments) < 0)
        harness_failed("no memory for a sentence.");
    va_end(arguments);
    char *text = section->breaks ? text_format("%s\n%s", section->text, sentence)
                                 : text_append(must_copy_text(section->text), "%s", sentence);
    section->breaks = false;
    free(section->text);
    free(sentence);
    section->text = text;
}

// Breaks lines at blanks.
static void write_wrapped(const char *text, FILE *out) {
    size_t column = 0;
    while (*text) {
        size_t word = strcspn(text, " \n");
        if (column && column + 1 + word > TEXT_WIDTH) {
            fputs("\n    ", out);
            column = 0;
        } else {
            fputs(column ? " " : "    ", out);
        }
        fprintf(out, "%.*s", (int)word, text);
        column += word + 1;
        text += word;
        if (*text == '\n') {
            fputc('\n', out);
            column = 0;
            text++;
        }
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void page_write_text(const struct explain_page *page, FILE *out) {
    fprintf(out, "%s\n\n", page->title);
    write_wrapped(page->verdict, out);
    for (size_t i = 0; i < page->count; i++) {
        fprintf(out, "\n%s\n", page->sections[i].heading);
        write_wrapped(page->sections[i].text ? page->sections[i].text : "", out);
    }
}

static void write_paragraphs(const char *text, FILE *out) {
    while (*text) {
        char *paragraph = text_format("%.*s", (int)strcspn(text, "\n"), text);
        write_escaped(paragraph, out);
        free(paragraph);
        text += strcspn(text, "\n");
        if (*text == '\n') {
            fputs("</p>\n<p>", out);
            text++;
        }
    }
}

bool page_write_html(const void *what, FILE *out, char *message) {
    const struct explain_page *page = what;
    fputs("<!doctype html>\n<html lang='en'>\n<meta charset='utf-8'>\n<meta name='viewport' "
          "content='width=device-width'>\n<title>",
          out);
    write_escaped(page->title, out);
    fputs("</title>\n<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 "
          "1em;overflow-wrap:anywhere}h1{font-size:1.4em}h2{font-size:1.1em;margin-bottom:.2em}p{margin:0 0 .4em}"
          "@media(prefers-color-scheme:dark){body{background:#181a1b;color:#e4e4e4}}</style>\n<h1>",
          out);
    write_escaped(page->title, out);
    fputs("</h1>\n<p><strong>", out);
    write_escaped(page->verdict, out);
    fputs("</strong></p>\n", out);
    for (size_t i = 0; i < page->count; i++) {
        fputs("<h2>", out);
        write_escaped(page->sections[i].heading, out);
        fputs("</h2>\n<p>", out);
        write_paragraphs(page->sections[i].text ? page->sections[i].text : "", out);
        fputs("</p>\n", out);
    }
    fputs("</html>\n", out);
    if (!ferror(out))
        return true;
    snprintf(message, REPORT_MESSAGE, "the page could not be written.");
    return false;
}

void page_free(struct explain_page *page) {
    for (size_t i = 0; i < page->count; i++) {
        free(page->sections[i].heading);
        free(page->sections[i].text);
    }
    free(page->sections);
    free(page->title);
    free(page->verdict);
    *page = (struct explain_page){0};
}
