// SPDX-License-Identifier: MIT
// Files that are not what is meant: outputs that nothing can be written to, which must be told before the work begins
// and must leave what is there alone, and inputs that never end or have been cut short.
#include "harness/cli/test_program.h"
#include "harness/test_skip.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

// Cells of the full tier on the emulator take minutes: who starts on them is late.
#define LONG "--backend simt --tier full"

// ---- outputs ----

static const struct {
    const char *arguments, *says;
} unwritable[] = {
    {"run " LONG " --json .", ". cannot be written: Is a directory"},
    {"run " LONG " --html nowhere/x.html", "nowhere/x.html cannot be written: No such file"},
    {"run " LONG " --csv new/", "new/ cannot be written: Is a directory"},
    {"run " LONG " --csv array.json/x", "array.json/x cannot be written: Not a directory"},
    {"check " LONG " --junit .", ". cannot be written: Is a directory"},
    {"check " LONG " --tap .", ". cannot be written: Is a directory"},
    {"selftest " LONG " --markdown .", ". cannot be written: Is a directory"},
    {"hazards --tier full --markdown .", ". cannot be written: Is a directory"},
    {"study '*' --backend simt --runs 99999 --csv .", ". cannot be written: Is a directory"},
    {"study host_kahan --type f32 --search --steps 999999 --name n -o nowhere", "nowhere is no folder"},
    {"study host_kahan --type f32 --search --steps 999999 --name taken -o .", "./taken.txt is there already"},
    {"bench --json .", ". cannot be written: Is a directory"},
    {"order '*' -n 4000 --json .", ". cannot be written: Is a directory"},
    {"order host_sequential --type f32 -n 16000 --svg .", ". cannot be written: Is a directory"},
    {"order 'host_*' -n 16000 --svg x.svg", "--svg wants one row"},
    {"sum array.json --html .", ". cannot be written: Is a directory"},
    {"explain array.json 1 2 --html .", ". cannot be written: Is a directory"},
    {"run --cell host_kahan@host/f32/ones/9/given/t1/o0/hw --dump .", ". cannot be written: Is a directory"},
    {"report array.json --html .", ". cannot be written: Is a directory"},
    {"compare array.json array.json --json .", ". cannot be written: Is a directory"},
    {"merge array.json -o .", ". cannot be written: Is a directory"},
    {"accept 'a@b' --reason x --known .", ". cannot be written: Is a directory"},
};

START_TEST(outputs_are_tried_before_the_work) {
    write_file("taken.txt", "of somebody else\n");
    ck_assert_msg(run(unwritable[_i].arguments) == 2, "%s", unwritable[_i].arguments);
    ck_assert_msg(file_holds("err.txt", unwritable[_i].says), "%s: no %s", unwritable[_i].arguments,
                  unwritable[_i].says);
    shell("test $(wc -l <err.txt) = 1 && test ! -s out.txt");                // no seed, no progress, no result
    shell("! ls -A | grep -E '[.][A-Za-z0-9]{6}$' | grep -v '[.]'reductio"); // no temporary file
}
END_TEST

// As a user who may not write there: root may, everywhere.
#define NOBODY "setpriv --reuid=65534 --regid=65534 --clear-groups env -C shut "

static bool can_be_nobody(void) {
    char command[1200];
    snprintf(command, sizeof command, "cd '%s' && mkdir -p shut && " NOBODY "'%s' --version >/dev/null 2>&1", directory,
             program);
    return getuid() != 0 || system(command) == 0;
}

