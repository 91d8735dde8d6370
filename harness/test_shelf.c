// SPDX-License-Identifier: MIT
// Workers that rest between two runs of the pool: the same process, new data; one that ended meanwhile is replaced.
#include "harness/pool_shelf.h"
#include "harness/test_pool.h"

#include <signal.h>

enum { FIRST_N = 3, SECOND_N = 5 };

static struct worker_shelf shelf;
static struct answers answers;

static uint64_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Sums n numbers, all `each`, on a data file of just those; returns the bits.
static uint64_t sum_once(const char *type, float each, size_t n) {
    char message[BACKEND_MESSAGE];
    struct memory_file file;
    ck_assert(memory_file_create(&file, "numbers", n * sizeof each, message));
    for (size_t i = 0; i < n; i++)
        ((float *)file.data)[i] = each;
    ck_assert(memory_file_seal(&file, message));
    const struct pool_item item = {.request = {.kind = WORK_SUM, .n = n, .shape = {1, 0}, .runs = 1}};
    const struct pool_queue queue = {.worker = TEST_WORKER,
                                     .backend = "host",
                                     .variant = "test_variant_right",
                                     .type = type,
                                     .data = file.fd,
                                     .items = &item,
                                     .item_count = 1};
    struct pool_options options = test_options();
    options.shelf = &shelf;
    answers.count = 0;
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_outcome(&answers.kept[0], WORK_DONE);
    memory_file_close(&file);
    return first_bits(&answers.kept[0]);
}

START_TEST(a_rested_worker_gets_new_data) {
    ck_assert_uint_eq(sum_once("f32", 1, FIRST_N), bits_of(3));
    ck_assert_uint_eq(shelf.count, 1);
    pid_t first = shelf.workers[0].child.pid;
    ck_assert_uint_eq(sum_once("f32", 2, SECOND_N), bits_of(10)); // more data than before, and others
    ck_assert_uint_eq(shelf.count, 1);
    ck_assert_int_eq(shelf.workers[0].child.pid, first);
    shelf_close(&shelf);
    ck_assert_int_eq(kill(first, 0), -1);
}
END_TEST

START_TEST(another_row_gets_another_worker) {
    ck_assert_uint_eq(sum_once("f32", 1, FIRST_N), bits_of(3));
    sum_once("f32:f64", 1, FIRST_N);
    ck_assert_uint_eq(shelf.count, 2);
    shelf_close(&shelf);
}
END_TEST

START_TEST(a_worker_that_died_at_rest_is_replaced) {
    ck_assert_uint_eq(sum_once("f32", 1, FIRST_N), bits_of(3));
    pid_t first = shelf.workers[0].child.pid;
    kill(first, SIGKILL);
    ck_assert_uint_eq(sum_once("f32", 2, SECOND_N), bits_of(10));
    ck_assert_uint_eq(shelf.count, 1);
    ck_assert_int_ne(shelf.workers[0].child.pid, first);
    shelf_close(&shelf);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shelf");
    TCase *whole = tcase_create("shelf");
    tcase_add_test(whole, a_rested_worker_gets_new_data);
    tcase_add_test(whole, another_row_gets_another_worker);
    tcase_add_test(whole, a_worker_that_died_at_rest_is_replaced);
    suite_add_tcase(suite, whole);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
