// SPDX-License-Identifier: MIT
// Workers that were built once are kept in $XDG_CACHE_HOME/reductio, or ~/.cache/reductio (XDG Base Directory
// Specification 0.8). An entry is a folder that appears whole, by a rename, and never changes; its name is a hash of
// all that went into it. The files that the compiler read are known only after the first build, so a list of them is
// kept under the hash of the rest. Any number of processes may use the cache at a time.
#ifndef REDUCTIO_OWN_CACHE_H
#define REDUCTIO_OWN_CACHE_H

#include "harness/selection.h"

#include <stdint.h>

// FNV-1a of 128 bits (RFC 9923).
typedef unsigned __int128 own_hash;
own_hash own_hash_start(void);
void own_hash_bytes(own_hash *hash, const void *bytes, size_t count);
void own_hash_text(own_hash *hash, const char *text); // with its terminating 0, so that texts do not run together
bool own_hash_file(own_hash *hash, const char *path); // false, and another hash, where it cannot be read

enum { OWN_CACHE_MESSAGE = 512 };

// The folder, made where it is not there; from malloc, NULL with one sentence in message.
char *own_cache_open(char *message);
// The worker of an entry whose files still have the content that it was built from; from malloc, NULL if there is none.
// One that is not as it was kept (a disk that was full, a machine that went down) is removed: it is to be built anew.
char *own_cache_find(const char *folder, own_hash key);
// A new empty folder to build in; from malloc, NULL with one sentence in message.
char *own_cache_scratch(const char *folder, char *message);
// Keeps the scratch folder, which holds "worker", as an entry; where another process was faster, its entry stands and
// the scratch folder is removed. Returns the worker's path, from malloc, or NULL with one sentence in message, as where
// an input cannot be read.
char *own_cache_keep(const char *folder, own_hash key, const char *scratch, const struct text_list *inputs,
                     char *message);
void own_cache_discard(const char *scratch);
// Removes entries that were not used for a month, and what interrupted builds have left.
void own_cache_prune(const char *folder);

#endif
