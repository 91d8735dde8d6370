// SPDX-License-Identifier: MIT
#include "reports/text.h"

#include "reference/float_type.h"
#include "text/foreign_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void format_figure(double figure, char text[FIGURE_TEXT]) {
    if (isnan(figure))
        snprintf(text, FIGURE_TEXT, "nan");
    else
        snprintf(text, FIGURE_TEXT, "%.9g", figure);
}

static bool parse_result_type(const char *type, enum float_type *out) {
    const char *colon = strchr(type, ':');
    return float_type_parse(colon ? colon + 1 : type, out);
}

double result_value(const char *type, const char *bits) {
    enum float_type out;
    return parse_result_type(type, &out) ? float_to_double(out, strtoull(bits, NULL, 16)) : (double)NAN;
}

const char *ulps_word(double ulps) {
    return fabs(ulps) == 1 ? " ulp" : " ulps";
}

double unit_roundoff(const char *type) {
    enum float_type out;
    return parse_result_type(type, &out) ? ldexp(1, -float_format(out)->precision) : (double)NAN;
}

json_t *text_to_json(const char *text) {
    char *copy = text ? strdup(text) : NULL;
    if (copy)
        text_clean_lines(copy);
    json_t *json = json_string(copy);
    free(copy);
    return json;
}

bool has_text(const json_t *object, const char *member) {
    return json_is_string(json_object_get(object, member));
}

const char *text_of(const json_t *object, const char *member) {
    const char *text = json_string_value(json_object_get(object, member));
    return text ? text : "";
}

double figure_of(const json_t *object, const char *member) {
    const char *text = json_string_value(json_object_get(object, member));
    return text ? strtod(text, NULL) : (double)NAN;
}

json_int_t count_of(const json_t *object, const char *member) {
    return json_integer_value(json_object_get(object, member));
}

bool flag_of(const json_t *object, const char *member) {
    return json_is_true(json_object_get(object, member));
}

static bool is_control(char byte) {
    return (unsigned char)byte < 0x20 || byte == 0x7f;
}

const char *worst_bits_of(const json_t *cell) {
    const json_t *patterns = json_object_get(cell, "patterns"), *pattern, *worst = json_array_get(patterns, 0);
    size_t i;
    json_array_foreach(patterns, i, pattern) {
        if (!(fabs(figure_of(pattern, "ulps")) <= fabs(figure_of(worst, "ulps"))))
            worst = pattern;
    }
    return worst ? text_of(worst, "bits") : text_of(cell, "bits");
}

void write_printable(const char *text, FILE *out) {
    for (; *text; text++)
        fputc(is_control(*text) ? '?' : *text, out);
}

// A word in single quotes. --cell reads the '?' that stands for a control character as a wildcard.
static void write_quoted(const char *word, text_writer *write, FILE *out) {
    write("'", out);
    for (; *word; word++) {
        const char byte[2] = {is_control(*word) ? '?' : *word, '\0'};
        write(*word == '\'' ? "'\\''" : byte, out);
    }
    write("'", out);
}

void write_paste_line(const json_t *variant, const char *id, text_writer *write, FILE *out) {
    if (has_text(variant, "variables")) {
        write(text_of(variant, "variables"), out);
        write(" ", out);
    }
    write("reductio run --cell ", out);
    write_quoted(id, write, out);
    if (has_text(variant, "arguments")) {
        write(" ", out);
        write(text_of(variant, "arguments"), out);
    }
}

void write_escaped(const char *text, FILE *out) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '&')
            fputs("&amp;", out);
        else if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else if (c == '\'')
            fputs("&#39;", out);
        else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            fputs("\xef\xbf\xbd", out); // U+FFFD
        else
            fputc(c, out);
    }
}

void write_markdown(const char *text, FILE *out) {
    enum { MOST_BYTES = 300 };
    for (size_t i = 0; text[i]; i++) {
        // Not in the middle of a UTF-8 sequence.
        if (i >= MOST_BYTES && ((unsigned char)text[i] & 0xc0) != 0x80) {
            fputs("…", out);
            return;
        }
        if ((unsigned char)text[i] < 0x20)
            fputc(' ', out);
        else if (strchr("&<>|`*_[]()\\#~!@'\"$", text[i]))
            fprintf(out, "&#%d;", text[i]);
        else
            fputc(text[i], out);
    }
}

void write_csv_field(const char *text, FILE *out) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}
