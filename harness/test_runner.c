// SPDX-License-Identifier: MIT
// The runner makes and sums each dataset once, however many cells, rows, batches and threads there are: the linker puts
// the functions below before dataset_fill, exact_sum and exact_sum_parallel, and they count.
#include "harness/runner.h"
#include "harness/support.h"
#include "reference/exact_sum.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DATASETS = 512, LARGE = (1 << 22) + 1 };

static struct {
    pthread_mutex_t lock;
    struct {
        char name[DATASET_TEXT];
        const void *data;
        unsigned fills, sums;
    } seen[MOST_DATASETS];
    size_t count, sums;
} ledger = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool __real_dataset_fill(const struct dataset_key *key, uint64_t base_seed, void *x);
bool __wrap_dataset_fill(const struct dataset_key *key, uint64_t base_seed, void *x);
void __real_exact_sum(struct exact_sum *sum, enum float_type in, const void *x, size_t n);
void __wrap_exact_sum(struct exact_sum *sum, enum float_type in, const void *x, size_t n);
void __real_exact_sum_parallel(struct exact_sum *sum, enum float_type in, const void *x, size_t n, unsigned threads);
void __wrap_exact_sum_parallel(struct exact_sum *sum, enum float_type in, const void *x, size_t n, unsigned threads);

bool __wrap_dataset_fill(const struct dataset_key *key, uint64_t base_seed, void *x) {
    char name[DATASET_TEXT];
    dataset_name(key, name);
    pthread_mutex_lock(&ledger.lock);
    size_t i = 0;
    while (i < ledger.count && strcmp(ledger.seen[i].name, name) != 0)
        i++;
    if (i == ledger.count && ledger.count < MOST_DATASETS)
        strcpy(ledger.seen[ledger.count++].name, name);
    ledger.seen[i].fills++;
    ledger.seen[i].data = x;
    pthread_mutex_unlock(&ledger.lock);
    return __real_dataset_fill(key, base_seed, x);
}

// The sum of the data that were last put at x: a later batch may lie where an earlier one did. Empty data have no place
// of their own.
static void note_sum(const void *x, size_t n) {
    pthread_mutex_lock(&ledger.lock);
    ledger.sums++;
    for (size_t i = ledger.count; n && i-- > 0;)
        if (ledger.seen[i].data == x) {
            ledger.seen[i].sums++;
            break;
        }
    pthread_mutex_unlock(&ledger.lock);
}

void __wrap_exact_sum(struct exact_sum *sum, enum float_type in, const void *x, size_t n) {
    note_sum(x, n);
    __real_exact_sum(sum, in, x, n);
}

void __wrap_exact_sum_parallel(struct exact_sum *sum, enum float_type in, const void *x, size_t n, unsigned threads) {
    note_sum(x, n);
    __real_exact_sum_parallel(sum, in, x, n, threads);
}

// Four rows of the test worker, two of them on the same data.
static void load_catalog(struct catalog *catalog) {
    static const char *const types[] = {"f32", "f64", "f32:f64"};
    *catalog = (struct catalog){.backends = must_calloc(1, sizeof *catalog->backends), .backend_count = 1};
    catalog->backends[0] = (struct catalog_backend){.name = "host",
                                                    .worker = must_copy_text(TEST_WORKER),
                                                    .device = DEVICE_OPENS,
                                                    .max_n = LARGE,
                                                    .start_seconds = 30};
    catalog->variants = must_calloc(4, sizeof *catalog->variants);
    for (size_t i = 0; i < 4; i++) {
        struct catalog_variant *row = &catalog->variants[catalog->variant_count++];
        strcpy(row->card.name, i < 3 ? "right" : "doubles_element");
        strcpy(row->card.type, types[i % 3]);
        strcpy(row->card.backend, "host");
        row->card.shape_count = 1;
        row->card.shapes[0] = (struct reductio_shape){1, 0};
        row->in = i == 1 ? FLOAT_F64 : FLOAT_F32;
        row->out = i == 0 || i == 3 ? FLOAT_F32 : FLOAT_F64;
    }
}

static void run_and_count(unsigned jobs, size_t batch_bytes) {
    struct catalog catalog;
    struct plan plan;
    struct run_result result;
    struct selection selection = {.tier = TIER_SMOKE, .seed = DEFAULT_SEED, .jobs = jobs};
    const struct run_options options = {.command = "run", .quiet = true, .batch_bytes = batch_bytes};
    struct dataset large = {.key = {FLOAT_F32, case_values_find("uniform"), LARGE, "given"}};
    load_catalog(&catalog);
    plan_tier(&plan, &catalog, &selection, false);
    for (int variant = 0; variant < 4; variant++)
        if (catalog.variants[variant].in == large.key.type)
            plan_add_cells(&plan, variant, &large, (struct attack_strength){.hardware_runs = 1});
    ledger.count = ledger.sums = 0;
    memset(ledger.seen, 0, sizeof ledger.seen);
    run_plan(&plan, &selection, &options, &result);
    ck_assert_uint_gt(plan.cell_count, 2 * plan.dataset_count);
    size_t empty = 0;
    for (size_t i = 0; i < plan.dataset_count; i++)
        empty += plan.datasets[i].n == 0;
    ck_assert_uint_eq(ledger.count, plan.dataset_count - empty);
    ck_assert_uint_eq(ledger.sums, plan.dataset_count);
    for (size_t i = 0; i < ledger.count; i++) {
        ck_assert_msg(ledger.seen[i].fills == 1, "%s was made %u times", ledger.seen[i].name, ledger.seen[i].fills);
        ck_assert_msg(ledger.seen[i].sums == 1, "%s was summed %u times", ledger.seen[i].name, ledger.seen[i].sums);
    }
    run_result_free(&result);
    plan_free(&plan);
    catalog_free(&catalog);
}

