// SPDX-License-Identifier: MIT
#include "harness/cli/command_table.h"
#include "harness/cli/outputs.h"
#include "harness/environment.h"
#include "harness/interrupt.h"
#include "harness/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char introduction[] =
    "reductio tells how wrong, how repeatable and how hazardous a GPU floating-point sum is.\n\n";

static const char explanations[] =
    "  reductio COMMAND --help    the options that a command takes\n"
    "\n"
    "Selection: --variant GLOB --skip-variant GLOB --case GLOB --skip-case GLOB --type T --backend B\n"
    "           --tier smoke|full --cell ID --seed S|random --repeat R --shard I/N --jobs J --limit SECONDS --device "
    "K\n"
    "Rows:      --plugin FILE.so brings the rows of a shared library (reductio_plugin.h), --exec COMMAND those of a\n"
    "           program: one that answers over pipes, or, where the command holds {}, one that is run on a .npy file "
    "in\n"
    "           its place; --exec numpy, torch, ... come along. Where no ROWS are named, what was brought is run\n"
    "Orders:    --orders 16,64 keeps the order of additions inside each row at those sizes in the record of run and "
    "check\n"
    "Files:     --json F --html F --junit F --tap F --markdown F --csv F   --github: annotations   --quiet: no "
    "progress\n"
    "           --claims F: the JSON without its cells, for verdict\n"
    "           F may be -, standard output: what is for people then goes to standard error\n"
    "Sizes:     1000, 1e3 or 2^10, wherever one is read\n"
    "Known:     --known F (default reductio-known.txt): defects that do not fail the gate\n"
    "Baseline:  --save-baseline NAME keeps the run as .reductio/NAME.json, check --baseline NAME exits 3 on a "
    "regression\n"
    "\n"
    "Exit codes: 0 fine; 1 a claim is broken, a program gives no sums, or a backend asked for by name is absent;\n"
    "            2 usage, malformed input, a program that cannot be started; 3 regression; 77 everything skipped;\n"
    "            99 the harness itself failed, or could not check some cells; 130 interrupted.\n"
    "Pages:     share/doc/reductio of the installation; README.md and what it links in the source.\n";

// Whoever reads standard output must not take a part of it for the whole, unless he has had enough ("| head -1") or has
// closed it before. A gate's own opinion is worth more.
static int close_output(int code) {
    bool failed = ferror(stdout);
    if (failed) { // and why is long forgotten
        clearerr(stdout);
        putchar('\n');
    }
    errno = 0;
    if (code == EXIT_USAGE || (fflush(stdout) == 0 && !failed) || errno == EPIPE || errno == EBADF ||
        save_reader_has_left())
        return code; // where it is EXIT_USAGE, what is wrong was said
    say_error("standard output cannot be written: %s.", strerror(errno ? errno : EIO));
    return code == EXIT_FINE ? EXIT_USAGE : code;
}

// Whoever reads a report from standard output shall find nothing else there: what is for people goes to standard error.
static void keep_standard_output_for_reports(const struct options *options) {
    for (int option = 0; option < OPTION_COUNT; option++) {
        const char *path = option_output(options, (enum option_id)option);
        if (path && save_goes_to_standard_output(path))
            stdout = stderr; // glibc and the BSDs let a program assign it
    }
}

// Holds the options against what the command reads, and tries what it is to write, before it starts.
static int run_command(int argc, char **argv) {
    struct options options;
    struct command_line line = {.options = &options, .name = argv[1], .argv = argv, .argc = (size_t)argc};
    const struct command *command = NULL;
    if (options_parse(&options, argc - 1, argv + 1, command_takes_kernels(line.name)))
        command = command_choose(line.name, &options);
    bool ready = command &&
                 (!(command->takes & option_bit(OPTION_SHARD)) || options_take_shard_of_environment(&options)) &&
                 command_set_outputs(command, &options) && outputs_can_be_written(command, &options);
    if (ready)
        keep_standard_output_for_reports(&options);
    int code = ready ? command->run(&line) : EXIT_USAGE;
    options_free(&options);
    return close_output(code);
}

static bool is_any(const char *word, const char *a, const char *b, const char *c) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int print_help(void) {
    fputs(introduction, stdout);
    command_print_all_help(stdout);
    fputs(explanations, stdout);
    return close_output(EXIT_FINE);
}

// What follows a "--" is a compiler's.
static bool asks_for_help(int argc, char **argv) {
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_any(argv[i], "--help", "-h", "-?"))
            return true;
    return false;
}

static bool is_open(int fd) {
    return fcntl(fd, F_GETFD) >= 0;
}

// By the end of a pipe that is read from: it cannot be written to, and only names of standard output lead to it, so
// that a report that is to go there is refused, by whatever name.
static bool hold_standard_output(void) {
    int ends[2];
    return pipe(ends) == 0 && ends[0] == STDOUT_FILENO && close(ends[1]) == 0;
}

// Where a standard stream is closed, the next file opened would take its number, and become a worker's standard stream.
static bool hold_standard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (!is_open(fd) && !(fd == STDOUT_FILENO ? hold_standard_output() : open("/dev/null", O_RDWR) == fd))
            return false;
    return true;
}

int main(int argc, char **argv) {
    if (!hold_standard_streams())
        harness_failed("nothing holds the place of a closed standard stream: %s", strerror(errno));
    end_on_interrupts();
    signal(SIGPIPE, SIG_IGN); // neither a reader who leaves
    signal(SIGXFSZ, SIG_IGN); // nor a file that may not grow must end the run without a word
    if (argc < 2) {
        say_error("a command is wanted; see reductio --help.");
        return EXIT_USAGE;
    }
    if (is_any(argv[1], "--version", "-V", "version")) {
        printf("reductio %s\n", build_version());
        return close_output(EXIT_FINE);
    }
    bool help = is_any(argv[1], "--help", "-h", "help");
    if (help && argc == 2)
        return print_help();
    const char *name = argv[help ? 2 : 1];
    if (!command_find(name)) {
        say_error("there is no command \"%s\"; see reductio --help.", name);
        return EXIT_USAGE;
    }
    if (!help && !asks_for_help(argc, argv))
        return run_command(argc, argv);
    command_print_help(name, stdout);
    return close_output(EXIT_FINE);
}
