// SPDX-License-Identifier: MIT
// The order of additions of each variant, where the run looked for it. A picture is drawn once, however many variants
// have that order, and used by each.
#include "reports/order_drawing.h"
#include "reports/page.h"

#include <string.h>

struct order_place {
    size_t variant, index;
};

static const json_t *order_at(const struct page *page, struct order_place place) {
    return json_array_get(json_object_get(page->view->variants[place.variant].json, "orders"), place.index);
}

static bool is_same_tree(const json_t *a, const json_t *b) {
    return count_of(a, "n") == count_of(b, "n") && count_of(a, "height") &&
           !strcmp(text_of(a, "hash"), text_of(b, "hash"));
}

static size_t order_count(const struct page *page, size_t variant) {
    return json_array_size(json_object_get(page->view->variants[variant].json, "orders"));
}

// The first order that would be drawn alike.
static struct order_place first_alike(const struct page *page, const json_t *order) {
    struct order_place place;
    for (place.variant = 0; place.variant < page->view->variant_count; place.variant++)
        for (place.index = 0; place.index < order_count(page, place.variant); place.index++)
            if (!strcmp(text_of(order_at(page, place), "formula"), text_of(order, "formula")))
                return place;
    return (struct order_place){0};
}

void page_order_symbols(const struct page *page) {
    bool any = false;
    struct order_place place;
    for (place.variant = 0; place.variant < page->view->variant_count; place.variant++)
        for (place.index = 0; place.index < order_count(page, place.variant); place.index++) {
            const json_t *order = order_at(page, place);
            struct order_place first = first_alike(page, order);
            double width, height;
            if (first.variant != place.variant || first.index != place.index ||
                !order_drawing_size(order, &width, &height))
                continue;
            fputs(any ? "" : "<svg class=symbols width=0 height=0 aria-hidden=true>", page->out);
            any = true;
            fprintf(page->out, "<symbol id=o%zu_%zu viewBox=\"0 0 %g %g\">", place.variant, place.index, width, height);
            order_drawing_write(order, page->out);
            fputs("</symbol>\n", page->out);
        }
    fputs(any ? "</svg>\n" : "", page->out);
}

enum { ALIKE_NAMED = 12 };

static void write_alike(const struct page *page, size_t variant, const json_t *order) {
    size_t alike = 0;
    struct order_place place;
    for (place.variant = 0; place.variant < page->view->variant_count; place.variant++)
        for (place.index = 0; place.index < order_count(page, place.variant); place.index++) {
            if (place.variant == variant || !is_same_tree(order, order_at(page, place)) || alike++ >= ALIKE_NAMED)
                continue;
            fputs(alike == 1 ? "<p class=dim>The same order: " : ", ", page->out);
            write_variant_link(page, place.variant);
        }
    if (alike > ALIKE_NAMED)
        fprintf(page->out, ", and %zu more", alike - ALIKE_NAMED);
    fputs(alike ? "</p>\n" : "", page->out);
}

static void write_picture(const struct page *page, const json_t *order) {
    struct order_place first = first_alike(page, order);
    double width, height;
    if (!order_drawing_size(order, &width, &height))
        return;
    fprintf(page->out, "<div class=scroll><svg class=tree width=%g height=%g role=img><title>Order of additions, ",
            width, height);
    order_write_caption(order, page->out);
    fprintf(page->out, "</title><use href=#o%zu_%zu /></svg></div>\n", first.variant, first.index);
}

static void write_order(const struct page *page, size_t variant, const json_t *order) {
    fputs("<figure><figcaption>", page->out);
    order_write_caption(order, page->out);
    fputs("</figcaption>\n", page->out);
    write_picture(page, order);
    if (has_text(order, "formula")) {
        fputs("<details><summary>Formula</summary><code class=id>", page->out);
        write_member(page, order, "formula");
        fputs("</code></details>\n", page->out);
    }
    write_alike(page, variant, order);
    fputs("</figure>\n", page->out);
}

void page_orders(const struct page *page, size_t variant) {
    size_t i;
    json_t *order;
    if (order_count(page, variant))
        fputs("<h4>Order of additions</h4>\n", page->out);
    json_array_foreach(json_object_get(page->view->variants[variant].json, "orders"), i, order) {
        write_order(page, variant, order);
    }
}
