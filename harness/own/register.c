// SPDX-License-Identifier: MIT
// The register of a worker that was built from a user's own file: each REDUCTIO_VARIANT enters itself before main.
#include "harness/backend.h"

#include <stdio.h>

enum { MOST_VARIANTS = 64 };

static const struct reductio_variant *variants[MOST_VARIANTS + 1];
static size_t count;

void reductio_register(const struct reductio_variant *variant, bool takes_its_type) {
    if (!takes_its_type)
        return;
    if (count < MOST_VARIANTS)
        variants[count] = variant;
    count++;
}

const struct reductio_variant *const *backend_variants(const struct worker_errand *errand, char *message) {
    (void)errand;
    if (count <= MOST_VARIANTS) // none: another of the file's types has them, or the command line tells
        return variants;
    snprintf(message, BACKEND_MESSAGE, "The file holds %zu descriptors; %d are the most.", count, MOST_VARIANTS);
    return NULL;
}
