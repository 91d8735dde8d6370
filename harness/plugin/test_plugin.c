// SPDX-License-Identifier: MIT
// Plug-ins through the program: right ones beside each other, and every way to go wrong.
#include "harness/cli/test_program.h"
#include "harness/test_skip.h"

#include <stdio.h>
#include <stdlib.h>

#define PLUGIN(name) "--plugin " PLUGINS "/" name ".so"
#define FEW_CELLS    " --type f32 --case ones --quiet --json r.json"

// What cannot be loaded is one sentence, a row that fails as what it is, and no hindrance to another plug-in.
static const struct {
    const char *name, *says, *finding;
} lost[] = {
    {"crashes_in_constructor", "The plug-in crashes_in_constructor.so was killed by SIGSEGV", "crashed"},
    {"crashes_when_asked", "The plug-in crashes_when_asked.so was killed by SIGSEGV", "crashed"},
    {"exits_in_constructor", "The plug-in exits_in_constructor.so ended the process that loaded it", "crashed"},
    {"loops_in_constructor", "The plug-in loops_in_constructor.so did not answer within 1 s", "hung"},
    {"no_symbol", "no_symbol.so has no function reductio_plugin;", "did not run"},
    {"misses_library", "misses_library.so cannot be loaded: undefined symbol: no_such_function", "did not run"},
    {"gives_null", "gives_null.so gives NULL from reductio_plugin()", "did not run"},
    {"other_version", "other_version.so is of version 2 of the interface; this program speaks version 1",
     "did not run"},
    {"other_plugin_size", "was compiled with a struct reductio_plugin of", "did not run"},
    {"other_row_size", "was compiled with a struct reductio_plugin_row of", "did not run"},
    {"other_claims_size", "was compiled with a struct reductio_claims of", "did not run"},
    {"bad_plugin_name", "bad_plugin_name.so has no name of letters", "did not run"},
    {"no_rows", "no_rows.so holds 0 rows", "did not run"},
    {"bad_row_name", "has a row number 0 without a name of letters", "did not run"},
    {"bad_type", "gives its row \"loop\" the type \"f17\"", "did not run"},
    {"no_launch", "gives its row \"loop\" no function to launch", "did not run"},
    {"bad_memory", "gives its row \"loop\" the unknown memory 7", "did not run"},
    {"two_rows_alike", "has two rows \"loop\" of type f32", "did not run"},
};

static void check_beside_sums(const char *name) {
    char arguments[2048];
    snprintf(arguments, sizeof arguments, "cp %s/%s.so %s/sums.so .", PLUGINS, name, PLUGINS);
    shell(arguments);
    snprintf(arguments, sizeof arguments, "check --plugin ./%s.so --plugin ./sums.so --limit 1" FEW_CELLS, name);
    ck_assert_msg(run(arguments) == 1, "%s is not found broken", name);
    ck_assert(file_holds("r.json", "\"name\":\"sums.halving\""));
}

START_TEST(test_lost_plugins_are_told) {
    char finding[128], row[128];
    check_beside_sums(lost[_i].name);
    ck_assert_msg(file_holds("err.txt", lost[_i].says), "%s: nobody says \"%s\"", lost[_i].name, lost[_i].says);
    snprintf(row, sizeof row, "\"id\":\"%s.plugin@host/f32/ones/1/given/t1/o0/hw\"", lost[_i].name);
    snprintf(finding, sizeof finding, "\"head\":\"%s\"", lost[_i].finding);
    ck_assert_msg(file_holds("r.json", row), "%s has no row", lost[_i].name);
    ck_assert_msg(file_holds("r.json", finding), "%s is not said to have %s", lost[_i].name, lost[_i].finding);
    ck_assert(!file_holds("r.json", directory)); // paths belong to the machine
}
END_TEST

