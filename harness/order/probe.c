// SPDX-License-Identifier: MIT
#include "harness/order/probe.h"

#include "harness/memory_file.h"
#include "harness/pool/pool.h"
#include "harness/support.h"
#include "harness/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Arrays of one memory file, and arrays that are worth a worker of their own.
enum { CHUNK_BYTES = 64 << 20, QUEUE_ARRAYS = 128, START_LIMIT_SECONDS = 30, LIMIT_SECONDS = 60 };

// M is far beyond 2^53 times the largest count, so that wide accumulators lose the ones as well, and far enough below
// the largest number that no sum of many M overflows.
//
// f16 has 40 binades. There the least number stands for the 1, and 2^15 for M: a sum in f16 or f32 loses the ones
// beside it, and counts up to 2^11 or 2^24 of them. (One in f64 keeps all: it is exact, whatever its order.) Where a
// sum adds several M before the first -M it overflows, but a tree that is asked about rightly has each pair to itself.
struct scale {
    double mask, one;
};
static const struct scale scales[FLOAT_TYPES] = {[FLOAT_F32] = {0x1p100, 1},
                                                 [FLOAT_F64] = {0x1p1000, 1},
                                                 [FLOAT_F16] = {0x1p15, 0x1p-24},
                                                 [FLOAT_BF16] = {0x1p100, 1}};

struct probe_run {
    struct probe_bench *bench;
    uint64_t *bits; // of this chunk
    bool failed;
    char *message;
};

static void keep_result(void *context, const struct pool_answer *answer) {
    struct probe_run *run = context;
    const struct work_reply *reply = answer->reply;
    if (run->failed)
        return;
    if (reply->outcome != WORK_DONE || !reply->runs) {
        run->failed = true;
        run->bench->not_asked = harness_fault((enum work_outcome)reply->outcome) != NULL;
        run->bench->refused = reply->outcome == WORK_REFUSED;
        snprintf(run->message, ORDER_MESSAGE, "%.*s", ORDER_MESSAGE - 1, reply->message);
        return;
    }
    const struct work_run *runs = answer->payload;
    run->bits[answer->item->tag] = runs[0].bits;
    run->bench->height = reply->height;
    for (uint32_t r = 1; r < reply->runs; r++)
        run->bench->varied = run->bench->varied || runs[r].bits != runs[0].bits;
}

static unsigned count_jobs(const struct probe_bench *bench) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return bench->selection->jobs ? bench->selection->jobs : cores > 0 ? (unsigned)cores : 1;
}

// The arrays as items, shared out to queues that can run side by side.
static bool run_chunk(struct probe_run *run, const struct memory_file *file, uint64_t n, size_t count, size_t bytes) {
    struct probe_bench *bench = run->bench;
    const struct catalog_variant *row = &bench->catalog->variants[bench->variant];
    const struct catalog_backend *backend = &bench->catalog->backends[row->backend];
    if (backend->fault) {
        snprintf(run->message, ORDER_MESSAGE, "%.*s", ORDER_MESSAGE - 1, backend->fault);
        return false;
    }
    struct pool_options options = {.jobs = count_jobs(bench),
                                   .limit_seconds = bench->selection->limit_seconds ? bench->selection->limit_seconds
                                                                                    : LIMIT_SECONDS,
                                   .start_limit_seconds = START_LIMIT_SECONDS,
                                   .exclusive_backend = "cuda",
                                   .interrupted = bench->interrupted,
                                   .shelf = &bench->shelf};
    struct pool_item *items = must_calloc(count, sizeof *items);
    for (size_t k = 0; k < count; k++)
        items[k] = (struct pool_item){.tag = k,
                                      .request = {.kind = WORK_SUM,
                                                  .data_offset = k * bytes,
                                                  .n = n,
                                                  .shape = bench->shape,
                                                  .runs = bench->runs,
                                                  .schedule = bench->schedule}};
    size_t queue_count = strcmp(row->card.backend, "cuda") == 0 ? 1 : (count + QUEUE_ARRAYS - 1) / QUEUE_ARRAYS;
    queue_count = queue_count < options.jobs ? queue_count : options.jobs;
    struct pool_queue *queues = must_calloc(queue_count, sizeof *queues);
    for (size_t q = 0; q < queue_count; q++)
        queues[q] = (struct pool_queue){.worker = backend->worker,
                                        .load = backend->load,
                                        .start_limit_seconds = backend->start_seconds,
                                        .backend = row->card.backend,
                                        .variant = row->card.name,
                                        .device = (int)bench->catalog->device,
                                        .type = row->card.type,
                                        .data = file->fd,
                                        .items = items + count * q / queue_count,
                                        .item_count = count * (q + 1) / queue_count - count * q / queue_count};
    char message[BACKEND_MESSAGE];
    enum pool_end end = pool_run(queues, queue_count, &options, keep_result, run, message);
    free(queues);
    free(items);
    if (end != POOL_FINISHED && !run->failed)
        snprintf(run->message, ORDER_MESSAGE, "%.*s", ORDER_MESSAGE - 1,
                 end == POOL_INTERRUPTED ? "It was interrupted." : message);
    return end == POOL_FINISHED && !run->failed;
}

