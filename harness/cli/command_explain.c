// SPDX-License-Identifier: MIT
// explain: why two sums of one array differ.
#include "harness/cli/commands.h"
#include "harness/cli/explain.h"
#include "harness/cli/given_option.h"
#include "harness/environment.h"
#include "harness/own/flags.h"
#include "harness/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_value(const struct explain *explain, struct side *side) {
    side->out = explain->given.array.type;
    return float_parse(side->out, side->word, &side->bits);
}

static bool answers_to(const struct explain *explain, const struct side *side, const struct catalog_variant *row) {
    const struct catalog_backend *backend = &explain->catalog.backends[row->backend];
    if (side->is_file)
        return backend->file && strcmp(backend->file, side->word) == 0;
    struct selection one = {0};
    text_list_add(&one.variants, side->word);
    bool answers = selects_variant(&one, row->card.name, row->card.backend, row->card.type, row->faulty);
    selection_free(&one);
    return answers;
}

static bool is_selected(struct explain *explain, const struct side *side, size_t variant) {
    const struct catalog_variant *row = &explain->catalog.variants[variant];
    bool fits = row->in == explain->given.array.type || catalog_fault(&explain->catalog, variant);
    return fits && selects_backend(&explain->options->selection, row->card.backend) && answers_to(explain, side, row) &&
           catalog_is_present(&explain->catalog, row->backend);
}

// The first row that answers to the word; NULL for none.
static const struct catalog_variant *find_row(struct explain *explain, const struct side *side) {
    for (size_t v = 0; v < explain->catalog.variant_count; v++)
        if (is_selected(explain, side, v))
            return &explain->catalog.variants[v];
    return NULL;
}

// A file stands for its one row.
static bool is_one_row(struct explain *explain, const struct side *side, const char *name) {
    for (size_t v = 0; side->is_file && v < explain->catalog.variant_count; v++) {
        const char *other = explain->catalog.variants[v].card.name;
        if (strcmp(name, other) == 0 || !is_selected(explain, side, v))
            continue;
        say_error("%s holds several rows, such as %s and %s: name the one beside the file.", side->word, name, other);
        return false;
    }
    return true;
}

// What the side stands for; EXIT_FINE also for a value.
static int choose_row(struct explain *explain, struct side *side) {
    const char *type = float_format(explain->given.array.type)->name;
    uint64_t n = explain->given.array.n;
    side->row = find_row(explain, side);
    side->is_row = side->row != NULL;
    if (!side->row) {
        if (!side->is_file && parse_value(explain, side))
            return EXIT_FINE;
        say_error(side->is_file ? "%s has no row that takes %s numbers."
                                : "\"%s\" is neither a row that takes %s numbers nor a value.",
                  side->word, type);
        return EXIT_USAGE;
    }
    const struct catalog_variant *row = side->row;
    const struct catalog_backend *backend = &explain->catalog.backends[row->backend];
    side->out = row->out;
    if (!is_one_row(explain, side, row->card.name))
        return EXIT_USAGE;
    if (backend->fault) {
        say_error("%s did not run: %s", side->word, backend->fault);
        return backend->outcome == WORK_LOST ? EXIT_HARNESS_FAILED : EXIT_CLAIM_BROKEN;
    }
    if (*row->card.absent) {
        say_error("%s is not run here: %s", side->word, row->card.absent);
        return EXIT_SKIPPED;
    }
    if (catalog_row_takes(row, n))
        return EXIT_FINE;
    say_error("%s takes at most %" PRIu64 " numbers, and here are %" PRIu64 ".", side->word, row->card.max_n, n);
    return EXIT_USAGE;
}

static int open_side(struct explain *explain, struct side *side) {
    const struct npy_array *array = &explain->given.array;
    char message[ORDER_MESSAGE] = "";
    int code = choose_row(explain, side);
    if (code != EXIT_FINE || !side->is_row)
        return code;
    probe_bench_open(&side->bench, &explain->catalog, (size_t)(side->row - explain->catalog.variants),
                     &explain->options->selection);
    side->bench.interrupted = catch_interrupts();
    if (!probe_array(&side->bench, array->n, array->x, &side->bits, message)) {
        say_error("%s did not run: %s", side->word, message);
        return code_of_failed_probe(&side->bench);
    }
    if (array->n < 1 || array->n > ORDER_MOST_INFERRED || array->n > probe_most_terms(side->out))
        return EXIT_FINE;
    side->identified = order_identify(&side->bench, (uint32_t)array->n, &side->identity, message);
    if (side->identified)
        return EXIT_FINE;
    say_error("the order of %s could not be revealed: %s", side->word, message);
    return code_of_failed_probe(&side->bench);
}

