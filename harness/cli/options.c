// SPDX-License-Identifier: MIT
#include "harness/cli/options.h"

#include "harness/cli/sizes.h"
#include "harness/support.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { FIRST_KEY = 256 }; // of getopt_long, beyond the letters

// Where the value of an option goes, and what it is.
enum value_kind {
    VALUE_FLAG,   // none: a bool
    VALUE_TEXT,   // kept as it was written
    VALUE_INPUT,  // the same: a file that is read
    VALUE_OUTPUT, // the same: a file that is written
    VALUE_LIST,   // the option may come again
    VALUE_COUNT,  // an unsigned from 1 on
    VALUE_PARSED  // by a function of its own
};

struct option_row {
    const char *name, *operand;
    enum value_kind kind;
    size_t offset; // in struct options
    bool (*parse)(struct options *options, const char *text);
};

typedef bool parse_function(struct options *options, const char *text);
static parse_function parse_tier, parse_seed, parse_shard, parse_device, parse_vary, parse_n;

#define KEPT(kind, member) VALUE_##kind, offsetof(struct options, member), NULL

// clang-format off
static const struct option_row rows[OPTION_COUNT] = {
    [OPTION_VARIANT] = {"variant", "GLOB", KEPT(LIST, selection.variants)},
    [OPTION_SKIP_VARIANT] = {"skip-variant", "GLOB", KEPT(LIST, selection.skip_variants)},
    [OPTION_CASE] = {"case", "GLOB", KEPT(LIST, selection.cases)},
    [OPTION_SKIP_CASE] = {"skip-case", "GLOB", KEPT(LIST, selection.skip_cases)},
    [OPTION_TYPE] = {"type", "T", KEPT(LIST, selection.types)},
    [OPTION_BACKEND] = {"backend", "B", KEPT(LIST, selection.backends)},
    [OPTION_CELL] = {"cell", "ID", KEPT(LIST, selection.cells)},
    [OPTION_TIER] = {"tier", "smoke|full", VALUE_PARSED, 0, parse_tier},
    [OPTION_SEED] = {"seed", "S|random", VALUE_PARSED, 0, parse_seed},
    [OPTION_REPEAT] = {"repeat", "R", KEPT(COUNT, selection.repeat)},
    [OPTION_SHARD] = {"shard", "I/N", VALUE_PARSED, 0, parse_shard},
    [OPTION_JOBS] = {"jobs", "J", KEPT(COUNT, selection.jobs)},
    [OPTION_LIMIT] = {"limit", "SECONDS", KEPT(COUNT, selection.limit_seconds)},
    [OPTION_DEVICE] = {"device", "K", VALUE_PARSED, 0, parse_device},
    [OPTION_EXEC] = {"exec", "COMMAND", KEPT(LIST, programs)},
    [OPTION_PLUGIN] = {"plugin", "FILE.so", KEPT(LIST, plugins)},
    [OPTION_JSON] = {"json", "F", KEPT(OUTPUT, json)},
    [OPTION_HTML] = {"html", "F", KEPT(OUTPUT, html)},
    [OPTION_JUNIT] = {"junit", "F", KEPT(OUTPUT, junit)},
    [OPTION_TAP] = {"tap", "F", KEPT(OUTPUT, tap)},
    [OPTION_MARKDOWN] = {"markdown", "F", KEPT(OUTPUT, markdown)},
    [OPTION_CSV] = {"csv", "F", KEPT(OUTPUT, csv)},
    [OPTION_CLAIMS] = {"claims", "F", KEPT(OUTPUT, claims)},
    [OPTION_GITHUB] = {"github", "", KEPT(FLAG, github)},
    [OPTION_QUIET] = {"quiet", "", KEPT(FLAG, quiet)},
    [OPTION_OUTPUT] = {"output", "F", KEPT(TEXT, output)},
    [OPTION_KNOWN] = {"known", "F", KEPT(INPUT, known)},
    [OPTION_BASELINE] = {"baseline", "NAME", KEPT(TEXT, baseline)},
    [OPTION_SAVE_BASELINE] = {"save-baseline", "NAME", KEPT(TEXT, save_baseline)},
    [OPTION_ORDERS] = {"orders", "N,N", KEPT(TEXT, orders)},
    [OPTION_DUMP] = {"dump", "F", KEPT(OUTPUT, dump)},
    [OPTION_N] = {"n", "N", VALUE_PARSED, 0, parse_n},
    [OPTION_RUNS] = {"runs", "R", KEPT(COUNT, runs)},
    [OPTION_VARY] = {"vary", "WHAT,WHAT", VALUE_PARSED, 0, parse_vary},
    [OPTION_BUSY] = {"busy", "", KEPT(FLAG, busy)},
    [OPTION_SWEEP] = {"sweep", "n=N,N|cond=C,C", KEPT(TEXT, sweep)},
    [OPTION_GALLERY] = {"gallery", "F", KEPT(INPUT, gallery)},
    [OPTION_SEARCH] = {"search", "", KEPT(FLAG, search)},
    [OPTION_STEPS] = {"steps", "G", KEPT(COUNT, steps)},
    [OPTION_SIZES] = {"sizes", "N,N", KEPT(TEXT, sizes)},
    [OPTION_SAMPLES] = {"samples", "R", KEPT(COUNT, samples)},
    [OPTION_SHAPES] = {"shapes", "", KEPT(FLAG, shapes)},
    [OPTION_SHAPE] = {"shape", "t256b8", KEPT(TEXT, shape)},
    [OPTION_SVG] = {"svg", "F", KEPT(OUTPUT, svg)},
    [OPTION_REPLAY] = {"replay", "CASE|DATA.npy", KEPT(INPUT, replay)},
    [OPTION_NAME] = {"name", "NAME", KEPT(TEXT, name)},
    [OPTION_REASON] = {"reason", "TEXT", KEPT(TEXT, reason)},
    [OPTION_SOURCE] = {"source", "TEXT", KEPT(TEXT, source)},
    [OPTION_FINDING] = {"finding", "WORD", KEPT(TEXT, finding)},
    [OPTION_RESULTS] = {"results", "F", KEPT(INPUT, results)},
};
// clang-format on

