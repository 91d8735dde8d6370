// SPDX-License-Identifier: MIT
#include "reference/parallel.h"
#include "reference/test_support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_PARTS = 1000 };

struct tally {
    atomic_uint done[MOST_PARTS];
    pthread_mutex_t lock;
    pthread_t workers[MOST_PARTS];
    size_t worker_count;
    useconds_t pause; // microseconds a part takes
};

static void do_part(void *context, size_t part) {
    struct tally *tally = context;
    pthread_t self = pthread_self();
    atomic_fetch_add(&tally->done[part], 1);
    pthread_mutex_lock(&tally->lock);
    size_t i = 0;
    while (i < tally->worker_count && !pthread_equal(tally->workers[i], self))
        i++;
    if (i == tally->worker_count)
        tally->workers[tally->worker_count++] = self;
    pthread_mutex_unlock(&tally->lock);
    if (tally->pause)
        usleep(tally->pause);
}

START_TEST(test_each_part_is_done_once) {
    static const size_t parts[] = {0, 1, 2, 7, MOST_PARTS};
    static const unsigned threads[] = {0, 1, 2, 5, 1000};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            struct tally tally = {.lock = PTHREAD_MUTEX_INITIALIZER};
            run_in_parallel(threads[t], parts[p], do_part, &tally);
            for (size_t i = 0; i < MOST_PARTS; i++)
                ck_assert_uint_eq(tally.done[i], i < parts[p]);
            ck_assert_uint_le(tally.worker_count, parts[p]);
        }
}
END_TEST

START_TEST(test_several_threads_take_part) {
    struct tally tally = {.lock = PTHREAD_MUTEX_INITIALIZER, .pause = 20000};
    run_in_parallel(4, 8, do_part, &tally);
    ck_assert_uint_ge(tally.worker_count, 2);
    ck_assert_uint_le(tally.worker_count, 4);
    ck_assert_uint_ge(usable_processors(), 1);
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("parallel");
    tcase_add_test(tests, test_each_part_is_done_once);
    tcase_add_test(tests, test_several_threads_take_part);
    return run_case(tests);
}
