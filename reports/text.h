// SPDX-License-Identifier: MIT
// Figures and text on their way into a report, and the members of a checked run on their way out of the JSON.
#ifndef REDUCTIO_TEXT_H
#define REDUCTIO_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { FIGURE_TEXT = 32 };

// Nine significant digits ("1.5", "inf", "-inf", "nan", "-0"): figures are measures of an error, not values of a sum,
// and nine digits tell any two that matter apart. Values travel as bits and hex floats.
void format_figure(double figure, char text[FIGURE_TEXT]);

// " ulp" or " ulps", to stand behind such a figure.
const char *ulps_word(double ulps);
// The unit roundoff 2^-p of what a variant of that type ("f32", "f32:f64") gives. NaN for a type of a later release.
double unit_roundoff(const char *type);
// The result of such a variant, from its bits ("0x3f800000"); NaN for such a type too.
double result_value(const char *type, const char *bits);

// A JSON string of any bytes, cleaned as in text/foreign_text.h. NULL when memory is out.
json_t *text_to_json(const char *text);

// Members of a JSON object. Absent members give "", NaN, 0, false.
const char *text_of(const json_t *object, const char *member);
bool has_text(const json_t *object, const char *member);
double figure_of(const json_t *object, const char *member);
json_int_t count_of(const json_t *object, const char *member);
bool flag_of(const json_t *object, const char *member);

// The bits of the cell's worst result, which its got_hex and got_decimal are too: of repeats that differ "bits" is the
// first.
const char *worst_bits_of(const json_t *cell);

// Text for a terminal or a log: control characters become '?'. An escape sequence in a name must not act.
void write_printable(const char *text, FILE *out);
// `reductio run --cell 'ID'`, a line for a shell, with what the cell's variant asks of a command line before and behind
// it; `write` escapes it for where it goes.
typedef void text_writer(const char *text, FILE *out);
void write_paste_line(const json_t *variant, const char *id, text_writer *write, FILE *out);
// Text with &, <, >, ", ' as entities; control characters that XML forbids become U+FFFD.
void write_escaped(const char *text, FILE *out);
// A field of CSV (RFC 4180), in quotes where it needs them.
void write_csv_field(const char *text, FILE *out);
// Markdown text of bounded length: Markdown's and HTML's own characters become numeric entities, which no renderer
// takes for markup.
void write_markdown(const char *text, FILE *out);

#endif
