// SPDX-License-Identifier: MIT
// A GPU is opened where a row that is run on it, or a question about it, needs it, once, and nowhere else. Run as:
// test_devices PROGRAM DIRECTORY.
#include "harness/cli/test_background.h"
#include "harness/protocol.h"
#include "harness/test_skip.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A GPU that writes down each time it is opened, and that is not there for workers of Reductio's own where ABSENT is
// set, nor for those that "nvcc" has built where DRIVER_TOO_OLD is. Rows of its own are the emulator's; whatever "nvcc"
// is given, it builds the worker of another test, with a row of the type that is asked for.
#define OPENS(fails)                                                                                                   \
    "if [ \"$1\" = --cards ]; then $worker --cards | $cards; exit; fi\necho \"$*\" >>opened\n"                         \
    "if [ \"$" fails "\" ]; then echo There is no fake GPU. >&2; exit 77; fi\n"                                        \
    "[ \"$1\" != --environment ] || exec printf 'gpu a fake one\\ndevices 1: a fake one\\ndriver 999.9\\n'\n"          \
    "exec $worker \"$@\"\n"
#define EMULATES "worker=\"${0%cuda}simt\" cards=cat\n"
#define BORROWS  "worker=" TEST_WORKER " cards=one_card\none_card() { tail -c +$((1 + CARD * %zu)) | head -c %zu; }\n"
#define COPIES_WORKER                                                                                                  \
    "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Cuda compilation tools, of a fake' && exit\ncard=0\n"                  \
    "while [ $# -gt 0 ]; do case $1 in -o) out=$2;; -MF) inputs=$2;; *.cu) file=$1;; *'=\"f64\"') card=1;; esac; "     \
    "shift; done\n"                                                                                                    \
    "echo \"worker: $file\" >$inputs && sed s/CARD/$card/ built >$out && chmod +x $out\n"

static void write_built(void) {
    char script[1024];
    snprintf(script, sizeof script, "#!/bin/sh\n" BORROWS "%s", sizeof(struct variant_card),
             sizeof(struct variant_card), OPENS("DRIVER_TOO_OLD"));
    write_file("built", script);
}

static void prepare(void) {
    make_workers("reductio-worker-cuda", "#!/bin/sh\n" EMULATES OPENS("ABSENT"));
    write_built();
    write_file("nvcc", COPIES_WORKER);
    shell("chmod +x nvcc && rm -rf cache mine.cu && printf '\\0\\0\\200\\077\\0\\0\\0\\100' >two.raw");
    ck_assert_int_eq(run("new mine"), 0);
    ck_assert_int_eq(run("run host_kahan --type f32 --case ones --json results.json"), 0);
}

static int run_with_gpu(const char *more, const char *arguments) {
    char environment[1024];
    snprintf(environment, sizeof environment, "REDUCTIO_WORKERS=workers CUDACXX=./nvcc %s", more);
    unlink_file("opened");
    return run_in(environment, arguments);
}

// How often the device was opened to ask it, or to run rows on it.
static int count_opened(const char *how) {
    char command[256];
    snprintf(command, sizeof command, "touch opened && grep -c -e '^%s' opened >count.txt || :", how);
    shell(command);
    snprintf(command, sizeof command, "%s/count.txt", directory);
    FILE *file = fopen(command, "r");
    int count = -1;
    ck_assert(file && fscanf(file, "%d", &count) == 1);
    fclose(file);
    return count;
}

#define FEW_CELLS               "--type f32 --case ones --quiet "
#define CELL(backend, schedule) "kahan@" backend "/f32/ones/33/given/t128/o0/" schedule

enum { ASKED = 1, SERVES = 2 }; // the device was asked what it is; rows ran on it

