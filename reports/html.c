// SPDX-License-Identifier: MIT
// The page: one offline file made from the JSON alone. It may run nothing but its own script and load nothing at all:
// its Content-Security-Policy names the hashes of that script and style, so markup that slipped through an escape would
// be inert.
#include "reports/page.h"
#include "reports/reports.h"

#include <string.h>

static void write_head(const struct page *page) {
    FILE *out = page->out;
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ",
          out);
    write_policy_hash(page_css_sha256, out);
    fputs("; script-src ", out);
    write_policy_hash(page_js_sha256, out);
    fputs("; base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Reductio: ",
          out);
    write_member(page, page->run, "verdict");
    fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n", page_css);
}

static void write_navigation(const struct page *page) {
    fputs("<nav aria-label=\"Sections\"><b>Reductio</b> ", page->out);
    if (page_is_of_given(page))
        fputs("<a href=\"#given\">Sum</a> ", page->out);
    if (!page->machine_only)
        fputs("<a href=\"#failures\">Failures</a> ", page->out);
    if (!strcmp(text_of(page->run, "command"), "selftest"))
        fputs("<a href=\"#kills\">Kill matrix</a> ", page->out);
    if (!page->machine_only)
        fputs("<a href=\"#variation\">Same bits</a> <a href=\"#map\">Map</a> <a href=\"#charts\">Charts</a> "
              "<a href=\"#cells\">Cells</a> <a href=\"#variants\">Variants</a> <a href=\"#cases\">Cases</a> ",
              page->out);
    if (json_array_size(json_object_get(page->run, "hardware")))
        fputs("<a href=\"#hardware\">Hardware</a> ", page->out);
    fputs("<a href=\"#legend\">Legend</a> <span class=script><button id=download>Download JSON</button> "
          "<button id=theme>Dark</button></span></nav>\n<main>\n",
          page->out);
}

static bool write_sums(const struct page *page) {
    bool good = page_given(page);
    page_failures(page);
    good = good && page_kills(page);
    page_variation(page);
    page_heat_map(page);
    good = good && page_charts(page);
    page_cells(page);
    page_variants(page);
    page_cases(page);
    return good;
}

static bool write_page(const struct page *page) {
    write_head(page);
    write_navigation(page);
    page_verdict(page);
    if (page->machine_only)
        page_cells(page);
    bool good = page->machine_only || write_sums(page);
    page_hardware(page);
    page_legend(page);
    fputs("</main>\n", page->out);
    good = good && page_data(page);
    fprintf(page->out, "<script>%s</script>\n</body>\n</html>\n", page_js);
    return good;
}

bool report_write_html(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    struct variation variation = {0};
    struct series series = {0};
    bool machine_only =
        !json_array_size(json_object_get(run, "variants")) && json_array_size(json_object_get(run, "hardware"));
    struct page page = {out, run, &view, &variation, &series, machine_only};
    // A row has at most one claim and one name.
    bool made = run_view_make(&view, run) && variation_make(&variation, &view) &&
                series_make(&series, 2 * view.variant_count) && write_page(&page);
    if (!made)
        snprintf(message, REPORT_MESSAGE, "The page does not fit in memory.");
    series_free(&series);
    variation_free(&variation, &view);
    run_view_free(&view);
    return made;
}
