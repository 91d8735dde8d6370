// SPDX-License-Identifier: MIT
// order: the files that it leaves.
#include "harness/cli/order_report.h"
#include "harness/environment.h"
#include "harness/order/draw.h"
#include "harness/support.h"
#include "reports/text.h"

#include <inttypes.h>
#include <stdio.h>

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
    char title[ORDER_TITLE];
    (void)message;
    print_order_title(row, title);
    order_draw_svg(&row->identity.tree, title, out);
    return true;
}

int write_order_files(const struct order_run *run) {
    const struct options *options = run->line->options;
    char message[REPORT_MESSAGE] = "";
    if (options->json && !save_whole(options->json, write_json, run, message)) {
        say_error("%s", message);
        return EXIT_USAGE;
    }
    if (!options->svg)
        return EXIT_FINE;
    if (run->row_count != 1 || !run->rows[0].identity.has_tree || run->rows[0].identity.kind == ORDER_KIND_VARIES) {
        say_error("--svg wants one row with a fixed order; choose it with --type and --backend.");
        return EXIT_USAGE;
    }
    if (save_whole(options->svg, write_svg, run, message))
        return EXIT_FINE;
    say_error("%s", message);
    return EXIT_USAGE;
}
