// SPDX-License-Identifier: MIT
// What `sum` says of each row, from outside.
#include "harness/cli/test_program.h"

#include <stdlib.h>

// 3e38, 3e38, -3e38 in f32: from the left the first addition overflows and nothing comes back from that; from the right
// it is 3e38, exactly.
static void write_overflowing(void) {
    shell("printf '\\346\\261\\141\\177\\346\\261\\141\\177\\346\\261\\141\\377' >big.raw"); // 0x7f61b1e6
}

// The loop passes 6e38, which no f32 is, and what claims nothing else is named nevertheless.
START_TEST(test_sum_names_early_overflow) {
    write_overflowing();
    ck_assert_int_eq(run("sum big.raw --type f32 --variant 'host_*' --variant exact_bins@simt --json s.json"), 0);
    ck_assert(file_holds("out.txt", "inf  overflowed early, as its claims allow\n"));
    ck_assert(!file_holds("out.txt", "bound says nothing"));
    ck_assert(
        file_holds("out.txt", "Rows that overflowed early although the exact sum is finite: 3. A partial sum left"));
    ck_assert(file_holds("out.txt", "(f32 ends at 3.40282347e+38)"));
    ck_assert(file_holds("s.json", "A partial sum overflowed, as its claims allow."));
    ck_assert_int_eq(run("sum big.raw --type f32 --variant exact_bins@simt"), 0);
    ck_assert(!file_holds("out.txt", "overflowed"));
    // truly beyond: infinity is the right sum
    shell("head -c 8 big.raw >beyond.raw");
    ck_assert_int_eq(run("sum beyond.raw --type f32 --variant 'host_*'"), 0);
    ck_assert(!file_holds("out.txt", "overflowed early"));
}
END_TEST

// -3e38, -3e38 and infinity: from the left -infinity meets the other one, and the sum is NaN (IEEE 754-2019, 7.2, 7.4).
START_TEST(test_sum_blames_no_overflow_to_the_other_infinity) {
    write_overflowing();
    shell("(tail -c 4 big.raw; tail -c 4 big.raw; printf '\\0\\0\\200\\177') >opposed.raw");
    ck_assert_int_eq(run("sum opposed.raw --type f32 --variant host_sequential --json s.json"), 0);
    ck_assert(file_holds("out.txt", "  bound says nothing\n    A partial sum overflowed to the other infinity, as its "
                                    "claims allow.\n"));
    ck_assert(file_holds("s.json", "\"None of 1 variants breaks a claim.\""));
    shell("(tail -c 4 opposed.raw; head -c 4 opposed.raw) >one.raw"); // infinity, -3e38: nothing overflows
    ck_assert_int_eq(run("sum one.raw --type f32 --variant infinity_turned_nan@simt"), 0);
    ck_assert(file_holds("out.txt", "  wrong class\n"));
}
END_TEST

// Of three rows whose bits differ from call to call one never claimed otherwise, one does so under other schedules, and
// one between two calls alike, which is the worst that its first cell shows. 48 numbers: a block of 16 each has one of
// 3e38, 3e38 and -3e38, so that the order of the blocks decides whether a partial sum overflows.
START_TEST(test_sum_tells_broken_claims_from_others) {
    write_overflowing();
    shell("for b in 1 2 3; do head -c $((4 * b)) big.raw | tail -c 4; head -c 60 /dev/zero; done >blocks.raw");
    ck_assert_int_eq(run("sum blocks.raw --type f32 --variant atomic_per_element@simt"), 0);
    ck_assert(file_holds("out.txt", " overflowed early, as its claims allow; differs from call to call, as its claims "
                                    "allow\n"));
    ck_assert_int_eq(run("sum blocks.raw --type f32 --variant claims_fixed_order_but_atomic@simt"), 0);
    ck_assert(file_holds("out.txt", " overflowed early, as its claims allow; differs from call to call\n"));
    ck_assert_int_eq(run("sum big.raw --type f32 --variant autotunes_between_calls@simt --json s.json"), 0);
    ck_assert(file_holds("out.txt", " varied; overflowed early, as its claims allow; differs from call to call\n"));
    ck_assert(file_holds("out.txt", "2 distinct results in 2 runs, although it claims one."));
    ck_assert(file_holds("s.json", "\"observed\":\"1 of 5 attacked cells gave other bits\""));
    ck_assert(file_holds("s.json", "\"differing\":1,"));
    shell("printf '\\0\\0\\200\\113\\0\\0\\200\\077\\0\\0\\200\\077' >t.raw"); // 2^24, 1, 1
    ck_assert_int_eq(run("sum t.raw --type f32 --variant atomic_per_element@simt"), 0);
    ck_assert(file_holds("out.txt", "; differs from call to call, as its claims allow\n"));
    ck_assert(!file_holds("out.txt", "overflowed"));
    ck_assert_int_eq(run("sum t.raw --type f32 --variant tree_sequential@simt"), 0);
    ck_assert(!file_holds("out.txt", "differs"));
}
END_TEST

// Nobody waits for an emulator over a large array by chance; who names its rows has them, as in explain.
START_TEST(test_sum_and_explain_run_the_same_rows) {
    shell("head -c 4194320 /dev/zero >zeros.raw"); // 2^20 + 4 of f32, one more than the tiers give an emulator
    ck_assert_int_eq(run("sum zeros.raw --type f32 --skip-variant '*@cuda' --quiet"), 0);
    ck_assert(file_holds("out.txt", "host_kahan@host"));
    ck_assert(!file_holds("out.txt", "grid_stride@simt"));
    ck_assert(file_holds("out.txt", "Rows of simt left out, since more than 1048579 numbers take long there: "));
    ck_assert(file_holds("out.txt", "--backend simt runs them"));
    ck_assert_int_eq(run("sum zeros.raw --type f32 --variant grid_stride@simt --quiet"), 0);
    ck_assert(file_holds("out.txt", "grid_stride@simt"));
    ck_assert(!file_holds("out.txt", "left out"));
    shell("head -c 16 /dev/zero >few.raw");
    ck_assert_int_eq(run("sum few.raw --type f32 --variant host_kahan --variant 'host_*@host/f64'"), 0);
    ck_assert(file_holds("out.txt", "No row of \"host_*@host/f64\" takes numbers of f32."));
    ck_assert_int_eq(run("sum few.raw --type f32 --variant 'host_*@host/f64'"), 2);
    ck_assert(file_holds("err.txt", "no row that is selected takes 4 numbers of f32"));
    // a planted fault by its name, in any of its forms
    ck_assert_int_eq(run("sum few.raw --type f32 --variant drops_tail@simt/f32"), 0);
    ck_assert(file_holds("out.txt", "drops_tail@simt"));
    ck_assert_int_eq(run("explain few.raw drops_tail@simt host_kahan --type f32"), 0);
    ck_assert_int_eq(run("explain few.raw 'drops_t*' host_kahan --type f32"), 2);
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    Suite *suite = suite_create("sum");
    TCase *tests = tcase_create("sum");
    tcase_add_test(tests, test_sum_names_early_overflow);
    tcase_add_test(tests, test_sum_blames_no_overflow_to_the_other_infinity);
    tcase_add_test(tests, test_sum_tells_broken_claims_from_others);
    tcase_add_test(tests, test_sum_and_explain_run_the_same_rows);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
