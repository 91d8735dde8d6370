// SPDX-License-Identifier: MIT
// A worker that goes wrong on demand, for the tests of the pool. The variant's name says how; it goes wrong on requests
// with n = FAKE_TRIGGER and answers the others right: each run's bits are n. "killed, then right" goes wrong in the
// queue's first worker alone.
#include "harness/pool/fake_worker.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct fake {
    char *mode;
    int socket, data;
};

static bool mode_is(const struct fake *fake, const char *mode) {
    return strcmp(fake->mode, mode) == 0;
}

static void send_or_end(int to, const void *bytes, size_t count) {
    if (send(to, bytes, count, MSG_NOSIGNAL) != (ssize_t)count)
        exit(WORKER_FAILED);
}

static struct work_reply right_reply(const struct work_request *request) {
    return (struct work_reply){.version = PROTOCOL_VERSION,
                               .outcome = WORK_DONE,
                               .runs = request->runs,
                               .sequence = request->sequence,
                               .payload = request->runs * sizeof(struct work_run)};
}

static void answer_bits(const struct fake *fake, const struct work_request *request, uint64_t bits) {
    struct work_reply reply = right_reply(request);
    send_or_end(fake->socket, &reply, sizeof reply);
    for (uint32_t i = 0; i < request->runs; i++) {
        struct work_run run = {.bits = bits, .ns = 1};
        send_or_end(fake->socket, &run, sizeof run);
    }
}

static void answer_right(const struct fake *fake, const struct work_request *request) {
    answer_bits(fake, request, request->n);
}