static const struct {
    const char *arguments;
    int opened;
    int code; // 0 is as good
} commands[] = {
    {"run kahan " FEW_CELLS, ASKED | SERVES, 0},
    {"run kahan@cuda " FEW_CELLS, ASKED | SERVES, 0},
    {"run kahan --backend cuda " FEW_CELLS, ASKED | SERVES, 0},
    {"run kahan --skip-variant '*@cuda*' " FEW_CELLS, 0, 0},
    {"run kahan@simt " FEW_CELLS, 0, 0},
    {"run kahan --backend simt " FEW_CELLS, 0, 0},
    {"run host_kahan " FEW_CELLS, 0, 0},
    {"check host_kahan " FEW_CELLS, 0, 0},
    // A GPU, or a backend, that is named must be there.
    {"run host_kahan --device 0 " FEW_CELLS, ASKED, 0},
    {"list variants --backend cuda", ASKED, 0},
    // Cells by name, and by globs: it is not the glob that says what is run, but what it matches.
    {"run --cell " CELL("cuda", "hw"), ASKED | SERVES, 0},
    {"run --cell " CELL("simt", "inorder"), 0, 0},
    {"run --cell 'kahan@*/f32/ones/1025/*'", ASKED | SERVES, 0},
    {"run --cell '*@simt/f32/ones/1025/*'", 0, 0},
    {"run --cell '*kahan*/f32/ones/1025/*inorder'", 0, 0},
    {"run --cell 'kahan@cuda/f32/*/device1'", ASKED, 2},       // there may be two of them
    {"run kahan --type f32 --case ones --shard 1/1000", 0, 0}, // the first group is the emulator's
    {"run kahan --type f32 --case halfway/no/such", 0, 2},
    // Rows that the command line brings.
    {"check --exec '" FAKE_PROGRAM " right' " FEW_CELLS, 0, 0},
    {"check --exec '" FAKE_PROGRAM " right' kahan@cuda " FEW_CELLS, ASKED | SERVES, 0},
    {"check --plugin " PLUGINS "/sums.so " FEW_CELLS, 0, 0},
    {"run --plugin " PLUGINS "/wants_device.so " FEW_CELLS, ASKED | SERVES, 99}, // which the emulator cannot load
    {"check mine.cu --backend simt " FEW_CELLS, 0, 0},
    {"hazards mine.cu --type f32", 0, 77},
    // What is no run.
    {"list cases", 0, 0},
    {"list variants", 0, 0},
    {"list backends", ASKED, 0},
    {"list backends --backend simt", 0, 0},
    {"hardware", ASKED | SERVES, 1},
    {"hardware --backend simt", 0, 0},
    {"hazards kahan --type f32", 0, 77},
    {"selftest returns_zero --type f32 --backend simt", 0, 0},
    {"order host_kahan --type f32 -n 8", 0, 0},
    {"order kahan@simt --type f32 -n 8", 0, 0},
    {"order kahan@cuda --type f32 -n 8", ASKED | SERVES, 0},
    {"study host_kahan --type f32 --runs 3 -n 9", 0, 0},
    {"study kahan --backend simt --type f32 --search --steps 1 -n 4", 0, 0},
    {"bench host_kahan --type f32 --sizes 33 --samples 3", 0, 0},
    {"sum two.raw --type f32", ASKED | SERVES, 0},
    {"sum two.raw --type f32 --variant 'host_*'", 0, 0},
    {"explain two.raw kahan 3 --type f32", 0, 0}, // the first row of the name is the emulator's
    {"explain two.raw kahan@cuda host_kahan --type f32", ASKED | SERVES, 0},
    {"report results.json --html page.html", 0, 0},
    {"compare results.json results.json", 0, 0},
    {"merge results.json -o merged.json", 0, 2},
    {"new mine_too", 0, 0},
};

