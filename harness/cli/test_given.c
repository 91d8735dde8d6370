// SPDX-License-Identifier: MIT
// order, explain and --dump from outside, and what `sum` refuses.
#include "harness/cli/test_program.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *arguments;
    int code;
    const char *says; // on stderr
} refusals[] = {
    {"order", 2, "order wants the rows"},
    {"order nobody_*", 2, "no variant matches"},
    {"order host_kahan -n 4194305", 2, "inferred for up to 4194304"},
    {"order host_kahan --shape wide", 2, "--shape wide"},
    {"order host_kahan --replay absent.npy", 2, "absent.npy"},
    {"order host_kahan --type f32 -n 8 --replay d.npy", 2, "--replay d.npy has 33 elements, and -n 8 asks for others"},
    {"order 'host_*' -n 4 --svg many.svg", 2, "one row with a fixed order"},
    {"sum", 2, "wants one array"},
    {"sum absent.npy", 2, "absent.npy: No such file"},
    {"sum broken.json", 2, "broken.json: it is no .npy file"},
    {"sum - ", 2, "standard input: it is no .npy file"},
    {"sum odd.raw --type f32", 2, "no whole number of f32"},
    {"sum odd.raw --type f17", 2, "one of f32, f64, f16 or bf16"},
    {"explain", 2, "explain wants an array"},
    {"explain d.npy host_kahan nonsense --backend host", 2, "\"nonsense\" is neither"},
    {"run host_kahan --case ones --dump e.npy", 2, "--dump wants one --cell"},
    {"corpus", 2, "corpus wants: corpus add"},
    {"corpus add d.npy --reason x", 2, "wants a name"},
    {"corpus add d.npy --name a/b --reason x", 2, "wants a name"},
    {"corpus add d.npy --name a", 2, "wants what the array shows"},
    {"corpus add d.npy --name a --reason '  '", 2, "wants what the array shows"},
    {"corpus add absent.npy --name a --reason x", 2, "absent.npy: No such file"},
    {"corpus add payload.raw --type f32 --name a --reason x", 2, "some NaN of them has a payload"},
    {"corpus add empty.raw --type f32 --name a --reason x", 2, "a case holds 1 to"},
};

static void dump_data(void) {
    ck_assert_int_eq(run("run --cell host_sequential@host/f32/uniform/33/given/t1/o0/hw --dump d.npy --json d.json"),
                     0);
}

START_TEST(test_refusals) {
    write_file("odd.raw", "12345");
    write_file("empty.raw", "");
    shell("printf '\\1\\0\\300\\177' >payload.raw"); // 0x7fc00001
    dump_data();
    ck_assert_msg(run(refusals[_i].arguments) == refusals[_i].code, "reductio %s", refusals[_i].arguments);
    ck_assert_msg(file_holds("err.txt", refusals[_i].says), "reductio %s does not say \"%s\"", refusals[_i].arguments,
                  refusals[_i].says);
}
END_TEST

START_TEST(test_order_shows_the_tree) {
    ck_assert_int_eq(run("order host_sequential --type f32 -n 4 --svg o.svg --json o.json --replay uniform"), 0);
    ck_assert(file_holds("out.txt", "(((x0+x1)+x2)+x3)"));
    ck_assert(file_holds("out.txt", "height 3 (claimed: 3)"));
    ck_assert(file_holds("out.txt", "the same bits"));
    ck_assert(file_holds("o.svg", "</svg>"));
    ck_assert(file_holds("o.json", "\"nodes\":[[0,1],[4,2],[5,3]]"));
    ck_assert(file_holds("o.json", "\"commit\":\""));
    ck_assert(file_holds("o.json", "\"host.compiler\":\"")); // of the backend that was looked into, and of no other
    ck_assert(!file_holds("o.json", "\"simt.compiler\":\""));
}
END_TEST

// Of a size there is one spelling everywhere: what bench, study and order read.
static const char *const eights[] = {"8", "2^3", "8e0", "0.8e1", "0x8", "08"};

START_TEST(test_sizes_are_spelt_alike) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "order host_sequential --type f32 -n %s", eights[_i]);
    ck_assert_int_eq(run(arguments), 0);
    ck_assert(file_holds("out.txt", "n = 8,"));
    snprintf(arguments, sizeof arguments, "study host_kahan --type f32 --vary order --sweep n=%s --csv s.csv",
             eights[_i]);
    ck_assert_int_eq(run(arguments), 0);
    snprintf(arguments, sizeof arguments, "bench host_kahan --type f32 --sizes %s --samples 2 --json s.json",
             eights[_i]);
    ck_assert_int_eq(run(arguments), 0);
    ck_assert(file_holds("s.json", "/8/given/"));
}
END_TEST

