// SPDX-License-Identifier: MIT
#include "harness/memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool fail(struct memory_file *file, char *message, const char *what) {
    snprintf(message, MEMORY_FILE_MESSAGE, "Cannot %s a memory file of %zu bytes: %s.", what, file->bytes,
             strerror(errno));
    memory_file_close(file);
    return false;
}

bool memory_file_create(struct memory_file *file, const char *name, size_t bytes, char *message) {
    *file = (struct memory_file){.fd = -1, .bytes = bytes};
    // Memory is handed out lazily and its lack would only show as a signal while the file is filled: ask first.
    if (bytes > memory_available()) {
        errno = ENOMEM;
        return fail(file, message, "create");
    }
    file->fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file->fd < 0)
        return fail(file, message, "create");
    if (bytes == 0)
        return true;
    int error = posix_fallocate(file->fd, 0, (off_t)bytes);
    if (error) {
        errno = error;
        return fail(file, message, "allocate");
    }
    void *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
    if (data == MAP_FAILED)
        return fail(file, message, "map");
    file->data = data;
    return true;
}

bool memory_file_seal(struct memory_file *file, char *message) {
    // F_SEAL_WRITE is refused while a writable mapping exists, so the mapping is exchanged for a read-only one.
    if (file->data && munmap(file->data, file->bytes) != 0)
        return fail(file, message, "unmap");
    file->data = NULL;
    if (fcntl(file->fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return fail(file, message, "seal");
    if (file->bytes) {
        void *data = mmap(NULL, file->bytes, PROT_READ, MAP_SHARED, file->fd, 0);
        if (data == MAP_FAILED)
            return fail(file, message, "map");
        file->data = data;
    }
    file->sealed = true;
    return true;
}

void memory_file_close(struct memory_file *file) {
    if (file->data)
        munmap(file->data, file->bytes);
    if (file->fd >= 0)
        close(file->fd);
    *file = (struct memory_file){.fd = -1};
}
