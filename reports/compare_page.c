// SPDX-License-Identifier: MIT
// Before and after on one offline page: what differs around the runs, the map, then every cell that changed. No script,
// so its Content-Security-Policy lets none run.
#include "reports/compare_map.h"
#include "reports/order_drawing.h"
#include "reports/page_answer.h"
#include "reports/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_A_KIND = 1000 };

struct compare_page {
    FILE *out;
    const struct comparison *comparison;
    const struct change_map *map;
};

static void write_head(const struct compare_page *page) {
    bool regressed = comparison_regressed(page->comparison);
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ",
          page->out);
    write_policy_hash(page_css_sha256, page->out);
    fprintf(page->out,
            "; base-uri 'none'; form-action 'none'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>Reductio: %s</title>\n<style>%s</style>\n</head>\n<body>\n"
            "<nav aria-label=\"Sections\"><b>Reductio</b> <a href=\"#environment\">Environment</a> %s"
            "<a href=\"#map\">Map</a> <a href=\"#cells\">Cells</a> <a href=\"#legend\">Legend</a></nav>\n<main>\n",
            regressed ? "regression" : "no regression", page_css,
            json_array_size(page->comparison->orders) ? "<a href=\"#orders\">Orders</a> " : "");
}

static void write_pair(const struct compare_page *page, const char *name, const char *before, const char *after) {
    fputs("<tr><th>", page->out);
    write_escaped(name, page->out);
    fputs("<td>", page->out);
    write_escaped(before, page->out);
    fputs("<td>", page->out);
    write_escaped(after, page->out);
    fputc('\n', page->out);
}

static void write_runs(const struct compare_page *page) {
    static const char *const members[] = {"command", "tier", "seed", "started", "verdict"};
    const json_t *before = page->comparison->before, *after = page->comparison->after;
    write_pair(page, "commit", text_of(json_object_get(before, "environment"), "commit"),
               text_of(json_object_get(after, "environment"), "commit"));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        write_pair(page, members[i], text_of(before, members[i]), text_of(after, members[i]));
    if (flag_of(before, "interrupted") || flag_of(after, "interrupted"))
        write_pair(page, "interrupted", flag_of(before, "interrupted") ? "yes" : "no",
                   flag_of(after, "interrupted") ? "yes" : "no");
}

static void write_environment(const struct compare_page *page) {
    const char *key;
    json_t *values;
    fputs("<section id=environment><h2>What differs around the runs</h2>\n<div class=scroll><table class=pairs>\n"
          "<thead><tr><th><th>before<th>after</thead>\n",
          page->out);
    json_object_foreach(page->comparison->environment, key, values) {
        write_pair(page, key, json_string_value(json_array_get(values, 0)),
                   json_string_value(json_array_get(values, 1)));
    }
    write_runs(page);
    fprintf(page->out, "</table></div>\n<p>The environments %s.</p>\n</section>\n",
            !page->comparison->times_compared ? "differ, so times were not compared"
            : ran_on(page->comparison->before, "cuda") && ran_on(page->comparison->after, "cuda")
                ? "are the same, so times on the GPU were compared"
                : "are the same; only times on a GPU are compared, and here are none");
}

static void write_verdict(const struct compare_page *page) {
    const size_t *counts = page->comparison->counts;
    bool regressed = comparison_regressed(page->comparison);
    fprintf(page->out, "<header class=%s><h1>%s: ", regressed ? "bad" : "good",
            regressed ? "Regression" : "No regression");
    for (int kind = 0; kind < CHANGE_COUNT; kind++)
        fprintf(page->out, "%s%zu %s", kind ? ", " : "", counts[kind], change_word((enum change)kind));
    fprintf(page->out, "</h1>\n<p>%zu cells in all. Variants whose bits changed: %zu.</p>\n</header>\n",
            page->comparison->cell_count, comparison_changed_variants(page->comparison));
}

static void write_order_side(const struct compare_page *page, const char *when, const json_t *order) {
    double width, height;
    fprintf(page->out, "<figure><figcaption>%s: ", when);
    order_write_caption(order, page->out);
    fputs("</figcaption>\n", page->out);
    if (order_drawing_size(order, &width, &height)) {
        fprintf(page->out,
                "<div class=scroll><svg class=tree width=%g height=%g viewBox=\"0 0 %g %g\" role=img><title>%s: ",
                width, height, width, height, when);
        order_write_caption(order, page->out);
        fputs("</title>", page->out);
        order_drawing_write(order, page->out);
        fputs("</svg></div>\n<details><summary>Formula</summary><code class=id>", page->out);
        write_escaped(text_of(order, "formula"), page->out);
        fputs("</code></details>\n", page->out);
    }
    fputs("</figure>\n", page->out);
}

