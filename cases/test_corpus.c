// SPDX-License-Identifier: MIT
// Each corpus file's stated sum against both oracles, and each kind of malformed file against its sentence.
#include "cases/corpus.h"
#include "cases/test_support.h"
#include "reference/superaccumulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATED_BITS = 4096 }; // more than any sum of f64 has

static uint64_t round_stated(const mpfr_t stated, enum float_type type) {
    const struct float_format *format = float_format(type);
    if (mpfr_nan_p(stated))
        return format->infinity | 1;
    if (mpfr_inf_p(stated))
        return format->infinity | (mpfr_signbit(stated) ? format->sign_bit : 0);
    return round_to_float(stated, type);
}

static void check_stated_sum(const struct case_values *values, enum float_type type) {
    struct dataset_key key = test_key(type, values->name, values->fixed_n, "given");
    void *x = test_fill(&key, TEST_SEED);
    struct exact_sum exact;
    exact_sum(&exact, type, x, key.n);
    mpfr_t stated;
    mpfr_init2(stated, STATED_BITS);
    ck_assert_msg(mpfr_set_str(stated, corpus_stated_sum(values), 0, MPFR_RNDN) == 0, "%s", values->name);
    if (exact.class_ == SUM_FINITE) {
        ck_assert_msg(mpfr_cmp(stated, exact.sum) == 0, "%s: exact_sum differs", values->name);
        if (mpfr_zero_p(stated))
            ck_assert_msg(!mpfr_signbit(stated) == !exact.all_minus_zero, "%s: sign of zero", values->name);
    }
    uint64_t rounded = round_stated(stated, type);
    ck_assert_msg(float_same(type, rounded, exact_sum_round(&exact, type)), "%s: exact_sum_round", values->name);
    ck_assert_msg(float_same(type, rounded, superaccumulator_sum(type, x, key.n, type)), "%s: superaccumulator",
                  values->name);
    mpfr_clear(stated);
    exact_sum_clear(&exact);
    free(x);
}

START_TEST(stated_sums_are_right) {
    size_t checked = 0;
    for (size_t i = 0; i < case_values_count(); i++) {
        const struct case_values *values = case_values_at(i);
        if (values->fixed_n == 0)
            continue;
        ck_assert_ptr_nonnull(values->source);
        for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
            if (!values->refusal(values, type, values->fixed_n)) {
                check_stated_sum(values, type);
                checked++;
            }
    }
    ck_assert_uint_ge(checked, 30);
}
END_TEST

START_TEST(values_are_read_as_written) {
    struct dataset_key key = test_key(FLOAT_F32, "corpus/kahan_last_rounding", 5, "given");
    float *x = test_fill(&key, 0);
    static const float wanted[] = {-3, -16777216, 5.484375f, -16777218, -4};
    for (int i = 0; i < 5; i++)
        ck_assert(x[i] == wanted[i]);
    free(x);
    key = test_key(FLOAT_F32, "corpus/linspace_cpu_is_not_truth", 10000, "given");
    x = test_fill(&key, 0);
    // The published observation: a sequential f32 loop gives the mean 5000.9077.
    float sum = 0;
    for (int i = 0; i < 10000; i++)
        sum += x[i];
    ck_assert_double_eq_tol(sum / 10000, 5000.9077, 0.0001);
    ck_assert(x[0] == 10000 && x[9999] == 1.7f);
    free(x);
    key = test_key(FLOAT_F32, "corpus/ramp_9999_down", 10000, "given");
    x = test_fill(&key, 0);
    ck_assert(x[0] == 9999 && x[1] == 9998 && x[9999] == 0);
    free(x);
}
END_TEST

START_TEST(a_file_is_made_in_its_own_size_and_types_only) {
    const struct case_values *values = case_values_find("corpus/kahan_last_rounding");
    double x[8] = {0};
    ck_assert_ptr_null(values->refusal(values, FLOAT_F32, 5));
    ck_assert_ptr_nonnull(values->refusal(values, FLOAT_F64, 5));
    ck_assert(!values->fill(values, FLOAT_F32, x, 6, 0));
    ck_assert(!values->fill(values, FLOAT_F64, x, 5, 0));
}
END_TEST

// ---- malformed files ----

#define HEAD   "# source: nobody\n# shows: nothing\n"
#define PROPER HEAD "type: f32\nsum: 1\n"