static const struct catalog_backend *backend_of(const struct explain *explain, int side) {
    return &explain->catalog.backends[explain->sides[side].row->backend];
}

// The program, the machine, and what the backends of the two say of themselves.
static bool is_told(const char *key) {
    return strcmp(key, "version") == 0 || strcmp(key, "commit") == 0 || strcmp(key, "cpu") == 0 || strchr(key, '.');
}

// What a colleague needs to have the page again.
static void say_origin(struct explain *explain, const struct command_line *line) {
    struct run_result record = {0};
    record_command_line(&record, line->argv, line->argc);
    char *words = own_flags_text(&(struct text_list){.items = record.argv + 1, .count = record.argc - 1});
    page_begin(&explain->page, "How this page was made");
    page_say(&explain->page, "reductio %s", words);
    page_paragraph(&explain->page);
    record_environment(&record);
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; explain->sides[s].is_row && i < backend_of(explain, s)->environment_count; i++)
            add_environment(&record, backend_of(explain, s)->name, backend_of(explain, s)->environment[i].key,
                            backend_of(explain, s)->environment[i].value);
    for (size_t i = 0; i < record.environment_count; i++)
        if (is_told(record.environment[i].key))
            page_say(&explain->page, "%s: %s.", record.environment[i].key, record.environment[i].value);
    free(words);
    run_result_free(&record);
}

static int explain_array(struct explain *explain, const struct command_line *line) {
    const struct npy_array *array = &explain->given.array;
    int code = EXIT_FINE;
    for (int s = 0; s < 2 && code == EXIT_FINE; s++)
        code = open_side(explain, &explain->sides[s]);
    if (code != EXIT_FINE)
        return code;
    char *file = argument_without_folder(line->options->words[0]);
    exact_sum(&explain->exact, array->type, array->x, array->n);
    say_exact_sum(explain);
    say_distances(explain);
    if (explain->exact.class_ == SUM_FINITE) {
        say_condition(explain);
        say_whether_an_order_explains(explain);
        say_orders(explain);
        say_input_rounding(explain);
        say_advice(explain);
    } else {
        say_advice_not_finite(explain);
    }
    set_verdict(explain, strcmp(file, "-") == 0 ? "standard input" : file);
    free(file);
    say_origin(explain, line);
    exact_sum_clear(&explain->exact);
    page_write_text(&explain->page, stdout);
    char message[REPORT_MESSAGE] = "";
    if (!explain->options->html || save_whole(explain->options->html, page_write_html, &explain->page, message))
        return EXIT_FINE;
    say_error("%s", message);
    return EXIT_USAGE;
}

// The two sides are words, and then files only bring rows, or else what stands beside the array.
static bool choose_sides(struct side sides[2], const struct options *options) {
    bool by_words = options->word_count == 3;
    if (!by_words && (!options->word_count || options->operand_count != 3)) {
        say_error("explain wants an array and two sums of it: DATA.npy A B, which are rows, values or "
                  ".cu files.");
        return false;
    }
    int count = 0;
    for (size_t i = 0; i < options->operand_count; i++) {
        const char *word = options->operands[i];
        bool is_file = false;
        for (size_t w = 0; w < options->files.count; w++)
            is_file |= strcmp(options->files.items[w], word) == 0;
        if (word != options->words[0] && !(by_words && is_file))
            sides[count++] = (struct side){.word = word, .is_file = is_file};
    }
    return true;
}

int command_explain(const struct command_line *line) {
    struct explain explain = {.options = line->options};
    if (!choose_sides(explain.sides, line->options))
        return EXIT_USAGE;
    int code = load_array(&explain.given, line->options->words[0], line->options);
    if (code != EXIT_FINE)
        return code;
    code = open_catalog(&explain.catalog, explain.options, false);
    if (code == EXIT_FINE)
        code = explain_array(&explain, line);
    for (int s = 0; s < 2; s++) {
        order_identity_free(&explain.sides[s].identity);
        probe_bench_close(&explain.sides[s].bench);
    }
    page_free(&explain.page);
    catalog_free(&explain.catalog);
    given_free(&explain.given);
    return code;
}
