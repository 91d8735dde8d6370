// SPDX-License-Identifier: MIT
// Plans over a catalogue made by hand: every attack has its base, shards partition.
#include "harness/test_plan.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(test_bases_come_first_and_stand_for_themselves) {
    struct catalog catalog = make_catalog();
    struct selection selection = {.tier = TIER_SMOKE};
    struct plan plan;
    plan_tier(&plan, &catalog, &selection, false);
    ck_assert_uint_gt(plan.cell_count, 100);
    size_t attacks[CLAIM_COUNT] = {0};
    for (size_t i = 0; i < plan.cell_count; i++) {
        const struct plan_cell *cell = &plan.cells[i];
        ck_assert_int_ne(cell->variant, 2);
        if (cell->base == NO_INDEX)
            continue;
        ck_assert_int_lt(cell->base, (int)i);
        ck_assert_int_eq(plan.cells[cell->base].base, NO_INDEX);
        ck_assert_int_eq(plan.cells[cell->base].variant, cell->variant);
        attacks[cell->attacked]++;
    }
    ck_assert(attacks[CLAIM_SAME_BITS_RUN] && attacks[CLAIM_SAME_BITS_SHAPE] && attacks[CLAIM_SAME_BITS_PLACEMENT] &&
              attacks[CLAIM_SAME_BITS_ORDER]);
    plan_free(&plan);
    catalog_free(&catalog);
}
END_TEST

static struct dataset one_dataset(void) {
    return (struct dataset){
        .key = {.type = FLOAT_F32, .values = case_values_find("uniform"), .n = 33, .order = "given"},
        .attacks = EVERY_ATTACK};
}

START_TEST(test_a_study_goes_over_devices_and_a_busy_machine) {
    struct catalog catalog = make_gpu_catalog();
    struct selection all = {0}, one = {.device = 1, .device_given = true};
    ck_assert_uint_eq(plan_devices(&catalog, &all), 3);
    ck_assert_uint_eq(plan_devices(&catalog, &one), 1);
    struct plan plan = {.catalog = &catalog};
    struct dataset dataset = one_dataset();
    struct attack_strength strength = {.attacks = ATTACK_RUN | ATTACK_DEVICE,
                                       .schedules = 5,
                                       .hardware_runs = 7,
                                       .busy_percent = 25,
                                       .devices = plan_devices(&catalog, &all)};
    plan_add_cells(&plan, 1, &dataset, strength);
    static const struct {
        const char *schedule;
        enum claim attacked;
        uint32_t runs;
    } expected[] = {{"hw", CLAIM_SOUND, 7},
                    {"busy25", CLAIM_SAME_BITS_RUN, 7},
                    {"device0", CLAIM_SAME_BITS_DEVICE, 1},
                    {"device2", CLAIM_SAME_BITS_DEVICE, 1}};
    ck_assert_uint_eq(plan.cell_count, 4);
    for (size_t i = 0; i < 4; i++) {
        char name[SCHEDULE_TEXT];
        schedule_name(plan.cells[i].schedule, name);
        ck_assert_str_eq(name, expected[i].schedule);
        ck_assert_uint_eq(plan.cells[i].runs, expected[i].runs);
        ck_assert_int_eq(plan.cells[i].base, i ? 0 : NO_INDEX);
        if (i)
            ck_assert_int_eq(plan.cells[i].attacked, expected[i].attacked);
    }
    plan_free(&plan);
    plan = (struct plan){.catalog = &catalog};
    strength.devices = plan_devices(&catalog, &one);
    plan_add_cells(&plan, 1, &dataset, strength);
    ck_assert_uint_eq(plan.cell_count, 2); // no device besides the chosen one
    plan_free(&plan);
    catalog_free(&catalog);
}
END_TEST

START_TEST(test_shapes_are_added_once) {
    struct catalog catalog = make_gpu_catalog();
    struct plan plan = {.catalog = &catalog};
    struct dataset dataset = one_dataset();
    int base = plan_add_cells(&plan, 1, &dataset, (struct attack_strength){.attacks = ATTACK_SHAPE});
    ck_assert_uint_eq(plan.cell_count, 2); // its own, 256 threads, and 64 threads in 4 blocks
    plan_add_threads(&plan, base);
    plan_add_threads(&plan, base);
    plan_add_shape(&plan, base, (struct reductio_shape){64, 4});
    ck_assert_uint_eq(plan.cell_count, 2 + 5); // 32, 64, 128, 512, 1024 threads
    for (size_t i = 1; i < plan.cell_count; i++) {
        ck_assert_int_eq(plan.cells[i].base, base);
        ck_assert_int_eq(plan.cells[i].attacked, CLAIM_SAME_BITS_SHAPE);
        ck_assert_int_eq(plan.cells[i].optional, i > 1);
    }
    plan_free(&plan);
    catalog_free(&catalog);
}
END_TEST