// x[0..31], then x32 alone: the halves of host_pairwise.
START_TEST(test_order_of_pairwise) {
    ck_assert_int_eq(run("order host_pairwise --type f64 -n 33"), 0);
    ck_assert(file_holds("out.txt", "+x30)+x31)+x32)"));
}
END_TEST

static const struct {
    const char *row, *says;
} kinds[] = {
    {"two_level --type f32 --shape t128", "a plain addition tree: additions in f32"},
    {"f64_accumulator --type f32", "an addition tree in a wider format: additions in f64"},
    {"kahan --type f32", "not a plain addition tree: compensated"},
    {"host_kahan --type f64", "not a plain addition tree: compensated"},
    {"neumaier --type f64", "not a plain addition tree: compensated"},
    {"double_word --type f32", "not a plain addition tree: compensated"},
    {"exact_bins --type f32", "not a plain addition tree: exact"},
    {"atomic_per_element --type f32", "the order is not fixed"},
};

// Too many terms to be asked about one by one: the rule of smaller sums, proven.
START_TEST(test_an_order_is_inferred) {
    ck_assert_int_eq(run("order host_pairwise --type f32 -n 20000 --json o.json --svg o.svg --replay uniform"), 0);
    // 31 additions in a run of 32 and ceil(log2(20000 / 32)) levels over the runs
    ck_assert(file_holds("out.txt", "height 41 (claimed: 41)"));
    ck_assert(file_holds("out.txt", "in words: runs of 32: (one by one from the first); their sums: ("));
    ck_assert(file_holds("out.txt", "inferred from sums of up to 4099 terms, and proven at n = 20000 by "));
    ck_assert(file_holds("out.txt", "the same bits"));
    ck_assert(file_holds("o.json", "\"inferred_from\":4099"));
    ck_assert(!file_holds("o.json", "\"nodes\""));
    ck_assert(file_holds("o.svg", "</svg>"));
    ck_assert_int_eq(run("order host_kahan --type f32 -n 4099"), 0); // no sum in f64, whose bits it has on most arrays
    ck_assert(file_holds("out.txt", "not a plain addition tree: compensated"));
    ck_assert_int_eq(run("order host_kahan --type f64 -n 20000"), 0);
    ck_assert(file_holds("out.txt", "not a plain addition tree: compensated"));
    ck_assert(file_holds("out.txt", "nothing was looked into at n = 20000"));
}
END_TEST

// 2048 threads that stride over 20000 elements, in 8 blocks that stride over 4099: the rule depends on n.
START_TEST(test_no_order_is_made_up) {
    ck_assert_int_eq(run("order grid_stride --backend simt --type f32 --shape t512 -n 20000"), 0);
    ck_assert(file_holds("out.txt", "not a plain addition tree"));
    ck_assert(
        file_holds("out.txt", "because no rule that is recognised in the trees of 611, 2053 and 4099 terms gives") ||
        file_holds("out.txt", "because no rule is recognised in the trees of 611, 2053 and 4099 terms"));
}
END_TEST

START_TEST(test_samples_show_their_trees) {
    ck_assert_int_eq(run("order atomic_per_element --backend simt --type f32 -n 4 --json o.json"), 0);
    ck_assert(file_holds("out.txt", "reversed     height 3"));
    ck_assert(file_holds("out.txt", "(((x0+x1)+x2)+x3)"));
    ck_assert(file_holds("out.txt", "(x0+(x1+(x2+x3)))"));
    ck_assert(file_holds("o.json", "\"samples\":[{"));
    ck_assert(file_holds("o.json", "\"nodes\":[[2,3],"));
}
END_TEST

START_TEST(test_orders_are_kept_in_the_record) {
    ck_assert_int_eq(run("check host_pairwise host_kahan --type f32 --case ones --orders 4,2^5 --json r.json"), 0);
    ck_assert(file_holds("r.json", "\"formula\":\"(((x0+x1)+x2)+x3)\""));
    ck_assert(file_holds("r.json", "\"kind\":\"compensated\""));
    ck_assert_int_eq(run("check host_pairwise --case ones"), 0);
    ck_assert_int_eq(run("check host_pairwise --orders 8,x"), 2);
    ck_assert(file_holds("err.txt", "--orders 8,x"));
}
END_TEST

