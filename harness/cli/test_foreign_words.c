// SPDX-License-Identifier: MIT
// The words of others: names of files and rows, what records and corpora hold. No terminal may be told by them what to
// do, and lines to paste must work all the same. Run as test_program.h says.
#include "harness/cli/test_program.h"

#include <libgen.h>
#include <stdio.h>
#include <string.h>

#define ESCAPE "\033"
// A word of the shell with an escape sequence that turns a terminal red, and what is left of it.
#define RED   "\"$(printf 'x\\033[31m')\""
#define SHOWN "x?[31m"

static const char *const commands[] = {
    RED,
    "run " RED,
    "check host_kahan --case " RED,
    "check host_kahan --backend " RED,
    "check host_kahan --type f32 --case ones --json no/" RED,
    "check host_kahan --known " RED,
    "check " RED ".cu",
    "check --plugin " RED ".so",
    "check --exec " RED,
    "report " RED,
    "compare " RED " " RED,
    "merge " RED,
    "sum " RED,
    "sum array.json --variant " RED,
    "explain " RED " 1 2",
    "order " RED,
    "study host_kahan --sweep " RED,
    "new " RED,
    "corpus add array.json --name " RED,
};

START_TEST(words_of_a_command_line_are_shown_clean) {
    ck_assert_int_ne(run(commands[_i]), 0);
    ck_assert_msg(!file_holds("out.txt", ESCAPE) && !file_holds("err.txt", ESCAPE), "%s", commands[_i]);
}
END_TEST

// The name is there, and is what was meant.
START_TEST(a_clean_name_is_still_told) {
    ck_assert_int_eq(run("report " RED), 2);
    ck_assert(file_holds("err.txt", "reductio: " SHOWN ": "));
}
END_TEST

static const char *const reports[] = {
    "report red.json",
    "report red.json --html -",
    "report red.json --junit -",
    "report red.json --tap -",
    "report red.json --csv -",
    "report red.json --json -",
    "report red.json --markdown -",
    "compare red.json red.json",
    "merge red.json --json again.json",
};

START_TEST(texts_of_a_record_are_shown_clean) {
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --quiet --json plain.json"), 0);
    shell("sed 's/host_kahan/host_\\\\u001b[31mkahan/g' plain.json >red.json && grep -q u001b red.json");
    ck_assert_int_eq(run(reports[_i]), 0); // a record that is refused would show none of its texts
    ck_assert_msg(!file_holds("out.txt", ESCAPE) && !file_holds("err.txt", ESCAPE) && !file_holds("out.txt", "u001b"),
                  "%s", reports[_i]);
}
END_TEST

START_TEST(texts_of_a_corpus_are_shown_clean) {
    shell("rm -rf .reductio && mkdir -p .reductio/corpus");
    write_file(".reductio/corpus/red.txt",
               "# source: " ESCAPE "[31mnobody\n# shows: " ESCAPE "[31mred\ntype: f32\nsum: 3\n1\n2\n");
    ck_assert_int_eq(run("list cases --case corpus/red"), 0);
    ck_assert(file_holds("out.txt", "?[31m") && !file_holds("out.txt", ESCAPE));
    shell("rm -r .reductio");
}
END_TEST

// The command in what a search found has the words that it was given.
START_TEST(a_search_can_be_pasted_again) {
    shell("rm -rf 'a folder' && mkdir 'a folder'");
    ck_assert_int_eq(run("study host_sequential --type f32 -n 64 --search --steps 20 --name found -o 'a folder'"), 0);
    shell("sed -n 's/.*\\(reductio study .*\\)/\\1/p' 'a folder/found.txt' | head -n 1 >line.txt && rm -r 'a folder'");
    ck_assert(file_holds("line.txt", "--search"));
    ck_assert(file_holds("line.txt", "'a folder'"));
}
END_TEST

// ---- a build that lost a part ----

static const char *const parts[] = {"bin/reductio-simt-translate", "lib/reductio/libreductio_worker.a",
                                    "lib/reductio/include/reductio.h"};

START_TEST(a_lost_part_is_no_fault_of_the_file) {
    char copy[1024], at[1024], command[4096];
    snprintf(copy, sizeof copy, "%s", program);
    snprintf(at, sizeof at, "%s/..", dirname(copy));
    snprintf(command, sizeof command,
             "rm -rf tree lost.cu && mkdir -p tree/bin tree/lib && cp '%s' tree/bin/ && ln -s '%s'/bin/reductio-* "
             "tree/bin/ && "
             "ln -s '%s/share' tree/share && cp -rs '%s/lib/reductio' tree/lib/ && rm 'tree/%s'",
             program, at, at, at, parts[_i]);
    shell(command);
    ck_assert_int_eq(run("new lost"), 0);
    snprintf(command, sizeof command,
             "tree/bin/reductio check lost.cu --backend simt >out.txt 2>err.txt </dev/null; test $? = 99");
    shell(command);
    ck_assert(file_holds("err.txt", strrchr(parts[_i], '/') + 1));
    ck_assert(file_holds("err.txt", "is missing: build or install reductio anew."));
    shell("rm -r tree lost.cu");
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return 2;
    keep_own_cache();
    Suite *suite = suite_create("foreign words");
    TCase *tests = tcase_create("foreign words");
    tcase_add_loop_test(tests, words_of_a_command_line_are_shown_clean, 0, sizeof commands / sizeof *commands);
    tcase_add_test(tests, a_clean_name_is_still_told);
    tcase_add_loop_test(tests, texts_of_a_record_are_shown_clean, 0, sizeof reports / sizeof *reports);
    tcase_add_test(tests, texts_of_a_corpus_are_shown_clean);
    tcase_add_test(tests, a_search_can_be_pasted_again);
    tcase_add_loop_test(tests, a_lost_part_is_no_fault_of_the_file, 0, sizeof parts / sizeof *parts);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
