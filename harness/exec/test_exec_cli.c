// SPDX-License-Identifier: MIT
// Programs that sum from the command line: exit codes, sentences, verdicts in the record. Run as: test_exec_cli PROGRAM
// DIRECTORY.
#include "harness/cli/test_program.h"

#include <stdio.h>
#include <string.h>

static char arguments[1024];

static const char *with_fake(const char *before, const char *mode, const char *after) {
    snprintf(arguments, sizeof arguments, "%s --exec \"%s %s\" --quiet %s", before, FAKE_PROGRAM, mode, after);
    return arguments;
}

static const struct {
    const char *before, *mode, *after;
    int code;
    const char *file, *says;
} runs[] = {
    // rows that the command line brings do without others; where a backend is named, no GPU is opened
    {"check", "right", "--json a.json", 0, "out.txt", "None of 1 variants breaks a claim"},
    {"list variants --backend exec", "claims", "", 0, "out.txt",
     "accuracy height; same bits: run yes; same bits: order yes"},
    {"check --backend exec", "'die at once'", "", 1, "err.txt", "ended with exit code 3 before its hello"},
    {"check --backend exec", "'killed at once'", "", 99, "err.txt",
     "The program was killed by SIGKILL before its hello."},
    {"check --backend exec", "'say nothing'", "--limit 1", 1, "err.txt", "did not answer within 1 s."},
    {"check --backend exec", "absent", "", 1, "err.txt", "fake is not here: no fakes on Mondays."},
    {"check --backend exec", "right", "--exec \"" FAKE_PROGRAM " right\"", 1, "err.txt",
     "there are two rows fake.sum@exec/f32"},
    {"check fake.sum", "die", "--type f32 --case cond1e40 --json d.json", 1, "d.json",
     "The program ended with exit code 3 without an answer."},
    {"run --cell fake.sum@exec/f32/ones/7/given/t1/o0/hw", "hang", "--limit 1 --json h.json", 0, "h.json",
     "No answer within the limit of 1 s"},
    {"run --cell fake.sum@exec/f32/ones/7/given/t1/o0/hw", "poison", "--json p.json", 0, "p.json",
     "The launch reported success but wrote no result."},
    {"run --cell fake.sum@exec/f32/ones/7/given/t1/o0/hw", "failed", "--json p.json", 0, "p.json",
     "The program has no sum: out of numbers."},
    {"check --cell fake.sum@exec/f32/ones/7/given/t1/o0/hw", "'stale value'", "--json p.json", 1, "p.json",
     "the sum must be exact"},
    {"order --backend exec", "right", "-n 6 --type f32", 0, "out.txt", "(((((x0+x1)+x2)+x3)+x4)+x5)"},
    {"order --backend exec", "right", "-n 7 --type f32", 0, "out.txt", "height 6"},
    {"order --backend exec", "right", "-n 8 --type f32", 0, "out.txt",
     "It could: \"accuracy\": \"height\", \"heights\": true, and a "},
    {"check --backend exec", "right", "--type f64", 0, "out.txt", "fake.sum@exec"},
    {"study fake.sum", "right", "-n 100 --runs 3 --type f32", 0, "out.txt", "fake.sum"},
    // one number for one file
    {"check --backend exec", "path hex {}", "--json x.json", 0, "out.txt", "fake_program@exec f64"},
    {"check --backend exec", "path bits {}", "--json x.json", 0, "x.json", "Tried on 1, 2 and 4 in f32"},
    {"check --backend exec", "path 'many digits' {}", "", 1, "err.txt",
     "printed \\\"bits 401c0000000000000\\\" where one number"},
    {"check --backend exec", "path words {}", "", 1, "err.txt",
     "printed \\\"the sum is 7\\\" where one number is wanted"},
    {"check --backend exec", "path escape {}", "", 1, "err.txt", "printed \\\"?[31m7??\\\" where one number is wanted"},
    {"check --backend exec", "path two {}", "", 1, "err.txt", "printed \\\"7 7\\\" where one number is wanted"},
    {"check --backend exec", "path long {}", "", 1, "err.txt", "and more where one number is wanted"},
    {"check --backend exec", "path fail {}", "", 1, "err.txt", "The program ended with exit code 5."},
    {"check --backend exec", "path 'f64 alone' {}", "--json x.json", 0, "x.json",
     "Tried on 1, 2 and 4 in f32: The program ended with"},
    {"check --backend exec", "path 'f32 alone' {}", "--json x.json", 0, "x.json",
     "The program cannot be started: the shell finds no such command"}, // in f64
    {"check --backend exec", "path quiet {}", "", 1, "err.txt", "printed \\\"\\\" where one number is wanted"},
};