#undef KEPT

const char *option_spelling(enum option_id option) {
    static const char *const short_ones[OPTION_COUNT] = {[OPTION_N] = "-n", [OPTION_OUTPUT] = "-o"};
    static char spelled[OPTION_COUNT][24];
    if (short_ones[option])
        return short_ones[option];
    snprintf(spelled[option], sizeof spelled[option], "--%s", rows[option].name);
    return spelled[option];
}

const char *option_operand(enum option_id option) {
    return rows[option].operand;
}

static void *place_of(const struct options *options, enum option_id option) {
    return (char *)options + rows[option].offset;
}

static const char *file_of(const struct options *options, enum option_id option, enum value_kind kind) {
    return rows[option].kind == kind ? *(const char **)place_of(options, option) : NULL;
}

const char *option_output(const struct options *options, enum option_id option) {
    return file_of(options, option, VALUE_OUTPUT);
}

const char *option_input(const struct options *options, enum option_id option) {
    return file_of(options, option, VALUE_INPUT);
}

void option_set_output(struct options *options, enum option_id option, const char *path) {
    *(const char **)place_of(options, option) = path;
}

// ---- values ----

static bool complain(const char *option, const char *value, const char *wanted) {
    say_error("%s %s: %s.", option, value, wanted);
    return false;
}

static bool parse_number(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *value) {
    char *end;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end || errno || parsed < low || parsed > high) {
        say_error("%s %s: a whole number from %llu to %llu is wanted.", option, text, (unsigned long long)low,
                  (unsigned long long)high);
        return false;
    }
    *value = parsed;
    return true;
}

static bool parse_count(const char *option, const char *text, unsigned *value) {
    uint64_t wide;
    if (!size_parse(text, &wide) || wide > INT_MAX) {
        say_error("%s %s: a whole number from 1 to %d is wanted, such as " SIZE_SPELLINGS ".", option, text, INT_MAX);
        return false;
    }
    *value = (unsigned)wide;
    return true;
}

static bool parse_n(struct options *options, const char *text) {
    return size_parse(text, &options->n) ||
           complain("-n", text, "a whole number from 1 on is wanted, such as " SIZE_SPELLINGS);
}

