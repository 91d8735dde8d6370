// SPDX-License-Identifier: MIT
// .npy files: what numpy writes is read to the bit, what nobody should write is refused with a sentence.
#include "harness/npy.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const float some[6] = {1, -2.5f, 3, 0x1p-149f, -0.0f, 0x1.fffffep127f};

// A file in memory: magic, version, header as given (not padded), payload.
static FILE *make_file(int version, const char *header, const void *payload, size_t bytes) {
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    size_t length = strlen(header);
    fwrite("\x93NUMPY", 1, 6, file);
    fputc(version, file);
    fputc(0, file);
    for (int i = 0; i < (version == 1 ? 2 : 4); i++)
        fputc((int)(length >> (8 * i) & 0xff), file);
    fwrite(header, 1, length, file);
    fwrite(payload, 1, bytes, file);
    rewind(file);
    return file;
}

START_TEST(test_versions_orders_and_shapes) {
    static const struct {
        int version;
        const char *header;
        unsigned dimensions;
        bool fortran;
    } files[] = {
        {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }          \n", 1, false},
        {2, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 2, false},
        {3, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3, 1), }\n", 3, true},
        {1, "{\"shape\":(6L,),\"fortran_order\":False,\"descr\":\"=f4\"}", 1, false},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct npy_array array;
        char message[NPY_MESSAGE];
        FILE *file = make_file(files[i].version, files[i].header, some, sizeof some);
        ck_assert_msg(npy_read(&array, file, NULL, message), "%s: %s", files[i].header, message);
        ck_assert_uint_eq(array.n, 6);
        ck_assert_uint_eq(array.dimensions, files[i].dimensions);
        ck_assert(array.fortran_order == files[i].fortran);
        ck_assert_int_eq(array.type, FLOAT_F32);
        ck_assert_mem_eq(array.x, some, sizeof some);
        npy_free(&array);
        fclose(file);
    }
}
END_TEST

START_TEST(test_big_endian_numbers) {
    static const unsigned char f64_three[8] = {0x40, 0x08}, f32_three[4] = {0x40, 0x40};
    struct npy_array array;
    char message[NPY_MESSAGE];
    FILE *file = make_file(1, "{'descr': '>f8', 'fortran_order': False, 'shape': (), }\n", f64_three, 8);
    ck_assert_msg(npy_read(&array, file, NULL, message), "%s", message);
    ck_assert_uint_eq(array.n, 1);
    ck_assert(*(double *)array.x == 3);
    npy_free(&array);
    fclose(file);
    file = make_file(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n", f32_three, 4);
    ck_assert_msg(npy_read(&array, file, NULL, message), "%s", message);
    ck_assert(*(float *)array.x == 3);
    npy_free(&array);
    fclose(file);
}
END_TEST

// f16 in both byte orders; bf16 as ml_dtypes stores it, under a name that says two bytes and no more.
START_TEST(test_numbers_of_16_bits) {
    static const struct {
        const char *header;
        unsigned char bytes[4];
        enum float_type type;
    } files[] = {{"{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }\n", {0x00, 0x42, 0x01, 0x80}, FLOAT_F16},
                 {"{'descr': '>f2', 'fortran_order': False, 'shape': (2,), }\n", {0x42, 0x00, 0x80, 0x01}, FLOAT_F16},
                 {"{'descr': '|V2', 'fortran_order': False, 'shape': (2,), }\n", {0x40, 0x40, 0x01, 0x80}, FLOAT_BF16},
                 {"{'descr': '<V2', 'fortran_order': False, 'shape': (2,), }\n", {0x40, 0x40, 0x01, 0x80}, FLOAT_BF16}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct npy_array array;
        char message[NPY_MESSAGE];
        FILE *file = make_file(1, files[i].header, files[i].bytes, sizeof files[i].bytes);
        ck_assert_msg(npy_read(&array, file, NULL, message), "%s: %s", files[i].header, message);
        fclose(file);
        ck_assert_int_eq(array.type, files[i].type);
        ck_assert_double_eq(float_to_double(array.type, float_load(array.type, array.x, 0)), 3);
        ck_assert_uint_eq(float_load(array.type, array.x, 1), 0x8001);
        FILE *copy = tmpfile();
        ck_assert(npy_write(copy, array.type, array.x, array.n));
        rewind(copy);
        struct npy_array again;
        ck_assert_msg(npy_read(&again, copy, NULL, message), "%s", message);
        ck_assert(again.type == array.type && memcmp(again.x, array.x, 4) == 0);
        npy_free(&again);
        npy_free(&array);
        fclose(copy);
    }
}
END_TEST

START_TEST(test_an_empty_array) {
    struct npy_array array;
    char message[NPY_MESSAGE];
    FILE *file = make_file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 7), }\n", "", 0);
    ck_assert_msg(npy_read(&array, file, NULL, message), "%s", message);
    ck_assert_uint_eq(array.n, 0);
    npy_free(&array);
    fclose(file);
}
END_TEST

