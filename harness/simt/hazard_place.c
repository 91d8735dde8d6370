// SPDX-License-Identifier: MIT
#include "harness/simt/hazard_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of compiler-rt (sanitizer_common): writes the frames at a code address, innermost first, each ended by a zero byte.
void __sanitizer_symbolize_pc(void *pc, const char *format, char *text, size_t size);

// The headers that stand in for CUDA's are nobody's kernel.
static bool is_own_header(const char *frame) {
    return strstr(frame, "/simt/include/") != NULL;
}

static bool parse_frame(const char *frame, struct hazard_place *place) {
    const char *name = simt_file_name(frame), *colon = strrchr(name, ':');
    if (!colon || is_own_header(frame) || atoi(colon + 1) <= 0)
        return false;
    snprintf(place->file, sizeof place->file, "%.*s", (int)(colon - name), name);
    place->line = atoi(colon + 1);
    return true;
}

bool hazard_find_place(void *const *trace, size_t depth, struct hazard_place *place) {
    char frames[4096];
    for (size_t i = 0; i < depth && trace[i]; i++) {
        memset(frames, 0, sizeof frames);
        // A trace holds return addresses: the access itself lies before.
        __sanitizer_symbolize_pc((char *)trace[i] - 1, "%s:%l", frames, sizeof frames - 1);
        for (const char *frame = frames; *frame; frame += strlen(frame) + 1) {
            if (parse_frame(frame, place))
                return true;
        }
    }
    *place = (struct hazard_place){.file = "?"};
    return false;
}
