// SPDX-License-Identifier: MIT
// The user's own .cu files on the command line: compiled, and their rows added to the catalogue.
#include "harness/cell.h"
#include "harness/cli/commands.h"
#include "harness/cli/own_descriptor.h"
#include "harness/environment.h"
#include "harness/own/build.h"
#include "harness/own/flags.h"
#include "harness/own/tools.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is to be built of each file.
struct wanted {
    struct text_list backends, types; // no types: all
};

// A file is built for a backend once, however many of its cells are named.
static void add_once(struct text_list *list, const char *text) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return;
    text_list_add(list, text);
}

// Cells by name need no more than their own backends and types; a glob may need any.
static bool want_cells(const struct selection *selection, struct wanted *wanted) {
    struct cell_key key;
    for (size_t i = 0; i < selection->cells.count; i++)
        if (!cell_key_parse(selection->cells.items[i], &key))
            return false;
    for (size_t i = 0; i < selection->cells.count && cell_key_parse(selection->cells.items[i], &key); i++) {
        add_once(&wanted->backends, key.backend);
        add_once(&wanted->types, key.type);
    }
    return selection->cells.count > 0;
}

static void want_all(const struct catalog *catalog, const struct options *options, bool hazards_alone,
                     struct wanted *wanted) {
    static const char *const plain[] = {"simt", "cuda"};
    for (size_t i = 0; i < 2 && !hazards_alone; i++)
        if (selects_backend(&options->selection, plain[i]))
            text_list_add(&wanted->backends, plain[i]);
    for (size_t b = 0; b < catalog->backend_count; b++)
        if (catalog->backends[b].hazard && selects_backend(&options->selection, catalog->backends[b].name))
            text_list_add(&wanted->backends, catalog->backends[b].name);
    for (size_t t = 0; t < options->selection.types.count; t++)
        text_list_add(&wanted->types, options->selection.types.items[t]);
}

static void add_recorded(struct text_list *kept, const struct text_list *words) {
    for (size_t i = 0; i < words->count; i++) {
        char *word = argument_without_folder(words->items[i]);
        text_list_add(kept, word);
        free(word);
    }
}

// For the record: words as they were given, but for the folders of absolute paths.
static char *recorded_words(const struct text_list *words) {
    struct text_list kept = {0};
    add_recorded(&kept, words);
    char *text = own_flags_text(&kept);
    text_list_free(&kept);
    return text;
}

static void add_variable(struct text_list *kept, const char *name) {
    char *given = own_flags_of_variable(name);
    if (given)
        text_list_add(kept, given);
    free(given);
}

// All that nvcc was given, in its order.
static char *recorded_nvcc_flags(const struct own_file *file) {
    struct text_list kept = {0};
    add_variable(&kept, "NVCC_PREPEND_FLAGS");
    add_recorded(&kept, &file->flags);
    add_variable(&kept, "NVCC_APPEND_FLAGS");
    char *text = own_flags_text(&kept);
    text_list_free(&kept);
    return text;
}

static char *recorded_path(const struct own_file *file) {
    struct text_list path = {0};
    text_list_add(&path, file->path);
    char *text = recorded_words(&path);
    text_list_free(&path);
    return text;
}

// What brings the rows of one build back: "mine.cu -- -O3 -DX=1", and the variables that its compiler has read.
static struct row_call call_of(const struct own_file *file, const char *backend, bool for_record) {
    const struct text_list alone = {.items = (char **)&file->path, .count = 1};
    char *path = for_record ? recorded_path(file) : own_flags_text(&alone);
    char *flags = (for_record ? recorded_words : own_flags_text)(&file->flags);
    struct row_call call = {.variables = own_tools_assignments(backend, for_record),
                            .arguments = *flags ? text_format("%s -- %s", path, flags) : must_copy_text(path)};
    free(path);
    free(flags);
    return call;
}

static bool builds_for(const struct own_file *file, const char *backend) {
    for (size_t i = 0; i < file->build_count; i++)
        if (strcmp(file->builds[i].backend, backend) == 0 && file->builds[i].worker)
            return true;
    return false;
}

static const struct own_build *find_failure(const struct own_file *file, bool cuda) {
    for (size_t i = 0; i < file->build_count; i++)
        if (file->builds[i].failure && (strcmp(file->builds[i].backend, "cuda") == 0) == cuda)
            return &file->builds[i];
    return NULL;
}