static void write_orders(const struct compare_page *page) {
    size_t i;
    json_t *order;
    if (!json_array_size(page->comparison->orders))
        return;
    fputs("<section id=orders><h2>Orders of additions that changed</h2>\n", page->out);
    json_array_foreach(page->comparison->orders, i, order) {
        fputs("<h3>", page->out);
        write_escaped(text_of(order, "variant"), page->out);
        fputs("</h3>\n", page->out);
        fputs("<div class=charts>\n", page->out);
        write_order_side(page, "before", json_object_get(order, "before"));
        write_order_side(page, "after", json_object_get(order, "after"));
        fputs("</div>\n", page->out);
    }
    fputs("</section>\n", page->out);
}

static enum change worst_change(const size_t *counts) {
    for (int kind = 0; kind < CHANGE_SAME; kind++)
        if (counts[kind])
            return (enum change)kind;
    return CHANGE_SAME;
}

// Colours of page.css; the word stands beside each, so that colour alone says nothing.
static const char *change_class(enum change change) {
    static const char *const classes[] = {
        [CHANGE_WORSE] = "cx",  [CHANGE_GONE] = "cx", [CHANGE_AMBIGUOUS] = "c8",
        [CHANGE_BETTER] = "c1", [CHANGE_NEW] = "c4",  [CHANGE_SAME] = "cn",
    };
    return classes[change];
}

static void write_ratio(double ratio, bool ran, FILE *out) {
    if (!ran)
        fputs("absent", out);
    else
        write_log(ratio, out);
}

static void write_square(const struct compare_page *page, const struct change_square *square) {
    FILE *out = page->out;
    if (!square->ran_before && !square->ran_after) {
        fputs("<td>", out);
        return;
    }
    enum change worst = worst_change(square->counts);
    fprintf(out, "<td class=%s>", change_class(worst));
    bool moved = square->ran_before != square->ran_after || square->before != square->after;
    if (moved && !(isnan(square->before) && isnan(square->after) && square->ran_before && square->ran_after)) {
        write_ratio(square->before, square->ran_before, out);
        fputs("&nbsp;→&nbsp;", out);
    }
    write_ratio(square->after, square->ran_after, out);
    for (int kind = 0; kind < CHANGE_SAME; kind++)
        if (square->counts[kind])
            fprintf(out, "<br>%zu&nbsp;%s", square->counts[kind], change_word((enum change)kind));
}

static void write_map(const struct compare_page *page) {
    const struct change_map *map = page->map;
    fputs("<section id=map><h2>Before and after</h2>\n<p>Each square: log<sub>10</sub>(err/bound) of the worst cell, "
          "before → after where it moved, and how many cells changed. 0 is at the bound; – stands for no figure.</p>\n"
          "<div class=\"scroll tall\"><table class=\"map moves\">\n<thead><tr><th>variant",
          page->out);
    for (size_t c = 0; c < map->column_count; c++) {
        fputs("<th class=up><span>", page->out);
        write_escaped(map->columns[map->column_order[c]].label, page->out);
        fputs("</span>", page->out);
    }
    fputs("</thead>\n", page->out);
    for (size_t r = 0; r < map->row_count; r++) {
        size_t row = map->row_order[r];
        fputs("<tr><th>", page->out);
        write_escaped(map->rows[row].label, page->out);
        for (size_t c = 0; c < map->column_count; c++)
            write_square(page, &map->squares[row * map->column_count + map->column_order[c]]);
        fputc('\n', page->out);
    }
    fputs("</table></div>\n</section>\n", page->out);
}

static void write_side(const struct compare_page *page, const json_t *cell) {
    FILE *out = page->out;
    if (!cell) {
        fputs("<td>absent<td class=r>–<td>", out);
        return;
    }
    fputs("<td>", out);
    write_escaped(text_of(cell, "head"), out);
    fputs("<td class=r>", out);
    write_figure(figure_of(cell, "error_over_bound"), out);
    fputs("<td><code>", out);
    write_escaped(text_of(cell, "got_hex"), out);
    fputs("</code>", out);
}

