// SPDX-License-Identifier: MIT
// The charts: error against condition number (after Ogita, Rump & Oishi 2005, figure 6.1) and against n, run-to-run and
// signed-error histograms.
#include "reports/histogram.h"
#include "reports/pareto.h"
#include "reports/scatter.h"
#include "reports/time_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double guide_u(double x, double u) {
    return (void)x, u;
}
static double guide_u_cond(double x, double u) {
    return u * x;
}
static double guide_u2_cond(double x, double u) {
    return u + u * u * x;
}
static double guide_n(double x, double u) {
    return (void)u, x;
}
static double guide_root_n(double x, double u) {
    return (void)u, sqrt(x);
}
static double guide_log_n(double x, double u) {
    return (void)u, log2(x);
}

static const struct scatter_guide condition_guides[] = {
    {"u", guide_u}, {"u·cond", guide_u_cond}, {"u + u²·cond", guide_u2_cond}};
static const struct scatter_guide size_guides[] = {{"n", guide_n}, {"√n", guide_root_n}, {"log₂ n", guide_log_n}};

static bool read_condition(const struct cell_view *cell, double *x, double *y) {
    *x = figure_of(cell->dataset, "condition");
    // A relative error above 2 says no more than 2: no digit is right.
    *y = fmin(figure_of(cell->json, "relative_error"), 2);
    return isfinite(*x) && *x >= 1 && !isnan(figure_of(cell->json, "relative_error"));
}

static bool read_size(const struct cell_view *cell, double *x, double *y) {
    *x = (double)count_of(cell->json, "n");
    *y = figure_of(cell->json, "error_over_uA");
    return *x >= 2 && isfinite(*y);
}

// The values with the most inputs of a type on which something rounds: those that show growth with n. NULL for none.
static const char *most_used_values(const struct page *page, const char *input_type, size_t length) {
    size_t *counts = calloc(page->view->family_count + 1, sizeof *counts), best = 0, i;
    json_t *dataset;
    const char *name = NULL;
    json_array_foreach(json_object_get(page->run, "datasets"), i, dataset) {
        const char *type = text_of(dataset, "type");
        bool counts_here =
            strlen(type) == length && !strncmp(type, input_type, length) && !flag_of(dataset, "never_rounds");
        for (size_t f = 0; counts && f < page->view->family_count && counts_here; f++)
            counts[f] += !strcmp(page->view->families[f], text_of(dataset, "values"));
    }
    for (size_t f = 0; counts && f < page->view->family_count; f++)
        if (counts[f] > best) {
            best = counts[f];
            name = page->view->families[f];
        }
    free(counts);
    return name;
}

static bool write_errors(const struct page *page, const char *type) {
    const double u = unit_roundoff(type);
    const char *values = most_used_values(page, type, strcspn(type, ":"));
    char condition_title[96], size_title[128];
    if (isnan(u))
        return true;
    snprintf(condition_title, sizeof condition_title, "%.20s: relative error against condition number", type);
    snprintf(size_title, sizeof size_title, "%.20s: err/(u·A) against n, on %.60s", type,
             values ? values : "all inputs");
    const struct scatter condition = {.title = condition_title,
                                      .x_label = "condition number Σ|x| / |Σx|",
                                      .y_label = "relative error",
                                      .type = type,
                                      .u = u,
                                      .read = read_condition,
                                      .x_most = 1 / (u * u * u),
                                      .y_least = u / 100,
                                      .y_most = 2,
                                      .bin = 10,
                                      .guides = condition_guides,
                                      .guide_count = sizeof condition_guides / sizeof *condition_guides};
    const struct scatter size = {.title = size_title,
                                 .x_label = "n",
                                 .y_label = "err / (u·Σ|x|)",
                                 .type = type,
                                 .values = values,
                                 .u = u,
                                 .read = read_size,
                                 .x_most = INFINITY,
                                 .y_least = 1e-3,
                                 .y_most = 1e6,
                                 .bin = 2,
                                 .guides = size_guides,
                                 .guide_count = sizeof size_guides / sizeof *size_guides};
    return scatter_write(page, &condition) && scatter_write(page, &size);
}

// Charts of each type that the run has, in the order of its variants. False when memory is out.
static bool write_each_type(const struct page *page, bool (*write)(const struct page *page, const char *type)) {
    for (size_t v = 0; v < page->view->variant_count; v++) {
        const char *type = text_of(page->view->variants[v].json, "type");
        size_t first = 0;
        while (strcmp(text_of(page->view->variants[first].json, "type"), type) != 0)
            first++;
        if (first == v && !write(page, type))
            return false;
    }
    return true;
}

static bool write_times(const struct page *page) {
    return write_each_type(page, pareto_write) && time_charts_write(page);
}

bool page_charts(const struct page *page) {
    fputs(
        "<section id=charts><h2>Charts</h2>\n"
        "<p>A mark means the same in every chart: in those of errors a claim of accuracy, all variants that make it "
        "together; in those of speed, time and runs a variant. A line joins medians over cells (variants, orders, "
        "launch shapes, schedules), a whisker reaches from the smallest error that is not 0 to the largest, a mark is "
        "on the largest; those of one place stand side by side. What lies beyond an axis is drawn on its edge. Left "
        "out are inputs on which no addition rounds, cells whose error is not one of accuracy (what a row flushes or "
        "lets overflow, and says so), and charts of inputs that are all alike. Grey dashed lines are guides, not "
        "bounds.</p>\n"
        "<div class=charts>\n",
        page->out);
    bool of_times = !strcmp(text_of(page->run, "command"), "bench"); // then they are what was asked for
    bool good = !of_times || write_times(page);
    good = good && write_each_type(page, write_errors) && histogram_write_bias(page);
    good = good && (of_times || write_times(page));
    histogram_write_runs(page);
    fputs("</div>\n</section>\n", page->out);
    return good;
}
