// SPDX-License-Identifier: MIT
#include "harness/exec/program.h"

#include "harness/pool/child.h"
#include "harness/support.h"
#include "text/foreign_text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Room in the pipe to the program: its default is 64 KiB, and each fill of it costs two switches.
enum { PIPE_BYTES = 1 << 20, QUOTED_BYTES = 200, STATUS_TEXT = 80 };
static const double END_GRACE_SECONDS = 1;

static bool refuse(char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(char *message, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, BACKEND_MESSAGE, format, arguments);
    va_end(arguments);
    return false;
}

// ---- its start ----

// A command of plain words becomes the program itself, so that the way it ends is not the shell's account of it.
static bool is_plain(const char *command) {
    return !command[strcspn(command, ";&|<>()$`\n")] && !memchr(command, '=', strcspn(command, " "));
}

static bool spawn(struct program *program, const char *command, int input, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all;
    char *line = NULL;
    if (asprintf(&line, "%s%s", is_plain(command) ? "exec " : "", command) < 0)
        return false;
    char *argv[] = {"sh", "-c", line, NULL};
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&actions);
    error = error ? error : posix_spawnattr_init(&attributes);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (program->errors >= 0)
        error = error ? error : posix_spawn_file_actions_adddup2(&actions, program->errors, STDERR_FILENO);
    // Neither the runner's socket nor its data are the program's.
    error = error ? error : posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    error = error ? error : posix_spawnattr_setsigdefault(&attributes, &all);
    error = error ? error : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    error = error ? error : posix_spawn(&program->pid, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(line);
    errno = error;
    return error == 0;
}

static void close_pair(int pair[2]) {
    for (int end = 0; end < 2; end++)
        if (pair[end] >= 0)
            close(pair[end]);
}

