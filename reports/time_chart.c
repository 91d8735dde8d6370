// SPDX-License-Identifier: MIT
#include "reports/time_chart.h"
#include "reports/svg.h"
#include "reports/timing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A row's line, with its variant's mark; dashed where it adds in a wider type than that of its input.
struct line {
    const char *name, *type;
    size_t wins;   // sizes at which it is the fastest
    double last;   // its time at the largest size
    unsigned mark; // of the page
};

struct chart {
    struct timings timings; // of one series, a timing for each row and size
    struct line *lines;
    size_t line_count;
};

static bool same_line(const struct line *line, const struct timing *timing) {
    return !strcmp(line->name, timing->name) && !strcmp(line->type, timing->type);
}

// A row may have been timed in several launch shapes: the chart shows the fastest, which comes first in its group.
static void take_fastest(struct chart *chart, const struct timings *all, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const struct timing *timing = &all->items[i];
        const struct line line = {.name = timing->name, .type = timing->type};
        bool slower = false;
        for (size_t k = chart->timings.count; k-- > 0 && !slower && chart->timings.items[k].n == timing->n;)
            slower = same_line(&line, &chart->timings.items[k]);
        if (!slower)
            chart->timings.items[chart->timings.count++] = *timing;
    }
}

static struct line *line_of(struct chart *chart, const struct timing *timing) {
    for (size_t l = 0; l < chart->line_count; l++)
        if (same_line(&chart->lines[l], timing))
            return &chart->lines[l];
    chart->lines[chart->line_count] = (struct line){.name = timing->name, .type = timing->type};
    return &chart->lines[chart->line_count++];
}

// Who is the fastest somewhere first, and cub_sum, to which all are compared; then by the time at the largest size.
static int compare_lines(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    bool x_first = x->wins || !strcmp(x->name, "cub_sum"), y_first = y->wins || !strcmp(y->name, "cub_sum");
    if (x_first != y_first)
        return x_first ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

static void gather_lines(struct chart *chart, struct series *series) {
    for (size_t i = 0; i < chart->timings.count; i++)
        line_of(chart, &chart->timings.items[i])->last = chart->timings.items[i].median;
    for (size_t i = 0; i < chart->timings.count; i = timings_group_end(&chart->timings, i))
        line_of(chart, &chart->timings.items[i])->wins++;
    qsort(chart->lines, chart->line_count, sizeof *chart->lines, compare_lines);
    for (size_t l = 0; l < chart->line_count; l++)
        chart->lines[l].mark = series_mark(series, SERIES_VARIANT, chart->lines[l].name);
}

static struct svg_frame frame_of(const struct chart *chart, FILE *out) {
    struct svg_frame frame = svg_frame_of_size(out, 560, 400);
    double x_low = INFINITY, x_high = 0, y_low = INFINITY, y_high = 0;
    for (size_t i = 0; i < chart->timings.count; i++) {
        svg_widen((double)chart->timings.items[i].n, &x_low, &x_high);
        svg_widen(chart->timings.items[i].median / 1e3, &y_low, &y_high);
    }
    frame.inset = 6;
    frame.x = svg_log_axis(x_low, x_high, "n");
    frame.y = svg_log_axis(y_low, y_high, "median time of a call, µs");
    return frame;
}

static bool is_wide(const struct line *line) {
    return strchr(line->type, ':') != NULL;
}

static void write_line(const struct chart *chart, const struct svg_frame *frame, const struct line *line) {
    FILE *out = frame->out;
    char command = 'M';
    fputs("<g><title>", out);
    write_escaped(line->name, out);
    fputc(' ', out);
    write_escaped(line->type, out);
    fprintf(out, "</title><path class=\"line s%u%s%s\" d=\"", svg_colour(line->mark), is_wide(line) ? " wide" : "",
            line - chart->lines < SVG_COLOURS ? "" : " faint");
    for (size_t i = 0; i < chart->timings.count; i++) {
        const struct timing *timing = &chart->timings.items[i];
        if (!same_line(line, timing))
            continue;
        fprintf(out, "%c%.1f %.1f", command, svg_x(frame, (double)timing->n), svg_y(frame, timing->median / 1e3));
        command = 'L';
    }
    fputs("\"/>", out);
    for (size_t i = 0; i < chart->timings.count; i++) {
        const struct timing *timing = &chart->timings.items[i];
        if (same_line(line, timing))
            svg_mark(out, svg_x(frame, (double)timing->n), svg_y(frame, timing->median / 1e3), line->mark);
    }
    fputs("</g>", out);
}

static void write_key(const struct chart *chart, FILE *out) {
    fputs("<ul class=series>", out);
    for (size_t l = 0; l < chart->line_count; l++) {
        const struct line *line = &chart->lines[l];
        write_series_item(line->mark, line->name, is_wide(line) ? " " : "", out);
        if (is_wide(line)) {
            write_escaped(line->type, out);
            fputs(" (dashed)", out);
        }
    }
    fputs("</ul>\n", out);
}

static void write_row(const struct timing *timing, const struct timing *reference, FILE *out) {
    fprintf(out, "<tr><td class=r>%" PRIu64 "<td>", timing->n);
    write_escaped(timing->name, out);
    fputs("<td>", out);
    write_escaped(timing->type, out);
    const double figures[] = {timing->median / 1e3,
                              timing->low / 1e3,
                              timing->high / 1e3,
                              timing->rate,
                              timing->share > 0 ? 100 * timing->share : (double)NAN,
                              reference ? timing->median / reference->median : (double)NAN};
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
        fputs("<td class=r>", out);
        write_figure(figures[f], out);
    }
    fputc('\n', out);
}

