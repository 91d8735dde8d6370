// SPDX-License-Identifier: MIT
// What a drawing says can be read: no words lie across a box that is not theirs.
#include "harness/order/draw.h"
#include "harness/support.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES = 64 };
// A narrow guess of a character of 12 pixel sans-serif, and its height above the line.
static const double CHARACTER = 5.5, HEIGHT = 9;

struct box {
    double left, top, right, bottom;
};

static uint32_t add_pair(struct order_tree *tree, uint32_t a, uint32_t b) {
    const uint32_t pair[2] = {a, b};
    return order_add_node(tree, pair, 2);
}

// Two runs, each added one by one, then both: the second is drawn as a box beside the first.
static void build_two_chains(struct order_tree *tree) {
    uint32_t sums[2], half = tree->n / 2;
    for (uint32_t h = 0; h < 2; h++) {
        sums[h] = h * half;
        for (uint32_t i = 1; i < half; i++)
            sums[h] = add_pair(tree, sums[h], h * half + i);
    }
    add_pair(tree, sums[0], sums[1]);
}

static size_t read_boxes(const char *svg, struct box *boxes) {
    size_t count = 0;
    double x, y, width, height;
    for (const char *at = strstr(svg, "<rect x="); at; at = strstr(at + 1, "<rect x=")) {
        ck_assert_int_eq(sscanf(at, "<rect x='%lf' y='%lf' width='%lf' height='%lf'", &x, &y, &width, &height), 4);
        ck_assert_uint_lt(count, BOXES);
        boxes[count++] = (struct box){x, y, x + width, y + height};
    }
    return count;
}

static size_t count_characters(const char *text) {
    size_t count = 0;
    for (; *text != '<'; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80; // not the rest of a UTF-8 character
    return count;
}

static struct box box_of_words(const char *element) {
    const bool starts = !strncmp(element, "<text class='name'", strlen("<text class='name'"));
    const double x = strtod(strstr(element, " x='") + 4, NULL), y = strtod(strstr(element, " y='") + 4, NULL);
    double width = CHARACTER * (double)count_characters(strchr(element, '>') + 1), left = starts ? x : x - width / 2;
    return (struct box){left, y - HEIGHT, left + width, y};
}

static bool meet(const struct box *a, const struct box *b) {
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool holds(const struct box *outer, const struct box *inner) {
    return outer->left <= inner->left && inner->right <= outer->right && outer->top <= inner->top &&
           inner->bottom <= outer->bottom;
}

START_TEST(no_words_lie_across_a_box) {
    struct order_tree tree = {.n = 32};
    struct box boxes[BOXES];
    struct text_stream stream;
    build_two_chains(&tree);
    text_stream_open(&stream);
    order_draw_svg(&tree, "two chains", stream.out);
    char *svg = text_stream_close(&stream);
    size_t count = read_boxes(svg, boxes), words = 0;
    for (const char *at = strstr(svg, "<text "); at; at = strstr(at + 1, "<text "), words++) {
        struct box text = box_of_words(at);
        for (size_t b = 0; b < count; b++)
            ck_assert_msg(!meet(&text, &boxes[b]) || holds(&boxes[b], &text), "a box hides some of %.60s", at);
    }
    ck_assert_uint_eq(count, 2); // 15 × 1, and the other run
    ck_assert_uint_ge(words, 7);
    ck_assert_ptr_nonnull(strstr(svg, ">15 × 1<"));
    ck_assert_ptr_nonnull(strstr(svg, ">one by one<"));
    ck_assert_ptr_nonnull(strstr(svg, ">like A<"));
    free(svg);
    order_free(&tree);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("draw");
    TCase *tests = tcase_create("draw");
    tcase_add_test(tests, no_words_lie_across_a_box);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
