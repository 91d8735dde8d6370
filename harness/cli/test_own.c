// SPDX-License-Identifier: MIT
// The user's own .cu files, from a new one to its verdict on simt: sentences, flags, lines to paste, the cache.
#include "harness/cli/test_program.h"
#include "harness/test_skip.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A kernel of one thread; BODY is its loop.
static void write_serial(const char *file, const char *head, const char *body, const char *name) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "// Types: f32\n#include <reductio.h>\n%s\n"
        "__global__ void add(const float *in, size_t n, float *out) {\n"
        "    float sum = 0;\n"
        "    %s\n"
        "    *out = sum;\n"
        "}\n"
        "static cudaError_t launch(const float *in, size_t n, float *out, void *, reductio_shape, cudaStream_t s) {\n"
        "    add<<<1, 1, 0, s>>>(in, n, out);\n"
        "    return cudaGetLastError();\n"
        "}\n"
        "REDUCTIO_VARIANT(%s, .summary = \"one thread\");\n",
        head, body, name);
    write_file(file, text);
}

#define LOOP "for (size_t i = 0; i < n; i++) sum += in[i];"

START_TEST(new_file_passes) {
    unlink_file("mine.cu");
    ck_assert_int_eq(run("new mine"), 0);
    ck_assert(file_holds("out.txt", "reductio check mine.cu"));
    ck_assert_int_eq(run("check mine.cu --quiet --backend simt --json mine.json"), 0);
    ck_assert(file_holds("out.txt", "None of 1 variants breaks a claim"));
    ck_assert(file_holds("out.txt", "mine claims no accuracy and was held to the bound that any order of additions"));
    ck_assert(file_holds("out.txt", "reductio order mine.cu"));
    ck_assert(file_holds("mine.json", "\"arguments\":\"mine.cu\""));
}
END_TEST

static const struct {
    const char *arguments, *says;
} refused_names[] = {
    {"new", "wants one name"},
    {"new a b", "wants one name"},
    {"new 1st", "starts with a letter"},
    {"new a-b", "letters, digits and '_'"},
    {"new ../a", "letters, digits and '_'"},
    {"new kahan", "Reductio's own has that name"},
    {"new drops_tail", "Reductio's own has that name"},
    {"new nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", "at most 63"},
};

START_TEST(bad_name_is_refused) {
    unlink_file("kahan.cu");
    ck_assert_int_eq(run(refused_names[_i].arguments), 2);
    ck_assert_msg(file_holds("err.txt", refused_names[_i].says), "%s", refused_names[_i].arguments);
    ck_assert(!file_exists("kahan.cu"));
}
END_TEST

START_TEST(existing_file_is_left_alone) {
    write_file("taken.cu", "precious");
    ck_assert_int_eq(run("new taken"), 2);
    ck_assert(file_holds("err.txt", "taken.cu: File exists."));
    ck_assert(file_holds("taken.cu", "precious"));
}
END_TEST

// ---- what is wrong with a file is a sentence, with the file's own lines ----

START_TEST(compile_error_has_file_and_line) {
    write_serial("typo.cu", "", "summ += in[0];", "typo");
    ck_assert_int_eq(check_file("typo.cu", ""), 2);
    ck_assert(file_holds("err.txt", "typo.cu does not compile for simt, f32:"));
    ck_assert(file_holds("err.txt", "typo.cu:6:"));
    ck_assert(file_holds("err.txt", "summ"));
}
END_TEST

static const struct {
    const char *file, *head, *name, *more, *says;
} refused_files[] = {
    {"absent.cu", NULL, "", "", "absent.cu: No such file or directory."},
    {"clash.cu", "", "kahan", "", "the name \"kahan\" is taken by a row of Reductio's own"},
    {"types.cu", "", "types", "--type f64", "nothing to build"},
    {"twice.cu", "", "twice", "twice.cu", "there are two rows twice@simt/f32"},
    {"output.cu", "", "output", "-- -c", "the flag -c says what nvcc shall make"},
};

START_TEST(unusable_file_is_a_sentence) {
    if (refused_files[_i].head)
        write_serial(refused_files[_i].file, refused_files[_i].head, LOOP, refused_files[_i].name);
    ck_assert_int_eq(check_file(refused_files[_i].file, refused_files[_i].more), 2);
    ck_assert_msg(file_holds("err.txt", refused_files[_i].says), "%s", refused_files[_i].says);
}
END_TEST

