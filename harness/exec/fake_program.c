// SPDX-License-Identifier: MIT
// A program that sums and goes wrong on demand, for the tests: fake_program MODE, or fake_program path MODE FILE.npy. A
// pipe program goes wrong on requests with n = FAKE_N and answers the others right. It also shows the protocol in C.
#include "harness/exec/fake_program.h"

#include "harness/exec/frame.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct fake {
    const char *mode;
    uint64_t previous_bits;
    struct frame_head previous_head; // of the last answer
    struct sum_answer previous;
};

static bool mode_is(const struct fake *fake, const char *mode) {
    return strcmp(fake->mode, mode) == 0;
}

static void write_all(const void *from, size_t bytes) {
    while (bytes) {
        ssize_t put = write(STDOUT_FILENO, from, bytes);
        if (put <= 0)
            exit(0);
        from = (const char *)from + put;
        bytes -= (size_t)put;
    }
}

static void read_all(void *to, size_t bytes) {
    while (bytes) {
        ssize_t got = read(STDIN_FILENO, to, bytes);
        if (got <= 0)
            exit(0);
        to = (char *)to + got;
        bytes -= (size_t)got;
    }
}

static void hang(void) {
    for (;;)
        pause();
}

static struct frame_head head_of(enum frame_kind kind, uint64_t sequence, uint64_t bytes) {
    struct frame_head head = {.kind = kind, .sequence = sequence, .bytes = bytes};
    memcpy(head.magic, FRAME_MAGIC, FRAME_MAGIC_BYTES);
    return head;
}

// ---- the hello ----

#define HELLO_START   "{\"version\": 1, \"name\": \"fake\", \"library\": \"fake 1.0\", \"device\": \"CPU\", "
#define GOOD_ROW      "{\"name\": \"sum\", \"type\": \"f32\", \"places\": true}"
#define WITH_ROW(row) HELLO_START "\"rows\": [" row "]}"

static const struct {
    const char *mode, *text;
} hellos[] = {
    {"no json", "hello"},
    {"no object", "[1]"},
    {"other version", "{\"version\": 2, \"name\": \"fake\"}"},
    {"unknown key", HELLO_START "\"colour\": \"red\", \"rows\": [" GOOD_ROW "]}"},
    {"no library", "{\"version\": 1, \"name\": \"fake\", \"device\": \"CPU\", \"rows\": [" GOOD_ROW "]}"},
    {"no rows", HELLO_START "\"rows\": []}"},
    {"bad name",
     "{\"version\": 1, \"name\": \"f@ke\", \"library\": \"a\", \"device\": \"b\", \"rows\": [" GOOD_ROW "]}"},
    {"bad row name", WITH_ROW("{\"name\": \"a/b\", \"type\": \"f32\"}")},
    {"bad type", WITH_ROW("{\"name\": \"sum\", \"type\": \"f17\"}")},
    {"twice", WITH_ROW(GOOD_ROW ", " GOOD_ROW)},
    {"bad claim", WITH_ROW("{\"name\": \"sum\", \"type\": \"f32\", \"claims\": {\"acuracy\": \"height\"}}")},
    {"bad accuracy", WITH_ROW("{\"name\": \"sum\", \"type\": \"f32\", \"claims\": {\"accuracy\": \"good\"}}")},
    {"kahan", WITH_ROW("{\"name\": \"sum\", \"type\": \"f32\", \"claims\": {\"accuracy\": \"Kahan\"}}")},
    {"shape", WITH_ROW("{\"name\": \"sum\", \"type\": \"f32\", \"claims\": {\"same_bits\": [\"shape\"]}}")},
    {"placement", WITH_ROW("{\"name\": \"sum\", \"type\": \"f32\", \"claims\": {\"same_bits\": [\"placement\"]}}")},
    {"absent", "{\"version\": 1, \"name\": \"fake\", \"absent\": \"no fakes on Mondays.\"}"},
    {"tall", WITH_ROW("{\"name\": \"sum\", \"type\": \"f32\", \"heights\": true, \"claims\": {\"accuracy\": "
                      "\"compensated\"}}")},
    {"red", "{\"version\": 1, \"name\": \"fake\", \"library\": \"\\u001b[31mred 1.0\", \"device\": \"CPU\", \"rows\": "
            "[{\"name\": \"sum\", \"type\": \"f32\", \"summary\": \"in \\u001b[31mred\"}]}"},
    {"absent in red", "{\"version\": 1, \"name\": \"fake\", \"absent\": \"seeing \\u001b[31mred.\"}"},
    {"claims",
     WITH_ROW("{\"name\": \"sum\", \"type\": \"f32\", \"heights\": true, \"max_n\": 100, \"summary\": \"a loop\", "
              "\"claims\": {\"accuracy\": \"height\", \"same_bits\": [\"run\", \"order\"], \"specials\": true, "
              "\"keeps_subnormals\": false, \"all_minus_zero\": \"plus\"}}")},
};

