// SPDX-License-Identifier: MIT
// The gate's commands from outside: compare, baselines, accept, merge, and what a GitHub job is told.
#include "harness/cli/test_program.h"

#include <stdio.h>
#include <stdlib.h>

// What a study of one changed kernel looks like: host_pairwise in the place of host_sequential. The cells that changed
// are known without `compare`: those whose bits differ in the two tables.
START_TEST(test_compare_finds_exactly_the_cells_that_changed) {
    const char *cases = "--type f32 --case uniform --case integers --case cond1e8 --case ones";
    char arguments[256];
    snprintf(arguments, sizeof arguments, "run host_sequential %s --json old.json --csv old.csv", cases);
    ck_assert_int_eq(run(arguments), 0);
    snprintf(arguments, sizeof arguments, "run host_pairwise %s --json new.json --csv new.csv", cases);
    ck_assert_int_eq(run(arguments), 0);
    shell("sed -i s/host_pairwise/host_sequential/g new.json new.csv");
    run("compare old.json new.json --json c.json --html c.html --markdown c.md");
    shell("awk -F, 'NR == FNR {bits[$11] = $16; next} ($11 in bits) && bits[$11] != $16 {print $11}' old.csv new.csv "
          "| sort >wanted.txt");
    shell("grep '\"bits_changed\":true' c.json | sed 's/.*\"id\":\"\\([^\"]*\\)\".*/\\1/' | sort >found.txt");
    shell("test -s wanted.txt && diff wanted.txt found.txt");
    // what sums exactly in any order, and a single addition, cannot have changed
    shell("! grep -E '/(integers|ones)/|/(0|1|2)/' found.txt");
    ck_assert(file_holds("c.html", "</html>"));
    ck_assert(file_holds("c.md", "## Reductio: "));
}
END_TEST

// 64 terms one by one; and halved, in two runs of 32 that are then added. On ones no bit tells them apart.
START_TEST(test_compare_tells_another_order_of_additions) {
    ck_assert_int_eq(run("run host_sequential --type f32 --case ones --orders 64 --json one.json"), 0);
    ck_assert_int_eq(run("run host_pairwise --type f32 --case ones --orders 64 --json two.json"), 0);
    shell("sed -i s/host_pairwise/host_sequential/g two.json");
    ck_assert_int_eq(run("compare one.json two.json --html o.html"), 0);
    ck_assert(file_holds("out.txt", "order of additions changed: host_sequential@host/f32, n = 64, t1: tree -> tree, "
                                    "height 63 -> 32, hash 0x"));
    ck_assert(file_holds("out.txt", "0 WORSE, 0 GONE, 0 AMBIGUOUS, 0 BETTER, 0 NEW"));
    ck_assert(file_holds("o.html", "<h2>Orders of additions that changed</h2>"));
    ck_assert_int_eq(run("compare one.json one.json"), 0);
    ck_assert(!file_holds("out.txt", "order of additions"));
}
END_TEST

START_TEST(test_compare_has_exit_codes_of_its_own) {
    ck_assert_int_eq(run("run host_pairwise --type f32 --case uniform --json p.json"), 0);
    ck_assert_int_eq(run("run host_pairwise --type f32 --case 'uniform' --case ones --json q.json"), 0);
    ck_assert_int_eq(run("run host_pairwise --type f32 --case uniform --seed 7 --json r.json"), 0);
    ck_assert_int_eq(run("compare p.json p.json"), 0);
    ck_assert_int_eq(run("compare p.json q.json"), 0); // new cells
    ck_assert_int_eq(run("compare q.json p.json"), 3); // cells that are gone
    ck_assert(file_holds("out.txt", "GONE"));
    ck_assert_int_eq(run("compare p.json r.json"), 2);
    ck_assert(file_holds("err.txt", "seeds"));
    ck_assert_int_eq(run("compare p.json p.json --html no/such/place.html"), 2);
}
END_TEST

