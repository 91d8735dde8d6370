// SPDX-License-Identifier: MIT
#include "harness/guarded.h"
#include "harness/poison.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// mincore and the like cannot tell a protected page; writing the byte into a pipe can, without a signal.
static bool is_readable(const void *address) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ssize_t written = write(ends[1], address, 1);
    close(ends[0]);
    close(ends[1]);
    return written == 1;
}

START_TEST(places_data_at_the_offset_and_ends_at_an_unmapped_page) {
    struct guarded buffer = {.name = "input"};
    static const size_t SIZES[] = {0, 1, 4, 252, 256, 4092, 4096, 4097, 100000, 8, 1};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        for (size_t offset = 0; offset < 16 * 8; offset += 4) {
            unsigned char *data = guarded_place(&buffer, SIZES[i], offset);
            ck_assert_ptr_nonnull(data);
            ck_assert_uint_eq((uintptr_t)data % 256, offset % 256);
            memset(data, 1, SIZES[i]);
            unsigned char *boundary = (unsigned char *)(((uintptr_t)data + SIZES[i] + 255) / 256 * 256);
            ck_assert(!is_readable(boundary));
            ck_assert(is_readable(data - 1));
            ck_assert(!is_readable((unsigned char *)((uintptr_t)(data - 1) / 4096 * 4096) - 4096));
        }
    }
    guarded_free(&buffer);
}
END_TEST

START_TEST(poison_is_nan_in_both_types_and_differs_by_place_and_salt) {
    for (uint64_t place = 0; place < 10000; place++) {
        uint64_t pattern = guarded_pattern(place, 7);
        double f64;
        float f32[2];
        memcpy(&f64, &pattern, 8);
        memcpy(f32, &pattern, 8);
        ck_assert(isnan(f64) && isnan(f32[0]) && isnan(f32[1]));
        ck_assert_uint_eq(pattern >> 51 & 1, 0); // signalling as f64
        ck_assert_uint_eq(pattern >> 22 & 1, 0); // and its low word as f32
        ck_assert_uint_ne(pattern, guarded_pattern(place + 1, 7));
        ck_assert_uint_ne(pattern, guarded_pattern(place, 8));
    }
}
END_TEST

// Table 3.3 of IEEE 754-2019 for f16; bf16 is the upper half of an f32.
START_TEST(poison_of_16_bits_is_nan_in_all_types) {
    for (uint64_t place = 0; place < 10000; place++) {
        const uint64_t salt = POISON_OF_16_BITS | 7, pattern = guarded_pattern(place, salt);
        double f64;
        float f32[2], bf16;
        memcpy(&f64, &pattern, 8);
        memcpy(f32, &pattern, 8);
        ck_assert(isnan(f64) && isnan(f32[0]) && isnan(f32[1]));
        for (int half = 0; half < 4; half++) {
            const uint32_t bits = (uint32_t)(pattern >> 16 * half & 0xffff), upper = bits << 16;
            memcpy(&bf16, &upper, 4);
            ck_assert(isnan(bf16));
            ck_assert(bits >> 10 == (bits >> 15 ? 63 : 31) && (bits & 0x3ff) != 0);
        }
        ck_assert_uint_ne(pattern, guarded_pattern(place, 7));
    }
}
END_TEST

// Neither as it is nor made quiet, as arithmetic does: bit 9 of an f16, bit 6 of a bf16. The output is one element at
// the beginning of eight bytes.
START_TEST(poison_of_an_output_of_16_bits_is_its_alone) {
    const uint64_t salt = POISON_OF_16_BITS | 7;
    bool outputs[1 << 16] = {false};
    for (uint64_t run = 0; run < 10000; run++)
        outputs[guarded_pattern(0, (salt + run) | POISON_OF_OUTPUT) & 0xffff] = true;
    for (uint64_t place = 0; place < 10000; place++)
        for (int half = 0; half < 4; half++) {
            const uint64_t bits = guarded_pattern(place, salt) >> 16 * half & 0xffff;
            ck_assert(!outputs[bits] && !outputs[bits | 0x200] && !outputs[bits | 0x40]);
        }
}
END_TEST

