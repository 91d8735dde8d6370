// SPDX-License-Identifier: MIT
// order: what is said of a row on the terminal.
#include "harness/cli/order_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMULA_N = 64, SAMPLE_FORMULA_N = 16, PATTERN_N = 9 };

void print_order_title(const struct order_row *row, char *text) {
    const struct variant_card *card = &row->variant->card;
    snprintf(text, ORDER_TITLE, "%s@%s/%s, n = %u, %s", card->name, card->backend, card->type, row->n, row->shape);
}

const char *find_contradiction(const struct order_row *row) {
    const struct order_identity *identity = &row->identity;
    const struct variant_card *card = &row->variant->card;
    if (identity->kind == ORDER_KIND_VARIES && (card->same_bits & REDUCTIO_RUN))
        return "It claims the same bits in every run.";
    bool height_counts = identity->kind == ORDER_KIND_TREE || identity->kind == ORDER_KIND_WIDE;
    if (height_counts && card->has_height && order_height(&identity->tree) > identity->claimed_height)
        return "It claims a smaller height.";
    return NULL;
}

static void print_formula(const char *indent, const struct order_tree *tree) {
    char *formula = order_formula(tree);
    printf("%s%s\n", indent, formula);
    free(formula);
}

static void print_samples(const struct order_identity *identity) {
    for (uint32_t k = 0; k < identity->sample_count; k++) {
        const struct order_sample *sample = &identity->samples[k];
        char name[SCHEDULE_TEXT];
        schedule_name(sample->schedule, name);
        if (!sample->is_tree) {
            printf("    %-12s no tree\n", name);
            continue;
        }
        printf("    %-12s height %u, hash %016" PRIx64 "\n", name, order_height(&sample->tree), sample->hash);
        if (sample->tree.n <= SAMPLE_FORMULA_N)
            print_formula("        ", &sample->tree);
    }
}

static void print_tree(const struct order_row *row) {
    const struct order_identity *identity = &row->identity;
    printf("    height %u", order_height(&identity->tree));
    if (row->variant->card.has_height)
        printf(" (claimed: %" PRIu64 ")", identity->claimed_height);
    printf(", hash %016" PRIx64 "\n", order_hash(&identity->tree));
    if (row->n <= FORMULA_N)
        print_formula("    ", &identity->tree);
    if (identity->pattern && row->n >= PATTERN_N)
        printf("    in words: %s\n", identity->pattern);
}

// Where n itself was not looked into: what stands for it.
static void print_inference(const struct order_identity *identity, uint32_t n) {
    if (!identity->inferred_from || identity->kind == ORDER_KIND_UNKNOWN) // then the reason says it all
        return;
    printf("    inferred from sums of up to %u terms", identity->inferred_from);
    if (identity->proof)
        printf(", and proven at n = %u by %" PRIu64 " sums\n", n, identity->proof);
    else if (identity->has_tree)
        printf("; at n = %u evaluated, not proven\n", n);
    else
        printf(": nothing was looked into at n = %u\n", n);
}

// A row without a claim can be told what it could claim.
static void print_suggestion(const struct order_row *row) {
    const struct order_identity *identity = &row->identity;
    const struct variant_card *card = &row->variant->card;
    bool of_program = strcmp(card->backend, "exec") == 0; // it claims in its hello, in JSON
    if (card->accuracy == REDUCTIO_ACCURACY_NOT_CLAIMED && identity->kind == ORDER_KIND_TREE)
        printf("    It claims no accuracy. It could: %s, and a function that gives %u for n = %u\n",
               of_program ? "\"accuracy\": \"height\", \"heights\": true"
                          : ".accuracy = REDUCTIO_HEIGHT, .height = its height",
               order_height(&identity->tree), row->n);
}

void print_order_row(const struct order_row *row) {
    const struct order_identity *identity = &row->identity;
    char title[ORDER_TITLE];
    print_order_title(row, title);
    printf("%s\n    %s", title, order_kind_words(identity->kind));
    if (identity->kind == ORDER_KIND_TREE || identity->kind == ORDER_KIND_WIDE)
        printf(": additions in %s", order_arithmetic_name(identity->arithmetic));
    printf("\n");
    if (*identity->why)
        printf("    because %s\n", identity->why);
    if (identity->kind == ORDER_KIND_TREE || identity->kind == ORDER_KIND_WIDE || identity->kind == ORDER_KIND_MULTIWAY)
        print_tree(row);
    print_inference(identity, row->n);
    if (identity->kind == ORDER_KIND_COMPENSATED || identity->kind == ORDER_KIND_EXACT)
        printf("    mean distance from the exact sum: %.3g ulps on %u random arrays\n", identity->mean_ulps,
               identity->compared);
    print_samples(identity);
    print_suggestion(row);
    const char *contradiction = find_contradiction(row);
    if (contradiction)
        printf("    %s\n", contradiction);
    printf("    %" PRIu64 " sums in %" PRIu64 " rounds", identity->cost.probes, identity->cost.rounds);
    if (identity->kind == ORDER_KIND_TREE || identity->kind == ORDER_KIND_WIDE)
        printf("; evaluated on the CPU, the tree gives the same bits on %u of %u random arrays", identity->agreed,
               identity->compared);
    printf("\n");
}
