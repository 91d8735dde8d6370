// SPDX-License-Identifier: MIT
// Test support: writes reports of a sample result. write_sample plain|empty|one|CELLS|RESULTS.json
// json|html|terminal|junit|markdown|csv|tap|github|study FILE [FORMAT FILE ...]
#include "reports/reports.h"
#include "reports/sample_result.h"

#include <stdlib.h>
#include <string.h>

static report_writer *writer_named(const char *name) {
    static const struct {
        const char *name;
        report_writer *writer;
    } writers[] = {{"json", report_write_json},   {"terminal", report_write_terminal}, {"html", report_write_html},
                   {"junit", report_write_junit}, {"markdown", report_write_markdown}, {"csv", report_write_csv},
                   {"tap", report_write_tap},     {"github", report_write_github},     {"study", report_write_study}};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (!strcmp(writers[i].name, name))
            return writers[i].writer;
    return NULL;
}

static struct run_result result_named(const char *name) {
    if (!strcmp(name, "plain"))
        return sample_result();
    if (!strcmp(name, "one"))
        return sample_one_broken_result(7000);
    return strcmp(name, "empty") ? sample_large_result(strtoul(name, NULL, 10)) : sample_empty_result();
}

static json_t *run_named(const char *name, char *message) {
    json_t *run;
    if (strstr(name, ".json")) {
        report_load(name, &run, message);
        return run;
    }
    struct run_result result = result_named(name);
    run = report_of_result(&result, message);
    run_result_free(&result);
    return run;
}

int main(int argc, char **argv) {
    char message[REPORT_MESSAGE] =
        "usage: write_sample plain|empty|one|CELLS|RESULTS.json FORMAT FILE [FORMAT FILE ...]";
    bool understood = argc >= 4 && argc % 2 == 0;
    for (int i = 2; i < argc && understood; i += 2)
        understood = writer_named(argv[i]) != NULL;
    if (!understood) {
        fprintf(stderr, "%s\n", message);
        return 2;
    }
    json_t *run = run_named(argv[1], message);
    bool good = run != NULL;
    for (int i = 2; i < argc && good; i += 2)
        good = report_save(argv[i + 1], writer_named(argv[i]), run, message);
    json_decref(run);
    if (!good)
        fprintf(stderr, "%s\n", message);
    return good ? 0 : 1;
}
