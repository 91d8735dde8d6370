// SPDX-License-Identifier: MIT
// Rows that a command line brings along: they stand in the catalogue with their own worker, and no name is taken twice.
#include "harness/catalog.h"
#include "harness/plan.h"
#include "harness/support.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char message[BACKEND_MESSAGE];

static bool add(struct catalog *catalog, const char *backend, const char *worker, const char *arguments) {
    const struct catalog_build build = {.backend = backend,
                                        .worker = worker,
                                        .source = "mine.cu",
                                        .given = {.arguments = (char *)arguments},
                                        .recorded = {.arguments = (char *)arguments},
                                        .compiler = "mycc 3",
                                        .flags = "-O7"};
    return catalog_add_build(catalog, &build, message);
}

static struct catalog open_catalog_without_workers(void) {
    struct catalog catalog;
    setenv("REDUCTIO_WORKERS", "/nonexistent", 1);
    catalog_load(&catalog, 0);
    ck_assert_uint_eq(catalog.variant_count, 0);
    return catalog;
}

static const char *environment_value(const struct catalog_backend *backend, const char *key) {
    for (size_t i = 0; i < backend->environment_count; i++)
        if (strcmp(backend->environment[i].key, key) == 0)
            return backend->environment[i].value;
    return "";
}

START_TEST(rows_join_the_backend_that_they_are_built_for) {
    struct catalog catalog = open_catalog_without_workers();
    ck_assert_msg(add(&catalog, "host", TEST_WORKER, "mine.cu -- -O3"), "%s", message);
    int index = catalog_find_variant(&catalog, "test_variant_right", "host", "f32:f64");
    ck_assert_int_ne(index, NO_INDEX);
    const struct catalog_backend *backend = &catalog.backends[catalog.variants[index].backend];
    ck_assert(catalog_is_present(&catalog, catalog.variants[index].backend));
    ck_assert_str_eq(backend->name, "host");
    ck_assert_str_eq(backend->worker, TEST_WORKER);
    ck_assert_str_eq(backend->recorded.arguments, "mine.cu -- -O3");
    ck_assert_uint_eq(backend->max_n, catalog.backends[catalog_find_backend(&catalog, "host")].max_n);
    ck_assert(!catalog_is_emulated(&catalog, index));
    ck_assert_str_eq(environment_value(backend, "compiler of mine.cu"), "mycc 3");
    ck_assert_str_eq(environment_value(backend, "flags of mine.cu"), "-O7");
    catalog_free(&catalog);
}
END_TEST

START_TEST(build_for_the_emulator_is_emulated) {
    struct catalog catalog = open_catalog_without_workers();
    ck_assert(add(&catalog, "simt", TEST_WORKER, "mine.cu"));
    ck_assert(catalog_is_emulated(&catalog, catalog_find_variant(&catalog, "drops_element", "simt", "f32")));
    catalog_free(&catalog);
}
END_TEST

START_TEST(one_name_from_two_places_is_refused) {
    struct catalog catalog = open_catalog_without_workers();
    ck_assert(add(&catalog, "simt", TEST_WORKER, "mine.cu"));
    size_t count = catalog.variant_count;
    ck_assert(add(&catalog, "host", TEST_WORKER, "mine.cu")); // one file on two backends
    ck_assert_uint_eq(catalog.variant_count, 2 * count);
    ck_assert(!add(&catalog, "cuda", TEST_WORKER, "other.cu"));
    ck_assert_ptr_nonnull(strstr(message, "is taken by a row of mine.cu: choose another."));
    catalog_free(&catalog);
}
END_TEST

START_TEST(worker_that_does_not_answer_is_a_sentence) {
    struct catalog catalog = open_catalog_without_workers();
    ck_assert(!add(&catalog, "simt", "/nonexistent/worker", "mine.cu"));
    ck_assert_ptr_nonnull(strstr(message, "it was not built"));
    setenv("FAKE_CARDS", "fail", 1);
    ck_assert(!add(&catalog, "simt", FAKE_WORKER, "mine.cu"));
    ck_assert_ptr_nonnull(strstr(message, "ended with exit code 4: Something broke."));
    unsetenv("FAKE_CARDS");
    catalog_free(&catalog);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("catalog rows");
    TCase *tests = tcase_create("rows");
    tcase_add_test(tests, rows_join_the_backend_that_they_are_built_for);
    tcase_add_test(tests, build_for_the_emulator_is_emulated);
    tcase_add_test(tests, one_name_from_two_places_is_refused);
    tcase_add_test(tests, worker_that_does_not_answer_is_a_sentence);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