START_TEST(test_a_baseline_is_held_against) {
    ck_assert_int_eq(run("check host_pairwise --type f32 --case uniform --case ones --save-baseline main"), 0);
    ck_assert(file_holds("out.txt", ".reductio/main.json"));
    ck_assert_int_eq(run("check host_pairwise --type f32 --case uniform --case ones --baseline main --json b.json"), 0);
    ck_assert(file_holds("b.json", "; 0 changed bits since the baseline."));
    // cells that this run was told to leave out are not gone
    ck_assert_int_eq(run("check host_pairwise --type f32 --case ones --baseline main"), 0);
    ck_assert_int_eq(run("check host_pairwise --type f32 --case ones --seed 3 --baseline main"), 2);
    ck_assert(file_holds("err.txt", "seed"));
    ck_assert_int_eq(run("check host_pairwise --type f32 --case ones --tier full --baseline main"), 2);
    ck_assert(file_holds("err.txt", "--tier smoke"));
    // the baseline of a kernel that has been changed since
    ck_assert_int_eq(run("check host_kahan --type f32 --case uniform --save-baseline old"), 0);
    shell("sed -i s/host_kahan/host_sequential/g .reductio/old.json");
    ck_assert_int_eq(run("check host_sequential --type f32 --case uniform --baseline old --json b.json"), 3);
    ck_assert(file_holds("b.json", "; 1 changed bits since the baseline."));
    ck_assert(file_holds("b.json", "\"refusal\": \"Cells that are worse than in the baseline old: "));
    ck_assert(file_holds("out.txt", "WORSE"));
    shell("sed -i 's|uniform/33|uniform/34|g' .reductio/main.json");
    ck_assert_int_eq(run("check host_pairwise --type f32 --case uniform --case ones --baseline main"), 3);
    ck_assert(file_holds("out.txt", "GONE"));
}
END_TEST

START_TEST(test_accept_adds_each_line_once) {
    const char *check = "check drops_tail --backend simt --type f32 --case 'integers*' --known k.txt --json k.json";
    const char *accept = "accept 'drops_tail@simt/f32/*' --reason 'planted' --results k.json --known k.txt";
    write_file("k.txt", "# ours"); // a last line without an end
    ck_assert_int_eq(run(check), 1);
    ck_assert_int_eq(run("accept 'nobody@*' --reason x --results k.json --known k.txt"), 2);
    ck_assert(file_holds("err.txt", "no cell of k.json that matches"));
    ck_assert_int_eq(run("accept 'drops_tail@*' --finding hung --reason x --results k.json --known k.txt"), 2);
    shell("test \"$(cat k.txt)\" = '# ours'");
    ck_assert_int_eq(run(accept), 0);
    ck_assert(file_holds("k.txt", "# ours\ndrops_tail@simt/f32/* | "));
    ck_assert(file_holds("k.txt", " | - | planted\n"));
    shell("cp k.txt once.txt");
    ck_assert_int_eq(run(accept), 0);
    ck_assert(file_holds("out.txt", "already"));
    shell("cmp k.txt once.txt");
    ck_assert_int_eq(run(check), 0);
    ck_assert(file_holds("k.json", "\"status\":\"known\""));
}
END_TEST

START_TEST(test_merged_shards_are_the_whole_run) {
    ck_assert_int_eq(run("check 'host_*' --type f32 --json whole.json"), 0);
    for (int i = 0; i < 3; i++) {
        char environment[64], arguments[96];
        snprintf(environment, sizeof environment, "GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=%d", i);
        snprintf(arguments, sizeof arguments, "check 'host_*' --type f32 --json s%d.json", i + 1);
        ck_assert_int_eq(run_in(environment, arguments), 0);
    }
    ck_assert_int_eq(run("merge s1.json s2.json s3.json -o m.json --save-baseline merged"), 0);
    ck_assert_int_eq(run("compare whole.json m.json"), 0);
    ck_assert(file_holds("out.txt", "0 WORSE, 0 GONE, 0 AMBIGUOUS, 0 BETTER, 0 NEW"));
    shell("for f in whole m; do sed -n 's/^\"verdict\"/&/p' $f.json >$f.verdict; "
          "sed 's/\"worst_cell\":\"[^\"]*\"//g' $f.json | grep '\"claims\"' >$f.claims; done; "
          "cmp whole.verdict m.verdict && test -s m.claims && cmp whole.claims m.claims");
    ck_assert_int_eq(run("check 'host_*' --type f32 --baseline merged"), 0);
}
END_TEST

