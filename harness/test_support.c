// SPDX-License-Identifier: MIT
#include "harness/support.h"
#include "text/foreign_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// Longer than any buffer of a stream, in pieces that do not divide one.
START_TEST(a_text_stream_keeps_every_piece) {
    enum { PIECES = 9973 };
    struct text_stream stream;
    text_stream_open(&stream);
    for (int i = 0; i < PIECES; i++)
        fprintf(stream.out, "%07d", i);
    char *text = text_stream_close(&stream);
    ck_assert_uint_eq(strlen(text), 7 * PIECES);
    for (int i = 0; i < PIECES; i++) {
        char piece[16];
        snprintf(piece, sizeof piece, "%07d", i);
        ck_assert_msg(strncmp(text + (size_t)i * 7, piece, 7) == 0, "piece %d", i);
    }
    free(text);
}
END_TEST

START_TEST(an_unused_text_stream_is_an_empty_text) {
    struct text_stream stream;
    text_stream_open(&stream);
    char *text = text_stream_close(&stream);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

static const char *const words[] = {"plain",    "a b",      "it's",      "-x.cu",         "two\nlines",
                                    "\033[31m", "\xff.npy", "%s\\n\xff", "$(x)`y`\"z\033"};

// What the shell makes of it is the word itself, and the line holds nothing that a terminal acts on.
START_TEST(quoted_words_are_those_of_the_shell) {
    char *quoted = text_quote_word(words[_i]), *command = text_format("printf '%%s' %s", quoted), back[64] = "";
    FILE *shell = popen(command, "r");
    ck_assert_ptr_nonnull(shell);
    back[fread(back, 1, sizeof back - 1, shell)] = '\0';
    ck_assert_int_eq(pclose(shell), 0);
    ck_assert_str_eq(back, words[_i]);
    char *clean = must_copy_text(quoted);
    text_clean(clean, strlen(clean));
    ck_assert_str_eq(clean, quoted);
    free(clean);
    free(command);
    free(quoted);
}
END_TEST

// Longer than what needs no memory, and the end is there.
START_TEST(a_long_error_is_said_to_its_end) {
    enum { LENGTH = 10000 };
    char *words = must_calloc(LENGTH + 1, 1), *line = must_calloc(2 * LENGTH, 1);
    FILE *said = tmpfile();
    ck_assert_ptr_nonnull(said);
    ck_assert_int_ge(dup2(fileno(said), STDERR_FILENO), 0);
    memset(words, 'x', LENGTH);
    say_error("%s\033 and the end", words);
    rewind(said);
    ck_assert_ptr_nonnull(fgets(line, 2 * LENGTH, said));
    ck_assert_int_eq(strncmp(line, "reductio: xxx", 13), 0);
    ck_assert_str_eq(line + strlen("reductio: ") + LENGTH, "? and the end\n");
    fclose(said);
    free(line);
    free(words);
}
END_TEST

#ifndef __SANITIZE_ADDRESS__ // whose shadow is larger than any limit
// Must end with EXIT_HARNESS_FAILED while it writes, and not come back with a part.
START_TEST(a_text_stream_without_memory_is_a_failure) {
    static char piece[1 << 16];
    const struct rlimit limit = {(rlim_t)256 << 20, (rlim_t)256 << 20};
    struct text_stream stream;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    text_stream_open(&stream);
    memset(piece, 'x', sizeof piece);
    for (int i = 0; i < 8192; i++) // 512 MiB
        fwrite(piece, sizeof piece, 1, stream.out);
    free(text_stream_close(&stream));
}
END_TEST

// Not even for a sentence.
START_TEST(no_memory_at_all_is_a_failure) {
    const struct rlimit limit = {(rlim_t)256 << 20, (rlim_t)256 << 20};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    for (size_t size = (size_t)1 << 26; size >= 8;) {
        void *volatile kept = malloc(size); // until the end of the process
        if (!kept)
            size = size > 4096 ? size / 2 : size - 8; // what was freed before is kept by its size
    }
    must_copy_text("x");
}
END_TEST
#endif

int main(void) {
    Suite *suite = suite_create("support");
    TCase *tests = tcase_create("support");
    tcase_add_test(tests, a_text_stream_keeps_every_piece);
    tcase_add_loop_test(tests, quoted_words_are_those_of_the_shell, 0, sizeof words / sizeof *words);
    tcase_add_test(tests, an_unused_text_stream_is_an_empty_text);
    tcase_add_test(tests, a_long_error_is_said_to_its_end);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_exit_test(tests, a_text_stream_without_memory_is_a_failure, EXIT_HARNESS_FAILED);
    tcase_add_exit_test(tests, no_memory_at_all_is_a_failure, EXIT_HARNESS_FAILED);
#endif
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