START_TEST(test_kinds_are_told_apart) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "order %s -n 100 --skip-variant '*@cuda'", kinds[_i].row);
    ck_assert_int_eq(run(arguments), 0);
    ck_assert_msg(file_holds("out.txt", kinds[_i].says), "%s is not said to be %s", kinds[_i].row, kinds[_i].says);
}
END_TEST

START_TEST(test_a_dumped_cell_is_summed_again) {
    dump_data();
    ck_assert_int_eq(run("sum d.npy --variant 'host_*' --json s.json --html s.html"), 0);
    ck_assert(file_holds("out.txt", "33 numbers of f32"));
    ck_assert(file_holds("out.txt", "host_sequential@host"));
    ck_assert(file_holds("s.json", "file/d/33/given"));
    ck_assert(file_holds("s.html", "</html>"));
    shell("cat d.npy | tail -c 132 > d.raw");
    ck_assert_int_eq(run("sum d.raw --type f32 --variant 'host_*'"), 0);
    ck_assert(file_holds("out.txt", "33 numbers of f32"));
    ck_assert_int_eq(run("order host_pairwise --type f32 --replay d.npy"), 0);
    ck_assert(file_holds("out.txt", "n = 33"));
    ck_assert(file_holds("out.txt", "the same bits"));
    shell("head -c 200 d.npy > cut.npy");
    ck_assert_int_eq(run("sum cut.npy"), 2);
    ck_assert(file_holds("err.txt", "cut off: 72 of 132 bytes"));
}
END_TEST

START_TEST(test_explain_goes_through_its_sections) {
    dump_data();
    ck_assert_int_eq(run("explain d.npy host_sequential host_pairwise --html x.html --backend host"), 0);
    ck_assert(file_holds("out.txt", "The exact sum"));
    ck_assert(file_holds("out.txt", "Both add in the same order") ||
              file_holds("out.txt", "The first partial sum in which they part"));
    static const char *const sections[] = {"The exact sum",
                                           "How far each is off",
                                           "How hard the array is",
                                           "Can rounding in some order explain it?",
                                           "The two orders",
                                           "What rounding the inputs did",
                                           "What to do",
                                           "How this page was made"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        char heading[128];
        snprintf(heading, sizeof heading, "<h2>%s</h2>", sections[i]);
        ck_assert_msg(file_holds("x.html", heading) && file_holds("out.txt", sections[i]), "%s", sections[i]);
    }
    ck_assert(file_holds("x.html", "</html>"));
    ck_assert(file_holds("x.html", "<h1>Two sums of d.npy, which are the same</h1>\n<p><strong>Both gave the same."
                                   "</strong></p>\n<h2>The exact sum"));    // a pairwise sum of 33 goes one by one
    ck_assert(file_holds("x.html", "<p>B: host_pairwise@host/f32 gives ")); // a paragraph of its own
    ck_assert(file_holds("x.html",
                         "<p>reductio explain d.npy host_sequential host_pairwise --html x.html --backend host</p>"));
    ck_assert_int_eq(run("explain d.npy host_kahan host_kahan --backend host"), 0);
    ck_assert(file_holds("out.txt", "both gave the same bits"));
    ck_assert(file_holds("out.txt", "Two sums of d.npy, which are the same\n\n    Both gave the same.\n"));
    ck_assert(!file_holds("out.txt", "differ\n"));
    ck_assert(!file_holds("out.txt", "can explain the difference"));
    shell("printf '\\0\\0\\200\\77' >one.raw");
    ck_assert_int_eq(run("explain one.raw 1 0x1.000002p0 --type f32 --backend host"), 0);
    ck_assert(file_holds("out.txt", "1 step of f32 lies between them."));
    ck_assert_int_eq(run("explain one.raw 1 0x1.000004p0 --type f32 --backend host"), 0);
    ck_assert(file_holds("out.txt", "2 steps of f32 lie between them."));
    ck_assert_int_eq(run("sum one.raw --type f32 --variant host_kahan"), 0);
    ck_assert(file_holds("out.txt", "1 number of f32\n"));
    ck_assert_int_eq(run("explain d.npy host_sequential 0x1.1af902p+4 --html x.html --backend host"), 0);
    ck_assert(file_holds("x.html", "<h1>Why two sums of d.npy differ</h1>\n<p><strong>Rounding in two orders can "
                                   "explain it; neither is shown to be broken.</strong></p>\n<h2>The exact sum"));
    ck_assert_int_eq(run("explain d.npy host_sequential 0x1p100 --backend host"), 0);
    ck_assert(file_holds("out.txt", "A does, B does not"));
    ck_assert(file_holds("out.txt", "differ\n\n    B is wrong: no order of additions gives its result.\n"));
    // Above the middle of two numbers of f32 by less than f64 holds: rounded once.
    ck_assert_int_eq(run("explain d.npy host_sequential 0x1.00000100000004p+0 --backend host"), 0);
    ck_assert(file_holds("out.txt", "gives 1.00000012 (0x1.000002p+0)"));
}
END_TEST