static const struct {
    const char *header, *says;
} hostile[] = {
    {"", "no dictionary"},
    {"{", "no dictionary"},
    {"{'descr'}", "no dictionary"},
    {"{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}", "no dictionary"},
    {"{'descr': '<i4', 'fortran_order': False, 'shape': (6,)}", "\"<i4\""},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (6,)}", "\"<c8\""},
    {"{'descr': '|f2', 'fortran_order': False, 'shape': (6,)}", "\"|f2\""},
    {"{'descr': '|V4', 'fortran_order': False, 'shape': (6,)}", "\"|V4\""},
    {"{'descr': '\x1b[31mf8', 'fortran_order': False, 'shape': (6,)}", "\"?[31mf8\""},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (6,)}", "\"|O\""},
    {"{'descr': 'f4', 'fortran_order': False, 'shape': (6,)}", "\"f4\""},
    {"{'descr': '', 'fortran_order': False, 'shape': (6,)}", "\"\""},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,)}", "records"},
    {"{'descr': '<f4\\'', 'fortran_order': False, 'shape': (6,)}", "no type"},
    {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (6,)}", "fortran_order"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (6)}", "shape"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}", "shape"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': 6}", "shape"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}", "shape"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "shape"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "overflows"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904,)}", "overflows"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1152921504606846976,)}", "cut off"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}", "cut off: 24 of 28"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", "goes on after its 20"},
    {"{'descr': '<f4', 'fortran_order': False}", "lacks"},
    {"{'descr': '<f4', 'descr': '<f4', 'shape': (6,)}", "twice"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'exec': 'rm'}", "unknown key"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} + 1", "follows"},
};

START_TEST(test_hostile_headers_are_refused) {
    struct npy_array array;
    char message[NPY_MESSAGE];
    FILE *file = make_file(1, hostile[_i].header, some, sizeof some);
    ck_assert_msg(!npy_read(&array, file, NULL, message), "%s was read", hostile[_i].header);
    ck_assert_msg(strstr(message, hostile[_i].says) != NULL, "%s: \"%s\"", hostile[_i].header, message);
    ck_assert_ptr_null(array.x);
    fclose(file);
}
END_TEST

START_TEST(test_a_folder_is_no_file) {
    struct npy_array array;
    char message[NPY_MESSAGE];
    ck_assert(!npy_load(&array, "/", NULL, message));
    ck_assert_str_eq(message, "/: it is a folder.");
}
END_TEST

// NumPy 2 has up to 64 dimensions.
START_TEST(test_as_many_dimensions_as_numpy) {
    struct npy_array array;
    char header[600], message[NPY_MESSAGE];
    for (int dimensions = 64; dimensions <= 65; dimensions++) {
        strcpy(header, "{'descr': '<f4', 'fortran_order': False, 'shape': (6,");
        for (int i = 1; i < dimensions; i++)
            strcat(header, "1,");
        strcat(header, ")}");
        FILE *file = make_file(1, header, some, sizeof some);
        ck_assert_int_eq(npy_read(&array, file, NULL, message), dimensions == 64);
        npy_free(&array);
        fclose(file);
    }
}
END_TEST