static void say_hello(const struct fake *fake) {
    const char *text = WITH_ROW(GOOD_ROW ", {\"name\": \"sum\", \"type\": \"f64\", \"places\": true}");
    for (size_t i = 0; i < sizeof hellos / sizeof *hellos; i++)
        if (mode_is(fake, hellos[i].mode))
            text = hellos[i].text;
    struct frame_head head = head_of(FRAME_HELLO, 0, strlen(text));
    if (mode_is(fake, "die at once")) {
        fprintf(stderr, "Something is missing here.\n\n");
        exit(3);
    }
    if (mode_is(fake, "die in red")) {
        fprintf(stderr, "\033[31mSomething is missing here.\n");
        exit(3);
    }
    if (mode_is(fake, "killed at once"))
        raise(SIGKILL);
    if (mode_is(fake, "say nothing"))
        hang();
    if (mode_is(fake, "start slowly and die"))
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    if (mode_is(fake, "close at once")) {
        close(STDOUT_FILENO);
        hang();
    }
    if (mode_is(fake, "print first"))
        write_all("Loading...\n", 11);
    if (mode_is(fake, "huge hello"))
        head.bytes = UINT64_MAX;
    if (mode_is(fake, "short hello")) {
        write_all(&head, sizeof head);
        write_all(text, 10);
        exit(0);
    }
    write_all(&head, sizeof head);
    write_all(text, strlen(text));
}

// ---- the answers ----

static uint64_t sum_bits(const struct sum_request *request, const void *x) {
    float narrow = 0;
    double wide = 0;
    uint64_t bits = 0;
    for (uint64_t i = 0; i < request->n; i++) {
        if (request->element_bytes == sizeof narrow)
            narrow += ((const float *)x)[i];
        else
            wide += ((const double *)x)[i];
    }
    memcpy(&bits, request->element_bytes == sizeof narrow ? (const void *)&narrow : (const void *)&wide,
           request->element_bytes);
    return bits;
}

static void send_text(uint64_t sequence, const char *text) {
    struct frame_head head = head_of(FRAME_FAILED, sequence, strlen(text));
    write_all(&head, sizeof head);
    write_all(text, strlen(text));
}

// Ways to go wrong that leave a right frame behind, with something wrong in it.
static void spoil(struct fake *fake, struct frame_head *head, struct sum_answer *answer) {
    if (mode_is(fake, "wrong sequence"))
        head->sequence += 1;
    else if (mode_is(fake, "wrong kind"))
        head->kind = FRAME_SUM;
    else if (mode_is(fake, "wrong size"))
        head->bytes = sizeof *answer - 8;
    else if (mode_is(fake, "wrong n"))
        answer->request.n++;
    else if (mode_is(fake, "wrong token"))
        answer->request.token ^= 1;
    else if (mode_is(fake, "wide bits"))
        answer->bits |= UINT64_C(1) << 40;
    else if (mode_is(fake, "poison"))
        answer->bits = answer->request.token;
    else if (mode_is(fake, "stale value"))
        answer->bits = fake->previous_bits;
    else if (mode_is(fake, "previous")) {
        *head = fake->previous_head;
        *answer = fake->previous;
    }
}

// Ways to go wrong instead of an answer; returns if the mode is none of them.
static void go_wrong(const struct fake *fake, const struct frame_head *head, const struct sum_answer *answer) {
    if (mode_is(fake, "die") || mode_is(fake, "start slowly and die"))
        exit(3);
    if (mode_is(fake, "killed"))
        raise(SIGKILL);
    if (mode_is(fake, "crash")) {
        signal(SIGSEGV, SIG_DFL); // a sanitizer's runtime would catch it
        raise(SIGSEGV);
    }
    if (mode_is(fake, "hang"))
        hang();
    if (mode_is(fake, "close")) {
        close(STDOUT_FILENO);
        hang();
    }
    if (mode_is(fake, "garbage"))
        write_all("the sum is 42\n", 14);
    if (mode_is(fake, "short")) {
        write_all(head, sizeof *head);
        write_all(answer, 20);
        exit(0);
    }
    if (mode_is(fake, "failed") || mode_is(fake, "failed empty")) {
        send_text(head->sequence, mode_is(fake, "failed") ? "out of numbers." : "");
        return;
    }
    if (mode_is(fake, "red")) {
        fprintf(stderr, "warning: \033[31mred\n");
        send_text(head->sequence, "out of \033[31mred\x93 numbers.");
    }
    if (mode_is(fake, "complain"))
        fprintf(stderr, "7 is no good number.\n");
}

