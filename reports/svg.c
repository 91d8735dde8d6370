// SPDX-License-Identifier: MIT
#include "reports/svg.h"
#include "reports/text.h"

#include <math.h>

struct svg_frame svg_frame_of_size(FILE *out, double width, double height) {
    return (struct svg_frame){
        .out = out, .width = width, .height = height, .left = 58, .right = 14, .top = 18, .bottom = 42};
}

static double place(const struct svg_axis *axis, double value) {
    double low = axis->low, high = axis->high;
    if (axis->log) {
        low = log10(low);
        high = log10(high);
        value = value > 0 ? log10(value) : low;
    }
    double share = (value - low) / (high - low);
    return isnan(share) || share < 0 ? 0 : share > 1 ? 1 : share;
}

double svg_x(const struct svg_frame *frame, double x) {
    double width = frame->width - frame->left - frame->right - 2 * frame->inset;
    return frame->left + frame->inset + place(&frame->x, x) * width;
}

double svg_y(const struct svg_frame *frame, double y) {
    return frame->height - frame->bottom - place(&frame->y, y) * (frame->height - frame->top - frame->bottom);
}

void svg_widen(double figure, double *low, double *high) {
    if (!isfinite(figure) || figure <= 0)
        return;
    *low = fmin(*low, figure);
    *high = fmax(*high, figure);
}

static const double marks[] = {1, 2, 5, 10};
enum { MARKS = sizeof marks / sizeof *marks - 1 };

// Few decades get marks between the powers of ten, so that the data fill the picture.
static bool is_narrow(double low, double high) {
    return high / low <= 300;
}

struct svg_axis svg_log_axis(double low, double high, const char *label) {
    if (!(low <= high))
        low = high = 1;
    double first = pow(10, floor(log10(low))), last = pow(10, floor(log10(high)));
    struct svg_axis axis = {
        .low = first, .high = last * (last < high || first == last ? 10 : 1), .log = true, .label = label};
    for (int m = MARKS; is_narrow(low, high) && m-- > 0;)
        if (first * marks[m] <= low && first * marks[m] > axis.low)
            axis.low = first * marks[m];
    for (int m = 1; is_narrow(low, high) && m <= MARKS; m++)
        if (last * marks[m] >= high && last * marks[m] > axis.low && last * marks[m] < axis.high)
            axis.high = last * marks[m];
    return axis;
}

static void write_power_of_ten(double decade, FILE *out) {
    fprintf(out, "10<tspan dy=-4 font-size=9>%s%.0f</tspan>", decade < 0 ? "−" : "", fabs(decade));
}

// "−250", "1.5·10⁸"
static void write_tick_figure(double value, FILE *out) {
    double decade = value == 0 ? 0 : floor(log10(fabs(value)) + 1e-9);
    if (value < 0)
        fputs("−", out);
    if (fabs(decade) < 5) {
        fprintf(out, "%.6g", fabs(value));
        return;
    }
    double digits = fabs(value) / pow(10, decade);
    if (fabs(digits - 1) > 1e-6)
        fprintf(out, "%.3g·", digits);
    write_power_of_ten(decade, out);
}

static void write_tick(const struct svg_frame *frame, bool horizontal, double value, double decade) {
    double x = horizontal ? svg_x(frame, value) : frame->left, y = horizontal ? frame->top : svg_y(frame, value);
    double x2 = horizontal ? x : frame->width - frame->right, y2 = horizontal ? frame->height - frame->bottom : y;
    fprintf(frame->out, "<path class=grid d=\"M%.1f %.1fL%.1f %.1f\"/>", x, y, x2, y2);
    double text_x = horizontal ? x : frame->left - 5, text_y = horizontal ? y2 + 16 : y + 4;
    fprintf(frame->out, "<text x=%.1f y=%.1f text-anchor=%s>", text_x, text_y, horizontal ? "middle" : "end");
    if (isnan(decade))
        write_tick_figure(value, frame->out);
    else
        write_power_of_ten(decade, frame->out);
    fputs("</text>", frame->out);
}

static void write_narrow_ticks(const struct svg_frame *frame, const struct svg_axis *axis, bool horizontal) {
    const double rounding = 1e-9;
    for (double power = pow(10, floor(log10(axis->low))); power <= axis->high; power *= 10)
        for (int m = 0; m < MARKS; m++)
            if (power * marks[m] >= axis->low * (1 - rounding) && power * marks[m] <= axis->high * (1 + rounding))
                write_tick(frame, horizontal, power * marks[m], (double)NAN);
}

