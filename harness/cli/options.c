// SPDX-License-Identifier: MIT
#include "harness/cli/options.h"

#include "harness/support.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum option_key {
    KEY_VARIANT = 256,
    KEY_SKIP_VARIANT,
    KEY_CASE,
    KEY_SKIP_CASE,
    KEY_TYPE,
    KEY_BACKEND,
    KEY_CELL,
    KEY_TIER,
    KEY_SEED,
    KEY_REPEAT,
    KEY_SHARD,
    KEY_JOBS,
    KEY_LIMIT,
    KEY_DEVICE,
    KEY_JSON,
    KEY_HTML,
    KEY_JUNIT,
    KEY_MARKDOWN,
    KEY_CSV,
    KEY_TAP,
    KEY_KNOWN,
    KEY_BASELINE,
    KEY_SAVE_BASELINE,
    KEY_REASON,
    KEY_FINDING,
    KEY_RESULTS,
    KEY_SWEEP,
    KEY_GALLERY,
    KEY_SEARCH,
    KEY_STEPS,
    KEY_GITHUB,
    KEY_RUNS,
    KEY_VARY,
    KEY_SVG,
    KEY_REPLAY,
    KEY_SHAPE,
    KEY_DUMP,
    KEY_EXEC,
    KEY_PLUGIN,
    KEY_NAME,
    KEY_ORDERS,
    KEY_SOURCE,
    KEY_SAMPLES,
    KEY_SIZES,
    KEY_BUSY,
    KEY_SHAPES,
    KEY_QUIET
};

// One a line, whatever their number.
// clang-format off
static const struct option long_options[] = {
    {"variant", required_argument, NULL, KEY_VARIANT},
    {"skip-variant", required_argument, NULL, KEY_SKIP_VARIANT},
    {"case", required_argument, NULL, KEY_CASE},
    {"skip-case", required_argument, NULL, KEY_SKIP_CASE},
    {"type", required_argument, NULL, KEY_TYPE},
    {"backend", required_argument, NULL, KEY_BACKEND},
    {"cell", required_argument, NULL, KEY_CELL},
    {"tier", required_argument, NULL, KEY_TIER},
    {"seed", required_argument, NULL, KEY_SEED},
    {"repeat", required_argument, NULL, KEY_REPEAT},
    {"shard", required_argument, NULL, KEY_SHARD},
    {"jobs", required_argument, NULL, KEY_JOBS},
    {"limit", required_argument, NULL, KEY_LIMIT},
    {"device", required_argument, NULL, KEY_DEVICE},
    {"json", required_argument, NULL, KEY_JSON},
    {"html", required_argument, NULL, KEY_HTML},
    {"junit", required_argument, NULL, KEY_JUNIT},
    {"markdown", required_argument, NULL, KEY_MARKDOWN},
    {"csv", required_argument, NULL, KEY_CSV},
    {"tap", required_argument, NULL, KEY_TAP},
    {"known", required_argument, NULL, KEY_KNOWN},
    {"baseline", required_argument, NULL, KEY_BASELINE},
    {"reason", required_argument, NULL, KEY_REASON},
    {"save-baseline", required_argument, NULL, KEY_SAVE_BASELINE},
    {"finding", required_argument, NULL, KEY_FINDING},
    {"results", required_argument, NULL, KEY_RESULTS},
    {"output", required_argument, NULL, 'o'},
    {"github", no_argument, NULL, KEY_GITHUB},
    {"sweep", required_argument, NULL, KEY_SWEEP},
    {"gallery", required_argument, NULL, KEY_GALLERY},
    {"search", no_argument, NULL, KEY_SEARCH},
    {"steps", required_argument, NULL, KEY_STEPS},
    {"runs", required_argument, NULL, KEY_RUNS},
    {"vary", required_argument, NULL, KEY_VARY},
    {"svg", required_argument, NULL, KEY_SVG},
    {"replay", required_argument, NULL, KEY_REPLAY},
    {"shape", required_argument, NULL, KEY_SHAPE},
    {"dump", required_argument, NULL, KEY_DUMP},
    {"exec", required_argument, NULL, KEY_EXEC},
    {"plugin", required_argument, NULL, KEY_PLUGIN},
    {"name", required_argument, NULL, KEY_NAME},
    {"orders", required_argument, NULL, KEY_ORDERS},
    {"source", required_argument, NULL, KEY_SOURCE},
    {"samples", required_argument, NULL, KEY_SAMPLES},
    {"sizes", required_argument, NULL, KEY_SIZES},
    {"busy", no_argument, NULL, KEY_BUSY},
    {"shapes", no_argument, NULL, KEY_SHAPES},
    {"quiet", no_argument, NULL, KEY_QUIET},
    {NULL, 0, NULL, 0},
};
// clang-format on