START_TEST(folders_that_are_shut_are_told_before_the_work) {
    static const char *const options[] = {"--json x.json", "--save-baseline main", "--json old.json"};
    if (!can_be_nobody())
        SKIP_TEST("no other user can be had, or the build lies where only root comes to");
    shell("mkdir -p shut && chmod 777 shut && echo old >shut/old.json && chmod 555 shut");
    for (int i = 0; i < COUNT(options); i++) {
        char command[1200];
        snprintf(command, sizeof command, "%s '%s' check " LONG " %s >out.txt 2>err.txt; test $? = 2",
                 getuid() == 0 ? NOBODY : "env -C shut ", program, options[i]);
        shell(command);
        ck_assert_msg(file_holds("err.txt", "cannot be written: Permission denied."), "%s", options[i]);
        shell("test $(wc -l <err.txt) = 1 && test \"$(ls -A shut)\" = old.json && test \"$(cat shut/old.json)\" = old");
    }
    shell("chmod 755 shut && rm -r shut");
}
END_TEST

// A run that is refused later leaves what lay there, and makes nothing.
START_TEST(a_run_that_fails_changes_no_file) {
    write_file("kept.json", "kept\n");
    unlink_file("fresh.html");
    ck_assert_int_eq(run("run nobody --json kept.json --html fresh.html --save-baseline never"), 2);
    shell("test \"$(cat kept.json)\" = kept && test ! -e fresh.html && test ! -e .reductio/never.json");
    unlink_file("fresh.npy");
    ck_assert_int_eq(run("run --cell host_kahan@host/f32/ones/9/given/t1/o0/hw --dump fresh.npy --known array.json"),
                     2);
    ck_assert(!file_exists("fresh.npy"));
}
END_TEST

// What is for people stands where it is in nobody's way.
static const struct {
    const char *arguments, *text, *starts;
} streams[] = {
    {"check host_kahan --type f32 --case ones --json -", "breaks a claim", "{"},
    {"check host_kahan --type f32 --case ones --json c.json --csv -", "breaks a claim", "variant,"},
    {"check host_kahan --type f32 --case ones --json c.json --html /dev/stdout", "breaks a claim", "<!doctype html>"},
    {"check host_kahan --type f32 --case ones --json c.json --junit -", "breaks a claim", "<?xml"},
    {"check host_kahan --type f32 --case ones --json c.json --tap -", "breaks a claim", "TAP version 13"},
    {"check host_kahan --type f32 --case ones --json c.json --github --claims -", "breaks a claim", "{"},
    {"study host_kahan --type f32 -n 9 --runs 2 --vary run --json -", "host_kahan", "{"},
    {"bench host_kahan --type f32 --sizes 9 --samples 2 --json -", "host_kahan", "{"},
    {"hardware --backend simt --json -", "simt", "{"},
    {"sum nine.npy --variant host_kahan --json -", "exact sum", "{"},
    {"order host_sequential --type f32 -n 4 --json -", "x0+x1", "{"},
    {"order host_sequential --type f32 -n 4 --svg -", "x0+x1", "<svg"},
    {"explain nine.npy host_kahan 3 --html -", "What to do", "<!doctype html>"},
    {"report nine.json --json -", "", "{"},
    {"compare nine.json nine.json --json -", "SAME", "{"},
};

START_TEST(reports_on_standard_output_stand_alone) {
    char command[256];
    ck_assert_int_eq(run("run --cell host_kahan@host/f32/ones/9/given/t1/o0/hw --json nine.json --dump nine.npy"), 0);
    ck_assert_msg(run(streams[_i].arguments) == 0, "%s", streams[_i].arguments);
    snprintf(command, sizeof command, "head -c %zu out.txt | grep -qF '%s' && ! grep -qF '%s ' out.txt", // no words
             strlen(streams[_i].starts), streams[_i].starts, "variants breaks a claim");
    shell(command);
    ck_assert_msg(file_holds("err.txt", streams[_i].text), "%s", streams[_i].arguments);
    if (strcmp(streams[_i].starts, "{") == 0)
        ck_assert_msg(file_is_json("out.txt"), "%s", streams[_i].arguments);
}
END_TEST

