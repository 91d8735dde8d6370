// SPDX-License-Identifier: MIT
// For tests of what is written: a report as text, and what stands in it.
#ifndef REDUCTIO_TEST_TEXT_H
#define REDUCTIO_TEST_TEXT_H

#include "reports/reports.h"

// What a writer makes of a run, from malloc; the writer must succeed and leave the run as it was. The run is given up.
char *text_of_run(report_writer *writer, json_t *run);
char *text_from(report_writer *writer, struct run_result result);

// Where the words stand; a failure of the test if they do not.
const char *expect(const char *text, const char *words);
void refuse(const char *text, const char *words);
size_t count(const char *text, const char *words);

#endif
