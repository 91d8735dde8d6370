// SPDX-License-Identifier: MIT
#include "reports/scatter.h"
#include "reports/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct place {
    unsigned series; // of its plot
    double x, y;
};

// The places of one series in one bin.
struct group {
    unsigned series;
    size_t count;
    double x, low, median, high;
};

// Whiskers of one place stand so many pixels apart.
enum { PLOT_SERIES = 16, WHISKER_STEP = 3 };

struct plot {
    const struct scatter *scatter;
    struct place *places;
    struct group *groups;
    size_t place_count, group_count;
    const char *series[PLOT_SERIES]; // values of the accuracy claim
    unsigned marks[PLOT_SERIES];     // of the page
    unsigned series_count;
};

static unsigned series_of(struct plot *plot, struct series *marks, const char *name) {
    for (unsigned s = 0; s < plot->series_count; s++)
        if (!strcmp(plot->series[s], name))
            return s;
    if (plot->series_count == PLOT_SERIES) // there are fewer kinds of claims; of a strange run the last one takes them
        return PLOT_SERIES - 1;
    plot->series[plot->series_count] = name;
    plot->marks[plot->series_count] = series_mark(marks, SERIES_CLAIM, name);
    return plot->series_count++;
}

static double bin_of(double x, double bin) {
    return bin > 1 && isfinite(x) && x > 0 ? pow(bin, round(log(x) / log(bin))) : x;
}

// Beyond the bound and still not bad: what the row flushes or lets overflow, which is another claim's matter.
static bool is_excused(const struct cell_view *cell) {
    return cell->error_over_bound > 1 && !finding_is_bad(cell->head);
}

// Only underflow makes a bound exceed a sum that well-conditioned data have: n·u·cond would not.
static bool is_lost_to_underflow(const struct cell_view *cell, double u) {
    double growth = (double)count_of(cell->json, "n") * u * figure_of(cell->dataset, "condition");
    return figure_of(cell->json, "bound_over_sum") >= 1 && growth < 0.5;
}

static void collect(struct plot *plot, const struct page *page) {
    for (size_t v = 0; v < page->view->variant_count; v++) {
        const struct variant_view *variant = &page->view->variants[v];
        const json_t *claim = claim_named(variant->json, "accuracy");
        if (variant->planted || !claim || strcmp(text_of(variant->json, "type"), plot->scatter->type))
            continue;
        for (size_t i = 0; i < variant->cell_count; i++) {
            const struct cell_view *cell = &page->view->cells[variant->cells[i]];
            struct place place;
            if (!cell->dataset || !flag_of(cell->json, "has_result") || flag_of(cell->dataset, "never_rounds") ||
                is_excused(cell) || is_lost_to_underflow(cell, plot->scatter->u) ||
                !plot->scatter->read(cell, &place.x, &place.y) || place.x > plot->scatter->x_most)
                continue;
            if (plot->scatter->values && strcmp(plot->scatter->values, text_of(cell->dataset, "values")) != 0)
                continue;
            place.series = series_of(plot, page->series, text_of(claim, "value"));
            place.x = bin_of(place.x, plot->scatter->bin);
            plot->places[plot->place_count++] = place;
        }
    }
}