// A link stays a link, and /dev/stdout is standard output.
START_TEST(links_lead_to_what_is_written) {
    char command[1200];
    shell("rm -rf deep && mkdir deep && echo old >deep/real.csv && ln -sf deep/real.csv link.csv");
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --quiet --json l.json --csv link.csv"), 0);
    shell("test -h link.csv && grep -q host_kahan deep/real.csv && test \"$(ls deep)\" = real.csv");
    snprintf(command, sizeof command, "'%s' report l.json --csv /dev/stdout >stdout.csv && test -h /dev/stdout",
             program);
    shell(command);
    ck_assert(file_holds("stdout.csv", "host_kahan@host/f32/ones/"));
}
END_TEST

// ---- inputs ----

static const struct {
    const char *arguments, *says;
} endless[] = {
    {"sum fifo --type f32", "fifo: it is a named pipe"},
    {"sum fifo.npy", "fifo.npy: it is a named pipe"},
    {"sum /dev/zero --type f32", "/dev/zero: it is a device"},
    {"sum . --type f32", ".: it is a folder"},
    {"explain fifo.npy 1 2", "fifo.npy: it is a named pipe"},
    {"corpus add fifo.npy --name n --reason r", "fifo.npy: it is a named pipe"},
    {"order host_kahan --type f32 --replay fifo.npy", "fifo.npy: it is a named pipe"},
    {"order host_kahan --type f32 --replay .", ".: it is a folder"},
    {"report fifo", "fifo: it is a named pipe"},
    {"report .", ".: it is a folder"},
    {"report /dev/zero", "/dev/zero: it is a device"},
    {"verdict fifo x", "fifo: it is a named pipe"},
    {"compare fifo fifo", "fifo: it is a named pipe"},
    {"merge fifo", "fifo: it is a named pipe"},
    {"accept 'a@b' --reason r --results fifo --known k.txt", "fifo: it is a named pipe"},
    {"check host_kahan --known fifo --case ones", "cannot read fifo: it is a named pipe"},
    {"check host_kahan --known . --case ones", "cannot read .: it is a folder"},
    {"study kahan --backend simt --vary schedule --gallery fifo", "fifo: it is a named pipe"},
    {"check fifo.cu", "fifo.cu: it is a named pipe"},
    {"check folder.cu", "folder.cu: it is a folder"},
    {"check \"$(printf 'a\\nb').cu\"", "the name of a .cu file holds a control character"},
};

START_TEST(inputs_that_never_end_are_refused) {
    char command[1200];
    shell("rm -f fifo fifo.npy fifo.cu && mkfifo fifo fifo.npy fifo.cu && mkdir -p folder.cu && "
          "touch \"$(printf 'a\\nb').cu\"");
    snprintf(command, sizeof command, "timeout 20 '%s' %s >out.txt 2>err.txt </dev/null; test $? = 2", program,
             endless[_i].arguments);
    shell(command);
    ck_assert_msg(file_holds("err.txt", endless[_i].says), "%s: no %s", endless[_i].arguments, endless[_i].says);
}
END_TEST

START_TEST(pipes_without_a_name_are_read) {
    static const char *const ways[] = {"sum - --type f32", "sum /dev/stdin --type f32"};
    for (int i = 0; i < COUNT(ways); i++) {
        char command[1200];
        snprintf(
            command, sizeof command,
            "printf '\\0\\0\\200\\077\\0\\0\\0\\100' | '%s' %s --variant host_kahan --quiet --json p.json >out.txt",
            program, ways[i]);
        shell(command);
        ck_assert(file_holds("out.txt", "exact sum   3\n"));
    }
    ck_assert_int_eq(run("check host_kahan --type f32 --case ones --known /dev/null --quiet"), 0);
}
END_TEST

// ---- cases ----

#define CUT "# source: nobody\n# shows: a file that was cut short\ntype: f32\nsum: 6\n1\n2\n"

