// SPDX-License-Identifier: MIT
// Of what the results made by hand are put together (sample_result.c, sample_large.c).
#ifndef REDUCTIO_SAMPLE_PARTS_H
#define REDUCTIO_SAMPLE_PARTS_H

#include "harness/result.h"

// These three abort where there is no memory.
void *sample_need(void *memory);
char *sample_copy(const char *text);
char *sample_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
finding_set sample_set_of(enum finding finding);

// Everything of a run but its variants, datasets and cells.
void sample_fill_run(struct run_result *run);
void sample_fill_claims(struct variant_result *variant, bool breaks);
// dataset: SIZE_MAX for a coverage map.
struct cell_result sample_make_cell(const struct run_result *run, size_t variant, size_t dataset, enum finding head);
void sample_fill_figures(struct cell_result *cell);
void sample_set_patterns(struct cell_result *cell, const struct bit_pattern *patterns, size_t count);
void sample_set_text(char **member, const char *text);

#endif
