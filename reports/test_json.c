// SPDX-License-Identifier: MIT
#include "reports/reports.h"
#include "reports/sample_result.h"
#include "reports/text.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char message[REPORT_MESSAGE];

static json_t *sample_json(void) {
    struct run_result result = sample_result();
    json_t *run = report_of_result(&result, message);
    ck_assert_ptr_nonnull(run);
    run_result_free(&result);
    return run;
}

static const char *cell_text(const json_t *run, size_t cell, const char *member) {
    return text_of(json_array_get(json_object_get(run, "cells"), cell), member);
}

START_TEST(figures_and_bits_are_strings) {
    json_t *run = sample_json();
    ck_assert_str_eq(text_of(run, "seed"), "0xfedcba9876543210");
    ck_assert_str_eq(cell_text(run, 0, "bits"), "0x44001000");
    ck_assert_str_eq(cell_text(run, 0, "ulps"), "-1.25");
    ck_assert_str_eq(cell_text(run, 2, "ulps"), "-0");
    ck_assert_str_eq(cell_text(run, 2, "bits"), "0x80000000");
    ck_assert_str_eq(cell_text(run, 3, "ulps"), "nan");
    ck_assert_str_eq(cell_text(run, 6, "ulps"), "-inf");
    ck_assert_str_eq(cell_text(run, 6, "relative_error"), "inf");
    json_decref(run);
}
END_TEST

START_TEST(every_pattern_and_sample_is_kept) {
    json_t *run = sample_json();
    const json_t *cell = json_array_get(json_object_get(run, "cells"), 1);
    const json_t *patterns = json_object_get(cell, "patterns");
    ck_assert_uint_eq(json_array_size(patterns), 3);
    ck_assert_str_eq(text_of(json_array_get(patterns, 2), "bits"), "0x44001003");
    ck_assert_str_eq(text_of(json_array_get(patterns, 2), "first_at"), "seed3");
    ck_assert_int_eq(count_of(json_array_get(patterns, 1), "count"), 2);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(cell, "ns"), 1)), 1100);
    ck_assert_str_eq(text_of(json_object_get(run, "environment"), "mpfr"), "4.2.0");
    json_decref(run);
}
END_TEST

START_TEST(absent_text_and_missing_results_are_absent) {
    json_t *run = sample_json();
    const json_t *hung = json_array_get(json_object_get(run, "cells"), 7);
    ck_assert(!flag_of(hung, "has_result"));
    ck_assert_ptr_null(json_object_get(hung, "bits"));
    ck_assert_ptr_null(json_object_get(hung, "detail"));
    ck_assert(json_is_null(json_object_get(json_array_get(json_object_get(run, "cells"), 4), "dataset")));
    json_decref(run);
}
END_TEST

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(what_is_saved_loads_as_it_was) {
    json_t *run = sample_json(), *again;
    ck_assert_msg(report_save("test_json.saved.json", report_write_json, run, message), "%s", message);
    ck_assert_msg(report_load("test_json.saved.json", &again, message), "%s", message);
    ck_assert(json_equal(run, again));
    json_decref(again);
    json_decref(run);
    unlink("test_json.saved.json");
}
END_TEST

static void expect_fault(const char *text, const char *words) {
    json_t *run;
    write_text("test_json.bad.json", text);
    ck_assert(!report_load("test_json.bad.json", &run, message));
    ck_assert_ptr_null(run);
    ck_assert_msg(strstr(message, words) && strstr(message, "test_json.bad.json"), "%s lacks \"%s\"", message, words);
    ck_assert_ptr_null(strchr(message, '\n'));
    unlink("test_json.bad.json");
}

START_TEST(malformed_files_are_named_with_their_line) {
    json_t *run;
    expect_fault("", "line 1");
    expect_fault("{\n\"schema_version\": 1,\n\"verdict\" \"x\"}", "line 3");
    expect_fault("[]", "no schema_version");
    expect_fault("{}", "no schema_version");
    expect_fault("{\"schema_version\": \"1\"}", "no schema_version");
    expect_fault("{\"schema_version\": 2}", "version is 2, this program reads version 1");
    expect_fault("{\"schema_version\": 1}", "verdict is missing");
    expect_fault("{\"schema_version\": 1, \"schema_version\": 1}", "duplicate");
    expect_fault("{\"schema_version\": 99999999999999999999}", "too big");
    expect_fault("\xff\xfe", "line 1");
    ck_assert(!report_load("no/such/file.json", &run, message));
    ck_assert_msg(strstr(message, "No such file"), "%s", message);
    ck_assert(!report_load("/", &run, message));
}
END_TEST