// Open descriptors besides the three standard ones.
static uint64_t count_descriptors(void) {
    uint64_t count = 0;
    for (int fd = 3; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

// Signals that are not as a fresh process has them: blocked or ignored.
static uint64_t count_odd_signals(void) {
    uint64_t count = 0;
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int number = 1; number < 32; number++) {
        struct sigaction action;
        sigaction(number, NULL, &action);
        count += sigismember(&blocked, number) || action.sa_handler == SIG_IGN;
    }
    return count;
}

static void hang(void) {
    for (;;)
        pause();
}

// Wakes up only to stop again.
static void stop(void) {
    for (;;)
        raise(SIGSTOP);
}

static void spin(void) {
    for (volatile unsigned turns = 0;; turns++)
        continue;
}

// Takes so much time of the processor, however long that may last.
static void burn(clock_t span) {
    clock_t start = clock();
    while (clock() - start < span)
        continue;
}

static void print_much(void) {
    static const char line[] = "0123456789abcde\n";
    for (int i = 0; i < FAKE_PRINTED_BYTES / 16; i++)
        fwrite(line, 16, 1, stdout);
    fflush(stdout);
}

// Its grandchild keeps socket and pipes open for ever; its number goes to the data file.
static void leave_grandchild(const struct fake *fake) {
    pid_t pid = fork();
    if (pid == 0)
        hang();
    if (pwrite(fake->data, &pid, sizeof pid, 0) != sizeof pid)
        exit(WORKER_FAILED);
}

static void misanswer(const struct fake *fake, const struct work_request *request) {
    struct work_reply reply = right_reply(request);
    if (mode_is(fake, "garbage"))
        memset(&reply, 0x5A, sizeof reply);
    else if (mode_is(fake, "stale"))
        reply.sequence--;
    else if (mode_is(fake, "miscounted"))
        reply.runs--;
    else if (mode_is(fake, "greedy"))
        reply.payload = (uint64_t)1 << 60;
    else if (mode_is(fake, "unended"))
        memset(reply.message, 'x', sizeof reply.message);
    else if (mode_is(fake, "wordless"))
        reply =
            (struct work_reply){.version = PROTOCOL_VERSION, .outcome = WORK_MISUSED, .sequence = request->sequence};
    send_or_end(fake->socket, &reply, mode_is(fake, "half") ? sizeof reply / 2 : sizeof reply);
    if (mode_is(fake, "half") || mode_is(fake, "no payload"))
        exit(0);
    if (mode_is(fake, "half and hang"))
        hang();
}

// In one piece, so that the excess is there when the answer is.
static void answer_too_much(const struct fake *fake, const struct work_request *request) {
    struct {
        struct work_reply reply;
        struct work_run runs[3]; // one more than any test asks for
    } answer = {.reply = right_reply(request)};
    send_or_end(fake->socket, &answer, sizeof answer);
}

static void tell_pid(const struct fake *fake) {
    pid_t pid = getpid();
    if (pwrite(fake->data, &pid, sizeof pid, 0) != sizeof pid)
        exit(WORKER_FAILED);
}

// The data file counts the workers of some modes, until one of them tells its process number there.
static uint32_t count_start(const struct fake *fake) {
    uint32_t starts;
    if (pread(fake->data, &starts, sizeof starts, 0) != sizeof starts)
        exit(WORKER_FAILED);
    starts++;
    if (pwrite(fake->data, &starts, sizeof starts, 0) != sizeof starts)
        exit(WORKER_FAILED);
    return starts;
}

static void die_of(int signal_number) {
    signal(signal_number, SIG_DFL); // a sanitizer's runtime would catch it
    raise(signal_number);
}

static void tell_loss(const struct fake *fake, const struct work_request *request) {
    struct work_reply reply = {.version = PROTOCOL_VERSION,
                               .outcome = WORK_LOST,
                               .sequence = request->sequence,
                               .message = "Somebody ended the program."};
    send_or_end(fake->socket, &reply, sizeof reply);
    exit(0);
}

static void go_wrong(const struct fake *fake, const struct work_request *request) {
    if (mode_is(fake, "burn")) {
        tell_pid(fake);
        burn(CLOCKS_PER_SEC / 2);
    }
    if (mode_is(fake, "spin"))
        spin();
    if (mode_is(fake, "crash"))
        die_of(SIGSEGV);
    if (mode_is(fake, "killed"))
        die_of(SIGKILL);
    if (mode_is(fake, "exit"))
        exit(3);
    if (mode_is(fake, "count and exit")) {
        count_start(fake);
        exit(3);
    }
    if (mode_is(fake, "fail"))
        exit(WORKER_FAILED);
    if (mode_is(fake, "lose"))
        tell_loss(fake, request);
    if (mode_is(fake, "stop"))
        stop();
    if (mode_is(fake, "hang")) {
        tell_pid(fake);
        hang();
    }
    if (mode_is(fake, "close and stay")) {
        close(fake->socket);
        hang();
    }
    if (mode_is(fake, "grandchild and crash")) {
        leave_grandchild(fake);
        die_of(SIGSEGV);
    }
    if (mode_is(fake, "print"))
        print_much();
    if (mode_is(fake, "print for ever"))
        for (;;)
            print_much();
    if (mode_is(fake, "grandchild"))
        leave_grandchild(fake);
    if (mode_is(fake, "right") || mode_is(fake, "print") || mode_is(fake, "grandchild") || mode_is(fake, "leave") ||
        mode_is(fake, "burn")) {
        answer_right(fake, request);
        if (mode_is(fake, "leave"))
            exit(0);
        return;
    }
    if (mode_is(fake, "descriptors") || mode_is(fake, "signals")) {
        answer_bits(fake, request, mode_is(fake, "signals") ? count_odd_signals() : count_descriptors());
        return;
    }
    if (mode_is(fake, "too much"))
        answer_too_much(fake, request);
    else
        misanswer(fake, request);
}

static void say_hello(const struct fake *fake) {
    struct work_reply hello = {.version = PROTOCOL_VERSION, .outcome = WORK_DONE};
    if (mode_is(fake, "refuse")) {
        hello.outcome = WORK_REFUSED;
        strcpy(hello.message, "There is no such thing.");
    }
    if (mode_is(fake, "bad hello"))
        hello.version = 99;
    if (mode_is(fake, "die at start")) {
        count_start(fake);
        fprintf(stderr, "no library of that name\nsecond line\n");
        exit(5);
    }
    if (mode_is(fake, "silent"))
        hang();
    send_or_end(fake->socket, &hello, sizeof hello);
    if (mode_is(fake, "die after hello"))
        exit(6);
}

static int serve(struct fake *fake) {
    struct work_request request;
    say_hello(fake);
    while (recv(fake->socket, &request, sizeof request, MSG_WAITALL) == sizeof request)
        if (request.n == FAKE_TRIGGER)
            go_wrong(fake, &request);
        else
            answer_right(fake, &request);
    return 0;
}

static int answer_cards(void) {
    const char *mode = getenv("FAKE_CARDS");
    if (mode && strcmp(mode, "hang") == 0)
        hang();
    if (mode && strcmp(mode, "half") == 0)
        puts("not a card");
    if (mode && strcmp(mode, "no device") == 0) {
        fprintf(stderr, "There is no GPU here.\n");
        return WORKER_NO_DEVICE;
    }
    if (mode && strcmp(mode, "fail") == 0) {
        fprintf(stderr, "Something broke.\nmore\n");
        return 4;
    }
    return 0;
}

// "killed, then right": the first worker has the one mode, all after it the other.
static void choose_mode(struct fake *fake) {
    char *then = strstr(fake->mode, ", then ");
    if (!then)
        return;
    *then = 0;
    if (count_start(fake) > 1)
        fake->mode = then + strlen(", then ");
}

int main(int argc, char **argv) {
    if (argc < 8)
        return answer_cards();
    struct fake fake = {.mode = argv[2], .socket = atoi(argv[5]), .data = atoi(argv[7])};
    choose_mode(&fake);
    return serve(&fake);
}
