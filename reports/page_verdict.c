// SPDX-License-Identifier: MIT
// First screen: the verdict sentence, what it rests on, and the environment.
#include "reports/page.h"

#include <inttypes.h>
#include <string.h>

static bool is_emulated_only(const json_t *run) {
    size_t i;
    json_t *backend;
    json_array_foreach(json_object_get(run, "backends"), i, backend) {
        if (!strcmp(json_string_value(backend), "cuda"))
            return false;
    }
    return true;
}

static void write_counts(const struct page *page) {
    size_t failed = 0, known = 0, nothing = 0, planted = 0;
    for (size_t i = 0; i < page->view->cell_count; i++) {
        const struct cell_view *cell = &page->view->cells[i];
        bool of_fault = page->view->variants[cell->variant].planted;
        planted += of_fault;
        failed += cell->failed && !of_fault;
        known += cell->known;
        nothing += finding_in(cell->findings, FINDING_BOUND_SAYS_NOTHING);
    }
    fprintf(page->out,
            "<ul class=counts><li class=%s><b>%zu</b> cells failed<li><b>%zu</b> known<li><b>%zu</b> cells in all"
            "<li><b>%zu</b> where the bound says nothing",
            failed ? "bad" : "good", failed, known, page->view->cell_count, nothing);
    if (planted)
        fprintf(page->out, "<li><b>%zu</b> of planted faults", planted);
    fputs("</ul>\n", page->out);
}

static void write_run_line(const struct page *page) {
    size_t i;
    json_t *backend;
    fputs("<p>", page->out);
    write_member(page, page->run, "command");
    fputs(", tier ", page->out);
    write_member(page, page->run, "tier");
    fputs(", on ", page->out);
    json_array_foreach(json_object_get(page->run, "backends"), i, backend) {
        fputs(i ? ", " : "", page->out);
        write_escaped(json_string_value(backend), page->out);
    }
    if (is_emulated_only(page->run))
        fputs(". <strong>No GPU took part: kernels ran on simt, the CPU's CUDA</strong>, so what varies is what is "
              "reachable, and times are not a GPU's",
              page->out);
    fputs(". Started ", page->out);
    write_member(page, page->run, "started");
    fprintf(page->out, ", %.1f s.</p>\n", figure_of(page->run, "seconds"));
    if (flag_of(page->run, "interrupted"))
        fputs("<p class=bad>Interrupted: what follows is what was done until then.</p>\n", page->out);
}

static void write_row(const struct page *page, const char *key, const char *value) {
    fputs("<tr><th>", page->out);
    write_escaped(key, page->out);
    fputs("<td>", page->out);
    write_escaped(value, page->out);
    fputc('\n', page->out);
}

static void write_environment(const struct page *page) {
    const char *key;
    json_t *value;
    size_t i;
    fputs("<details id=environment><summary>Environment: commit <code>", page->out);
    write_member(page, json_object_get(page->run, "environment"), "commit");
    fputs("</code>, seed <code>", page->out);
    write_member(page, page->run, "seed");
    fputs("</code></summary>\n<div class=scroll><table class=pairs>\n<tr><th>command line<td><code>", page->out);
    json_array_foreach(json_object_get(page->run, "argv"), i, value) {
        fputs(i ? " " : "", page->out);
        write_escaped(json_string_value(value), page->out);
    }
    fputs("</code>\n", page->out);
    json_object_foreach(json_object_get(page->run, "environment"), key, value) {
        write_row(page, key, json_string_value(value));
    }
    fputs("</table></div></details>\n", page->out);
}

static void write_notes(const struct page *page) {
    size_t i;
    json_t *note;
    json_array_foreach(json_object_get(page->run, "notes"), i, note) {
        fputs("<p class=note>", page->out);
        write_escaped(json_string_value(note), page->out);
        fputs("</p>\n", page->out);
    }
}

void page_verdict(const struct page *page) {
    bool bad = false;
    for (size_t v = 0; v < page->view->variant_count; v++) {
        const struct variant_view *variant = &page->view->variants[v];
        bad |= !variant->planted && (variant->failures || variant->claims_by_status[CLAIM_BROKEN]);
    }
    fprintf(page->out, "<header class=%s><h1>", bad ? "bad" : "good");
    write_member(page, page->run, "verdict");
    fputs("</h1>\n", page->out);
    write_run_line(page);
    write_counts(page);
    write_notes(page);
    write_environment(page);
    fputs("</header>\n", page->out);
}
