// SPDX-License-Identifier: MIT
#include "harness/batch.h"

#include "harness/support.h"
#include "reference/parallel.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_BATCH_BYTES = 64 << 20,
    BATCH_MEMORY_SHARE = 4,  // of the memory that is available; workers hold copies of what they are at
    LARGE_DATASET = 1 << 22, // elements: summed by all threads together
    DATA_ALIGNMENT = 256
};

static size_t dataset_bytes(const struct dataset_key *key) {
    size_t bytes = key->n * float_format(key->type)->size;
    return (bytes + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT;
}

static size_t batch_end(const struct plan *plan, size_t first, size_t limit, size_t *bytes) {
    size_t end = first;
    *bytes = 0;
    while (end < plan->dataset_count) {
        size_t more = dataset_bytes(&plan->datasets[end]);
        if (end > first && *bytes + more > limit)
            break;
        *bytes += more;
        end++;
    }
    return end;
}

static char *special_or(const struct exact_sum *exact, char *(*print)(const struct exact_sum *)) {
    switch (exact->class_) {
    case SUM_NAN:
        return must_copy_text("nan");
    case SUM_PLUS_INFINITY:
        return must_copy_text("inf");
    case SUM_MINUS_INFINITY:
        return must_copy_text("-inf");
    default:
        return print(exact);
    }
}

// abs_sum leaves out what is not finite; the sum of |x| does not.
static char *print_abs_sum(const struct exact_sum *exact) {
    char text[48];
    mpfr_snprintf(text, sizeof text, "%.9Rg", exact->abs_sum);
    return must_copy_text(exact->class_ == SUM_FINITE ? text : exact->has_nan ? "nan" : "inf");
}

static void describe_dataset(struct dataset_result *out, const struct dataset_key *key, uint64_t base_seed,
                             const struct exact_sum *exact) {
    char name[DATASET_TEXT];
    dataset_name(key, name);
    *out = (struct dataset_result){
        .name = must_copy_text(name),
        .type = must_copy_text(float_format(key->type)->name),
        .values = must_copy_text(key->values->name),
        .order = must_copy_text(key->order),
        .n = key->n,
        .seed = dataset_seed(key, base_seed),
        .what_for = must_copy_text(key->values->what_for),
        .exact_decimal = special_or(exact, exact_sum_decimal),
        .exact_hex = special_or(exact, exact_sum_hex),
        .condition = exact_sum_condition(exact),
        .abs_sum_decimal = print_abs_sum(exact),
        .never_rounds = exact->class_ == SUM_FINITE && exact_sum_never_rounds(exact, key->type),
    };
}

// A batch in the making. Threads take its datasets, the largest first.
struct making {
    const struct batch *batch;
    uint64_t seed;
    size_t *by_size;      // places in the batch
    atomic_size_t failed; // a dataset for which there was no memory, one past its place; 0: none
};

static const struct dataset_key *key_at(const struct batch *batch, size_t place) {
    return &batch->plan->datasets[batch->first + place];
}

void *batch_data(const struct batch *batch, size_t place) {
    return (char *)batch->file.data + batch->offsets[place];
}

bool batch_holds(const struct batch *batch, const struct plan_cell *cell) {
    if (cell->dataset == NO_INDEX)
        return batch->first == 0;
    return (size_t)cell->dataset >= batch->first && (size_t)cell->dataset < batch->end;
}

static int compare_sizes(const void *a, const void *b, void *context) {
    size_t first = *(const size_t *)a, second = *(const size_t *)b;
    uint64_t left = key_at(context, first)->n, right = key_at(context, second)->n;
    return left != right ? (left < right ? 1 : -1) : (first > second) - (first < second);
}

// Fills a dataset and, unless it is large, sums it.
static void make_dataset(void *context, size_t part) {
    struct making *making = context;
    size_t place = making->by_size[part];
    const struct dataset_key *key = key_at(making->batch, place);
    void *x = batch_data(making->batch, place);
    if (key->n && !dataset_fill(key, making->seed, x))
        atomic_store(&making->failed, place + 1);
    else if (key->n < LARGE_DATASET)
        exact_sum(&making->batch->truths[place], key->type, x, key->n);
}

static void make_datasets(struct batch *batch, const struct selection *selection, struct dataset_result *described) {
    size_t count = batch->end - batch->first;
    // An MPFR that was built without thread-local storage has one exponent range for all threads.
    unsigned threads = mpfr_buildopt_tls_p() ? selection->jobs : 1;
    struct making making = {
        .batch = batch, .seed = selection->seed, .by_size = must_calloc(count, sizeof *making.by_size)};
    for (size_t i = 0; i < count; i++)
        making.by_size[i] = i;
    qsort_r(making.by_size, count, sizeof *making.by_size, compare_sizes, batch);
    run_in_parallel(threads, count, make_dataset, &making);
    free(making.by_size);
    size_t failed = atomic_load(&making.failed);
    if (failed)
        harness_failed("no memory to make a dataset of %" PRIu64 " elements.", key_at(batch, failed - 1)->n);
    for (size_t i = 0; i < count; i++) {
        const struct dataset_key *key = key_at(batch, i);
        struct exact_sum *truth = &batch->truths[i];
        if (key->n >= LARGE_DATASET)
            exact_sum_parallel(truth, key->type, batch_data(batch, i), key->n, threads);
        describe_dataset(&described[batch->first + i], key, selection->seed, truth);
    }
}

static size_t batch_limit(size_t most_bytes) {
    size_t share = memory_available() / BATCH_MEMORY_SHARE;
    return most_bytes ? most_bytes : share > LEAST_BATCH_BYTES ? share : LEAST_BATCH_BYTES;
}

void batch_open(struct batch *batch, const struct plan *plan, const struct selection *selection, size_t most_bytes,
                size_t first, struct dataset_result *described) {
    size_t bytes, offset = 0, end = batch_end(plan, first, batch_limit(most_bytes), &bytes), count = end - first;
    char message[MEMORY_FILE_MESSAGE];
    *batch = (struct batch){.plan = plan,
                            .first = first,
                            .end = end,
                            .offsets = must_calloc(count, sizeof *batch->offsets),
                            .truths = must_calloc(count, sizeof *batch->truths)};
    if (!memory_file_create(&batch->file, "reductio-data", bytes, message))
        harness_failed("%s", message);
    for (size_t i = 0; i < count; i++) {
        batch->offsets[i] = offset;
        offset += dataset_bytes(key_at(batch, i));
    }
    make_datasets(batch, selection, described);
    if (!memory_file_seal(&batch->file, message))
        harness_failed("%s", message);
}

void batch_close(struct batch *batch) {
    for (size_t i = 0; i < batch->end - batch->first; i++)
        exact_sum_clear(&batch->truths[i]);
    free(batch->truths);
    free(batch->offsets);
    memory_file_close(&batch->file);
}