START_TEST(test_merge_refuses_what_does_not_belong_together) {
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --shard 1/3 --json m1.json"), 0);
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --shard 2/3 --json m2.json"), 0);
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --shard 2/2 --json half.json"), 0);
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --seed 5 --json seed.json"), 0);
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --json one.json"), 0);
    shell("sed 's/\"commit\":\"[^\"]*\"/\"commit\":\"another\"/' one.json >commit.json; "
          "sed 's/^\"tier\": \"smoke\"/\"tier\": \"full\"/' one.json >tier.json");
    static const struct {
        const char *files, *says;
    } refused[] = {{"m1.json m2.json", "shards are missing: 3/3"},
                   {"m1.json m1.json m2.json", "are both shard 1/3"},
                   {"m1.json half.json", "one shard of 3"},
                   {"m1.json one.json", "one.json is a run in one piece"},
                   {"one.json seed.json", "one.json and seed.json differ in their seed"},
                   {"one.json commit.json", "differ in their commit"},
                   {"one.json tier.json", "differ in their tier"},
                   {"one.json one.json", "the cell host_kahan@host/f32/ones/"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "merge %s --json n.json", refused[i].files);
        ck_assert_msg(run(arguments) == 2, "%s", arguments);
        ck_assert_msg(file_holds("err.txt", refused[i].says), "%s does not say \"%s\"", arguments, refused[i].says);
        ck_assert(!file_exists("n.json"));
    }
}
END_TEST

START_TEST(test_merge_has_the_opinion_of_the_gate) {
    for (int i = 1; i <= 2; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments,
                 "check drops_tail --backend simt --type f32 --case 'integers*' --shard %d/2 --json g%d.json", i, i);
        int code = run(arguments);
        ck_assert(code == 0 || code == 1);
    }
    ck_assert_int_eq(run("merge g1.json g2.json -o g.json --tap g.tap"), 1);
    ck_assert(file_holds("g.tap", "not ok"));
}
END_TEST

START_TEST(test_shards_of_the_environment_are_checked) {
    ck_assert_int_eq(run_in("GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=2", "run host_kahan"), 2);
    ck_assert(file_holds("err.txt", "GTEST_SHARD_INDEX 2"));
    ck_assert_int_eq(run_in("GTEST_TOTAL_SHARDS=x GTEST_SHARD_INDEX=0", "run host_kahan"), 2);
}
END_TEST

START_TEST(test_a_github_job_is_told_without_being_asked) {
    const char *job = "GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=summary.md";
    unlink_file("summary.md");
    ck_assert_int_eq(run_in(job, "check host_pairwise --type f32 --case ones"), 0);
    ck_assert(file_holds("out.txt", "::notice title=Reductio::None of 1 variants"));
    ck_assert(file_holds("summary.md", "## Reductio: None of 1 variants"));
    ck_assert_int_eq(run_in(job, "run host_pairwise --type f32 --case ones --json p.json"), 0);
    ck_assert(!file_holds("out.txt", "::notice"));
    ck_assert_int_eq(run_in(job, "compare p.json p.json"), 0);
    ck_assert(file_holds("summary.md", "## Reductio: no regression"));
    ck_assert_int_eq(run("check drops_tail --backend simt --type f32 --case 'integers*' --github"), 1);
    ck_assert(file_holds("out.txt", "::error title=drops_tail@simt/f32%3A accuracy::"));
    // of work that was not begun: the file of the summary is made, its folder is not
    unlink_file("begun.csv");
    ck_assert_int_eq(run_in("GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=none/summary.md",
                            "check host_pairwise --type f32 --case ones --csv begun.csv"),
                     2);
    ck_assert(file_holds("err.txt", "none/summary.md") && !file_exists("begun.csv"));
}
END_TEST

START_TEST(test_a_sweep_is_a_line_a_step) {
    ck_assert_int_eq(run("study host_kahan --type f32 --case integers --sweep n=100,1e3 --vary order --csv n.csv"), 0);
    // whole numbers that sum exactly: no order gives an error or another pattern
    shell("test $(wc -l <n.csv) = 3 && grep -q '^host_kahan,host,f32,integers,100,.*,1,0,0,0,0,0,0' n.csv && "
          "grep -q '^host_kahan,host,f32,integers,1000,.*,1,0,0,0,0,0,0' n.csv");
    ck_assert_int_eq(run("study host_kahan --type f32 -n 1025 --sweep cond=1e2,1e8 --vary order --csv c.csv"), 0);
    // a study has a control beside it: whole numbers, on which no order may give another sum
    shell("test $(wc -l <c.csv) = 4 && grep -q ',cond1e8,1025,' c.csv && grep -q ',integers,1025,.*,1,0,0,0,0,0,0' "
          "c.csv");
    ck_assert_int_eq(run("study host_kahan --sweep n=1.5"), 2);
    ck_assert_int_eq(run("study host_kahan --sweep cond=3"), 2);
    ck_assert_int_eq(run("study host_kahan --sweep m=3"), 2);
    ck_assert(file_holds("err.txt", "a sweep is n="));
}
END_TEST

