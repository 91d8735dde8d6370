// SPDX-License-Identifier: MIT
// Where the script shows every cell; without it, a sentence says where they are. It is there for the script, but
// hidden, where there are none.
#include "reports/page.h"

void page_cells(const struct page *page) {
    fprintf(page->out,
            "<section id=cells%s><h2>All cells</h2>\n"
            "<p class=noscript>This page holds all %zu cells as compressed JSON; with JavaScript on they are listed "
            "here, to sort and "
            "to filter. Without it: the failures above and the 20 worst cells of each variant below.</p>\n"
            "<div class=script><form id=filters role=search>"
            "<label>Variant <select name=variant><option value=\"\">all</select></label> "
            "<label>Values <select name=values><option value=\"\">all</select></label> "
            "<label>Finding <select name=finding><option value=\"\">all</select></label> "
            "<label>Identity <input name=text type=search placeholder=\"part of it\" size=16></label> "
            "<button type=reset>Clear</button></form>\n"
            "<p id=count role=status></p><div id=detail tabindex=-1></div>\n"
            "<div class=scroll><table id=all><thead></thead><tbody></tbody></table></div>"
            "<button id=more hidden>Show more</button></div>\n</section>\n",
            page->machine_only ? " hidden" : "", page->view->cell_count);
}