START_TEST(test_each_dataset_is_made_and_summed_once) {
    run_and_count(1, 0);
    run_and_count(3, 0);
}
END_TEST

START_TEST(test_so_it_is_in_small_batches) {
    run_and_count(2, 1 << 16);
}
END_TEST

// What comes out does not depend on who made it.
START_TEST(test_threads_and_batches_change_nothing) {
    struct run_result results[3];
    for (unsigned i = 0; i < 3; i++) {
        struct catalog catalog;
        struct plan plan;
        struct selection selection = {.tier = TIER_SMOKE, .seed = DEFAULT_SEED, .jobs = 1 + i};
        const struct run_options options = {.command = "run", .quiet = true, .batch_bytes = i == 2 ? 1 << 16 : 0};
        load_catalog(&catalog);
        plan_tier(&plan, &catalog, &selection, false);
        run_plan(&plan, &selection, &options, &results[i]);
        plan_free(&plan);
        catalog_free(&catalog);
    }
    for (unsigned k = 1; k < 3; k++) {
        ck_assert_uint_eq(results[k].dataset_count, results[0].dataset_count);
        ck_assert_uint_eq(results[k].cell_count, results[0].cell_count);
        for (size_t i = 0; i < results[0].dataset_count; i++) {
            ck_assert_str_eq(results[k].datasets[i].name, results[0].datasets[i].name);
            ck_assert_str_eq(results[k].datasets[i].exact_hex, results[0].datasets[i].exact_hex);
        }
        for (size_t i = 0; i < results[0].cell_count; i++) {
            ck_assert_str_eq(results[k].cells[i].id, results[0].cells[i].id);
            ck_assert_int_eq(results[k].cells[i].head, results[0].cells[i].head);
        }
        run_result_free(&results[k]);
    }
    run_result_free(&results[0]);
}
END_TEST

// ---- why a claim was not tested ----

static const struct {
    const char *backend;
    unsigned devices, attacks;
    bool chosen;
    const char *device, *placement; // the reasons
} untested[] = {
    {"cuda", 2, ATTACK_RUN | ATTACK_SHAPE, false, "it was not asked for", "it was not asked for"},
    {"cuda", 2, ATTACK_PLACEMENT, true, "it was not asked for", "no cell of this run tests it"},
    {"cuda", 2, 0, true, "one device was chosen", "no cell of this run tests it"},
    {"cuda", 2, 0, false, "no cell of this run tests it", "no cell of this run tests it"},
    {"cuda", 1, 0, false, "one device", "no cell of this run tests it"},
    {"cuda", 1, 0, true, "one device", "no cell of this run tests it"},
    {"host", 2, 0, false, "no GPU took part", "no cell of this run tests it"},
    {"host", 2, ATTACK_RUN, false, "it was not asked for", "it was not asked for"},
};

START_TEST(test_reason_is_the_true_one) {
    struct catalog catalog;
    load_catalog(&catalog);
    strcpy(catalog.variants[0].card.backend, untested[_i].backend);
    catalog.devices = untested[_i].devices;
    struct plan plan = {.catalog = &catalog, .attacks = untested[_i].attacks, .device_chosen = untested[_i].chosen};
    struct run_result result = {
        .cells = must_calloc(1, sizeof *result.cells), .cell_count = 1, .tier = must_copy_text("smoke")};
    summarise(&plan, NULL, &result);
    ck_assert_uint_eq(result.variant_count, 1);
    ck_assert_str_eq(result.variants[0].claims[CLAIM_SAME_BITS_DEVICE].why, untested[_i].device);
    ck_assert_str_eq(result.variants[0].claims[CLAIM_SAME_BITS_PLACEMENT].why, untested[_i].placement);
    run_result_free(&result);
    catalog_free(&catalog);
}
END_TEST

// Where the detector could not see, the claim to be sound says why.
START_TEST(test_unchecked_is_told_of) {
    struct catalog catalog;
    load_catalog(&catalog);
    struct plan plan = {.catalog = &catalog};
    struct run_result result = {
        .cells = must_calloc(1, sizeof *result.cells), .cell_count = 1, .tier = must_copy_text("smoke")};
    result.cells[0].findings = (finding_set)1 << FINDING_NOT_CHECKED;
    result.cells[0].head = FINDING_NOT_CHECKED;
    result.cells[0].detail = must_copy_text("It is blind.");
    summarise(&plan, NULL, &result);
    ck_assert_int_eq(result.variants[0].claims[CLAIM_SOUND].status, CLAIM_NOT_TESTED);
    ck_assert_str_eq(result.variants[0].claims[CLAIM_SOUND].why, "It is blind.");
    ck_assert_uint_eq(result.variants[0].bad_cells, 0);
    run_result_free(&result);
    catalog_free(&catalog);
}
END_TEST

int main(void) {
    const char *fault = cases_load(NULL);
    if (fault) {
        fprintf(stderr, "%s\n", fault);
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("runner");
    TCase *tests = tcase_create("runner");
    tcase_add_test(tests, test_each_dataset_is_made_and_summed_once);
    tcase_add_test(tests, test_so_it_is_in_small_batches);
    tcase_add_test(tests, test_threads_and_batches_change_nothing);
    tcase_add_loop_test(tests, test_reason_is_the_true_one, 0, sizeof untested / sizeof *untested);
    tcase_add_test(tests, test_unchecked_is_told_of);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
