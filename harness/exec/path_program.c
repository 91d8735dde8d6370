// SPDX-License-Identifier: MIT
#include "harness/exec/path_program.h"

#include "harness/exec/program.h"
#include "harness/npy.h"
#include "harness/support.h"
#include "text/foreign_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLACE "{}"

enum { PRINTED_BYTES = 256, SHOWN_BYTES = 60, STATUS_TEXT = 80, NAME_BYTES = 40 };

bool path_program_is_one(const char *command) {
    return strstr(command, PLACE) != NULL;
}

// ---- one sum ----

// The array as a file in memory. Its path leads through this process, so that the program's own children find it too,
// and it is gone with this process, however that ends.
static int write_array(enum float_type type, const void *x, uint64_t n, char *path, size_t size) {
    int fd = memfd_create("reductio-array.npy", MFD_CLOEXEC);
    int copy = fd < 0 ? -1 : dup(fd); // closing the stream must not take the file along
    FILE *file = copy < 0 ? NULL : fdopen(copy, "wb");
    bool written = file && npy_write(file, type, x, n);
    written = file && fclose(file) == 0 && written;
    if (!file && copy >= 0)
        close(copy);
    if (!written && fd >= 0)
        close(fd);
    snprintf(path, size, "/proc/%d/fd/%d", (int)getpid(), fd);
    return written ? fd : -1;
}

static char *insert_path(const char *command, const char *path) {
    char *text = must_copy_text("");
    for (const char *place; (place = strstr(command, PLACE)); command = place + strlen(PLACE)) {
        char *longer = text_format("%s%.*s%s", text, (int)(place - command), command, path);
        free(text);
        text = longer;
    }
    char *whole = text_format("%s%s", text, command);
    free(text);
    return whole;
}

// "bits 3f800000", or a number as strtod reads it: decimal, hexadecimal, "inf" or "nan". A number is rounded once.
static bool parse_result(char *text, enum float_type out, uint64_t *bits) {
    char *start = text;
    while (isspace((unsigned char)*start))
        start++;
    for (size_t length = strlen(start); length && isspace((unsigned char)start[length - 1]); length--)
        start[length - 1] = 0;
    if (!*start)
        return false;
    if (strncmp(start, "bits ", 5) == 0) {
        size_t digits = strspn(start + 5, "0123456789abcdefABCDEF");
        *bits = strtoull(start + 5, NULL, 16);
        return digits && !start[5 + digits] && digits <= 2 * float_format(out)->size;
    }
    return float_parse(out, start, bits);
}

static enum work_outcome read_result(struct program *program, enum float_type out, uint64_t *bits, char *message) {
    char printed[PRINTED_BYTES + 1] = "", how[STATUS_TEXT];
    ssize_t got = program_read(program, printed, PRINTED_BYTES);
    int status = program_end(program, how, sizeof how);
    if (status == 0 && got < PRINTED_BYTES && parse_result(printed, out, bits))
        return WORK_DONE;
    printed[strcspn(printed, "\n")] = 0;
    text_clean(printed, strlen(printed));
    if (program_is_missing(program))
        snprintf(message, BACKEND_MESSAGE, "The program cannot be started: the shell %s (exit code %d).",
                 WEXITSTATUS(status) == 127 ? "finds no such command" : "may not execute it", WEXITSTATUS(status));
    else if (status == 0)
        snprintf(message, BACKEND_MESSAGE, "The program printed \"%.*s\"%s where one number is wanted.", SHOWN_BYTES,
                 printed, strlen(printed) > SHOWN_BYTES ? " and more" : "");
    else
        snprintf(message, BACKEND_MESSAGE, "The program %s.", how);
    enum work_outcome outcome = program_end_outcome(program, status);
    return status < 0 || WIFSIGNALED(status) || outcome == WORK_LOST ? outcome : WORK_REFUSED;
}

