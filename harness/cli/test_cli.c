// SPDX-License-Identifier: MIT
// The command line from outside: exit codes, sentences on stderr, and files that are whole or absent.
#include "harness/cli/test_program.h"

#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *arguments;
    int code;
    const char *says; // on stderr
} refusals[] = {
    {"", 2, "reductio"},
    {"sing", 2, "no command \"sing\""},
    {"list", 2, "variants, cases, backends"},
    {"list everything", 2, "variants, cases, backends"},
    {"run --variant nobody_*", 2, "no variant matches \"nobody_*\""},
    {"run --case nothing --backend host", 2, "no case matches \"nothing\""},
    {"run --type f17 --backend host", 2, "no variant has the type \"f17\""},
    {"run --backend abacus", 2, "no backend \"abacus\""},
    {"run --nonsense", 2, "nonsense"},
    {"run --tier enormous", 2, "\"smoke\" or \"full\""},
    {"run --seed x", 2, "whole number"},
    {"run --seed -1", 2, "whole number"},
    {"run --shard 3/2", 2, "I/N"},
    {"run --jobs 0", 2, "whole number"},
    {"run --cell nonsense", 2, "is no cell"},
    {"run --cell host_sequential@host/f32/uniform/1099511627776/given/t1/o0/hw --json n.json", 2, "memory"},
    {"run --variant host_sequential --json no/such/place.json", 2, "place.json"},
    {"list", 2, "list wants one of: variants, cases, backends"},
    {"list variants host_kahan", 2, "list variants takes no \"host_kahan\": what to list is chosen with options"},
    {"report", 2, "one results file"},
    {"report absent.json", 2, "absent.json"},
    {"report broken.json", 2, "broken.json"},
    {"report array.json", 2, "array.json"},
    {"verdict absent.json x", 2, "absent.json"},
    {"study", 2, "rows to study"},
    {"study kahan --vary mood", 2, "mood"},
    {"study host_kahan --device 4321", 1, "--device 4321: backend cuda is absent"},
    {"study host_kahan --device x", 2, "whole number"},
    {"run --cell host_kahan@host/f32/uniform/33/given/t1/o0/busy50 --json n.json", 2, "follows no schedule"},
    {"hardware kahan", 2, "takes no rows"},
    {"hardware --backend host", 2, "no machine to ask"},
    {"study kahan --backend simt --gallery g.json", 2, "--vary schedule"},
    {"study kahan --backend simt --vary schedule --gallery absent.json", 2, "absent.json"},
    {"study kahan --steps 3", 2, "study --search"},
    {"study kahan --search --sweep n=3", 2, "study --search takes no --sweep, which is for study."},
    {"study kahan --backend simt --search -n 5000", 2, "up to 4096"},
    {"study 'host_*' --search --name found", 2, "one row of one type"},
    {"study host_kahan --type f32 --search --name 'a b'", 2, "a name of"},
    {"bench nobody_*", 2, "no variant matches \"nobody_*\""},
    {"bench host_kahan --sizes 2^x", 2, "--sizes 2^x"},
    {"bench host_kahan --sizes 2^10,0", 2, "--sizes 2^10,0"},
    {"bench host_kahan --sizes 2^64", 2, "--sizes 2^64"},
    {"bench host_kahan --samples 0", 2, "whole number"},
    {"bench host_kahan --sizes 2^40", 2, "nothing to time"},
    {"compare", 2, "two results files"},
    {"compare absent.json absent.json", 2, "absent.json"},
    {"compare broken.json array.json", 2, "broken.json"},
    {"compare absent.json absent.json --junit n.xml", 2, "compare takes no --junit"},
    {"merge", 2, "results files of the shards"},
    {"merge absent.json", 2, "absent.json"},
    {"accept", 2, "one cell or a glob"},
    {"accept 'kahan@*'", 2, "wants a reason"},
    {"accept 'kahan@*' --reason ' '", 2, "wants a reason"},
    {"accept 'a|b' --reason x", 2, "no glob"},
    {"accept '#b' --reason x", 2, "no glob"},
    {"accept 'kahan@*' --reason x --finding faithful", 2, "no bad finding"},
    {"accept 'kahan@*' --reason x --results absent.json", 2, "absent.json"},
    {"check host_kahan --baseline nowhere", 2, "nowhere.json"},
    {"check host_kahan --baseline ../broken", 2, "baseline's name"},
    {"check host_kahan --save-baseline a/b", 2, "baseline's name"},
    {"check host_kahan --shard 1/2 --save-baseline main", 2, "merge"},
    {"run host_kahan --baseline main", 2, "run takes no --baseline, which is for check, merge."},
};

