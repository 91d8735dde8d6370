// SPDX-License-Identifier: MIT
// Identities lead back to their cells, over a catalogue made by hand.
#include "harness/test_plan.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

START_TEST(test_identities_are_unique_and_lead_back) {
    struct catalog catalog = make_catalog();
    struct selection selection = {.tier = TIER_SMOKE};
    struct plan plan;
    plan_tier(&plan, &catalog, &selection, false);
    for (size_t i = 0; i < plan.cell_count; i++) {
        char text[CELL_ID_TEXT], again[CELL_ID_TEXT];
        print_identity(&plan, i, text);
        struct plan one = {.catalog = &catalog};
        char *why = plan_add_identity(&one, &selection, text);
        ck_assert_msg(!why, "%s: %s", text, why);
        print_identity(&one, one.cell_count - 1, again);
        ck_assert_str_eq(text, again);
        const struct plan_cell *cell = &one.cells[one.cell_count - 1];
        ck_assert_int_eq(cell->base == NO_INDEX, plan.cells[i].base == NO_INDEX);
        if (cell->base != NO_INDEX)
            ck_assert_int_eq(cell->attacked, plan.cells[i].attacked);
        plan_free(&one);
    }
    plan_free(&plan);
    catalog_free(&catalog);
}
END_TEST

// In whatever order cells are named, and however often, a record has each once, beside the one that it is compared
// with.
START_TEST(test_cells_named_twice_are_planned_once) {
    struct catalog catalog = make_catalog();
    struct selection selection = {.tier = TIER_SMOKE};
    struct plan plan, named = {.catalog = &catalog};
    plan_tier(&plan, &catalog, &selection, false);
    for (size_t i = 2 * plan.cell_count; i-- > 0;) {
        char text[CELL_ID_TEXT];
        print_identity(&plan, i % plan.cell_count, text);
        ck_assert_ptr_null(plan_add_identity(&named, &selection, text));
    }
    ck_assert_uint_eq(named.cell_count, plan.cell_count);
    for (size_t i = 0; i < named.cell_count; i++) {
        const struct plan_cell *cell = &named.cells[i];
        if (cell->base == NO_INDEX)
            continue;
        const struct plan_cell *base = &named.cells[cell->base];
        ck_assert_int_eq(base->base, NO_INDEX);
        ck_assert_int_eq(base->variant, cell->variant);
        ck_assert_ptr_eq(named.datasets[base->dataset].values, named.datasets[cell->dataset].values);
        ck_assert_uint_eq(base->n, cell->n);
    }
    plan_free(&named);
    plan_free(&plan);
    catalog_free(&catalog);
}
END_TEST

START_TEST(test_gpu_identities_lead_back_and_impossible_ones_are_refused) {
    struct catalog catalog = make_gpu_catalog();
    struct selection selection = {.repeat = 9};
    static const struct {
        const char *schedule, *says;
    } cells[] = {{"busy25", NULL},
                 {"device2", NULL},
                 {"hw", NULL},
                 {"device3", "3 CUDA devices"},
                 {"busy0", "1 to 100"},
                 {"busy101", "1 to 100"},
                 {"inorder", "follows no"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char text[CELL_ID_TEXT], again[CELL_ID_TEXT];
        snprintf(text, sizeof text, "tree@cuda/f32/uniform/33/given/t256/o0/%s", cells[i].schedule);
        struct plan plan = {.catalog = &catalog};
        char *why = plan_add_identity(&plan, &selection, text);
        ck_assert_msg(!why == !cells[i].says, "%s", text);
        if (why)
            ck_assert_msg(strstr(why, cells[i].says), "%s", why);
        else {
            print_identity(&plan, plan.cell_count - 1, again);
            ck_assert_str_eq(text, again);
            ck_assert_uint_eq(plan.cells[plan.cell_count - 1].runs, i == 1 ? 1 : 9);
        }
        free(why);
        plan_free(&plan);
    }
    catalog_free(&catalog);
}
END_TEST

START_TEST(test_unknown_identities_are_refused) {
    static const struct {
        const char *identity, *says;
    } bad[] = {
        {"nonsense", "is no cell"},
        {"nobody@simt/f32/uniform/33/given/t256/o0/inorder", "no variant"},
        {"tree@simt/f32/nothing/33/given/t256/o0/inorder", "no case"},
        {"tree@simt/f32/uniform/33/sideways/t256/o0/inorder", "no order"},
        {"tree@simt/f32/uniform/33/given/t256/o0/busy50", "follows no schedule"},
        {"plain@host/f32/uniform/33/given/t1/o0/device0", "follows no schedule"},
    };
    struct catalog catalog = make_catalog();
    struct selection selection = {.tier = TIER_SMOKE};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct plan plan = {.catalog = &catalog};
        char *why = plan_add_identity(&plan, &selection, bad[i].identity);
        ck_assert_ptr_nonnull(why);
        ck_assert_msg(strstr(why, bad[i].says), "%s", why);
        free(why);
        plan_free(&plan);
    }
    catalog_free(&catalog);
}
END_TEST

int main(void) {
    const char *fault = cases_load(NULL);
    if (fault)
        harness_failed("%s", fault);
    Suite *suite = suite_create("plan identity");
    TCase *tests = tcase_create("cells");
    tcase_add_test(tests, test_identities_are_unique_and_lead_back);
    tcase_add_test(tests, test_cells_named_twice_are_planned_once);
    tcase_add_test(tests, test_gpu_identities_lead_back_and_impossible_ones_are_refused);
    tcase_add_test(tests, test_unknown_identities_are_refused);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
