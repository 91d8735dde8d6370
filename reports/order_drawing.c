// SPDX-License-Identifier: MIT
#include "reports/order_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Picture units: a term, an addition above another (less where there are many), and the room for the terms' numbers.
static const double term_width = 22, narrow_term_width = 15, most_step = 26, most_tall = 240, margin = 8, foot = 18;

struct drawing {
    const char *at; // in the formula
    FILE *out;      // NULL: only measure
    bool dots;      // of the additions; otherwise their lines
    size_t terms, additions;
    double width, step, bottom;
};

struct place {
    double x;
    unsigned height;
};

static double x_of_term(const struct drawing *drawing, size_t term) {
    return margin + drawing->width * ((double)term + 0.5);
}

static double y_of(const struct drawing *drawing, unsigned height) {
    return drawing->bottom - drawing->step * height;
}

// "x12"
static bool read_term(struct drawing *drawing, struct place *place) {
    size_t digits = *drawing->at == 'x' ? strspn(drawing->at + 1, "0123456789") : 0;
    if (!digits || digits > 9 || drawing->terms == ORDER_DRAWING_TERMS)
        return false;
    *place = (struct place){x_of_term(drawing, drawing->terms++), 0};
    drawing->at += 1 + digits;
    return true;
}

// From each child up to the addition's level and along it; or the addition itself.
static void draw_addition(const struct drawing *drawing, const struct place *children, size_t count,
                          const struct place *sum) {
    double y = y_of(drawing, sum->height);
    if (!drawing->out)
        return;
    if (drawing->dots) {
        fprintf(drawing->out, "M%g %gh0", sum->x, y);
        return;
    }
    for (size_t c = 0; c < count; c++)
        fprintf(drawing->out, "M%g %gV%g", children[c].x, y_of(drawing, children[c].height), y);
    fprintf(drawing->out, "M%g %gH%g", children[0].x, y, children[count - 1].x);
}

// A term or a sum in parentheses. Its depth is bounded by the number of additions, which is that of terms.
static bool read_sum(struct drawing *drawing, struct place *place) {
    struct place children[ORDER_DRAWING_TERMS];
    size_t count = 0;
    if (*drawing->at != '(')
        return read_term(drawing, place);
    if (++drawing->additions >= ORDER_DRAWING_TERMS)
        return false;
    unsigned height = 0;
    do {
        drawing->at++; // '(' or '+'
        if (count == ORDER_DRAWING_TERMS || !read_sum(drawing, &children[count]))
            return false;
        height = children[count].height > height ? children[count].height : height;
        count++;
    } while (*drawing->at == '+');
    if (*drawing->at != ')' || count < 2)
        return false;
    drawing->at++;
    *place = (struct place){(children[0].x + children[count - 1].x) / 2, height + 1};
    draw_addition(drawing, children, count, place);
    return true;
}

static bool measure(const char *formula, struct drawing *drawing) {
    struct place root;
    *drawing = (struct drawing){.at = formula};
    if (!read_sum(drawing, &root) || *drawing->at || root.height < 1)
        return false;
    drawing->width = drawing->terms <= 32 ? term_width : narrow_term_width;
    drawing->step = fmin(most_step, most_tall / root.height);
    drawing->bottom = margin + drawing->step * root.height;
    return true;
}

bool order_drawing_size(const json_t *order, double *width, double *height) {
    struct drawing drawing;
    if (!measure(text_of(order, "formula"), &drawing))
        return false;
    *width = 2 * margin + drawing.width * (double)drawing.terms;
    *height = drawing.bottom + foot;
    return true;
}

static void draw(struct drawing drawing, const char *formula, bool dots, FILE *out) {
    struct place root;
    drawing.at = formula;
    drawing.out = out;
    drawing.dots = dots;
    drawing.terms = drawing.additions = 0;
    fprintf(out, "<path class=%s d=\"", dots ? "plus" : "order");
    read_sum(&drawing, &root);
    fputs("\"/>", out);
}

void order_drawing_write(const json_t *order, FILE *out) {
    const char *formula = text_of(order, "formula");
    struct drawing drawing;
    if (!measure(formula, &drawing))
        return;
    draw(drawing, formula, false, out);
    draw(drawing, formula, true, out);
    size_t term = 0;
    fputs("<g class=leaves>", out);
    for (const char *at = strchr(formula, 'x'); at; at = strchr(at + 1, 'x'))
        fprintf(out, "<text x=%g y=%g>%lu</text>", x_of_term(&drawing, term++), drawing.bottom + 13,
                strtoul(at + 1, NULL, 10));
    fputs("</g>", out);
}

void order_write_caption(const json_t *order, FILE *out) {
    fprintf(out, "n = %" JSON_INTEGER_FORMAT ", ", count_of(order, "n"));
    write_escaped(text_of(order, "shape"), out);
    fputs(": ", out);
    write_escaped(text_of(order, "kind"), out);
    if (count_of(order, "height")) {
        fprintf(out, ", height %" JSON_INTEGER_FORMAT ", hash ", count_of(order, "height"));
        write_escaped(text_of(order, "hash"), out);
    }
    if (has_text(order, "why")) {
        fputs("; ", out);
        write_escaped(text_of(order, "why"), out);
    }
}