START_TEST(finds_every_changed_byte) {
    struct guarded buffer = {.name = "output"};
    unsigned char *data = guarded_place(&buffer, 13, 4);
    guarded_poison(&buffer, 3);
    ck_assert(guarded_is_poison(&buffer, 3));
    ck_assert(!guarded_is_poison(&buffer, 4));
    ck_assert_ptr_null(guarded_find_trespass(&buffer, 3));
    for (int i = -4; i < 252; i++) {
        data[i] ^= 0x40;
        bool inside = i >= 0 && i < 13;
        ck_assert_int_eq(guarded_is_poison(&buffer, 3), !inside);
        ck_assert_ptr_eq(guarded_find_trespass(&buffer, 3), inside ? NULL : data + i);
        data[i] ^= 0x40;
    }
    guarded_free(&buffer);
}
END_TEST

START_TEST(explains_addresses_outside_the_data) {
    struct guarded buffer = {.name = "input"};
    char text[80] = "";
    unsigned char *data = guarded_place(&buffer, 8, 0);
    ck_assert(guarded_explain(&buffer, data + 8, text, sizeof text));
    ck_assert_str_eq(text, "just past the end of input");
    *text = 0;
    ck_assert(guarded_explain(&buffer, data + 20, text, sizeof text));
    ck_assert_str_eq(text, "12 bytes past the end of input");
    *text = 0;
    ck_assert(guarded_explain(&buffer, data - 1, text, sizeof text));
    ck_assert_str_eq(text, "1 byte before the start of input");
    ck_assert(!guarded_explain(&buffer, data + 3, text, sizeof text));
    ck_assert(!guarded_explain(&buffer, &buffer, text, sizeof text));
    char tiny[6] = "";
    ck_assert(guarded_explain(&buffer, data + 20, tiny, sizeof tiny));
    ck_assert_str_eq(tiny, "12 by");
    guarded_free(&buffer);
}
END_TEST

// Arithmetic on a word of poison: its result names the word again, inside and in the slack.
START_TEST(traces_a_nan_to_its_place) {
    struct guarded buffer = {.name = "workspace"};
    unsigned char *data = guarded_place(&buffer, 800, 0);
    guarded_poison(&buffer, 5);
    for (size_t i = 0; i < 100; i++) {
        char text[80] = "", wanted[80];
        volatile double sum = ((double *)data)[i];
        uint64_t bits;
        sum = 1.0 - sum;
        memcpy(&bits, (const void *)&sum, sizeof bits);
        snprintf(wanted, sizeof wanted, "byte %zu of workspace", 8 * i);
        ck_assert(guarded_trace(&buffer, 5, bits, sizeof sum, text, sizeof text));
        ck_assert_str_eq(text, wanted);
        ck_assert(!guarded_trace(&buffer, 6, bits, sizeof sum, text, sizeof text));
    }
    char text[80] = "";
    volatile float narrow = ((float *)data)[202];
    uint32_t bits;
    narrow = narrow + 1;
    memcpy(&bits, (const void *)&narrow, sizeof bits);
    ck_assert(!guarded_trace(&buffer, 5, bits, sizeof narrow, text, sizeof text));
    ck_assert(guarded_trace_slack(&buffer, 5, bits, sizeof narrow, text, sizeof text));
    ck_assert_str_eq(text, "8 bytes past the end of workspace");
    ck_assert(!guarded_trace(&buffer, 5, 0x7ff8000000000000, sizeof(double), text, sizeof text));
    guarded_free(&buffer);
}
END_TEST

START_TEST(refuses_what_no_memory_can_hold) {
    struct guarded buffer = {.name = "input"};
    ck_assert_ptr_null(guarded_place(&buffer, SIZE_MAX, 0));
    ck_assert_ptr_null(guarded_place(&buffer, SIZE_MAX / 5, 0));
    ck_assert_ptr_nonnull(guarded_place(&buffer, 1, 0));
    guarded_free(&buffer);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("guarded");
    TCase *tests = tcase_create("guarded");
    tcase_add_test(tests, places_data_at_the_offset_and_ends_at_an_unmapped_page);
    tcase_add_test(tests, poison_is_nan_in_both_types_and_differs_by_place_and_salt);
    tcase_add_test(tests, poison_of_16_bits_is_nan_in_all_types);
    tcase_add_test(tests, poison_of_an_output_of_16_bits_is_its_alone);
    tcase_add_test(tests, finds_every_changed_byte);
    tcase_add_test(tests, explains_addresses_outside_the_data);
    tcase_add_test(tests, traces_a_nan_to_its_place);
    tcase_add_test(tests, refuses_what_no_memory_can_hold);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