// What cannot be started is a mistake on the command line, and whatever starts and gives no sums is at fault itself.
static const struct {
    const char *command;
    int code;
    const char *says;
} starts[] = {
    {"./nobody", 2, "The program cannot be started; it said \"sh: "},
    {"./nobody {}", 2, "The program cannot be started: the shell finds no such command (exit code 127)."},
    {"./notes.txt", 2, "The program cannot be started; it said \"sh: "},
    {"./notes.txt {}", 2, "The program cannot be started: the shell may not execute it (exit code 126)."},
    {"echo none >&2; ./nobody {}", 2, "the shell finds no such command"},
    {"sh -c 'exit 5'", 1, "The program ended with exit code 5 before its hello."},
    {"false {}", 1, "Tried on 1, 2 and 4 in f32: The program ended with exit code 1."},
    {"echo three", 1, "The program's standard output holds \"three \", which is no frame"},
};

START_TEST(a_start_that_fails_is_told_from_a_program_that_does) {
    static const char *const commands[] = {"check", "run", "list variants", "sum x.npy", "explain x.npy a b"};
    write_file("notes.txt", "1\n");
    ck_assert_int_eq(run("run --cell host_sequential@host/f64/uniform/3/given/t1/o0/hw --dump x.npy --json d.json"), 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(arguments, sizeof arguments, "%s --quiet --exec \"%s\"", commands[i], starts[_i].command);
        int code = run(arguments);
        ck_assert_msg(code == starts[_i].code, "%s ended with %d and not %d", arguments, code, starts[_i].code);
        ck_assert_msg(file_holds("err.txt", starts[_i].says), "%s does not say \"%s\"", arguments, starts[_i].says);
    }
}
END_TEST

// Where text of a program's comes in: its hello, what it says is missing, a failure, its standard error.
static const struct {
    const char *before, *mode;
    int code;
    const char *file, *says;
} reds[] = {
    {"list variants", "red", 0, "out.txt", "in ?[31mred"},
    {"list backends --backend exec", "red", 0, "out.txt", "?[31mred 1.0"},
    {"list variants", "'absent in red'", 1, "err.txt", "seeing ?[31mred."},
    {"list variants", "'die in red'", 1, "err.txt", "?[31mSomething is missing here."},
    {"sum seven.npy --backend exec", "red", 0, "out.txt", "The program has no sum: out of ?[31mred? numbers."},
    {"sum seven.npy --backend exec", "red", 0, "out.txt", "It printed: \"warning: ?[31mred"},
    {"explain seven.npy fake.sum 1", "red", 1, "err.txt", "out of ?[31mred? numbers."},
    {"order fake.sum -n 7", "red", 1, "out.txt", "out of ?[31mred? numbers."},
    {"check --cell fake.sum@exec/f32/ones/7/given/t1/o0/hw --tap -", "red", 1, "out.txt", "out of ?[31mred? numbers."},
};

START_TEST(no_escape_sequence_comes_through) {
    ck_assert_int_eq(run("run --cell host_sequential@host/f32/ones/7/given/t1/o0/hw --dump seven.npy --json d.json"),
                     0);
    int code = run(with_fake(reds[_i].before, reds[_i].mode, ""));
    ck_assert_msg(code == reds[_i].code, "%s ended with %d and not %d", arguments, code, reds[_i].code);
    ck_assert_msg(file_holds(reds[_i].file, reds[_i].says), "%s: %s does not hold \"%s\"", arguments, reds[_i].file,
                  reds[_i].says);
    ck_assert_msg(!file_holds("out.txt", "\033") && !file_holds("err.txt", "\033"), "%s lets one through", arguments);
}
END_TEST

