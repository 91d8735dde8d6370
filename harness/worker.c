// SPDX-License-Identifier: MIT
// The command line of a worker executable.
#include "harness/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct arguments {
    const char *mode, *variant, *type;
    int socket, data, device;
};

static int usage(const char *program) {
    fprintf(stderr,
            "Usage: %s --cards | --environment [--device K] | --serve VARIANT TYPE --socket FD --data FD "
            "[--device K]\nThis is a worker of reductio, which starts it by itself.\n",
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
        arguments->variant = argv[2];
        arguments->type = argv[3];
        next = 4;
    }
    for (; next + 1 < argc; next += 2) {
        int *number = strcmp(argv[next], "--socket") == 0   ? &arguments->socket
                      : strcmp(argv[next], "--data") == 0   ? &arguments->data
                      : strcmp(argv[next], "--device") == 0 ? &arguments->device
                                                            : NULL;
        if (!number || !parse_number(argv[next + 1], number))
            return false;
    }
    return next == argc && (!arguments->variant || arguments->socket >= 0);
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

static const struct reductio_variant *find_variant(const char *name, const char *type) {
    for (size_t i = 0; reductio_register[i]; i++)
        if (strcmp(reductio_register[i]->name, name) == 0 && strcmp(reductio_register[i]->type, type) == 0)
            return reductio_register[i];
    return NULL;
}

static void map_data(struct worker *worker, int fd) {
    struct stat state;
    if (fd < 0)
        return;
    if (fstat(fd, &state) != 0) {
        snprintf(worker->refusal, BACKEND_MESSAGE, "The data of the run cannot be read: %s.", strerror(errno));
        return;
    }
    worker->data_bytes = (size_t)state.st_size;
    if (worker->data_bytes == 0)
        return;
    void *data = mmap(NULL, worker->data_bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED)
        snprintf(worker->refusal, BACKEND_MESSAGE, "The data of the run cannot be mapped: %s.", strerror(errno));
    else
        worker->data = data;
}

static int serve(const struct arguments *arguments) {
    struct worker worker = {.socket = arguments->socket};
    be_expendable();
    // What a kernel prints must not be lost in a buffer when it crashes.
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    worker.variant = find_variant(arguments->variant, arguments->type);
    if (!worker.variant)
        snprintf(worker.refusal, BACKEND_MESSAGE, "This worker has no variant %.200s of type %.50s.",
                 arguments->variant, arguments->type);
    else if (!worker_type_parse(arguments->type, &worker.type))
        snprintf(worker.refusal, BACKEND_MESSAGE, "The type %.50s is unknown.", arguments->type);
    else if (backend_open(arguments->device, worker.refusal)) {
        worker.refusal[0] = 0;
        map_data(&worker, arguments->data);
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
        return print_cards();
    if (strcmp(arguments.mode, "--environment") == 0)
        return print_environment(arguments.device);
    return usage(argv[0]);
}