START_TEST(test_refusals) {
    ck_assert_msg(run(refusals[_i].arguments) == refusals[_i].code, "reductio %s", refusals[_i].arguments);
    ck_assert_msg(file_holds("err.txt", refusals[_i].says), "reductio %s does not say \"%s\"", refusals[_i].arguments,
                  refusals[_i].says);
    ck_assert(!file_exists("n.json"));
}
END_TEST

START_TEST(test_run_writes_what_it_is_asked_for) {
    ck_assert_int_eq(run("run --variant host_kahan --case uniform --json a.json --html a.html --junit a.xml "
                         "--markdown a.md --csv a.csv --tap a.tap"),
                     0);
    ck_assert(file_holds("a.json", "\"verdict\""));
    ck_assert(file_holds("a.html", "</html>"));
    ck_assert(file_holds("a.xml", "</testsuites>"));
    ck_assert(file_holds("a.md", "kahan"));
    ck_assert(file_holds("a.csv", "host_kahan"));
    ck_assert(file_holds("a.tap", "TAP version 13"));
    ck_assert(file_holds("out.txt", "breaks a claim"));
    ck_assert(file_holds("err.txt", "seed 20240611"));
    ck_assert_int_eq(run("report a.json --html b.html"), 0);
    ck_assert_int_eq(run("report a.json -o c.html"), 0);
    ck_assert(file_holds("c.html", "</html>"));
    ck_assert_int_eq(run("report a.json"), 0);
    ck_assert_int_eq(run("verdict a.json host_kahan"), 0);
    ck_assert_int_eq(run("verdict a.json nobody"), 77);
}
END_TEST

// Not "one device", nor "no GPU": nobody asked.
START_TEST(test_study_names_what_was_not_asked_for) {
    ck_assert_int_eq(run("study host_pairwise --type f32 -n 100 --runs 2 --vary run,placement --json v.json --quiet"),
                     0);
    ck_assert(file_holds("out.txt", "not tested: it was not asked for"));
    ck_assert(!file_holds("out.txt", "no GPU took part"));
    ck_assert(file_holds("v.json", "\"why\":\"it was not asked for\""));
}
END_TEST

START_TEST(test_bench_times_what_it_is_asked_for) {
    ck_assert_int_eq(run("bench host_kahan --type f32 --sizes 2^10,1000 --samples 3 --quiet --json t.json --csv t.csv"),
                     0);
    ck_assert(file_holds("out.txt", "f32, n = 1000, uniform, on host (time of the CPU"));
    ck_assert(file_holds("out.txt", "f32, n = 2^10, uniform, on host (time of the CPU"));
    ck_assert(file_holds("out.txt", "The fastest at each n"));
    ck_assert(file_holds("t.csv", "host_kahan@host/f32/uniform/1024/given/t1/o0/hw"));
    ck_assert(file_holds("t.json", "\"command\": \"bench\"") || file_holds("t.json", "\"command\":\"bench\""));
    ck_assert_int_eq(run("report t.json --html t.html"), 0);
    ck_assert(file_holds("t.html", "f32: time against n on host, uniform"));
}
END_TEST

START_TEST(test_bench_does_not_time_wrong_sums) {
    ck_assert_int_eq(run("bench drops_tail --backend simt --type f32 --sizes 1000 --samples 2 --quiet --json t.json"),
                     1);
    ck_assert(file_holds("out.txt", "Not timed, because the result is wrong or missing"));
    ck_assert(!file_holds("out.txt", "n = 1000"));
}
END_TEST

// What a study, a bench or a question to the machine printed is printed again from its file.
START_TEST(test_report_prints_what_its_command_printed) {
    static const char *const commands[] = {
        "study host_kahan --type f32 -n 100 --runs 2 --vary run --quiet --json r.json",
        "bench host_kahan --type f32 --sizes 1000 --samples 2 --quiet --json r.json",
        "hardware --backend simt --json r.json",
        "run host_kahan --type f32 --case ones --quiet --json r.json",
    };
    ck_assert_int_eq(run(commands[_i]), 0);
    shell("grep -v '^seed ' out.txt >before.txt; test -s before.txt");
    ck_assert_int_eq(run("report r.json"), 0);
    shell("cmp out.txt before.txt");
}
END_TEST

