// SPDX-License-Identifier: MIT
// Workers that rest between two runs of the pool: the same process, new data; one that ended meanwhile is replaced.
#include "harness/pool/shelf.h"
#include "harness/pool/test_pool.h"

#include <signal.h>

enum { FIRST_N = 3, SECOND_N = 5 };

static struct worker_shelf shelf;
static struct answers answers;

static uint64_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

struct row {
    const char *variant, *type;
    unsigned sharing;
};

// Has a row sum n numbers, all `each`, on a data file of just those; the answer is the first of `answers`.
static void ask_once(struct row row, float each, size_t n) {
    char message[BACKEND_MESSAGE];
    struct memory_file file;
    ck_assert(memory_file_create(&file, "numbers", n * sizeof each, message));
    for (size_t i = 0; i < n; i++)
        ((float *)file.data)[i] = each;
    ck_assert(memory_file_seal(&file, message));
    const struct pool_item item = {.request = {.kind = WORK_SUM, .n = n, .shape = {1, 0}, .runs = 1}};
    const struct pool_queue queue = {.worker = TEST_WORKER,
                                     .backend = "host",
                                     .variant = row.variant,
                                     .type = row.type,
                                     .sharing = row.sharing,
                                     .data = file.fd,
                                     .items = &item,
                                     .item_count = 1};
    struct pool_options options = test_options();
    options.shelf = &shelf;
    answers.count = 0;
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    memory_file_close(&file);
}

// The bits of the sum.
static uint64_t sum_row(struct row row, float each, size_t n) {
    ask_once(row, each, n);
    ck_assert_outcome(&answers.kept[0], WORK_DONE);
    return first_bits(&answers.kept[0]);
}

static uint64_t sum_once(const char *type, float each, size_t n) {
    return sum_row((struct row){"test_variant_right", type, 0}, each, n);
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

static pid_t only_worker(void) {
    ck_assert_uint_eq(shelf.count, 1);
    return shelf.workers[0].child.pid;
}

// Result and figures are the row's that the worker has been given last, its type's size of the result too.
START_TEST(rows_that_share_have_one_worker_in_turn) {
    const double three = 3;
    uint64_t bits_of_three;
    memcpy(&bits_of_three, &three, sizeof three);
    shelf.shared_only = true;
    ck_assert_uint_eq(sum_row((struct row){"test_variant_right", "f32", 1}, 1, FIRST_N), bits_of(3));
    pid_t first = only_worker();
    ck_assert_uint_eq(sum_row((struct row){"gives_half", "f32", 1}, 1, FIRST_N), bits_of(0.5f));
    ck_assert_uint_eq(answers.kept[0].reply.workspace_bytes, 40);
    ck_assert_uint_eq(sum_row((struct row){"test_variant_right", "f32:f64", 1}, 1, FIRST_N), bits_of_three);
    ck_assert_int_eq(only_worker(), first);
    sum_row((struct row){"test_variant_right", "f32", 2}, 1, FIRST_N); // of another kind
    ck_assert_uint_eq(shelf.count, 2);
    sum_once("f32", 1, FIRST_N); // shares with none, and this shelf keeps no such worker
    ck_assert_uint_eq(shelf.count, 2);
    shelf_close(&shelf);
}
END_TEST

START_TEST(a_worker_that_gave_no_sum_is_not_handed_on) {
    shelf.shared_only = true;
    ask_once((struct row){"fails_to_launch", "f32", 1}, 1, FIRST_N);
    ck_assert_outcome(&answers.kept[0], WORK_REFUSED);
    ck_assert_uint_eq(shelf.count, 0);
    shelf_close(&shelf);
}
END_TEST

START_TEST(a_row_that_a_shared_worker_lacks_is_refused) {
    shelf.shared_only = true;
    sum_row((struct row){"test_variant_right", "f32", 1}, 1, FIRST_N);
    ask_once((struct row){"no_such_row", "f32", 1}, 1, FIRST_N);
    ck_assert_outcome(&answers.kept[0], WORK_REFUSED);
    ck_assert_says(&answers.kept[0], "no variant no_such_row");
    ck_assert_uint_eq(shelf.count, 0);
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
    tcase_add_test(whole, rows_that_share_have_one_worker_in_turn);
    tcase_add_test(whole, a_worker_that_gave_no_sum_is_not_handed_on);
    tcase_add_test(whole, a_row_that_a_shared_worker_lacks_is_refused);
    tcase_add_test(whole, a_worker_that_died_at_rest_is_replaced);
    suite_add_tcase(suite, whole);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