static bool parse_device(struct options *options, const char *text) {
    uint64_t wide;
    options->selection.device_given = true;
    if (!parse_number("--device", text, 0, INT_MAX, &wide))
        return false;
    options->selection.device = (unsigned)wide;
    return true;
}

static bool parse_seed(struct options *options, const char *text) {
    if (strcmp(text, "random") != 0)
        return parse_number("--seed", text, 0, UINT64_MAX, &options->selection.seed);
    if (getrandom(&options->selection.seed, sizeof options->selection.seed, 0) != sizeof options->selection.seed)
        harness_failed("the system gave no random seed.");
    options->seed_is_random = true;
    return true;
}

static bool parse_tier(struct options *options, const char *text) {
    if (strcmp(text, "smoke") == 0)
        options->selection.tier = TIER_SMOKE;
    else if (strcmp(text, "full") == 0)
        options->selection.tier = TIER_FULL;
    else
        return complain("--tier", text, "a tier is \"smoke\" or \"full\"");
    return true;
}

bool options_take_shard_of_environment(struct options *options) {
    struct selection *selection = &options->selection;
    const char *total = getenv("GTEST_TOTAL_SHARDS"), *index = getenv("GTEST_SHARD_INDEX"); // they count from 0
    if (option_given(options, OPTION_SHARD) || !total || !index)
        return true;
    char *end_of_total, *end_of_index;
    unsigned long count = strtoul(total, &end_of_total, 10), place = strtoul(index, &end_of_index, 10);
    bool whole = *total >= '0' && *total <= '9' && !*end_of_total && *index >= '0' && *index <= '9' && !*end_of_index;
    if (!whole || count > INT_MAX || place >= count) {
        say_error("GTEST_SHARD_INDEX %s of GTEST_TOTAL_SHARDS %s is no shard: they are 0 <= I < N.", index, total);
        return false;
    }
    selection->shard_index = (unsigned)place + 1;
    selection->shard_count = (unsigned)count;
    return true;
}

static bool parse_shard(struct options *options, const char *text) {
    struct selection *selection = &options->selection;
    int used = 0;
    if (*text < '1' || *text > '9' ||
        sscanf(text, "%9u/%9u%n", &selection->shard_index, &selection->shard_count, &used) != 2 || text[used] ||
        !selection->shard_index || selection->shard_index > selection->shard_count)
        return complain("--shard", text, "a shard is I/N with 1 <= I <= N");
    return true;
}

static bool parse_vary(struct options *options, const char *text) {
    static const struct {
        const char *word;
        unsigned attack;
    } words[] = {{"run", ATTACK_RUN},     {"schedule", ATTACK_RUN},
                 {"shape", ATTACK_SHAPE}, {"placement", ATTACK_PLACEMENT},
                 {"order", ATTACK_ORDER}, {"device", ATTACK_DEVICE}};
    char copy[128], *rest = NULL;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return complain("--vary", text, "that is too long a list");
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        unsigned attack = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(words[i].word, word) == 0)
                attack = words[i].attack;
        if (!attack)
            return complain("--vary", word, "what can vary is run, schedule, shape, placement, order and device");
        options->vary |= attack;
        options->vary_schedule |= strcmp(word, "schedule") == 0;
    }
    return options->vary || complain("--vary", text, "it names nothing that can vary");
}

// ---- the command line ----

static bool keep_value(struct options *options, enum option_id option, const char *text) {
    void *place = place_of(options, option);
    switch (rows[option].kind) {
    case VALUE_FLAG:
        *(bool *)place = true;
        return true;
    case VALUE_LIST:
        text_list_add(place, text);
        return true;
    case VALUE_COUNT:
        return parse_count(option_spelling(option), text, place);
    case VALUE_PARSED:
        return rows[option].parse(options, text);
    default:
        *(const char **)place = text;
        return true;
    }
}

