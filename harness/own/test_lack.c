// SPDX-License-Identifier: MIT
// What compilers say where the machine lacks something, and what they say of a file. As g++ 12, clang 14, GNU ld 2.40
// and nvcc 13.0 wrote it under ulimit -v, -n and -f, or with a part of theirs killed; those of a full disk and of g++,
// LLVM and ptxas without memory are from their sources.
#include "harness/own/lack.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const struct {
    const char *said;
    int code, signal;
    enum own_lack lack;
    const char *words;
} ends[] = {
    {"virtual memory exhausted: Cannot allocate memory\n", 1, 0, OWN_LACKS_MACHINE,
     "virtual memory exhausted: Cannot allocate memory"},
    {"cc1plus: fatal error: /usr/include/c++/12/vector: Too many open files\ncompilation terminated.\n", 1, 0,
     OWN_LACKS_MACHINE, "cc1plus: fatal error: /usr/include/c++/12/vector: Too many open files"},
    {"mine.cu:3:10: fatal error: step.h: Too many open files\n    3 | #include \"step.h\"\n", 1, 0, OWN_LACKS_MACHINE,
     "mine.cu:3:10: fatal error: step.h: Too many open files"},
    {"/usr/bin/ld: cannot find -ldl: Too many open files\ncollect2: error: ld returned 1 exit status\n", 1, 0,
     OWN_LACKS_MACHINE, "/usr/bin/ld: cannot find -ldl: Too many open files"},
    {"/lib/cc1plus: error while loading shared libraries: libgmp.so.10: failed to map segment from shared object\n", 1,
     0, OWN_LACKS_MACHINE, NULL},
    {"g++: fatal error: cannot execute 'as': vfork: Resource temporarily unavailable\n", 1, 0, OWN_LACKS_MACHINE, NULL},
    {"cc1plus: out of memory allocating 65536 bytes after a total of 4096 bytes\n", 1, 0, OWN_LACKS_MACHINE, NULL},
    {"g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n", 1, 0, OWN_LACKS_MACHINE,
     NULL},
    {"g++: internal compiler error: File size limit exceeded signal terminated program cc1plus\n", 4, 0,
     OWN_LACKS_MACHINE, NULL},
    {"collect2: fatal error: ld terminated with signal 9 [Killed]\n", 1, 0, OWN_LACKS_MACHINE, NULL},
    {"clang: error: unable to execute command: Killed\n", 254, 0, OWN_LACKS_MACHINE, NULL},
    {"LLVM ERROR: out of memory\n", 1, 0, OWN_LACKS_MACHINE, NULL},
    {"terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n", 134, 0,
     OWN_LACKS_MACHINE, NULL},
    {"stl_function.h(272): catastrophic error: out of memory\n   { return f(); }\n   ^\n", 4, 0, OWN_LACKS_MACHINE,
     "stl_function.h(272): catastrophic error: out of memory"},
    {"ptxas fatal   : Memory allocation failure\n", 1, 0, OWN_LACKS_MACHINE, NULL},
    {"Killed\n", 137, 0, OWN_LACKS_MACHINE, "it was stopped by signal 9 (Killed), as it is where memory runs out."},
    {"", 0, SIGKILL, OWN_LACKS_MACHINE, "it was stopped by signal 9 (Killed), as it is where memory runs out."},
    {"cc1plus: fatal error: error writing to x.s: No space left on device\n", 1, 0, OWN_LACKS_ROOM, NULL},
    {"clang: error: unable to open output file 'x.o': 'No space left on device'\n", 1, 0, OWN_LACKS_ROOM,
     "clang: error: unable to open output file 'x.o': 'No space left on device'"},
    {"as: x.o: Disk quota exceeded.\n", 1, 0, OWN_LACKS_ROOM, NULL},
    // What the file itself is to blame for, whatever it holds.
    {"mine.cu:3:2: error: #error tmp: No space left on device\n    3 | #error tmp: No space left on device\n", 1, 0,
     OWN_LACKS_NOTHING, NULL},
    {"mine.cu:3:2: error: tmp: No space left on device\n#error tmp: No space left on device\n ^\n", 1, 0,
     OWN_LACKS_NOTHING, NULL},
    {"mine.cu:3:2: warning: unused\n// tmp: No space left on device\n ^\nmine.cu:4:2: error: x\n", 1, 0,
     OWN_LACKS_NOTHING, NULL},
    {"mine.cu(3): error: static assertion failed: out of memory\n  static_assert(0, \"x: out of memory\");\n", 2, 0,
     OWN_LACKS_NOTHING, NULL},
    {"mine.cu:9:5: error: 'f' was not declared\n    9 | f(); // it may say: Cannot allocate memory\n", 1, 0,
     OWN_LACKS_NOTHING, NULL},
    {"mine.cu:9:5: error: no matching function for call to 'say(\"Too many open files\")'\n", 1, 0, OWN_LACKS_NOTHING,
     NULL},
    {"g++: internal compiler error: Segmentation fault signal terminated program cc1plus\n", 4, 0, OWN_LACKS_NOTHING,
     NULL},
    {"clang: error: unable to execute command: Segmentation fault\n", 254, 0, OWN_LACKS_NOTHING, NULL},
    {"Segmentation fault\n", 139, 0, OWN_LACKS_NOTHING, NULL},
    {"", 0, SIGSEGV, OWN_LACKS_NOTHING, NULL},
    {"mine.cu:1:10: fatal error: none.h: No such file or directory\n", 1, 0, OWN_LACKS_NOTHING, NULL},
    {"", 1, 0, OWN_LACKS_NOTHING, NULL},
};

START_TEST(a_lack_of_the_machine_is_told_from_a_fault_of_the_file) {
    const struct gathered program = {.output = {.bytes = (char *)ends[_i].said},
                                     .in_time = true,
                                     .status = W_EXITCODE(ends[_i].code, ends[_i].signal)};
    char *words;
    ck_assert_msg(own_find_lack(&program, &words) == ends[_i].lack, "%s", ends[_i].said);
    ck_assert_msg((words != NULL) == (ends[_i].lack != OWN_LACKS_NOTHING), "%s", ends[_i].said);
    if (ends[_i].words)
        ck_assert_str_eq(words, ends[_i].words);
    free(words);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("own lack");
    TCase *tests = tcase_create("own lack");
    tcase_add_loop_test(tests, a_lack_of_the_machine_is_told_from_a_fault_of_the_file, 0, sizeof ends / sizeof *ends);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