START_TEST(a_case_that_was_cut_short_is_refused) {
    shell("rm -rf .reductio && mkdir -p .reductio/corpus");
    write_file(".reductio/corpus/cut.txt", CUT "3\n");
    ck_assert_int_eq(run("list cases --case corpus/cut"), 0);
    write_file(".reductio/corpus/cut.txt", CUT);
    ck_assert_int_eq(run("list cases --case corpus/cut"), 2);
    ck_assert(file_holds("err.txt", ".reductio/corpus/cut.txt:4: the 2 values of the file do not add up to 6 in f32"));
    ck_assert_int_eq(run("check host_kahan"), 2);
    shell("rm .reductio/corpus/cut.txt && mkfifo .reductio/corpus/cut.txt");
    ck_assert_int_eq(run("list cases"), 2);
    ck_assert(file_holds("err.txt", "cut.txt: cannot open it: it is a named pipe"));
    shell("rm -r .reductio");
}
END_TEST

// Of eight at once that add a case of one name one does, and its numbers are what it was given.
START_TEST(cases_of_one_name_are_added_once) {
    char command[1200];
    shell("rm -rf .reductio && printf '\\0\\0\\200\\077\\0\\0\\0\\100' >two.raw");
    snprintf(command, sizeof command,
             "for i in 1 2 3 4 5 6 7 8; do { '%s' corpus add two.raw --type f32 --name one --reason $i >o$i 2>e$i; "
             "echo $? >r$i; } & done; wait; cat r? | sort | uniq -c | tr -s ' \\n' ' ' >codes.txt",
             program);
    shell(command);
    ck_assert(file_holds("codes.txt", "1 0 7 2 "));
    shell("for i in 1 2 3 4 5 6 7 8; do test $(cat r$i) = 0 || grep -Eq 'already|exists' e$i; done");
    shell("test \"$(ls .reductio/corpus)\" = one.txt");
    ck_assert_int_eq(run("check host_kahan --type f32 --case corpus/one --quiet"), 0);
    shell("rm -r .reductio");
}
END_TEST

// Lines that are accepted at once are all there.
START_TEST(lines_are_accepted_side_by_side) {
    char command[1400];
    shell("rm -f k.txt");
    run("check drops_tail --backend simt --type f32 --case 'integers*' --quiet --json k.json");
    snprintf(
        command, sizeof command,
        "for i in 1 2 3 4 5 6 7 8; do '%s' accept \"drops_tail@simt/f32/*$(printf '%%*s' $i | tr ' ' '*')\" --reason "
        "$i --results k.json --known k.txt >/dev/null 2>e$i & done; wait; test $(grep -c drops_tail k.txt) -ge 8",
        program);
    shell(command);
}
END_TEST

// ---- orders and cells that cannot be ----

static const struct {
    const char *arguments;
    int code;
    const char *says;
} impossible[] = {
    {"order host_sequential --type bf16 -n 1000", 2, "bf16 counts no more than 256 terms"},
    {"order host_sequential -n 1000", 0, "bf16 counts no more than 256 terms"}, // the other types are told
    {"order host_kahan --type bf16", 2, "leaves no row to look into"},
    {"order host_sequential --type f32 --replay empty.raw", 2, "empty.raw: it holds no numbers"},
    {"order tree_modulo --backend simt --type f32 -n 8 --shape t33", 2, "n = 8, t33: cudaErrorInvalidConfiguration"},
    {"order tree_modulo --backend simt --type f32 -n 8 --shape t99999", 2, "--shape t99999"},
    {"check --cell tree_modulo@simt/f32/uniform/33/given/t99999/o0/inorder", 2, "blocks of 99999 threads"},
    {"check --cell tree_modulo@simt/f32/uniform/33/given/t33/o0/inorder", 0, "/t33/o0/inorder was not tested: The "},
    {"check --cell tree_modulo@simt/f32/coverage/33/given/t33/o0/inorder", 77, "/t33/o0/inorder was not tested: The "},
    // t1 halves nothing, and its host loop never ends
    {"check --limit 2 --cell tree_modulo@simt/f32/uniform/33/given/t1/o0/inorder", 0, "was not tested: The variant "},
    {"check --cell host_kahan@host/f32/ones/99999999999999999999/given/t1/o0/hw", 2, "is no cell"},
    {"study host_kahan --case corpus/none", 2, "no case matches \"corpus/none\""},
    {"bench host_kahan --case corpus/none", 2, "no case matches \"corpus/none\""},
    {"list cases --case corpus/none", 2, "no case matches \"corpus/none\""},
    {"check host_kahan --known empty.raw --case ones --quiet", 0, "None of"},
    {"check host_kahan --known zeros.raw --case ones --quiet", 2, "zeros.raw:2: the line holds a zero byte"},
    {"check host_kahan --known long.txt --case ones --quiet", 2, "long.txt:1: the line is longer than 2047 bytes"},
    {"check --cell exact_bins@simt/f32/uniform/33/given/t1024/o0/inorder", 0, "was not tested: The variant "},
};