static int compare_places(const void *a, const void *b) {
    const struct place *p = a, *q = b;
    if (p->series != q->series)
        return p->series < q->series ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static void group_places(struct plot *plot) {
    qsort(plot->places, plot->place_count, sizeof *plot->places, compare_places);
    for (size_t first = 0, end; first < plot->place_count; first = end) {
        const struct place *place = &plot->places[first];
        for (end = first + 1;
             end < plot->place_count && plot->places[end].series == place->series && plot->places[end].x == place->x;)
            end++;
        plot->groups[plot->group_count++] = (struct group){.series = place->series,
                                                           .count = end - first,
                                                           .x = place->x,
                                                           .low = place->y,
                                                           .median = plot->places[(first + end - 1) / 2].y,
                                                           .high = plot->places[end - 1].y};
    }
}

static struct svg_frame frame_of(const struct plot *plot, FILE *out) {
    struct svg_frame frame = svg_frame_of_size(out, 560, 360);
    double x_low = INFINITY, x_high = 0, y_low = INFINITY, y_high = 0;
    for (size_t i = 0; i < plot->place_count; i++) {
        svg_widen(plot->places[i].x, &x_low, &x_high);
        svg_widen(fmin(fmax(plot->places[i].y, plot->scatter->y_least), plot->scatter->y_most), &y_low, &y_high);
    }
    frame.inset = WHISKER_STEP * (plot->series_count - 1) / 2.0 + 6;
    frame.x = svg_log_axis(x_low, x_high, plot->scatter->x_label);
    frame.y = svg_log_axis(y_low, y_high, plot->scatter->y_label);
    return frame;
}

struct point {
    double x, y;
};

// Whether a straight line from the first point to the last passes within 0.2 pixels of all in between.
static bool is_straight(const struct point *points, size_t count) {
    const struct point *from = &points[0], *to = &points[count - 1];
    for (size_t i = 1; i + 1 < count; i++) {
        double share = (points[i].x - from->x) / (to->x - from->x);
        if (!(fabs(from->y + share * (to->y - from->y) - points[i].y) < 0.2))
            return false;
    }
    return true;
}

enum { GUIDE_STEPS = 120, GUIDE_LEAST = 90 }; // pixels from left to right below which a guide shows nothing

// The points of a guide that lie inside the frame, from left to right; guides rise, so these are one piece.
static size_t trace_guide(const struct svg_frame *frame, const struct scatter_guide *guide, double u,
                          struct point points[GUIDE_STEPS + 1]) {
    size_t count = 0;
    for (int i = 0; i <= GUIDE_STEPS; i++) {
        double x = frame->x.low * pow(frame->x.high / frame->x.low, (double)i / GUIDE_STEPS), y = guide->at(x, u);
        if (y >= frame->y.low && y <= frame->y.high)
            points[count++] = (struct point){svg_x(frame, x), svg_y(frame, y)};
    }
    return count;
}

enum { NAME_WIDTH = 70, NAME_HEIGHT = 12 };

// Guides may end in one place: a name that would stand on an earlier one goes above it or, at the top, left of it.
static struct point place_name(const struct point *end, const struct point *names, size_t count) {
    struct point place = {end->x - 3, end->y - 4};
    for (size_t i = 0; i < count; i++)
        if (fabs(names[i].x - place.x) < NAME_WIDTH && fabs(names[i].y - place.y) < NAME_HEIGHT) {
            bool above = names[i].y >= 2 * NAME_HEIGHT;
            place = (struct point){above ? place.x : names[i].x - NAME_WIDTH, names[i].y - (above ? NAME_HEIGHT : 0)};
        }
    return place;
}

// Most guides are straight on these axes: a point is written where the line turns. Where its name went: false for none.
static bool write_guide(const struct svg_frame *frame, const struct scatter_guide *guide, double u,
                        const struct point *names, size_t name_count, struct point *name) {
    struct point points[GUIDE_STEPS + 1];
    size_t count = trace_guide(frame, guide, u, points), written = 0;
    if (count < 2 || points[count - 1].x - points[0].x < GUIDE_LEAST)
        return false;
    fprintf(frame->out, "<path class=guide d=\"M%.1f %.1f", points[0].x, points[0].y);
    for (size_t i = 1; i < count; i++)
        if (i + 1 == count || !is_straight(points + written, i + 2 - written)) {
            fprintf(frame->out, "L%.1f %.1f", points[i].x, points[i].y);
            written = i;
        }
    *name = place_name(&points[count - 1], names, name_count);
    fprintf(frame->out, "\"/><text x=%.1f y=%.1f text-anchor=end>%s</text>", name->x, name->y, guide->name);
    return true;
}

static void write_guides(const struct svg_frame *frame, const struct scatter *scatter) {
    struct point names[SCATTER_GUIDES];
    size_t count = 0;
    for (size_t g = 0; g < scatter->guide_count; g++)
        count += write_guide(frame, &scatter->guides[g], scatter->u, names, count, &names[count]);
}

static void write_series(const struct plot *plot, const struct svg_frame *frame, unsigned series) {
    const unsigned mark = plot->marks[series], colour = svg_colour(mark);
    fprintf(frame->out, "<path class=\"line s%u%s\" d=\"", colour, mark < SVG_COLOURS ? "" : " again");
    char command = 'M';
    for (size_t i = 0; i < plot->group_count; i++)
        if (plot->groups[i].series == series && plot->groups[i].median > 0) {
            fprintf(frame->out, "%c%.1f %.1f", command, svg_x(frame, plot->groups[i].x),
                    svg_y(frame, plot->groups[i].median));
            command = 'L';
        }
    fputs("\"/>", frame->out);
    for (size_t i = 0; i < plot->group_count; i++) {
        const struct group *group = &plot->groups[i];
        if (group->series != series)
            continue;
        // Side by side, so that no series hides another.
        double x = svg_x(frame, group->x) + WHISKER_STEP * (series - (plot->series_count - 1) / 2.0);
        double low = group->low > 0 ? group->low : group->median > 0 ? group->median : group->high;
        fprintf(frame->out, "<path class=\"whisker s%u\" d=\"M%.1f %.1fV%.1f\"/>", colour, x, svg_y(frame, low),
                svg_y(frame, group->high));
        svg_mark(frame->out, x, svg_y(frame, group->high), mark);
    }
}

static void write_key(const struct plot *plot, FILE *out) {
    fputs("<ul class=series>", out);
    for (unsigned s = 0; s < plot->series_count; s++)
        write_series_item(plot->marks[s], plot->series[s], "", out);
    fputs("</ul>\n", out);
}

static void write_table(const struct plot *plot, FILE *out) {
    fputs("<details><summary>Data</summary><div class=scroll><table><thead><tr><th>accuracy claimed<th>", out);
    write_escaped(plot->scatter->x_label, out);
    fputs("<th>cells<th>min<th>median<th>max</thead>\n", out);
    for (size_t i = 0; i < plot->group_count; i++) {
        const struct group *group = &plot->groups[i];
        fputs("<tr><td>", out);
        write_escaped(plot->series[group->series], out);
        fprintf(out, "<td class=r>%.4g<td class=r>%zu", group->x, group->count);
        const double figures[] = {group->low, group->median, group->high};
        for (size_t f = 0; f < 3; f++) {
            fputs("<td class=r>", out);
            write_figure(figures[f], out);
        }
        fputc('\n', out);
    }
    fputs("</table></div></details></figure>\n", out);
}

static void write_plot(const struct plot *plot, FILE *out) {
    const struct scatter *scatter = plot->scatter;
    struct svg_frame frame = frame_of(plot, out);
    svg_open(&frame, scatter->title);
    write_guides(&frame, scatter);
    for (unsigned s = 0; s < plot->series_count; s++)
        write_series(plot, &frame, s);
    svg_close(&frame);
    write_key(plot, out);
    write_table(plot, out);
}

// Something to see: an error, and how errors change from one place to another.
static bool is_worth_a_chart(const struct plot *plot) {
    bool has_error = false, has_two_places = false;
    for (size_t i = 0; i < plot->place_count; i++) {
        has_error |= plot->places[i].y > 0;
        has_two_places |= plot->places[i].x != plot->places[0].x;
    }
    return has_error && has_two_places;
}

bool scatter_write(const struct page *page, const struct scatter *scatter) {
    struct plot plot = {.scatter = scatter};
    plot.places = calloc(page->view->cell_count + 1, sizeof *plot.places);
    plot.groups = calloc(page->view->cell_count + 1, sizeof *plot.groups);
    bool good = plot.places && plot.groups;
    if (good) {
        collect(&plot, page);
        group_places(&plot);
        if (is_worth_a_chart(&plot))
            write_plot(&plot, page->out);
    }
    free(plot.places);
    free(plot.groups);
    return good;
}