enum work_outcome path_program_sum(const char *command, enum float_type in, enum float_type out, const void *x,
                                   uint64_t n, uint64_t *bits, bool *missing, char *message) {
    char path[64];
    struct program program;
    enum work_outcome outcome = WORK_NOT_POSSIBLE;
    *missing = false;
    int file = write_array(in, x, n, path, sizeof path);
    if (file < 0) {
        snprintf(message, BACKEND_MESSAGE, "An array of %" PRIu64 " elements cannot be written to memory: %s.", n,
                 strerror(errno));
        return WORK_NOT_POSSIBLE;
    }
    char *line = insert_path(command, path);
    if (program_start(&program, line, false, false, message))
        outcome = read_result(&program, out, bits, message);
    if (outcome != WORK_NOT_POSSIBLE)
        *missing = program_is_missing(&program);
    free(line);
    close(file);
    return outcome;
}

// ---- its rows ----

// The first word that looks like a file ("python3 mysum.py {}", "./mysum {}"), or else the first word, without folders
// and ending.
static void name_program(const char *command, char *name) {
    char *copy = must_copy_text(command), *rest = NULL;
    const char *first = NULL, *file = NULL;
    for (char *word = strtok_r(copy, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest)) {
        if (!first)
            first = word;
        if (!file && *word != '-' && !strstr(word, PLACE) && strpbrk(word, "./"))
            file = word;
    }
    const char *chosen = file ? file : first;
    const char *start = strrchr(chosen, '/') ? strrchr(chosen, '/') + 1 : chosen;
    const char *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    snprintf(name, NAME_BYTES, "%.*s", (int)(length < NAME_BYTES ? length : NAME_BYTES - 1), start);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_-.", *c))
            *c = '_';
    if (!*name)
        snprintf(name, NAME_BYTES, "program");
    free(copy);
}

// NULL where the program sums three numbers of the type, otherwise why it does not.
static char *try_row(const char *command, enum float_type type, enum work_outcome *outcome, bool *missing) {
    static const float narrow[] = {1, 2, 4}, narrow_sum = 7;
    static const double wide[] = {1, 2, 4}, wide_sum = 7;
    bool is_narrow = type == FLOAT_F32;
    uint64_t bits = 0, right = 0;
    char message[BACKEND_MESSAGE];
    memcpy(&right, is_narrow ? (const void *)&narrow_sum : (const void *)&wide_sum, float_format(type)->size);
    *outcome = path_program_sum(command, type, type, is_narrow ? (const void *)narrow : (const void *)wide, 3, &bits,
                                missing, message);
    if (*outcome == WORK_DONE && bits == right)
        return NULL;
    if (*missing)
        return must_copy_text(message);
    if (*outcome != WORK_DONE)
        return text_format("Tried on 1, 2 and 4 in %s: %.400s", float_format(type)->name, message);
    *outcome = WORK_REFUSED;
    return text_format("Tried on 1, 2 and 4 in %s it gave %g.", float_format(type)->name, float_to_double(type, bits));
}

enum work_outcome path_program_rows(struct hello *hello, const char *command, bool tried, bool *missing,
                                    char *message) {
    static const enum float_type types[] = {FLOAT_F32, FLOAT_F64};
    enum { TYPES = sizeof types / sizeof *types };
    enum work_outcome outcomes[TYPES] = {WORK_DONE};
    bool are_missing[TYPES] = {false};
    char name[NAME_BYTES];
    *hello = (struct hello){0};
    name_program(command, name);
    for (size_t i = 0; i < TYPES; i++) {
        struct reductio_variant *variant = &hello_add_row(hello)->variant;
        variant->name = must_copy_text(name);
        variant->type = must_copy_text(float_format(types[i])->name);
        variant->summary = must_copy_text("what a program prints that is given a .npy file");
        variant->absent = tried ? try_row(command, types[i], &outcomes[i], &are_missing[i]) : NULL;
    }
    hello_close_rows(hello);
    *missing = false;
    for (size_t i = 0; i < TYPES; i++)
        if (outcomes[i] == WORK_DONE)
            return WORK_DONE;
    *missing = are_missing[0];
    snprintf(message, BACKEND_MESSAGE, "%.900s", hello->variants[0]->absent);
    return outcomes[0];
}
