// SPDX-License-Identifier: MIT
// Identities survive printing and parsing, values with slashes included; what is no identity is refused.
#include "harness/cell.h"
#include "harness/selection.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char *const identities[] = {
    "tree_sequential@simt/f32/uniform/1025/given/t256/o0/inorder",
    "grid_stride@cuda/f32:f64/cond1e8/1048579/shuffled3/t512b132/o15/hw",
    "kahan@simt/f64/corpus/kahan_last_rounding/5/given/t128/o63/seed18446744073709551615",
    "host_pairwise@host/f32/coverage/0/given/t1/o0/hw",
    "x@simt/f32/a/b/c/7/reversed/t32/o1/lastblock3",
};

START_TEST(test_identities_survive) {
    struct cell_key key;
    char text[CELL_ID_TEXT];
    ck_assert_msg(cell_key_parse(identities[_i], &key), "%s", identities[_i]);
    cell_key_print(&key, text);
    ck_assert_str_eq(text, identities[_i]);
}
END_TEST

START_TEST(test_values_may_hold_slashes) {
    struct cell_key key;
    ck_assert(cell_key_parse(identities[2], &key));
    ck_assert_str_eq(key.values, "corpus/kahan_last_rounding");
    ck_assert_str_eq(key.variant, "kahan");
    ck_assert_str_eq(key.backend, "simt");
    ck_assert_str_eq(key.type, "f64");
    ck_assert_uint_eq(key.n, 5);
    ck_assert_uint_eq(key.offset, 63);
    ck_assert_uint_eq(key.schedule.seed, UINT64_MAX);
}
END_TEST

static const char *const no_identities[] = {
    "",
    "tree",
    "a@b/f32/v/1/given/t1/o0",             // no schedule
    "a@b/f32/v/one/given/t1/o0/hw",        // n is no number
    "a@b/f32/v/1/given/256/o0/hw",         // shape without t
    "a@b/f32/v/1/given/t1x/o0/hw",         // trailing text in the shape
    "a@b/f32/v/1/given/t0/o0/hw",          // no threads
    "a@b/f32/v/1/given/t-1/o0/hw",         // a sign
    "a@b/f32/v/1/given/t 64/o0/hw",        // a blank
    "a@b/f32/v/1/given/t4294967297/o0/hw", // would be t1 in 32 bits
    "a@b/f32/v/1/given/t64b-1/o0/hw",      // a sign
    "a@b/f32/v/1/given/t1/0/hw",           // offset without o
    "a@b/f32/v/1/given/t1/o999/hw",        // offset too large
    "a@b/f32/v/1/given/t1/o0/sometimes",   // unknown schedule
    "ab/f32/v/1/given/t1/o0/hw",           // no backend
    "a@b//v/1/given/t1/o0/hw",             // empty type
    "@b/f32/v/1/given/t1/o0/hw",           // empty variant
    "a@b/f32/v/1/thisorderisfartoolong/t1/o0/hw",
};

START_TEST(test_what_is_no_identity_is_refused) {
    struct cell_key key;
    ck_assert_msg(!cell_key_parse(no_identities[_i], &key), "%s", no_identities[_i]);
}
END_TEST

START_TEST(test_a_very_long_identity_is_refused) {
    char text[4096];
    struct cell_key key;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert(!cell_key_parse(text, &key));
}
END_TEST

START_TEST(test_types) {
    enum float_type in, out;
    ck_assert(variant_type_parse("f32:f64", &in, &out));
    ck_assert(in == FLOAT_F32 && out == FLOAT_F64);
    ck_assert(variant_type_parse("f64", &in, &out));
    ck_assert(in == FLOAT_F64 && out == FLOAT_F64);
    ck_assert(!variant_type_parse("f31", &in, &out));
    ck_assert(!variant_type_parse("f32:", &in, &out));
    ck_assert(!variant_type_parse(":f32", &in, &out));
    ck_assert(!variant_type_parse("", &in, &out));
}
END_TEST

START_TEST(test_selection_takes_names_backends_and_types) {
    struct selection selection = {0};
    ck_assert(selects_variant(&selection, "kahan", "simt", "f32", false));
    ck_assert_msg(!selects_variant(&selection, "drops_tail", "simt", "f32", true), "faults run only by name");
    text_list_add(&selection.variants, "tree_*");
    text_list_add(&selection.variants, "kahan@cuda/f32");
    ck_assert(selects_variant(&selection, "tree_modulo", "simt", "f64", false));
    ck_assert(!selects_variant(&selection, "kahan", "simt", "f32", false));
    ck_assert(selects_variant(&selection, "kahan", "cuda", "f32", false));
    ck_assert(!selects_variant(&selection, "tree_index_going_down", "simt", "f32", true));
    text_list_add(&selection.skip_variants, "tree_modulo@simt");
    ck_assert(!selects_variant(&selection, "tree_modulo", "simt", "f64", false));
    ck_assert(selects_variant(&selection, "tree_modulo", "cuda", "f64", false));
    selection_free(&selection);
}
END_TEST

START_TEST(test_selection_takes_cases_by_values_or_dataset) {
    struct selection selection = {0};
    text_list_add(&selection.cases, "cond*");
    text_list_add(&selection.cases, "f32/uniform/1025/given");
    ck_assert(selects_case(&selection, "cond1e8", "f64/cond1e8/33/given"));
    ck_assert(selects_case(&selection, "uniform", "f32/uniform/1025/given"));
    ck_assert(!selects_case(&selection, "uniform", "f32/uniform/1024/given"));
    text_list_add(&selection.skip_cases, "*/33/*");
    ck_assert(!selects_case(&selection, "cond1e8", "f64/cond1e8/33/given"));
    selection_free(&selection);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cell");
    TCase *tests = tcase_create("identity and selection");
    tcase_add_loop_test(tests, test_identities_survive, 0, sizeof identities / sizeof *identities);
    tcase_add_test(tests, test_values_may_hold_slashes);
    tcase_add_loop_test(tests, test_what_is_no_identity_is_refused, 0, sizeof no_identities / sizeof *no_identities);
    tcase_add_test(tests, test_a_very_long_identity_is_refused);
    tcase_add_test(tests, test_types);
    tcase_add_test(tests, test_selection_takes_names_backends_and_types);
    tcase_add_test(tests, test_selection_takes_cases_by_values_or_dataset);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