// Its claim of the same bits from run to run.
static json_t *claim_of_run(const json_t *run) {
    return json_array_get(json_object_get(json_array_get(json_object_get(run, "variants"), 0), "claims"), 1);
}

// As records were before they had the member: what is counted is the number that `observed` begins with.
START_TEST(cells_that_gave_other_bits_are_counted_in_old_records_too) {
    static const struct {
        const char *observed; // NULL: absent
        json_int_t differing;
    } old[] = {{"8 of 10 attacked cells gave other bits", 8},
               {"0 of 10 attacked cells gave other bits", 0},
               {"-5 of 10", 0},
               {"some differ", 0},
               {NULL, 0}};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        json_t *run = sample_json(), *again, *claim = claim_of_run(run);
        ck_assert_int_eq(json_object_del(claim, "differing"), 0);
        json_object_del(claim, "observed");
        if (old[i].observed)
            json_object_set_new(claim, "observed", json_string(old[i].observed));
        ck_assert_int_eq(json_dump_file(run, "test_json.old.json", 0), 0);
        ck_assert_msg(report_load("test_json.old.json", &again, message), "%s", message);
        const json_t *differing = json_object_get(claim_of_run(again), "differing");
        ck_assert(json_is_integer(differing) && json_integer_value(differing) == old[i].differing);
        json_decref(again);
        json_decref(run);
    }
    unlink("test_json.old.json");
}
END_TEST

START_TEST(texts_and_keys_of_a_record_are_cleaned) {
    json_t *run = sample_json(), *environment = json_object_get(run, "environment"), *again;
    const char *const keys[] = {"plain", "an?escape", "late"}; // in the order in which they were
    json_object_clear(environment);
    json_object_set_new(environment, "plain", json_string("as it was, \xc3\xbc\nand on two lines"));
    json_object_set_new(environment, "an\033escape", json_string("\033[31mred\t\x7f\xc2\x9b"));
    json_object_set_new(environment, "late", json_string("x"));
    ck_assert_int_eq(json_dump_file(run, "test_json.foul.json", 0), 0);
    ck_assert_msg(report_load("test_json.foul.json", &again, message), "%s", message);
    environment = json_object_get(again, "environment");
    ck_assert_uint_eq(json_object_size(environment), 3);
    void *at = json_object_iter(environment);
    for (size_t i = 0; i < 3; i++, at = json_object_iter_next(environment, at))
        ck_assert_str_eq(json_object_iter_key(at), keys[i]);
    ck_assert_str_eq(text_of(environment, "plain"), "as it was, \xc3\xbc\nand on two lines");
    ck_assert_str_eq(text_of(environment, "an?escape"), "?[31mred ???");
    ck_assert_str_eq(cell_text(again, 0, "bits"), "0x44001000");
    json_decref(again);
    json_decref(run);
    unlink("test_json.foul.json");
    expect_fault("{\"schema_version\": 1, \"a\\tb\": 1, \"a b\": 2}", "two of its keys differ by nothing");
}
END_TEST

START_TEST(deep_nesting_is_refused) {
    enum { DEPTH = 1000000 };
    char *text = malloc(DEPTH + 1);
    memset(text, '[', DEPTH);
    text[DEPTH] = '\0';
    expect_fault(text, "depth");
    free(text);
}
END_TEST

// Puts `value` in the place of a member of the first cell, variant or of the run itself.
static void expect_bad_member(const char *array, const char *member, json_t *value, const char *words) {
    json_t *run = sample_json();
    json_t *object = *array ? json_array_get(json_object_get(run, array), 0) : run;
    ck_assert_int_eq(value ? json_object_set_new(object, member, value) : json_object_del(object, member), 0);
    ck_assert(!report_check(run, "x.json", message));
    ck_assert_msg(strstr(message, words), "%s lacks \"%s\"", message, words);
    json_decref(run);
}

