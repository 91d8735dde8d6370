// SPDX-License-Identifier: MIT
#include "cases/corpus_file.h"

#include "cases/corpus.h"
#include "cases/corpus_sum.h"
#include "cases/input_file.h"
#include "text/foreign_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// With type, size and order a dataset's name must fit DATASET_TEXT.
enum { MOST_WORDS = 4, LONGEST_NAME = 64 };
static const uint64_t most_elements = UINT64_C(1) << 40;
// Each of these is computed and added whenever the file is read: a second of it is enough.
static const uint64_t most_computed = UINT64_C(1) << 28;

struct reader {
    const char *path;
    unsigned line;
    char *message;
    struct corpus_file *file;
    uint64_t computed; // elements of ramps and linspaces
};

// Writes the sentence and returns false, so that a check can end with it.
__attribute__((format(printf, 2, 3))) static bool complain(const struct reader *reader, const char *format, ...) {
    int length = snprintf(reader->message, CORPUS_MESSAGE, "%s:%u: ", reader->path, reader->line);
    if (length >= 0 && length < CORPUS_MESSAGE) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(reader->message + length, (size_t)(CORPUS_MESSAGE - length), format, arguments);
        va_end(arguments);
    }
    return false;
}

// ---- words ----

static bool is_number_of(enum float_type type, double value) {
    return isnan(value) || float_to_double(type, float_from_double(type, value)) == value;
}

// A number is read with 64 bits, which hold all of any double: what does not fit a double, or a narrower type that the
// file has, was not meant, and is refused rather than rounded.
static bool parse_value(const struct reader *reader, const char *word, double *value) {
    mpfr_t number;
    char *end;
    mpfr_init2(number, 64);
    int inexact = mpfr_strtofr(number, word, &end, 0, MPFR_RNDN);
    *value = mpfr_get_d(number, MPFR_RNDN);
    bool is_double = !inexact && (mpfr_nan_p(number) || mpfr_cmp_d(number, *value) == 0);
    mpfr_clear(number);
    if (end == word || *end)
        return complain(reader, "\"%s\" is not a number", word);
    if (!is_double)
        return complain(reader, "\"%s\" is not exactly an f64 number", word);
    for (enum float_type type = FLOAT_F32; type < FLOAT_TYPES; type++)
        if (reader->file->has_type[type] && !is_number_of(type, *value))
            return complain(reader, "\"%s\" is not exactly %s %s number", word, type == FLOAT_BF16 ? "a" : "an",
                            float_format(type)->name);
    return true;
}

static bool parse_count(const struct reader *reader, const char *word, uint64_t *count) {
    char *end;
    errno = 0;
    unsigned long long parsed = strtoull(word, &end, 10);
    if (!isdigit((unsigned char)word[0]) || *end || errno || parsed < 1 || parsed > most_elements)
        return complain(reader, "\"%s\" is not a count from 1 to 2^40", word);
    *count = parsed;
    return true;
}

static bool append_run(struct reader *reader, struct corpus_run run) {
    struct corpus_file *file = reader->file;
    reader->computed += run.kind == RUN_REPEAT ? 0 : run.count;
    if (reader->computed > most_computed)
        return complain(reader, "ramp and linspace make up to 2^28 elements of a file");
    struct corpus_run *runs = realloc(file->runs, (file->run_count + 1) * sizeof *runs);
    if (!runs)
        return complain(reader, "out of memory");
    file->runs = runs;
    runs[file->run_count++] = run;
    file->n += run.count;
    return file->n <= most_elements || complain(reader, "the file describes more than 2^40 elements");
}

static bool read_repeat(struct reader *reader, char *const *words) {
    struct corpus_run run = {.kind = RUN_REPEAT};
    return parse_count(reader, words[1], &run.count) && parse_value(reader, words[2], &run.first) &&
           append_run(reader, run);
}

static bool read_ramp(struct reader *reader, char *const *words) {
    struct corpus_run run = {.kind = RUN_RAMP};
    return parse_value(reader, words[1], &run.first) && parse_value(reader, words[2], &run.second) &&
           parse_count(reader, words[3], &run.count) && append_run(reader, run);
}

