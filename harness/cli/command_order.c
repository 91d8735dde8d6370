// SPDX-License-Identifier: MIT
// order: the order of additions inside rows of the catalogue, revealed from outside.
#include "harness/cli/given_option.h"
#include "harness/cli/order_report.h"
#include "harness/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_N = 64 };

// ---- replay ----

// The tree on an array, against the variant on the same; false if the bits differ.
static bool replay_row(const struct order_row *row, struct probe_bench *bench, const void *x) {
    const struct order_identity *identity = &row->identity;
    enum float_type out = row->variant->out;
    uint64_t bits, predicted;
    char message[ORDER_MESSAGE], got[FLOAT_TEXT], said[FLOAT_TEXT];
    if (identity->kind != ORDER_KIND_TREE && identity->kind != ORDER_KIND_WIDE) {
        printf("    no replay: there is no tree of plain additions\n");
        return true;
    }
    if (!probe_array(bench, row->n, x, &bits, message)) {
        printf("    no replay: %s\n", message);
        return false;
    }
    predicted = order_evaluate(&identity->tree, row->variant->in, x, identity->arithmetic, out);
    float_to_hex(out, predicted, said);
    float_to_hex(out, bits, got);
    bool same = float_same(out, predicted, bits);
    printf("    replay: the tree gives %s, the variant %s: %s\n", said, got, same ? "the same bits" : "OTHER BITS");
    return same;
}

// The case or the array that --replay names.
static bool replay(const struct order_run *run, const struct order_row *row, struct probe_bench *bench) {
    const struct case_values *values = run->replayed;
    enum float_type in = row->variant->in;
    const char *refusal = values->refusal ? values->refusal(values, in, row->n) : NULL;
    if (refusal) {
        printf("    no replay of \"%s\": %s\n", values->name, refusal);
        return true;
    }
    struct dataset_key key = {.type = in, .values = values, .n = row->n, .order = "given"};
    void *x = must_calloc(row->n, float_format(in)->size);
    if (!dataset_fill(&key, run->line->options->selection.seed, x))
        harness_failed("no memory to make a dataset of %u elements.", row->n);
    bool same = replay_row(row, bench, x);
    free(x);
    return same;
}

// ---- the command ----

// No fault of the row's: it does not take, or cannot count, what was asked for.
static int tell_refusal(struct order_run *run, const struct order_row *row, const char *why) {
    char title[ORDER_TITLE];
    print_order_title(row, title);
    printf("%s\n    not revealed: %s\n", title, why);
    if (!run->cannot)
        run->cannot = text_format("%s: %s", title, why);
    run->refused++;
    return EXIT_FINE;
}

// Why the row cannot be asked about so many elements, NULL if it can.
static char *find_limit(const struct catalog_variant *row, uint32_t n) {
    if (!catalog_row_takes(row, n))
        return text_format("it takes at most %" PRIu64 " elements.", (uint64_t)row->card.max_n);
    if (n > probe_most_terms(row->out))
        return text_format("%s counts no more than %" PRIu64 " terms.", float_format(row->out)->name,
                           probe_most_terms(row->out));
    return NULL;
}

// Returns the exit code that the row asks for.
static int identify_on_bench(struct order_run *run, struct probe_bench *bench) {
    struct order_row *row;
    char message[ORDER_MESSAGE] = "", *limit;
    run->rows = grow_array(run->rows, run->row_count, sizeof *run->rows);
    row = &run->rows[run->row_count];
    *row = (struct order_row){.variant = &run->catalog.variants[bench->variant], .n = run->n};
    shape_print(bench->shape, row->shape, sizeof row->shape);
    if ((limit = find_limit(row->variant, run->n))) {
        int code = tell_refusal(run, row, limit);
        free(limit);
        return code;
    }
    if (!order_identify(bench, row->n, &row->identity, message)) {
        char title[ORDER_TITLE];
        order_identity_free(&row->identity);
        if (bench->refused && !plan_lists_shape(&row->variant->card, bench->shape))
            return tell_refusal(run, row, message);
        print_order_title(row, title);
        printf("%s\n    did not run: %s\n", title, message);
        return code_of_failed_probe(bench);
    }
    run->row_count++;
    row->contradicts = find_contradiction(row) != NULL;
    print_order_row(row);
    return row->contradicts || (run->replayed && !replay(run, row, bench)) ? EXIT_CLAIM_BROKEN : EXIT_FINE;
}

static int identify_row(struct order_run *run, size_t variant, struct reductio_shape shape) {
    struct probe_bench bench;
    probe_bench_open(&bench, &run->catalog, variant, &run->line->options->selection);
    bench.interrupted = catch_interrupts();
    if (shape.threads)
        bench.shape = shape;
    int code = identify_on_bench(run, &bench);
    probe_bench_close(&bench);
    return code;
}