START_TEST(file_without_descriptor_is_told) {
    write_file("bare.cu", "__global__ void k(float *p) { *p = 1; }\n");
    ck_assert_int_eq(check_file("bare.cu", ""), 2);
    ck_assert(file_holds("err.txt", "The file holds no descriptor of a sum of f32 and f64: include reductio.h"));
    write_file("words.cu", "// Types: f32 f8\n");
    ck_assert_int_eq(check_file("words.cu", ""), 2);
    ck_assert(file_holds("err.txt", "names \"f8\""));
}
END_TEST

// Runs the first line of out.txt that runs a cell again, in a folder below; again.json is what comes of it.
static void paste_in(const char *folder) {
    char command[2048];
    snprintf(command, sizeof command,
             "mkdir -p %s && grep -m1 -o '[A-Z_]*=*[^ ]* *reductio run --cell .*' out.txt >line.txt && here=$PWD && "
             "cd %s && PATH=\"$(dirname '%s'):$PATH\" sh -c \"$(cat \"$here/line.txt\") --json '$here/again.json'\" "
             ">\"$here/again.txt\" 2>&1",
             folder, folder, program);
    shell(command);
}

// A name is a word of a shell, a string of C and a rule of make on its way.
START_TEST(file_may_have_any_name) {
    static const char name[] = "it's a \"gr\xc3\xb6\xc3\x9f"
                               "e\" $x \\ 1.cu";
    write_serial(name, "", "for (size_t i = 0; i + 1 < n; i++) sum += in[i];", "odd");
    ck_assert_int_eq(check_file("*gr*1.cu", ""), 1);
    ck_assert(file_holds("out.txt", "lost elements"));
    paste_in(".");
    ck_assert(file_holds("again.json", "\"head\":\"lost elements\"") || file_holds("again.json", "beyond bound"));
}
END_TEST

// Compilers that fail. Where the machine lacked something for them the file is not to blame, and nothing is known of
// it.
static const struct {
    const char *ending; // of a shell's program that takes the compiler's place
    int code;
    const char *says;
} failing[] = {
    {"echo 'cc1plus: fatal error: cannot write: No space left on device'; exit 1", 99,
     "there is no room to build it: make some in "},
    {"echo 'cc1plus: fatal error: cannot write: No space left on device'; exit 1", 99, "fatal error: cannot write: No"},
    {"echo 'virtual memory exhausted: Cannot allocate memory'; exit 1", 99,
     "failing.cu could not be compiled, for which the file is not to blame: the machine lacks memory, descriptors or "
     "processes, or something ended the compiler: virtual memory exhausted: Cannot allocate memory"},
    {"case $LC_ALL in C) echo 'cc1plus: fatal error: x.s: No space left on device';; *) echo 'cc1plus: schwerwiegender "
     "Fehler: x.s: Auf dem Ger\xc3\xa4t ist kein Speicherplatz mehr verf\xc3\xbcgbar';; esac; exit 1",
     99, "there is no room to build it"}, // GNU's messages are in the user's language
    {"ulimit -n 5; exec c++ \"$@\"", 99, ": Too many open files"},
    {"kill -9 $$", 99, "it was stopped by signal 9 (Killed), as it is where memory runs out."},
    {"sh -c 'kill -9 $$'; exit $?", 99, "it was stopped by signal 9 (Killed)"}, // as nvcc does
    {"kill -11 $$", 2, "the compiler brought signal 11 (Segmentation fault) upon itself."},
    {"echo 'x.cu:1:2: error: #error tmp: No space left on device'; exit 1", 2, "failing.cu does not compile for simt"},
};

START_TEST(a_failing_compiler_is_a_sentence) {
    char *text;
    write_serial("failing.cu", "", LOOP, "failing");
    ck_assert_int_gt(
        asprintf(&text, "#!/bin/sh\n[ \"$1\" = --version ] && exec c++ --version\n%s\n", failing[_i].ending), 0);
    write_file("failing-c++", text);
    free(text);
    shell("chmod +x failing-c++");
    ck_assert_int_eq(run_in("CXX=./failing-c++", "check failing.cu --backend simt"), failing[_i].code);
    ck_assert_msg(file_holds("err.txt", failing[_i].says), "nobody says \"%s\"", failing[_i].says);
    ck_assert(file_holds("err.txt", "does not compile") == (strstr(failing[_i].says, "does not compile") != NULL));
    shell("test $(ls cache/reductio | grep -c scratch) = 0");
}
END_TEST

