// SPDX-License-Identifier: MIT
#include "reference/test_support.h"

#include <float.h>

START_TEST(test_formats_match_the_compiler) {
    const struct float_format *f32 = float_format(FLOAT_F32);
    const struct float_format *f64 = float_format(FLOAT_F64);
    ck_assert_int_eq(f32->precision, FLT_MANT_DIG);
    ck_assert_int_eq(f64->precision, DBL_MANT_DIG);
    ck_assert_int_eq(f32->max_exponent, FLT_MAX_EXP - 1);
    ck_assert_int_eq(f64->max_exponent, DBL_MAX_EXP - 1);
    ck_assert_int_eq(f32->min_exponent, FLT_MIN_EXP - 1);
    ck_assert_int_eq(f64->min_exponent, DBL_MIN_EXP - 1);
    ck_assert_uint_eq(f32->max_finite, bits_f32(FLT_MAX));
    ck_assert_uint_eq(f64->max_finite, bits_f64(DBL_MAX));
    ck_assert_uint_eq(f32->infinity, bits_f32(INFINITY));
    ck_assert_uint_eq(f64->infinity, bits_f64(INFINITY));
    ck_assert_uint_eq(f32->sign_bit, bits_f32(-0.0f));
    ck_assert_uint_eq(f64->sign_bit, bits_f64(-0.0));
    ck_assert_uint_eq(f32->size, sizeof(float));
    ck_assert_uint_eq(f64->size, sizeof(double));
}
END_TEST

START_TEST(test_names_are_parsed) {
    enum float_type type = FLOAT_F64;
    ck_assert(float_type_parse("f32", &type) && type == FLOAT_F32);
    ck_assert(float_type_parse("f64", &type) && type == FLOAT_F64);
    ck_assert(float_type_parse("f16", &type) && type == FLOAT_F16);
    ck_assert(float_type_parse("bf16", &type) && type == FLOAT_BF16);
    ck_assert(!float_type_parse("f8", &type) && !float_type_parse("f16:f16", &type));
    ck_assert(!float_type_parse("", &type));
}
END_TEST

START_TEST(test_classes) {
    for (enum float_type type = FLOAT_F32; type < FLOAT_TYPES; type++) {
        const struct float_format *format = float_format(type);
        uint64_t nan = format->infinity + 1;
        ck_assert(float_is_nan(type, nan) && float_is_nan(type, nan | format->sign_bit));
        ck_assert(!float_is_nan(type, format->infinity) && float_is_infinite(type, format->infinity));
        ck_assert(float_is_infinite(type, format->infinity | format->sign_bit));
        ck_assert(!float_is_infinite(type, format->max_finite) && !float_is_infinite(type, nan));
        ck_assert(float_is_negative(type, format->sign_bit) && !float_is_negative(type, 0));
        ck_assert(float_same(type, nan, (nan + 5) | format->sign_bit));
        ck_assert(!float_same(type, 0, format->sign_bit) && !float_same(type, nan, format->infinity));
    }
}
END_TEST

static void assert_hex(enum float_type type, uint64_t bits, const char *expected) {
    char text[FLOAT_TEXT];
    float_to_hex(type, bits, text);
    ck_assert_str_eq(text, expected);
}

START_TEST(test_hex) {
    assert_hex(FLOAT_F32, bits_f32(3), "0x1.8p+1");
    assert_hex(FLOAT_F64, bits_f64(-3), "-0x1.8p+1");
    assert_hex(FLOAT_F32, bits_f32(-0.0f), "-0x0p+0");
    assert_hex(FLOAT_F32, bits_f32(1), "0x1p+0");
    assert_hex(FLOAT_F32, bits_f32(FLT_MAX), "0x1.fffffep+127");
    assert_hex(FLOAT_F64, bits_f64(DBL_MAX), "0x1.fffffffffffffp+1023");
    assert_hex(FLOAT_F32, 1, "0x1p-149");
    assert_hex(FLOAT_F32, 3, "0x1.8p-148");
    assert_hex(FLOAT_F64, 1, "0x1p-1074");
    assert_hex(FLOAT_F64, 0x000fffffffffffff, "0x1.ffffffffffffep-1023");
    assert_hex(FLOAT_F32, bits_f32(INFINITY), "inf");
    assert_hex(FLOAT_F64, bits_f64(-INFINITY), "-inf");
    assert_hex(FLOAT_F32, 0xffc00000, "nan");
}
END_TEST