static bool read_linspace(struct reader *reader, char *const *words) {
    struct corpus_run run = {.kind = RUN_LINSPACE};
    if (!parse_value(reader, words[1], &run.first) || !parse_value(reader, words[2], &run.second) ||
        !parse_count(reader, words[3], &run.count))
        return false;
    return run.count >= 2 ? append_run(reader, run) : complain(reader, "linspace needs a count of 2 or more");
}

static bool read_single(struct reader *reader, char *const *words) {
    struct corpus_run run = {.kind = RUN_REPEAT, .count = 1};
    return parse_value(reader, words[0], &run.first) && append_run(reader, run);
}

// ---- lines ----

static bool store_text(const struct reader *reader, char **text, const char *key, const char *value) {
    if (*text)
        return complain(reader, "a second \"%s\" line", key);
    if (!*value)
        return complain(reader, "\"%s\" says nothing", key);
    *text = strdup(value);
    if (!*text)
        return complain(reader, "out of memory");
    text_clean(*text, strlen(*text));
    return true;
}

// Comments are free, but two of them are read: where the input comes from and what it shows.
static bool read_comment(const struct reader *reader, const char *text) {
    text += strspn(text, "# \t");
    static const char source[] = "source:", shows[] = "shows:";
    if (strncmp(text, source, strlen(source)) == 0)
        return store_text(reader, &reader->file->source, source,
                          text + strlen(source) + strspn(text + strlen(source), " "));
    if (strncmp(text, shows, strlen(shows)) == 0)
        return store_text(reader, &reader->file->shows, shows,
                          text + strlen(shows) + strspn(text + strlen(shows), " "));
    return true;
}

static bool has_types(const struct corpus_file *file) {
    for (enum float_type type = FLOAT_F32; type < FLOAT_TYPES; type++)
        if (file->has_type[type])
            return true;
    return false;
}

static bool read_types(const struct reader *reader, char *const *words, int count) {
    struct corpus_file *file = reader->file;
    if (has_types(file))
        return complain(reader, "a second \"type:\" line");
    for (int i = 1; i < count; i++) {
        enum float_type type;
        if (!float_type_parse(words[i], &type))
            return complain(reader, "\"%s\" is not a type, such as " FLOAT_TYPE_NAMES, words[i]);
        file->has_type[type] = true;
    }
    return count > 1 || complain(reader, "\"type:\" names no type");
}

static bool read_sum(const struct reader *reader, char *const *words, int count) {
    if (count != 2)
        return complain(reader, "\"sum:\" takes one number");
    mpfr_t number;
    char *end;
    mpfr_init2(number, 64);
    mpfr_strtofr(number, words[1], &end, 0, MPFR_RNDN);
    mpfr_clear(number);
    if (*end || end == words[1])
        return complain(reader, "\"%s\" is not a number", words[1]);
    reader->file->sum_line = reader->line;
    return store_text(reader, &reader->file->sum, "sum:", words[1]);
}

static bool read_count(struct reader *reader, char *const *words, int count) {
    if (reader->file->stated_n)
        return complain(reader, "a second \"count:\" line");
    return count == 2 ? parse_count(reader, words[1], &reader->file->stated_n)
                      : complain(reader, "\"count:\" takes one number");
}

static bool read_values(struct reader *reader, char *const *words, int count) {
    static const struct {
        const char *word;
        int count;
        const char *usage;
        bool (*read)(struct reader *, char *const *);
    } directives[] = {{"repeat", 3, "repeat COUNT VALUE", read_repeat},
                      {"ramp", 4, "ramp FIRST STEP COUNT", read_ramp},
                      {"linspace", 4, "linspace FIRST LAST COUNT", read_linspace}};
    if (!has_types(reader->file))
        return complain(reader, "values before the \"type:\" line");
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (strcmp(words[0], directives[i].word) == 0)
            return count == directives[i].count ? directives[i].read(reader, words)
                                                : complain(reader, "write \"%s\"", directives[i].usage);
    if (count != 1)
        return complain(reader, "one value a line, or repeat, ramp or linspace; not \"%s\"", words[0]);
    return read_single(reader, words);
}