static void write_table(const struct chart *chart, FILE *out) {
    fputs("<details><summary>Data</summary><div class=scroll><table><thead><tr><th class=r>n<th>variant<th>type"
          "<th class=r>median µs<th class=r>min<th class=r>max<th class=r>GB/s<th class=r>% of a read-only kernel"
          "<th class=r>time over cub_sum's</thead>\n",
          out);
    for (size_t first = 0, end; first < chart->timings.count; first = end) {
        const struct timing *reference = timings_reference(&chart->timings, first);
        end = timings_group_end(&chart->timings, first);
        for (size_t i = first; i < end; i++)
            write_row(&chart->timings.items[i], reference, out);
    }
    fputs("</table></div></details></figure>\n", out);
}

static void write_chart(struct chart *chart, const struct page *page) {
    FILE *out = page->out;
    const struct timing *first = chart->timings.items;
    char title[192];
    gather_lines(chart, page->series);
    struct svg_frame frame = frame_of(chart, out);
    snprintf(title, sizeof title, "%.*s: time against n on %.20s, %.60s%s", timing_input_type(first->type), first->type,
             first->backend, first->values, strcmp(first->backend, "cuda") ? " (CPU: says nothing of a GPU)" : "");
    svg_open(&frame, title);
    for (size_t l = chart->line_count; l-- > 0;) // the first ones last, on top
        write_line(chart, &frame, &chart->lines[l]);
    svg_close(&frame);
    write_key(chart, out);
    write_table(chart, out);
}

static bool write_series(const struct page *page, const struct timings *all, size_t first, size_t end) {
    struct chart chart = {.timings.items = calloc(end - first, sizeof *chart.timings.items),
                          .lines = calloc(end - first, sizeof *chart.lines)};
    bool good = chart.timings.items && chart.lines;
    if (good) {
        take_fastest(&chart, all, first, end);
        write_chart(&chart, page);
    }
    free(chart.lines);
    timings_free(&chart.timings);
    return good;
}

bool time_charts_write(const struct page *page) {
    struct timings timings;
    // Only a bench times its cells for their own sake; elsewhere a single call's time is no measurement.
    if (strcmp(text_of(page->view->json, "command"), "bench") != 0)
        return true;
    bool good = timings_make(&timings, page->view);
    for (size_t first = 0, end; good && first < timings.count; first = end) {
        end = timings_series_end(&timings, first);
        if (timings_group_end(&timings, first) < end) // one size is no line
            good = write_series(page, &timings, first, end);
    }
    timings_free(&timings);
    return good;
}
