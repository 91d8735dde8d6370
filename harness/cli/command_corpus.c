// SPDX-License-Identifier: MIT
// corpus add: an array that showed something, above all the data of a cell that failed (run --cell ID --dump F),
// becomes a case that every later run is fed.
#include "cases/corpus.h"
#include "cases/corpus_write.h"
#include "harness/cli/commands.h"
#include "harness/cli/given_option.h"
#include "harness/cli/outputs.h"
#include "harness/support.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A corpus is text that people read and repositories keep; names must fit the identity of a cell.
enum { MOST_VALUES = 1 << 20, LONGEST_NAME = 48 };

static bool name_is_plain(const char *name) {
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-' && *c != '.')
            return false;
    return *name && *name != '.' && strlen(name) <= LONGEST_NAME;
}

static bool is_one_line(const char *text) {
    return text && text[strspn(text, " \t")] && !strpbrk(text, "\r\n") && strlen(text) <= 300;
}

static int refuse_name(void) {
    return refuse_usage("a case wants a name of up to 48 letters, digits, '_', '-' and '.'.");
}

static int check_words(const struct options *options) {
    if (options->word_count != 2 || strcmp(options->words[0], "add") != 0)
        return refuse_usage("corpus wants: corpus add DATA.npy --name NAME --reason TEXT.");
    if (!options->name || !name_is_plain(options->name))
        return refuse_name();
    if (!is_one_line(options->reason))
        return refuse_usage("corpus add wants what the array shows, on one line: --reason TEXT.");
    if (options->source && !is_one_line(options->source))
        return refuse_usage("where the array comes from must fit on one line: --source TEXT.");
    return EXIT_FINE;
}

static const char *directory_of(const struct options *options) {
    return options->output ? options->output : OWN_CORPUS;
}

static bool is_folder(const char *path) {
    struct stat state;
    return stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

// Makes .reductio/corpus; a folder that -o names must be there.
static int open_directory(const char *directory) {
    if (strcmp(directory, OWN_CORPUS) == 0 &&
        ((mkdir(".reductio", 0777) != 0 && errno != EEXIST) || (mkdir(directory, 0777) != 0 && errno != EEXIST)))
        return refuse_usage("%s cannot be made.", directory);
    return is_folder(directory) ? EXIT_FINE : refuse_usage("%s is no folder.", directory);
}

static bool write_entry(const void *what, FILE *out, char *message) {
    bool good = corpus_write(what, out);
    if (!good)
        snprintf(message, REPORT_MESSAGE, "the case could not be written.");
    return good;
}

// Of two that add a case of one name at once, one does.
static int save_entry(const struct corpus_entry *entry, const char *directory, const char *name) {
    char message[REPORT_MESSAGE] = "", fault[CORPUS_MESSAGE] = "";
    char *file = text_format("%s.txt", name), *path = text_format("%s/%s", directory, file);
    int code = save_new(path, write_entry, entry, message) ? EXIT_FINE : refuse_usage("%s", message);
    if (code == EXIT_FINE && !corpus_holds(entry, directory, file, fault)) {
        unlink(path);
        code = refuse_usage("%s", fault);
    }
    if (code == EXIT_FINE)
        printf("%s: %" PRIu64 " numbers of %s, from now on the case corpus/%s.\nreductio check --case corpus/%s\n",
               path, entry->n, float_format(entry->type)->name, name, name);
    free(path);
    free(file);
    return code;
}

static int check_new_file(const struct options *options) {
    char *path = text_format("%s/%s.txt", directory_of(options), options->name);
    int code = options->output && !is_folder(options->output) ? refuse_usage("%s is no folder.", options->output)
               : access(path, F_OK) == 0                      ? refuse_usage("%s is there already.", path)
               : output_can_be_made(path)                     ? EXIT_FINE
                                                              : EXIT_USAGE;
    free(path);
    return code;
}

int check_new_case(const struct options *options) {
    if (!name_is_plain(options->name))
        return refuse_name();
    char *full = text_format("corpus/%s", options->name);
    bool taken = case_values_find(full) != NULL;
    int code = taken ? refuse_usage("there is a case %s already.", full) : check_new_file(options);
    free(full);
    return code;
}

int add_case(const struct corpus_entry *entry, const struct options *options) {
    const char *directory = directory_of(options);
    int code = open_directory(directory);
    return code == EXIT_FINE ? save_entry(entry, directory, options->name) : code;
}

static int add_array(const struct options *options, const struct given_array *given) {
    const struct npy_array *array = &given->array;
    if (array->n < 1 || array->n > MOST_VALUES)
        return refuse_usage("a case holds 1 to 1048576 numbers.");
    const char *fault = cases_load(NULL);
    if (fault)
        return refuse_usage("%s", fault);
    const char *source = options->source ? options->source : "an array that this program was given";
    const struct corpus_entry entry = {source, options->reason, array->type, array->x, array->n};
    int code = check_new_case(options);
    return code == EXIT_FINE ? add_case(&entry, options) : code;
}

int command_corpus(const struct command_line *line) {
    struct given_array given;
    int code = check_words(line->options);
    if (code == EXIT_FINE)
        code = load_array(&given, line->options->words[1], line->options);
    if (code != EXIT_FINE)
        return code;
    code = add_array(line->options, &given);
    given_free(&given);
    return code;
}
