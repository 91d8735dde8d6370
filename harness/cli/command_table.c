// SPDX-License-Identifier: MIT
#include "harness/cli/command_table.h"
#include "harness/support.h"

#include <stdio.h>
#include <string.h>

// ---- sets of options ----

#define BIT(name) ((option_set)1 << OPTION_##name)
#define ROWS      (BIT(VARIANT) | BIT(SKIP_VARIANT) | BIT(TYPE) | BIT(BACKEND))
#define CASES     (BIT(CASE) | BIT(SKIP_CASE))
// --limit also holds for programs, and --quiet for compilers.
#define BROUGHT    (BIT(EXEC) | BIT(PLUGIN) | BIT(LIMIT) | BIT(DEVICE) | BIT(QUIET))
#define WORK       (BIT(JOBS) | BIT(LIMIT) | BIT(QUIET))
#define REPORTS    (BIT(JSON) | BIT(HTML) | BIT(JUNIT) | BIT(TAP) | BIT(MARKDOWN) | BIT(CSV) | BIT(CLAIMS) | BIT(GITHUB))
#define TIER_CELLS (ROWS | CASES | BIT(CELL) | BIT(TIER) | BIT(SEED) | BIT(REPEAT) | BIT(SHARD) | BIT(DEVICE) | WORK)
#define RUN        (TIER_CELLS | BROUGHT | REPORTS | BIT(KNOWN) | BIT(SAVE_BASELINE) | BIT(ORDERS) | BIT(DUMP))

// ---- the table ----

