// SPDX-License-Identifier: MIT
// What is understood and cannot be mended today becomes a line of reductio-known.txt, one for each finding that the
// cells in question have in a results file. The line fails the gate once its defect is gone.
#include "cases/input_file.h"
#include "harness/cli/commands.h"
#include "harness/cli/outputs.h"
#include "harness/support.h"
#include "reports/text.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct acceptance {
    const char *glob, *reason, *path;
    finding_set findings; // to be listed
    size_t cells;         // that have them
};

// A line is split at '|', ends at its end, and is a comment behind '#'.
static int check_words(const struct options *options) {
    if (options->word_count != 1)
        return refuse_usage("accept wants one cell or a glob of cells.");
    const char *glob = options->words[0];
    if (!*glob || *glob == '#' || strpbrk(glob, "|\r\n") || strspn(glob, " \t") || strlen(glob) > 500)
        return refuse_usage("\"%s\" can be no glob of reductio-known.txt.", glob);
    if (!options->reason || !options->reason[strspn(options->reason, " \t")])
        return refuse_usage("accept wants a reason: --reason \"why, or a link\".");
    if (strpbrk(options->reason, "\r\n") || strlen(options->reason) > 1000)
        return refuse_usage("the reason must fit on one line.");
    enum finding finding;
    if (options->finding && (!finding_parse(options->finding, &finding) || !finding_is_bad(finding)))
        return refuse_usage("\"%s\" is no bad finding.", options->finding);
    return EXIT_FINE;
}

static void collect_findings(struct acceptance *acceptance, const json_t *run, const char *only) {
    size_t i;
    json_t *cell;
    json_array_foreach(json_object_get(run, "cells"), i, cell) {
        const char *head = text_of(cell, "head");
        enum finding finding;
        if (fnmatch(acceptance->glob, text_of(cell, "id"), 0) != 0 ||
            !json_array_size(json_object_get(cell, "broken")) || (only && strcmp(head, only) != 0) ||
            !finding_parse(head, &finding))
            continue;
        acceptance->findings |= (finding_set)1 << finding;
        acceptance->cells++;
    }
}

static bool is_listed(const struct known_list *known, const char *glob, enum finding finding) {
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->lines[i].glob, glob) == 0 && known->lines[i].finding == finding &&
            strcmp(known->lines[i].condition, "-") == 0) {
            printf("%s:%u lists \"%s\" as %s already.\n", known->path, known->lines[i].line, glob,
                   finding_word(finding));
            return true;
        }
    return false;
}

static void leave_out_what_is_listed(struct acceptance *acceptance, const struct known_list *known) {
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++)
        if ((acceptance->findings >> finding & 1) && is_listed(known, acceptance->glob, finding))
            acceptance->findings &= ~((finding_set)1 << finding);
}

// The file as it is, with a last line that ends.
static bool copy_file(const char *path, FILE *out, char *message) {
    char fault[INPUT_FAULT];
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return true;
    FILE *in = input_file_open(path, fault);
    int last = '\n';
    for (int byte; in && (byte = fgetc(in)) != EOF; last = byte)
        fputc(byte, out);
    bool good = in && !ferror(in);
    if (!good)
        snprintf(message, REPORT_MESSAGE, "%.400s cannot be read: %s.", path, in ? strerror(errno) : fault);
    if (in)
        fclose(in);
    if (last != '\n')
        fputc('\n', out);
    return good;
}

static bool write_lines(const void *what, FILE *out, char *message) {
    const struct acceptance *acceptance = what;
    if (!copy_file(acceptance->path, out, message))
        return false;
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++)
        if (acceptance->findings >> finding & 1)
            fprintf(out, "%s | %s | - | %s\n", acceptance->glob, finding_word(finding), acceptance->reason);
    return true;
}

// Of two at once the second waits, so that the lines of both are there. Where a folder cannot be locked nobody waits.
static int lock_folder(const char *path) {
    char *copy = must_copy_text(path);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    if (folder >= 0)
        (void)flock(folder, LOCK_EX);
    return folder;
}

static int add_lines(struct acceptance *acceptance) {
    struct known_list known;
    char message[REPORT_MESSAGE];
    char *fault = known_load(&known, acceptance->path, true); // the first line makes the file
    if (fault) {
        refuse_usage("%s", fault);
        free(fault);
        known_free(&known);
        return EXIT_USAGE;
    }
    leave_out_what_is_listed(acceptance, &known);
    known_free(&known);
    if (!acceptance->findings)
        return EXIT_FINE;
    if (!save_whole(acceptance->path, write_lines, acceptance, message))
        return refuse_usage("%s", message);
    printf("%s: \"%s\" is accepted in %zu cell%s:", acceptance->path, acceptance->glob, acceptance->cells,
           PLURAL(acceptance->cells));
    for (enum finding finding = 0; finding < FINDING_COUNT; finding++)
        if (acceptance->findings >> finding & 1)
            printf(" [%s]", finding_word(finding));
    putchar('\n');
    return EXIT_FINE;
}

int command_accept(const struct command_line *line) {
    const struct options *options = line->options;
    const char *results = options->results ? options->results : "results.json";
    int code = check_words(options);
    if (code != EXIT_FINE)
        return code;
    struct acceptance acceptance = {
        .glob = options->words[0], .reason = options->reason, .path = options->known ? options->known : KNOWN_FILE};
    json_t *run = output_can_be_made(acceptance.path) ? load_results(results) : NULL;
    if (!run)
        return EXIT_USAGE;
    collect_findings(&acceptance, run, options->finding);
    json_decref(run);
    if (!acceptance.cells) {
        say_error("no cell of %s that matches \"%s\" breaks a claim%s%s.", results, acceptance.glob,
                  options->finding ? " by the finding " : "", options->finding ? options->finding : "");
        return EXIT_USAGE;
    }
    int folder = lock_folder(acceptance.path);
    code = add_lines(&acceptance);
    if (folder >= 0)
        close(folder);
    return code;
}