START_TEST(a_compiler_that_cannot_answer_is_a_sentence) {
    write_serial("asked.cu", "", LOOP, "asked");
    write_file("silent-c++", "#!/bin/sh\nexit 1\n");
    write_file("mapped-c++", "#!/bin/sh\necho 'c++: error while loading shared libraries: libm.so.6: failed to map "
                             "segment from shared object'; exit 127\n");
    shell("chmod +x silent-c++ mapped-c++");
    ck_assert_int_eq(run_in("CXX=./silent-c++", "check asked.cu --backend simt"), 2);
    ck_assert(file_holds("err.txt", "./silent-c++ --version does not answer.\n"));
    ck_assert_int_eq(run_in("CXX=./mapped-c++", "check asked.cu --backend simt"), 99);
    ck_assert(file_holds("err.txt", "./mapped-c++ --version does not answer: c++: error while loading"));
}
END_TEST

START_TEST(missing_compiler_is_a_sentence) {
    write_serial("serial.cu", "", LOOP, "serial");
    ck_assert_int_eq(run_in("CXX=/nonexistent/c++", "check serial.cu --backend simt"), 2);
    ck_assert(file_holds("err.txt", "there is no C++ compiler"));
}
END_TEST

// ---- flags ----

START_TEST(flags_reach_the_compiler_and_the_record) {
    write_serial("flagged.cu", "#include \"step.h\"", "for (size_t i = START; i < n; i++) sum += STEP(in[i]);",
                 "flagged");
    shell("mkdir -p inc");
    write_file("inc/step.h", "#define STEP(x) (x)\n");
    ck_assert_int_eq(check_file("flagged.cu", "-- -DSTART=0 -Iinc -arch=sm_90 --use_fast_math"), 0);
    ck_assert(file_holds("out.txt", "with -D START=0 -I inc, leaving out -arch=sm_90 --use_fast_math"));
    ck_assert(file_holds("own.json", "flagged.cu -- -DSTART=0 -Iinc -arch=sm_90 --use_fast_math"));
    ck_assert_int_eq(check_file("flagged.cu", "-- -DSTART=1 -Iinc"), 1);
    ck_assert(file_holds("out.txt", "lost elements"));
    ck_assert(file_holds("out.txt", "flagged.cu -- -DSTART=1 -Iinc"));
    ck_assert_int_eq(run("run --cell 'flagged@simt/f32/integers/33/given/t1/o0/inorder' --json c.json flagged.cu -- "
                         "-DSTART=1 -Iinc"),
                     0);
    ck_assert(file_holds("c.json", "beyond bound"));
}
END_TEST

// ---- lines to paste ----

START_TEST(pasted_line_has_path_variables_and_seed) {
    char arguments[1500], environment[1300];
    shell("mkdir -p 'a folder' headers");
    write_serial("a folder/wrong one.cu", "#include <start.h>", "for (size_t i = START; i < n; i++) sum += in[i];",
                 "wrong_one");
    write_file("headers/start.h", "#define START 1\n");
    snprintf(environment, sizeof environment, "CPLUS_INCLUDE_PATH='%s/headers'", directory);
    snprintf(arguments, sizeof arguments,
             "check '%s/a folder/wrong one.cu' --seed 7 --backend simt --case uniform --quiet --json own.json",
             directory);
    ck_assert_int_eq(run_in(environment, arguments), 1);
    ck_assert(file_holds("out.txt", "CPLUS_INCLUDE_PATH="));
    ck_assert(file_holds("out.txt", "--seed 7 '"));
    ck_assert(file_holds("own.json", "--seed 7 'a folder/wrong one.cu'")); // it lies below the working directory
    ck_assert(!file_holds("own.json", directory));
    shell("grep -m1 -o 'got  *0x[^ ]*' out.txt | grep -o '0x.*' >got.txt");
    paste_in("elsewhere");
    shell("grep -q \"\\\"got_hex\\\":\\\"$(cat got.txt)\\\"\" again.json");
}
END_TEST

