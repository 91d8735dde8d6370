// SPDX-License-Identifier: MIT
// order: the order of additions inside rows of the catalogue, revealed from outside.
#include "harness/cli/commands.h"
#include "harness/cli/given_option.h"
#include "harness/environment.h"
#include "harness/order_draw.h"
#include "harness/order_identify.h"
#include "harness/support.h"
#include "reports/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_N = 64, FORMULA_N = 64, SAMPLE_FORMULA_N = 16, PATTERN_N = 9 };

// One row of the catalogue, looked at.
struct order_row {
    const struct catalog_variant *variant;
    uint32_t n;
    char shape[32];
    struct order_identity identity;
    bool contradicts; // its claims
};

struct order_run {
    const struct command_line *line;
    struct catalog catalog;
    uint32_t n;
    struct given_array given;           // from --replay FILE.npy
    const struct case_values *replayed; // NULL: nothing
    struct order_row *rows;
    size_t row_count;
};

static void print_title(const struct order_row *row, char *text, size_t size) {
    const struct variant_card *card = &row->variant->card;
    snprintf(text, size, "%s@%s/%s, n = %u, %s", card->name, card->backend, card->type, row->n, row->shape);
}

// What the order contradicts among the claims, or NULL.
static const char *find_contradiction(const struct order_row *row) {
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

static void print_row(const struct order_row *row) {
    const struct order_identity *identity = &row->identity;
    char title[256];
    print_title(row, title, sizeof title);
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

// ---- JSON ----

static json_t *json_of_nodes(const struct order_tree *tree) {
    json_t *nodes = json_array();
    for (uint32_t k = 0; k < tree->node_count; k++) {
        json_t *children = json_array();
        for (uint32_t c = 0; c < tree->nodes[k].child_count; c++)
            json_array_append_new(children, json_integer(tree->children[tree->nodes[k].first_child + c]));
        json_array_append_new(nodes, children);
    }
    return nodes;
}

// Nodes as far as anyone may have looked at each: a larger tree was inferred, and its pattern says what it is.
static void set_tree(json_t *object, const struct order_tree *tree) {
    char text[32];
    snprintf(text, sizeof text, "%016" PRIx64, order_hash(tree));
    json_object_set_new(object, "height", json_integer(order_height(tree)));
    json_object_set_new(object, "hash", json_string(text));
    if (tree->n <= ORDER_MOST_LEAVES)
        json_object_set_new(object, "nodes", json_of_nodes(tree));
}

static json_t *json_of_samples(const struct order_identity *identity) {
    json_t *samples = json_array();
    for (uint32_t k = 0; k < identity->sample_count; k++) {
        const struct order_sample *sample = &identity->samples[k];
        char name[SCHEDULE_TEXT];
        schedule_name(sample->schedule, name);
        json_t *object = json_pack("{s:s, s:b}", "schedule", name, "is_tree", sample->is_tree);
        if (sample->is_tree)
            set_tree(object, &sample->tree);
        json_array_append_new(samples, object);
    }
    return samples;
}

static json_t *json_of_row(const struct order_row *row) {
    const struct order_identity *identity = &row->identity;
    const struct variant_card *card = &row->variant->card;
    json_t *object = json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:I, s:I, s:b}", "variant", card->name, "backend",
                               card->backend, "type", card->type, "n", (int)row->n, "shape", row->shape, "kind",
                               order_kind_name(identity->kind), "sums", (json_int_t)identity->cost.probes, "rounds",
                               (json_int_t)identity->cost.rounds, "contradicts_claims", row->contradicts);
    if (card->has_height)
        json_object_set_new(object, "claimed_height", json_integer((json_int_t)identity->claimed_height));
    if (*identity->why)
        json_object_set_new(object, "why", json_string(identity->why));
    if (identity->kind == ORDER_KIND_TREE || identity->kind == ORDER_KIND_WIDE)
        json_object_set_new(object, "arithmetic", json_string(order_arithmetic_name(identity->arithmetic)));
    if (identity->has_tree && identity->kind <= ORDER_KIND_MULTIWAY) {
        set_tree(object, &identity->tree);
        if (identity->pattern)
            json_object_set_new(object, "pattern", json_string(identity->pattern));
    }
    if (identity->inferred_from)
        json_object_update_new(object, json_pack("{s:i, s:I}", "inferred_from", (int)identity->inferred_from, "proof",
                                                 (json_int_t)identity->proof));
    if (identity->sample_count)
        json_object_set_new(object, "samples", json_of_samples(identity));
    return object;
}

static bool looked_into(const struct order_run *run, size_t backend) {
    for (size_t r = 0; r < run->row_count; r++)
        if (run->rows[r].variant->backend == (int)backend)
            return true;
    return false;
}

// What a run records too: a library picks its order by its version and its machine.
static json_t *json_of_environment(const struct order_run *run) {
    struct run_result record = {0};
    json_t *lines = json_object();
    record_environment(&record);
    for (size_t b = 0; b < run->catalog.backend_count; b++) {
        const struct catalog_backend *backend = &run->catalog.backends[b];
        for (size_t i = 0; looked_into(run, b) && i < backend->environment_count; i++)
            add_environment(&record, backend->name, backend->environment[i].key, backend->environment[i].value);
    }
    for (size_t i = 0; i < record.environment_count; i++)
        json_object_set_new(lines, record.environment[i].key, text_to_json(record.environment[i].value));
    run_result_free(&record);
    return lines;
}