START_TEST(what_cannot_be_breaks_no_claim) {
    write_file("empty.raw", "");
    shell("printf '# known\\n\\0\\n' >zeros.raw && printf '# %3000s\\n' x >long.txt");
    ck_assert_msg(run(impossible[_i].arguments) == impossible[_i].code, "%s", impossible[_i].arguments);
    ck_assert_msg(file_holds("out.txt", impossible[_i].says) || file_holds("err.txt", impossible[_i].says), "%s: no %s",
                  impossible[_i].arguments, impossible[_i].says);
    ck_assert(!file_holds("out.txt", "1 of 1 variants breaks a claim"));
}
END_TEST

// Some machines do hold 2^31 results, 32 GiB twice: these get less, where AddressSanitizer lets them.
START_TEST(results_that_do_not_fit_are_refused) {
    static const char *const ways[] = {"study host_kahan --type f32 --runs 2147483647",
                                       "run host_kahan --repeat 2147483647 --case uniform --json n.json",
                                       "bench host_kahan --samples 2147483647"};
    const char *limit = "ulimit -v 8388608 &&";
#if defined(__SANITIZE_ADDRESS__)
    if ((uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) > UINT64_C(1) << 36)
        SKIP_TEST("this machine holds 2^31 results, and AddressSanitizer takes no limit");
    limit = "";
#endif
    ck_assert_msg(run_in(limit, ways[_i]) == 2, "%s", ways[_i]);
    ck_assert(file_holds("err.txt", "the results of 2147483647 runs do not fit into the memory of this machine."));
}
END_TEST

// The cell that two are compared with is one.
START_TEST(cells_are_in_the_record_once) {
#define CELL(shape) " --cell tree_modulo@simt/f32/ones/9/given/" shape "/o0/inorder"
#define MAP         " --cell tree_modulo@simt/f32/coverage/9/given/t256/o0/inorder"
    ck_assert_int_eq(run("run --json once.json --quiet" CELL("t32") CELL("t64") CELL("t32") CELL("t256") MAP MAP), 0);
    shell("test $(grep -c '\"id\":\"tree_modulo@' once.json) = 4");
    shell("grep '\"id\":\"tree_modulo@' once.json | sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/' | sort -u | wc -l | grep "
          "-qx 4");
    ck_assert_int_eq(run("merge once.json -o merged.json"), 0);
}
END_TEST

// ---- sums that are not finite, and zeros ----

// Bytes of f32: 1, infinity, -infinity, NaN, -0.
#define ONE   "\\0\\0\\200\\077"
#define PLUS  "\\0\\0\\200\\177"
#define MINUS "\\0\\0\\200\\377"
#define NAN_  "\\0\\0\\300\\177"
#define ZERO  "\\0\\0\\0\\200"

