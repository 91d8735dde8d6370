// SPDX-License-Identifier: MIT
#include "harness/worker/test_worker.h"

const char *const types[TYPES] = {"f32", "f64", "f32:f64"};

struct answers answers;
static struct memory_file data;

static void make_data(void) {
    char message[MEMORY_FILE_MESSAGE];
    answers.count = 0;
    ck_assert(memory_file_create(&data, "test", ELEMENTS * (sizeof(float) + sizeof(double)), message));
    float *narrow = data.data;
    double *wide = (double *)(narrow + ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
        narrow[i] = (float)i;
        wide[i] = i;
    }
    ck_assert(memory_file_seal(&data, message));
}

static void drop_data(void) {
    memory_file_close(&data);
}

struct pool_item sum_of(uint64_t n) {
    return (struct pool_item){.request = {.kind = WORK_SUM, .n = n, .shape = {1, 0}, .runs = 3, .warmups = 1}};
}

struct pool_item coverage_of(uint64_t n) {
    return (struct pool_item){.request = {.kind = WORK_COVERAGE, .n = n, .shape = {1, 0}}};
}

struct pool_item time_of(uint64_t n) {
    struct pool_item item = sum_of(n);
    item.request.kind = WORK_TIME;
    item.request.runs = 5;
    return item;
}

void run_items(const char *variant, const char *type, const struct pool_item *items, size_t count) {
    struct pool_queue queue = {.worker = TEST_WORKER,
                               .backend = "host",
                               .variant = variant,
                               .type = type,
                               .data = data.fd,
                               .items = items,
                               .item_count = count};
    struct pool_options options = test_options();
    options.limit_seconds = strcmp(variant, "hangs") == 0 ? 0.5 : 30;
    char message[BACKEND_MESSAGE];
    answers.count = 0;
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_uint_eq(answers.count, count);
}

const struct kept *run_one(const char *variant, const char *type, struct pool_item item) {
    run_items(variant, type, &item, 1);
    return &answers.kept[0];
}

double value_of(const char *type, uint64_t bits) {
    float narrow;
    double wide;
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return strcmp(type, "f32") == 0 ? (double)narrow : wide;
}

struct work_run run_at(const struct kept *kept, size_t index) {
    struct work_run run;
    memcpy(&run, kept->payload + index * sizeof run, sizeof run);
    return run;
}

int run_worker_suite(const char *name, void (*add_tests)(TCase *tcase)) {
    return run_suite_around(name, make_data, drop_data, add_tests);
}