static bool write_json(const void *what, FILE *out, char *message) {
    const struct order_run *run = what;
    json_t *rows = json_array();
    for (size_t r = 0; r < run->row_count; r++)
        json_array_append_new(rows, json_of_row(&run->rows[r]));
    json_t *whole = json_pack("{s:i, s:s, s:o, s:o}", "schema_version", 1, "kind", "orders", "environment",
                              json_of_environment(run), "orders", rows);
    bool good = whole && json_dumpf(whole, out, JSON_COMPACT) == 0 && fputc('\n', out) != EOF;
    json_decref(whole);
    if (!good)
        snprintf(message, REPORT_MESSAGE, "the orders could not be written.");
    return good;
}

static bool write_svg(const void *what, FILE *out, char *message) {
    const struct order_run *run = what;
    const struct order_row *row = &run->rows[0];
    char title[256];
    (void)message;
    print_title(row, title, sizeof title);
    order_draw_svg(&row->identity.tree, title, out);
    return true;
}

static int write_order_files(const struct order_run *run) {
    const struct options *options = run->line->options;
    char message[REPORT_MESSAGE] = "";
    if (options->json && !save_whole(options->json, write_json, run, message)) {
        fprintf(stderr, "reductio: %s\n", message);
        return EXIT_USAGE;
    }
    if (!options->svg)
        return EXIT_FINE;
    if (run->row_count != 1 || !run->rows[0].identity.has_tree || run->rows[0].identity.kind == ORDER_KIND_VARIES) {
        fprintf(stderr, "reductio: --svg wants one row with a fixed order; choose it with --type and --backend.\n");
        return EXIT_USAGE;
    }
    if (save_whole(options->svg, write_svg, run, message))
        return EXIT_FINE;
    fprintf(stderr, "reductio: %s\n", message);
    return EXIT_USAGE;
}

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

// Returns the exit code that the row asks for.
static int identify_on_bench(struct order_run *run, struct probe_bench *bench) {
    struct order_row *row;
    char message[ORDER_MESSAGE] = "";
    run->rows = grow_array(run->rows, run->row_count, sizeof *run->rows);
    row = &run->rows[run->row_count];
    *row = (struct order_row){.variant = &run->catalog.variants[bench->variant], .n = run->n};
    shape_print(bench->shape, row->shape, sizeof row->shape);
    if (!order_identify(bench, row->n, &row->identity, message)) {
        char title[256];
        print_title(row, title, sizeof title);
        printf("%s\n    did not run: %s\n", title, message);
        order_identity_free(&row->identity);
        return code_of_failed_probe(bench);
    }
    run->row_count++;
    row->contradicts = find_contradiction(row) != NULL;
    print_row(row);
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
    if (code == EXIT_FINE)
        run->replayed = &run->given.values;
    return code;
}

static int check_order_options(struct order_run *run, struct reductio_shape *shape) {
    const struct options *options = run->line->options;
    uint64_t n = options->study_n                          ? options->study_n
                 : run->replayed && run->replayed->fixed_n ? run->replayed->fixed_n
                                                           : DEFAULT_N;
    if (n > ORDER_MOST_INFERRED) {
        fprintf(stderr,
                "reductio: an order is revealed for up to %d elements and inferred for up to %d, not for %" PRIu64
                ".\n",
                ORDER_MOST_LEAVES, ORDER_MOST_INFERRED, n);
        return EXIT_USAGE;
    }
    if (run->replayed && run->replayed->fixed_n && run->replayed->fixed_n != n) {
        fprintf(stderr, "reductio: --replay %s has %" PRIu64 " elements, and -n %" PRIu64 " asks for others.\n",
                options->replay, run->replayed->fixed_n, n);
        return EXIT_USAGE;
    }
    run->n = (uint32_t)n;
    if (options->shape && (!shape_parse(options->shape, shape) || !shape->threads)) {
        fprintf(stderr, "reductio: --shape %s: a shape is tTHREADS or tTHREADSbBLOCKS, like t256b8.\n", options->shape);
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

static int identify_rows(struct order_run *run) {
    const struct options *options = run->line->options;
    struct reductio_shape shape = {0};
    size_t looked_into = 0;
    int result = EXIT_FINE, code = check_selection(&run->catalog, &options->selection);
    if (code == EXIT_FINE)
        code = open_replay(run);
    if (code == EXIT_FINE)
        code = check_order_options(run, &shape);
    for (size_t v = 0; code == EXIT_FINE && result != EXIT_INTERRUPTED && v < run->catalog.variant_count; v++) {
        const struct catalog_variant *row = &run->catalog.variants[v];
        if (run->catalog.backends[row->backend].present &&
            selects_variant(&options->selection, row->card.name, row->card.backend, row->card.type, row->faulty)) {
            looked_into++;
            if (*row->card.absent)
                printf("%s@%s/%s\n    not run: %s\n", row->card.name, row->card.backend, row->card.type,
                       row->card.absent);
            else
                result = worse_code(result, identify_row(run, v, shape));
        }
    }
    if (code == EXIT_FINE && !looked_into) {
        fprintf(stderr, "reductio: the selection leaves no row that can be run here.\n");
        return EXIT_SKIPPED;
    }
    if (code == EXIT_FINE)
        code = write_order_files(run);
    return code == EXIT_FINE ? result : code;
}

int command_order(const struct command_line *line) {
    struct options *options = line->options;
    struct order_run run = {.line = line};
    select_words(options);
    if (!options->selection.variants.count && !brings_rows(options)) {
        fprintf(stderr, "reductio: order wants the rows to look into, as names or globs.\n");
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
    given_free(&run.given);
    catalog_free(&run.catalog);
    return code;
}
