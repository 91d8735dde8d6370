// SPDX-License-Identifier: MIT
// The objects of variants keep their names to themselves: types of one file, linked into one worker, do not take each
// other's code.
#include "harness/reductio.h"
#include "harness/simt/control.h"

#include <check.h>
#include <stdlib.h>

extern const struct reductio_variant reductio_test_own_names_f32_simt, reductio_test_own_names_f64_simt;

static void launch(const struct reductio_variant *variant, const void *x, size_t n, void *out) {
    const char *message;
    simt_begin((struct schedule){.kind = SCHEDULE_IN_ORDER});
    ck_assert_int_eq(variant->launch(x, n, out, NULL, variant->shapes[0], NULL), 0);
    ck_assert_msg(simt_ended(&message) == WORK_DONE, "%s", message);
}

// 16 (1 + 2 + 4) + 3 terms.
START_TEST(each_type_runs_its_own_code) {
    const float narrow[] = {1, 2, 4};
    const double wide[] = {1, 2, 4};
    float narrow_out = 0;
    double wide_out = 0;
    launch(&reductio_test_own_names_f32_simt, narrow, 3, &narrow_out);
    launch(&reductio_test_own_names_f64_simt, wide, 3, &wide_out);
    ck_assert_float_eq(narrow_out, 115);
    ck_assert_double_eq(wide_out, 115);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("own names");
    TCase *tests = tcase_create("own names");
    tcase_add_test(tests, each_type_runs_its_own_code);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
