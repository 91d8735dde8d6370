// SPDX-License-Identifier: MIT
#include "harness/cli/commands.h"
#include "harness/environment.h"
#include "harness/interrupt.h"
#include "harness/support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "reductio tells how wrong, how repeatable and how hazardous a GPU floating-point sum is.\n"
    "\n"
    "  reductio list variants|cases|backends\n"
    "  reductio run [ROWS]        rows x cases -> results.json; exit 0 also when claims are broken\n"
    "  reductio check [ROWS]      the gate: exit 1 if a claim of a row is broken\n"
    "  reductio new NAME          writes NAME.cu, a sum of your own to start from\n"
    "  reductio check MINE.cu [-- NVCC FLAGS]   compiles it and checks it; so do run, hazards, study, order, bench\n"
    "                             a file without the lines that make a row of it is told which ones\n"
    "  reductio selftest          the planted faults must fail, each by its own detector\n"
    "  reductio hazards [ROWS]    races and accesses out of bounds, by the sanitizer builds of the emulator;\n"
    "                             --tier full: odd sizes, 32 to 1024 threads a block, more schedules (minutes a row)\n"
    "  reductio hardware          what the machine does with subnormals, NaNs, -0 and atomics, beside what is stated\n"
    "  reductio study ROWS        how far results vary: [--runs R] [-n N] [--busy]\n"
    "                             [--vary run,schedule,shape,placement,order,device]\n"
    "    --vary schedule --gallery F   each result that schedules reach, with its replay; beside a GPU's recorded run\n"
    "    --search [--steps G] [--name NAME]   the input that brings a row nearest to its bound; NAME: make it a case\n"
    "  reductio sum DATA.npy      the exact sum of your array, and what each row makes of it\n"
    "  reductio explain DATA.npy A B   why two sums of it differ; A and B are rows or values [--html F]\n"
    "  reductio corpus add DATA.npy --name NAME --reason TEXT   an array as a case corpus/NAME of every run from now "
    "on:\n"
    "                             a file in .reductio/corpus, or in the folder that -o names [--source TEXT]\n"
    "  reductio bench [ROWS]      how long rows take: [--sizes 2^10,2^12,...] [--samples 30] [--vary shape] "
    "[--shapes]\n"
    "  reductio order ROWS        the order of additions inside a row: [-n N] [--shape t256] [--svg F]\n"
    "                             [--replay CASE|DATA.npy]: the tree on the CPU must give the row's bits\n"
    "  reductio report results.json --html page.html   (also --junit, --markdown, --csv)\n"
    "  reductio verdict results.json VARIANT   the exit code of one variant of a run\n"
    "  reductio compare before.json after.json   cell by cell; exit 3 if one is worse or gone [--html F --markdown F]\n"
    "  reductio merge a.json b.json -o all.json  the shards of one run; exit code as of the run in one piece\n"
    "  reductio accept CELLGLOB --reason TEXT    lists what those cells have in results.json [--results F] as known\n"
    "\n"
    "Selection: --variant GLOB --skip-variant GLOB --case GLOB --skip-case GLOB --type T --backend B\n"
    "           --tier smoke|full --cell ID --seed S|random --repeat R --shard I/N --jobs J --limit SECONDS --device "
    "K\n"
    "Rows:      --plugin FILE.so brings the rows of a shared library (reductio_plugin.h); without ROWS they are what "
    "is "
    "meant\n"
    "           --exec COMMAND those of a program behind two pipes, or given {} and a .npy file; --exec numpy, torch, "
    "...\n"
    "Orders:    --orders 16,64 keeps the order of additions inside each row at those sizes in the record of run and "
    "check\n"
    "Files:     --json F --html F --junit F --tap F --markdown F --csv F   --github: annotations   --quiet: no "
    "progress\n"
    "Known:     --known F (default reductio-known.txt): defects that do not fail the gate\n"
    "Baseline:  --save-baseline NAME keeps the run as .reductio/NAME.json, check --baseline NAME exits 3 on a "
    "regression\n"
    "\n"
    "Exit codes: 0 fine; 1 a claim is broken, or a backend asked for by name is absent; 2 usage or malformed input;\n"
    "            3 regression; 77 everything skipped; 99 the harness itself failed; 130 interrupted.\n"
    "Pages:      share/doc/reductio of the installation; README.md and what it links in the source.\n";

static const struct {
    const char *name;
    command_function *run;
} commands[] = {
    {"bench", command_bench},     {"order", command_order},       {"sum", command_sum},
    {"explain", command_explain}, {"list", command_list},         {"run", command_run},
    {"check", command_check},     {"selftest", command_selftest}, {"hazards", command_hazards},
    {"study", command_study},     {"report", command_report},     {"verdict", command_verdict},
    {"compare", command_compare}, {"merge", command_merge},       {"accept", command_accept},
    {"corpus", command_corpus},   {"hardware", command_hardware}, {"new", command_new},
};

// Of a pipe: poll(2) reports POLLERR on the end that is written to once the other is closed.
static bool reader_has_left(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

// Whoever reads standard output must not take a part of it for the whole, unless he has had enough ("| head -1"). A
// gate's own opinion is worth more.
static int close_output(int code) {
    errno = 0;
    if (code == EXIT_USAGE || (fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE || reader_has_left())
        return code; // where it is EXIT_USAGE, what is wrong was said
    fprintf(stderr, "reductio: standard output cannot be written: %s.\n", strerror(errno ? errno : EIO));
    return code == EXIT_FINE ? EXIT_USAGE : code;
}

static int run_command(command_function *command, int argc, char **argv) {
    struct options options;
    struct command_line line = {.options = &options, .name = argv[1], .argv = argv, .argc = (size_t)argc};
    int code = options_parse(&options, argc - 1, argv + 1) ? command(&line) : EXIT_USAGE;
    options_free(&options);
    return close_output(code);
}

static bool is_any(const char *word, const char *a, const char *b, const char *c) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

// Also behind a command; what follows a "--" is a compiler's.
static bool asks_for_help(int argc, char **argv) {
    if (argc >= 2 && is_any(argv[1], "--help", "-h", "help"))
        return true;
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

// Where a standard stream is closed, the next file opened would take its number, and become a worker's standard stream.
static bool hold_standard_streams(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    return fd >= 0 && close(fd) == 0;
}

int main(int argc, char **argv) {
    if (!hold_standard_streams())
        harness_failed("cannot open /dev/null: %s", strerror(errno));
    end_on_interrupts();
    signal(SIGPIPE, SIG_IGN); // a reader who leaves must not end the run
    if (asks_for_help(argc, argv)) {
        fputs(help, stdout);
        return close_output(EXIT_FINE);
    }
    if (argc >= 2 && is_any(argv[1], "--version", "-V", "version")) {
        printf("reductio %s\n", build_version());
        return EXIT_FINE;
    }
    for (size_t i = 0; argc >= 2 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return run_command(commands[i].run, argc, argv);
    if (argc < 2)
        fputs(help, stderr);
    else
        fprintf(stderr, "reductio: there is no command \"%s\"; see reductio --help.\n", argv[1]);
    return EXIT_USAGE;
}