static void cells_of_hazards(struct plan *plan, struct catalog *catalog, enum case_tier tier) {
    *plan = (struct plan){.catalog = catalog};
    plan_add_hazard_cells(plan, 1, tier);
    for (size_t i = 0; i < plan->cell_count; i++) {
        const struct plan_cell *cell = &plan->cells[i];
        bool listed = cell->shape.threads == 256 || (cell->shape.threads == 64 && cell->shape.blocks == 4);
        ck_assert_int_eq(cell->base, NO_INDEX);
        ck_assert_int_eq(cell->optional, !listed);
        ck_assert_uint_eq(plan->datasets[cell->dataset].n, cell->n);
    }
}

// The row lists 256 threads, and 64 in 4 blocks. Of a block that is dear there is no cell in the smoke tier.
START_TEST(test_hazards_are_looked_for_in_all_shapes) {
    struct catalog catalog = make_gpu_catalog();
    struct plan plan;
    bool empty = false;
    cells_of_hazards(&plan, &catalog, TIER_SMOKE);
    ck_assert_uint_eq(plan.cell_count, 6 + 2); // six sizes, one of them a full block of 128, and two more schedules
    plan_free(&plan);
    cells_of_hazards(&plan, &catalog, TIER_FULL);
    for (unsigned threads = 32; threads <= 1024; threads *= 2) {
        size_t cells = 0, schedules = 0;
        for (size_t i = 0; i < plan.cell_count; i++) {
            bool same = plan.cells[i].shape.threads == threads;
            cells += same;
            schedules += same && plan.cells[i].schedule.kind != SCHEDULE_IN_ORDER;
            empty |= plan.cells[i].n == 0;
        }
        ck_assert_uint_gt(cells, schedules);
        ck_assert_uint_gt(schedules, 0);
    }
    ck_assert(empty);
    plan_free(&plan);
    catalog_free(&catalog);
}
END_TEST

// What --vary schedule adds to the usual attack: every schedule once, each compared with the one in order.
START_TEST(test_hostile_schedules) {
    static const char *const expected[] = {"inorder",    "reversed",   "apart",      "ascending", "descending",
                                           "lastblock0", "lastblock1", "lastblock2", "seed1",     "seed2"};
    struct catalog catalog = make_catalog();
    struct plan plan = {.catalog = &catalog};
    struct dataset dataset = one_dataset();
    struct attack_strength strength = {.attacks = ATTACK_RUN, .schedules = 2, .hostile = true};
    plan_add_cells(&plan, 1, &dataset, strength);
    ck_assert_uint_eq(plan.cell_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < plan.cell_count; i++) {
        char name[SCHEDULE_TEXT];
        schedule_name(plan.cells[i].schedule, name);
        ck_assert_str_eq(name, expected[i]);
        ck_assert_int_eq(plan.cells[i].base, i ? 0 : NO_INDEX);
    }
    plan_free(&plan);
    catalog_free(&catalog);
}
END_TEST

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

// All identities of a plan, sorted; shards together must give those of the whole.
static size_t sorted_identities(const struct plan *plan, char (*texts)[CELL_ID_TEXT], size_t count) {
    for (size_t i = 0; i < plan->cell_count; i++)
        print_identity(plan, i, texts[count++]);
    return count;
}