static bool complain(const char *option, const char *value, const char *wanted) {
    fprintf(stderr, "reductio: --%s %s: %s.\n", option, value, wanted);
    return false;
}

static bool parse_number(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *value) {
    char *end;
    errno = 0;
    unsigned long long parsed = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end || errno || parsed < low || parsed > high) {
        fprintf(stderr, "reductio: --%s %s: a whole number from %llu to %llu is wanted.\n", option, text,
                (unsigned long long)low, (unsigned long long)high);
        return false;
    }
    *value = parsed;
    return true;
}

static bool parse_unsigned(const char *option, const char *text, unsigned low, unsigned *value) {
    uint64_t wide;
    if (!parse_number(option, text, low, INT_MAX, &wide))
        return false;
    *value = (unsigned)wide;
    return true;
}

static bool parse_seed(struct options *options, const char *text) {
    if (strcmp(text, "random") != 0)
        return parse_number("seed", text, 0, UINT64_MAX, &options->selection.seed);
    if (getrandom(&options->selection.seed, sizeof options->selection.seed, 0) != sizeof options->selection.seed)
        harness_failed("the system gave no random seed.");
    options->seed_is_random = true;
    return true;
}

static bool parse_tier(struct options *options, const char *text) {
    options->tier_given = true;
    if (strcmp(text, "smoke") == 0)
        options->selection.tier = TIER_SMOKE;
    else if (strcmp(text, "full") == 0)
        options->selection.tier = TIER_FULL;
    else
        return complain("tier", text, "a tier is \"smoke\" or \"full\"");
    return true;
}

// GoogleTest's variables, which sharding tools set; they count from 0. An option of this program's own goes before.
static bool take_shard_of_environment(struct selection *selection) {
    const char *total = getenv("GTEST_TOTAL_SHARDS"), *index = getenv("GTEST_SHARD_INDEX");
    if (selection->shard_count || !total || !index)
        return true;
    char *end_of_total, *end_of_index;
    unsigned long count = strtoul(total, &end_of_total, 10), place = strtoul(index, &end_of_index, 10);
    bool whole = *total >= '0' && *total <= '9' && !*end_of_total && *index >= '0' && *index <= '9' && !*end_of_index;
    if (!whole || count > INT_MAX || place >= count) {
        fprintf(stderr, "reductio: GTEST_SHARD_INDEX %s of GTEST_TOTAL_SHARDS %s is no shard: they are 0 <= I < N.\n",
                index, total);
        return false;
    }
    selection->shard_index = (unsigned)place + 1;
    selection->shard_count = (unsigned)count;
    return true;
}

static bool parse_shard(struct selection *selection, const char *text) {
    int used = 0;
    if (*text < '1' || *text > '9' ||
        sscanf(text, "%9u/%9u%n", &selection->shard_index, &selection->shard_count, &used) != 2 || text[used] ||
        !selection->shard_index || selection->shard_index > selection->shard_count)
        return complain("shard", text, "a shard is I/N with 1 <= I <= N");
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
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        unsigned attack = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(words[i].word, word) == 0)
                attack = words[i].attack;
        if (!attack)
            return complain("vary", word, "what can vary is run, schedule, shape, placement, order and device");
        options->vary |= attack;
        options->vary_schedule |= strcmp(word, "schedule") == 0;
    }
    return true;
}

static bool parse_list_option(struct options *options, int key, const char *text) {
    struct selection *selection = &options->selection;
    struct text_list *lists[] = {&selection->variants,   &selection->skip_variants, &selection->cases,
                                 &selection->skip_cases, &selection->types,         &selection->backends,
                                 &selection->cells};
    text_list_add(lists[key - KEY_VARIANT], text);
    return true;
}

