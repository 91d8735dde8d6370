// SPDX-License-Identifier: MIT
// Some of a plan's datasets, made and exactly summed once, in memory that workers share.
//
// Memory stays bounded by a share of what there is, or by the largest dataset. Every batch starts its workers anew, and
// on a GPU a start takes as long as hundreds of cells: few large batches are better than many.
#ifndef REDUCTIO_BATCH_H
#define REDUCTIO_BATCH_H

#include "harness/memory_file.h"
#include "harness/plan.h"
#include "harness/result.h"
#include "reference/exact_sum.h"

struct batch {
    const struct plan *plan;
    size_t first, end; // datasets of the plan
    struct memory_file file;
    size_t *offsets;          // in the file, bytes, per dataset
    struct exact_sum *truths; // per dataset
};

// Makes as many datasets of the plan from `first` on as `most_bytes` allow (0: a share of the memory available), at
// least one where there is one, and describes them in described[first] on. Without memory the program ends with
// EXIT_HARNESS_FAILED.
void batch_open(struct batch *batch, const struct plan *plan, const struct selection *selection, size_t most_bytes,
                size_t first, struct dataset_result *described);
void batch_close(struct batch *batch);

// Whether a cell is of this batch; coverage maps, which have no dataset, are of the first.
bool batch_holds(const struct batch *batch, const struct plan_cell *cell);
// The elements of the dataset at a place, which counts from `first`.
void *batch_data(const struct batch *batch, size_t place);

#endif
