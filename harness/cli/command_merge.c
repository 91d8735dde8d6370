// SPDX-License-Identifier: MIT
// The shards of one run become one results file, with the exit code that the run in one piece would have had.
#include "harness/cli/commands.h"
#include "harness/environment.h"
#include "harness/merge.h"
#include "harness/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool load_shard(struct shard *shard, const char *path) {
    char message[REPORT_MESSAGE];
    json_t *run = load_results(path);
    if (!run)
        return false;
    *shard = (struct shard){.name = path};
    bool good = result_of_report(run, &shard->result, message);
    json_decref(run);
    if (!good)
        harness_failed("%s", message);
    return true;
}

static int close_whole(const struct run_result *whole, const struct options *options, const json_t *baseline) {
    int code = check_baseline(options, baseline, whole->seed, whole->tier, false);
    if (code != EXIT_FINE)
        return code;
    bool gate = strcmp(whole->command, "check") == 0 || baseline;
    return gate ? close_gate(whole, options, baseline) : close_run(whole, options);
}

static int merge(struct shard *shards, const struct command_line *line, const json_t *baseline) {
    const struct options *options = line->options;
    struct run_result whole;
    struct known_list known;
    if (!load_known(&known, options))
        return EXIT_USAGE;
    char *fault = merge_shards(shards, options->word_count, &known, &whole);
    int code = EXIT_USAGE;
    if (fault) {
        say_error("%s", fault);
    } else {
        record_command_line(&whole, line->argv, line->argc);
        code = close_whole(&whole, options, baseline);
    }
    free(fault);
    known_free(&known);
    run_result_free(&whole);
    return code;
}

static int load_and_merge(const struct command_line *line, const json_t *baseline) {
    const struct options *options = line->options;
    size_t loaded = 0;
    struct shard *shards = must_calloc(options->word_count, sizeof *shards);
    while (loaded < options->word_count && load_shard(&shards[loaded], options->words[loaded]))
        loaded++;
    int code = loaded == options->word_count ? merge(shards, line, baseline) : EXIT_USAGE;
    for (size_t i = 0; i < loaded; i++)
        run_result_free(&shards[i].result);
    free(shards);
    return code;
}

int command_merge(const struct command_line *line) {
    const struct options *options = line->options;
    json_t *baseline = NULL;
    if (!options->word_count) {
        say_error("merge wants the results files of the shards.");
        return EXIT_USAGE;
    }
    int code = load_baseline(options, &baseline);
    if (code == EXIT_FINE)
        code = load_and_merge(line, baseline);
    json_decref(baseline);
    return code;
}