// Cuts the line at blanks. Returns the number of words, at most MOST_WORDS + 1: one more than any line may have.
static int split_words(char *line, char **words) {
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r\n", &rest); word && count <= MOST_WORDS;
         word = strtok_r(NULL, " \t\r\n", &rest))
        words[count++] = word;
    return count;
}

static bool read_line(struct reader *reader, char *line) {
    char *words[MOST_WORDS + 1];
    line[strcspn(line, "\r\n")] = 0;
    if (line[0] == '#')
        return read_comment(reader, line);
    int count = split_words(line, words);
    if (count == 0)
        return true;
    if (strcmp(words[0], "type:") == 0)
        return read_types(reader, words, count);
    if (strcmp(words[0], "sum:") == 0)
        return read_sum(reader, words, count);
    if (strcmp(words[0], "count:") == 0)
        return read_count(reader, words, count);
    return read_values(reader, words, count);
}

static bool is_complete(const struct reader *reader) {
    const struct corpus_file *file = reader->file;
    if (!file->source)
        return complain(reader, "the file ends without a \"# source:\" line");
    if (!file->shows)
        return complain(reader, "the file ends without a \"# shows:\" line");
    if (!file->sum)
        return complain(reader, "the file ends without a \"sum:\" line");
    return file->n > 0 || complain(reader, "the file ends without a value");
}

// A file that was cut short, or changed, is no longer what it says.
static bool keeps_its_word(struct reader *reader) {
    const struct corpus_file *file = reader->file;
    if (file->stated_n && file->stated_n != file->n)
        return complain(reader, "the file ends after %" PRIu64 " values, and its \"count:\" is %" PRIu64, file->n,
                        file->stated_n);
    reader->line = file->sum_line;
    for (enum float_type type = FLOAT_F32; type < FLOAT_TYPES; type++)
        if (file->has_type[type] && !corpus_sum_is(file, type, file->sum))
            return complain(reader, "the %" PRIu64 " values of the file do not add up to %.100s in %s", file->n,
                            file->sum, float_format(type)->name);
    return true;
}

// ---- files ----

static bool read_stream(struct reader *reader, FILE *stream) {
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    ssize_t length;
    while (good && (length = getline(&line, &capacity, stream)) >= 0) {
        reader->line++;
        good =
            strlen(line) == (size_t)length ? read_line(reader, line) : complain(reader, "the line holds a zero byte");
    }
    free(line);
    if (good && !feof(stream))
        return complain(reader, "cannot read on: %s", strerror(errno));
    return good && is_complete(reader) && keeps_its_word(reader);
}

static bool read_path(const char *path, struct corpus_file *file, char *message) {
    struct reader reader = {.path = path, .message = message, .file = file};
    char fault[INPUT_FAULT];
    FILE *stream = input_file_open(path, fault);
    if (!stream) {
        snprintf(message, CORPUS_MESSAGE, "%s: cannot open it: %s", path, fault);
        return false;
    }
    bool good = read_stream(&reader, stream);
    fclose(stream);
    return good;
}

struct corpus_file *corpus_file_read(const char *directory, const char *file_name, char *message) {
    struct corpus_file *file = calloc(1, sizeof *file);
    char *path = NULL;
    int stem = (int)(strlen(file_name) - strlen(".txt"));
    if (!file || asprintf(&file->name, "corpus/%.*s", stem, file_name) < 0 ||
        asprintf(&path, "%s/%s", directory, file_name) < 0) {
        snprintf(message, CORPUS_MESSAGE, "%s/%s: out of memory", directory, file_name);
        free(file);
        return NULL;
    }
    text_clean(file->name, strlen(file->name));
    bool good = strlen(file->name) <= LONGEST_NAME;
    if (good)
        good = read_path(path, file, message);
    else
        snprintf(message, CORPUS_MESSAGE, "%s: the name of a corpus file may have %d characters", path, LONGEST_NAME);
    free(path);
    if (good)
        return file;
    corpus_file_free(file);
    return NULL;
}

void corpus_file_free(struct corpus_file *file) {
    if (!file)
        return;
    free(file->name);
    free(file->source);
    free(file->shows);
    free(file->sum);
    free(file->runs);
    free(file);
}
