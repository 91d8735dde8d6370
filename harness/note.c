// SPDX-License-Identifier: MIT
#include "harness/note.h"

#include "harness/result.h"
#include "harness/support.h"

#include <stdlib.h>
#include <string.h>

void add_note(struct run_result *result, char *sentence) {
    for (size_t i = 0; i < result->note_count; i++)
        if (strcmp(result->notes[i], sentence) == 0) {
            free(sentence);
            return;
        }
    result->notes = grow_array(result->notes, result->note_count, sizeof *result->notes);
    result->notes[result->note_count++] = sentence;
}