// ---- the cache ----

START_TEST(build_is_kept_until_an_input_changes) {
    shell("rm -rf cache inc && mkdir -p inc");
    write_serial("kept.cu", "#include \"inc/step.h\"", "for (size_t i = 0; i < n; i++) sum += STEP(in[i]);", "kept");
    write_file("inc/step.h", "#define STEP(x) (x)\n");
    char arguments[] = "check kept.cu --backend simt --case integers --json own.json";
    ck_assert_int_eq(run(arguments), 0);
    ck_assert(file_holds("err.txt", "compiling kept.cu for simt/f32"));
    ck_assert_int_eq(run(arguments), 0);
    ck_assert(!file_holds("err.txt", "compiling"));
    write_file("inc/step.h", "#define STEP(x) (2 * (x))\n"); // an included file counts
    ck_assert_int_eq(run(arguments), 1);
    ck_assert(file_holds("err.txt", "compiling kept.cu"));
    write_file("inc/step.h", "#define STEP(x) (x)\n"); // and the first build is still there
    ck_assert_int_eq(run(arguments), 0);
    ck_assert(!file_holds("err.txt", "compiling"));
    shell("test $(ls cache/reductio | grep -c -- -) = 2");
    shell("test $(ls cache/reductio | grep -c scratch) = 0");
}
END_TEST

// So does one of a name that make would misread, in a folder that a variable of the compiler names; and the variable.
START_TEST(build_is_kept_until_a_variable_changes) {
    static const char by_one[] = "CPLUS_INCLUDE_PATH='by #1$x'", by_two[] = "CPLUS_INCLUDE_PATH=by_two";
    static const char arguments[] = "check named.cu --backend simt --case integers --json own.json";
    shell("rm -rf cache && mkdir -p 'by #1$x' by_two");
    write_serial("named.cu", "#include <step_by_name.h>", "for (size_t i = 0; i < n; i++) sum += STEP(in[i]);",
                 "named");
    write_file("by #1$x/step_by_name.h", "#define STEP(x) (x)\n");
    write_file("by_two/step_by_name.h", "#define STEP(x) (2 * (x))\n");
    ck_assert_int_eq(run_in(by_one, arguments), 0);
    ck_assert_int_eq(run_in(by_two, arguments), 1);
    ck_assert_int_eq(run_in(by_one, arguments), 0);
    ck_assert(!file_holds("err.txt", "compiling"));
    write_file("by #1$x/step_by_name.h", "#define STEP(x) (3 * (x))\n");
    ck_assert_int_eq(run_in(by_one, arguments), 1);
}
END_TEST

// Headers that were translated on the way count too, and what they lack is told with their own line.
START_TEST(kernel_in_a_header_is_the_author_s) {
    shell("rm -rf cache && mkdir -p inc");
    write_serial("outer.cu", "#include \"inc/inner.cuh\"", "sum = total(in, n);", "outer");
    write_file("inc/inner.cuh", "__device__ float total(const float *in, size_t n) {\n"
                                "    __shared__ float sum;\n"
                                "    sum = 0;\n"
                                "    " LOOP "\n"
                                "    return sum;\n"
                                "}\n");
    ck_assert_int_eq(run("check outer.cu --backend simt --case integers --json own.json"), 0);
    write_file("inc/inner.cuh", "__device__ float total(const float *in, size_t n) {\n"
                                "    asm(\"nop;\");\n"
                                "    return 0;\n"
                                "}\n");
    ck_assert_int_eq(run("check outer.cu --backend simt --case integers --json own.json"), 2);
    ck_assert(file_holds("err.txt", "inc/inner.cuh:2: simt has no inline PTX (asm)"));
}
END_TEST

START_TEST(processes_share_the_cache) {
    char command[2048];
    shell("rm -rf cache");
    write_serial("shared.cu", "", LOOP, "shared");
    snprintf(command, sizeof command,
             "for i in 1 2 3; do '%s' check shared.cu " FEW "$i >o$i 2>&1 & pids=\"$pids $!\"; done; "
             "for p in $pids; do wait $p || exit 1; done",
             program);
    shell(command);
    shell("test $(ls cache/reductio | grep -c -- -) = 1");
}
END_TEST

