// SPDX-License-Identifier: MIT
// Fatal signals become the answer to the request at work: the handler runs on a stack of its own (the variant's may be
// what overflowed), calls async-signal-safe functions only, writes the reply and ends the process.
#include "harness/guarded.h"
#include "harness/worker/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANDLER_STACK = 64 * 1024 };

#if defined(__SANITIZE_ADDRESS__)
// What a variant dies of is the worker's to explain, from its first line on: a plug-in may crash while it is loaded.
__attribute__((no_sanitize("address"))) const char *__asan_default_options(void) {
    return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
}
#endif

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// A handler is given nothing but the signal, so this one state is at file scope.
static struct {
    int socket;
    struct work_reply *volatile reply; // NULL between jobs
    unsigned char stack[HANDLER_STACK];
} watch = {.socket = -1};

static void write_all(int to, const void *from, size_t bytes) {
    size_t written = 0;
    while (written < bytes) {
        ssize_t put = write(to, (const char *)from + written, bytes - written);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return;
        written += (size_t)put;
    }
}

static const char *signal_text(int number) {
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV: an address that is not mapped or may not be used so";
    case SIGBUS:
        return "SIGBUS: memory that is not there or not aligned";
    case SIGFPE:
        return "SIGFPE: an integer division by zero or an arithmetic trap";
    case SIGILL:
        return "SIGILL: an illegal instruction";
    default:
        return "SIGABRT: it called abort, or an assertion failed";
    }
}

static void explain(struct work_reply *reply, int number, const void *address) {
    char where[BACKEND_MESSAGE] = "";
    bool has_address = number == SIGSEGV || number == SIGBUS;
    reply->message[0] = 0;
    if (has_address && backend_explain_address(address, where)) {
        reply->outcome = WORK_OUT_OF_BOUNDS;
        guarded_append(reply->message, BACKEND_MESSAGE, "Access outside its arrays, ");
        guarded_append(reply->message, BACKEND_MESSAGE, where);
        guarded_append(reply->message, BACKEND_MESSAGE, ".");
        return;
    }
    reply->outcome = WORK_CRASHED;
    guarded_append(reply->message, BACKEND_MESSAGE, "The variant was stopped by ");
    guarded_append(reply->message, BACKEND_MESSAGE, signal_text(number));
    guarded_append(reply->message, BACKEND_MESSAGE, ".");
}

// A launch that went wrong is what a variant ends the process for, by abort, an exception or exit.
static bool explain_end(struct work_reply *reply) {
    char message[BACKEND_MESSAGE];
    enum work_outcome outcome = backend_fault_so_far(message);
    if (outcome == WORK_DONE)
        return false;
    reply->outcome = outcome;
    memcpy(reply->message, message, sizeof reply->message);
    return true;
}

static void on_exit_of_variant(void) {
    struct work_reply *reply = watch.reply;
    if (!reply || !explain_end(reply)) // without an answer the pool shows what was printed
        return;
    watch.reply = NULL;
    reply->runs = 0;
    reply->payload = 0;
    write_all(watch.socket, reply, sizeof *reply);
}

// Sent by another process: a fault is raised by the kernel, and abort by the process itself.
static bool is_from_outside(const siginfo_t *info) {
    bool sent = info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
    return sent && info->si_pid != getpid();
}

static void explain_loss(struct work_reply *reply, int number, const siginfo_t *info) {
    reply->outcome = WORK_LOST;
    reply->message[0] = 0;
    guarded_append(reply->message, BACKEND_MESSAGE, "The worker was sent the signal ");
    guarded_append_number(reply->message, BACKEND_MESSAGE, (uint64_t)number);
    guarded_append(reply->message, BACKEND_MESSAGE, " by process ");
    guarded_append_number(reply->message, BACKEND_MESSAGE, (uint64_t)info->si_pid);
    guarded_append(reply->message, BACKEND_MESSAGE, ".");
}

static void on_fatal_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    struct work_reply *reply = watch.reply;
    if (!reply) { // not a variant's doing
        const char *sentence = "The worker itself crashed.\n";
        write_all(STDERR_FILENO, sentence, strlen(sentence));
        _exit(WORKER_FAILED);
    }
    watch.reply = NULL;
    reply->runs = 0;
    reply->payload = 0;
    if (is_from_outside(info))
        explain_loss(reply, number, info);
    else if (number != SIGABRT || !explain_end(reply))
        explain(reply, number, info->si_addr);
    write_all(watch.socket, reply, sizeof *reply);
    _exit(0);
}

bool fault_watch_start(int socket, char *message) {
    watch.socket = socket;
    bool fine = sigaltstack(&(stack_t){.ss_sp = watch.stack, .ss_size = sizeof watch.stack}, NULL) == 0;
    // Reset on entry: a fault in the handler itself ends the process.
    struct sigaction action = {.sa_sigaction = on_fatal_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    sigfillset(&action.sa_mask);
    fine = fine && atexit(on_exit_of_variant) == 0;
    for (size_t i = 0; fine && i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        fine = sigaction(fatal_signals[i], &action, NULL) == 0;
    if (!fine)
        snprintf(message, BACKEND_MESSAGE, "The worker cannot watch for crashes: %s.", strerror(errno));
    return fine;
}

void fault_watch(struct work_reply *reply) {
    watch.reply = reply;
}
