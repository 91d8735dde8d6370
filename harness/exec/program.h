// SPDX-License-Identifier: MIT
// A program that sums, behind two pipes: started, asked, and held to the protocol. It lives in the worker's process
// group and dies with it.
#ifndef REDUCTIO_EXEC_PROGRAM_H
#define REDUCTIO_EXEC_PROGRAM_H

#include "harness/backend.h"
#include "harness/exec/frame.h"

#include <sys/types.h>

struct program {
    const char *command;
    pid_t pid;         // 0: none
    int status;        // how it ended, as wait(2) tells; -1: it did not, or that is not known
    int to, from;      // its standard input and output, ours non-blocking
    int errors;        // a file that its standard error goes to, -1: where the worker's own goes
    uint64_t sequence; // of the last request
};

// Starts `sh -c COMMAND` with pipes, or with standard input from nowhere where `asked` is false. `quoted`: its standard
// error is kept, to be quoted when it fails to start. False with one sentence in message (BACKEND_MESSAGE bytes).
bool program_start(struct program *program, const char *command, bool asked, bool quoted, char *message);
// The text of its hello, from malloc; NULL with one sentence in message, and WORK_CRASHED or WORK_LOST.
enum work_outcome program_hello(struct program *program, char **text, char *message);
// One request and its answer; x is not sent with FRAME_HEIGHT. WORK_DONE, WORK_REFUSED (the program says why it has no
// sum), WORK_CRASHED (it ended, or said what is no answer to this request) or WORK_LOST (it was ended), the last three
// with one sentence.
enum work_outcome program_ask(struct program *program, enum frame_kind kind, const struct sum_request *request,
                              const void *x, struct sum_answer *answer, char *message);
// Reads up to `size` bytes of what it prints, to the end of the stream; -1 where it cannot be read.
ssize_t program_read(struct program *program, void *to, size_t size);
// Waits for the end of a program whose output is at its end, up to a second, and describes it ("ended with exit code
// 3"). Returns the wait status, -1 if it goes on.
int program_end(struct program *program, char *how, size_t size);
// Whether it ended because the shell found nothing to execute (codes 126 and 127, POSIX.1-2024, Shell Command Language,
// 2.8.2 "Exit Status for Commands").
bool program_is_missing(const struct program *program);
// Of such a status: WORK_LOST where somebody, or the lack of memory, ended it; WORK_CRASHED otherwise.
enum work_outcome program_end_outcome(const struct program *program, int status);

#endif