static void print_failure(const struct own_file *file, const struct own_build *failed) {
    if (failed->refused)
        fprintf(stderr, "reductio: %s", failed->failure);
    else {
        say_error("%s does not compile for %s, %s:", file->path, failed->backend, failed->type);
        fputs(failed->failure, stderr);
    }
    if (failed->refused)
        say_error("where nvcc and a GPU are, such a file is checked there. To have it checked on the CPU "
                  "too, keep that line from it with #ifdef __CUDACC__, and give it another way with #else.");
    else if (builds_for(file, "cuda"))
        say_error("nvcc compiles it, so the first error names something that simt lacks.");
    else if (strcmp(failed->backend, "cuda") == 0 && !file->flags.count && builds_for(file, "simt"))
        say_error("nvcc was given no flags. Those that your build gives it follow a --: reductio check %s -- FLAGS",
                  file->path);
    else if (!file->nvcc)
        say_error(
            "there is no nvcc here to tell whether the first error is the file's own or names something that simt "
            "lacks.");
}

// The line that says what is wrong: the translator's one, the compiler's first error.
static char *first_error(const struct own_build *failed) {
    const char *start = strstr(failed->failure, "error:");
    while (start && start > failed->failure && start[-1] != '\n')
        start--;
    start = start ? start : failed->failure;
    return text_format("%.*s", (int)strcspn(start, "\n"), start);
}

// What the emulator lacks is only a note where a GPU is there to run the file.
static bool file_is_built(struct catalog *catalog, const struct own_file *file) {
    const struct own_build *on_gpu = find_failure(file, true), *emulated = find_failure(file, false);
    int cuda = catalog_find_backend(catalog, "cuda");
    bool gpu_builds_it = !on_gpu && builds_for(file, "cuda");
    if (on_gpu || (emulated && !(gpu_builds_it && catalog_is_present(catalog, cuda)))) {
        print_failure(file, on_gpu ? on_gpu : emulated);
        return false;
    }
    if (!emulated)
        return true;
    char *said = first_error(emulated), *error = command_without_folders(said);
    char *note = text_format("%s: so only the GPU was asked, and hazards are not checked.", error);
    text_list_add(&catalog->notes, note);
    free(said);
    free(error);
    free(note);
    return true;
}

// What the record of the run says of each compiler.
static void note_compilers(struct catalog *catalog, const struct own_file *file) {
    char *flags = recorded_nvcc_flags(file), *taken = recorded_words(&file->taken);
    char *left = recorded_words(&file->left), *path = recorded_path(file);
    char *note = text_format("%s was compiled", path);
    bool cuda = builds_for(file, "cuda"), emulator = false;
    for (size_t i = 0; i < file->build_count; i++)
        emulator |= file->builds[i].worker && strcmp(file->builds[i].backend, "cuda") != 0;
    if (cuda)
        note = text_append(note, "for the GPU by nvcc (%s) with %s%s", file->nvcc_version,
                           *flags ? flags : "no flags of its author's", emulator ? "," : "");
    if (emulator)
        note = text_append(note, "for the emulator by %s with %s%s%s", file->cxx_version,
                           *taken ? taken : "no flags of its author's", *left ? ", leaving out " : "", left);
    char *sentence = text_format("%s.", note);
    text_list_add(&catalog->notes, sentence);
    if (!file->nvcc)
        text_list_add(&catalog->notes, "There is no nvcc here, so that nothing was compiled for a GPU.");
    else if (!own_build_possible("cuda"))
        text_list_add(&catalog->notes, "This Reductio was built without nvcc, so that nothing was compiled for a GPU.");
    free(flags);
    free(taken);
    free(left);
    free(path);
    free(note);
    free(sentence);
}

static bool has_rows(const struct catalog *catalog, size_t first, const char *type) {
    for (size_t v = first; v < catalog->variant_count; v++)
        if (strcmp(catalog->variants[v].card.type, type) == 0)
            return true;
    return false;
}

// Whether an earlier build is of the same type, for another backend.
static bool type_was_built(const struct own_file *file, size_t build) {
    for (size_t i = 0; i < build; i++)
        if (strcmp(file->builds[i].type, file->builds[build].type) == 0)
            return true;
    return false;
}

// "f32 and f64"
static char *built_types(const struct own_file *file) {
    char *types = NULL;
    for (size_t i = 0; i < file->build_count; i++)
        if (!type_was_built(file, i))
            types = text_append(types, "%s%s", types ? "and " : "", file->builds[i].type);
    return types;
}

