// SPDX-License-Identifier: MIT
// From one run, every file that the options ask for.
#include "cases/input_file.h"
#include "harness/cli/commands.h"
#include "harness/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMATS = 7 };

struct wanted_file {
    const char *path;
    report_writer *writer;
};

static void list_files(const struct options *options, struct wanted_file files[FORMATS]) {
    files[0] = (struct wanted_file){options->json, report_write_json};
    files[1] = (struct wanted_file){options->html, report_write_html};
    files[2] = (struct wanted_file){options->junit, report_write_junit};
    files[3] = (struct wanted_file){options->markdown, report_write_markdown};
    files[4] = (struct wanted_file){options->csv, report_write_csv};
    files[5] = (struct wanted_file){options->tap, report_write_tap};
    files[6] = (struct wanted_file){options->claims, report_write_claims};
}

bool names_a_file(const struct options *options) {
    struct wanted_file files[FORMATS];
    bool named = options->github;
    list_files(options, files);
    for (size_t i = 0; i < FORMATS; i++)
        named |= files[i].path != NULL;
    return named;
}

bool append_step_summary(whole_writer *writer, const void *what) {
    char message[REPORT_MESSAGE] = "";
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (!path || !*path)
        return true;
    FILE *out = fopen(path, "a");
    bool good = out && writer(what, out, message);
    bool written = !out || (fflush(out) == 0 && !ferror(out));
    bool closed = !out || fclose(out) == 0;
    if (good && written && closed)
        return true;
    say_error("GITHUB_STEP_SUMMARY: %s", *message ? message : strerror(errno));
    return false;
}

// Commands to the runner of a GitHub job, which reads them from both streams of a step.
static bool print_annotations(const json_t *run) {
    char message[REPORT_MESSAGE];
    if (report_write_github(run, stdout, message))
        return true;
    say_error("%s", message);
    return false;
}

int write_files(const json_t *run, const struct options *options) {
    struct wanted_file files[FORMATS];
    char message[REPORT_MESSAGE];
    bool good = true;
    list_files(options, files);
    for (size_t i = 0; i < FORMATS; i++)
        if (files[i].path && !report_save(files[i].path, files[i].writer, run, message)) {
            say_error("%s", message);
            good = false;
        }
    if (options->github)
        good = print_annotations(run) && good;
    return good ? EXIT_FINE : EXIT_USAGE;
}

static bool write_summary(const void *run, FILE *out, char *message) {
    return report_write_markdown(run, out, message);
}

int announce_on_github(const json_t *run, const struct options *options) {
    const char *actions = getenv("GITHUB_ACTIONS");
    bool good = append_step_summary(write_summary, run);
    bool asked = options->github; // then write_files has printed them
    if (!asked && actions && strcmp(actions, "true") == 0)
        good = print_annotations(run) && good;
    return good ? EXIT_FINE : EXIT_USAGE;
}

json_t *load_results(const char *path) {
    char message[REPORT_MESSAGE], fault[INPUT_FAULT];
    json_t *run;
    if (!input_file_check(path, fault))
        say_error("%s: %s.", path, fault);
    else if (report_load(path, &run, message))
        return run;
    else
        say_error("%s", message);
    return NULL;
}