static void write_log_ticks(const struct svg_frame *frame, const struct svg_axis *axis, bool horizontal) {
    if (is_narrow(axis->low, axis->high)) {
        write_narrow_ticks(frame, axis, horizontal);
        return;
    }
    double first = ceil(log10(axis->low) - 1e-9), last = floor(log10(axis->high) + 1e-9);
    double step = fmax(1, ceil((last - first) / 8));
    for (double decade = first; decade <= last; decade += step)
        write_tick(frame, horizontal, pow(10, decade), decade);
}

// Steps of 1, 2 or 5 times a power of ten, at most about eight.
static void write_linear_ticks(const struct svg_frame *frame, const struct svg_axis *axis, bool horizontal) {
    double rough = (axis->high - axis->low) / 7, power = pow(10, floor(log10(rough)));
    double step = rough / power <= 1   ? power
                  : rough / power <= 2 ? 2 * power
                  : rough / power <= 5 ? 5 * power
                                       : 10 * power;
    step = axis->whole ? fmax(step, 1) : step;
    double first = ceil(axis->low / step);
    for (int i = 0; i < 12 && (first + i) * step <= axis->high; i++)
        write_tick(frame, horizontal, (first + i) * step, (double)NAN);
}

static void write_ticks(const struct svg_frame *frame, const struct svg_axis *axis, bool horizontal) {
    if (axis->bare)
        return;
    if (axis->log)
        write_log_ticks(frame, axis, horizontal);
    else
        write_linear_ticks(frame, axis, horizontal);
}

void svg_open(const struct svg_frame *frame, const char *title) {
    FILE *out = frame->out;
    double bottom = frame->height - frame->bottom, middle = (frame->top + bottom) / 2;
    fputs("<figure><figcaption>", out);
    write_escaped(title, out);
    fprintf(out, "</figcaption><svg viewBox=\"0 0 %.0f %.0f\" role=img><title>", frame->width, frame->height);
    write_escaped(title, out);
    fputs("</title>", out);
    write_ticks(frame, &frame->x, true);
    write_ticks(frame, &frame->y, false);
    fprintf(out, "<path class=axis d=\"M%.1f %.1fV%.1fH%.1f\"/>", frame->left, frame->top, bottom,
            frame->width - frame->right);
    fprintf(out, "<text x=%.1f y=%.1f text-anchor=middle>", (frame->left + frame->width - frame->right) / 2,
            frame->height - 8);
    write_escaped(frame->x.label, out);
    fprintf(out, "</text><text transform=\"translate(13 %.1f) rotate(-90)\" text-anchor=middle>", middle);
    write_escaped(frame->y.label, out);
    fputs("</text>\n", out);
}

void svg_close(const struct svg_frame *frame) {
    fputs("</svg>\n", frame->out);
}

unsigned svg_colour(unsigned mark) {
    return mark % SVG_COLOURS;
}

// Each round of colours goes on with shapes that the last one gave to other colours.
void svg_mark(FILE *out, double x, double y, unsigned mark) {
    static const char *const shapes[SVG_SHAPES] = {
        "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",                           // circle
        "m-3.5 -3.5h7v7h-7z",                                           // square
        "m0 -5l4.5 8h-9z",                                              // triangle
        "m0 -5l5 5-5 5-5-5z",                                           // diamond
        "m0 5l4.5 -8h-9z",                                              // triangle, upside down
        "m-1.3 -4.5h2.6v3.2h3.2v2.6h-3.2v3.2h-2.6v-3.2h-3.2v-2.6h3.2z", // plus
        ("m-4.5 -2.7l1.8 -1.8 2.7 2.7 2.7 -2.7 1.8 1.8 -2.7 2.7 2.7 2.7 -1.8 1.8 -2.7 -2.7 -2.7 2.7 -1.8 -1.8 2.7 "
         "-2.7z"),              // cross
        "m-5 -1.6h10v3.2h-10z", // bar
    };
    fprintf(out, "<path class=\"mark s%u\" d=\"M%.1f %.1f%s\"/>", svg_colour(mark), x, y,
            shapes[(mark + mark / SVG_COLOURS) % SVG_SHAPES]);
}
