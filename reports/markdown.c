// SPDX-License-Identifier: MIT
// For a pull request or a job summary: verdict, the 20 worst cells, the variants. Bounded, whatever the size of the
// run.
#include "reports/kill_matrix.h"
#include "reports/reports.h"
#include "reports/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORST_CELLS = 20, VARIANT_ROWS = 200 };

static void write_cell_text(const json_t *object, const char *member, FILE *out) {
    write_markdown(text_of(object, member), out);
}

struct pick {
    const struct run_view *view;
    size_t *cells;
    size_t count;
};

static int compare_picks(const void *a, const void *b, void *cells) {
    return compare_badness((struct cell_view *)cells + *(const size_t *)a,
                           (struct cell_view *)cells + *(const size_t *)b);
}

// Each variant's own worst come first in its list, so the worst of all are among their first WORST_CELLS.
static bool pick_worst(struct pick *pick, const struct run_view *view) {
    *pick = (struct pick){.view = view, .cells = calloc(view->cell_count + 1, sizeof *pick->cells)};
    for (size_t v = 0; pick->cells && v < view->variant_count; v++)
        for (size_t i = 0; !view->variants[v].planted && i < view->variants[v].cell_count && i < WORST_CELLS; i++)
            pick->cells[pick->count++] = view->variants[v].cells[i];
    if (pick->cells)
        qsort_r(pick->cells, pick->count, sizeof *pick->cells, compare_picks, view->cells);
    return pick->cells != NULL;
}

static void write_worst(const struct pick *pick, FILE *out) {
    size_t rows = pick->count < WORST_CELLS ? pick->count : WORST_CELLS;
    if (!rows)
        return;
    fprintf(out, "\n### The %zu cells that fail or come nearest to their bound\n\n", rows);
    fputs("| finding | cell | err/bound | ulps | got | exact, rounded |\n|---|---|---:|---:|---|---|\n", out);
    for (size_t i = 0; i < rows; i++) {
        const struct cell_view *cell = &pick->view->cells[pick->cells[i]];
        fprintf(out, "| %s%s%s%s | <code>", cell->failed ? "**" : "", finding_word(cell->head),
                cell->failed ? "**" : "", cell->known ? " (known)" : "");
        write_cell_text(cell->json, "id", out);
        fputs("</code>", out);
        if (has_text(cell->json, "detail")) {
            fputs("<br>", out);
            write_cell_text(cell->json, "detail", out);
        }
        static const char *const members[] = {"error_over_bound", "ulps", "got_hex", "rounded_hex"};
        for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
            fputs(" | ", out);
            write_cell_text(cell->json, members[m], out);
        }
        fputs(" |\n", out);
    }
}

static void write_variant(const struct variant_view *variant, FILE *out) {
    double worst = figure_of(variant->json, "worst_error_over_bound");
    enum claim_status status = variant_status(variant);
    const char *outcome = variant->planted ? fault_outcome_word(variant->outcome) : claim_status_word(status);
    bool bad = variant->planted ? fault_outcome_is_bad(variant->outcome) : status == CLAIM_BROKEN;
    fputs("| ", out);
    write_cell_text(variant->json, "name", out);
    fputs(" | ", out);
    write_cell_text(variant->json, "backend", out);
    fputs(" | ", out);
    write_cell_text(variant->json, "type", out);
    fprintf(out, bad ? " | **%s** | %zu | %zu | %zu | " : " | %s | %zu | %zu | %zu | ", outcome, variant->cell_count,
            variant->failures, variant->varied);
    if (isnan(worst))
        fputs("– |\n", out);
    else
        fprintf(out, "%.3g |\n", worst);
}

static void write_variants(const struct run_view *view, FILE *out) {
    if (!view->variant_count)
        return;
    fputs("\n<details><summary>All variants</summary>\n\n", out);
    fputs("| variant | backend | type | claims | cells | failed | varied | worst err/bound |\n"
          "|---|---|---|---|---:|---:|---:|---:|\n",
          out);
    for (size_t v = 0; v < view->variant_count && v < VARIANT_ROWS; v++)
        write_variant(&view->variants[view->order[v]], out);
    if (view->variant_count > VARIANT_ROWS)
        fprintf(out, "\nand %zu more\n", view->variant_count - VARIANT_ROWS);
    fputs("\n</details>\n", out);
}

static void write_header(const json_t *run, FILE *out) {
    fputs("## Reductio: ", out);
    write_cell_text(run, "verdict", out);
    fputs("\n\n", out);
    if (flag_of(run, "interrupted"))
        fputs("**Interrupted:** what follows is what was done until then.\n\n", out);
    fputs("Command ", out);
    write_cell_text(run, "command", out);
    fputs(", tier ", out);
    write_cell_text(run, "tier", out);
    fputs(", seed ", out);
    write_cell_text(run, "seed", out);
    fputs(", commit ", out);
    write_cell_text(json_object_get(run, "environment"), "commit", out);
    fputs("\n", out);
}

bool report_write_markdown(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    struct pick pick = {0};
    struct kill_matrix matrix = {0};
    bool made = run_view_make(&view, run) && pick_worst(&pick, &view) && kill_matrix_make(&matrix, &view);
    if (made) {
        write_header(run, out);
        if (matrix.row_count)
            write_kill_matrix_markdown(&matrix, out);
        write_worst(&pick, out);
        write_variants(&view, out);
    } else {
        snprintf(message, REPORT_MESSAGE, "The Markdown report does not fit in memory.");
    }
    kill_matrix_free(&matrix);
    free(pick.cells);
    run_view_free(&view);
    return made;
}