static bool open_ends(int input[2], int output[2], bool asked) {
    if (pipe2(output, O_CLOEXEC) != 0)
        return false;
    if (!asked) {
        input[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        return input[0] >= 0;
    }
    if (pipe2(input, O_CLOEXEC) != 0 || fcntl(input[1], F_SETFL, O_NONBLOCK) != 0)
        return false;
    (void)fcntl(input[1], F_SETPIPE_SZ, PIPE_BYTES); // a system may allow less
    return true;
}

bool program_start(struct program *program, const char *command, bool asked, bool quoted, char *message) {
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    *program = (struct program){.command = command, .to = -1, .from = -1, .errors = -1, .status = -1};
    signal(SIGPIPE, SIG_IGN);
    bool started = open_ends(input, output, asked);
    if (started && quoted)
        started = (program->errors = memfd_create("reductio-errors", MFD_CLOEXEC)) >= 0;
    started = started && spawn(program, command, input[0], output[1]);
    if (!started) {
        close_pair(input);
        close_pair(output);
        return refuse(message, "The program cannot be started: %s.", strerror(errno));
    }
    close(input[0]);
    close(output[1]);
    program->to = input[1];
    program->from = output[0];
    return true;
}

// ---- its end ----

// The last line that is not empty of what it wrote to standard error, most often the reason.
static void quote_errors(const struct program *program, char *text, size_t size) {
    char tail[QUOTED_BYTES * 2 + 1];
    text[0] = 0;
    off_t length = program->errors >= 0 ? lseek(program->errors, 0, SEEK_END) : 0;
    off_t from = length > (off_t)sizeof tail - 1 ? length - (off_t)sizeof tail + 1 : 0;
    ssize_t got = length > 0 ? pread(program->errors, tail, sizeof tail - 1, from) : 0;
    while (got > 0 && (tail[got - 1] == '\n' || tail[got - 1] == ' '))
        got--;
    if (got <= 0)
        return;
    tail[got] = 0;
    const char *line = strrchr(tail, '\n');
    snprintf(text, size, "; it said \"%.*s\"", QUOTED_BYTES, line ? line + 1 : tail);
    text_clean(text, strlen(text));
}

int program_end(struct program *program, char *how, size_t size) {
    const struct child child = {.pid = program->pid};
    int status = -1;
    snprintf(how, size, "closed its standard output");
    if (program->pid && child_await_end(&child, END_GRACE_SECONDS) && waitpid(program->pid, &status, 0) > 0) {
        child_describe_status(status, how, size);
        program->pid = 0;
    }
    if (program->to >= 0)
        close(program->to);
    close(program->from);
    program->to = program->from = -1;
    program->status = status;
    return status;
}

bool program_is_missing(const struct program *program) {
    return program->status >= 0 && WIFEXITED(program->status) &&
           (WEXITSTATUS(program->status) == 126 || WEXITSTATUS(program->status) == 127);
}

// A shell between the program and us ends with 128 and the signal that ended the program.
enum work_outcome program_end_outcome(const struct program *program, int status) {
    bool by_shell = status >= 0 && !is_plain(program->command) && WIFEXITED(status) && WEXITSTATUS(status) > 128;
    bool lost = status >= 0 &&
                (by_shell ? signal_is_from_outside(WEXITSTATUS(status) - 128) : child_was_ended_from_outside(status));
    return lost ? WORK_LOST : WORK_CRASHED;
}

static enum work_outcome report_end(struct program *program, const char *when, char *message) {
    char how[STATUS_TEXT], said[QUOTED_BYTES + 32];
    int status = program_end(program, how, sizeof how);
    quote_errors(program, said, sizeof said);
    if (program_is_missing(program))
        refuse(message, "The program cannot be started%s.", said);
    else
        refuse(message, "The program %s %s%s.", how, when, said);
    return program_end_outcome(program, status);
}

// ---- frames ----

ssize_t program_read(struct program *program, void *to, size_t size) {
    size_t have = 0;
    while (have < size) {
        ssize_t got = read(program->from, (char *)to + have, size - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        have += (size_t)got;
    }
    return (ssize_t)have;
}

static enum work_outcome refuse_garbage(const void *bytes, size_t count, char *message) {
    char text[sizeof(struct frame_head) + 1];
    memcpy(text, bytes, count);
    text[count] = 0;
    text_clean(text, count);
    refuse(message,
           "The program's standard output holds \"%s\", which is no frame of the protocol: what it prints must go to "
           "standard error.",
           text);
    return WORK_CRASHED;
}

// What else is there of a line that is no frame; it may not fill a head, and whoever printed it may go on waiting.
static size_t read_rest_of_line(struct program *program, unsigned char *to, size_t size) {
    enum { PRINT_MILLISECONDS = 20 };
    struct pollfd fd = {.fd = program->from, .events = POLLIN};
    ssize_t got = poll(&fd, 1, PRINT_MILLISECONDS) == 1 ? read(program->from, to, size) : 0;
    return got > 0 ? (size_t)got : 0;
}

// A head whose magic is right; WORK_CRASHED or WORK_LOST with a sentence otherwise.
static enum work_outcome read_head(struct program *program, struct frame_head *head, const char *when, char *message) {
    unsigned char *bytes = (unsigned char *)head;
    const size_t rest = sizeof *head - FRAME_MAGIC_BYTES;
    ssize_t got = program_read(program, bytes, FRAME_MAGIC_BYTES);
    size_t known = got < 0 ? 0 : (size_t)got;
    if (memcmp(head->magic, FRAME_MAGIC, known) != 0)
        return refuse_garbage(bytes, known + read_rest_of_line(program, bytes + known, sizeof *head - known), message);
    if (known < FRAME_MAGIC_BYTES)
        return report_end(program, known ? "in the middle of a frame" : when, message);
    return program_read(program, bytes + FRAME_MAGIC_BYTES, rest) == (ssize_t)rest
               ? WORK_DONE
               : report_end(program, "in the middle of a frame", message);
}

enum work_outcome program_hello(struct program *program, char **text, char *message) {
    struct frame_head head;
    *text = NULL;
    enum work_outcome outcome = read_head(program, &head, "before its hello", message);
    if (outcome != WORK_DONE)
        return outcome;
    if (head.kind != FRAME_HELLO || head.sequence != 0 || head.bytes == 0 || head.bytes > HELLO_MOST_BYTES) {
        refuse(message, "The program's first frame is no hello: kind %u, sequence %llu, %llu bytes.", head.kind,
               (unsigned long long)head.sequence, (unsigned long long)head.bytes);
        return WORK_CRASHED;
    }
    char *hello = calloc(head.bytes + 1, 1);
    if (!hello) {
        refuse(message, "There is no memory for the program's hello.");
        return WORK_LOST;
    }
    if (program_read(program, hello, head.bytes) != (ssize_t)head.bytes) {
        free(hello);
        return report_end(program, "in the middle of its hello", message);
    }
    *text = hello;
    return WORK_DONE;
}

static void advance(struct iovec *parts, int *count, size_t written) {
    while (*count && written >= parts[0].iov_len) {
        written -= parts[0].iov_len;
        memmove(parts, parts + 1, (size_t)-- * count * sizeof *parts);
    }
    if (*count) {
        parts[0].iov_base = (char *)parts[0].iov_base + written;
        parts[0].iov_len -= written;
    }
}

// Sends a request whole. While it does nothing may come back: a program that speaks before it has read everything says
// something that is no answer, and one that is never read would stop both.
static enum work_outcome send_request(struct program *program, struct iovec *parts, int count, char *message) {
    while (count) {
        struct pollfd fds[2] = {{.fd = program->to, .events = POLLOUT}, {.fd = program->from, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        if (fds[1].revents) {
            unsigned char early[sizeof(struct frame_head)];
            ssize_t got = read(program->from, early, sizeof early);
            if (got <= 0)
                return report_end(program, "before it had read the array", message);
            if (memcmp(early, FRAME_MAGIC, got < FRAME_MAGIC_BYTES ? (size_t)got : FRAME_MAGIC_BYTES) != 0)
                return refuse_garbage(early, (size_t)got, message);
            refuse(message, "The program sent a frame before it had read the request: one too many, or an answer to "
                            "nothing.");
            return WORK_CRASHED;
        }
        ssize_t written = writev(program->to, parts, count);
        if (written < 0 && errno == EPIPE)
            return report_end(program, "before it had read the array", message);
        if (written < 0 && errno != EAGAIN && errno != EINTR)
            break;
        advance(parts, &count, written < 0 ? 0 : (size_t)written);
    }
    if (!count)
        return WORK_DONE;
    refuse(message, "The request cannot be sent to the program: %s.", strerror(errno));
    return WORK_CRASHED;
}

static enum work_outcome read_failure(struct program *program, uint64_t bytes, char *message) {
    char text[FAILED_MOST_BYTES + 1] = "";
    if (bytes == 0 || bytes > FAILED_MOST_BYTES) {
        refuse(message, "The program says that it failed in %llu bytes, where 1 to %d are wanted.",
               (unsigned long long)bytes, FAILED_MOST_BYTES);
        return WORK_CRASHED;
    }
    if (program_read(program, text, bytes) != (ssize_t)bytes)
        return report_end(program, "in the middle of a frame", message);
    text[strcspn(text, "\n")] = 0;
    refuse(message, "The program has no sum: %s", text);
    return WORK_REFUSED;
}

static enum work_outcome read_answer(struct program *program, const struct sum_request *request,
                                     struct sum_answer *answer, char *message) {
    struct frame_head head;
    enum work_outcome outcome = read_head(program, &head, "without an answer", message);
    if (outcome != WORK_DONE)
        return outcome;
    bool failed = head.kind == FRAME_FAILED;
    if (head.sequence != program->sequence)
        refuse(message, "The program's answer belongs to request %llu and not to %llu.",
               (unsigned long long)head.sequence, (unsigned long long)program->sequence);
    else if (head.kind != FRAME_ANSWER && !failed)
        refuse(message, "The program answered with a frame of kind %u.", head.kind);
    else if (failed)
        return read_failure(program, head.bytes, message);
    else if (head.bytes != sizeof *answer)
        refuse(message, "The program's answer has %llu bytes, where %zu are wanted.", (unsigned long long)head.bytes,
               sizeof *answer);
    else if (program_read(program, answer, sizeof *answer) != (ssize_t)sizeof *answer)
        return report_end(program, "in the middle of its answer", message);
    else if (memcmp(&answer->request, request, sizeof *request) != 0)
        refuse(message, "The program's answer echoes another request than the one that it was sent.");
    else if (request->result_bytes < sizeof answer->bits && answer->bits >> 8 * request->result_bytes)
        refuse(message, "The program's answer has more bits than a result of %u bytes.", request->result_bytes);
    else
        return WORK_DONE;
    return WORK_CRASHED;
}

// More than an answer: found now if it is there already, otherwise when the next request is sent.
static enum work_outcome refuse_excess(struct program *program, char *message) {
    struct pollfd fd = {.fd = program->from, .events = POLLIN};
    unsigned char excess;
    if (poll(&fd, 1, 0) != 1 || !(fd.revents & POLLIN) || read(program->from, &excess, 1) != 1)
        return WORK_DONE;
    refuse(message, "More bytes follow the program's answer than it announced.");
    return WORK_CRASHED;
}

enum work_outcome program_ask(struct program *program, enum frame_kind kind, const struct sum_request *request,
                              const void *x, struct sum_answer *answer, char *message) {
    size_t data = kind == FRAME_SUM ? request->n * request->element_bytes : 0;
    struct frame_head head = {.kind = kind, .sequence = ++program->sequence, .bytes = sizeof *request + data};
    memcpy(head.magic, FRAME_MAGIC, FRAME_MAGIC_BYTES);
    struct iovec parts[] = {{&head, sizeof head}, {(void *)request, sizeof *request}, {(void *)x, data}};
    enum work_outcome outcome = send_request(program, parts, data ? 3 : 2, message);
    if (outcome == WORK_DONE)
        outcome = read_answer(program, request, answer, message);
    return outcome == WORK_DONE ? refuse_excess(program, message) : outcome;
}
