// SPDX-License-Identifier: MIT
// The hazard builds from outside: planted races and trespasses are told with both accesses, place and variable, and the
// sums that do it right are silent. Run as: test_hazards PROGRAM RESULTS, where the results of all real sums go to.
#include <check.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *program, *results;

// Runs `reductio ARGUMENTS`; its standard output.
static int run(const char *arguments, char *text, size_t size) {
    char command[2048];
    snprintf(command, sizeof command, "'%s' %s --quiet </dev/null", program, arguments);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    size_t length = fread(text, 1, size - 1, pipe);
    text[length] = 0;
    int status = pclose(pipe);
    ck_assert_msg(WIFEXITED(status), "%s did not exit", command);
    return WEXITSTATUS(status);
}

// What the code of each fault says: the accesses that nothing orders, or the array that is left.
static const struct {
    const char *name, *hazard, *says[4];
} faults[] = {
    {"tree_missing_first_barrier",
     "raced",
     {"of dynamic shared memory", "tree_missing_first_barrier.cu:12", "block.h:14", "block 0"}},
    {"tree_warp_unrolled_as_published",
     "raced",
     {"of dynamic shared memory", "tree_warp_unrolled_as_published.cu:1", "nothing orders the two", "block 0"}},
    {"shared_reused_without_barrier", "raced", {"of dynamic shared memory", "block.h:25", "block.h:22", "byte 0"}},
    {"last_block_no_release",
     "raced",
     {"of the workspace", "wrote", "last_block_no_release.cu", "kernel sum_in_one_pass"}},
    {"last_block_no_acquire",
     "raced",
     {"of the workspace", "wrote", "last_block_no_acquire.cu", "kernel sum_in_one_pass"}},
    {"last_block_fence_before_write",
     "raced",
     {"of the workspace", "wrote", "last_block_fence_before_write.cu", "kernel sum_in_one_pass"}},
    {"last_block_no_fence", "raced", {"of the workspace", "wrote", "last_block_no_fence.cu", "kernel sum_in_one_pass"}},
    {"reads_one_past_end",
     "out of bounds",
     {"reads 4 bytes", "past the end of the input", "reads_one_past_end.cu", "kernel"}},
    {"loads_whole_vectors",
     "out of bounds",
     {"of which the last lies", "past the end of the input", "loads_whole_vectors.cu", "reads 16 bytes"}},
    {"reads_past_warp_sums",
     "out of bounds",
     {"reads 4 bytes", "past the end of the shared variable warp_sums", "reads_past_warp_sums.cu", "thread 8"}},
    {"scan_reads_before_shared",
     "out of bounds",
     {"reads 4 bytes", "before the start of dynamic shared memory", "scan_reads_before_shared.cu", "thread 0"}},
    {"writes_past_workspace",
     "out of bounds",
     {"writes 4 bytes", "past the end of the workspace", "writes_past_workspace.cu", "kernel"}},
};

enum { FAULTS = sizeof faults / sizeof *faults };

// A sanitizer's workers are dear to start, and rows share them: what is asked of many rows is one run.
static char of_faults[32768], of_all[16384];
static size_t files_before, files_after; // of that name, around the run of the faults

// What the run said of a row: the lines from the one that begins with its name to the next row's.
static void find_row(const char *text, const char *name, char *row, size_t size) {
    char head[80];
    snprintf(head, sizeof head, "\n%s: ", name);
    const char *start = strncmp(text, head + 1, strlen(head) - 1) == 0 ? text : strstr(text, head);
    ck_assert_msg(start != NULL, "%s is not in: %s", name, text);
    start += *start == '\n';
    const char *end = strchr(start, '\n');
    while (end && end[1] == ' ')
        end = strchr(end + 1, '\n');
    snprintf(row, size, "%.*s", end ? (int)(end - start) : (int)strlen(start), start);
}

static size_t count_files(const char *pattern) {
    glob_t files = {0};
    glob(pattern, 0, NULL, &files);
    size_t count = files.gl_pathc;
    globfree(&files);
    return count;
}

