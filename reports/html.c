// SPDX-License-Identifier: MIT
// The page: one offline file made from the JSON alone.
#include "reports/reports.h"
#include "reports/variation.h"

bool report_write_html(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    struct variation variation = {0};
    bool made = run_view_make(&view, run) && variation_make(&variation, &view);
    if (made) {
        fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>", out);
        write_escaped(text_of(run, "verdict"), out);
        fputs("</title>\n</html>\n", out);
    } else {
        snprintf(message, REPORT_MESSAGE, "The page does not fit in memory.");
    }
    variation_free(&variation, &view);
    run_view_free(&view);
    return made;
}
