// SPDX-License-Identifier: MIT
// Workers and places that are gone, or half there: told, or made anew, and no row is blamed.
#include "harness/cli/test_background.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *script, *says; // NULL: there is none
    const char *mode;
} gone[] = {
    {NULL, "the worker of the backend simt is lost: ", "-x"},
    {"", "reductio-worker-simt cannot be executed: Permission denied. Build or install reductio anew.", "-x"},
    {"", "Cannot execute workers/reductio-worker-simt: Exec format error.", "+x"},
    {"\177ELF and no more", "Cannot execute ", "+x"},
};

START_TEST(lost_worker_is_told) {
    char command[LINE];
    unlink_file("lost.json");
    make_workers("reductio-worker-simt", gone[_i].script);
    if (gone[_i].script) {
        snprintf(command, sizeof command, "chmod %s workers/reductio-worker-simt", gone[_i].mode);
        shell(command);
    }
    ck_assert_int_eq(run_in("REDUCTIO_WORKERS=workers", "check --json lost.json"), HARNESS_FAILED);
    ck_assert_msg(file_holds("err.txt", gone[_i].says), "%s", gone[_i].says);
    ck_assert(!file_exists("lost.json"));
    if (strcmp(gone[_i].mode, "-x") == 0) // who asks for another backend does not miss it
        ck_assert_int_eq(run_in("REDUCTIO_WORKERS=workers", "check --backend host --type f32 --case ones --quiet"), 0);
}
END_TEST

static const char *const damages[] = {": >\"$w\"",
                                      "echo garbage >\"$w\"",
                                      "rm \"$w\"",
                                      "chmod -x \"$w\"",
                                      "dd if=/dev/zero of=\"$w\" bs=1 seek=5000 count=8 conv=notrunc 2>dd.txt",
                                      "rm -r \"$(dirname \"$w\")\"; : >\"$(dirname \"$w\")\""};

// What an earlier build has left there is of another kit.
static void empty_cache(void) {
    shell("rm -rf cache spoilt.cu");
}

// A worker in the cache that is not what was put there is built anew.
START_TEST(damaged_build_is_made_anew) {
    static const char check[] = "check spoilt.cu --backend simt --type f32 --case integers --json spoilt.json";
    char command[LINE];
    if (!file_exists("spoilt.cu"))
        ck_assert_int_eq(run("new spoilt"), 0);
    ck_assert_int_eq(run(check), 0);
    snprintf(command, sizeof command, "w=$(ls cache/reductio/*-*/worker) && %s", damages[_i]);
    shell(command);
    ck_assert_int_eq(run(check), 0);
    ck_assert(file_holds("err.txt", "compiling spoilt.cu"));
    ck_assert_int_eq(run(check), 0);
    ck_assert(!file_holds("err.txt", "compiling"));
    shell("test $(ls cache/reductio | wc -l) = 2");
}
END_TEST

// Compilers take another folder where TMPDIR names none.
START_TEST(missing_places) {
    unlink_file("placed.cu");
    ck_assert_int_eq(run("new placed"), 0);
    ck_assert_int_eq(run_in("env -u HOME -u XDG_CACHE_HOME", "check placed.cu --backend simt"), 2);
    ck_assert(file_holds("err.txt", "there is no place for builds: ~/.cache/reductio"));
    ck_assert_int_eq(run_in("TMPDIR=/nonexistent", "check placed.cu --backend simt --type f32 --case integers"), 0);
}
END_TEST

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    keep_own_cache();
    Suite *suite = suite_create("lost workers");
    TCase *tests = tcase_create("lost workers");
    tcase_add_unchecked_fixture(tests, empty_cache, NULL);
    tcase_add_loop_test(tests, lost_worker_is_told, 0, COUNT(gone));
    tcase_add_loop_test(tests, damaged_build_is_made_anew, 0, COUNT(damages));
    tcase_add_test(tests, missing_places);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