// 1, NaN, infinity in f32.
START_TEST(test_explain_says_where_a_nan_comes_from) {
    shell("printf '\\0\\0\\200\\077\\0\\0\\300\\177\\0\\0\\200\\177' >n.raw");
    ck_assert_int_eq(run("explain n.raw host_sequential 3 --type f32 --html x.html --backend host"), 0);
    ck_assert(file_holds("x.html", "There are 2 of them; the first is x[1] = nan."));
    ck_assert(file_holds("out.txt", "A: host_sequential@host/f32 gives nan, as it must be."));
    ck_assert(file_holds("out.txt", "B: the value 3 gives 3, which is wrong."));
    ck_assert(file_holds("out.txt", "B is wrong: no order of additions gives its result."));
    ck_assert_int_eq(run("explain n.raw host_sequential nan --type f32 --backend host"), 0);
    ck_assert(file_holds("out.txt", "Two sums of n.raw, which are the same\n\n    Both gave the same.\n"));
    ck_assert(file_holds("x.html", "<h2>What to do</h2>"));
}
END_TEST

// 2^24, 1, 1 in f32: the loop's first sum is 2^24 + 1, which rounds to 2^24; a block of two threads and their
// neighbours starts with x[0] + x[2], which does too.
START_TEST(test_explain_shows_the_partial_sums) {
    shell("printf '\\0\\0\\200\\113\\0\\0\\200\\077\\0\\0\\200\\077' >t.raw");
    ck_assert_int_eq(
        run("explain t.raw host_sequential tree_sequential --backend host --backend simt --type f32 --html x.html"), 0);
    ck_assert(file_holds("out.txt", "add up to 16777218"));
    ck_assert(file_holds("x.html", "In words: one by one from the first."));
    ck_assert(file_holds("x.html",
                         "A adds x[0] and x[1], which gives 16777216 (0x1p+24). Where B first has all of these "
                         "together, it adds the sum of 2 terms from x[0] on and x[1], which gives 16777216 "
                         "(0x1p+24)."));
}
END_TEST

// 3e38, 3e38, -3e38 in f32: from the left the first addition overflows and nothing comes back from that; from the right
// it is 3e38, exactly. 2e38 is finite and 1/3 of 3e38 away, which no order rounds to.
static const struct {
    const char *sides, *says[3], *not_said;
} overflows[] = {
    {"big.raw host_sequential 3e38",
     {"in which no partial sum overflows", "A is no finite number", "B does, with 0 of that bound"},
     "is broken"},
    {"big.raw host_sequential 3e38", {"(inf)", "Scale the numbers"}, "Look for a fault"},
    {"big.raw 2e38 nan",
     {"A does not, and an order that overflows gives no", "B is no finite number", "Look for a fault in A:"},
     "between them"}, // no steps lead to NaN
    {"small.raw host_sequential inf", {"A does, B does not", "Look for a fault in B:"}, "overflows"},
    // infinity, -3e38, -3e38: from the right -infinity meets it, and the sum is NaN (IEEE 754-2019, 7.2, 7.4)
    {"inf.raw host_sequential nan", {"as it must be", "An order that overflows on its way explains it"}, "wrong"},
    {"inf.raw host_sequential -inf", {"B is wrong: no order of additions gives its result."}, "explains it"},
    {"one.raw host_sequential nan", {"B is wrong: no order of additions gives its result."}, "explains it"},
};