static const struct {
    const char *text;
    unsigned line;
    const char *sentence;
} malformed[] = {
    {"# shows: nothing\ntype: f32\nsum: 1\n1\n", 4, "without a \"# source:\" line"},
    {"# source: nobody\ntype: f32\nsum: 1\n1\n", 4, "without a \"# shows:\" line"},
    {"# source: nobody\n# source: anybody\n", 2, "a second \"source:\" line"},
    {"# source:\n", 1, "\"source:\" says nothing"},
    {HEAD "type: f32\n1\n", 4, "without a \"sum:\" line"},
    {HEAD "type: f32\nsum: 1\n", 4, "without a value"},
    {"", 0, "without a \"# source:\" line"},
    {HEAD "1\n", 3, "values before the \"type:\" line"},
    {HEAD "type:\n", 3, "names no type"},
    {HEAD "type: f80\n", 3, "\"f80\" is not a type"},
    {HEAD "type: f32\ntype: f64\n", 4, "a second \"type:\" line"},
    {HEAD "sum: one\n", 3, "\"one\" is not a number"},
    {HEAD "sum: 1 2\n", 3, "takes one number"},
    {HEAD "sum: 1\nsum: 1\n", 4, "a second \"sum:\" line"},
    {PROPER "1x\n", 5, "\"1x\" is not a number"},
    {PROPER "0.1\n", 5, "\"0.1\" is not exactly an f64 number"},
    {PROPER "0x1p+200\n", 5, "\"0x1p+200\" is not exactly an f32 number"},
    {PROPER "0x1.000001p-126\n", 5, "is not exactly an f32 number"},
    {PROPER "1e400\n", 5, "is not exactly an f64 number"},
    {PROPER "1 2\n", 5, "one value a line"},
    {PROPER "1\n\nrepeat 3\n", 7, "write \"repeat COUNT VALUE\""},
    {PROPER "repeat 0 1\n", 5, "\"0\" is not a count"},
    {PROPER "repeat -1 1\n", 5, "\"-1\" is not a count"},
    {PROPER "repeat 1.5 1\n", 5, "\"1.5\" is not a count"},
    {PROPER "repeat 99999999999999999999 1\n", 5, "is not a count"},
    {PROPER "repeat 1099511627777 1\n", 5, "is not a count"},
    {PROPER "repeat 1099511627776 1\n1\n", 6, "more than 2^40 elements"},
    {PROPER "ramp 1 1\n", 5, "write \"ramp FIRST STEP COUNT\""},
    {PROPER "ramp 1 1 1 1 1 1\n", 5, "write \"ramp FIRST STEP COUNT\""},
    {PROPER "linspace 1 2\n", 5, "write \"linspace FIRST LAST COUNT\""},
    {PROPER "linspace 1 2 1\n", 5, "2 or more"},
    {PROPER "shuffle 3\n", 5, "not \"shuffle\""},
    {PROPER "ramp 1 1 268435457\n", 5, "up to 2^28 elements"},
    {PROPER "1\n1\n", 4, "the 2 values of the file do not add up to 1 in f32"},
    {HEAD "type: f32\nsum: -1\n1\n", 4, "do not add up to -1"},
    {HEAD "type: f32\nsum: -0\n0\n-0\n", 4, "do not add up to -0"}, // 0 + -0 is 0
    {HEAD "type: f32\nsum: 0\n-0\n-0\n", 4, "do not add up to 0"},
    {HEAD "type: f32\nsum: inf\n1\n", 4, "do not add up to inf"},
    {HEAD "type: f32\nsum: -inf\ninf\n", 4, "do not add up to -inf"},
    {HEAD "type: f32\nsum: nan\ninf\n", 4, "do not add up to nan"},
    {HEAD "type: f32\nsum: 3\ninf\n", 4, "do not add up to 3"},
    {HEAD "type: f64 f32\nsum: 0x1.fffffffffffffcp+0\nlinspace 0 1 4\n", 4,
     "0x1.fffffffffffffcp+0 in f32"}, // f64: it is
    {PROPER "count: 2\n1\n", 6, "the file ends after 1 values, and its \"count:\" is 2"},
    {PROPER "count: 1\ncount: 1\n", 6, "a second \"count:\" line"},
    {PROPER "count: 1 1\n", 5, "\"count:\" takes one number"},
    {PROPER "count: x\n", 5, "\"x\" is not a count"},
};

