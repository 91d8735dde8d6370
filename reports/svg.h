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
    struct svg_axis x, y;
};

enum { SVG_SERIES = 8 };

struct svg_frame svg_frame_of_size(FILE *out, double width, double height);
// <figure>, caption, <svg> with <title>, axes, ticks. The caller writes the marks, then calls svg_close.
void svg_open(const struct svg_frame *frame, const char *title);
void svg_close(const struct svg_frame *frame);
// Picture coordinates; values beyond an axis are put on its end, zero on a log axis on its low end.
double svg_x(const struct svg_frame *frame, double x);
double svg_y(const struct svg_frame *frame, double y);
// Series differ by shape and by colour.
void svg_mark(FILE *out, double x, double y, unsigned series);
// Widens [*low, *high] by a positive finite figure; start from (INFINITY, 0).
void svg_widen(double figure, double *low, double *high);
// To whole powers of ten around the data, or, where they span few decades, to 1, 2 or 5 times one.
struct svg_axis svg_log_axis(double low, double high, const char *label);

#endif
