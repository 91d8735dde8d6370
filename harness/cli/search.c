// SPDX-License-Identifier: MIT
#include "harness/cli/search.h"
#include "cases/corpus_write.h"
#include "harness/own/flags.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One number is its own sum: a search wants two.
enum { PARENTS = 6, LITTER = 48, GENERATIONS = 100, SEARCH_N = 32, LEAST_N = 2, MOST_N = 4096, SHOWN = 64 };

struct search {
    struct catalog *catalog;
    const struct command_line *line;
    const struct catalog_variant *row;
    int variant;
    uint64_t n;
    enum float_type type;
    struct prng prng;
    struct input parents[PARENTS]; // the best first
    size_t parent_count, inputs;
    size_t unchecked;   // inputs that could not be, through no fault of the row: they are none of those
    bool blind;         // a whole generation of them
    double best_family; // err/bound before any mutation
    char family[64];
    char *bound, *finding; // of the best input: the bound's name, the head finding
    double ulps;
    const volatile sig_atomic_t *interrupted;
};

// ---- one generation, as a plan ----

// Inputs on their way through the runner: a family of their own each.
struct generation {
    struct input *inputs;
    struct case_values *values;
    char (*names)[32];
    size_t count;
};

static void store_input(const struct input *input, enum float_type type, void *x, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        float_store(type, x, i, float_from_double(type, input->x[i]));
}

static bool fill_input(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    (void)seed;
    store_input(self->data, type, x, n);
    return true;
}

static struct generation make_generation(size_t count, uint64_t n) {
    struct generation made = {.inputs = must_calloc(count, sizeof *made.inputs),
                              .values = must_calloc(count, sizeof *made.values),
                              .names = must_calloc(count, sizeof *made.names),
                              .count = count};
    for (size_t i = 0; i < count; i++) {
        made.inputs[i].x = must_calloc(n, sizeof *made.inputs[i].x);
        snprintf(made.names[i], sizeof made.names[i], "search/%zu", i);
        made.values[i] = (struct case_values){.name = made.names[i],
                                              .what_for = "an input on the way to a worse one",
                                              .fixed_n = n,
                                              .fill = fill_input,
                                              .data = &made.inputs[i]};
    }
    return made;
}

static void free_generation(struct generation *generation) {
    for (size_t i = 0; i < generation->count; i++)
        free(generation->inputs[i].x);
    free(generation->inputs);
    free(generation->values);
    free(generation->names);
}

static double score_of(const struct cell_result *cell) {
    if (finding_is_bad(cell->head) && cell->head != FINDING_BEYOND_BOUND)
        return INFINITY;
    return cell->has_result && !isnan(cell->error_over_bound) ? cell->error_over_bound : -1;
}

// Puts an input among the parents if it is good enough; its numbers change hands.
static bool keep_parent(struct search *search, struct input *input) {
    size_t place = 0;
    while (place < search->parent_count && search->parents[place].score >= input->score)
        place++;
    if (place == PARENTS)
        return false;
    if (search->parent_count == PARENTS)
        free(search->parents[PARENTS - 1].x);
    else
        search->parent_count++;
    memmove(&search->parents[place + 1], &search->parents[place],
            (search->parent_count - 1 - place) * sizeof *search->parents);
    search->parents[place] = *input;
    input->x = NULL;
    return place == 0;
}

static void note_best(struct search *search, const struct cell_result *cell) {
    free(search->bound);
    free(search->finding);
    search->bound = must_copy_text(cell->bound ? cell->bound : "");
    search->finding = must_copy_text(finding_word(cell->head));
    search->ulps = cell->ulps;
}

static void plan_generation(struct plan *plan, const struct search *search, const struct generation *generation) {
    *plan = (struct plan){.catalog = search->catalog};
    for (size_t i = 0; i < generation->count; i++) {
        struct dataset dataset = {
            .key = {.type = search->type, .values = &generation->values[i], .n = search->n, .order = "given"},
            .attacks = ATTACK_NONE};
        plan_add_cells(plan, search->variant, &dataset, (struct attack_strength){.hardware_runs = 1});
    }
}

