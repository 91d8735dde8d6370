// SPDX-License-Identifier: MIT
#include "harness/cards.h"

#include "harness/interrupt.h"
#include "harness/pool/gather.h"
#include "harness/support.h"
#include "text/foreign_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// More than any honest answer holds: a worker that prints without end is stopped here.
enum { ANSWER_LIMIT = 16 * 1024 * 1024, ERROR_LIMIT = 4096 };

static void cut_at_newline(char *text) {
    text[strcspn(text, "\n")] = 0;
}

// The last line that says anything: before it may stand what a library printed while it was loaded.
static const char *last_line(char *text) {
    for (size_t length = strlen(text); length && text[length - 1] == '\n'; length--)
        text[length - 1] = 0;
    const char *newline = strrchr(text, '\n');
    return newline ? newline + 1 : text;
}

// How a sentence about a worker begins.
static void name_subject(const struct worker_command *worker, const char *question, bool in_time, char *text,
                         size_t size) {
    if (worker->subject)
        snprintf(text, size, "%.400s", worker->subject);
    else if (worker->load && !in_time)
        snprintf(text, size, "\"%.400s\"", worker->load);
    else
        snprintf(text, size, "%.400s %.20s", worker->path, question);
}

static enum cards_answer read_end(const struct worker_command *worker, const char *question, bool in_time, int status,
                                  double limit_seconds, char *errors, char *message) {
    char subject[BACKEND_MESSAGE / 2], end[64];
    name_subject(worker, question, in_time, subject, sizeof subject);
    if (!in_time) {
        snprintf(message, BACKEND_MESSAGE, "%s did not answer within %g s.", subject, limit_seconds);
        return CARDS_LATE;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return CARDS_FINE;
    if (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_NO_DEVICE) {
        const char *reason = last_line(errors);
        snprintf(message, BACKEND_MESSAGE, "%.900s", *reason ? reason : "There is no device to run it on.");
        return CARDS_NO_DEVICE;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_NO_PROGRAM) {
        snprintf(message, BACKEND_MESSAGE, "%.900s", last_line(errors)); // behind the shell's own
        return CARDS_NO_PROGRAM;
    }
    cut_at_newline(errors);
    if (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_LOST) {
        snprintf(message, BACKEND_MESSAGE, "%.900s", errors);
        return CARDS_LOST;
    }
    child_describe_status(status, end, sizeof end);
    snprintf(message, BACKEND_MESSAGE, "%s %s%s%.400s", subject, end, errors[0] ? ": " : ".", errors);
    return child_was_ended_from_outside(status) ? CARDS_LOST : CARDS_FAILED;
}

static enum cards_answer judge_end(const struct worker_command *worker, const char *question, bool in_time, int status,
                                   double limit_seconds, char *errors, char *message) {
    enum cards_answer answer = read_end(worker, question, in_time, status, limit_seconds, errors, message);
    if (answer != CARDS_FINE)
        text_clean(message, strlen(message));
    return answer;
}

enum { QUESTION_WORDS = 3 };

// Runs the worker with one question, up to QUESTION_WORDS words and NULL, and gathers its whole answer, from malloc.
static enum cards_answer ask(const struct worker_command *worker, char *const question[], double limit_seconds,
                             struct text_buffer *answer, char *message) {
    char *argv[QUESTION_WORDS + 4] = {(char *)worker->path};
    *answer = (struct text_buffer){0};
    size_t words = 1;
    for (size_t i = 0; question[i]; i++)
        argv[words++] = question[i];
    if (worker->load) {
        argv[words++] = "--load";
        argv[words] = (char *)worker->load;
    }
    struct gathered child;
    enum cards_answer result = CARDS_LOST;
    if (gather_start(&child, argv, ANSWER_LIMIT, ERROR_LIMIT, message) == CHILD_STARTED) {
        gather_all(&child, 1, limit_seconds);
        end_if_interrupted();
        result =
            judge_end(worker, question[0], child.in_time, child.status, limit_seconds, child.errors.bytes, message);
    }
    if (result == CARDS_FINE) {
        *answer = child.output;
        child.output.bytes = NULL;
    }
    gather_free(&child);
    return result;
}

static bool ends_within(const char *text, size_t size) {
    return memchr(text, 0, size) != NULL;
}

static bool card_is_sane(const struct variant_card *card) {
    return card->version == PROTOCOL_VERSION && card->shape_count <= REDUCTIO_MAX_SHAPES &&
           ends_within(card->name, CARD_NAME) && ends_within(card->type, CARD_NAME) &&
           ends_within(card->backend, CARD_NAME) && ends_within(card->fault_finding, CARD_NAME) &&
           ends_within(card->fault_detector, CARD_NAME) && ends_within(card->summary, CARD_TEXT) &&
           ends_within(card->origin, CARD_TEXT) && ends_within(card->absent, CARD_TEXT);
}

static void clean_card(struct variant_card *card) {
    char *const texts[] = {card->name,           card->type,    card->backend, card->fault_finding,
                           card->fault_detector, card->summary, card->origin,  card->absent};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_clean(texts[i], strlen(texts[i]));
}

// Copies cards out of an answer; false with a sentence where they are none.
static bool take_cards(const struct worker_command *worker, const char *bytes, size_t size, struct variant_card **cards,
                       size_t *count, char *message) {
    struct variant_card *read = must_calloc(size / sizeof *read, sizeof *read);
    bool sane = size % sizeof *read == 0;
    *count = size / sizeof *read;
    memcpy(read, bytes, *count * sizeof *read);
    for (size_t i = 0; sane && i < *count; i++)
        sane = card_is_sane(&read[i]);
    if (sane) {
        for (size_t i = 0; i < *count; i++)
            clean_card(&read[i]);
        *cards = read;
        return true;
    }
    free(read);
    *count = 0;
    snprintf(message, BACKEND_MESSAGE, "%s --cards answered what is no list of cards of version %d.", worker->path,
             PROTOCOL_VERSION);
    return false;
}

enum cards_answer cards_load(const struct worker_command *worker, double limit_seconds, struct variant_card **cards,
                             size_t *count, char *message) {
    *cards = NULL;
    *count = 0;
    struct text_buffer answer;
    char *question[] = {"--cards", NULL};
    enum cards_answer result = ask(worker, question, limit_seconds, &answer, message);
    if (result == CARDS_FINE && !take_cards(worker, answer.bytes, answer.count, cards, count, message))
        result = CARDS_FAILED;
    free(answer.bytes);
    return result;
}

static void add_line(struct environment_line **lines, size_t *count, char *line) {
    char *blank = strchr(line, ' ');
    if (!blank)
        return;
    *blank = 0;
    text_clean(line, strlen(line));
    text_clean(blank + 1, strlen(blank + 1));
    *lines = grow_array(*lines, *count, sizeof **lines);
    (*lines)[(*count)++] = (struct environment_line){.key = must_copy_text(line), .value = must_copy_text(blank + 1)};
}

static void take_lines(char *text, struct environment_line **lines, size_t *count) {
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        add_line(lines, count, line);
}

enum cards_answer environment_load(const struct worker_command *worker, int device, double limit_seconds,
                                   struct environment_line **lines, size_t *count, char *message) {
    *lines = NULL;
    *count = 0;
    struct text_buffer answer;
    char number[16];
    snprintf(number, sizeof number, "%d", device);
    char *question[] = {"--environment", "--device", number, NULL};
    enum cards_answer result = ask(worker, question, limit_seconds, &answer, message);
    if (result == CARDS_FINE)
        take_lines(answer.bytes, lines, count);
    free(answer.bytes);
    return result;
}

enum cards_answer description_load(const struct worker_command *worker, int device, double limit_seconds,
                                   struct variant_card **cards, size_t *card_count, struct environment_line **lines,
                                   size_t *line_count, char *message) {
    *cards = NULL;
    *lines = NULL;
    *card_count = *line_count = 0;
    struct text_buffer answer;
    char number[16];
    snprintf(number, sizeof number, "%d", device);
    char *question[] = {"--describe", "--device", number, NULL};
    enum cards_answer result = ask(worker, question, limit_seconds, &answer, message);
    uint64_t count = 0;
    if (result == CARDS_FINE && answer.count >= sizeof count)
        memcpy(&count, answer.bytes, sizeof count);
    size_t room = answer.count >= sizeof count ? answer.count - sizeof count : 0;
    size_t bytes = count <= room / sizeof **cards ? count * sizeof **cards : room;
    if (result == CARDS_FINE && !take_cards(worker, answer.bytes + sizeof count, bytes, cards, card_count, message))
        result = CARDS_FAILED;
    if (result == CARDS_FINE)
        take_lines(answer.bytes + sizeof count + bytes, lines, line_count);
    free(answer.bytes);
    return result;
}

void environment_free(struct environment_line *lines, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(lines[i].key);
        free(lines[i].value);
    }
    free(lines);
}
