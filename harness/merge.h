// SPDX-License-Identifier: MIT
// Joins the results of the shards of one run: the cells together, and what they say of each claim counted anew, by the
// code that counts it in a run.
#ifndef REDUCTIO_MERGE_H
#define REDUCTIO_MERGE_H

#include "harness/known.h"

struct shard {
    const char *name; // of its file, for messages
    struct run_result result;
};

// Moves what is in the shards into *whole; both stay to be freed with run_result_free. Returns NULL, or a sentence
// (from malloc) that names the files and what keeps them apart: another seed, commit, tier, command or way of cutting
// the run in parts, a part that is missing or there twice, a cell that is in two of them. `known` may be NULL; its
// stale lines are counted here, since no shard alone can tell.
char *merge_shards(struct shard *shards, size_t count, const struct known_list *known, struct run_result *whole);

#endif