// The claims alone say nothing of times, of repeats or of what became of a planted fault.
START_TEST(test_report_of_claims_tells_of_claims) {
    ck_assert_int_eq(run("study host_kahan --type f32 -n 100 --runs 2 --vary run --quiet --claims k.json"), 0);
    ck_assert_int_eq(run("report k.json"), 0);
    ck_assert(!file_holds("out.txt", "not tested\n"));
    ck_assert(file_holds("out.txt", "host_kahan@host f32  held "));
    ck_assert_int_eq(run("bench host_kahan --type f32 --sizes 1000 --samples 2 --quiet --claims k.json"), 0);
    ck_assert_int_eq(run("report k.json"), 0);
    ck_assert(file_holds("out.txt", "host_kahan@host f32 "));
    ck_assert_int_eq(run("selftest drops_tail --backend simt --type f32 --quiet --claims k.json"), 0);
    ck_assert_int_eq(run("report k.json"), 0);
    ck_assert(file_holds("out.txt", "1 of 1 planted faults caught."));
    ck_assert(!file_holds("out.txt", "not checked"));
}
END_TEST

START_TEST(test_check_fails_on_a_broken_claim) {
    ck_assert_int_eq(run("check --variant host_pairwise --case uniform"), 0);
    ck_assert_int_eq(run("check drops_tail --backend simt --type f32 --case 'integers*' --json f.json"), 1);
    ck_assert(file_holds("out.txt", "drops_tail"));
    ck_assert(file_holds("out.txt", "run --cell 'drops_tail@simt/f32/"));
    ck_assert_int_eq(run("run drops_tail --backend simt --type f32 --case 'integers*' --json f.json --claims c.json"),
                     0);
    ck_assert_int_eq(run("verdict f.json drops_tail"), 1);
    shell("mv out.txt whole.txt");
    ck_assert_int_eq(run("verdict c.json drops_tail"), 1); // what has no cells says the same
    shell("cmp whole.txt out.txt && grep -q 'broken: ' out.txt && ! grep -q '\"has_result\"' c.json");
    ck_assert_int_eq(run("verdict c.json nobody"), 77);
}
END_TEST

START_TEST(test_an_absent_backend_asked_for_by_name_fails) {
    int listed = run("list backends");
    ck_assert_int_eq(listed, 0);
    if (file_holds("out.txt", "cuda: absent"))
        ck_assert_int_eq(run("run --backend cuda --case uniform"), 1);
}
END_TEST

START_TEST(test_an_empty_shard_is_fine) {
    ck_assert_int_eq(run("run --variant host_kahan --type f32 --case ones --shard 999/999 --json s.json"), 0);
    ck_assert(file_holds("s.json", "\"cells\""));
}
END_TEST

START_TEST(test_the_same_seed_gives_the_same_bits) {
    const char *cell = "tree_sequential@simt/f32/uniform/1025/given/t128/o3/seed5";
    char arguments[256];
    snprintf(arguments, sizeof arguments, "run --cell %s --csv c1.csv --json c1.json", cell);
    ck_assert_int_eq(run(arguments), 0);
    ck_assert(file_holds("c1.csv", cell));
}
END_TEST

// A report may be sent on: where on whose machine a file lay is nobody's business.
START_TEST(test_reports_hold_no_folders) {
    char arguments[1200];
    snprintf(arguments, sizeof arguments,
             "run host_kahan --type f32 --case ones --json '%s/p.json' --html=%s/p.html --junit=/dev/null", directory,
             directory);
    ck_assert_int_eq(run(arguments), 0);
    ck_assert(file_holds("p.json", "\"--json\",\"p.json\",\"--html=p.html\",\"--junit=.../null\"]"));
    ck_assert(file_holds("p.json", "\"argv\": [\".../reductio\",\"run\","));
    ck_assert(!file_holds("p.json", directory));
    ck_assert(!file_holds("p.html", directory));
}
END_TEST