// Bytes of a good file changed at random: it is refused with a sentence that no terminal obeys, or read as what it then
// says, with as many numbers as its shape.
START_TEST(test_changed_bytes_are_survived) {
    static const char alphabet[] = "{}()[]'\",:0123456789<>=|fiOTrueFalse \\L-.\x1b\xff\0";
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
    uint64_t state = 20240611;
    unsigned read = 0;
    for (int round = 0; round < 20000; round++) {
        char whole[256] = "\x93NUMPY\1\0", message[NPY_MESSAGE] = "";
        size_t length = sizeof header - 1, bytes = 10 + length + sizeof some;
        whole[8] = (char)length;
        memcpy(whole + 10, header, length);
        memcpy(whole + 10 + length, some, sizeof some);
        for (int changes = 1 + round % 4; changes > 0; changes--) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            whole[6 + (state >> 33) % (4 + length)] = alphabet[(state >> 20) % (sizeof alphabet - 1)];
        }
        FILE *file = fmemopen(whole, bytes, "rb");
        struct npy_array array;
        if (npy_read(&array, file, NULL, message)) {
            uint64_t product = 1;
            for (unsigned d = 0; d < array.dimensions; d++)
                product *= array.shape[d];
            ck_assert_uint_eq(product, array.n);
            read++;
        } else {
            ck_assert(*message && !strpbrk(message, "\x1b\n"));
            ck_assert_ptr_null(array.x);
        }
        npy_free(&array);
        fclose(file);
    }
    ck_assert_uint_gt(read, 100); // some changes change nothing
    ck_assert_uint_lt(read, 10000);
}
END_TEST

// Every beginning of a good file is refused.
START_TEST(test_every_truncation_is_refused) {
    char whole[512];
    FILE *file = tmpfile();
    ck_assert(npy_write(file, FLOAT_F32, some, 6));
    long bytes = ftell(file);
    rewind(file);
    ck_assert_uint_eq(fread(whole, 1, sizeof whole, file), (size_t)bytes);
    fclose(file);
    for (long cut = 1; cut < bytes; cut++) {
        struct npy_array array;
        char message[NPY_MESSAGE];
        file = fmemopen(whole, (size_t)cut, "rb");
        ck_assert_msg(!npy_read(&array, file, NULL, message), "%ld bytes of %ld were read", cut, bytes);
        ck_assert(*message != '\0');
        fclose(file);
    }
}
END_TEST

START_TEST(test_other_files_are_refused) {
    static const struct {
        const char *bytes;
        size_t count;
        const char *says;
    } files[] = {{"PK\3\4 a zip archive", 18, "no .npy"},
                 {"\x93NUMPY\4\0\0\0", 10, "version 4.0"},
                 {"\x93NUMPY\2\0\xff\xff\xff\xff", 12, "claims 4294967295"},
                 {"\x93NUMPY\1\0\3\0{\0}", 13, "zero byte"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct npy_array array;
        char message[NPY_MESSAGE];
        FILE *file = fmemopen((void *)files[i].bytes, files[i].count, "rb");
        ck_assert(!npy_read(&array, file, NULL, message));
        ck_assert_msg(strstr(message, files[i].says) != NULL, "\"%s\"", message);
        fclose(file);
    }
}
END_TEST

START_TEST(test_what_is_written_is_read) {
    const double x[3] = {1, 0x1p-1074, -0x1.fffffffffffffp1023};
    const enum float_type f32 = FLOAT_F32;
    struct npy_array array;
    char message[NPY_MESSAGE];
    FILE *file = tmpfile();
    ck_assert(npy_write(file, FLOAT_F64, x, 3));
    ck_assert_int_eq(ftell(file), 128 + 24); // numpy aligns the numbers to 64 bytes
    rewind(file);
    ck_assert_msg(npy_read(&array, file, NULL, message), "%s", message);
    ck_assert_uint_eq(array.n, 3);
    ck_assert_mem_eq(array.x, x, sizeof x);
    npy_free(&array);
    fclose(file);
    file = fmemopen((void *)some, sizeof some, "rb");
    ck_assert(npy_read(&array, file, &f32, message));
    ck_assert_uint_eq(array.n, 6);
    npy_free(&array);
    fclose(file);
    file = fmemopen((void *)some, 7, "rb");
    ck_assert(!npy_read(&array, file, &f32, message));
    ck_assert_ptr_nonnull(strstr(message, "no whole number"));
    fclose(file);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("npy");
    TCase *tests = tcase_create("npy");
    tcase_add_test(tests, test_versions_orders_and_shapes);
    tcase_add_test(tests, test_big_endian_numbers);
    tcase_add_test(tests, test_numbers_of_16_bits);
    tcase_add_test(tests, test_an_empty_array);
    tcase_add_loop_test(tests, test_hostile_headers_are_refused, 0, sizeof hostile / sizeof *hostile);
    tcase_add_test(tests, test_a_folder_is_no_file);
    tcase_add_test(tests, test_as_many_dimensions_as_numpy);
    tcase_add_test(tests, test_changed_bytes_are_survived);
    tcase_add_test(tests, test_every_truncation_is_refused);
    tcase_add_test(tests, test_other_files_are_refused);
    tcase_add_test(tests, test_what_is_written_is_read);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