// What goes wrong in a launch is that cell's.
static const struct {
    const char *name, *finding, *says;
} broken[] = {
    {"crashes_in_launch", "crashed", "SIGSEGV"},
    {"crashes_in_height", "crashed", "SIGSEGV"},
    {"claims_too_high", "did not run", "claims a tree of height 48 for n = 48; no tree of n terms is higher than 47."},
    {"claims_too_many_terms", "did not run",
     "claims that one accumulator adds 49 terms for n = 48, more than there are."},
    {"loops_in_launch", "hung", "No answer within the limit of 1 s"},
    {"returns_error", "did not run", "Its launch returned the error 42"},
    {"writes_past_output", "out of bounds", "It wrote outside its arrays, "},
    {"writes_nothing", "did not run", "reported success but wrote no result"},
};

START_TEST(test_broken_rows_are_told) {
    char finding[128];
    check_beside_sums(broken[_i].name);
    snprintf(finding, sizeof finding, "\"head\":\"%s\"", broken[_i].finding);
    ck_assert_msg(file_holds("r.json", finding), "%s is not said to have %s", broken[_i].name, broken[_i].finding);
    ck_assert_msg(file_holds("r.json", broken[_i].says), "%s: nobody says \"%s\"", broken[_i].name, broken[_i].says);
}
END_TEST

START_TEST(test_what_is_printed_while_loading_does_no_harm) {
    ck_assert_int_eq(run("check " PLUGIN("prints_while_loaded") FEW_CELLS), 0);
    ck_assert(file_holds("r.json", "\"name\":\"fault.loop\""));
}
END_TEST

START_TEST(test_right_plugins_hold_their_claims) {
    ck_assert_int_eq(run("check " PLUGIN("mine") " --quiet --json r.json"), 0); // README.md's, which claims nothing
    ck_assert(file_holds("out.txt", "mine.loop@host"));
    ck_assert_int_eq(run("check " PLUGIN("sums") " " PLUGIN("kahan") " --quiet --json r.json"), 0);
    ck_assert(file_holds("out.txt", "None of 3 variants breaks a claim"));
    ck_assert(file_holds("r.json", "\"host.plug-in\":\"sums.so, ")); // both binaries, under their one key
    ck_assert(file_holds("r.json", "; kahan.so, "));
    ck_assert(!file_holds("r.json", PLUGINS));      // paths belong to the machine
    ck_assert(!file_holds("r.json", "host_kahan")); // brought rows are what is meant
}
END_TEST

// The same text, compiled with -ffast-math: the compensation is gone.
START_TEST(test_fast_math_is_caught) {
    ck_assert_int_eq(run("check " PLUGIN("kahan") " " PLUGIN("fast") " --quiet --json r.json"), 1);
    ck_assert(file_holds("out.txt", "1 of 2 variants breaks a claim"));
    ck_assert_int_eq(run("check --quiet --json r.json " PLUGIN("fast") " --case tenth"), 1);
    ck_assert(file_holds("r.json", "\"head\":\"beyond bound\""));
}
END_TEST

START_TEST(test_names_pick_rows) {
    ck_assert_int_eq(run("list variants " PLUGIN("sums")), 0);
    ck_assert(file_holds("out.txt", "sums.wide@host/f32"));
    ck_assert_int_eq(run("check 'sums.w*' host_kahan " PLUGIN("sums") FEW_CELLS), 0);
    ck_assert(file_holds("r.json", "\"name\":\"sums.wide\""));
    ck_assert(file_holds("r.json", "\"name\":\"host_kahan\""));
    ck_assert(!file_holds("r.json", "\"name\":\"sums.halving\""));
    ck_assert_int_eq(run("run --cell sums.halving@host/f32/uniform/33/given/t1/o0/hw " PLUGIN("sums")), 0);
    ck_assert_int_eq(run("check 'mine.*' " PLUGIN("sums") FEW_CELLS), 2);
    ck_assert_int_eq(run("check 'no_rows.some_row' " PLUGIN("no_rows") FEW_CELLS), 1);
}
END_TEST

