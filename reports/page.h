// SPDX-License-Identifier: MIT
// The sections of the HTML page, in its order. Each writes to page->out; text from the run goes through write_escaped.
#ifndef REDUCTIO_PAGE_H
#define REDUCTIO_PAGE_H

#include "reports/series.h"
#include "reports/variation.h"

#include <stdio.h>

struct page {
    FILE *out;
    const json_t *run;
    const struct run_view *view;
    const struct variation *variation;
    struct series *series; // of marks, the same in all charts
    bool machine_only;     // the run asked the machine and ran no sum: what tells of sums is left out
};

void page_verdict(const struct page *page);       // verdict sentence, environment
bool page_is_of_given(const struct page *page);   // the run summed an array of the user's own
bool page_given(const struct page *page);         // that array and its sums; false when memory is out
void page_failures(const struct page *page);      // opened, with figures and a line to paste; planted faults
bool page_kills(const struct page *page);         // of a selftest; false when memory is out
void page_variation(const struct page *page);     // the five kinds of same bits, claimed against observed
void page_heat_map(const struct page *page);      // variants against families of values
bool page_charts(const struct page *page);        // SVG, each with its data table; false when memory is out
void page_cells(const struct page *page);         // what the script fills with every cell
void page_variants(const struct page *page);      // claims and the 20 worst cells of each
void page_order_symbols(const struct page *page); // drawings that page_orders uses
void page_orders(const struct page *page, size_t variant);
void page_cases(const struct page *page);    // what each family is for, and all variants on it
void page_hardware(const struct page *page); // what the machine itself does, if it was asked
void page_legend(const struct page *page);   // every word and figure
bool page_data(const struct page *page);     // the JSON, deflated, in base64; false when memory is out

// Style and script, made from page.css and page.js by cmake/embed.cmake; their SHA-256 in hex for the policy.
extern const char page_css[], page_css_sha256[], page_js[], page_js_sha256[];

// ---- pieces shared by the sections ----

// Base64 (RFC 4648) of `size` bytes.
void write_base64(const unsigned char *bytes, size_t size, FILE *out);
// 'sha256-…' of a Content-Security-Policy, from page_css_sha256 or page_js_sha256.
void write_policy_hash(const char *hex, FILE *out);
void write_member(const struct page *page, const json_t *object, const char *member); // escaped
// A figure for people: three digits, "∞", "–" for NaN.
void write_figure(double figure, FILE *out);
// log10 of a ratio, one decimal: "−2.4"; "exact" for 0, "∞", "–" for NaN.
void write_log(double ratio, FILE *out);
// name@backend type, escaped, as a link to the variant's section
void write_variant_link(const struct page *page, size_t variant);
// `reductio run --cell 'ID'`, a line for a shell, escaped
void write_escaped_paste_line(const struct page *page, const struct cell_view *cell);
// Classes of page.css: "good", "bad", "known", "none".
const char *status_class(enum claim_status status);
const char *fault_class(const struct variant_view *variant);
// the finding's word, marked as good, known or bad
void write_finding_mark(const struct page *page, const struct cell_view *cell);
// The table of cells shared by variants and failures: its start, and one row.
extern const char cell_row_header[];
void write_cell_row(const struct page *page, const struct cell_view *cell);

#endif
