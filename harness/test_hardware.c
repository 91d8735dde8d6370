// SPDX-License-Identifier: MIT
// The stated answers against the CPU's own IEEE 754 arithmetic, and against the one rule by which a global f32 atomic
// differs from it.
#include "harness/hardware_questions.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static const struct hardware_question *question_of(int i) {
    return &hardware_questions[i];
}

static float narrow_of(enum value value) {
    return (float)float_to_double(FLOAT_F32, value_bits(value, FLOAT_F32));
}

static double wide_of(enum value value) {
    return float_to_double(FLOAT_F64, value_bits(value, FLOAT_F64));
}

static float flush(float x) {
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

// Volatile, so that the compiler adds at run time, one operation at a time.
static uint64_t compute_narrow(const struct hardware_question *question) {
    volatile float a = narrow_of(question->operands[0]), b = narrow_of(question->operands[1]);
    volatile float c = narrow_of(question->operands[2]), product = a * b;
    bool flushes = question->operation == PROBE_GLOBAL_ATOMIC;
    float result = question->operation == PROBE_MULTIPLY_ADD ? product + c
                   : flushes                                 ? flush(flush(a) + flush(b))
                                                             : a + b;
    return float_load(FLOAT_F32, &result, 0);
}

static uint64_t compute_wide(const struct hardware_question *question) {
    volatile double a = wide_of(question->operands[0]), b = wide_of(question->operands[1]);
    volatile double c = wide_of(question->operands[2]), product = a * b;
    double result = question->operation == PROBE_MULTIPLY_ADD ? product + c : a + b;
    return float_load(FLOAT_F64, &result, 0);
}

static uint64_t compute(const struct hardware_question *question, enum float_type type) {
    if (question->operation == PROBE_MOVE)
        return value_bits(question->operands[0], type);
    return type == FLOAT_F32 ? compute_narrow(question) : compute_wide(question);
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
        double least = float_to_double(type, value_bits(LEAST, type));
        ck_assert(least == ldexp(1, float_format(type)->min_exponent));
        ck_assert(float_to_double(type, value_bits(TINY, type)) < least);
        ck_assert(float_to_double(type, value_bits(TINY, type)) > 0);
        ck_assert(float_to_double(type, value_bits(HALF_ULP, type)) == ldexp(1, -float_format(type)->precision));
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