START_TEST(test_clashes_are_refused_by_name) {
    ck_assert_int_eq(run("check " PLUGIN("sums") " " PLUGIN("sums") FEW_CELLS), 2);
    ck_assert(file_holds("err.txt", "sums.so and sums.so both call their rows sums.*"));
    ck_assert_int_eq(run("check " PLUGIN("returns_error") " " PLUGIN("writes_nothing") FEW_CELLS), 2);
    ck_assert(file_holds("err.txt", "returns_error.so and writes_nothing.so both call their rows fault.*"));
}
END_TEST

START_TEST(test_files_that_are_no_plugins) {
    write_file("text.so", "not a library\n");
    ck_assert_int_eq(run("check --plugin ./text.so" FEW_CELLS), 1);
    ck_assert(file_holds("err.txt", "The plug-in text.so cannot be loaded: "));
    ck_assert_int_eq(run("check --plugin ./absent.so" FEW_CELLS), 2);
    ck_assert(file_holds("err.txt", "--plugin ./absent.so: No such file or directory."));
    ck_assert_int_eq(run("check --plugin ." FEW_CELLS), 2);
    ck_assert(file_holds("err.txt", "--plugin .: it is no file."));
}
END_TEST

// Where a GPU is, the row of this plug-in is run and crashes there, since its launch is a loop on the CPU.
START_TEST(test_device_memory_needs_a_device) {
    if (run("run host_kahan --backend cuda" FEW_CELLS) != 1)
        SKIP_TEST("there is a GPU");
    ck_assert_int_eq(run("check " PLUGIN("wants_device") FEW_CELLS), 77);
    ck_assert(file_holds("err.txt", "fault.loop@cuda/f32 was not run: it wants device memory, and the backend cuda is "
                                    "absent: "));
    ck_assert_int_eq(run("check " PLUGIN("wants_device") " " PLUGIN("sums") FEW_CELLS), 0);
    ck_assert(file_holds("r.json", "it wants device memory"));
    ck_assert_int_eq(run("order 'fault.*' " PLUGIN("wants_device")), 0);
    ck_assert(file_holds("out.txt", "not run: it wants device memory"));
}
END_TEST

START_TEST(test_other_commands_take_plugins) {
    ck_assert_int_eq(run("run --cell host_kahan@host/f32/uniform/33/given/t1/o0/hw --dump d.npy --json r.json"), 0);
    ck_assert_int_eq(run("sum d.npy --variant 'sums.*' " PLUGIN("sums")), 0);
    ck_assert(file_holds("out.txt", "sums.halving@host"));
    ck_assert_int_eq(run("explain d.npy sums.halving sums.wide " PLUGIN("sums")), 0);
    ck_assert(file_holds("out.txt", "Its additions are in f64"));
    ck_assert_int_eq(run("study -n 100 --runs 3 --case uniform " PLUGIN("sums")), 0);
    ck_assert(file_holds("out.txt", "sums.wide"));
    ck_assert_int_eq(run("order -n 4 " PLUGIN("sums")), 0);
    ck_assert(file_holds("out.txt", "((x0+x1)+(x2+x3))"));
    ck_assert(file_holds("out.txt", "an addition tree in a wider format"));
}
END_TEST

// Trees that are what they are by construction: terms added five at a time, and an accumulator wider than f64.
START_TEST(test_orders_of_known_sums) {
    ck_assert_int_eq(run("order known.fives -n 11 " PLUGIN("known") " --json o.json --svg o.svg"), 0);
    ck_assert(file_holds("out.txt", "a tree with nodes of many terms"));
    ck_assert(file_holds("out.txt", "    (((x0+x1+x2+x3)+x4+x5+x6+x7)+x8+x9+x10)"));
    ck_assert(file_holds("o.json", "\"nodes\":[[0,1,2,3],[11,4,5,6,7],[12,8,9,10]]"));
    ck_assert(file_holds("o.svg", "</svg>"));
    ck_assert_int_eq(run("order known.extended -n 9 " PLUGIN("known")), 0);
    ck_assert(file_holds("out.txt", "height 8"));
    // Where long double is no wider than f64 it is a plain tree.
    ck_assert(file_holds("out.txt", "additions in long double") || file_holds("out.txt", "additions in f64"));
}
END_TEST