// A worker's files must not take the numbers of streams that are closed.
START_TEST(test_closed_streams) {
    pid_t child = fork();
    if (child == 0) {
        for (int fd = 0; fd <= 2; fd++)
            close(fd);
        execl(program, program, "check", "host_kahan", "tree_sequential", "--backend", "host", "--backend", "simt",
              "--type", "f32", "--case", "ones", (char *)NULL);
        _exit(99);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

// An interrupted run exits with 130 and leaves a whole file of what was done.
START_TEST(test_interrupt_leaves_valid_files) {
    pid_t child = fork();
    if (child == 0) {
        if (chdir(directory) != 0 || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(99);
        execl(program, program, "run", "--tier", "full", "--backend", "simt", "--json", "i.json", "--html", "i.html",
              (char *)NULL);
        _exit(99);
    }
    sleep(3);
    kill(child, SIGINT);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 130);
    ck_assert(file_holds("i.html", "</html>"));
    ck_assert_int_eq(run("report i.json"), 0);
    ck_assert(file_holds("out.txt", "interrupted"));
}
END_TEST

// What is for people may be closed to them; a report that is asked for on standard output may not be lost.
static const char *const lost_reports[] = {
    "'%s' run --variant host_kahan --case ones --json -",
    "'%s' run --variant host_kahan --case ones --json /dev/stdout",
    "'%s' run --variant host_kahan --case ones --csv lost.csv --json link",
    "'%s' report closed.json --html -",
    "'%s' report closed.json --html /proc/self/fd/1",
    "'%s' order host_kahan --type f32 --svg -",
    "'%s' order host_kahan --type f32 --svg /dev/fd/1",
    "GITHUB_STEP_SUMMARY=/dev/stdout GITHUB_ACTIONS=true '%s' check host_kahan --case ones --csv lost.csv"};

START_TEST(test_a_closed_stream_takes_no_report) {
    char command[512], text[1024];
    shell("ln -sf /dev/stdout link; rm -f lost.csv");
    snprintf(text, sizeof text,
             "'%s' run --variant host_kahan --case ones --json closed.json --csv /dev/null >&- "
             "2>err.txt",
             program);
    shell(text);
    ck_assert(file_is_json("closed.json"));
    snprintf(command, sizeof command, lost_reports[_i], program);
    snprintf(text, sizeof text, "%s >&- 2>err.txt; test $? = 2 && test $(wc -l <err.txt) = 1", command);
    shell(text);
    ck_assert_msg(file_holds("err.txt", "standard output cannot be written: Bad file descriptor."), "%s",
                  lost_reports[_i]);
    ck_assert(!file_exists("lost.csv")); // of work that was not begun
}
END_TEST

// /dev/full takes nothing.
START_TEST(test_what_cannot_be_printed_is_no_success) {
    static const char *const commands[] = {"list variants --backend host",
                                           "list backends --backend host",
                                           "--help",
                                           "sum two.npy --variant 'host_*'",
                                           "order host_sequential -n 4 --type f32",
                                           "run --variant host_kahan --case ones --json full.json",
                                           "run --variant host_kahan --case ones --json -"};
    char text[1024];
    shell("printf '\\223NUMPY\\1\\0\\166\\0%-117s\\n1234abcd' \"{'descr': '<f4', 'fortran_order': False, 'shape': "
          "(2,), }\" "
          ">two.npy");
    snprintf(text, sizeof text, "'%s' %s >/dev/full 2>err.txt; test $? = 2", program, commands[_i]);
    shell(text);
    ck_assert_msg(file_holds("err.txt", "standard output cannot be written: No space left on device."), "%s",
                  commands[_i]);
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    Suite *suite = suite_create("cli");
    TCase *tests = tcase_create("exit codes");
    tcase_add_loop_test(tests, test_refusals, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tests, test_run_writes_what_it_is_asked_for);
    tcase_add_test(tests, test_study_names_what_was_not_asked_for);
    tcase_add_test(tests, test_bench_times_what_it_is_asked_for);
    tcase_add_test(tests, test_bench_does_not_time_wrong_sums);
    tcase_add_loop_test(tests, test_report_prints_what_its_command_printed, 0, 4);
    tcase_add_test(tests, test_report_of_claims_tells_of_claims);
    tcase_add_test(tests, test_check_fails_on_a_broken_claim);
    tcase_add_test(tests, test_an_absent_backend_asked_for_by_name_fails);
    tcase_add_test(tests, test_an_empty_shard_is_fine);
    tcase_add_test(tests, test_the_same_seed_gives_the_same_bits);
    tcase_add_test(tests, test_reports_hold_no_folders);
    tcase_add_test(tests, test_interrupt_leaves_valid_files);
    tcase_add_test(tests, test_closed_streams);
    tcase_add_loop_test(tests, test_a_closed_stream_takes_no_report, 0, sizeof lost_reports / sizeof *lost_reports);
    tcase_add_loop_test(tests, test_what_cannot_be_printed_is_no_success, 0, 7);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
