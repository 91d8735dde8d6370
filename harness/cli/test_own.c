// SPDX-License-Identifier: MIT
// The user's own .cu files, from a new one to its verdict: kernels in the styles of other people
// (kernels/tests/styles/) go through the whole path on simt.
#include "harness/cli/test_program.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// f32 of a few cases: enough to be told, or not.
#define FEW "--quiet --backend simt --case integers --case 'coverage' --case uniform --json own.json"

static int check_file(const char *file, const char *more) {
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "check %s " FEW " %s", file, more);
    return run(arguments);
}

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

static const struct {
    const char *file;
    int code;
    const char *says, *says_too; // on either stream
    const char *flags;
} styles[] = {
    {"float4_functor", 1, "misused, found by misuse", "misaligned address: it lies 4 bytes past a multiple of 16", ""},
    {"float4_functor", 0, "None of 1 variants breaks a claim", "has no row of f64", "-- -DALIGNED=true"},
    {"in_a_class", 0, "None of 1 variants breaks a claim", "has no row of f32", ""},
    {"cooperative_grid", 0, "None of 1 variants breaks a claim", "has no row of f64", ""},
    {"ptx_for_the_gpu", 0, "None of 1 variants breaks a claim", "ptx_for_the_gpu@simt f64", ""},
    {"grid_barrier", 2, "grid_barrier.cu:10:", "simt has no grid-wide synchronisation", ""},
    {"sdk_template", 0, "None of 1 variants breaks a claim", "sdk_template@simt f64", ""},
    {"vector_loads", 0, "None of 1 variants breaks a claim", "vector_loads@simt f64", ""},
    {"cooperative", 0, "None of 1 variants breaks a claim", "cooperative@simt f64", ""},
    {"whole_program", 0, "None of 1 variants breaks a claim", "whole_program@simt f32", ""},
    {"in_headers", 0, "None of 1 variants breaks a claim", "in_headers@simt f64", ""},
    {"tail_lost", 1, "lost elements, found by coverage map", "Never added: elements 32 (1 of 33).", ""},
    {"barrier_missing", 1, "breaks a claim", "barrier_missing@simt f32", ""},
    {"inline_ptx", 2, "inline_ptx.cu:9: simt has no inline PTX (asm)", "keep that line from it with #ifdef __CUDACC__",
     ""},
};

START_TEST(kernel_in_another_style_is_judged) {
    char path[512], arguments[600];
    snprintf(path, sizeof path, STYLES "/%s.cu", styles[_i].file);
    snprintf(arguments, sizeof arguments, "%s", path);
    ck_assert_int_eq(check_file(arguments, styles[_i].flags), styles[_i].code);
    for (int i = 0; i < 2; i++) {
        const char *says = i ? styles[_i].says_too : styles[_i].says;
        ck_assert_msg(file_holds("out.txt", says) || file_holds("err.txt", says), "%s: \"%s\"", path, says);
    }
    ck_assert(styles[_i].code == 2 || !file_holds("own.json", STYLES)); // a report holds no folders
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
    write_file("words.cu", "// Types: f32 f16\n");
    ck_assert_int_eq(check_file("words.cu", ""), 2);
    ck_assert(file_holds("err.txt", "names \"f16\""));
}
END_TEST

// The lines that are told make a row of the file, as they are.
static const struct {
    const char *file, *text, *says;
} bare[] = {
    {"bare sum.cu",
     "__device__ float twice(float x) { return 2 * x; }\n"
     "template <int THREADS> __global__ void __launch_bounds__(THREADS, (2)) other(double *p) { *p = THREADS; }\n"
     "__global__ void whole_sum(const float *in, int n, float *out) {\n"
     "    if (blockIdx.x + threadIdx.x == 0) { float s = 0; for (int i = 0; i < n; i++) s += in[i]; *out = s; }\n"
     "}\n",
     "bare_sum@simt f32"},
    {"no_const.cu",
     "__global__ void sum_all(double *out_or_in, double *result, int n) {\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    double s = 0; for (int i = 0; i < n; i++) s += out_or_in[i]; *result = s;\n"
     "}\n",
     "no_const@simt f64"},
    {"adds.cu",
     "template <class T> __device__ T id(T x) { return x; }\n"
     "__global__ void add_all(const float *__restrict__ x, float *total, unsigned int count) {\n"
     "    extern __shared__ float mine[];\n"
     "    mine[threadIdx.x] = 0;\n"
     "    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)\n"
     "        mine[threadIdx.x] += id(x[i]);\n"
     "    atomicAdd(total, mine[threadIdx.x]);\n"
     "}\n",
     "adds@simt f32"},
    {"2doubles.cu",
     "__global__ void\nsum_it(double const *in, size_t n,\n double *out) {\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    double s = 0; for (size_t i = 0; i < n; i++) s += in[i]; *out = s;\n"
     "}\n",
     "my_2doubles@simt f64"},
};

