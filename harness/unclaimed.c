// SPDX-License-Identifier: MIT
// What is said of rows that come along and claim no accuracy: a sentence for each file, plug-in or program, not for
// each of its rows.
#include "harness/note.h"
#include "harness/runner.h"
#include "harness/support.h"

#include <stdlib.h>
#include <string.h>

static bool is_unclaimed(const struct variant_result *row, const char *arguments) {
    return row->brought && row->cell_count && !strcmp(row->arguments, arguments) &&
           !strcmp(row->claims[CLAIM_ACCURACY].value, accuracy_name(REDUCTIO_ACCURACY_NOT_CLAIMED));
}

// A name stands once, whatever the number of its types.
static bool was_named(const struct run_result *result, size_t row, const char *arguments) {
    for (size_t v = 0; v < row; v++)
        if (is_unclaimed(&result->variants[v], arguments) &&
            !strcmp(result->variants[v].name, result->variants[row].name))
            return true;
    return false;
}

static char *list_names(const struct run_result *result, const char *arguments, size_t *count) {
    char *names = NULL;
    *count = 0;
    for (size_t v = 0; v < result->variant_count; v++) {
        if (!is_unclaimed(&result->variants[v], arguments) || was_named(result, v, arguments))
            continue;
        char *longer = text_format("%s%s%s", names ? names : "", names ? ", " : "", result->variants[v].name);
        free(names);
        names = longer;
        ++*count;
    }
    return names;
}

void note_unclaimed_accuracy(struct run_result *result) {
    for (size_t v = 0; v < result->variant_count; v++) {
        const struct variant_result *row = &result->variants[v];
        size_t count;
        if (!row->brought || !is_unclaimed(row, row->arguments))
            continue;
        char *names = list_names(result, row->arguments, &count);
        const bool one = count == 1;
        add_note(result, text_format("%s claim%s no accuracy and %s held to the bound that any order of additions "
                                     "meets. What %s could claim: reductio order %s",
                                     names, one ? "s" : "", one ? "was" : "were", one ? "it" : "they", row->arguments));
        free(names);
    }
}
