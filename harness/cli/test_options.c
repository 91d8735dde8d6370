// SPDX-License-Identifier: MIT
// Every command with every option: what a command reads it takes, and what it does not it refuses, with a sentence and
// before it does anything. Which those are is written down here a second time, from the pages that describe them.
#include "harness/cli/test_program.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// With a value that is well-formed, and leads nowhere.
static const struct {
    const char *name, *value;
} options[] = {
    {"--variant", "nobody"},
    {"--skip-variant", "nobody"},
    {"--case", "nothing"},
    {"--skip-case", "x"},
    {"--type", "f32"},
    {"--backend", "host"},
    {"--cell", "nobody@*"},
    {"--tier", "smoke"},
    {"--seed", "1"},
    {"--repeat", "2"},
    {"--shard", "1/2"},
    {"--jobs", "1"},
    {"--limit", "9"},
    {"--device", "0"},
    {"--exec", "/nonexistent"},
    {"--plugin", "absent.so"},
    {"--json", "new.json"},
    {"--html", "new.html"},
    {"--junit", "new.xml"},
    {"--tap", "new.tap"},
    {"--markdown", "new.md"},
    {"--csv", "new.csv"},
    {"--claims", "new.claims"},
    {"--github", ""},
    {"--quiet", ""},
    {"-o", "new.out"},
    {"--known", "absent.txt"},
    {"--baseline", "absent"},
    {"--save-baseline", "b"},
    {"--orders", "4"},
    {"--dump", "new.npy"},
    {"-n", "4"},
    {"--runs", "2"},
    {"--vary", "shape"},
    {"--busy", ""},
    {"--sweep", "n=3"},
    {"--gallery", "absent.json"},
    {"--search", ""},
    {"--steps", "2"},
    {"--sizes", "8"},
    {"--samples", "2"},
    {"--shapes", ""},
    {"--shape", "t32"},
    {"--svg", "new.svg"},
    {"--replay", "ones"},
    {"--name", "n"},
    {"--reason", "r"},
    {"--source", "s"},
    {"--finding", "wrong"},
    {"--results", "absent.json"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ROWS         " --variant --skip-variant --type --backend"
#define CASES        " --case --skip-case"
#define BROUGHT      " --exec --plugin --limit --device --quiet"
#define WORK         " --jobs --limit --quiet"
#define REPORTS      " --json --html --junit --tap --markdown --csv --claims --github"
#define TIER         ROWS CASES WORK " --cell --tier --seed --repeat --shard --device"
#define RUN          TIER BROUGHT REPORTS " --known --save-baseline --orders --dump"

// Each form of each command, ended by words that make it stop before it works.
static const struct {
    const char *form, *words, *takes;
} forms[] = {
    {"list", "", ""},
    {"list variants", "", ROWS BROUGHT},
    {"list cases", "", CASES},
    {"list backends", "", " --backend" BROUGHT},
    {"run", "nobody", RUN},
    {"check", "nobody", RUN " --baseline"},
    {"new", "1", ""},
    {"selftest", "nobody", TIER REPORTS},
    {"hazards", "nobody", ROWS WORK REPORTS " --tier --seed"},
    {"hardware", "nobody", REPORTS " --type --backend --device"},
    {"study", "nobody", ROWS CASES WORK BROUGHT REPORTS " --seed --runs -n --vary --busy --sweep --gallery --search"},
    {"study --search", "nobody", ROWS WORK BROUGHT " --seed -n --search --steps --name -o"},
    {"sum", "absent.raw", ROWS WORK BROUGHT REPORTS " --runs"},
    {"explain", "absent.raw 1 2", WORK BROUGHT " --type --backend --html"},
    {"corpus", "add absent.raw", " --type --name --reason --source -o"},
    {"bench", "nobody", ROWS CASES BROUGHT REPORTS " --seed --known --sizes --samples --vary --shapes"},
    {"order", "nobody", ROWS WORK BROUGHT " --seed -n --shape --svg --replay --json"},
    {"report", "absent.json", REPORTS " -o"},
    {"verdict", "absent.json x", ""},
    {"compare", "absent.json absent.json", " --json --html --markdown"},
    {"merge", "absent.json", REPORTS " -o --known --baseline --save-baseline"},
    {"accept", "'a@b'", " --known --reason --finding --results"},
};

static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if (at > text && at[-1] == ' ' && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

// --search makes another form of study, and belongs to that.
static bool is_taken(const char *takes, const char *form, const char *option) {
    return has_word(takes, option) && (strcmp(form, "study") != 0 || strcmp(option, "--search") != 0);
}

START_TEST(what_is_not_read_is_refused) {
    char arguments[256], refusal[128];
    shell("rm -f new.* && rm -rf .reductio");
    for (size_t o = 0; o < COUNT(options); o++) {
        if (has_word(forms[_i].takes, options[o].name))
            continue;
        snprintf(arguments, sizeof arguments, "%s %s %s %s", forms[_i].form, forms[_i].words, options[o].name,
                 options[o].value);
        snprintf(refusal, sizeof refusal, "reductio: %s takes no %s, which is for ", forms[_i].form, options[o].name);
        ck_assert_msg(run(arguments) == 2, "%s", arguments);
        ck_assert_msg(file_holds("err.txt", refusal) && !file_holds("out.txt", "\n"), "%s", arguments);
    }
    shell("! ls -d new.* .reductio 2>/dev/null | grep .");
}
END_TEST

START_TEST(what_is_read_is_taken) {
    char arguments[1024];
    int length = snprintf(arguments, sizeof arguments, "%s %s", forms[_i].form, forms[_i].words);
    shell("rm -f new.*");
    for (size_t o = 0; o < COUNT(options); o++)
        if (is_taken(forms[_i].takes, forms[_i].form, options[o].name))
            length += snprintf(arguments + length, sizeof arguments - (size_t)length, " %s %s", options[o].name,
                               options[o].value);
    run(arguments);
    ck_assert_msg(!file_holds("err.txt", " takes no -"), "%s", arguments);
    shell("! ls new.* 2>/dev/null | grep .");
}
END_TEST

// Whether `help` has a line of the option that says what it means, and fits a wide terminal.
static bool explains(const char *help, const char *option) {
    enum { OPERANDS_END = 26, LEAST_WORDS = 12, SCREEN = 130 };
    char start[64];
    snprintf(start, sizeof start, "\n  %s ", option);
    const char *line = strstr(help, start);
    size_t length = line ? strcspn(line + 1, "\n") : 0;
    return length >= OPERANDS_END + LEAST_WORDS && length <= SCREEN && strspn(line + 1 + OPERANDS_END, " ") <= 1;
}

// The help of a command is made from the same table; a user must be able to read there what is taken, and what for.
START_TEST(help_tells_what_is_taken) {
    const char *form = forms[_i].form, *blank = strchr(form, ' ');
    char arguments[64];
    snprintf(arguments, sizeof arguments, "%.*s --help", blank ? (int)(blank - form) : (int)strlen(form), form);
    ck_assert_int_eq(run(arguments), 0);
    size_t length;
    char *help = read_file("out.txt", &length);
    ck_assert_ptr_nonnull(help);
    for (size_t o = 0; o < COUNT(options); o++)
        ck_assert_msg(!is_taken(forms[_i].takes, form, options[o].name) || explains(help, options[o].name), "%s: %s",
                      arguments, options[o].name);
    free(help);
}
END_TEST

// ---- what is taken is read: the files that a command is told to write are there ----

#define SEVEN "--json --html --junit --tap --markdown --csv --claims"
#define CELLS "--type f32 --case ones --quiet"

static const struct {
    const char *arguments, *outputs;
    int code;
} writers[] = {
    {"run host_kahan " CELLS, SEVEN " --known", 0},
    {"check host_kahan " CELLS, SEVEN, 0},
    {"selftest drops_tail --type f32 --case 'integers*' --backend simt --quiet", SEVEN, 1},
    {"hardware --backend simt --type f32", SEVEN, 0},
    {"study host_kahan " CELLS " -n 9 --runs 2 --vary run", SEVEN, 0},
    {"sum two.raw --type f32 --variant host_kahan --quiet", SEVEN, 0},
    {"explain two.raw 1 2 --type f32 --backend host", "--html", 0},
    {"bench host_kahan --type f32 --sizes 8 --samples 2 --quiet", SEVEN, 0},
    {"order host_kahan --type f32 -n 4", "--json", 0},
    {"order host_sequential --type f32 -n 4", "--svg", 0},
    {"report whole.json", SEVEN " -o", 0},
    {"compare whole.json whole.json", "--json --html --markdown", 0},
    {"merge whole.json", SEVEN " -o", 0},
    {"run --cell host_kahan@host/f32/ones/9/given/t1/o0/hw --json whole.json", "--dump", 0},
};

START_TEST(files_that_are_named_are_written) {
    char outputs[128], arguments[256], *rest = NULL;
    shell("printf '\\0\\0\\200\\077\\0\\0\\0\\100' >two.raw");
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --quiet --json whole.json"), 0);
    snprintf(outputs, sizeof outputs, "%s", writers[_i].outputs);
    for (char *option = strtok_r(outputs, " ", &rest); option; option = strtok_r(NULL, " ", &rest)) {
        bool is_read = strcmp(option, "--known") == 0;
        if (is_read)
            write_file("made", "# nothing is known\n");
        else
            unlink_file("made");
        snprintf(arguments, sizeof arguments, "%s %s made", writers[_i].arguments, option);
        int code = run(arguments);
        ck_assert_msg(code == writers[_i].code || code == 0, "%s: %d", arguments, code);
        ck_assert_msg(file_exists("made"), "%s writes nothing", arguments);
    }
}
END_TEST

// ---- what is taken is read: choices narrow what is told ----

static const struct {
    const char *arguments, *says, *does_not_say;
} choices[] = {
    {"list variants --backend host --type f16", "host_sequential@host/f16", "@host/f32"},
    {"list variants --variant 'host_k*'", "host_kahan@host/f32", "host_sequential"},
    {"list variants --backend host --backend simt --skip-variant '*@simt'", "host_kahan@host/f32", "@simt"},
    {"list variants --backend simt", "kahan@simt/f32", "@host"},
    {"list cases --case 'uni*'", "uniform", "integers"},
    {"list cases --skip-case 'uni*'", "integers", "\nuniform"},
    {"list backends --backend simt", "simt: present", "host: present"},
    {"selftest drops_tail --type f32 --case 'integers*' --backend simt --skip-variant 'drops*' drops_tail "
     "returns_zero --json s.json --quiet",
     "returns_zero", "drops_tail@"},
    {"bench host_kahan --type f32 --sizes 8 --samples 2 --case uniform --case ones --skip-case uni* --json s.json "
     "--quiet",
     "n = 8, ones", "n = 8, uniform"},
    {"study host_kahan --type f32 -n 9 --runs 2 --vary run --skip-case uniform --json s.json --quiet", "0 of 2 inputs",
     "0 of 3 inputs"},
    {"run --cell host_kahan@host/f32/ones/9/given/t1/o0/hw --cell host_kahan@host/f64/ones/9/given/t1/o0/hw --type f64 "
     "--json s.json --csv -",
     "host_kahan@host/f64/ones/9", "host_kahan@host/f32/ones/9"},
    {"run --cell host_kahan@host/f32/ones/9/given/t1/o0/hw --cell host_kahan@host/f32/ones/8/given/t1/o0/hw --shard "
     "2/2 --json s.json --csv -",
     "host_kahan@host/f32/ones/8", "host_kahan@host/f32/ones/9"},
};

START_TEST(choices_narrow_what_is_told) {
    run(choices[_i].arguments);
    ck_assert_msg(file_holds("out.txt", choices[_i].says), "%s: no %s", choices[_i].arguments, choices[_i].says);
    ck_assert_msg(!file_holds("out.txt", choices[_i].does_not_say), "%s: %s", choices[_i].arguments,
                  choices[_i].does_not_say);
}
END_TEST

// ---- values ----

static const struct {
    const char *arguments, *says;
} refusals[] = {
    {"order kahan -n 0", "-n 0: a whole number from 1"},
    {"study kahan -n 0", "-n 0: a whole number from 1"},
    {"study kahan -n -3", "-n -3: a whole number from 1"},
    {"study kahan -n 99999999999999999999", "-n 99999999999999999999: a whole number from 1"},
    {"order kahan -n 1.5", "-n 1.5: a whole number from 1"},
    {"order kahan -n 2^64", "-n 2^64: a whole number from 1"},
    {"order kahan -n 1e3x", "-n 1e3x: a whole number from 1"},
    {"study kahan --runs 0", "--runs 0: a whole number from 1"},
    {"study kahan --runs 1e10", "--runs 1e10: a whole number from 1 to 2147483647"},
    {"study kahan --backend simt --sweep n=0", "a whole number from 1 on"},
    {"study kahan --vary ,", "--vary ,: it names nothing"},
    {"study kahan --vary ''", "--vary is given an empty value"},
    {"run --json ''", "--json is given an empty value"},
    {"run --json=", "--json is given an empty value"},
    {"run --variant ''", "--variant is given an empty value"},
    {"run ''", "an argument is empty"},
    {"report ''", "an argument is empty"},
    {"run --json", "--json wants a value"},
    {"order kahan -n", "-n wants a value"},
    {"run --json --html a.html", "--json --html: an option is no value"},
    {"run --json a.json --json b.json", "--json is given twice"},
    {"run --orders 4 --orders 8", "--orders is given twice"},
    {"run --known array.json --known array.json", "--known is given twice"},
    {"run --quiet=3", "--quiet takes no value"},
    {"run -x", "run has no option -x; see reductio run --help"},
    {"run --nonsense=1", "run has no option --nonsense; see reductio run --help"},
    {"run kahan -- --type f32", "no variant matches \"--type\""},
    {"run -5", "no variant matches \"-5\""},
    {"report x.cu", "x.cu: No such file"},
    {"list cases x.cu", "list cases takes no .cu file"},
    {"bench host_kahan --vary run", "bench --vary takes shape alone"},
    {"study kahan --sweep n=3 -n 4", "-n says another"},
    {"study kahan --sweep cond=1e8 --case ones", "--case and --skip-case say others"},
    {"study kahan --vary order --runs 3", "--runs and --busy are for --vary run or schedule"},
    {"study kahan --vary shape,order --busy", "--runs and --busy are for --vary run or schedule"},
    {"order host_kahan --seed 3", "there is no --replay CASE"},
    {"study kahan --search -o .", "there is no --name"},
    {"study kahan --backend simt --search -n 1", "from 2 up to 4096"},
    {"report absent.json -o a.html --html b.html", "-o and --html both say"},
    {"sum absent.raw --type f32 --type f64", "of one --type"},
    {"run --cell 'host_kahan@host/f32/*' --dump a --json /dev/null", "--dump wants one --cell"},
    {"sum absent.npy --type f32", "absent.npy says its own"},
    {"explain absent.npy 1 2 --type f32", "absent.npy says its own"},
    {"run --json a --html ./a", "--json and --html both go to a"},
    {"report array.json --html array.json", "would replace what is to be read"},
    {"merge array.json -o ./array.json", "would replace what is to be read"},
    {"check --known array.json --csv array.json", "would replace what is to be read"},
};

START_TEST(values_are_refused) {
    ck_assert_msg(run(refusals[_i].arguments) == 2, "%s", refusals[_i].arguments);
    ck_assert_msg(file_holds("err.txt", refusals[_i].says), "%s does not say \"%s\"", refusals[_i].arguments,
                  refusals[_i].says);
    shell("test $(wc -l <err.txt) = 1 && test ! -s out.txt && ! test -e a && ! test -e a.json");
}
END_TEST

START_TEST(negative_numbers_are_words) {
    shell("printf '\\0\\0\\200\\277\\0\\0\\0\\300' >minus.raw"); // -1, -2
    ck_assert_int_eq(run("explain minus.raw -3 -0x1.8p1 --type f32 --backend host"), 0);
    ck_assert(file_holds("out.txt", "A: the value -3 gives -3"));
    ck_assert(file_holds("out.txt", "B: the value -0x1.8p1 gives -3"));
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    Suite *suite = suite_create("options");
    TCase *tests = tcase_create("options");
    tcase_add_loop_test(tests, what_is_not_read_is_refused, 0, COUNT(forms));
    tcase_add_loop_test(tests, what_is_read_is_taken, 0, COUNT(forms));
    tcase_add_loop_test(tests, help_tells_what_is_taken, 0, COUNT(forms));
    tcase_add_loop_test(tests, files_that_are_named_are_written, 0, COUNT(writers));
    tcase_add_loop_test(tests, choices_narrow_what_is_told, 0, COUNT(choices));
    tcase_add_loop_test(tests, values_are_refused, 0, COUNT(refusals));
    tcase_add_test(tests, negative_numbers_are_words);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