START_TEST(place_that_cannot_be_written_is_a_sentence) {
    write_file("no_folder", "");
    char environment[1200];
    snprintf(environment, sizeof environment, "XDG_CACHE_HOME='%s/no_folder'", directory);
    ck_assert_int_eq(run_in(environment, "check serial.cu --backend simt"), 2);
    ck_assert(file_holds("err.txt", "set XDG_CACHE_HOME"));
}
END_TEST

// ---- other commands ----

START_TEST(planted_race_is_told) {
    int code = run("hazards " STYLES "/barrier_missing.cu --type f32 --quiet");
    if (code == 77)
        SKIP_TEST("this compiler has no sanitizers");
    ck_assert_int_eq(code, 1);
    ck_assert(file_holds("out.txt", "barrier_missing: raced"));
    ck_assert(file_holds("out.txt", "shared variable part"));
    ck_assert(file_holds("out.txt", "barrier_missing.cu:15"));
}
END_TEST

START_TEST(order_suggests_a_height) {
    write_serial("serial.cu", "", LOOP, "serial");
    ck_assert_int_eq(run("order serial.cu -n 8 --backend simt"), 0);
    ck_assert(file_holds("out.txt", "It could: .accuracy = REDUCTIO_HEIGHT"));
    ck_assert(file_holds("out.txt", "a function that gives 7 for n = 8"));
}
END_TEST

START_TEST(file_stands_beside_other_rows) {
    write_serial("serial.cu", "", LOOP, "serial");
    ck_assert_int_eq(check_file("serial.cu host_sequential", "--backend host --type f32"), 0);
    ck_assert(file_holds("out.txt", "None of 2 variants breaks a claim"));
}
END_TEST

START_TEST(file_may_hold_several_rows) {
    write_file("two.cu",
               "// Types: f32\n"
               "#include <reductio.h>\n"
               "template <bool down> __global__ void add(const float *in, size_t n, float *out) {\n"
               "    float sum = 0;\n"
               "    for (size_t i = 0; i < n; i++) sum += in[down ? n - 1 - i : i];\n"
               "    *out = sum;\n"
               "}\n"
               "#define ROW(name, down) namespace name##_row { static cudaError_t launch(const float *in, size_t n, "
               "float *out, void *, reductio_shape, cudaStream_t s) { add<down><<<1, 1, 0, s>>>(in, n, out); "
               "return cudaGetLastError(); } REDUCTIO_VARIANT(name, .summary = #name); }\n"
               "ROW(upwards, false)\n"
               "ROW(downwards, true)\n");
    ck_assert_int_eq(check_file("two.cu", ""), 0);
    ck_assert(file_holds("out.txt", "None of 2 variants breaks a claim"));
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    keep_own_cache();
    Suite *suite = suite_create("own");
    TCase *tests = tcase_create("own");
    tcase_add_test(tests, new_file_passes);
    tcase_add_loop_test(tests, bad_name_is_refused, 0, COUNT(refused_names));
    tcase_add_test(tests, existing_file_is_left_alone);
    tcase_add_test(tests, compile_error_has_file_and_line);
    tcase_add_loop_test(tests, unusable_file_is_a_sentence, 0, COUNT(refused_files));
    tcase_add_test(tests, file_without_descriptor_is_told);
    tcase_add_test(tests, file_may_have_any_name);
    tcase_add_loop_test(tests, a_failing_compiler_is_a_sentence, 0, sizeof failing / sizeof *failing);
    tcase_add_test(tests, a_compiler_that_cannot_answer_is_a_sentence);
    tcase_add_test(tests, missing_compiler_is_a_sentence);
    tcase_add_test(tests, pasted_line_has_path_variables_and_seed);
    tcase_add_test(tests, flags_reach_the_compiler_and_the_record);
    tcase_add_test(tests, build_is_kept_until_an_input_changes);
    tcase_add_test(tests, build_is_kept_until_a_variable_changes);
    tcase_add_test(tests, kernel_in_a_header_is_the_author_s);
    tcase_add_test(tests, processes_share_the_cache);
    tcase_add_test(tests, place_that_cannot_be_written_is_a_sentence);
    tcase_add_test(tests, planted_race_is_told);
    tcase_add_test(tests, order_suggests_a_height);
    tcase_add_test(tests, file_stands_beside_other_rows);
    tcase_add_test(tests, file_may_hold_several_rows);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