START_TEST(device_is_opened_for_what_needs_it) {
    unlink_file("mine_too.cu");
    int code = run_with_gpu("", commands[_i].arguments), opened = commands[_i].opened;
    ck_assert_msg(code == 0 || code == commands[_i].code, "%s: exit code %d", commands[_i].arguments, code);
    ck_assert_msg(count_opened("--environment") == !!(opened & ASKED), "%s: asked %d times", commands[_i].arguments,
                  count_opened("--environment"));
    ck_assert_msg((count_opened("--serve") > 0) == !!(opened & SERVES), "%s: %d workers", commands[_i].arguments,
                  count_opened("--serve"));
    ck_assert(!file_holds("out.txt", "did not take part") && !file_holds("err.txt", "did not take part"));
}
END_TEST

#define OWN_CELL(type) "--cell test_variant_right@cuda/" type "/ones/33/given/t1/o0/hw "

// Two types are two workers, and one compiler made both: one is asked, and none of Reductio's own.
START_TEST(one_worker_of_a_file_speaks_for_all) {
#ifndef BUILDS_FOR_GPU
    SKIP_TEST("this Reductio was built without nvcc");
#endif
    ck_assert_int_eq(run_with_gpu("", "check mine.cu " OWN_CELL("f32") OWN_CELL("f64") "--json own.json"), 0);
    ck_assert_int_eq(count_opened("--environment"), 1);
    ck_assert_int_eq(count_opened("--serve"), 2);
    ck_assert(file_holds("own.json", "\"cuda.gpu\":\"a fake one\""));
    ck_assert(file_holds("own.json", "\"cuda.compiler of mine.cu\":\"Cuda compilation tools, of a fake\""));
    ck_assert(!file_holds("own.json", "\"cuda.compiler\""));
}
END_TEST

// A file that its author's nvcc has built for a newer driver is not run, and that is no machine without a GPU.
START_TEST(file_without_the_device_that_others_have_fails) {
#ifndef BUILDS_FOR_GPU
    SKIP_TEST("this Reductio was built without nvcc");
#endif
    ck_assert_int_eq(run_with_gpu("DRIVER_TOO_OLD=1", "check mine.cu " OWN_CELL("f32") "--json own.json"), 1);
    ck_assert(file_holds("own.json", "No device opens for what was built of it, though one does for Reductio's own "
                                     "rows: There is no fake GPU."));
    ck_assert_int_eq(run_with_gpu("DRIVER_TOO_OLD=1 ABSENT=1", "check mine.cu " OWN_CELL("f32")), 2);
    ck_assert(file_holds("err.txt", "backend \"cuda\" is absent: There is no fake GPU."));
}
END_TEST

// What a record says of the machine is there wherever a row ran on its GPU.
START_TEST(record_names_the_gpu_of_its_rows) {
    static const char *const rows[] = {"kahan@cuda", "--plugin " PLUGINS "/wants_device.so"};
    char arguments[512];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(arguments, sizeof arguments, "run %s " FEW_CELLS "--json gpu.json", rows[i]);
        run_with_gpu("", arguments);
        ck_assert_msg(file_holds("gpu.json", "\"cuda.gpu\":\"a fake one\""), "%s: no gpu", rows[i]);
        ck_assert_msg(file_holds("gpu.json", "\"cuda.driver\":\"999.9\""), "%s: no driver", rows[i]);
    }
    ck_assert_int_eq(run_with_gpu("", "run host_kahan " FEW_CELLS "--json gpu.json"), 0);
    ck_assert(!file_holds("gpu.json", "cuda"));
}
END_TEST

