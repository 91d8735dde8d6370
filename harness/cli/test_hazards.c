// SPDX-License-Identifier: MIT
// The hazard builds from outside: planted races and trespasses are told with both accesses, place and variable, and the
// sums that do it right are silent. Run as: test_hazards PROGRAM.
#include <check.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *program;

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

START_TEST(planted_hazard_is_told) {
    char text[8192], arguments[128];
    snprintf(arguments, sizeof arguments, "hazards %s --type f32", faults[_i].name);
    ck_assert_int_eq(run(arguments, text, sizeof text), 1);
    ck_assert_msg(strstr(text, faults[_i].hazard) != NULL, "%s: %s", faults[_i].hazard, text);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(strstr(text, faults[_i].says[i]) != NULL, "\"%s\" is not in: %s", faults[_i].says[i], text);
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

// Fences on both sides, barriers between all phases, __syncwarp: nothing to say. binned_fold3 has the largest struct in
// shared memory, of another size in each type.
static const char *const clean[] = {"single_pass_last_block", "tree_sequential", "tree_warp_unrolled", "binned_fold3"};

START_TEST(clean_sum_is_not_accused) {
    char text[8192], line[128], arguments[128];
    snprintf(arguments, sizeof arguments, "hazards %s", clean[_i]);
    ck_assert_int_eq(run(arguments, text, sizeof text), 0);
    snprintf(line, sizeof line, "%s: clean under tsan and asan", clean[_i]);
    ck_assert_msg(strstr(text, line) != NULL, "%s", text);
}
END_TEST

// Somebody's settings for programs of his own say nothing here; and the sanitizers' own texts become files nowhere (the
// option log_path=/dev/null would make /dev/null.1234, or fail for anybody but root).
START_TEST(sanitizers_take_no_orders_and_leave_no_files) {
    char text[8192];
    glob_t before = {0}, after = {0};
    glob("/dev/null.*", 0, NULL, &before);
    ck_assert_int_eq(setenv("TSAN_OPTIONS", "halt_on_error=1:exitcode=66:report_bugs=0", 1), 0);
    ck_assert_int_eq(setenv("ASAN_OPTIONS", "halt_on_error=1:exitcode=66", 1), 0);
    ck_assert_int_eq(run("hazards tree_missing_first_barrier reads_one_past_end --type f32", text, sizeof text), 1);
    ck_assert_msg(strstr(text, "tree_missing_first_barrier: raced") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "reads_one_past_end: out of bounds") != NULL, "%s", text);
    glob("/dev/null.*", 0, NULL, &after);
    ck_assert_uint_eq(after.gl_pathc, before.gl_pathc);
    globfree(&before);
    globfree(&after);
}
END_TEST

int main(int argc, char **argv) {
    if (argc != 2)
        return EXIT_FAILURE;
    program = argv[1];
    TCase *tests = tcase_create("hazards");
    tcase_add_loop_test(tests, planted_hazard_is_told, 0, (int)(sizeof faults / sizeof *faults));
    tcase_add_test(tests, known_race_is_told_or_not_checked);
    tcase_add_loop_test(tests, clean_sum_is_not_accused, 0, (int)(sizeof clean / sizeof *clean));
    tcase_add_test(tests, sanitizers_take_no_orders_and_leave_no_files);
    Suite *suite = suite_create("hazards");
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