START_TEST(wrong_members_are_named) {
    expect_bad_member("cells", "variant", json_integer(3), "cells[0].variant must be the index");
    expect_bad_member("cells", "variant", json_integer(-1), "cells[0].variant must be the index");
    expect_bad_member("cells", "variant", json_null(), "cells[0].variant must be the index");
    expect_bad_member("cells", "dataset", json_integer(6), "cells[0].dataset must be the index");
    expect_bad_member("cells", "n", json_integer(-5), "cells[0].n must be a count");
    expect_bad_member("cells", "n", json_real(5), "cells[0].n must be a count");
    expect_bad_member("cells", "offset", json_integer(1LL << 32), "cells[0].offset must be a count");
    expect_bad_member("cells", "head", json_string("superb"), "cells[0].head must be a finding word");
    expect_bad_member("cells", "findings", json_pack("[i]", 1), "cells[0].findings must be an array of finding");
    expect_bad_member("cells", "id", NULL, "cells[0].id is missing");
    expect_bad_member("cells", "bits", json_string("0xzz"), "cells[0].bits must be bits");
    expect_bad_member("cells", "bits", json_string("0x"), "cells[0].bits must be bits");
    expect_bad_member("cells", "ulps", json_string("1.5 "), "cells[0].ulps must be a number");
    expect_bad_member("cells", "ulps", json_string(""), "cells[0].ulps must be a number");
    expect_bad_member("cells", "ulps", json_real(1.5), "cells[0].ulps must be a number");
    expect_bad_member("cells", "has_result", json_integer(1), "cells[0].has_result must be true or false");
    expect_bad_member("cells", "ns", json_pack("[i]", -1), "cells[0].ns must be an array of counts");
    expect_bad_member("cells", "patterns", json_pack("[s]", "x"), "cells[0].patterns[0] must be an object");
    expect_bad_member("variants", "claims", json_pack("[{ss}]", "claim", "x"),
                      "variants[0].claims[0].status is missing");
    expect_bad_member("", "environment", json_pack("{si}", "x", 1), "environment must be an object of text");
    expect_bad_member("", "cells", json_object(), "cells must be an array");
    expect_bad_member("", "argv", json_pack("[n]"), "argv must be an array of text");
}
END_TEST

START_TEST(nothing_is_half_written) {
    json_t *run = sample_json();
    write_text("test_json.keep.json", "old");
    ck_assert(!report_save("no/such/folder/x.json", report_write_json, run, message));
    ck_assert_msg(strstr(message, "no/such/folder/x.json cannot be written: No such file"), "%s", message);
    ck_assert(!report_save("/dev/full", report_write_json, run, message));
    ck_assert_msg(strstr(message, "No space left"), "%s", message);
    ck_assert_int_eq(access("no", F_OK), -1);
    ck_assert_msg(report_save("/dev/null", report_write_json, run, message), "%s", message);
    json_decref(run);
    unlink("test_json.keep.json");
}
END_TEST

static bool write_and_fail(const json_t *run, FILE *out, char *text) {
    (void)run;
    fputs("half", out);
    snprintf(text, REPORT_MESSAGE, "It failed on purpose.");
    return false;
}

static void expect_content(const char *path, const char *content) {
    char text[16] = "";
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
    fclose(file);
    ck_assert_str_eq(text, content);
}

START_TEST(a_failed_writer_leaves_the_old_file) {
    json_t *run = sample_json();
    write_text("test_json.keep.json", "old");
    ck_assert(!report_save("test_json.keep.json", write_and_fail, run, message));
    ck_assert_str_eq(message, "It failed on purpose.");
    expect_content("test_json.keep.json", "old");
    ck_assert_int_eq(unlink("test_json.keep.json"), 0);
    ck_assert_int_ne(system("ls test_json.keep.json.* 2>/dev/null"), 0);
    json_decref(run);
}
END_TEST

static bool write_new(const void *what, FILE *out, char *text) {
    (void)text;
    return fputs(what, out) >= 0;
}

START_TEST(a_new_file_takes_no_name_that_is_taken) {
    unlink("test_json.new");
    ck_assert_msg(save_new("test_json.new", write_new, "first", message), "%s", message);
    ck_assert(!save_new("test_json.new", write_new, "second", message));
    ck_assert_str_eq(message, "test_json.new cannot be written: File exists.");
    expect_content("test_json.new", "first");
    unlink("test_json.new");
    ck_assert_int_eq(symlink("nowhere", "test_json.new"), 0); // a link is a name, too
    ck_assert(!save_new("test_json.new", write_new, "third", message));
    ck_assert_int_eq(unlink("test_json.new"), 0);
    ck_assert_int_ne(system("ls test_json.new.* 2>/dev/null"), 0);
}
END_TEST

