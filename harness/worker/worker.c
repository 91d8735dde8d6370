// SPDX-License-Identifier: MIT
// The command line of a worker executable.
#include "harness/worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct arguments {
    const char *mode;
    struct worker_errand errand;
    int socket, data;
};

static int usage(const char *program) {
    fprintf(stderr,
            "Usage: %s --cards | --environment | --describe | --serve VARIANT TYPE --socket FD --data FD; [--device K] "
            "[--load WHAT]\nThis is a worker of reductio, which starts it by itself.\n",
            program);
    return WORKER_USAGE;
}

static bool parse_number(const char *text, int *number) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < -1 || value > 1000000)
        return false;
    *number = (int)value;
    return true;
}

static bool parse_arguments(int argc, char **argv, struct arguments *arguments) {
    *arguments = (struct arguments){.socket = -1, .data = -1};
    if (argc < 2)
        return false;
    arguments->mode = argv[1];
    int next = 2;
    if (strcmp(argv[1], "--serve") == 0) {
        if (argc < 4)
            return false;
        arguments->errand.variant = argv[2];
        arguments->errand.type = argv[3];
        next = 4;
    }
    for (; next + 1 < argc; next += 2) {
        if (strcmp(argv[next], "--load") == 0) {
            arguments->errand.load = argv[next + 1];
            continue;
        }
        int *number = strcmp(argv[next], "--socket") == 0   ? &arguments->socket
                      : strcmp(argv[next], "--data") == 0   ? &arguments->data
                      : strcmp(argv[next], "--device") == 0 ? &arguments->errand.device
                                                            : NULL;
        if (!number || !parse_number(argv[next + 1], number))
            return false;
    }
    return next == argc && (!arguments->errand.variant || arguments->socket >= 0);
}

// A variant that eats all memory must take this process with it and not the runner, and leave no core file.
static void be_expendable(void) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (write(file, "1000", 4) != 4)
        fprintf(stderr, "Cannot ask to be ended first when memory is out.\n");
    close(file);
}

static int serve(const struct arguments *arguments) {
    struct worker worker = {.socket = arguments->socket, .errand = arguments->errand};
    struct work_row row;
    snprintf(row.variant, sizeof row.variant, "%s", arguments->errand.variant);
    snprintf(row.type, sizeof row.type, "%s", arguments->errand.type);
    be_expendable();
    // What a kernel prints must not be lost in a buffer when it crashes.
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    worker_take_row(&worker, &row);
    if (!worker.refusal[0]) {
        worker.unable = WORK_NOT_POSSIBLE; // from here on it is the machine that lacks something
        if (backend_open(arguments->errand.device, worker.refusal)) {
            worker.refusal[0] = 0;
            worker_take_data(&worker, arguments->data);
        }
    }
    if (!worker.refusal[0])
        fault_watch_start(worker.socket, worker.refusal);
    return worker_serve(&worker);
}

int main(int argc, char **argv) {
    struct arguments arguments;
    if (!parse_arguments(argc, argv, &arguments))
        return usage(argv[0]);
    if (strcmp(arguments.mode, "--serve") == 0)
        return serve(&arguments);
    if (strcmp(arguments.mode, "--cards") == 0)
        return print_cards(&arguments.errand);
    if (strcmp(arguments.mode, "--environment") == 0)
        return print_environment(&arguments.errand);
    if (strcmp(arguments.mode, "--describe") == 0)
        return print_description(&arguments.errand);
    return usage(argv[0]);
}
