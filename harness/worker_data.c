// SPDX-License-Identifier: MIT
#include "harness/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

void worker_take_data(struct worker *worker, int fd) {
    struct stat state;
    if (worker->data)
        munmap((void *)worker->data, worker->data_bytes);
    worker->data = NULL;
    worker->data_bytes = 0;
    if (fd < 0)
        return;
    if (fstat(fd, &state) != 0) {
        snprintf(worker->refusal, BACKEND_MESSAGE, "The data of the run cannot be read: %s.", strerror(errno));
        return;
    }
    worker->data_bytes = (size_t)state.st_size;
    if (worker->data_bytes == 0)
        return;
    void *data = mmap(NULL, worker->data_bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED)
        snprintf(worker->refusal, BACKEND_MESSAGE, "The data of the run cannot be mapped: %s.", strerror(errno));
    else
        worker->data = data;
}
