// SPDX-License-Identifier: MIT
#include "harness/pool/gather.h"

#include "harness/interrupt.h"
#include "harness/support.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void buffer_open(struct text_buffer *buffer, size_t limit) {
    *buffer = (struct text_buffer){.bytes = must_calloc(1, 1), .limit = limit};
}

// Reads what is there; false at the end of the stream.
static bool buffer_read(struct text_buffer *buffer, int fd) {
    char piece[16384];
    ssize_t got = read(fd, piece, sizeof piece);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    size_t room = buffer->limit - buffer->count;
    size_t taken = (size_t)got < room ? (size_t)got : room;
    buffer->bytes = must_realloc(buffer->bytes, buffer->count + taken + 1, 1);
    memcpy(buffer->bytes + buffer->count, piece, taken);
    buffer->count += taken;
    buffer->bytes[buffer->count] = 0;
    return got > 0;
}

// This process's own, in which messages are in English, whatever language the user speaks. The array is from malloc,
// its texts are not.
static char **english_environment(void) {
    static char english[] = "LC_ALL=C"; // which goes before LANG, LC_MESSAGES and, in glibc, LANGUAGE
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **environment = must_calloc(count + 2, sizeof *environment);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", strlen("LC_ALL=")) != 0)
            environment[kept++] = environ[i];
    environment[kept] = english;
    return environment;
}

enum child_start gather_start(struct gathered *program, char *const argv[], size_t output_limit, size_t error_limit,
                              char *message) {
    *program = (struct gathered){.in_time = false};
    buffer_open(&program->output, output_limit);
    buffer_open(&program->errors, error_limit);
    char **environment = english_environment();
    enum child_start start = child_start(&program->child, argv, environment, NULL, 0, error_limit > 0, message);
    free(environment);
    return start;
}

static bool is_open(const struct gathered *program) {
    return program->child.pid > 0;
}

static void end(struct gathered *program, bool in_time) {
    program->in_time = in_time;
    program->status = child_end(&program->child);
}

// Closes a stream that has come to its end, so that it is not polled again.
static void read_stream(struct text_buffer *buffer, int *fd, short events) {
    if (!events || buffer_read(buffer, *fd))
        return;
    close(*fd);
    *fd = -1;
}

// Between the end of what a program prints and its own lies a moment, unless it goes on without its streams.
static const double usual_moment = 0.05;

static void read_program(struct gathered *program, const struct pollfd fds[2]) {
    read_stream(&program->output, &program->child.output, fds[0].revents);
    read_stream(&program->errors, &program->child.errors, fds[1].revents);
    bool silent = program->child.output < 0 && program->child.errors < 0;
    if (program->output.count == program->output.limit)
        end(program, false);
    else if (silent && child_await_end(&program->child, usual_moment))
        end(program, true);
    else if (patience_is_over(&program->patience, &program->child))
        end(program, false);
}

static int pause_milliseconds(const struct gathered *programs, size_t count) {
    double pause = 1;
    for (size_t i = 0; i < count; i++)
        if (is_open(&programs[i]))
            pause = fmin(pause, patience_pause(&programs[i].patience));
    return (int)(pause * 1000) + 1;
}

static size_t watch(const struct gathered *programs, size_t count, struct pollfd *fds) {
    size_t open = 0;
    for (size_t i = 0; i < count; i++) { // poll passes over negative descriptors
        fds[2 * i] = (struct pollfd){.fd = is_open(&programs[i]) ? programs[i].child.output : -1, .events = POLLIN};
        fds[2 * i + 1] = (struct pollfd){.fd = is_open(&programs[i]) ? programs[i].child.errors : -1, .events = POLLIN};
        open += is_open(&programs[i]);
    }
    return open;
}

void gather_all(struct gathered *programs, size_t count, double seconds) {
    struct pollfd *fds = must_calloc(2 * count, sizeof *fds);
    bool watched = begin_watch();
    for (size_t i = 0; i < count; i++)
        patience_begin(&programs[i].patience, seconds);
    while (watch(programs, count, fds) > 0 && !was_interrupted()) {
        if (poll(fds, 2 * count, pause_milliseconds(programs, count)) < 0 && errno != EINTR)
            harness_failed("poll: %s.", strerror(errno));
        for (size_t i = 0; i < count; i++)
            if (is_open(&programs[i]))
                read_program(&programs[i], &fds[2 * i]);
    }
    for (size_t i = 0; i < count; i++)
        if (is_open(&programs[i])) // interrupted
            end(&programs[i], false);
    end_watch(watched);
    free(fds);
}

bool gathered_well(const struct gathered *program) {
    return program->in_time && WIFEXITED(program->status) && WEXITSTATUS(program->status) == 0;
}

void gather_free(struct gathered *program) {
    free(program->output.bytes);
    free(program->errors.bytes);
    *program = (struct gathered){.in_time = false};
}