bool probe_arrays(struct probe_bench *bench, uint64_t n, size_t count, probe_fill *fill, void *context, uint64_t *bits,
                  char *message) {
    size_t bytes = n * float_format(bench->catalog->variants[bench->variant].in)->size, per_chunk = count;
    if (bytes && CHUNK_BYTES / bytes < count)
        per_chunk = CHUNK_BYTES / bytes ? CHUNK_BYTES / bytes : 1;
    for (size_t first = 0; first < count; first += per_chunk) {
        size_t some = count - first < per_chunk ? count - first : per_chunk;
        struct memory_file file;
        struct probe_run run = {.bench = bench, .bits = bits + first, .message = message};
        if (!memory_file_create(&file, "reductio-probes", some * bytes, message))
            return false;
        for (size_t k = 0; k < some && bytes; k++)
            fill(context, first + k, (char *)file.data + k * bytes);
        bool done = memory_file_seal(&file, message) && run_chunk(&run, &file, n, some, bytes);
        memory_file_close(&file);
        if (!done)
            return false;
    }
    return true;
}

struct given {
    const void *x;
    size_t bytes;
};

static void fill_given(void *context, size_t index, void *x) {
    const struct given *given = context;
    (void)index;
    if (given->bytes) // an empty array may be at no address
        memcpy(x, given->x, given->bytes);
}

bool probe_array(struct probe_bench *bench, uint64_t n, const void *x, uint64_t *bits, char *message) {
    struct given given = {x, n * float_format(bench->catalog->variants[bench->variant].in)->size};
    return probe_arrays(bench, n, 1, fill_given, &given, bits, message);
}

struct masks {
    enum float_type type;
    uint32_t n;
    const struct order_probe *probes;
};

static void fill_masks(void *context, size_t index, void *x) {
    const struct masks *masks = context;
    const struct order_probe *probe = &masks->probes[index];
    const uint64_t one = float_from_double(masks->type, scales[masks->type].one),
                   mask = float_from_double(masks->type, scales[masks->type].mask);
    for (uint32_t i = 0; i < masks->n; i++)
        float_store(masks->type, x, i, one);
    for (uint32_t p = 0; p < probe->pairs; p++) {
        float_store(masks->type, x, probe->plus[p], mask);
        float_store(masks->type, x, probe->minus[p], mask | float_format(masks->type)->sign_bit);
    }
}

uint64_t probe_most_terms(enum float_type out) {
    return UINT64_C(1) << float_format(out)->precision;
}

static bool ask_variant(void *context, uint32_t n, const struct order_probe *probes, size_t count, double *survivors,
                        char *message) {
    struct probe_bench *bench = context;
    const struct catalog_variant *row = &bench->catalog->variants[bench->variant];
    struct masks masks = {.type = row->in, .n = n, .probes = probes};
    if (n > probe_most_terms(row->out)) {
        snprintf(message, ORDER_MESSAGE, "%s counts no more than %" PRIu64 " terms, and n is %u.",
                 float_format(row->out)->name, probe_most_terms(row->out), n);
        return false;
    }
    uint64_t *bits = must_calloc(count, sizeof *bits);
    bool done = probe_arrays(bench, n, count, fill_masks, &masks, bits, message);
    for (size_t k = 0; done && k < count; k++)
        survivors[k] = float_to_double(row->out, bits[k]) / scales[row->in].one;
    free(bits);
    return done;
}

struct order_oracle probe_oracle(struct probe_bench *bench) {
    return (struct order_oracle){.ask = ask_variant, .context = bench};
}

void probe_bench_open(struct probe_bench *bench, const struct catalog *catalog, size_t variant,
                      const struct selection *selection) {
    const struct catalog_variant *row = &catalog->variants[variant];
    bool emulated = strcmp(row->card.backend, "simt") == 0;
    *bench = (struct probe_bench){.catalog = catalog,
                                  .variant = variant,
                                  .shape = row->card.shape_count ? row->card.shapes[0] : (struct reductio_shape){1, 0},
                                  .schedule = {.kind = emulated ? SCHEDULE_IN_ORDER : SCHEDULE_HARDWARE},
                                  .runs = 1,
                                  .selection = selection};
}

void probe_bench_close(struct probe_bench *bench) {
    shelf_close(&bench->shelf);
}
