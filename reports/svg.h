// SPDX-License-Identifier: MIT
// A frame with axes for one SVG chart; all colours come from page.css.
#ifndef REDUCTIO_SVG_H
#define REDUCTIO_SVG_H

#include <stdbool.h>
#include <stdio.h>

struct svg_axis {
    double low, high; // low < high; powers of ten where `log`
    bool log;
    bool whole; // counts: no tick between whole numbers
    bool bare;  // no ticks: the caller writes its own
    const char *label;
};

struct svg_frame {
    FILE *out;
    double width, height;            // of the whole picture
    double left, right, top, bottom; // margins
    double inset;                    // from the axis to its ends, left and right: for marks beside a value's place
    struct svg_axis x, y;
};

// Shapes times colours: so many marks differ from each other.
enum { SVG_COLOURS = 8, SVG_SHAPES = 8, SVG_MARKS = SVG_COLOURS * SVG_SHAPES };

struct svg_frame svg_frame_of_size(FILE *out, double width, double height);
// <figure>, caption, <svg> with <title>, axes, ticks. The caller writes the marks, then calls svg_close.
void svg_open(const struct svg_frame *frame, const char *title);
void svg_close(const struct svg_frame *frame);
// Picture coordinates; values beyond an axis are put on its end, zero on a log axis on its low end.
double svg_x(const struct svg_frame *frame, double x);
double svg_y(const struct svg_frame *frame, double y);
// Marks differ by shape and by colour, those within eight of each other by both.
void svg_mark(FILE *out, double x, double y, unsigned mark);
// The colour of a mark, as the number in page.css's class: .s0 to .s7.
unsigned svg_colour(unsigned mark);
// Widens [*low, *high] by a positive finite figure; start from (INFINITY, 0).
void svg_widen(double figure, double *low, double *high);
// To whole powers of ten around the data, or, where they span few decades, to 1, 2 or 5 times one.
struct svg_axis svg_log_axis(double low, double high, const char *label);

#endif
