// SPDX-License-Identifier: MIT
#include "harness/interrupt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A handler is given nothing but the signal, so this one state is at file scope.
static struct { volatile sig_atomic_t interrupted, watched; } state;

static void say_interrupted(bool again) {
    const char *sentence = again
                               ? "reductio: interrupted again, and ended at once: files that were not written yet are "
                                 "not written.\n"
                               : "reductio: interrupted.\n";
    ssize_t written = write(STDERR_FILENO, sentence, strlen(sentence));
    (void)written; // nobody is left to be told
}

static void on_interrupt(int number) {
    (void)number;
    bool again = state.interrupted;
    state.interrupted = 1;
    if (state.watched && !again)
        return;
    say_interrupted(again);
    _exit(EXIT_INTERRUPTED);
}

void end_on_interrupts(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    // Restarted: what is being written must not fail for the first interrupt. poll comes back all the same.
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, before;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i] != SIGHUP || sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

bool begin_watch(void) {
    bool before = state.watched;
    state.watched = 1;
    return before;
}

void end_watch(bool before) {
    state.watched = before;
}

const volatile sig_atomic_t *catch_interrupts(void) {
    state.watched = 1;
    return &state.interrupted;
}

bool was_interrupted(void) {
    return state.interrupted;
}

void end_if_interrupted(void) {
    if (!state.interrupted)
        return;
    say_interrupted(false);
    exit(EXIT_INTERRUPTED);
}