// A form that asks for more than another stands before it.
static const struct command commands[] = {
    {.name = "list",
     .word = "variants",
     .run = command_list,
     .takes = ROWS | BROUGHT,
     .takes_kernels = true,
     .help = "  reductio list variants|cases|backends\n"},
    {.name = "list", .word = "cases", .run = command_list, .takes = CASES},
    {.name = "list", .word = "backends", .run = command_list, .takes = BIT(BACKEND) | BROUGHT},
    {.name = "list", .run = command_list},
    {.name = "run",
     .run = command_run,
     .takes = RUN,
     .json = "results.json",
     .takes_kernels = true,
     .help = "  reductio run [ROWS]        rows x cases -> results.json; exit 0 also when claims are broken\n"
             "                             [--cell ID --dump DATA.npy]: the data of a cell\n"},
    {.name = "check",
     .run = command_check,
     .takes = RUN | BIT(BASELINE),
     .takes_kernels = true,
     .tells_github = true,
     .help = "  reductio check [ROWS]      the gate: exit 1 if a claim of a row is broken\n"
             "  reductio check MINE.cu [-- NVCC FLAGS]   compiles it and checks it; so do run, hazards, study, order,\n"
             "                             bench, sum, explain\n"
             "                             prints the lines to add where the file has none that make a row of it\n"},
    {.name = "new",
     .run = command_new,
     .help = "  reductio new NAME          writes NAME.cu, a sum of your own to start from\n"},
    {.name = "selftest",
     .run = command_selftest,
     .takes = TIER_CELLS | REPORTS,
     .help = "  reductio selftest          the planted faults must fail, each by its own detector\n"},
    {.name = "hazards",
     .run = command_hazards,
     .takes = ROWS | BIT(TIER) | BIT(SEED) | WORK | REPORTS,
     .takes_kernels = true,
     .help =
         "  reductio hazards [ROWS]    races and accesses out of bounds, by the sanitizer builds of the emulator;\n"
         "                             --tier full: odd sizes, 32 to 1024 threads a block, more schedules (minutes a "
         "row)\n"},
    {.name = "hardware",
     .run = command_hardware,
     .takes = BIT(TYPE) | BIT(BACKEND) | BIT(DEVICE) | REPORTS,
     .help = "  reductio hardware          what the machine does with subnormals, NaNs, -0 and atomics, beside what is "
             "stated\n"},
    {.name = "study",
     .only_with = BIT(SEARCH),
     .run = command_study,
     .takes = BIT(SEARCH) | ROWS | BIT(SEED) | WORK | BROUGHT | BIT(N) | BIT(STEPS) | BIT(NAME) | BIT(OUTPUT),
     .output = OPTION_OUTPUT,
     .takes_kernels = true,
     .help = "  reductio study ROWS        how far results vary: [--runs R] [-n N] [--busy]\n"
             "                             [--vary run,schedule,shape,placement,order,device]\n"
             "    --sweep n=N,N|cond=C,C   one line a size or condition number in the table of --csv\n"
             "    --vary schedule --gallery F   each result that schedules reach, with its replay; beside a GPU's "
             "recorded run\n"
             "    --search [--steps G] [--name NAME]   the input that brings a row nearest to its bound; NAME: make it "
             "a case,\n"
             "                             in .reductio/corpus, or in the folder that -o names\n"},
    {.name = "study",
     .run = command_study,
     .takes = ROWS | CASES | BIT(SEED) | WORK | BROUGHT | REPORTS | BIT(RUNS) | BIT(N) | BIT(VARY) | BIT(BUSY) |
              BIT(SWEEP) | BIT(GALLERY),
     .takes_kernels = true},
    {.name = "sum",
     .run = command_sum,
     .takes = ROWS | BIT(RUNS) | WORK | BROUGHT | REPORTS,
     .takes_kernels = true,
     .words_are_files = true,
     .help =
         "  reductio sum DATA.npy      the exact sum of your array, and what each row makes of it [--variant GLOB]\n"
         "                             -: standard input; --type T: the file holds plain numbers of that type\n"},
    {.name = "explain",
     .run = command_explain,
     .takes = BIT(TYPE) | BIT(BACKEND) | WORK | BROUGHT | BIT(HTML),
     .takes_kernels = true,
     .words_are_files = true,
     .help = "  reductio explain DATA.npy A B   why two sums of it differ; A and B are rows, values or .cu files "
             "[--html F]\n"},
    {.name = "corpus",
     .run = command_corpus,
     .takes = BIT(TYPE) | BIT(NAME) | BIT(REASON) | BIT(SOURCE) | BIT(OUTPUT),
     .output = OPTION_OUTPUT,
     .words_are_files = true,
     .help =
         "  reductio corpus add DATA.npy --name NAME --reason TEXT   an array as a case corpus/NAME of every run from "
         "now on:\n"
         "                             a file in .reductio/corpus, or in the folder that -o names [--source TEXT]\n"},
    {.name = "bench",
     .run = command_bench,
     .takes = ROWS | CASES | BIT(SEED) | BROUGHT | REPORTS | BIT(KNOWN) | BIT(SIZES) | BIT(SAMPLES) | BIT(VARY) |
              BIT(SHAPES),
     .json = "bench.json",
     .takes_kernels = true,
     .help = "  reductio bench [ROWS]      how long rows take: [--sizes 2^10,2^12,...] [--samples 30] [--vary shape] "
             "[--shapes]\n"},
    {.name = "order",
     .run = command_order,
     .takes = ROWS | BIT(SEED) | WORK | BROUGHT | BIT(N) | BIT(SHAPE) | BIT(SVG) | BIT(REPLAY) | BIT(JSON),
     .takes_kernels = true,
     .help = "  reductio order ROWS        the order of additions inside a row: [-n N] [--shape t256] [--svg F]\n"
             "                             [--replay CASE|DATA.npy]: the tree on the CPU must give the row's bits\n"},
    {.name = "report",
     .run = command_report,
     .takes = REPORTS | BIT(OUTPUT),
     .output = OPTION_HTML,
     .words_are_files = true,
     .help = "  reductio report results.json [--html page.html]   (also --junit, --markdown, --csv; else a table)\n"},
    {.name = "verdict",
     .run = command_verdict,
     .words_are_files = true,
     .help = "  reductio verdict results.json VARIANT   the exit code of one variant of a run\n"},
    {.name = "compare",
     .run = command_compare,
     .takes = BIT(JSON) | BIT(HTML) | BIT(MARKDOWN),
     .words_are_files = true,
     .tells_github = true,
     .help = "  reductio compare before.json after.json   cell by cell; exit 3 if one is worse or gone [--html F "
             "--markdown F]\n"},
    {.name = "merge",
     .run = command_merge,
     .takes = REPORTS | BIT(OUTPUT) | BIT(KNOWN) | BIT(BASELINE) | BIT(SAVE_BASELINE),
     .output = OPTION_JSON,
     .json = "results.json",
     .json_alone = true,
     .words_are_files = true,
     .tells_github = true,
     .help =
         "  reductio merge a.json b.json -o all.json  the shards of one run; exit code as of the run in one piece\n"},
    {.name = "accept",
     .run = command_accept,
     .takes = BIT(KNOWN) | BIT(REASON) | BIT(FINDING) | BIT(RESULTS),
     .help = "  reductio accept CELLGLOB --reason TEXT    lists what those cells have in results.json [--results F] as "
             "known\n"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

// ---- forms ----

static bool is_named(const struct command *command, const char *name) {
    return strcmp(command->name, name) == 0;
}

const struct command *command_find(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (is_named(&commands[i], name))
            return &commands[i];
    return NULL;
}

bool command_takes_kernels(const char *name) {
    bool takes = false;
    for (size_t i = 0; i < COMMANDS; i++)
        takes |= is_named(&commands[i], name) && commands[i].takes_kernels;
    return takes;
}

static const struct command *find_form(const char *name, const struct options *options) {
    const char *word = options->word_count ? options->words[0] : "";
    for (size_t i = 0; i < COMMANDS; i++)
        if (is_named(&commands[i], name) && (!commands[i].word || strcmp(commands[i].word, word) == 0) &&
            (options->given & commands[i].only_with) == commands[i].only_with)
            return &commands[i];
    return NULL; // the last form of a command asks for nothing
}

// "list cases", "study --search"
static void print_form(const struct command *command, FILE *out) {
    fprintf(out, "%s%s%s", command->name, command->word ? " " : "", command->word ? command->word : "");
    if (command->only_with)
        fprintf(out, " %s", option_spelling((enum option_id)__builtin_ctzll(command->only_with)));
}

// Where an option belongs: "list cases, run, check".
static void print_takers(enum option_id option, FILE *out) {
    size_t told = 0;
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].takes & option_bit(option)) {
            fputs(told++ ? ", " : "", out);
            print_form(&commands[i], out);
        }
}