// An identity breaks behind its slashes, not within a number.
static void write_identity(const struct compare_page *page, const char *id) {
    for (const char *slash; (slash = strchr(id, '/')); id = slash + 1) {
        char *part = strndup(id, (size_t)(slash - id) + 1);
        write_escaped(part ? part : "", page->out);
        free(part);
        fputs("<wbr>", page->out);
    }
    write_escaped(id, page->out);
}

// The reason is ASCII, for terminals, too; a page has the sign.
static void write_reason(const struct compare_page *page, const char *why) {
    const char *arrow;
    for (; (arrow = strstr(why, "->")); why = arrow + 2) {
        char *before = strndup(why, (size_t)(arrow - why));
        write_escaped(before ? before : "", page->out);
        free(before);
        fputs("→", page->out);
    }
    write_escaped(why, page->out);
}

static void write_change(const struct compare_page *page, const struct cell_change *change) {
    fprintf(page->out, "<tr><td class=%s>%s<td><code>", change_class(change->change), change_word(change->change));
    write_identity(page, text_of(changed_cell(change), "id"));
    fputs("</code><td>", page->out);
    write_reason(page, change->why);
    write_side(page, change->before);
    write_side(page, change->after);
    fputc('\n', page->out);
}

static void write_kind(const struct compare_page *page, enum change kind) {
    const struct comparison *comparison = page->comparison;
    size_t written = 0;
    for (size_t i = 0; i < comparison->cell_count && written < ROWS_A_KIND; i++)
        if (comparison->cells[i].change == kind) {
            write_change(page, &comparison->cells[i]);
            written++;
        }
    if (written < comparison->counts[kind])
        fprintf(page->out, "<tr><td colspan=9>and %zu more that are %s: --json holds them all\n",
                comparison->counts[kind] - written, change_word(kind));
}

static void write_cells(const struct compare_page *page) {
    fputs("<section id=cells><h2>Every cell that changed</h2>\n", page->out);
    if (page->comparison->counts[CHANGE_SAME] == page->comparison->cell_count) {
        fputs("<p>None.</p>\n</section>\n", page->out);
        return;
    }
    fputs("<div class=scroll><table class=changes>\n<thead><tr><th>change<th>cell<th>why<th>before<th class=r>err/bound"
          "<th>got<th>after<th class=r>err/bound<th>got</thead>\n",
          page->out);
    for (int kind = 0; kind < CHANGE_SAME; kind++)
        write_kind(page, (enum change)kind);
    fputs("</table></div>\n<p>Any of them again: <code>reductio run --cell 'CELL'</code></p>\n</section>\n", page->out);
}

static void write_legend(const struct compare_page *page) {
    fputs("<section id=legend><h2>Legend</h2>\n<dl>\n"
          "<dt>WORSE<dd>other bits with a larger error (err/bound, or err/(u·Σ|x|) where the bound is another), a bad "
          "finding where there was none, several results where "
          "there was one, or slower (Mann–Whitney rank test over the samples, at 1 % over all cells together, where "
          "their middle halves lie apart; only on a GPU, in one environment)\n"
          "<dt>GONE<dd>a cell of the earlier run that the later one lacks\n"
          "<dt>AMBIGUOUS<dd>better in one respect and worse in another, or other bits with the same error\n"
          "<dt>BETTER<dd>the reverse of WORSE\n<dt>NEW<dd>a cell that the earlier run lacks\n"
          "<dt>err/bound<dd>|ŝ − s| over the bound of the variant's accuracy claim, s the exact sum\n"
          "<dt>another order of additions<dd>the order that both runs revealed from outside is not the same tree\n"
          "<dt>Regression<dd>at least one cell WORSE or GONE: exit code 3\n</dl>\n</section>\n",
          page->out);
}

bool comparison_write_html(const struct comparison *comparison, FILE *out, char *message) {
    struct change_map map;
    struct compare_page page = {out, comparison, &map};
    bool made = change_map_make(&map, comparison);
    if (made) {
        write_head(&page);
        write_verdict(&page);
        write_environment(&page);
        write_orders(&page);
        write_map(&page);
        write_cells(&page);
        write_legend(&page);
        fputs("</main>\n</body>\n</html>\n", out);
    } else {
        snprintf(message, REPORT_MESSAGE, "The page does not fit in memory.");
    }
    change_map_free(&map);
    return made;
}
