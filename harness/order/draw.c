// SPDX-License-Identifier: MIT
#include "harness/order/draw.h"

#include "harness/support.h"
#include "reports/text.h"

#include <stdlib.h>

// Picture units; a subtree of so few leaves is drawn each time; so short a chain is drawn step by step; beyond so many
// levels a subtree becomes a box.
enum { SLOT = 74, LEVEL = 46, TOP = 44, MARGIN = 16, SMALL = 4, SHORT_CHAIN = 4, MOST_LEVELS = 24 };

struct drawing {
    const struct order_tree *tree;
    uint64_t *shapes;     // by node
    uint32_t *stands_for; // by node: the lowest node of its shape
    uint32_t *first,
        *many; // by node: the first node of its shape that was drawn, plus 1; how many nodes have its shape
    FILE *out;
    double next_x;
    uint32_t letters; // given so far
    uint32_t *letter; // by node: 1 = A
    uint32_t deepest;
};

static uint64_t shape_of(const struct drawing *drawing, uint32_t id) {
    return id < drawing->tree->n ? 1 : drawing->shapes[id - drawing->tree->n];
}

struct shaped_node {
    uint64_t shape;
    uint32_t node;
};

static int compare_shapes(const void *a, const void *b) {
    const struct shaped_node *x = a, *y = b;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

// The node that stands for a shape is the lowest of that shape.
static void find_representatives(struct drawing *drawing) {
    uint32_t count = drawing->tree->node_count, lowest = 0;
    struct shaped_node *nodes = must_calloc(count, sizeof *nodes);
    for (uint32_t k = 0; k < count; k++)
        nodes[k] = (struct shaped_node){drawing->shapes[k], k};
    qsort(nodes, count, sizeof *nodes, compare_shapes);
    for (uint32_t k = 0; k < count; k++) {
        if (k == 0 || nodes[k].shape != nodes[k - 1].shape)
            lowest = nodes[k].node;
        drawing->stands_for[nodes[k].node] = lowest;
        drawing->many[lowest]++;
    }
    free(nodes);
}

static void write_letter(FILE *out, uint32_t letter) {
    fputc((int)('A' + (letter - 1) % 26), out);
    if (letter > 26)
        fprintf(out, "%u", (letter - 1) / 26);
}

static double place_slot(struct drawing *drawing) {
    double x = drawing->next_x + SLOT / 2.0;
    drawing->next_x += SLOT;
    return x;
}

static double level_y(uint32_t level) {
    return TOP + (double)level * LEVEL;
}

static double draw_leaf(struct drawing *drawing, uint32_t leaf, uint32_t level) {
    double x = place_slot(drawing);
    fprintf(drawing->out, "<text x='%.0f' y='%.0f'>x%u</text>\n", x, level_y(level) + 4, leaf);
    return x;
}

// A box of two lines for what is not drawn.
static double draw_box(struct drawing *drawing, uint32_t level, uint32_t terms, uint32_t lowest, uint32_t letter) {
    double x = place_slot(drawing), y = level_y(level);
    fprintf(drawing->out, "<rect x='%.0f' y='%.0f' width='%d' height='30' rx='4'/>\n<text x='%.0f' y='%.0f'>",
            x - SLOT / 2.0 + 3, y - 13, SLOT - 6, x, y - 1);
    if (letter) {
        fputs("like ", drawing->out);
        write_letter(drawing->out, letter);
    } else {
        fprintf(drawing->out, "%u terms", terms);
    }
    fprintf(drawing->out, "</text>\n<text x='%.0f' y='%.0f'>from x%u</text>\n", x, y + 12, lowest);
    return x;
}

static void draw_line(const struct drawing *drawing, double x, uint32_t level, double child_x, uint32_t child_level) {
    fprintf(drawing->out, "<line x1='%.0f' y1='%.0f' x2='%.0f' y2='%.0f'/>\n", x, level_y(level) + 9, child_x,
            level_y(child_level) - 13);
}

static void draw_plus(struct drawing *drawing, double x, uint32_t level, uint32_t letter) {
    double y = level_y(level);
    fprintf(drawing->out, "<circle cx='%.0f' cy='%.0f' r='9'/>\n<text x='%.0f' y='%.0f'>+</text>\n", x, y, x, y + 4);
    if (letter) {
        fprintf(drawing->out, "<text class='name' x='%.0f' y='%.0f'>", x + 12, y - 2);
        write_letter(drawing->out, letter);
        fputs("</text>\n", drawing->out);
    }
}

// Follows additions of one shape of summand to a partial sum: their number, and where they start.
static uint32_t follow_chain(const struct drawing *drawing, uint32_t id, uint32_t *start) {
    const struct order_tree *tree = drawing->tree;
    uint32_t steps = 0;
    uint64_t summand = 0;
    for (*start = id; *start >= tree->n; steps++) {
        const struct order_node *node = &tree->nodes[*start - tree->n];
        const uint32_t *child = &tree->children[node->first_child];
        if (node->child_count != 2)
            break;
        bool second_grows = order_leaves_of(tree, child[1]) > order_leaves_of(tree, child[0]);
        uint32_t grows = child[second_grows], added = child[!second_grows];
        if (steps && shape_of(drawing, added) != summand)
            break;
        summand = shape_of(drawing, added);
        *start = grows;
    }
    return steps;
}

static double draw_subtree(struct drawing *drawing, uint32_t id, uint32_t level);

static double draw_chain(struct drawing *drawing, uint32_t start, uint32_t steps, uint32_t id, uint32_t level,
                         uint32_t letter) {
    const struct order_tree *tree = drawing->tree;
    double start_x = draw_subtree(drawing, start, level + 1);
    const struct order_node *node = &tree->nodes[id - tree->n];
    uint32_t each = (node->leaves - order_leaves_of(tree, start)) / steps, lowest = UINT32_MAX;
    double x = place_slot(drawing), y = level_y(level + 1);
    for (uint32_t at = id; at != start;) {
        const uint32_t *child = &tree->children[tree->nodes[at - tree->n].first_child];
        bool second_grows = order_leaves_of(tree, child[1]) > order_leaves_of(tree, child[0]);
        uint32_t added = order_lowest_of(tree, child[!second_grows]);
        lowest = added < lowest ? added : lowest;
        at = child[second_grows];
    }
    fprintf(drawing->out,
            "<rect x='%.0f' y='%.0f' width='%d' height='30' rx='4'/>\n<text x='%.0f' y='%.0f'>%u × %u</text>\n"
            "<text x='%.0f' y='%.0f'>from x%u</text>\n<text class='step' x='%.0f' y='%.0f'>one by one</text>\n",
            x - SLOT / 2.0 + 3, y - 13, SLOT - 6, x, y - 1, steps, each, x, y + 12, lowest, x, y + 30);
    double own_x = (start_x + x) / 2;
    draw_line(drawing, own_x, level, start_x, level + 1);
    draw_line(drawing, own_x, level, x, level + 1);
    draw_plus(drawing, own_x, level, letter);
    return own_x;
}

static double draw_children(struct drawing *drawing, const struct order_node *node, uint32_t level, uint32_t letter) {
    double *x = must_calloc(node->child_count, sizeof *x);
    for (uint32_t c = 0; c < node->child_count; c++)
        x[c] = draw_subtree(drawing, drawing->tree->children[node->first_child + c], level + 1);
    double own_x = (x[0] + x[node->child_count - 1]) / 2;
    for (uint32_t c = 0; c < node->child_count; c++)
        draw_line(drawing, own_x, level, x[c], level + 1);
    draw_plus(drawing, own_x, level, letter);
    free(x);
    return own_x;
}

// Returns where its top is.
static double draw_subtree(struct drawing *drawing, uint32_t id, uint32_t level) {
    const struct order_tree *tree = drawing->tree;
    drawing->deepest = level > drawing->deepest ? level : drawing->deepest;
    if (id < tree->n)
        return draw_leaf(drawing, id, level);
    const struct order_node *node = &tree->nodes[id - tree->n];
    uint32_t shape = drawing->stands_for[id - drawing->tree->n], letter = 0;
    if (node->leaves > SMALL && drawing->first[shape])
        return draw_box(drawing, level, node->leaves, node->lowest, drawing->letter[shape]);
    if (level == MOST_LEVELS)
        return draw_box(drawing, level, node->leaves, node->lowest, 0);
    uint32_t start, steps = follow_chain(drawing, id, &start);
    if (node->leaves > SMALL && drawing->many[shape] > 1) {
        drawing->first[shape] = id + 1;
        letter = drawing->letter[shape] = ++drawing->letters;
    }
    if (steps >= SHORT_CHAIN)
        return draw_chain(drawing, start, steps, id, level, letter);
    return draw_children(drawing, node, level, letter);
}

static void write_document(const struct drawing *drawing, const char *title, const char *body, FILE *out) {
    double width = drawing->next_x + MARGIN > 420 ? drawing->next_x + MARGIN : 420;
    double height = level_y(drawing->deepest) + 40;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' height='%.0f' role='img'>\n"
            "<title>",
            width, height, width, height);
    write_escaped(title, out);
    fputs("</title>\n<style>text{font:12px "
          "sans-serif;text-anchor:middle;fill:#1a1a1a}.name{text-anchor:start}.name,.step{"
          "fill:#0b5cad}line{stroke:#888}circle,rect{fill:#f3f6fa;stroke:#567}.page{fill:#fff;stroke:none}"
          ".title{text-anchor:start}</style>\n<rect class='page' width='100%' height='100%'/>\n<text class='title' "
          "x='12' y='18'>",
          out);
    write_escaped(title, out);
    fprintf(out, "</text>\n%s</svg>\n", body);
}

void order_draw_svg(const struct order_tree *tree, const char *title, FILE *out) {
    struct text_stream body; // its size is known, and said in front of it, once all is drawn
    text_stream_open(&body);
    struct drawing drawing = {.tree = tree,
                              .shapes = must_calloc(tree->node_count, sizeof *drawing.shapes),
                              .stands_for = must_calloc(tree->node_count, sizeof *drawing.stands_for),
                              .first = must_calloc(tree->node_count, sizeof *drawing.first),
                              .many = must_calloc(tree->node_count, sizeof *drawing.many),
                              .letter = must_calloc(tree->node_count, sizeof *drawing.letter),
                              .out = body.out,
                              .next_x = MARGIN};
    order_shape_hashes(tree, drawing.shapes);
    find_representatives(&drawing);
    draw_subtree(&drawing, order_root(tree), 0);
    char *text = text_stream_close(&body);
    write_document(&drawing, title, text, out);
    free(text);
    free(drawing.shapes);
    free(drawing.stands_for);
    free(drawing.first);
    free(drawing.many);
    free(drawing.letter);
}
