// SPDX-License-Identifier: MIT
#include "harness/own/lack.h"

#include "harness/support.h"
#include "text/foreign_text.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// What compilers and their parts end a line with, behind a colon, where a call of the system failed or memory ran out.
static const int no_room[] = {ENOSPC, EDQUOT};
static const int no_means[] = {ENOMEM, EMFILE, ENFILE, EAGAIN};
static const char *const no_memory[] = {"out of memory",             // EDG in nvcc, LLVM, our translator
                                        "memory exhausted",          // ld
                                        "Memory allocation failure", // ptxas
                                        "failed to map segment from shared object"}; // the loader of any program

// ---- one line ----

static bool begins_with_one_of(const char *text, const char *const *words) {
    for (; *words; words++)
        if (strncmp(text, *words, strlen(*words)) == 0)
            return true;
    return false;
}

// What stands behind "FILE:3:5: " or "FILE(3): "; NULL where a line does not begin with a place.
static const char *message_of_place(const char *line) {
    static const char *const kinds[] = {"error", "warning", "note", "remark", "fatal error", "catastrophic error",
                                        NULL};
    for (const char *colon = strstr(line, ": "); colon; colon = strstr(colon + 2, ": "))
        if (colon > line && (isdigit((unsigned char)colon[-1]) || colon[-1] == ')') &&
            begins_with_one_of(colon + 2, kinds))
            return colon + 2;
    return NULL;
}

// The words of such a line may be the file's; only what ends a compiler itself is more than an error.
static bool is_about_the_file(const char *line) {
    static const char *const ends[] = {"fatal error", "catastrophic error", NULL};
    const char *message = message_of_place(line);
    return isspace((unsigned char)*line) || (message && !begins_with_one_of(message, ends));
}

static bool ends_with(const char *line, const char *words) {
    size_t length = strlen(line), wanted = strlen(words);
    while (length && strchr(" \r.'\"", line[length - 1]))
        length--;
    if (length < wanted || strncmp(line + length - wanted, words, wanted) != 0)
        return false;
    length -= wanted;
    if (length && line[length - 1] == '\'') // clang quotes it
        length--;
    return length >= 2 && strncmp(line + length - 2, ": ", 2) == 0;
}

static bool ends_with_error(const char *line, const int *errors, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (ends_with(line, strerror(errors[i])))
            return true;
    return false;
}

// As g++, clang++ and collect2 tell of a part of theirs that a signal ended. g++ calls it an error of its own where the
// part brought the signal upon itself.
static bool names_signal_from_outside(const char *line) {
    for (int number = 1; number < NSIG; number++) {
        char by_gcc[96], by_clang[96], by_collect2[48];
        snprintf(by_gcc, sizeof by_gcc, "%s signal terminated program ", strsignal(number));
        snprintf(by_clang, sizeof by_clang, "unable to execute command: %s", strsignal(number));
        snprintf(by_collect2, sizeof by_collect2, " terminated with signal %d [", number);
        if (strstr(line, by_gcc) || strstr(line, by_clang) || strstr(line, by_collect2))
            return signal_is_from_outside(number);
    }
    return false;
}

static enum own_lack lack_in_line(const char *line) {
    if (is_about_the_file(line))
        return OWN_LACKS_NOTHING;
    if (ends_with_error(line, no_room, sizeof no_room / sizeof *no_room))
        return OWN_LACKS_ROOM;
    bool lacks = ends_with_error(line, no_means, sizeof no_means / sizeof *no_means) ||
                 names_signal_from_outside(line) || strstr(line, ": out of memory allocating ") || // gcc
                 strstr(line, "throwing an instance of 'std::bad_alloc'");
    for (size_t i = 0; i < sizeof no_memory / sizeof *no_memory; i++)
        lacks |= ends_with(line, no_memory[i]);
    return lacks ? OWN_LACKS_MACHINE : OWN_LACKS_NOTHING;
}

// ---- a program ----

// nvcc runs its parts by a shell, and ends with the shell's code: 128 and the signal.
static int signal_of(const struct gathered *program) {
    if (!program->in_time)
        return 0;
    if (WIFSIGNALED(program->status))
        return WTERMSIG(program->status);
    return WEXITSTATUS(program->status) > 128 ? WEXITSTATUS(program->status) - 128 : 0;
}

enum own_lack own_find_lack(const struct gathered *program, char **words) {
    enum own_lack lack = OWN_LACKS_NOTHING;
    char *said = must_copy_text(program->output.bytes), *rest = NULL;
    int number = signal_of(program);
    *words = NULL;
    bool is_shown = false; // a line of the file below what is said of it
    for (char *line = strtok_r(said, "\n", &rest); line && !lack; line = strtok_r(NULL, "\n", &rest)) {
        lack = is_shown ? OWN_LACKS_NOTHING : lack_in_line(line);
        is_shown = message_of_place(line) != NULL;
        if (lack) {
            text_clean(line, strlen(line));
            *words = must_copy_text(line);
        }
    }
    free(said);
    if (!lack && number && signal_is_from_outside(number)) {
        lack = OWN_LACKS_MACHINE;
        *words =
            text_format("it was stopped by signal %d (%s), as it is where memory runs out.", number, strsignal(number));
    }
    return lack;
}
