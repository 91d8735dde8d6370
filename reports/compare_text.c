// SPDX-License-Identifier: MIT
#include "reports/compare.h"
#include "reports/text.h"

#include <string.h>

enum { MARKDOWN_CELLS = 20, MARKDOWN_ORDERS = 10, FORMULA_TERMS = 16 };

static void write_counts(const struct comparison *comparison, FILE *out) {
    for (int change = 0; change < CHANGE_COUNT; change++)
        fprintf(out, "%s%zu %s", change ? ", " : "", comparison->counts[change], change_word((enum change)change));
    fputs("\n", out);
}

static void write_environment(const struct comparison *comparison, FILE *out) {
    const char *key;
    json_t *values;
    json_object_foreach(comparison->environment, key, values) {
        write_printable(key, out);
        fputs(": ", out);
        write_printable(json_string_value(json_array_get(values, 0)), out);
        fputs(" -> ", out);
        write_printable(json_string_value(json_array_get(values, 1)), out);
        fputc('\n', out);
    }
    if (!comparison->times_compared)
        fputs("The environments differ, so times were not compared.\n", out);
}

static const char height_change[] = "height %" JSON_INTEGER_FORMAT " -> %" JSON_INTEGER_FORMAT;

static void write_orders(const struct comparison *comparison, FILE *out) {
    size_t i;
    json_t *order;
    json_array_foreach(comparison->orders, i, order) {
        const json_t *before = json_object_get(order, "before"), *after = json_object_get(order, "after");
        fputs("order of additions changed: ", out);
        write_printable(text_of(order, "variant"), out);
        fprintf(out, ", n = %" JSON_INTEGER_FORMAT ", ", count_of(after, "n"));
        write_printable(text_of(after, "shape"), out);
        fprintf(out, ": %.40s -> %.40s, ", text_of(before, "kind"), text_of(after, "kind"));
        fprintf(out, height_change, count_of(before, "height"), count_of(after, "height"));
        if (count_of(after, "n") > FORMULA_TERMS) // the height may be the same
            fprintf(out, ", hash %.20s -> %.20s", text_of(before, "hash"), text_of(after, "hash"));
        fputc('\n', out);
        for (int side = 0; side < 2; side++) {
            const json_t *shown = side ? after : before;
            if (count_of(shown, "n") > FORMULA_TERMS || !has_text(shown, "formula"))
                continue;
            fputs(side ? "  after  " : "  before ", out);
            write_printable(text_of(shown, "formula"), out);
            fputc('\n', out);
        }
    }
}

static void write_change(const struct cell_change *change, FILE *out) {
    fprintf(out, "%-9s ", change_word(change->change));
    write_printable(text_of(changed_cell(change), "id"), out);
    if (*change->why) {
        fputs(": ", out);
        write_printable(change->why, out);
    }
    fputc('\n', out);
}

void comparison_write_terminal(const struct comparison *comparison, size_t limit, FILE *out) {
    write_environment(comparison, out);
    write_orders(comparison, out);
    write_counts(comparison, out);
    size_t written = 0, left_out = 0;
    for (int kind = 0; kind < CHANGE_SAME; kind++)
        for (size_t i = 0; i < comparison->cell_count; i++) {
            if (comparison->cells[i].change != (enum change)kind)
                continue;
            if (limit && written >= limit) {
                left_out++;
                continue;
            }
            write_change(&comparison->cells[i], out);
            written++;
        }
    if (left_out)
        fprintf(out, "and %zu more\n", left_out);
}

static void write_markdown_row(const struct cell_change *change, FILE *out) {
    fprintf(out, "| %s | <code>", change_word(change->change));
    write_markdown(text_of(changed_cell(change), "id"), out);
    fputs("</code> | ", out);
    write_markdown(change->why, out);
    fputs(" |\n", out);
}

static void write_markdown_orders(const struct comparison *comparison, FILE *out) {
    size_t i, count = json_array_size(comparison->orders);
    json_t *order;
    json_array_foreach(comparison->orders, i, order) {
        const json_t *before = json_object_get(order, "before"), *after = json_object_get(order, "after");
        if (i == MARKDOWN_ORDERS) {
            fprintf(out, "- and %zu more orders of additions\n", count - MARKDOWN_ORDERS);
            break;
        }
        fputs("- order of additions changed: <code>", out);
        write_markdown(text_of(order, "variant"), out);
        fprintf(out, "</code>, n = %" JSON_INTEGER_FORMAT ", ", count_of(after, "n"));
        fprintf(out, height_change, count_of(before, "height"), count_of(after, "height"));
        fputc('\n', out);
    }
    fputs(count ? "\n" : "", out);
}

bool comparison_write_markdown(const struct comparison *comparison, FILE *out, char *message) {
    (void)message; // it allocates nothing
    size_t written = 0;
    const char *key;
    json_t *values;
    fprintf(out, "## Reductio: %s\n\n", comparison_regressed(comparison) ? "regression" : "no regression");
    json_object_foreach(comparison->environment, key, values) {
        fputs("- ", out);
        write_markdown(key, out);
        fputs(": ", out);
        write_markdown(json_string_value(json_array_get(values, 0)), out);
        fputs(" → ", out);
        write_markdown(json_string_value(json_array_get(values, 1)), out);
        fputc('\n', out);
    }
    fputs(comparison->times_compared ? "\n" : "\nThe environments differ, so times were not compared.\n\n", out);
    write_markdown_orders(comparison, out);
    write_counts(comparison, out);
    for (int kind = 0; kind < CHANGE_SAME; kind++)
        for (size_t i = 0; i < comparison->cell_count && written < MARKDOWN_CELLS; i++) {
            if (comparison->cells[i].change != (enum change)kind)
                continue;
            fputs(written++ ? "" : "\n| change | cell | why |\n|---|---|---|\n", out);
            write_markdown_row(&comparison->cells[i], out);
        }
    return true;
}
