// SPDX-License-Identifier: MIT
// Parts of building a user's file: hashes, flags, the rules that compilers write for make.
#include "harness/environment.h"
#include "harness/own/cache.h"
#include "harness/own/flags.h"
#include "harness/own/inputs.h"
#include "harness/own/tools.h"
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

// ---- environment ----

static own_hash hash_environment(const char *backend) {
    own_hash hash = own_hash_start();
    own_tools_hash_environment(&hash, backend);
    return hash;
}

static const struct {
    const char *name;
    bool for_cpu; // read by the C++ compiler, not by nvcc alone
} variables[] = {{"CPATH", true},         {"CPLUS_INCLUDE_PATH", true},  {"LIBRARY_PATH", true},
                 {"COMPILER_PATH", true}, {"NVCC_PREPEND_FLAGS", false}, {"NVCC_APPEND_FLAGS", false},
                 {"NVCC_CCBIN", false}};

START_TEST(variable_of_the_compilers_is_hashed) {
    static const char *const backends[] = {"cuda", "simt", "tsan", "asan"};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(unsetenv(variables[_i].name), 0);
        own_hash none = hash_environment(backends[i]);
        ck_assert_int_eq(setenv(variables[_i].name, "", 1), 0);
        own_hash empty = hash_environment(backends[i]);
        ck_assert_int_eq(setenv(variables[_i].name, "a", 1), 0);
        own_hash one = hash_environment(backends[i]);
        ck_assert_int_eq(setenv(variables[_i].name, "b", 1), 0);
        own_hash other = hash_environment(backends[i]);
        bool read = i == 0 || variables[_i].for_cpu;
        ck_assert_int_eq(none != empty, read);
        ck_assert_int_eq(empty != one, read);
        ck_assert_int_eq(one != other, read);
    }
}
END_TEST

// A value moves to the next variable, which means something else.
START_TEST(variables_are_told_apart) {
    ck_assert_int_eq(unsetenv("CPLUS_INCLUDE_PATH"), 0);
    ck_assert_int_eq(setenv("CPATH", "a", 1), 0);
    own_hash first = hash_environment("simt");
    ck_assert_int_eq(unsetenv("CPATH"), 0);
    ck_assert_int_eq(setenv("CPLUS_INCLUDE_PATH", "a", 1), 0);
    ck_assert(hash_environment("simt") != first);
}
END_TEST

START_TEST(variable_with_flags_is_named) {
    ck_assert_int_eq(unsetenv("NVCC_APPEND_FLAGS"), 0);
    ck_assert_ptr_null(own_flags_of_variable("NVCC_APPEND_FLAGS"));
    ck_assert_int_eq(setenv("NVCC_APPEND_FLAGS", " ", 1), 0);
    ck_assert_ptr_null(own_flags_of_variable("NVCC_APPEND_FLAGS"));
    ck_assert_int_eq(setenv("NVCC_APPEND_FLAGS", " -use_fast_math  -I/home/me/inc ", 1), 0);
    char *given = own_flags_of_variable("NVCC_APPEND_FLAGS");
    ck_assert_str_eq(given, "NVCC_APPEND_FLAGS=-use_fast_math -I.../inc");
    free(given);
}
END_TEST