// Whoever chose rows of a GPU that is not there is told why they were not run; nobody else is.
static const struct {
    const char *arguments;
    int code;
    const char *file, *says;
} absences[] = {
    {"run kahan " FEW_CELLS, 0, "out.txt", "Backend cuda did not take part: There is no fake GPU."},
    {"sum two.raw --type f32 --json out.json", 0, "out.json", "Backend cuda did not take part: There is no fake GPU."},
    {"list backends", 0, "out.txt", "cuda: absent: There is no fake GPU."},
    {"run kahan --backend cuda " FEW_CELLS, 1, "err.txt", "backend cuda is absent: There is no fake GPU."},
    {"run kahan --device 0 " FEW_CELLS, 1, "err.txt", "--device 0: backend cuda is absent: There is no fake GPU."},
    {"run --cell " CELL("cuda", "hw"), 2, "err.txt", "backend \"cuda\" is absent: There is no fake GPU."},
    {"run --plugin " PLUGINS "/wants_device.so " FEW_CELLS, 77, "err.txt",
     "fault.loop@cuda/f32 was not run: it wants device memory, and the backend cuda is absent: There is no fake GPU."},
    {"run --plugin " PLUGINS "/wants_device.so --backend cuda " FEW_CELLS, 1, "err.txt",
     "backend cuda is absent: There is no fake GPU."},
};

START_TEST(absence_is_told_to_whom_it_concerns) {
    ck_assert_int_eq(run_with_gpu("ABSENT=1", absences[_i].arguments), absences[_i].code);
    ck_assert_msg(file_holds(absences[_i].file, absences[_i].says), "%s: nobody says \"%s\"", absences[_i].arguments,
                  absences[_i].says);
    ck_assert_int_eq(count_opened("--environment"), 1);
    ck_assert_int_eq(count_opened("--serve"), 0);
}
END_TEST

START_TEST(absence_is_not_told_to_others) {
    static const char *const others[] = {"run host_kahan " FEW_CELLS, "run kahan --backend simt " FEW_CELLS,
                                         "check --plugin " PLUGINS "/sums.so " FEW_CELLS,
                                         "check mine.cu --backend simt " FEW_CELLS};
    ck_assert_int_eq(run_with_gpu("ABSENT=1", others[_i]), 0);
    ck_assert(!file_holds("out.txt", "cuda") && !file_holds("err.txt", "cuda"));
}
END_TEST

// A fault that ends its worker in each of a hundred cells is caught by the first.
START_TEST(selftest_does_not_wait_for_hundreds_of_slow_workers) {
    make_workers("reductio-worker-simt", "#!/bin/sh\n[ \"$1\" != --serve ] || echo >>opened\n"
                                         "[ \"$1\" != --serve ] || mkdir slow 2>mkdir.txt || sleep 11\n"
                                         "exec \"$SIMT\" \"$@\"\n");
    char environment[512];
    snprintf(environment, sizeof environment, "SIMT=\"$(dirname '%s')\"/reductio-worker-simt", program);
    shell("rm -rf slow");
    ck_assert_int_eq(
        run_with_gpu(environment, "selftest writes_past_workspace --backend simt --case uniform --type f32"), 0);
    ck_assert(file_holds("out.txt", "caught    writes_past_workspace@simt/f32: out of bounds, by guard"));
    ck_assert_int_eq(count_opened(""), 2);
    ck_assert(file_holds("out.txt", "guard alone finds writes_past_workspace")); // no time limit has
    ck_assert(file_holds("out.txt", "cells were not checked, first writes_past_workspace@simt/f32/uniform/"));
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    keep_own_cache();
    Suite *suite = suite_create("devices");
    TCase *tests = tcase_create("devices");
    tcase_add_unchecked_fixture(tests, prepare, NULL);
    tcase_add_loop_test(tests, device_is_opened_for_what_needs_it, 0, COUNT(commands));
    tcase_add_test(tests, one_worker_of_a_file_speaks_for_all);
    tcase_add_test(tests, file_without_the_device_that_others_have_fails);
    tcase_add_test(tests, record_names_the_gpu_of_its_rows);
    tcase_add_loop_test(tests, absence_is_told_to_whom_it_concerns, 0, COUNT(absences));
    tcase_add_loop_test(tests, absence_is_not_told_to_others, 0, 4);
    tcase_add_test(tests, selftest_does_not_wait_for_hundreds_of_slow_workers);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
