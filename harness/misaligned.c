// SPDX-License-Identifier: MIT
// Rows that fail for the address of their input alone. Vector loads need what cudaMalloc gives, and a descriptor can
// say so; whoever wrote the kernel for such callers would otherwise meet nothing but faults that no caller of his sees.
#include "harness/note.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <string.h>

// Counts its bad cells, and returns false where one failed for another reason.
static bool fails_misaligned(const struct run_result *result, size_t variant, size_t *bad) {
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        if (cell->variant != variant || !finding_is_bad(cell->head))
            continue;
        ++*bad;
        if (!cell->offset || !cell->detail || !strstr(cell->detail, "misaligned address"))
            return false;
    }
    return *bad > 0;
}

void note_misaligned_rows(struct run_result *result) {
    for (size_t v = 0; v < result->variant_count; v++) {
        const struct variant_result *variant = &result->variants[v];
        size_t bad = 0;
        if (!variant->fault_finding && fails_misaligned(result, v, &bad))
            add_note(result,
                     text_format("%s@%s/%s fails at misaligned base addresses alone, in %zu of %zu cells. If all "
                                 "its callers pass what cudaMalloc gives, say .fixed_placement = true in its "
                                 "descriptor.",
                                 variant->name, variant->backend, variant->type, bad, variant->cell_count));
    }
}