// False when interrupted, or when nothing could be judged.
static bool judge_generation(struct search *search, struct generation *generation) {
    struct plan plan;
    struct run_result result;
    struct run_options run = {.command = search->line->name,
                              .argv = search->line->argv,
                              .argc = search->line->argc,
                              .interrupted = search->interrupted,
                              .quiet = true};
    plan_generation(&plan, search, generation);
    run_plan(&plan, &search->line->options->selection, &run, &result);
    for (size_t i = 0; i < result.cell_count; i++) { // of an interrupted run, those that were judged
        struct input *input = &generation->inputs[result.cells[i].dataset];
        if (result.cells[i].harness_fault) {
            search->unchecked++;
            continue;
        }
        input->score = score_of(&result.cells[i]);
        search->inputs++;
        if (keep_parent(search, input))
            note_best(search, &result.cells[i]);
    }
    search->blind = result.cell_count && count_harness_faults(&result) == result.cell_count;
    bool whole = !result.interrupted && !search->blind;
    run_result_free(&result);
    plan_free(&plan);
    return whole;
}

// ---- the climb ----

// Whether the family can start a climb: numbers that are finite and not 0.
static bool fill_from_family(const struct search *search, const struct case_values *values, double *x) {
    struct dataset_key key = {.type = search->type, .values = values, .n = search->n, .order = "given"};
    bool usable = !values->fixed_n && !(values->refusal && values->refusal(values, search->type, search->n));
    void *numbers = must_calloc(search->n, sizeof(double));
    if (usable && !dataset_fill(&key, search->line->options->selection.seed, numbers))
        harness_failed("no memory to make a dataset of %" PRIu64 " elements.", search->n);
    for (uint64_t i = 0; usable && i < search->n; i++) {
        x[i] = float_to_double(search->type, float_load(search->type, numbers, i));
        usable = isfinite(x[i]) && x[i] != 0 && fabs(x[i]) > 0x1p-60 && fabs(x[i]) < 0x1p60;
    }
    free(numbers);
    return usable;
}

static bool start_from_families(struct search *search) {
    struct generation first = make_generation(case_values_count(), search->n);
    const char **family = must_calloc(first.count, sizeof *family);
    size_t all = first.count, usable = 0;
    for (size_t i = 0; i < all; i++)
        if (fill_from_family(search, case_values_at(i), first.inputs[usable].x))
            family[usable++] = case_values_at(i)->name;
    first.count = usable;
    bool good = judge_generation(search, &first);
    for (size_t i = 0; search->parent_count && i < usable; i++)
        if (!first.inputs[i].x && search->parents[0].score == first.inputs[i].score) {
            copy_text(search->family, sizeof search->family, family[i]);
            break;
        }
    search->best_family = search->parent_count ? search->parents[0].score : -1;
    first.count = all;
    free_generation(&first);
    free(family);
    return good;
}

static bool breed(struct search *search) {
    struct generation litter = make_generation(LITTER, search->n);
    for (size_t i = 0; i < litter.count; i++) {
        const struct input *parent = &search->parents[prng_below(&search->prng, search->parent_count)];
        const struct input *mate = &search->parents[prng_below(&search->prng, search->parent_count)];
        memcpy(litter.inputs[i].x, parent->x, search->n * sizeof *parent->x);
        mutate_input(litter.inputs[i].x, mate->x, search->n, search->type, &search->prng);
    }
    bool good = judge_generation(search, &litter);
    free_generation(&litter);
    return good;
}

// Until it is interrupted, if there is anything to start from; the best stays among the parents.
static void climb(struct search *search) {
    const struct options *options = search->line->options;
    unsigned generations = options->steps ? options->steps : GENERATIONS;
    char name[CARD_NAME * 3];
    snprintf(name, sizeof name, "%s@%s/%s", search->row->card.name, search->row->card.backend, search->row->card.type);
    search->prng = prng_seeded(options->selection.seed ^ fnv1a64(name));
    bool going = start_from_families(search) && search->parent_count;
    for (unsigned g = 0; going && g < generations && search->parents[0].score < INFINITY; g++) {
        double before = search->parents[0].score;
        going = breed(search);
        if (!options->quiet && search->parents[0].score > before)
            fprintf(stderr, "%s: generation %u: err/bound %.6g\n", name, g + 1, search->parents[0].score);
    }
}

// ---- what was found ----

static void print_numbers(const struct search *search) {
    const double *x = search->parents[0].x;
    for (uint64_t i = 0; i < search->n && i < SHOWN; i++)
        printf("%s%a", i % 4 ? "  " : i ? "\n    " : "    ", x[i]);
    printf(search->n > SHOWN ? "\n    ... (--name NAME makes a case of all)\n" : "\n");
}