// Options that are kept as they were written.
static bool parse_text_option(struct options *options, int key, const char *text) {
    const char **texts[] = {&options->json,          &options->html,   &options->junit,   &options->markdown,
                            &options->csv,           &options->tap,    &options->known,   &options->baseline,
                            &options->save_baseline, &options->reason, &options->finding, &options->results,
                            &options->sweep,         &options->gallery};
    *texts[key - KEY_JSON] = text;
    return true;
}

static bool parse_option(struct options *options, int key, const char *text) {
    struct selection *selection = &options->selection;
    if (key >= KEY_VARIANT && key <= KEY_CELL)
        return parse_list_option(options, key, text);
    if (key >= KEY_JSON && key <= KEY_GALLERY)
        return parse_text_option(options, key, text);
    switch (key) {
    case KEY_TIER:
        return parse_tier(options, text);
    case KEY_SEED:
        return parse_seed(options, text);
    case KEY_REPEAT:
        return parse_unsigned("repeat", text, 1, &selection->repeat);
    case KEY_SHARD:
        return parse_shard(selection, text);
    case KEY_JOBS:
        return parse_unsigned("jobs", text, 1, &selection->jobs);
    case KEY_LIMIT:
        return parse_unsigned("limit", text, 1, &selection->limit_seconds);
    case KEY_DEVICE:
        selection->device_given = true;
        return parse_unsigned("device", text, 0, &selection->device);
    case KEY_RUNS:
        return parse_unsigned("runs", text, 1, &options->runs);
    case KEY_SEARCH:
        options->search = true;
        return true;
    case KEY_STEPS:
        return parse_unsigned("steps", text, 1, &options->steps);
    case KEY_VARY:
        return parse_vary(options, text);
    case KEY_GITHUB:
        options->github = true;
        return true;
    case 'o':
        options->output = text;
        return true;
    case KEY_SVG:
        options->svg = text;
        return true;
    case KEY_REPLAY:
        options->replay = text;
        return true;
    case KEY_SHAPE:
        options->shape = text;
        return true;
    case KEY_DUMP:
        options->dump = text;
        return true;
    case KEY_EXEC:
        text_list_add(&options->programs, text);
        return true;
    case KEY_ORDERS:
        options->orders = text;
        return true;
    case KEY_NAME:
        options->name = text;
        return true;
    case KEY_SOURCE:
        options->source = text;
        return true;
    case KEY_PLUGIN:
        text_list_add(&options->plugins, text);
        return true;
    case KEY_SAMPLES:
        return parse_unsigned("samples", text, 1, &options->samples);
    case KEY_SIZES:
        options->sizes = text;
        return true;
    case KEY_BUSY:
        options->busy = true;
        return true;
    case KEY_SHAPES:
        options->shapes = true;
        return true;
    case KEY_QUIET:
        options->quiet = true;
        return true;
    case 'n':
        return parse_number("n", text, 0, UINT64_MAX, &options->study_n);
    default:
        return false; // getopt has said what is wrong
    }
}

static void take_word(struct options *options, const char *word) {
    size_t length = strlen(word);
    if (length > 3 && strcmp(word + length - 3, ".cu") == 0)
        text_list_add(&options->files, word);
    else
        options->words[options->word_count++] = word;
}

// What stands behind -- is the compiler's where there is something to compile.
static void take_rest(struct options *options, int argc, char **argv) {
    for (; optind < argc; optind++)
        if (options->files.count)
            text_list_add(&options->flags, argv[optind]);
        else
            take_word(options, argv[optind]);
}

bool options_parse(struct options *options, int argc, char **argv) {
    *options = (struct options){.selection = {.seed = DEFAULT_SEED}};
    options->words = must_calloc((size_t)argc, sizeof *options->words);
    optind = 1;
    for (int key; (key = getopt_long(argc, argv, "-n:o:", long_options, NULL)) != -1;) {
        if (key == 1)
            take_word(options, optarg);
        else if (!parse_option(options, key, optarg))
            return false;
    }
    take_rest(options, argc, argv);
    return take_shard_of_environment(&options->selection);
}

void options_free(struct options *options) {
    selection_free(&options->selection);
    text_list_free(&options->programs);
    text_list_free(&options->plugins);
    text_list_free(&options->files);
    text_list_free(&options->flags);
    free(options->words);
}
