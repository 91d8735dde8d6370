// SPDX-License-Identifier: MIT
// One section a family of values: what it is for and its inputs with their exact sums. The worst cell of each variant
// on it is listed by the script, which has all cells.
#include "reports/page.h"

#include <inttypes.h>
#include <string.h>

static const json_t *first_dataset(const struct page *page, size_t family) {
    size_t i;
    json_t *dataset;
    json_array_foreach(json_object_get(page->run, "datasets"), i, dataset) {
        if (!strcmp(text_of(dataset, "values"), page->view->families[family]))
            return dataset;
    }
    return NULL;
}

static void write_dataset(const struct page *page, const json_t *dataset) {
    fputs("<tr><td>", page->out);
    write_member(page, dataset, "type");
    fprintf(page->out, "<td class=r>%" PRId64 "<td>", (int64_t)count_of(dataset, "n"));
    write_member(page, dataset, "order");
    fputs("<td class=r>", page->out);
    write_member(page, dataset, "exact_decimal");
    fputs("<td class=r>", page->out);
    write_figure(figure_of(dataset, "condition"), page->out);
    fputs(flag_of(dataset, "never_rounds") ? "<td>never rounds\n" : "<td>\n", page->out);
}

enum { DATASET_ROWS = 10 };

static void write_datasets(const struct page *page, size_t family) {
    size_t i, count = 0;
    json_t *dataset;
    fputs("<div class=scroll><table><thead><tr><th>type<th class=r>n<th>order<th class=r>exact sum"
          "<th class=r>condition<th></thead>\n",
          page->out);
    json_array_foreach(json_object_get(page->run, "datasets"), i, dataset) {
        if (!strcmp(text_of(dataset, "values"), page->view->families[family]) && count++ < DATASET_ROWS)
            write_dataset(page, dataset);
    }
    fputs("</table></div>\n", page->out);
    if (count > DATASET_ROWS)
        fprintf(page->out, "<p>and %zu more, in the JSON.</p>\n", count - DATASET_ROWS);
}

// How many variants ran on it, and the one that came nearest to its bound or failed.
static void write_outcome(const struct page *page, size_t family) {
    size_t variants = 0, worst = SIZE_MAX;
    for (size_t v = 0; v < page->view->variant_count; v++) {
        size_t at = page->view->worst[v * page->view->family_count + family];
        if (at == SIZE_MAX)
            continue;
        variants++;
        if (worst == SIZE_MAX || compare_badness(&page->view->cells[at], &page->view->cells[worst]) < 0)
            worst = at;
    }
    if (worst == SIZE_MAX)
        return;
    const struct cell_view *cell = &page->view->cells[worst];
    fprintf(page->out, "<p>%zu variants; the worst: ", variants);
    write_variant_link(page, cell->variant);
    fputs(", ", page->out);
    write_finding_mark(page, cell);
    fprintf(page->out, " at n = %" PRId64 ", err/bound ", (int64_t)count_of(cell->json, "n"));
    write_figure(cell->error_over_bound, page->out);
    fputs(".</p>\n", page->out);
}

static void write_family(const struct page *page, size_t family) {
    const json_t *dataset = first_dataset(page, family);
    fprintf(page->out, "<details class=case id=k%zu><summary><b>", family);
    write_escaped(page->view->families[family], page->out);
    fputs("</b> <span class=dim>", page->out);
    if (dataset)
        write_member(page, dataset, "what_for");
    else
        fputs("each element's multiplicity in the sum, read off digits: finds lost and doubled elements", page->out);
    fputs("</span></summary>\n", page->out);
    if (dataset)
        write_datasets(page, family);
    write_outcome(page, family);
    fputs("</details>\n", page->out);
}

void page_cases(const struct page *page) {
    fputs("<section id=cases><h2>Cases</h2>\n"
          "<p class=noscript>With JavaScript on, each case lists what every variant made of it.</p>\n",
          page->out);
    for (size_t family = 0; family < page->view->family_count; family++)
        write_family(page, page->view->family_order[family]);
    fputs("</section>\n", page->out);
}