// What stands before a line to paste: what chooses the compiler, flags and headers of that backend.
START_TEST(set_variables_are_assignments) {
    static const char *const unset[] = {"CXX",       "CUDACXX", "CPATH", "CPLUS_INCLUDE_PATH", "NVCC_PREPEND_FLAGS",
                                        "NVCC_CCBIN"};
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
        ck_assert_int_eq(unsetenv(unset[i]), 0);
    ck_assert_int_eq(unsetenv("NVCC_APPEND_FLAGS"), 0);
    ck_assert_ptr_null(own_tools_assignments("cuda", false));
    ck_assert_int_eq(setenv("NVCC_APPEND_FLAGS", "-use_fast_math -I/home/me/inc", 1), 0);
    ck_assert_int_eq(setenv("CPATH", "/home/me/it's", 1), 0);
    ck_assert_int_eq(setenv("CXX", "clang++", 1), 0);
    static const struct {
        const char *backend;
        bool for_record;
        const char *text;
    } wanted[] = {
        {"cuda", false, "NVCC_APPEND_FLAGS='-use_fast_math -I/home/me/inc' CPATH='/home/me/it'\\''s'"},
        {"cuda", true, "NVCC_APPEND_FLAGS='-use_fast_math -I.../inc' CPATH='.../it'\\''s'"},
        {"simt", false, "CXX=clang++ CPATH='/home/me/it'\\''s'"},
        {"tsan", true, "CXX=clang++ CPATH='.../it'\\''s'"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char *text = own_tools_assignments(wanted[i].backend, wanted[i].for_record);
        ck_assert_str_eq(text, wanted[i].text);
        free(text);
    }
}
END_TEST

// What a record keeps of commands: the paths' last parts, or what lies below the working directory.
START_TEST(commands_lose_their_folders) {
    char here[] = "/tmp/test-own-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(here));
    ck_assert_int_eq(chdir(here), 0);
    static const char *const commands[][2] = {
        {"python3 /home/me/sums.py torch", "python3 .../sums.py torch"},
        {"cd '/home/me/a' && X=/b/c ./sum {}", "cd '.../a' && X=.../c ./sum {}"},
        {"sed s/a/b/ 1/2 x-a/b", "sed s/a/b/ 1/2 x-a/b"},
        {"/a/b:/c/d", ".../b:.../d"},
        {"at [/home/me/x.cu:12] {/a/y}", "at [.../x.cu:12] {.../y}"},
        {"g++ -I/usr/inc <(/x/y)", "g++ -I.../inc <(.../y)"},
        {"/", "/"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char *text = command_without_folders(commands[i][0]);
        ck_assert_str_eq(text, commands[i][1]);
        free(text);
    }
    char *path = text_format("%s/sub/mine.cu", here), *other = text_format("%s-not/mine.cu", here);
    char *kept = argument_without_folder(path), *lost = argument_without_folder(other);
    ck_assert_str_eq(kept, "sub/mine.cu");
    ck_assert_str_eq(lost, ".../mine.cu");
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(here), 0);
    free(path);
    free(other);
    free(kept);
    free(lost);
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
    char *rule =
        text_format("out.o: mine.cu %s/translated.cpp \\\n /kit/include/reductio.h inc/a.h \\\n with\\ blank.h \\\n"
                    " /kit-extra/mine.h %s-more/mine.h\n",
                    scratch, scratch);
    char *beside = text_format("%s-more/mine.h", scratch);
    write_text(scratch, "inputs.d", rule);
    write_text(headers, "list", "/abs/kernels.cuh\n");
    own_list_inputs(&inputs, scratch, "/kit", "mine.cu");
    const char *const wanted[] = {"mine.cu",      "/abs/kernels.cuh",  "inc/a.h",
                                  "with blank.h", "/kit-extra/mine.h", beside};
    ck_assert_uint_eq(inputs.count, 6);
    for (size_t i = 0; i < inputs.count; i++)
        ck_assert_str_eq(inputs.items[i], wanted[i]);
    own_cache_discard(scratch);
    ck_assert_int_ne(access(scratch, F_OK), 0);
    free(headers);
    free(rule);
    free(beside);
    text_list_free(&inputs);
}
END_TEST

// What the compilers wrote for includes of such names, and the names.
static const struct {
    const char *rule, *paths; // a | between the paths
} rules[] = {
    // g++ 12.2
    {"o:ut.o: m.cu a\\#b$$c\\ d:e\\\\\\ f/x\\#1.h a\\#b$$c\\ d:e\\\\\\ f/x$$2.h \\\n"
     " x\\ 3.h x:4.h x\\5.h \\\n x\\\\\\ 6.h x\\\\#7.h\n",
     "a#b$c d:e\\ f/x#1.h|a#b$c d:e\\ f/x$2.h|x 3.h|x:4.h|x\\5.h|x\\ 6.h|x\\#7.h"},
    // clang 14
    {"o:ut.o: m.cu a\\#b$$c\\ d:e/\\ f/x\\#1.h x$$2.h \\\n  x\\ 3.h x:4.h\n", "a#b$c d:e/ f/x#1.h|x$2.h|x 3.h|x:4.h"},
    // nvcc 13.0
    {"n : m.cu \\\n    a#b$c\\ d:e/\\ f/x#1.h \\\n    x$2.h \\\n    x\\ 3.h\n", "a#b$c d:e/ f/x#1.h|x$2.h|x 3.h"},
};

START_TEST(escaped_names_of_a_rule_are_undone) {
    char scratch[] = "/tmp/test-own-XXXXXX";
    struct text_list inputs = {0}, wanted = {0};
    ck_assert_ptr_nonnull(mkdtemp(scratch));
    write_text(scratch, "inputs.d", rules[_i].rule);
    own_list_inputs(&inputs, scratch, "/kit", "m.cu");
    add_words(&wanted, rules[_i].paths);
    ck_assert_uint_eq(inputs.count, wanted.count + 1);
    for (size_t i = 0; i < wanted.count; i++)
        ck_assert_str_eq(inputs.items[i + 1], wanted.items[i]);
    own_cache_discard(scratch);
    text_list_free(&inputs);
    text_list_free(&wanted);
}
END_TEST

// A build stands for its inputs: with one that cannot be read it is not kept, and not found when one is gone.
START_TEST(build_needs_all_its_inputs) {
    char cache[] = "/tmp/test-own-XXXXXX", message[OWN_CACHE_MESSAGE] = "";
    struct text_list inputs = {0};
    ck_assert_ptr_nonnull(mkdtemp(cache));
    char *scratch = own_cache_scratch(cache, message), *header = text_format("%s/a.h", cache);
    ck_assert_ptr_nonnull(scratch);
    write_text(scratch, "worker", "");
    char *worker = text_format("%s/worker", scratch);
    ck_assert_int_eq(chmod(worker, 0700), 0);
    free(worker);
    text_list_add(&inputs, header);
    ck_assert_ptr_null(own_cache_keep(cache, 1, scratch, &inputs, message));
    ck_assert_msg(strstr(message, "a.h went into the build and cannot be read."), "%s", message);
    ck_assert_ptr_null(own_cache_find(cache, 1));

    write_text(cache, "a.h", "1");
    worker = own_cache_keep(cache, 1, scratch, &inputs, message);
    ck_assert_ptr_nonnull(worker);
    char *found = own_cache_find(cache, 1);
    ck_assert_str_eq(found, worker);
    ck_assert_int_eq(unlink(header), 0);
    ck_assert_ptr_null(own_cache_find(cache, 1));
    own_cache_discard(cache);
    free(scratch);
    free(header);
    free(worker);
    free(found);
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
    tcase_add_loop_test(tests, variable_of_the_compilers_is_hashed, 0, COUNT(variables));
    tcase_add_test(tests, variables_are_told_apart);
    tcase_add_test(tests, variable_with_flags_is_named);
    tcase_add_test(tests, set_variables_are_assignments);
    tcase_add_test(tests, commands_lose_their_folders);
    tcase_add_test(tests, inputs_are_what_was_read);
    tcase_add_loop_test(tests, escaped_names_of_a_rule_are_undone, 0, COUNT(rules));
    tcase_add_test(tests, build_needs_all_its_inputs);
    tcase_add_test(tests, cache_is_pruned);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