START_TEST(test_explain_knows_overflow) {
    char arguments[128];
    shell("printf '\\346\\261\\141\\177\\346\\261\\141\\177\\346\\261\\141\\377' >big.raw"); // 0x7f61b1e6
    shell("head -c 4 big.raw >small.raw && printf '\\0\\0\\200\\077' >>small.raw");          // 3e38, 1
    shell("(printf '\\0\\0\\200\\177'; tail -c 4 big.raw; tail -c 4 big.raw) >inf.raw && head -c 8 inf.raw >one.raw");
    snprintf(arguments, sizeof arguments, "explain %s --type f32 --html x.html --backend host", overflows[_i].sides);
    ck_assert_int_eq(run(arguments), 0);
    for (int i = 0; i < 3 && overflows[_i].says[i]; i++)
        ck_assert_msg(file_holds("x.html", overflows[_i].says[i]), "%s: nobody says \"%s\"", arguments,
                      overflows[_i].says[i]);
    ck_assert_msg(!file_holds("x.html", overflows[_i].not_said), "%s: \"%s\"", arguments, overflows[_i].not_said);
}
END_TEST

// 4096 ones: by theory one accumulator of 11 bits stops at 2^11. The parts of a pairwise sum stay short.
START_TEST(test_explain_says_where_a_sum_stalls) {
    shell("for i in $(seq 4096); do printf '\\0\\074'; done >ones.raw");
    ck_assert_int_eq(run("explain ones.raw host_sequential host_pairwise --type f16 --html x.html --backend host"), 0);
    ck_assert(file_holds("x.html", "A: host_sequential@host/f16 gives 2048 (0x1p+11), -512 ulps from the exact sum. It "
                                   "stalls at 2048: adding 1 no longer changes it, nor does any of x[2048..4095], as "
                                   "in one f16 accumulator.</p>"));
    ck_assert(file_holds("x.html", "4096 (0x1p+12), 0 ulps from the exact sum: it is correctly rounded.</p>"));
    ck_assert(file_holds("x.html", "since a sum in f16 counts no more than 2048 terms."));
    ck_assert(file_holds("x.html", "Accumulate in a wider format"));
    ck_assert_int_eq(run("explain ones.raw 4096 2000 --type f16 --backend host"), 0);
    ck_assert(!file_holds("out.txt", "stalls"));
    ck_assert_int_eq(run("run --cell host_sequential@host/bf16/corpus/stall_bf16/10000/given/t1/o0/hw --json s.json"),
                     0);
    ck_assert(file_holds("s.json", "It stalls at 256: adding 0.9961 no longer changes it"));
    ck_assert_int_eq(run("run --cell host_pairwise@host/bf16/corpus/stall_bf16/10000/given/t1/o0/hw --json s.json"), 0);
    ck_assert(!file_holds("s.json", "stalls at"));
}
END_TEST

// Bytes of f16 are no bytes of a double: 1, infinity, 1.
START_TEST(test_explain_reads_16_bits) {
    shell("printf '\\0\\074\\0\\174\\0\\074' >n.raw");
    ck_assert_int_eq(run("explain n.raw host_sequential 3 --type f16 --html x.html --backend host"), 0);
    ck_assert(file_holds("x.html", "There is 1 of them; the first is x[1] = inf."));
    shell(": >none.raw");
    ck_assert_int_eq(run("explain none.raw host_sequential host_pairwise --type f16 --backend host"), 0);
    ck_assert(file_holds("out.txt", "Where nothing is added there is none."));
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    Suite *suite = suite_create("given");
    TCase *tests = tcase_create("given");
    tcase_add_loop_test(tests, test_refusals, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tests, test_order_shows_the_tree);
    tcase_add_loop_test(tests, test_sizes_are_spelt_alike, 0, sizeof eights / sizeof *eights);
    tcase_add_test(tests, test_order_of_pairwise);
    tcase_add_loop_test(tests, test_kinds_are_told_apart, 0, sizeof kinds / sizeof *kinds);
    tcase_add_test(tests, test_an_order_is_inferred);
    tcase_add_test(tests, test_no_order_is_made_up);
    tcase_add_test(tests, test_samples_show_their_trees);
    tcase_add_test(tests, test_orders_are_kept_in_the_record);
    tcase_add_test(tests, test_a_dumped_cell_is_summed_again);
    tcase_add_test(tests, test_explain_goes_through_its_sections);
    tcase_add_test(tests, test_explain_says_where_a_nan_comes_from);
    tcase_add_test(tests, test_explain_shows_the_partial_sums);
    tcase_add_test(tests, test_explain_says_where_a_sum_stalls);
    tcase_add_test(tests, test_explain_reads_16_bits);
    tcase_add_loop_test(tests, test_explain_knows_overflow, 0, sizeof overflows / sizeof *overflows);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
