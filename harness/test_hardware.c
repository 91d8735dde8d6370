// SPDX-License-Identifier: MIT
// The stated answers against the CPU's own IEEE 754 arithmetic, and against the one rule by which a global f32 atomic
// differs from it.
#include "harness/hardware_questions.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct hardware_question *question_of(int i) {
    return &hardware_questions[i];
}

static float narrow_of(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

static uint64_t bits_of_narrow(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double wide_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t bits_of_wide(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float flush(float x) {
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

// Volatile, so that the compiler adds at run time, one operation at a time.
static uint64_t compute(const struct hardware_question *question, enum float_type type) {
    volatile float a = narrow_of(value_bits(question->operands[0], type));
    volatile float b = narrow_of(value_bits(question->operands[1], type));
    volatile double x = wide_of(value_bits(question->operands[0], type));
    volatile double y = wide_of(value_bits(question->operands[1], type));
    if (question->operation == PROBE_MOVE)
        return value_bits(question->operands[0], type);
    if (question->operation == PROBE_MULTIPLY_ADD) {
        volatile float c = narrow_of(value_bits(question->operands[2], type)), product = a * b;
        volatile double z = wide_of(value_bits(question->operands[2], type)), wide_product = x * y;
        return type == FLOAT_F32 ? bits_of_narrow(product + c) : bits_of_wide(wide_product + z);
    }
    if (type == FLOAT_F64)
        return bits_of_wide(x + y);
    bool flushes = question->operation == PROBE_GLOBAL_ATOMIC;
    return bits_of_narrow(flushes ? flush(flush(a) + flush(b)) : a + b);
}

START_TEST(expectations_follow_from_ieee_and_one_exception) {
    const struct hardware_question *question = question_of(_i);
    for (enum float_type type = FLOAT_F32; type <= FLOAT_F64; type++) {
        uint64_t expected = value_bits(question->expected[type], type), computed = compute(question, type);
        if (question->comparison[type] == BY_BITS)
            ck_assert_msg(expected == computed, "%s, %s: 0x%llx is stated, 0x%llx follows", question->what,
                          float_format(type)->name, (unsigned long long)expected, (unsigned long long)computed);
        else
            ck_assert_msg(float_is_nan(type, expected) && float_is_nan(type, computed), "%s", question->what);
    }
}
END_TEST

START_TEST(values_are_what_their_names_say) {
    for (enum float_type type = FLOAT_F32; type <= FLOAT_F64; type++) {
        double least = float_to_double(type, value_bits(LEAST, type)), one = 1;
        ck_assert(least == ldexp(1, float_format(type)->min_exponent));
        ck_assert(float_to_double(type, value_bits(TINY, type)) < least);
        ck_assert(float_to_double(type, value_bits(TINY, type)) > 0);
        ck_assert(float_to_double(type, value_bits(HALF_ULP, type)) == ldexp(one, -float_format(type)->precision));
        ck_assert(value_bits(MAX, type) == float_format(type)->max_finite);
        ck_assert(value_bits(INFINITE, type) == float_format(type)->infinity);
        ck_assert(float_is_nan(type, value_bits(SIGNALLING_NAN, type)));
        uint64_t quiet = (float_format(type)->infinity >> 1) & ~(float_format(type)->infinity); // the highest bit below
        ck_assert(!(value_bits(SIGNALLING_NAN, type) & quiet) && (value_bits(QUIET_NAN, type) & quiet));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hardware");
    TCase *tests = tcase_create("questions");
    tcase_add_loop_test(tests, expectations_follow_from_ieee_and_one_exception, 0, (int)hardware_question_count);
    tcase_add_test(tests, values_are_what_their_names_say);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
