// SPDX-License-Identifier: MIT
#include "harness/catalog_parts.h"

#include "harness/cards.h"
#include "harness/cell.h"
#include "harness/environment.h"
#include "harness/finding.h"
#include "harness/installation.h"
#include "harness/plan.h"
#include "harness/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

// An emulated thread costs about a thousand times a real one, so the tiers give the emulator smaller arrays.
static const struct {
    const char *name;
    uint64_t max_n;
    bool needs_toolkit; // and is not built without
} backend_table[] = {
    {"host", 1u << 24, false},
    {"simt", (1u << 20) + 3, false},
    {"cuda", 1u << 28, true},
};

enum { HAZARD_MAX_N = 4097 }; // the few elements that a sanitizer can afford
enum { BACKENDS = sizeof backend_table / sizeof *backend_table, START_SECONDS = 30 };
// A program may import a large library from a cold disk; elements go to it through a pipe, once for each run.
enum { PROGRAM_START_SECONDS = 120, PROGRAM_MAX_N = 1 << 24 };

static char *find_worker(const char *name) {
    const char *chosen = getenv("REDUCTIO_WORKERS");
    char *file = text_format("reductio-worker-%s", name);
    char *path = chosen ? text_format("%s/%s", chosen, file) : installed_program(file);
    free(file);
    return path;
}

void catalog_add_variant(struct catalog *catalog, const struct variant_card *card, int backend) {
    struct catalog_variant row = {.card = *card, .backend = backend, .faulty = *card->fault_finding != '\0'};
    if (!variant_type_parse(card->type, &row.in, &row.out))
        harness_failed("variant %s has the unknown type \"%s\".", card->name, card->type);
    struct catalog_variant **list = card->is_probe ? &catalog->probes : &catalog->variants;
    size_t *rows = card->is_probe ? &catalog->probe_count : &catalog->variant_count;
    *list = grow_array(*list, *rows, sizeof **list);
    (*list)[(*rows)++] = row;
}

static void keep_cards(struct catalog *catalog, int index, struct variant_card *cards, size_t count) {
    for (size_t i = 0; i < count; i++) {
        copy_text(cards[i].backend, sizeof cards[i].backend, catalog->backends[index].name);
        catalog_add_variant(catalog, &cards[i], index);
    }
    free(cards);
}

bool catalog_load_rows(struct catalog *catalog, int index) {
    struct catalog_backend *backend = &catalog->backends[index];
    struct variant_card *cards;
    size_t count;
    char message[BACKEND_MESSAGE];
    backend->device = DEVICE_ABSENT;
    if (access(backend->worker, X_OK) != 0) {
        bool not_built = errno == ENOENT && !backend->lost;
        backend->absent = not_built ? must_copy_text("it was not built.")
                                    : text_format("%s cannot be executed: %s.", backend->worker, strerror(errno));
        return false;
    }
    backend->lost = false;
    const struct worker_command worker = {.path = backend->worker};
    if (cards_load(&worker, backend->start_seconds, &cards, &count, message) != CARDS_FINE) {
        if (!backend->hazard && !backend->brought)
            harness_failed("%s", message);
        backend->absent = must_copy_text(message); // a sanitizer's runtime may not like the machine
        return false;
    }
    keep_cards(catalog, index, cards, count);
    backend->device = DEVICE_NOT_TRIED;
    return true;
}

void catalog_load(struct catalog *catalog, unsigned device) {
    *catalog = (struct catalog){
        .backends = must_calloc(BACKENDS, sizeof *catalog->backends), .backend_count = BACKENDS, .device = device};
    for (int i = 0; i < BACKENDS; i++) {
        catalog->backends[i] = (struct catalog_backend){.name = backend_table[i].name,
                                                        .worker = find_worker(backend_table[i].name),
                                                        .max_n = backend_table[i].max_n,
                                                        .lost = !backend_table[i].needs_toolkit,
                                                        .start_seconds = START_SECONDS};
        catalog_load_rows(catalog, i);
    }
}

struct catalog_backend *catalog_append_backend(struct catalog *catalog, struct catalog_backend backend) {
    catalog->backends = must_realloc(catalog->backends, catalog->backend_count + 1, sizeof *catalog->backends);
    catalog->backends[catalog->backend_count] = backend;
    return &catalog->backends[catalog->backend_count++];
}

// What the sanitizers of workers inherit: addresses at their places, and no options but those that the workers have
// built in; what somebody has set for programs of his own would change verdicts.
static void prepare_for_sanitizers(void) {
    int persona = personality(0xffffffff); // which asks
    if (persona >= 0)
        (void)personality((unsigned long)persona |
                          ADDR_NO_RANDOMIZE); // a sandbox may forbid it; then they try as it is
    unsetenv("TSAN_OPTIONS");
#if !defined(__SANITIZE_ADDRESS__) // else the other workers, and the programs they start, are told by it as we were
    unsetenv("ASAN_OPTIONS");
#endif
}

void catalog_add_hazards(struct catalog *catalog) {
    prepare_for_sanitizers();
    for (int i = 0; i < SANITIZERS; i++) {
        char *worker = text_format("simt-%s", sanitizer_names[i]);
        catalog_append_backend(catalog, (struct catalog_backend){.name = sanitizer_names[i],
                                                                 .worker = find_worker(worker),
                                                                 .max_n = HAZARD_MAX_N,
                                                                 .hazard = true,
                                                                 .start_seconds = START_SECONDS});
        free(worker);
        catalog_load_rows(catalog, (int)catalog->backend_count - 1);
    }
}