// What save_try promises save_whole keeps, and trying changes nothing.
START_TEST(places_are_tried_without_a_trace) {
    static const struct {
        const char *path, *says;
    } bad[] = {{".", ": Is a directory."},
               {"", ": No such file or directory."},
               {"test_json.none/", ": Is a directory."},
               {"test_json.none/x", ": No such file or directory."},
               {"test_json.kept/x", ": Not a directory."},
               {"test_json.dangling", ": No such file or directory."}};
    static const char *const good[] = {"-", "/dev/null", "test_json.fresh", "test_json.kept", "test_json.link"};
    write_text("test_json.kept", "kept");
    unlink("test_json.link");
    unlink("test_json.dangling");
    ck_assert_int_eq(symlink("test_json.none", "test_json.dangling"), 0);
    ck_assert_int_eq(symlink("test_json.kept", "test_json.link"), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(!save_try(bad[i].path, message), "%s", bad[i].path);
        ck_assert_msg(strstr(message, bad[i].says) != NULL, "%s", message);
        ck_assert(!save_whole(bad[i].path, write_new, "x", message));
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(save_try(good[i], message), "%s", message);
    ck_assert_int_eq(access("test_json.fresh", F_OK), -1);
    expect_content("test_json.kept", "kept");
    ck_assert_int_ne(system("ls test_json.*.?????? .?????? 2>/dev/null"), 0);
    ck_assert_msg(save_whole("test_json.link", write_new, "through", message), "%s", message);
    expect_content("test_json.kept", "through");
    ck_assert_int_eq(unlink("test_json.link") | unlink("test_json.kept") | unlink("test_json.dangling"), 0);
}
END_TEST

START_TEST(an_empty_interrupted_run_is_valid) {
    struct run_result result = sample_empty_result();
    json_t *run = report_of_result(&result, message);
    run_result_free(&result);
    ck_assert_ptr_nonnull(run);
    ck_assert(flag_of(run, "interrupted"));
    ck_assert_msg(report_check(run, "x", message), "%s", message);
    json_decref(run);
}
END_TEST

// Back into the struct and out again: nothing may be lost on the way, be it NaN, an infinity, -0 or hostile text.
static void expect_round_trip(struct run_result result) {
    struct run_result again;
    json_t *json = report_of_result(&result, message);
    ck_assert_ptr_nonnull(json);
    ck_assert_msg(result_of_report(json, &again, message), "%s", message);
    json_t *back = report_of_result(&again, message);
    ck_assert(json_equal(json, back));
    json_decref(json);
    json_decref(back);
    run_result_free(&again);
    run_result_free(&result);
}

START_TEST(results_come_back_as_they_went) {
    struct run_result shard = sample_result();
    shard.shard_index = 2;
    shard.shard_count = 3;
    expect_round_trip(shard);
    expect_round_trip(sample_empty_result());
    expect_round_trip(sample_large_result(2000));
}
END_TEST

START_TEST(members_behind_no_result_are_not_read) {
    struct run_result result = sample_result(), again;
    json_t *json = report_of_result(&result, message);
    json_t *cell = json_array_get(json_object_get(json, "cells"), 4);
    ck_assert(json_is_false(json_object_get(cell, "has_result")));
    json_object_set_new(cell, "bits", json_integer(5));
    json_object_set_new(cell, "patterns", json_string("no array"));
    ck_assert_msg(report_check(json, "x", message), "%s", message);
    ck_assert(result_of_report(json, &again, message));
    ck_assert_uint_eq(again.cells[4].pattern_count, 0);
    ck_assert_double_nan(again.cells[4].ulps);
    json_decref(json);
    run_result_free(&again);
    run_result_free(&result);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("json");
    TCase *tests = tcase_create("json");
    tcase_add_test(tests, figures_and_bits_are_strings);
    tcase_add_test(tests, every_pattern_and_sample_is_kept);
    tcase_add_test(tests, absent_text_and_missing_results_are_absent);
    tcase_add_test(tests, what_is_saved_loads_as_it_was);
    tcase_add_test(tests, malformed_files_are_named_with_their_line);
    tcase_add_test(tests, texts_and_keys_of_a_record_are_cleaned);
    tcase_add_test(tests, cells_that_gave_other_bits_are_counted_in_old_records_too);
    tcase_add_test(tests, deep_nesting_is_refused);
    tcase_add_test(tests, wrong_members_are_named);
    tcase_add_test(tests, nothing_is_half_written);
    tcase_add_test(tests, a_failed_writer_leaves_the_old_file);
    tcase_add_test(tests, a_new_file_takes_no_name_that_is_taken);
    tcase_add_test(tests, places_are_tried_without_a_trace);
    tcase_add_test(tests, an_empty_interrupted_run_is_valid);
    tcase_add_test(tests, results_come_back_as_they_went);
    tcase_add_test(tests, members_behind_no_result_are_not_read);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
