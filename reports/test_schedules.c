// SPDX-License-Identifier: MIT
// What the table of schedules says of a run that fits on a page: four numbers whose sum depends on the order.
//
//     x = {2^24, 1, 1, 1} in f32: 16777216, 16777218 or 16777220 by order; exact 16777219, u = 2^-24, n = 4,
//     A = 16777219: the any-order bound leaves 2 * 3 * 2^-24 * 16777219 = 6.00000107 of room, and the span is 4.
#include "reports/test_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define CELL(schedule, attack, bits, hex, ulps)                                                                        \
    "{\"id\":\"row@simt/f32/four/4/given/t32/o0/" schedule "\",\"variant\":0,\"dataset\":0,\"head\":\"within bound\"," \
    "\"findings\":[\"within bound\"],\"has_result\":true,\"n\":4,\"schedule\":\"" schedule "\"," attack                \
    "\"bits\":\"" bits "\",\"got_hex\":\"" hex "\",\"ulps\":\"" ulps "\"}"
#define ATTACK "\"attack\":\"same bits: run\",\"compared_with\":\"row@simt/f32/four/4/given/t32/o0/inorder\","
#define DATASET                                                                                                        \
    "\"datasets\":[{\"name\":\"f32/four/4/given\",\"type\":\"f32\",\"values\":\"four\",\"order\":\"given\",\"n\":4,"   \
    "\"abs_sum_decimal\":\"16777219\",\"exact_hex\":\"0x1.000003p+24\"}]"
#define VARIANT(backend) "\"variants\":[{\"name\":\"row\",\"backend\":\"" backend "\",\"type\":\"f32\"}]"

static const char studied[] =
    "{\"command\":\"study\"," VARIANT("simt") "," DATASET ",\"cells\":[" CELL("inorder", "", "0x4b800000", "0x1p+24",
                                                                              "-1.5") "," //
    CELL("reversed", ATTACK, "0x4b800002", "0x1.000004p+24", "0.5") ","                   //
    CELL("seed1", ATTACK, "0x4b800001", "0x1.000002p+24", "-0.5") ","                     //
    CELL("seed2", ATTACK, "0x4b800002", "0x1.000004p+24", "0.5") "]}";

#define GPU_RUN(patterns, low, high)                                                                                   \
    "{\"command\":\"study\",\"environment\":{\"cuda.gpu\":\"A GPU\"}," VARIANT(                                        \
        "cuda") "," DATASET ",\"cells\":[{\"id\":\"row@cuda/f32/four/4/given/t32/o0/"                                  \
                "hw\",\"variant\":0,\"dataset\":0,\"has_result\":true,"                                                \
                "\"runs\":1000,\"min_ulps\":\"" low "\",\"max_ulps\":\"" high "\",\"patterns\":[" patterns "]}]}"

static const char inside[] = GPU_RUN("{\"bits\":\"0x4b800001\",\"count\":1000,\"ulps\":\"-0.5\"}", "-0.5", "-0.5");
static const char outside[] =
    GPU_RUN("{\"bits\":\"0x4b800001\",\"count\":999,\"ulps\":\"-0.5\"},{\"bits\":\"0x4b800003\",\"count\":1,\"ulps\":"
            "\"1.5\"}",
            "-0.5", "1.5");

static char *tell(const char *gallery_text) {
    char *text, message[REPORT_MESSAGE];
    size_t size;
    json_t *run = json_loads(studied, 0, NULL), *gallery = gallery_text ? json_loads(gallery_text, 0, NULL) : NULL;
    ck_assert_ptr_nonnull(run);
    ck_assert(!gallery_text || gallery);
    FILE *out = open_memstream(&text, &size);
    ck_assert_msg(report_write_schedules(run, gallery, out, message), "%s", message);
    ck_assert_int_eq(fclose(out), 0);
    json_decref(run);
    json_decref(gallery);
    return text;
}

START_TEST(every_result_has_its_replay) {
    char *text = tell(NULL);
    expect(text, "f32/four/4/given: 4 schedules reached 3 results, from -1.5 to 0.5 ulps of the exact sum");
    expect(text, "span 4: 0.667 of what the any-order bound leaves room for, 2(n-1)uA = 6");
    expect(text, "2 of 4  reductio run --cell 'row@simt/f32/four/4/given/t32/o0/reversed'");
    expect(text, "1 of 4  reductio run --cell 'row@simt/f32/four/4/given/t32/o0/seed1'");
    expect(text, "t32/o0/inorder'  the worst");
    const char *first = strstr(text, "inorder'"), *second = strstr(text, "seed1'"), *third = strstr(text, "reversed'");
    ck_assert(first < second && second < third);
    free(text);
}
END_TEST

START_TEST(a_gpu_is_held_against_it) {
    char *text = tell(inside);
    expect(text,
           "on A GPU: 1 distinct in 1000 runs, from -0.5 to -0.5 ulps: within what was reached here; 1 of them are "
           "among these bit for bit");
    free(text);
    text = tell(outside);
    expect(text,
           "on A GPU: 2 distinct in 1000 runs, from -0.5 to 1.5 ulps: not all within what was reached here; 1 of");
    free(text);
    text = tell("{\"cells\":[]}");
    expect(text, "the recording has no run of this row on these data on a GPU\n");
    free(text);
    text = tell(
        "{" VARIANT("cuda") ",\"datasets\":[{\"name\":\"f32/four/8/given\",\"values\":\"four\",\"order\":\"given\"}],"
                            "\"cells\":[{\"variant\":0,\"dataset\":0,\"has_result\":true,\"n\":8}]}");
    expect(text, "the recording has no run of this row on these data on a GPU; it has one with -n 8\n");
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("schedules");
    TCase *tests = tcase_create("schedules");
    tcase_add_test(tests, every_result_has_its_replay);
    tcase_add_test(tests, a_gpu_is_held_against_it);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