// Somebody's settings for programs of his own say nothing here; and the sanitizers' own texts become files nowhere (the
// option log_path=/dev/null would make /dev/null.1234, or fail for anybody but root).
static void run_faults(void) {
    static const char *const variables[] = {"TSAN_OPTIONS", "ASAN_OPTIONS"};
    char arguments[1024] = "hazards --type f32";
    for (size_t i = 0; i < FAULTS; i++)
        snprintf(arguments + strlen(arguments), sizeof arguments - strlen(arguments), " %s", faults[i].name);
    ck_assert_int_eq(setenv(variables[0], "halt_on_error=1:exitcode=66:report_bugs=0", 1), 0);
    ck_assert_int_eq(setenv(variables[1], "halt_on_error=1:exitcode=66", 1), 0);
    files_before = count_files("/dev/null.*");
    ck_assert_int_eq(run(arguments, of_faults, sizeof of_faults), 1);
    files_after = count_files("/dev/null.*");
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(unsetenv(variables[i]), 0);
}

START_TEST(sanitizers_leave_no_files) {
    ck_assert_uint_eq(files_after, files_before);
}
END_TEST

START_TEST(planted_hazard_is_told) {
    char row[8192];
    find_row(of_faults, faults[_i].name, row, sizeof row);
    ck_assert_msg(strstr(row, faults[_i].hazard) != NULL, "%s: %s", faults[_i].hazard, row);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(strstr(row, faults[_i].says[i]) != NULL, "\"%s\" is not in: %s", faults[_i].says[i], row);
}
END_TEST

// Some runtimes of ThreadSanitizer see nothing among more than 255 threads. Then the program says so, and never
// "clean".
START_TEST(known_race_is_told_or_not_checked) {
    static const unsigned sizes[] = {32, 64, 128, 256, 512, 1024};
    char text[16384], arguments[1024] = "run --csv -";
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        snprintf(arguments + strlen(arguments), sizeof arguments - strlen(arguments),
                 " --cell tree_missing_first_barrier@tsan/f32/uniform/%u/given/t%u/o0/inorder", sizes[i], sizes[i]);
    ck_assert_int_eq(run(arguments, text, sizeof text), 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char raced[64], unchecked[64];
        snprintf(raced, sizeof raced, "/%u/given/t%u/o0/inorder,t%u,inorder,raced,tsan", sizes[i], sizes[i], sizes[i]);
        snprintf(unchecked, sizeof unchecked, "/%u/given/t%u/o0/inorder,t%u,inorder,not checked,", sizes[i], sizes[i],
                 sizes[i]);
        bool told = strstr(text, raced) != NULL, honest = sizes[i] > 128 && strstr(text, unchecked) != NULL;
        ck_assert_msg(told || honest, "%u threads: %s", sizes[i], text);
    }
}
END_TEST

// Every real variant. These have fences on both sides, barriers between all phases, __syncwarp; binned_fold3 has the
// largest struct in shared memory, of another size in each type.
static const char *const clean[] = {"single_pass_last_block", "tree_sequential", "tree_warp_unrolled", "binned_fold3"};
enum { CLEAN = sizeof clean / sizeof *clean };

static void run_all(void) {
    char arguments[1200];
    snprintf(arguments, sizeof arguments, "hazards --json '%s'", results);
    ck_assert_int_eq(run(arguments, of_all, sizeof of_all), 0);
}

START_TEST(no_sum_is_accused) {
    ck_assert_msg(strstr(of_all, "\n0 of ") != NULL, "%s", of_all);
}
END_TEST

START_TEST(clean_sum_is_not_accused) {
    char row[1024], line[128];
    find_row(of_all, clean[_i], row, sizeof row);
    snprintf(line, sizeof line, "%s: clean under tsan and asan", clean[_i]);
    ck_assert_msg(strstr(row, line) != NULL, "%s", row);
}
END_TEST

int main(int argc, char **argv) {
    if (argc != 3)
        return EXIT_FAILURE;
    program = argv[1];
    results = argv[2];
    TCase *of_planted = tcase_create("faults"), *of_right = tcase_create("clean"), *others = tcase_create("others");
    tcase_add_unchecked_fixture(of_planted, run_faults, NULL);
    tcase_add_loop_test(of_planted, planted_hazard_is_told, 0, FAULTS);
    tcase_add_test(of_planted, sanitizers_leave_no_files);
    tcase_add_unchecked_fixture(of_right, run_all, NULL);
    tcase_add_test(of_right, no_sum_is_accused);
    tcase_add_loop_test(of_right, clean_sum_is_not_accused, 0, CLEAN);
    tcase_add_test(others, known_race_is_told_or_not_checked);
    Suite *suite = suite_create("hazards");
    suite_add_tcase(suite, of_planted);
    suite_add_tcase(suite, of_right);
    suite_add_tcase(suite, others);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