// Reads a text as the C library does: correctly rounded (strtof for f32).
static uint64_t read_text(enum float_type type, const char *text) {
    return type == FLOAT_F32 ? bits_f32(strtof(text, NULL)) : bits_f64(strtod(text, NULL));
}

START_TEST(test_texts_read_back_the_same) {
    printf("seed %llu\n", (unsigned long long)test_seed);
    uint64_t state = test_seed;
    for (int i = 0; i < 20000; i++) {
        enum float_type type = i % 2 ? FLOAT_F64 : FLOAT_F32;
        uint64_t highest = type == FLOAT_F32 ? 254 : 2046;
        uint64_t bits = random_float(type, &state, 0, i % 8 < 2 ? 0 : highest);
        char text[FLOAT_TEXT];
        float_to_hex(type, bits, text);
        assert_bits(type, read_text(type, text), bits);
        float_to_decimal(type, bits, text);
        assert_bits(type, read_text(type, text), bits);
    }
}
END_TEST

START_TEST(test_load_and_convert) {
    float narrow[] = {1.5f, -0.0f, 0x1p-149f, NAN};
    double wide[] = {1.5, -0.0, 0x1p-1074, -INFINITY};
    for (size_t i = 0; i < 4; i++) {
        assert_bits(FLOAT_F32, float_load(FLOAT_F32, narrow, i), bits_f32(narrow[i]));
        assert_bits(FLOAT_F64, float_load(FLOAT_F64, wide, i), bits_f64(wide[i]));
        assert_bits(FLOAT_F64, bits_f64(float_to_double(FLOAT_F32, bits_f32(narrow[i]))), bits_f64(narrow[i]));
        assert_bits(FLOAT_F64, bits_f64(float_to_double(FLOAT_F64, bits_f64(wide[i]))), bits_f64(wide[i]));
    }
}
END_TEST

// 1 + 2^-24 + 2^-54 lies above the middle of 1 and its f32 neighbour, and rounds to that middle in f64: rounded twice
// it would be 1. The decimal one is 1 + 2^-24 + 1e-23.
START_TEST(test_texts_are_rounded_once) {
    static const char *const above_middle[] = {"0x1.00000100000004p+0", "1.00000005960464477539063500"};
    static const char *const none[] = {"", " ", "1x", "1 2", "one", "0x1p+0 ", "--1"};
    uint64_t bits = 7;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        ck_assert(!float_parse(FLOAT_F32, none[i], &bits) && !float_parse(FLOAT_F64, none[i], &bits));
        ck_assert_uint_eq(bits, 7);
    }
    for (size_t i = 0; i < sizeof above_middle / sizeof *above_middle; i++) {
        ck_assert(float_parse(FLOAT_F32, above_middle[i], &bits));
        assert_bits(FLOAT_F32, bits, 0x3f800001);
    }
    ck_assert(float_parse(FLOAT_F64, above_middle[0], &bits));
    assert_bits(FLOAT_F64, bits, bits_f64(1 + 0x1p-24));
    ck_assert(float_parse(FLOAT_F32, "-inf", &bits));
    assert_bits(FLOAT_F32, bits, bits_f32(-INFINITY));
}
END_TEST

int main(void) {
    TCase *tests = tcase_create("float_type");
    tcase_add_test(tests, test_formats_match_the_compiler);
    tcase_add_test(tests, test_names_are_parsed);
    tcase_add_test(tests, test_classes);
    tcase_add_test(tests, test_hex);
    tcase_add_test(tests, test_texts_read_back_the_same);
    tcase_add_test(tests, test_load_and_convert);
    tcase_add_test(tests, test_texts_are_rounded_once);
    return run_case(tests);
}