// One row in two builds: on whole numbers the bits are the same, and the order is another.
START_TEST(test_a_changed_order_is_told) {
    ck_assert_int_eq(run("run known.loop --case integers --orders 4 --json before.json " PLUGIN("known")), 0);
    ck_assert_int_eq(run("run known.loop --case integers --orders 4 --json after.json " PLUGIN("turned")), 0);
    ck_assert_int_eq(run("compare before.json after.json"), 0);
    ck_assert(file_holds("out.txt", "(((x0+x1)+x2)+x3)"));
    ck_assert(file_holds("out.txt", "(x0+(x1+(x2+x3)))"));
}
END_TEST

// The data of a cell that fails becomes a case, and the case finds the fault again, bit for bit.
START_TEST(test_a_failing_cell_becomes_a_case) {
    shell("rm -rf .reductio");
    ck_assert_int_eq(run("run --cell fast.kahan@host/f32/decay_down/257/given/t1/o0/hw --dump d.npy " PLUGIN(
                         "fast") " "
                                 "--json before.json"),
                     0);
    ck_assert(file_holds("before.json", "\"head\":\"beyond bound\""));
    ck_assert_int_eq(run("corpus add d.npy --name lost_digits --reason 'Kahan without its correction is off'"), 0);
    ck_assert(file_holds("out.txt", "257 numbers of f32, from now on the case corpus/lost_digits"));
    ck_assert(file_holds(".reductio/corpus/lost_digits.txt", "# shows: Kahan without its correction is off"));
    ck_assert_int_eq(run("check --case corpus/lost_digits --json after.json " PLUGIN("fast") " " PLUGIN("kahan")), 1);
    ck_assert(file_holds("out.txt", "1 of 2 variants breaks a claim"));
    ck_assert(file_holds("after.json", "fast.kahan@host/f32/corpus/lost_digits/257/given/t1/o0/hw"));
    ck_assert(file_holds("after.json", "\"head\":\"beyond bound\""));
    shell("test \"$(grep -o '\"bits\":\"[^\"]*' before.json | head -1)\" = "
          "\"$(grep -o '\"bits\":\"[^\"]*' after.json | head -1)\"");
    ck_assert_int_eq(run("corpus add d.npy --name lost_digits --reason again"), 2);
    ck_assert(file_holds("err.txt", "there is a case corpus/lost_digits already"));
    ck_assert_int_eq(run("corpus add d.npy --name ramp_9999_down --reason again"), 2);
    ck_assert(file_holds("err.txt", "there is a case corpus/ramp_9999_down already"));
    ck_assert_int_eq(run("corpus add d.npy --name x --reason again -o nowhere"), 2);
    ck_assert(file_holds("err.txt", "nowhere is no folder"));
    shell("rm -rf .reductio");
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    // A worker under AddressSanitizer leaves the signals of what it loads to the system, as one without does.
    setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0", 1);
    Suite *suite = suite_create("plugin");
    TCase *tests = tcase_create("plugin");
    tcase_add_loop_test(tests, test_lost_plugins_are_told, 0, sizeof lost / sizeof *lost);
    tcase_add_loop_test(tests, test_broken_rows_are_told, 0, sizeof broken / sizeof *broken);
    tcase_add_test(tests, test_what_is_printed_while_loading_does_no_harm);
    tcase_add_test(tests, test_right_plugins_hold_their_claims);
    tcase_add_test(tests, test_fast_math_is_caught);
    tcase_add_test(tests, test_names_pick_rows);
    tcase_add_test(tests, test_clashes_are_refused_by_name);
    tcase_add_test(tests, test_files_that_are_no_plugins);
    tcase_add_test(tests, test_device_memory_needs_a_device);
    tcase_add_test(tests, test_other_commands_take_plugins);
    tcase_add_test(tests, test_orders_of_known_sums);
    tcase_add_test(tests, test_a_changed_order_is_told);
    tcase_add_test(tests, test_a_failing_cell_becomes_a_case);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
