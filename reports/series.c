// SPDX-License-Identifier: MIT
#include "reports/series.h"
#include "reports/svg.h"
#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

bool series_make(struct series *series, size_t room) {
    *series = (struct series){.names = calloc(room + 1, sizeof *series->names), .room = room};
    return series->names != NULL;
}

void series_free(struct series *series) {
    free(series->names);
    *series = (struct series){0};
}

unsigned series_mark(struct series *series, enum series_kind kind, const char *name) {
    for (size_t i = 0; i < series->count; i++)
        if (series->names[i].kind == kind && !strcmp(series->names[i].name, name))
            return (unsigned)i;
    if (series->count < series->room)
        series->names[series->count++] = (struct series_name){kind, name};
    return (unsigned)(series->count - 1);
}

void write_series_item(unsigned mark, const char *name, const char *more, FILE *out) {
    fputs("<li><svg viewBox=\"0 0 14 12\" aria-hidden=true>", out);
    svg_mark(out, 7, 6, mark);
    fputs("</svg> ", out);
    write_escaped(name, out);
    fputs(more, out);
}