// The first row from `first` on whose identity an earlier row has, or the number of rows.
static size_t find_clash(const struct catalog *catalog, size_t first) {
    for (size_t i = first; i < catalog->variant_count; i++) {
        const struct variant_card *card = &catalog->variants[i].card;
        if (catalog_find_variant(catalog, card->name, card->backend, card->type) != (int)i)
            return i;
    }
    return catalog->variant_count;
}

// ---- programs that sum ----

// A single word that is the name of an adapter becomes the command that starts it.
static char *expand_adapter(const char *command) {
    char *folder = installed_folder("share/reductio/adapters"), *expanded = NULL;
    char *adapter = text_format("%s/%s_sums.py", folder, command), *script = text_format("%s/sums.py", folder);
    char *word = text_quote_word(script);
    if (!strpbrk(command, " /") && access(adapter, R_OK) == 0)
        expanded = text_format("python3 %s %s", word, command);
    free(folder);
    free(adapter);
    free(script);
    free(word);
    return expanded ? expanded : must_copy_text(command);
}

// Starts the last backend's program once and keeps what it says of itself.
static bool load_program(struct catalog *catalog, char *message) {
    int index = (int)catalog->backend_count - 1;
    struct catalog_backend *backend = &catalog->backends[index];
    const struct worker_command worker = {backend->worker, backend->load, "The program"};
    struct variant_card *cards;
    struct environment_line *lines;
    size_t card_count, line_count;
    enum cards_answer answer = description_load(&worker, (int)catalog->device, backend->start_seconds, &cards,
                                                &card_count, &lines, &line_count, message);
    if (answer != CARDS_FINE) {
        backend->outcome = answer == CARDS_LOST         ? WORK_LOST
                           : answer == CARDS_NO_PROGRAM ? WORK_NOT_POSSIBLE
                                                        : WORK_REFUSED;
        backend->device = DEVICE_ABSENT;
        backend->absent = must_copy_text(message);
        return false;
    }
    keep_cards(catalog, index, cards, card_count);
    catalog_keep_environment(backend, lines, line_count);
    backend->device = DEVICE_OPENS;
    return true;
}

bool catalog_add_program(struct catalog *catalog, const char *command, double seconds, char *message) {
    size_t first = catalog->variant_count;
    char *recorded = command_without_folders(command);
    catalog_append_backend(catalog,
                           (struct catalog_backend){.name = "exec",
                                                    .worker = find_worker("exec"),
                                                    .load = expand_adapter(command),
                                                    .max_n = PROGRAM_MAX_N,
                                                    .start_seconds = seconds > 0 ? seconds : PROGRAM_START_SECONDS,
                                                    .brought = true,
                                                    .given = catalog_call_by("--exec", command),
                                                    .recorded = catalog_call_by("--exec", recorded)});
    free(recorded);
    if (!load_program(catalog, message))
        return false;
    size_t clash = find_clash(catalog, first);
    if (clash == catalog->variant_count)
        return catalog_names_are_free(catalog, first, message);
    const struct variant_card *card = &catalog->variants[clash].card;
    snprintf(message, BACKEND_MESSAGE, "there are two rows %s@%s/%s.", card->name, card->backend, card->type);
    return false;
}

bool catalog_is_emulated(const struct catalog *catalog, int variant) {
    const struct catalog_backend *backend = &catalog->backends[catalog->variants[variant].backend];
    return backend->hazard || strcmp(backend->name, "simt") == 0;
}

struct row_call catalog_copy_call(struct row_call call) {
    return (struct row_call){must_copy_text(call.variables), must_copy_text(call.arguments)};
}

struct row_call catalog_call_by(const char *option, const char *value) {
    char *word = text_quote_word(value);
    struct row_call call = {.arguments = text_format("%s %s", option, word)};
    free(word);
    return call;
}

void catalog_free_call(struct row_call *call) {
    free(call->variables);
    free(call->arguments);
}

void catalog_free(struct catalog *catalog) {
    for (size_t b = 0; b < catalog->backend_count; b++) {
        struct catalog_backend *backend = &catalog->backends[b];
        for (size_t i = 0; i < backend->environment_count; i++) {
            free(backend->environment[i].key);
            free(backend->environment[i].value);
        }
        free(backend->environment);
        free(backend->worker);
        free(backend->load);
        catalog_free_call(&backend->given);
        catalog_free_call(&backend->recorded);
        free(backend->fault);
        free(backend->absent);
    }
    text_list_free(&catalog->notes);
    free(catalog->backends);
    free(catalog->variants);
    free(catalog->probes);
    *catalog = (struct catalog){0};
}

int catalog_find_variant(const struct catalog *catalog, const char *name, const char *backend, const char *type) {
    for (size_t i = 0; i < catalog->variant_count; i++) {
        const struct variant_card *card = &catalog->variants[i].card;
        if (strcmp(card->name, name) == 0 && strcmp(card->backend, backend) == 0 && strcmp(card->type, type) == 0)
            return (int)i;
    }
    return NO_INDEX;
}

int catalog_find_backend(const struct catalog *catalog, const char *name) {
    for (size_t i = 0; i < catalog->backend_count; i++)
        if (strcmp(catalog->backends[i].name, name) == 0)
            return (int)i;
    return NO_INDEX;
}
