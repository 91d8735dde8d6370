// SPDX-License-Identifier: MIT
#include "harness/memory_file.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static char message[MEMORY_FILE_MESSAGE];

START_TEST(sealed_file_keeps_its_content) {
    struct memory_file file;
    ck_assert(memory_file_create(&file, "test", 100000, message));
    memset(file.data, 7, file.bytes);
    ck_assert(memory_file_seal(&file, message));
    ck_assert(file.sealed);
    const unsigned char *bytes = file.data;
    for (size_t i = 0; i < file.bytes; i++)
        ck_assert_uint_eq(bytes[i], 7);
    memory_file_close(&file);
    ck_assert_int_eq(file.fd, -1);
}
END_TEST

START_TEST(nobody_can_change_a_sealed_file) {
    struct memory_file file;
    ck_assert(memory_file_create(&file, "test", 4096, message));
    ck_assert(memory_file_seal(&file, message));
    ck_assert_int_eq(pwrite(file.fd, "x", 1, 0), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_int_eq(ftruncate(file.fd, 10), -1);
    ck_assert_int_eq(ftruncate(file.fd, 10000), -1);
    ck_assert_ptr_eq(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0), MAP_FAILED);
    ck_assert_int_eq(fcntl(file.fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    memory_file_close(&file);
}
END_TEST

START_TEST(empty_file_is_a_file) {
    struct memory_file file;
    ck_assert(memory_file_create(&file, "test", 0, message));
    ck_assert(memory_file_seal(&file, message));
    ck_assert_ptr_null(file.data);
    memory_file_close(&file);
}
END_TEST

START_TEST(too_large_a_file_is_a_sentence) {
    struct memory_file file;
    ck_assert(!memory_file_create(&file, "test", (size_t)1 << 60, message));
    ck_assert_str_eq(message, "Cannot create a memory file of 1152921504606846976 bytes: Cannot allocate memory.");
    ck_assert_int_eq(file.fd, -1);
}
END_TEST

START_TEST(some_memory_is_available) {
    long pages = sysconf(_SC_PHYS_PAGES);
    ck_assert_uint_gt(memory_available(), 0);
    ck_assert_uint_le(memory_available(), (size_t)pages * (size_t)sysconf(_SC_PAGESIZE));
}
END_TEST

// Each test is a process of its own: the limit ends with it. AddressSanitizer's shadow alone is over any such limit.
START_TEST(limit_of_the_address_space_counts) {
    const rlim_t limit = (rlim_t)1 << 50, none = 1;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){limit, RLIM_INFINITY}), 0);
    ck_assert_uint_gt(memory_available(), 0);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){none, RLIM_INFINITY}), 0);
    size_t left = memory_available();
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}), 0);
    ck_assert_uint_eq(left, 0);
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__)
START_TEST(what_is_taken_of_the_address_space_is_not_left) {
    const size_t limit = (size_t)1 << 30, part = limit / 2;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &(struct rlimit){limit, RLIM_INFINITY}), 0);
    size_t before = memory_available();
    void *taken = mmap(NULL, part, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert_ptr_ne(taken, MAP_FAILED);
    ck_assert_uint_lt(before, limit);
    ck_assert_uint_le(memory_available(), before - part);
    munmap(taken, part);
}
END_TEST
#endif

int main(void) {
    Suite *suite = suite_create("memory_file");
    TCase *tcase = tcase_create("memory_file");
    tcase_add_test(tcase, sealed_file_keeps_its_content);
    tcase_add_test(tcase, nobody_can_change_a_sealed_file);
    tcase_add_test(tcase, empty_file_is_a_file);
    tcase_add_test(tcase, too_large_a_file_is_a_sentence);
    tcase_add_test(tcase, some_memory_is_available);
    tcase_add_test(tcase, limit_of_the_address_space_counts);
#if !defined(__SANITIZE_ADDRESS__)
    tcase_add_test(tcase, what_is_taken_of_the_address_space_is_not_left);
#endif
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