static const struct {
    const char *bytes, *sum, *abs_sum;
} specials[] = {
    {ONE PLUS, "exact sum   inf\n", "sum of |x|  inf\n"},
    {ONE MINUS, "exact sum   -inf\n", "sum of |x|  inf\n"},
    {PLUS MINUS, "exact sum   nan\n", "sum of |x|  inf\n"},
    {ONE NAN_, "exact sum   nan\n", "sum of |x|  nan\n"},
    {NAN_ PLUS, "exact sum   nan\n", "sum of |x|  nan\n"},
    {ZERO ZERO, "exact sum   -0\n            -0x0p+0\n", "|x|  0\n"},
};

START_TEST(sums_go_by_ieee_754) {
    char command[128];
    snprintf(command, sizeof command, "printf '%s' >s.raw", specials[_i].bytes);
    shell(command);
    ck_assert_int_eq(run("sum s.raw --type f32 --variant host_kahan --quiet --json s.json"), 0);
    ck_assert(file_holds("out.txt", specials[_i].sum));
    ck_assert(file_holds("out.txt", specials[_i].abs_sum));
}
END_TEST

START_TEST(explain_knows_the_sign_of_zero) {
    shell("printf '" ZERO ZERO "' >z.raw && printf '\\0\\0\\200\\077\\0\\0\\200\\277' >c.raw");
    ck_assert_int_eq(run("explain z.raw 0 -0x0p0 --type f32 --backend host --html z.html"), 0);
    ck_assert(file_holds("z.html", "add up to -0 (-0x0p+0) exactly"));
    ck_assert(file_holds("z.html", "it is right but for its sign, since -0 + -0 is -0"));
    ck_assert(file_holds("z.html", "differ in the sign of zero alone, which no rounding explains"));
    ck_assert(
        file_holds("z.html", "B: the value -0x0p0 gives -0 (-0x0p+0), 0 ulps from the exact sum: it is correctly"));
    ck_assert_int_eq(run("explain c.raw 0 -0x0p0 --type f32 --backend host --html z.html"), 0); // 1 - 1 is +0
    ck_assert(file_holds("z.html", "A: the value 0 gives 0 (0x0p+0), 0 ulps from the exact sum: it is correctly"));
    ck_assert(file_holds("z.html", "since only a sum of -0 alone is -0"));
}
END_TEST

START_TEST(the_version_must_be_printed_whole) {
    char command[1200];
    snprintf(command, sizeof command, "'%s' --version >/dev/full 2>err.txt; test $? = 2", program);
    shell(command);
    ck_assert(file_holds("err.txt", "standard output cannot be written: No space left on device."));
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    Suite *suite = suite_create("cli files");
    TCase *tests = tcase_create("cli files");
    tcase_add_loop_test(tests, outputs_are_tried_before_the_work, 0, COUNT(unwritable));
    tcase_add_loop_test(tests, reports_on_standard_output_stand_alone, 0, sizeof streams / sizeof *streams);
    tcase_add_test(tests, folders_that_are_shut_are_told_before_the_work);
    tcase_add_test(tests, a_run_that_fails_changes_no_file);
    tcase_add_test(tests, links_lead_to_what_is_written);
    tcase_add_loop_test(tests, inputs_that_never_end_are_refused, 0, COUNT(endless));
    tcase_add_test(tests, pipes_without_a_name_are_read);
    tcase_add_test(tests, a_case_that_was_cut_short_is_refused);
    tcase_add_test(tests, cases_of_one_name_are_added_once);
    tcase_add_test(tests, lines_are_accepted_side_by_side);
    tcase_add_loop_test(tests, what_cannot_be_breaks_no_claim, 0, COUNT(impossible));
    tcase_add_loop_test(tests, results_that_do_not_fit_are_refused, 0, 3);
    tcase_add_test(tests, cells_are_in_the_record_once);
    tcase_add_loop_test(tests, sums_go_by_ieee_754, 0, COUNT(specials));
    tcase_add_test(tests, explain_knows_the_sign_of_zero);
    tcase_add_test(tests, the_version_must_be_printed_whole);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
