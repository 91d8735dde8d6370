// SPDX-License-Identifier: MIT
#include "harness/pool/test_fakes.h"

#include <dirent.h>
#include <errno.h>
#include <sys/wait.h>

struct answers answers;
struct memory_file data;

// Left unsealed: fakes write process numbers to it.
static void open_data(void) {
    char message[MEMORY_FILE_MESSAGE];
    ck_assert(memory_file_create(&data, "test", 4096, message));
    answers.count = 0;
}

static void close_data(void) {
    memory_file_close(&data);
}

pid_t pid_in_data(void) {
    pid_t pid;
    memcpy(&pid, data.data, sizeof pid);
    return pid;
}

struct pool_queue queue_of(const char *mode, const struct pool_item *items, size_t count) {
    return (struct pool_queue){.worker = FAKE_WORKER,
                               .backend = "fake",
                               .variant = mode,
                               .type = "f32",
                               .data = data.fd,
                               .items = items,
                               .item_count = count};
}

void run_queues(const struct pool_queue *queues, size_t count, struct pool_options options) {
    char message[BACKEND_MESSAGE];
    ck_assert_int_eq(pool_run(queues, count, &options, keep_answer, &answers, message), POOL_FINISHED);
}

static int count_descriptors(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

const struct kept *run_three(const char *mode, struct pool_options options) {
    struct pool_item items[] = {sum_item(10, 0), sum_item(FAKE_TRIGGER, 1), sum_item(30, 2)};
    struct pool_queue queue = queue_of(mode, items, 3);
    int descriptors = count_descriptors();
    run_queues(&queue, 1, options);
    ck_assert_int_eq(count_descriptors(), descriptors);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); // no zombie
    ck_assert_int_eq(errno, ECHILD);
    ck_assert_uint_eq(answers.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(answers.kept[i].tag, i);
    for (size_t i = 0; i < 3; i += 2) {
        ck_assert_outcome(&answers.kept[i], WORK_DONE);
        ck_assert_uint_eq(first_bits(&answers.kept[i]), i == 0 ? 10 : 30);
    }
    return &answers.kept[1];
}

const struct kept *run_one(const char *mode, struct pool_options options) {
    struct pool_item item = sum_item(FAKE_TRIGGER, 0);
    struct pool_queue queue = queue_of(mode, &item, 1);
    size_t before = answers.count;
    run_queues(&queue, 1, options);
    ck_assert_uint_eq(answers.count, before + 1);
    return &answers.kept[before];
}

int run_fakes_suite(const char *name, void (*add_tests)(TCase *tcase)) {
    return run_suite_around(name, open_data, close_data, add_tests);
}
