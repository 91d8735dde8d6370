// SPDX-License-Identifier: MIT
// The backend of programs that sum: an array goes to another process and bits come back. README.md here describes the
// two ways in which it does.
#include "harness/cell.h"
#include "harness/exec/hello.h"
#include "harness/exec/path_program.h"
#include "harness/exec/program.h"
#include "harness/guarded.h"
#include "harness/host/host_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The interface has no context argument, and a worker serves one program.
static struct {
    struct program program;
    struct hello hello;
    const char *path_command;        // of a program that is started for each array; NULL otherwise
    const struct hello_row *serving; // the one row that will be asked, for its height
    enum work_outcome broken_as;     // what went wrong where it could not be told at once
    char broken[BACKEND_MESSAGE];    // empty: nothing
} state;

// ---- the rows ----

static size_t ask_height(size_t n, struct reductio_shape shape) {
    size_t most = n ? n - 1 : 0; // no tree of n leaves is higher
    const struct hello_row *row = state.serving;
    struct sum_request request = {.row = (uint32_t)(row - state.hello.rows), .n = n};
    struct sum_answer answer;
    (void)shape;
    if (!row->tells_height || state.broken[0])
        return most;
    request.result_bytes = sizeof answer.bits;
    state.broken_as = program_ask(&state.program, FRAME_HEIGHT, &request, NULL, &answer, state.broken);
    if (state.broken_as != WORK_DONE)
        return most;
    return answer.bits; // the worker refuses one that no tree has
}

static void choose_serving(const struct worker_errand *errand) {
    for (size_t i = 0; i < state.hello.row_count; i++) {
        struct hello_row *row = &state.hello.rows[i];
        if (row->claims_height)
            row->variant.claims.height = ask_height;
        if (errand->variant && strcmp(row->variant.name, errand->variant) == 0 &&
            strcmp(row->variant.type, errand->type) == 0)
            state.serving = row;
    }
}

// Ends the worker where the program was ended by somebody or there is no memory for it (WORKER_LOST), or where there is
// no such program (WORKER_NO_PROGRAM): that says nothing of its rows.
static _Noreturn void give_up(int code, const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(code);
}

// A program that gives no number in any type is broken; one of which a type is missing has the other.
static bool open_path_program(const char *command, bool tried, char *message) {
    bool missing = false;
    state.path_command = command;
    enum work_outcome outcome = path_program_rows(&state.hello, command, tried, &missing, message);
    if (missing)
        give_up(WORKER_NO_PROGRAM, message);
    if (outcome == WORK_LOST || outcome == WORK_NOT_POSSIBLE)
        give_up(WORKER_LOST, message);
    return outcome == WORK_DONE;
}

static bool open_program(const struct worker_errand *errand, char *message) {
    bool asks_all = !errand->variant;
    char *text;
    if (path_program_is_one(errand->load))
        return open_path_program(errand->load, asks_all, message);
    if (!program_start(&state.program, errand->load, true, asks_all, message) ||
        program_hello(&state.program, &text, message) == WORK_LOST)
        give_up(WORKER_LOST, message);
    if (!text && asks_all && program_is_missing(&state.program))
        give_up(WORKER_NO_PROGRAM, message);
    bool good = text && hello_read(&state.hello, text, message);
    free(text);
    return good;
}

const struct reductio_variant *const *backend_variants(const struct worker_errand *errand, char *message) {
    char device[16];
    if (!errand->load) {
        snprintf(message, BACKEND_MESSAGE, "This worker was not told which program to start.");
        return NULL;
    }
    snprintf(device, sizeof device, "%d", errand->device);
    if (setenv("REDUCTIO_DEVICE", device, 1) != 0) {
        give_up(WORKER_LOST, "There is no memory to start the program.");
    }
    if (!open_program(errand, message))
        return NULL;
    choose_serving(errand);
    return state.hello.variants;
}

bool backend_environment(int index, const char **key, const char **value) {
    if (index < 0 || (size_t)index >= state.hello.line_count)
        return false;
    *key = state.hello.lines[index].key;
    *value = state.hello.lines[index].value;
    return true;
}

bool backend_open(int device, char *message) {
    (void)device, (void)message; // the program was told
    return true;
}

// ---- a sum ----

static enum work_outcome sum_by_path(const struct reductio_variant *variant, uint64_t n, uint64_t *bits,
                                     char *message) {
    enum float_type in, out;
    variant_type_parse(variant->type, &in, &out); // checked with the hello
    bool missing;
    return path_program_sum(state.path_command, in, out, host_memory(ROLE_INPUT), n, bits, &missing, message);
}

static enum work_outcome sum_by_pipe(const struct reductio_variant *variant, uint64_t n, uint64_t *bits, uint64_t *ns,
                                     char *message) {
    enum float_type in, out;
    const unsigned char *x = host_memory(ROLE_INPUT);
    struct sum_answer answer;
    variant_type_parse(variant->type, &in, &out);
    struct sum_request request = {.row = (uint32_t)((const struct hello_row *)variant - state.hello.rows),
                                  .element_bytes = (uint32_t)float_format(in)->size,
                                  .result_bytes = (uint32_t)float_format(out)->size,
                                  .n = n};
    request.offset = (uint32_t)((uintptr_t)x % GUARDED_ALIGNMENT / request.element_bytes);
    memcpy(&request.token, host_memory(ROLE_OUTPUT), request.result_bytes);
    enum work_outcome outcome = program_ask(&state.program, FRAME_SUM, &request, x, &answer, message);
    if (outcome != WORK_DONE)
        return outcome;
    *bits = answer.bits;
    if (answer.ns)
        *ns = answer.ns;
    return WORK_DONE;
}

enum work_outcome backend_launch(const struct reductio_variant *variant, uint64_t n, struct reductio_shape shape,
                                 struct schedule schedule, uint64_t *ns, char *message) {
    uint64_t bits = 0, start = host_nanoseconds();
    (void)shape, (void)schedule;
    *ns = 0;
    if (state.broken[0]) {
        memcpy(message, state.broken, BACKEND_MESSAGE);
        return state.broken_as == WORK_LOST ? WORK_LOST : WORK_CRASHED;
    }
    enum work_outcome outcome =
        state.path_command ? sum_by_path(variant, n, &bits, message) : sum_by_pipe(variant, n, &bits, ns, message);
    if (*ns == 0)
        *ns = host_nanoseconds() - start;
    if (outcome == WORK_DONE) {
        enum float_type in, out;
        variant_type_parse(variant->type, &in, &out);
        memcpy(host_memory(ROLE_OUTPUT), &bits, float_format(out)->size);
    }
    return outcome;
}

enum work_outcome backend_time_calls(const struct reductio_variant *variant, const struct call_series *series,
                                     uint64_t *ns, char *message) {
    enum work_outcome outcome = WORK_DONE;
    *ns = 0;
    for (uint64_t i = 0; i < series->calls && outcome == WORK_DONE; i++) {
        uint64_t one;
        outcome = backend_launch(variant, series->n, series->shape, series->schedule, &one, message);
        *ns += one;
    }
    return outcome;
}

enum work_outcome backend_time_reads(const struct call_series *series, size_t bytes, uint64_t *ns, char *message) {
    (void)series, (void)bytes, (void)message;
    *ns = 0;
    return WORK_DONE;
}

// What a program caches is its own: one copy, and times that are no measure of memory.
size_t backend_cache_span(void) {
    return 0;
}