// Writes `text` to NAME in a new directory; the caller removes both.
static void write_corpus(char *directory, const char *name, const char *text, size_t length, char *path) {
    strcpy(directory, "/tmp/reductio_corpus_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    sprintf(path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

static void check_complaint(const char *name, const char *text, size_t length, unsigned line, const char *sentence) {
    char directory[64], path[256], place[300], message[CORPUS_MESSAGE] = "";
    struct corpus corpus;
    write_corpus(directory, name, text, length, path);
    ck_assert_msg(!corpus_load(&corpus, directory, message), "accepted: %s", text);
    snprintf(place, sizeof place, "%s:%u: ", path, line);
    ck_assert_msg(strncmp(message, place, strlen(place)) == 0, "%s, not at %s", message, place);
    ck_assert_msg(strstr(message, sentence) != NULL, "%s, not: %s", message, sentence);
    ck_assert_ptr_null(strchr(message, '\n'));
    ck_assert_uint_eq(corpus.count, 0);
    unlink(path);
    rmdir(directory);
}

START_TEST(malformed_files_are_refused_with_file_and_line) {
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        check_complaint("bad.txt", malformed[i].text, strlen(malformed[i].text), malformed[i].line,
                        malformed[i].sentence);
    check_complaint("bad.txt", PROPER "1\0002\n", strlen(PROPER) + 4, 5, "zero byte");
}
END_TEST

// Every file of the corpus, cut behind each of its lines but the last: none is a case any more.
START_TEST(files_that_are_cut_short_are_refused) {
    size_t cuts = 0;
    for (size_t i = 0; i < case_values_count(); i++) {
        const struct case_values *values = case_values_at(i);
        char path[512], text[1 << 16], where[256], directory[64], message[CORPUS_MESSAGE];
        struct corpus corpus;
        if (!values->fixed_n)
            continue;
        snprintf(path, sizeof path, REDUCTIO_CORPUS_DIRECTORY "/%s.txt", strchr(values->name, '/') + 1);
        FILE *file = fopen(path, "r");
        ck_assert_msg(file != NULL, "%s", path);
        size_t length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        text[length] = '\0';
        ck_assert_msg(length < sizeof text - 1 && strstr(text, "\ncount: "), "%s states no count", path);
        for (char *end = strchr(text, '\n'); end && end[1]; end = strchr(end + 1, '\n'), cuts++) {
            write_corpus(directory, "cut.txt", text, (size_t)(end + 1 - text), where);
            ck_assert_msg(!corpus_load(&corpus, directory, message), "%s, cut to %td bytes", path, end + 1 - text);
            unlink(where);
            rmdir(directory);
        }
    }
    ck_assert_uint_ge(cuts, 36 * 4);
}
END_TEST

START_TEST(unreadable_places_are_refused_in_a_sentence) {
    struct corpus corpus;
    char message[CORPUS_MESSAGE], directory[64], path[256], name[100];
    ck_assert(!corpus_load(&corpus, "/nonexistent", message));
    ck_assert_str_eq(message, "/nonexistent: cannot read the corpus: No such file or directory");
    strcpy(directory, "/tmp/reductio_corpus_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    sprintf(path, "%s/lost.txt", directory);
    ck_assert_int_eq(symlink("nowhere", path), 0);
    ck_assert(!corpus_load(&corpus, directory, message));
    ck_assert_ptr_nonnull(strstr(message, "lost.txt: cannot open it: No such file"));
    unlink(path);
    rmdir(directory);
    memset(name, 'x', sizeof name);
    strcpy(name + 70, ".txt");
    write_corpus(directory, name, PROPER "1\n", strlen(PROPER "1\n"), path);
    ck_assert(!corpus_load(&corpus, directory, message));
    ck_assert_ptr_nonnull(strstr(message, "may have 64 characters"));
    unlink(path);
    rmdir(directory);
}
END_TEST

START_TEST(other_files_and_loose_layout_are_fine) {
    static const char text[] = "#   source:  a b \n#shows: c\n\n# free\ntype: f32 f64\r\n\tsum: 0x1p+1\n  1\n\n1";
    char directory[64], path[256], other[300], message[CORPUS_MESSAGE];
    struct corpus corpus;
    write_corpus(directory, "good.txt", text, strlen(text), path);
    sprintf(other, "%s/README.md", directory);
    FILE *file = fopen(other, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    ck_assert_msg(corpus_load(&corpus, directory, message), "%s", message);
    ck_assert_uint_eq(corpus.count, 1);
    ck_assert_str_eq(corpus.values[0].name, "corpus/good");
    ck_assert_uint_eq(corpus.values[0].fixed_n, 2);
    ck_assert_str_eq(corpus_stated_sum(&corpus.values[0]), "0x1p+1");
    corpus_free(&corpus);
    unlink(other);
    unlink(path);
    rmdir(directory);
}
END_TEST

START_TEST(the_catalogue_survives_a_failed_load_and_a_second_one) {
    ck_assert_ptr_nonnull(cases_load("/nonexistent"));
    ck_assert_ptr_null(case_values_find("corpus/ramp_48"));
    ck_assert_ptr_nonnull(case_values_find("uniform"));
    ck_assert_ptr_null(cases_load(NULL));
    ck_assert_ptr_nonnull(case_values_find("corpus/ramp_48"));
    ck_assert_ptr_null(cases_load(NULL));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("corpus");
    TCase *tests = tcase_create("corpus");
    tcase_add_test(tests, stated_sums_are_right);
    tcase_add_test(tests, values_are_read_as_written);
    tcase_add_test(tests, a_file_is_made_in_its_own_size_and_types_only);
    tcase_add_test(tests, malformed_files_are_refused_with_file_and_line);
    tcase_add_test(tests, files_that_are_cut_short_are_refused);
    tcase_add_test(tests, unreadable_places_are_refused_in_a_sentence);
    tcase_add_test(tests, other_files_and_loose_layout_are_fine);
    tcase_add_test(tests, the_catalogue_survives_a_failed_load_and_a_second_one);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