static int refuse_rowless(const struct own_file *file) {
    char *types = built_types(file);
    say_error("%s: The file holds no descriptor of a sum of %s: include reductio.h and end with a "
              "REDUCTIO_VARIANT. For example, add these lines to its end:",
              file->path, types);
    print_descriptor(file->path, stderr);
    fprintf(stderr, "\nOther types are named by a line of the file, such as \"// Types: f32:f64\" for float elements "
                    "and a double sum.\n");
    free(types);
    return EXIT_USAGE;
}

// A type without rows is one that no launch of the file takes.
static int tell_missing_rows(struct catalog *catalog, size_t first, const struct own_file *file) {
    if (catalog->variant_count == first)
        return refuse_rowless(file);
    char *path = recorded_path(file);
    for (size_t i = 0; i < file->build_count; i++) {
        const char *type = file->builds[i].type;
        if (type_was_built(file, i) || !file->builds[i].worker || has_rows(catalog, first, type))
            continue;
        char *note = text_format("%s has no row of %s: its launch takes other types.", path, type);
        text_list_add(&catalog->notes, note);
        free(note);
    }
    free(path);
    return EXIT_FINE;
}

static int add_rows(struct catalog *catalog, const struct own_file *file) {
    size_t first = catalog->variant_count;
    char *flags = recorded_nvcc_flags(file), message[BACKEND_MESSAGE];
    char *taken = recorded_words(&file->taken), *path = recorded_path(file);
    int code = EXIT_FINE;
    for (size_t i = 0; i < file->build_count && code == EXIT_FINE; i++) {
        const struct own_build *build = &file->builds[i];
        bool cuda = strcmp(build->backend, "cuda") == 0;
        struct catalog_build rows = {.backend = build->backend,
                                     .worker = build->worker,
                                     .file = file->path,
                                     .source = path,
                                     .given = call_of(file, build->backend, false),
                                     .recorded = call_of(file, build->backend, true),
                                     .compiler = cuda ? file->nvcc_version : file->cxx_version,
                                     .flags = cuda ? flags : taken};
        if (build->worker && !catalog_add_build(catalog, &rows, message)) {
            say_error("%s: %s", file->path, message);
            code = EXIT_USAGE;
        }
        catalog_free_call(&rows.given);
        catalog_free_call(&rows.recorded);
    }
    if (code == EXIT_FINE)
        code = tell_missing_rows(catalog, first, file);
    free(path);
    free(flags);
    free(taken);
    return code;
}

static int add_file(struct catalog *catalog, const struct options *options, const char *path,
                    const struct wanted *wanted) {
    struct own_file file;
    char *why = own_file_open(&file, path, &options->flags, &wanted->backends, &wanted->types);
    if (!why)
        why = own_file_build(&file, options->quiet);
    int code = EXIT_FINE;
    if (why) {
        say_error("%s", why);
        code = file.machine_lacks ? EXIT_HARNESS_FAILED : EXIT_USAGE;
    } else if (!file_is_built(catalog, &file)) {
        code = EXIT_USAGE;
    } else {
        note_compilers(catalog, &file);
        code = add_rows(catalog, &file);
    }
    free(why);
    own_file_free(&file);
    return code;
}

static bool any_build_possible(const struct text_list *backends) {
    for (size_t i = 0; i < backends->count; i++)
        if (own_build_possible(backends->items[i]))
            return true;
    return false;
}

// A build that was cut short, or from which something was deleted, is no fault of the user's file.
static int check_kit(void) {
    char *lost = own_tools_lost_part();
    if (lost)
        say_error("%s", lost);
    int code = lost ? EXIT_HARNESS_FAILED : EXIT_FINE;
    free(lost);
    return code;
}

int add_own_files(struct catalog *catalog, const struct options *options, bool hazards_alone) {
    struct wanted wanted = {0};
    int code = options->files.count ? check_kit() : EXIT_FINE;
    if (code != EXIT_FINE)
        return code;
    if (!want_cells(&options->selection, &wanted))
        want_all(catalog, options, hazards_alone, &wanted);
    if (hazards_alone && options->files.count && wanted.backends.count && !any_build_possible(&wanted.backends)) {
        fputs("reductio: nothing is checked: this Reductio was built without ThreadSanitizer and AddressSanitizer.\n",
              stderr);
        code = EXIT_SKIPPED;
    }
    for (size_t i = 0; i < options->files.count && code == EXIT_FINE; i++)
        code = add_file(catalog, options, options->files.items[i], &wanted);
    text_list_free(&wanted.backends);
    text_list_free(&wanted.types);
    return code;
}