// What --replay names: a case, or a file, which says how many elements there are.
static int open_replay(struct order_run *run) {
    const struct options *options = run->line->options;
    if (!options->replay)
        return EXIT_FINE;
    run->replayed = case_values_find(options->replay);
    if (run->replayed)
        return EXIT_FINE;
    int code = load_given(&run->given, options->replay, options);
    if (code != EXIT_FINE)
        return code;
    if (!run->given.array.n) {
        say_error("--replay %s: it holds no numbers, and so nothing is added.", options->replay);
        return EXIT_USAGE;
    }
    run->replayed = &run->given.values;
    return EXIT_FINE;
}

static bool is_looked_into(struct order_run *run, size_t variant) {
    const struct catalog_variant *row = &run->catalog.variants[variant];
    return selects_variant(&run->line->options->selection, row->card.name, row->card.backend, row->card.type,
                           row->faulty) &&
           catalog_is_present(&run->catalog, row->backend);
}

static size_t count_rows(struct order_run *run) {
    size_t count = 0;
    for (size_t v = 0; v < run->catalog.variant_count; v++)
        count += is_looked_into(run, v) && !*run->catalog.variants[v].card.absent;
    return count;
}

static int check_order_options(struct order_run *run, struct reductio_shape *shape) {
    const struct options *options = run->line->options;
    uint64_t n = options->n ? options->n : run->replayed && run->replayed->fixed_n ? run->replayed->fixed_n : DEFAULT_N;
    if (n > ORDER_MOST_INFERRED) {
        say_error("an order is revealed for up to %d elements and inferred for up to %d, not for %" PRIu64 ".",
                  ORDER_MOST_LEAVES, ORDER_MOST_INFERRED, n);
        return EXIT_USAGE;
    }
    if (run->replayed && run->replayed->fixed_n && run->replayed->fixed_n != n) {
        say_error("--replay %s has %" PRIu64 " elements, and -n %" PRIu64 " asks for others.", options->replay,
                  run->replayed->fixed_n, n);
        return EXIT_USAGE;
    }
    if (option_given(options, OPTION_SEED) && (!run->replayed || run->given.array.n)) {
        say_error("--seed makes the data of a case, and there is no --replay CASE.");
        return EXIT_USAGE;
    }
    run->n = (uint32_t)n;
    if (options->shape && (!shape_parse(options->shape, shape) || shape->threads > SHAPE_MOST_THREADS)) {
        say_error("--shape %s: a shape is tTHREADS or tTHREADSbBLOCKS, like t256b8, with up to %d threads.",
                  options->shape, SHAPE_MOST_THREADS);
        return EXIT_USAGE;
    }
    if (options->svg && count_rows(run) > 1) {
        say_error("--svg wants one row with a fixed order; choose it with --type and --backend.");
        return EXIT_USAGE;
    }
    return EXIT_FINE;
}

// Of two rows: an interrupt ends the command, and a broken claim is more than what could not be asked.
static int worse_code(int so_far, int next) {
    if (next == EXIT_FINE || (so_far == EXIT_CLAIM_BROKEN && next != EXIT_INTERRUPTED))
        return so_far;
    return next;
}

static int identify_row_of(struct order_run *run, size_t variant, struct reductio_shape shape) {
    const struct variant_card *card = &run->catalog.variants[variant].card;
    if (!*card->absent)
        return identify_row(run, variant, shape);
    printf("%s@%s/%s\n    not run: %s\n", card->name, card->backend, card->type, card->absent);
    return EXIT_FINE;
}

static int identify_all(struct order_run *run, struct reductio_shape shape) {
    size_t looked_into = 0;
    int result = EXIT_FINE;
    for (size_t v = 0; v < run->catalog.variant_count && result != EXIT_INTERRUPTED; v++) {
        if (!is_looked_into(run, v))
            continue;
        result = worse_code(result, identify_row_of(run, v, shape));
        looked_into++;
    }
    if (!looked_into)
        say_error("the selection leaves no row to look into.");
    else if (run->refused == looked_into)
        say_error("%s", run->cannot);
    return run->refused == looked_into ? EXIT_USAGE : result; // of none, too
}

static int identify_rows(struct order_run *run) {
    struct reductio_shape shape = {0};
    int code = check_selection(&run->catalog, &run->line->options->selection);
    if (code == EXIT_FINE)
        code = open_replay(run);
    if (code == EXIT_FINE)
        code = check_order_options(run, &shape);
    if (code != EXIT_FINE)
        return code;
    int result = identify_all(run, shape);
    if (result == EXIT_USAGE)
        return result;
    code = write_order_files(run);
    return code == EXIT_FINE ? result : code;
}

int command_order(const struct command_line *line) {
    struct options *options = line->options;
    struct order_run run = {.line = line};
    select_words(options);
    if (!options->selection.variants.count && !brings_rows(options)) {
        say_error("order wants the rows to look into, as names or globs.");
        return EXIT_USAGE;
    }
    int code = open_catalog(&run.catalog, options, false);
    if (code != EXIT_FINE)
        return code;
    prefer_brought_rows(options, &run.catalog);
    code = identify_rows(&run);
    for (size_t r = 0; r < run.row_count; r++)
        order_identity_free(&run.rows[r].identity);
    free(run.rows);
    free(run.cannot);
    given_free(&run.given);
    catalog_free(&run.catalog);
    return code;
}