// The command that found it, to be pasted.
static char *quote_command(const struct command_line *line) {
    const struct text_list words = {.items = (char **)line->argv + 1, .count = line->argc - 1};
    char *text = own_flags_text(&words), *command = text_format("reductio %s", text);
    free(text);
    return command;
}

static int save_find(const struct search *search) {
    const struct variant_card *card = &search->row->card;
    const struct input *best = &search->parents[0];
    void *x = must_calloc(search->n, float_format(search->type)->size);
    char *source = quote_command(search->line);
    char *shows = text_format("%s@%s in %s, err/bound %.6g of the bound \"%s\": the worst that a search found",
                              card->name, card->backend, card->type, best->score, search->bound);
    store_input(best, search->type, x, search->n);
    const struct corpus_entry entry = {source, shows, search->type, x, search->n};
    int code = add_case(&entry, search->line->options);
    free(x);
    free(source);
    free(shows);
    return code;
}

static int report_find(const struct search *search) {
    const struct variant_card *card = &search->row->card;
    const struct input *best = &search->parents[0];
    if (*search->interrupted)
        puts("Interrupted: what follows is the best of what was tried until then.");
    printf("%s@%s %s, n = %" PRIu64 ": worst err/bound %.6g, bound \"%s\", %.6g ulps (%s), in %zu input%s; families of "
           "cases alone reached %.6g (%s)\n",
           card->name, card->backend, card->type, search->n, best->score, search->bound, search->ulps, search->finding,
           search->inputs, PLURAL(search->inputs), search->best_family, search->family);
    if (search->unchecked)
        printf("Inputs that could not be checked, through no fault of the row, and are none of these: %zu\n",
               search->unchecked);
    print_numbers(search);
    return search->line->options->name ? save_find(search) : EXIT_FINE;
}

static int report_nothing(const struct search *search) {
    const struct variant_card *card = &search->row->card;
    say_error("%s@%s/%s: no family of cases gives %" PRIu64 " numbers that a search could start from.", card->name,
              card->backend, card->type, search->n);
    return EXIT_SKIPPED;
}

static int search_row(struct catalog *catalog, const struct command_line *line, int variant) {
    const struct catalog_variant *row = &catalog->variants[variant];
    struct search search = {.catalog = catalog,
                            .line = line,
                            .row = row,
                            .variant = variant,
                            .type = row->in,
                            .n = line->options->n ? line->options->n : SEARCH_N,
                            .interrupted = catch_interrupts()};
    climb(&search);
    bool tried = !search.unchecked && !*search.interrupted;
    int code = search.parent_count ? report_find(&search) : tried ? report_nothing(&search) : EXIT_FINE;
    if (code == EXIT_FINE)
        code = *search.interrupted ? EXIT_INTERRUPTED : search.unchecked ? EXIT_HARNESS_FAILED : EXIT_FINE;
    for (size_t i = 0; i < search.parent_count; i++)
        free(search.parents[i].x);
    free(search.bound);
    free(search.finding);
    return code;
}

static bool is_searched(struct catalog *catalog, const struct selection *selection, size_t v) {
    const struct catalog_variant *row = &catalog->variants[v];
    return selects_variant(selection, row->card.name, row->card.backend, row->card.type, row->faulty) &&
           catalog_is_present(catalog, row->backend) && !*row->card.absent;
}

int search_worst_inputs(struct catalog *catalog, const struct command_line *line) {
    const struct options *options = line->options;
    size_t rows = 0;
    int code = EXIT_FINE;
    for (size_t v = 0; v < catalog->variant_count; v++)
        rows += is_searched(catalog, &options->selection, v);
    if (options->n && (options->n < LEAST_N || options->n > MOST_N)) {
        say_error("study --search takes from %d up to %d elements.", LEAST_N, MOST_N);
        return EXIT_USAGE;
    }
    if (!rows || (options->name && rows > 1)) {
        say_error("%s", rows ? "--name is for one row of one type; narrow it with --type and --backend."
                             : "the selection leaves nothing to search.");
        return EXIT_USAGE;
    }
    if (options->name)
        code = check_new_case(options);
    for (size_t v = 0; code == EXIT_FINE && v < catalog->variant_count; v++)
        if (is_searched(catalog, &options->selection, v))
            code = search_row(catalog, line, (int)v);
    return code;
}
