// SPDX-License-Identifier: MIT
// Parts of building a user's file: hashes, flags, the rules that compilers write for make.
#include "harness/own_cache.h"
#include "harness/own_flags.h"
#include "harness/own_inputs.h"
#include "harness/support.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// RFC 9923, appendix C: FNV-1a, 128 bits.
START_TEST(hash_gives_its_reference_outputs) {
    static const struct {
        const char *text;
        uint64_t high, low;
    } vectors[] = {{"", UINT64_C(0x6c62272e07bb0142), UINT64_C(0x62b821756295c58d)},
                   {"a", UINT64_C(0xd228cb696f1a8caf), UINT64_C(0x78912b704e4a8964)},
                   {"foobar", UINT64_C(0x343e1662793c64bf), UINT64_C(0x6f0d3597ba446f18)}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        own_hash hash = own_hash_start();
        own_hash_bytes(&hash, vectors[i].text, strlen(vectors[i].text));
        ck_assert_uint_eq((uint64_t)(hash >> 64), vectors[i].high);
        ck_assert_uint_eq((uint64_t)hash, vectors[i].low);
    }
}
END_TEST

// ---- flags ----

static void add_words(struct text_list *list, const char *words) {
    char *copy = must_copy_text(words), *rest = NULL;
    for (char *word = strtok_r(copy, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
        text_list_add(list, word);
    free(copy);
}

static const struct {
    const char *given, *taken, *left; // given: words, a | between them
} splits[] = {
    {"-DX=1|-O3", "-D X=1", "-O3"},
    {"-D|X=1|-Iinc|-I|more", "-D X=1 -I inc -I more", ""},
    {"--define-macro=X|--include-path=inc", "-D X -I inc", ""},
    {"-isystem|sys|-include|pre.h|-UNDEBUG", "-isystem sys -include pre.h -U NDEBUG", ""},
    {"-arch=sm_90|-gencode|arch=compute_90,code=sm_90|--use_fast_math", "",
     "-arch=sm_90 -gencode arch=compute_90,code=sm_90 --use_fast_math"},
    {"-std=c++17|-Xcompiler|-Wall|-lineinfo|-lcublas", "", "-std=c++17 -Xcompiler -Wall -lineinfo -lcublas"},
    {"-DNAME=\"a b\"", "-D 'NAME=\"a b\"'", ""},
    {"-D", "", "-D"},
};

START_TEST(flags_go_where_they_mean_something) {
    struct text_list given = {0}, taken = {0}, left = {0};
    add_words(&given, splits[_i].given);
    ck_assert_ptr_null(own_flags_split(&given, &taken, &left));
    char *taken_text = own_flags_text(&taken), *left_text = own_flags_text(&left);
    ck_assert_str_eq(taken_text, splits[_i].taken);
    ck_assert_str_eq(left_text, splits[_i].left);
    free(taken_text);
    free(left_text);
    text_list_free(&given);
    text_list_free(&taken);
    text_list_free(&left);
}
END_TEST

static const char *const outputs[] = {"-c", "-o", "--compile", "-ptx", "-dc", "-M", "--shared"};

START_TEST(flag_that_chooses_the_output_is_refused) {
    struct text_list given = {0}, taken = {0}, left = {0};
    text_list_add(&given, outputs[_i]);
    char *why = own_flags_split(&given, &taken, &left);
    ck_assert_ptr_nonnull(why);
    ck_assert_ptr_nonnull(strstr(why, outputs[_i]));
    free(why);
    text_list_free(&given);
}
END_TEST

// ---- inputs ----

static void write_text(const char *folder, const char *name, const char *text) {
    char *path = text_format("%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    free(path);
}

START_TEST(inputs_are_what_was_read) {
    char scratch[] = "/tmp/test-own-XXXXXX";
    struct text_list inputs = {0};
    ck_assert_ptr_nonnull(mkdtemp(scratch));
    char *headers = text_format("%s/headers", scratch);
    ck_assert_int_eq(mkdir(headers, 0700), 0);
    char *rule = text_format(
        "out.o: mine.cu %s/translated.cpp \\\n /kit/include/reductio.h inc/a.h \\\n with\\ blank.h\n", scratch);
    write_text(scratch, "inputs.d", rule);
    write_text(headers, "list", "/abs/kernels.cuh\n");
    own_list_inputs(&inputs, scratch, "/kit", "mine.cu");
    static const char *const wanted[] = {"mine.cu", "/abs/kernels.cuh", "inc/a.h", "with blank.h"};
    ck_assert_uint_eq(inputs.count, 4);
    for (size_t i = 0; i < inputs.count; i++)
        ck_assert_str_eq(inputs.items[i], wanted[i]);
    own_cache_discard(scratch);
    ck_assert_int_ne(access(scratch, F_OK), 0);
    free(headers);
    free(rule);
    text_list_free(&inputs);
}
END_TEST

// Folders of the cache that no one has used for long go, all others stay.
START_TEST(cache_is_pruned) {
    char cache[] = "/tmp/test-own-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(cache));
    static const char *const names[] = {"0123456789abcdef0123456789abcdef-0123456789abcdef0123456789abcdef",
                                        "fedcba9876543210fedcba9876543210-0123456789abcdef0123456789abcdef",
                                        "scratch-abcdef", "notes"};
    for (size_t i = 0; i < 4; i++) {
        char *path = text_format("%s/%s", cache, names[i]);
        ck_assert_int_eq(mkdir(path, 0700), 0);
        write_text(path, "worker", "");
        struct timespec old[2] = {{.tv_sec = time(NULL) - 31 * 86400}, {.tv_sec = time(NULL) - 31 * 86400}};
        if (i != 1)
            ck_assert_int_eq(utimensat(-1, path, old, 0), 0);
        free(path);
    }
    own_cache_prune(cache);
    for (size_t i = 0; i < 4; i++) {
        char *path = text_format("%s/%s", cache, names[i]);
        ck_assert_int_eq(access(path, F_OK) == 0, i == 1 || i == 3);
        free(path);
    }
    own_cache_discard(cache);
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

int main(void) {
    Suite *suite = suite_create("own parts");
    TCase *tests = tcase_create("own parts");
    tcase_add_test(tests, hash_gives_its_reference_outputs);
    tcase_add_loop_test(tests, flags_go_where_they_mean_something, 0, COUNT(splits));
    tcase_add_loop_test(tests, flag_that_chooses_the_output_is_refused, 0, COUNT(outputs));
    tcase_add_test(tests, inputs_are_what_was_read);
    tcase_add_test(tests, cache_is_pruned);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