static void answer_one(struct fake *fake, const struct frame_head *asked, const struct sum_request *request,
                       const void *x) {
    struct sum_answer answer = {.request = *request, .ns = 1};
    struct frame_head head = head_of(FRAME_ANSWER, asked->sequence, sizeof answer);
    bool wrong = request->n == FAKE_N;
    answer.bits = asked->kind == FRAME_HEIGHT ? request->n / 2 : sum_bits(request, x);
    if (asked->kind == FRAME_HEIGHT && mode_is(fake, "tall")) // the highest that there is, or one that there is not
        answer.bits = wrong ? request->n : request->n - 1;
    if (wrong)
        go_wrong(fake, &head, &answer);
    if (wrong &&
        (mode_is(fake, "failed") || mode_is(fake, "failed empty") || mode_is(fake, "garbage") || mode_is(fake, "red")))
        return;
    uint64_t right = answer.bits;
    if (wrong)
        spoil(fake, &head, &answer);
    // In one piece where more than an answer follows, so that it is there when the answer is.
    unsigned char bytes[sizeof head + sizeof answer + 8] = {0};
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, &answer, sizeof answer);
    write_all(bytes, wrong && mode_is(fake, "excess") ? sizeof bytes : sizeof bytes - 8);
    fake->previous_bits = right;
    fake->previous_head = head;
    fake->previous = answer;
}

static int serve(struct fake *fake) {
    say_hello(fake);
    for (;;) {
        struct frame_head head;
        struct sum_request request;
        read_all(&head, sizeof head);
        read_all(&request, sizeof request);
        if (request.n == FAKE_LARGE_N && mode_is(fake, "early")) {
            write_all("rdct", 4);
            hang();
        }
        size_t bytes = head.kind == FRAME_SUM ? request.n * request.element_bytes : 0;
        void *x = malloc(bytes + 1);
        if (!x)
            return 1;
        read_all(x, bytes);
        answer_one(fake, &head, &request, x);
        free(x);
    }
}

// ---- one number for one file ----

static int sum_file(const char *mode, const char *path) {
    enum { HEADER_BYTES = 128 }; // of a short header, padded to 64 bytes and more
    unsigned char start[10];
    FILE *file = fopen(path, "rb");
    if (!file || fread(start, sizeof start, 1, file) != 1)
        return 4;
    char header[HEADER_BYTES] = "";
    size_t length = start[8] + 256u * start[9];
    if (length >= sizeof header || fread(header, length, 1, file) != 1)
        return 4;
    double sum = 0, wide;
    float narrow;
    if (strstr(header, "<f4"))
        while (fread(&narrow, sizeof narrow, 1, file) == 1)
            sum += (double)narrow;
    else
        while (fread(&wide, sizeof wide, 1, file) == 1)
            sum += wide;
    fclose(file);
    if (strcmp(mode, "hex") == 0)
        printf("%a\n", sum);
    else if (strcmp(mode, "bits") == 0) {
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        printf("bits %llx\n", (unsigned long long)bits);
    } else if (strcmp(mode, "many digits") == 0)
        printf("bits 401c0000000000000\n"); // 17: those of 7 in f64 and one more
    else if (strcmp(mode, "words") == 0)
        printf("the sum is %g\n", sum);
    else if (strcmp(mode, "escape") == 0)
        printf("\033[31m%g\a\x93\n", sum);
    else if (strcmp(mode, "two") == 0)
        printf("%g %g\n", sum, sum);
    else if (strcmp(mode, "f64 alone") == 0 && strstr(header, "<f4"))
        return 6;
    else if (strcmp(mode, "f64 alone") == 0)
        printf("%.17g\n", sum);
    else if (strcmp(mode, "f32 alone") == 0 && strstr(header, "<f8"))
        return 127; // as a script whose tool for it is not there
    else if (strcmp(mode, "f32 alone") == 0)
        printf("%.9g\n", sum);
    else if (strcmp(mode, "fail") == 0)
        return 5;
    else if (strcmp(mode, "long") == 0)
        printf("%0300.3f\n", sum);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "path") == 0)
        return sum_file(argv[2], argv[3]);
    if (argc != 2)
        return 2;
    return serve(&(struct fake){.mode = argv[1]});
}
