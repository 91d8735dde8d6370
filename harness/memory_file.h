// SPDX-License-Identifier: MIT
// Data for many processes: an anonymous file in memory that is filled once, then sealed, so that no process can change
// it any more (memfd_create(2), F_SEAL_WRITE).
#ifndef REDUCTIO_MEMORY_FILE_H
#define REDUCTIO_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct memory_file {
    int fd;     // -1: none; close-on-exec
    void *data; // the mapping: writable until it is sealed, read-only afterwards; NULL for 0 bytes
    size_t bytes;
    bool sealed;
};

enum { MEMORY_FILE_MESSAGE = 256 };

// A file of `bytes` zero bytes, all of it backed by memory, so that filling it cannot fail any more. False with one
// sentence in message (MEMORY_FILE_MESSAGE bytes) where memory or descriptors are out.
bool memory_file_create(struct memory_file *file, const char *name, size_t bytes, char *message);
// Makes the file and its size unchangeable for everybody. On failure the file can only be closed.
bool memory_file_seal(struct memory_file *file, char *message);
void memory_file_close(struct memory_file *file);

// Bytes that this process may still take before the machine, its control group or its address space runs out: the
// kernel's own estimate (MemAvailable), capped by the control group's limit and by RLIMIT_AS. SIZE_MAX where the
// machine does not say.
size_t memory_available(void);

#endif