// Where on whose machine the program lies is not for a record; the line to paste on this terminal needs it.
START_TEST(record_holds_no_folder_of_the_program) {
    char folder[1024];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(FAKE_PROGRAM, '/') - FAKE_PROGRAM), FAKE_PROGRAM);
    snprintf(
        arguments, sizeof arguments,
        "check --exec \"env %s 'stale value'\" --quiet --cell fake.sum@exec/f32/ones/7/given/t1/o0/hw --json w.json",
        FAKE_PROGRAM);
    ck_assert_int_eq(run(arguments), 1);
    ck_assert(!file_holds("w.json", folder));
    ck_assert(file_holds("w.json", "env .../fake_program "));
    ck_assert(file_holds("out.txt", "--exec 'env " FAKE_PROGRAM " "));
}
END_TEST

START_TEST(runs_end_as_they_should) {
    int code = run(with_fake(runs[_i].before, runs[_i].mode, runs[_i].after));
    char says[256];
    size_t used = 0; // the table has the quotes of JSON and of stderr alike
    for (const char *c = runs[_i].says; *c; c++)
        if (*c != '\\')
            says[used++] = *c;
    says[used] = 0;
    ck_assert_msg(code == runs[_i].code, "%s ended with %d and not %d", arguments, code, runs[_i].code);
    ck_assert_msg(file_holds(runs[_i].file, says), "%s: %s does not hold \"%s\"", arguments, runs[_i].file, says);
}
END_TEST

// A program that somebody ends over every other input: those that it was asked in vain are counted apart.
START_TEST(search_counts_what_was_tried) {
    write_file("victim.sh", "#!/bin/sh\n"
                            "[ -e count ] || echo 0 >count\n"
                            "count=$(($(cat count) + 1)); echo $count >count\n"
                            "[ $count -le 12 ] || kill -9 $$\n"
                            "echo 7\n");
    shell("chmod +x victim.sh; rm -f count");
    int code = run("study victim --search --steps 1 -n 8 --type f32 --quiet --jobs 1 --exec './victim.sh {}'");
    ck_assert_int_eq(code, 99);
    ck_assert(file_holds("out.txt",
                         "Inputs that could not be checked, through no fault of the row, and are none of these: "));
    // Two of the twelve tried the types.
    ck_assert(file_holds("out.txt", ", in 10 inputs; families of cases alone reached"));
}
END_TEST

START_TEST(an_array_of_ones_own) {
    ck_assert_int_eq(run("run --cell host_sequential@host/f64/uniform/33/given/t1/o0/hw --dump x.npy --json d.json"),
                     0);
    ck_assert_int_eq(run(with_fake("sum x.npy --backend host --backend exec", "right", "")), 0);
    ck_assert(file_holds("out.txt", "fake.sum@exec"));
    ck_assert(file_holds("out.txt", "host_sequential@host"));
    ck_assert_int_eq(run(with_fake("explain x.npy fake.sum host_sequential", "right", "")), 0);
    ck_assert(file_holds("out.txt", "Both add in the same order"));
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return 2;
    Suite *suite = suite_create("exec command line");
    TCase *whole = tcase_create("runs");
    tcase_add_loop_test(whole, runs_end_as_they_should, 0, sizeof runs / sizeof *runs);
    tcase_add_loop_test(whole, a_start_that_fails_is_told_from_a_program_that_does, 0, sizeof starts / sizeof *starts);
    tcase_add_loop_test(whole, no_escape_sequence_comes_through, 0, sizeof reds / sizeof *reds);
    tcase_add_test(whole, search_counts_what_was_tried);
    tcase_add_test(whole, an_array_of_ones_own);
    tcase_add_test(whole, record_holds_no_folder_of_the_program);
    suite_add_tcase(suite, whole);
    return run_suite(suite);
}
