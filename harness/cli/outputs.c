// SPDX-License-Identifier: MIT
#include "harness/cli/outputs.h"

#include "harness/support.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool try_output(const char *path) {
    char message[REPORT_MESSAGE];
    if (save_try(path, message))
        return true;
    say_error("%s", message);
    return false;
}

bool output_can_be_made(const char *path) {
    char *copy = must_copy_text(path), *above = dirname(copy);
    struct stat status;
    bool direct = true;
    for (; stat(above, &status) != 0 && errno == ENOENT; above = dirname(above))
        direct = false;
    bool good = direct || access(above, W_OK | X_OK) == 0; // in what is no folder nothing can be looked for either
    int error = errno;
    free(copy);
    if (direct)
        return try_output(path);
    if (!good)
        say_error("%s cannot be written: %s.", path, strerror(error));
    return good;
}

// ---- files that are one ----

// Two names of one regular file, or of one that is not there yet. Devices take what they are given.
static bool is_same_place(const char *a, const char *b) {
    struct stat first, second;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return strcmp(a, b) == 0;
    bool first_is = stat(a, &first) == 0, second_is = stat(b, &second) == 0;
    if (first_is && second_is)
        return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    if (first_is || second_is)
        return false;
    char *x = must_copy_text(a), *y = must_copy_text(b), *in_x = must_copy_text(a), *in_y = must_copy_text(b);
    bool same = strcmp(basename(x), basename(y)) == 0 && stat(dirname(in_x), &first) == 0 &&
                stat(dirname(in_y), &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    free(x);
    free(y);
    free(in_x);
    free(in_y);
    return same;
}

static bool is_apart_from_outputs(const struct options *options, enum option_id option) {
    for (int other = 0; other < (int)option; other++) {
        const char *path = option_output(options, (enum option_id)other);
        if (path && is_same_place(path, option_output(options, option))) {
            say_error("%s and %s both go to %s.", option_spelling((enum option_id)other), option_spelling(option),
                      path);
            return false;
        }
    }
    return true;
}

static bool is_apart_from_input(const char *input, const char *output, enum option_id option) {
    if (!input || strcmp(input, "-") == 0 || !is_same_place(input, output))
        return true;
    say_error("%s %s would replace what is to be read.", option_spelling(option), output);
    return false;
}

static bool is_apart_from_inputs(const struct command *command, const struct options *options, enum option_id option) {
    const char *output = option_output(options, option);
    const struct text_list *lists[] = {&options->files, &options->plugins};
    bool apart = true;
    for (size_t i = 0; apart && command->words_are_files && i < options->word_count; i++)
        apart = is_apart_from_input(options->words[i], output, option);
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; apart && i < lists[l]->count; i++)
            apart = is_apart_from_input(lists[l]->items[i], output, option);
    for (int input = 0; apart && input < OPTION_COUNT; input++)
        apart = is_apart_from_input(option_input(options, (enum option_id)input), output, option);
    return apart;
}

// GitHub's file is appended to.
static bool step_summary_is_writable(void) {
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (!path || !*path)
        return true;
    if (access(path, W_OK) == 0)
        return !save_goes_to_standard_output(path) || try_output(path);
    if (errno == ENOENT && try_output(path)) // it is made, its folder is not
        return true;
    if (errno != ENOENT)
        say_error("GITHUB_STEP_SUMMARY: %s.", strerror(errno));
    return false;
}

bool outputs_can_be_written(const struct command *command, const struct options *options) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        enum option_id option = (enum option_id)id;
        const char *path = option_output(options, option);
        if (path && (!try_output(path) || !is_apart_from_outputs(options, option) ||
                     !is_apart_from_inputs(command, options, option)))
            return false;
    }
    return !command->tells_github || step_summary_is_writable();
}