static void refuse_option(const struct command *command, enum option_id option) {
    fputs("reductio: ", stderr);
    print_form(command, stderr);
    fprintf(stderr, " takes no %s, which is for ", option_spelling(option));
    print_takers(option, stderr);
    fputs(".\n", stderr);
}

const struct command *command_choose(const char *name, const struct options *options) {
    const struct command *command = find_form(name, options);
    option_set foreign = options->given & ~command->takes;
    for (int option = 0; option < OPTION_COUNT && foreign; option++)
        if (foreign & option_bit((enum option_id)option)) {
            refuse_option(command, (enum option_id)option);
            return NULL;
        }
    if (!options->files.count || command->takes_kernels)
        return command;
    fputs("reductio: ", stderr);
    print_form(command, stderr);
    fprintf(stderr, " takes no .cu file.\n");
    return NULL;
}

static bool names_an_output(const struct options *options) {
    bool named = false;
    for (int option = 0; option < OPTION_COUNT; option++)
        named |= option_output(options, (enum option_id)option) != NULL;
    return named;
}

bool command_set_outputs(const struct command *command, struct options *options) {
    bool other_name = options->output && command->output != OPTION_OUTPUT;
    if (other_name && option_given(options, command->output)) {
        say_error("-o and %s both say where one file goes.", option_spelling(command->output));
        return false;
    }
    if (other_name)
        option_set_output(options, command->output, options->output);
    if (command->json && !options->json && !(command->json_alone && names_an_output(options)))
        options->json = command->json;
    return true;
}

// ---- help ----

enum { MEANINGS_AT = 27 }; // column

static void print_option(const struct command *command, enum option_id option, FILE *out) {
    const char *operand = option_operand(option);
    int width = fprintf(out, "  %s%s%s", option_spelling(option), *operand ? " " : "", operand);
    fprintf(out, "%*s", width < MEANINGS_AT - 1 ? MEANINGS_AT - width : 1, "");
    if (option == OPTION_OUTPUT && command->output != OPTION_OUTPUT)
        fprintf(out, "the same as %s\n", option_spelling(command->output));
    else
        fprintf(out, "%s\n", option_meaning(option));
}

static void print_options(const struct command *command, FILE *out) {
    fputs("Options of ", out);
    print_form(command, out);
    fputs(command->takes ? ":\n" : ": none\n", out);
    for (int option = 0; option < OPTION_COUNT; option++)
        if (command->takes & option_bit((enum option_id)option))
            print_option(command, (enum option_id)option, out);
}

void command_print_help(const char *name, FILE *out) {
    fputs(command_find(name)->help, out);
    for (size_t i = 0; i < COMMANDS; i++)
        if (is_named(&commands[i], name) && (commands[i].takes || commands[i].help)) {
            fputs("\n", out);
            print_options(&commands[i], out);
        }
}

void command_print_all_help(FILE *out) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].help)
            fputs(commands[i].help, out);
}