START_TEST(told_lines_make_a_row) {
    char command[512];
    write_file(bare[_i].file, bare[_i].text);
    snprintf(command, sizeof command, "'%s'", bare[_i].file);
    ck_assert_int_eq(check_file(command, ""), 2);
    snprintf(command, sizeof command, "sed -n '/^#include/,/^REDUCTIO_VARIANT/p' err.txt >>'%s'", bare[_i].file);
    shell(command);
    snprintf(command, sizeof command, "'%s'", bare[_i].file);
    ck_assert_int_eq(check_file(command, ""), 0);
    ck_assert(file_holds("out.txt", bare[_i].says));
    ck_assert(file_holds("out.txt", "None of 1 variants breaks a claim"));
}
END_TEST

// A launch that fits no type is the compiler's to explain.
START_TEST(launch_of_another_shape_is_a_compile_error) {
    write_file("shape.cu", "#include <reductio.h>\n"
                           "static cudaError_t launch(const float *in, float *out, int n) { return cudaSuccess; }\n"
                           "REDUCTIO_VARIANT(shape, .summary = \"a launch of two pointers\");\n");
    ck_assert_int_eq(check_file("shape.cu", ""), 2);
    ck_assert(file_holds("err.txt", "shape.cu does not compile for simt, f32:"));
    ck_assert(file_holds("err.txt", "error:"));
}
END_TEST

START_TEST(mixed_types_are_asked_for) {
    write_file("mixed.cu", "#include <reductio.h>\n"
                           "__global__ void add(const float *in, size_t n, double *out) {\n"
                           "    double s = 0; for (size_t i = 0; i < n; i++) s += in[i]; *out = s;\n"
                           "}\n"
                           "static cudaError_t launch(const float *in, size_t n, double *out, void *, reductio_shape, "
                           "cudaStream_t s) { add<<<1, 1, 0, s>>>(in, n, out); return cudaGetLastError(); }\n"
                           "REDUCTIO_VARIANT(mixed, .summary = \"floats into a double\");\n");
    ck_assert_int_eq(check_file("mixed.cu", ""), 2);
    ck_assert(file_holds("err.txt", "\"// Types: f32:f64\""));
    shell("sed -i '1i // Types: f32:f64' mixed.cu");
    ck_assert_int_eq(check_file("mixed.cu", ""), 0);
    ck_assert(file_holds("out.txt", "mixed@simt f32:f64"));
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

// The file is not to blame.
START_TEST(full_disk_is_a_sentence) {
    write_serial("roomy.cu", "", LOOP, "roomy");
    write_file("full-c++", "#!/bin/sh\n[ \"$1\" = --version ] && exec c++ --version\n"
                           "echo 'cc1plus: fatal error: cannot write: No space left on device'; exit 1\n");
    shell("chmod +x full-c++");
    ck_assert_int_eq(run_in("CXX=./full-c++", "check roomy.cu --backend simt"), 2);
    ck_assert(file_holds("err.txt", "there is no room to build it: make some in "));
    ck_assert(!file_holds("err.txt", "does not compile"));
    shell("test $(ls cache/reductio | grep -c scratch) = 0");
}
END_TEST

START_TEST(killed_compiler_is_a_sentence) {
    write_serial("killed.cu", "", LOOP, "killed");
    write_file("killed-c++", "#!/bin/sh\n[ \"$1\" = --version ] && exec c++ --version\nkill -9 $$\n");
    shell("chmod +x killed-c++");
    ck_assert_int_eq(run_in("CXX=./killed-c++", "check killed.cu --backend simt"), 2);
    ck_assert(file_holds("err.txt", "the compiler was stopped by signal 9 (Killed)"));
    ck_assert(!file_holds("err.txt", "does not compile"));
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
        return; // this compiler has no sanitizers
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
    char cache[1200];
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    snprintf(cache, sizeof cache, "%s/cache", directory);
    setenv("XDG_CACHE_HOME", cache, 1);
    Suite *suite = suite_create("own");
    TCase *tests = tcase_create("own");
    tcase_add_test(tests, new_file_passes);
    tcase_add_loop_test(tests, bad_name_is_refused, 0, COUNT(refused_names));
    tcase_add_test(tests, existing_file_is_left_alone);
    tcase_add_loop_test(tests, kernel_in_another_style_is_judged, 0, COUNT(styles));
    tcase_add_test(tests, compile_error_has_file_and_line);
    tcase_add_loop_test(tests, unusable_file_is_a_sentence, 0, COUNT(refused_files));
    tcase_add_test(tests, file_without_descriptor_is_told);
    tcase_add_loop_test(tests, told_lines_make_a_row, 0, COUNT(bare));
    tcase_add_test(tests, launch_of_another_shape_is_a_compile_error);
    tcase_add_test(tests, mixed_types_are_asked_for);
    tcase_add_test(tests, file_may_have_any_name);
    tcase_add_test(tests, full_disk_is_a_sentence);
    tcase_add_test(tests, killed_compiler_is_a_sentence);
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