// Of two files or lists one would go unheard, and an empty value says nothing; of two numbers or tiers the last counts,
// so that a script's own can be overruled. A value that is a word of its own and begins as an option does was meant as
// one.
static bool take_option(struct options *options, int key, const char *text, bool apart) {
    enum option_id option = key == 'n' ? OPTION_N : key == 'o' ? OPTION_OUTPUT : (enum option_id)(key - FIRST_KEY);
    enum value_kind kind = rows[option].kind;
    const char *spelled = option_spelling(option);
    if (apart && text && strncmp(text, "--", 2) == 0)
        return complain(spelled, text, "an option is no value, unless behind a \"=\"");
    if (text && !*text)
        say_error("%s is given an empty value.", spelled);
    else if (option_given(options, option) && (kind == VALUE_TEXT || kind == VALUE_INPUT || kind == VALUE_OUTPUT))
        say_error("%s is given twice.", spelled);
    else {
        options->given |= option_bit(option);
        return keep_value(options, option, text);
    }
    return false;
}

// Prints what getopt_long found wrong with `argument`, the last that it has finished with.
static bool refuse_argument(const char *command, int fault, const char *argument) {
    const char letter[] = {'-', (char)optopt, '\0'};
    const char *spelled = optopt >= FIRST_KEY ? option_spelling((enum option_id)(optopt - FIRST_KEY))
                          : optopt            ? letter
                                              : argument;
    if (fault == ':')
        say_error("%s wants a value.", spelled);
    else if (optopt >= FIRST_KEY)
        say_error("%s takes no value.", spelled);
    else
        say_error("%s has no option %.*s; see reductio %s --help.", command, (int)strcspn(spelled, "="), spelled,
                  command);
    return false;
}

static bool take_word(struct options *options, const char *word, bool with_files) {
    size_t length = strlen(word);
    if (!length) {
        say_error("an argument is empty.");
        return false;
    }
    options->operands[options->operand_count++] = word;
    if (with_files && length > 3 && strcmp(word + length - 3, ".cu") == 0)
        text_list_add(&options->files, word);
    else
        options->words[options->word_count++] = word;
    return true;
}

// What stands behind -- is the compiler's where there is something to compile.
static bool take_rest(struct options *options, int argc, char **argv, bool with_files) {
    bool good = true;
    for (; good && optind < argc; optind++)
        if (options->files.count)
            text_list_add(&options->flags, argv[optind]);
        else
            good = take_word(options, argv[optind], with_files);
    return good;
}

// A number is a word, though it begins as an option does: "explain data.npy -1.5 kahan".
static bool is_negative_number(const char *word) {
    char *end;
    if (word[0] != '-' || (!isdigit((unsigned char)word[1]) && word[1] != '.' && strncmp(word + 1, "inf", 3) != 0))
        return false;
    strtod(word, &end);
    return !*end;
}

bool options_parse(struct options *options, int argc, char **argv, bool with_files) {
    struct option long_options[OPTION_COUNT + 1] = {0};
    for (int option = 0; option < OPTION_COUNT; option++)
        long_options[option] =
            (struct option){rows[option].name, rows[option].kind == VALUE_FLAG ? no_argument : required_argument, NULL,
                            FIRST_KEY + option};
    *options = (struct options){.selection = {.seed = DEFAULT_SEED}};
    options->words = must_calloc((size_t)argc, sizeof *options->words);
    options->operands = must_calloc((size_t)argc, sizeof *options->operands);
    optind = 1;
    opterr = 0;
    bool good = true;
    for (int key = 0; good && key != -1;) {
        if (optind < argc && is_negative_number(argv[optind])) {
            good = take_word(options, argv[optind++], with_files);
            continue;
        }
        key = getopt_long(argc, argv, "-:n:o:", long_options, NULL);
        if (key == 1)
            good = take_word(options, optarg, with_files);
        else if (key == ':' || key == '?')
            good = refuse_argument(argv[0], key, argv[optind - 1]);
        else if (key != -1)
            good = take_option(options, key, optarg, optarg == argv[optind - 1]);
    }
    return good && take_rest(options, argc, argv, with_files);
}

void options_free(struct options *options) {
    selection_free(&options->selection);
    text_list_free(&options->programs);
    text_list_free(&options->plugins);
    text_list_free(&options->files);
    text_list_free(&options->flags);
    free(options->words);
    free(options->operands);
}