START_TEST(test_shards_partition_the_plan) {
    struct catalog catalog = make_catalog();
    struct selection whole = {.tier = TIER_SMOKE}, shard = {.tier = TIER_SMOKE, .shard_count = 3};
    struct plan plan;
    plan_tier(&plan, &catalog, &whole, false);
    size_t expected = plan.cell_count, count = 0;
    char(*all)[CELL_ID_TEXT] = must_calloc(expected, sizeof *all);
    char(*parts)[CELL_ID_TEXT] = must_calloc(expected, sizeof *parts);
    sorted_identities(&plan, all, 0);
    plan_free(&plan);
    for (shard.shard_index = 1; shard.shard_index <= 3; shard.shard_index++) {
        plan_tier(&plan, &catalog, &shard, false);
        ck_assert_uint_le(count + plan.cell_count, expected);
        count = sorted_identities(&plan, parts, count);
        plan_free(&plan);
    }
    ck_assert_uint_eq(count, expected);
    qsort(all, count, sizeof *all, compare_texts);
    qsort(parts, count, sizeof *parts, compare_texts);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(all[i], parts[i]);
        ck_assert_msg(i == 0 || strcmp(all[i], all[i - 1]) != 0, "%s stands twice", all[i]);
    }
    free(all);
    free(parts);
    catalog_free(&catalog);
}
END_TEST

START_TEST(test_cell_globs_keep_the_base) {
    struct catalog catalog = make_catalog();
    struct selection selection = {.tier = TIER_SMOKE};
    struct plan plan;
    text_list_add(&selection.cells, "tree@*/o7/*");
    plan_tier(&plan, &catalog, &selection, false);
    ck_assert_uint_gt(plan.cell_count, 1);
    for (size_t i = 0; i < plan.cell_count; i++) {
        ck_assert_int_eq(plan.cells[i].variant, 1);
        if (plan.cells[i].offset == 7 && plan.cells[i].dataset != NO_INDEX)
            ck_assert_int_eq(plan.cells[plan.cells[i].base].offset, 0);
    }
    plan_free(&plan);
    selection_free(&selection);
    catalog_free(&catalog);
}
END_TEST

static size_t count_other_devices(struct catalog *catalog, bool faulty) {
    struct selection selection = {.tier = TIER_SMOKE};
    struct plan plan;
    size_t count = 0;
    text_list_add(&selection.backends, "cuda");
    catalog->variants[1].faulty = faulty;
    plan_tier(&plan, catalog, &selection, faulty);
    ck_assert_uint_gt(plan.cell_count, 0);
    for (size_t i = 0; i < plan.cell_count; i++)
        count += plan.cells[i].schedule.kind == SCHEDULE_DEVICE;
    plan_free(&plan);
    selection_free(&selection);
    return count;
}

// Each of them costs the start of a worker, and no detector of planted faults looks there.
START_TEST(test_planted_faults_stay_on_one_device) {
    struct catalog catalog = make_gpu_catalog();
    ck_assert_uint_gt(count_other_devices(&catalog, false), 0);
    ck_assert_uint_eq(count_other_devices(&catalog, true), 0);
    catalog_free(&catalog);
}
END_TEST

START_TEST(test_a_variant_gets_no_more_than_it_can_take) {
    struct catalog catalog = make_catalog();
    struct selection selection = {.tier = TIER_SMOKE};
    struct plan plan;
    catalog.variants[1].card.max_n = 100;
    plan_tier(&plan, &catalog, &selection, false);
    for (size_t i = 0; i < plan.cell_count; i++)
        ck_assert(plan.cells[i].variant != 1 || plan.cells[i].n <= 100);
    plan_free(&plan);
    plan_tier(&plan, &catalog, &selection, true);
    ck_assert_uint_gt(plan.cell_count, 0);
    for (size_t i = 0; i < plan.cell_count; i++)
        ck_assert_int_eq(plan.cells[i].variant, 2);
    plan_free(&plan);
    catalog_free(&catalog);
}
END_TEST

int main(void) {
    const char *fault = cases_load(NULL);
    if (fault)
        harness_failed("%s", fault);
    Suite *suite = suite_create("plan");
    TCase *tests = tcase_create("cells");
    tcase_add_test(tests, test_bases_come_first_and_stand_for_themselves);
    tcase_add_test(tests, test_a_study_goes_over_devices_and_a_busy_machine);
    tcase_add_test(tests, test_shapes_are_added_once);
    tcase_add_test(tests, test_hostile_schedules);
    tcase_add_test(tests, test_hazards_are_looked_for_in_all_shapes);
    tcase_add_test(tests, test_shards_partition_the_plan);
    tcase_add_test(tests, test_cell_globs_keep_the_base);
    tcase_add_test(tests, test_a_variant_gets_no_more_than_it_can_take);
    tcase_add_test(tests, test_planted_faults_stay_on_one_device);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
