// SPDX-License-Identifier: MIT
// What a worker serves: a row, and the data that the requests point into.
#include "harness/poison.h"
#include "harness/worker/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static const struct reductio_variant *find_variant(const struct worker_errand *errand, char *message) {
    const struct reductio_variant *const *variants = backend_variants(errand, message);
    for (size_t i = 0; variants && variants[i]; i++)
        if (strcmp(variants[i]->name, errand->variant) == 0 && strcmp(variants[i]->type, errand->type) == 0)
            return variants[i];
    if (variants)
        snprintf(message, BACKEND_MESSAGE, "This worker has no variant %.200s of type %.50s.", errand->variant,
                 errand->type);
    return NULL;
}

void worker_take_row(struct worker *worker, const struct work_row *row) {
    worker->row = *row;
    worker->unable = WORK_REFUSED;
    worker->errand.variant = worker->row.variant;
    worker->errand.type = worker->row.type;
    worker->variant = find_variant(&worker->errand, worker->refusal);
    if (worker->variant && !worker_type_parse(row->type, &worker->type))
        snprintf(worker->refusal, BACKEND_MESSAGE, "The type %.50s is unknown.", row->type);
    worker->salt = (worker->salt & ~POISON_OF_16_BITS) | worker->type.poison;
}

static void lack_data(struct worker *worker, const char *what) {
    worker->unable = WORK_NOT_POSSIBLE;
    snprintf(worker->refusal, BACKEND_MESSAGE, "The data of the run cannot be %s: %s.", what, strerror(errno));
}

void worker_take_data(struct worker *worker, int fd) {
    struct stat state;
    if (worker->data)
        munmap((void *)worker->data, worker->data_bytes);
    worker->data = NULL;
    worker->data_bytes = 0;
    if (fd < 0)
        return;
    if (fstat(fd, &state) != 0) {
        lack_data(worker, "read");
        return;
    }
    worker->data_bytes = (size_t)state.st_size;
    if (worker->data_bytes == 0)
        return;
    void *data = mmap(NULL, worker->data_bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED)
        lack_data(worker, "mapped");
    else
        worker->data = data;
}