// Every result of four sums of f32 with the line that brings it back; and that line does.
START_TEST(test_schedules_show_what_they_reach) {
    ck_assert_int_eq(run("study atomic_per_element --backend simt --type f32 --case uniform -n 513 --runs 5 --vary "
                         "schedule --json s.json"),
                     0);
    ck_assert(file_holds("out.txt", "f32/uniform/513/given: 13 schedules reached "));
    ck_assert(file_holds("out.txt", "of what the any-order bound leaves room for"));
    ck_assert(file_holds("out.txt", "/o0/descending'"));
    ck_assert(file_holds("out.txt", "f32/integers/513/given: 13 schedules reached one result"));
    shell("hex=$(sed -n 's/.*ulps  \\(-*0x[^ ]*\\) .*descending.*/\\1/p' out.txt | head -1) && test -n \"$hex\" && "
          "cell=$(sed -n \"s/.*--cell '\\(.*uniform.*descending\\)'.*/\\1/p\" out.txt | head -1) && "
          "grep -q \"\\\"id\\\":\\\"$cell\\\".*\\\"got_hex\\\":\\\"$hex\\\"\" s.json");
}
END_TEST

// The bound of a sequential sum is attained: {2^24, 1, 1, ...} loses every 1 in f32.
START_TEST(test_a_search_finds_a_case) {
    shell("rm -f .reductio/corpus/found_here.txt"); // of an earlier run of this test
    ck_assert_int_eq(run("study host_sequential --type f32 --search -n 6 --steps 3 --quiet --name found_here"), 0);
    ck_assert(file_holds("out.txt", "worst err/bound 1, bound \"height\""));
    ck_assert_int_eq(run("run host_sequential --type f32 --case corpus/found_here --csv f.csv"), 0);
    ck_assert_int_eq(run("study host_sequential --type f32 --search -n 6 --steps 3 --name found_here"), 2);
    ck_assert(file_holds("err.txt", "already"));
    shell("rm .reductio/corpus/found_here.txt");
}
END_TEST

// Without coverage maps a lost tail is an error beyond its bound; ones are never flushed; ThreadSanitizer takes no
// part.
START_TEST(test_a_selftest_tells_what_came_of_each_fault) {
    ck_assert_int_eq(run("selftest drops_tail flushes_subnormals last_block_no_fence --backend simt --type f32 --case "
                         "uniform --quiet"),
                     1);
    ck_assert(file_holds("out.txt", "\n0 of 2 planted faults caught, 1 found otherwise, 1 survived; 1 not tried.\n"));
    ck_assert(file_holds("out.txt", "FOUND OTHERWISE drops_tail@simt/f32: should be found as \"lost elements\" by "
                                    "\"coverage map\"\n          found instead: beyond bound by bound in "));
    ck_assert(file_holds(
        "out.txt",
        "SURVIVED  flushes_subnormals@simt/f32: should be found as \"flushed\" by "
        "\"bound\"\nnot tried last_block_no_fence@simt/f32: no backend took part on which tsan must find it\n"));
    ck_assert_int_eq(run("selftest drops_tail --backend simt --type f32 --case uniform --quiet"), 1);
    ck_assert_int_eq(run("selftest flushes_subnormals --backend simt --type f32 --case ones --quiet"), 1);
    ck_assert_int_eq(run("selftest last_block_no_fence --backend simt --type f32 --quiet --html open.html"), 77);
    ck_assert(file_holds("open.html", "<b class=known>Open</b>: no planted fault could be tried."));
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    Suite *suite = suite_create("gate");
    TCase *tests = tcase_create("gate");
    tcase_add_test(tests, test_compare_finds_exactly_the_cells_that_changed);
    tcase_add_test(tests, test_compare_tells_another_order_of_additions);
    tcase_add_test(tests, test_compare_has_exit_codes_of_its_own);
    tcase_add_test(tests, test_a_baseline_is_held_against);
    tcase_add_test(tests, test_accept_adds_each_line_once);
    tcase_add_test(tests, test_merged_shards_are_the_whole_run);
    tcase_add_test(tests, test_merge_refuses_what_does_not_belong_together);
    tcase_add_test(tests, test_merge_has_the_opinion_of_the_gate);
    tcase_add_test(tests, test_shards_of_the_environment_are_checked);
    tcase_add_test(tests, test_a_github_job_is_told_without_being_asked);
    tcase_add_test(tests, test_a_sweep_is_a_line_a_step);
    tcase_add_test(tests, test_schedules_show_what_they_reach);
    tcase_add_test(tests, test_a_search_finds_a_case);
    tcase_add_test(tests, test_a_selftest_tells_what_came_of_each_fault);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
