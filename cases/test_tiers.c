// SPDX-License-Identifier: MIT
#include "cases/test_support.h"

#include <stdlib.h>
#include <string.h>

enum { SIMT_LIMIT = (1 << 20) + 3 }; // the largest array that the CPU's CUDA is given

static bool same_key(const struct dataset_key *a, const struct dataset_key *b) {
    return a->type == b->type && a->values == b->values && a->n == b->n && strcmp(a->order, b->order) == 0;
}

static const struct dataset *find_dataset(const struct dataset *list, size_t count, const struct dataset_key *key) {
    for (size_t i = 0; i < count; i++)
        if (same_key(&list[i].key, key))
            return &list[i];
    return NULL;
}

// How many of the list have these values.
static size_t count_values(const struct dataset *list, size_t count, const struct case_values *values) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += list[i].key.values == values;
    return found;
}

START_TEST(datasets_are_unique_allowed_and_affordable) {
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
        for (int tier = TIER_SMOKE; tier <= TIER_FULL; tier++) {
            struct dataset *list;
            size_t count = tier_datasets(tier, type, UINT64_C(1) << 40, &list);
            for (size_t i = 0; i < count; i++) {
                const struct dataset_key *key = &list[i].key;
                char name[DATASET_TEXT];
                dataset_name(key, name);
                ck_assert_msg(find_dataset(list, count, key) == &list[i], "%s is there twice", name);
                ck_assert_msg(key->type == (enum float_type)type && case_order_known(key->order), "%s", name);
                ck_assert_msg(!key->values->refusal(key->values, key->type, key->n), "%s is refused", name);
                ck_assert_msg(!key->values->fixed_n || key->values->fixed_n == key->n, "%s", name);
                ck_assert_msg(!list[i].attacks || strcmp(key->order, "given") == 0, "%s", name);
            }
            free(list);
        }
}
END_TEST

START_TEST(smoke_is_a_subset_of_full) {
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++) {
        struct dataset *smoke, *full;
        size_t smoke_count = tier_datasets(TIER_SMOKE, type, SIMT_LIMIT, &smoke);
        size_t full_count = tier_datasets(TIER_FULL, type, SIMT_LIMIT, &full);
        ck_assert_uint_gt(full_count, smoke_count);
        for (size_t i = 0; i < smoke_count; i++) {
            const struct dataset *same = find_dataset(full, full_count, &smoke[i].key);
            ck_assert_ptr_nonnull(same);
            ck_assert_uint_eq(smoke[i].attacks & ~same->attacks, 0);
        }
        free(smoke);
        free(full);
    }
}
END_TEST

// f16 has 40 binades.
static bool is_beyond(const struct case_values *values, enum float_type type) {
    return type == FLOAT_F16 && strncmp(values->name, "cond", 4) == 0 && atof(values->name + 4) > 1e8;
}

// Of 8 bits a term, 7 terms do not reach 1e40.
static bool needs_more(const struct case_values *values, enum float_type type) {
    return type == FLOAT_BF16 && strcmp(values->name, "cond1e40") == 0 && values->refusal(values, type, 7);
}

START_TEST(every_family_is_in_smoke_at_two_sizes) {
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++) {
        struct dataset *list;
        size_t count = tier_datasets(TIER_SMOKE, type, SIMT_LIMIT, &list);
        for (size_t i = 0; i < case_values_count(); i++)
            if (!case_values_at(i)->fixed_n)
                ck_assert_msg(count_values(list, count, case_values_at(i)) + needs_more(case_values_at(i), type) >= 2 ||
                                  is_beyond(case_values_at(i), type),
                              "%s", case_values_at(i)->name);
        for (size_t i = 0; i < count; i++)
            ck_assert_uint_le(list[i].key.n, 4097);
        free(list);
    }
}
END_TEST

START_TEST(every_corpus_file_is_in_full) {
    struct dataset *lists[FLOAT_TYPES];
    size_t counts[FLOAT_TYPES];
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
        counts[type] = tier_datasets(TIER_FULL, type, UINT64_C(1) << 28, &lists[type]);
    for (size_t i = 0; i < case_values_count(); i++) {
        const struct case_values *values = case_values_at(i);
        size_t found = 0;
        for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
            found += count_values(lists[type], counts[type], values);
        ck_assert_msg(!values->fixed_n || found >= 1, "%s", values->name);
    }
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++)
        free(lists[type]);
}
END_TEST

START_TEST(sizes_of_the_controls_stand_on_both_sides_of_warps_and_blocks) {
    static const uint64_t wanted[] = {2, 31, 33, 48, 127, 180, 257, 1023, 1025, 2049};
    static const char *const families[] = {"uniform", "integers", "position"};
    struct dataset *list;
    size_t count = tier_datasets(TIER_SMOKE, FLOAT_F32, SIMT_LIMIT, &list);
    for (size_t f = 0; f < 3; f++)
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
            struct dataset_key key = test_key(FLOAT_F32, families[f], wanted[i], "given");
            bool there = find_dataset(list, count, &key) != NULL;
            ck_assert_msg(there, "%s %llu", families[f], (unsigned long long)wanted[i]);
        }
    free(list);
}
END_TEST

START_TEST(max_n_limits_the_sizes) {
    static const uint64_t limits[] = {0, 1, 1024, SIMT_LIMIT, UINT64_C(1) << 28};
    size_t before = 0;
    for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
        struct dataset *list;
        size_t count = tier_datasets(TIER_FULL, FLOAT_F32, limits[l], &list);
        uint64_t largest = 0;
        for (size_t i = 0; i < count; i++)
            largest = list[i].key.n > largest ? list[i].key.n : largest;
        ck_assert_uint_eq(largest, limits[l]);
        ck_assert_uint_gt(count, before);
        before = count;
        free(list);
    }
}
END_TEST

// What the emulator spends its time on: two families have a million elements, and no attack is made on more than a 64th
// of what it affords.
START_TEST(large_arrays_and_attacks_are_affordable) {
    struct dataset *list;
    size_t count = tier_datasets(TIER_FULL, FLOAT_F64, SIMT_LIMIT, &list), large = 0, attacked = 0;
    for (size_t i = 0; i < count; i++) {
        bool everywhere = strcmp(list[i].key.values->name, "uniform") == 0 || list[i].key.values->integer_control;
        large += list[i].key.n > SIMT_LIMIT / 8;
        ck_assert_msg(list[i].key.n <= SIMT_LIMIT / 8 || everywhere, "%s", list[i].key.values->name);
        if (list[i].attacks) {
            attacked++;
            ck_assert_uint_le(list[i].key.n, SIMT_LIMIT / 64);
        }
    }
    ck_assert_uint_eq(large, 2);
    ck_assert_uint_ge(attacked, 10);
    free(list);
}
END_TEST

// The policy of the largest arrays: all of a type together must not cost a row more than a few GiB of copies.
START_TEST(large_arrays_are_few) {
    for (int type = FLOAT_F32; type <= FLOAT_F64; type++) {
        struct dataset *list;
        size_t count = tier_datasets(TIER_FULL, type, UINT64_C(1) << 28, &list), large = 0, controls = 0;
        uint64_t bytes = 0;
        for (size_t i = 0; i < count; i++)
            if (list[i].key.n > UINT64_C(1) << 25) {
                large++;
                controls += list[i].key.values->integer_control;
                bytes += list[i].key.n * float_format(type)->size;
                ck_assert_uint_eq(list[i].attacks, ATTACK_NONE);
            }
        ck_assert_uint_ge(large, 1);
        ck_assert_uint_ge(controls, 1);
        ck_assert_uint_le(bytes, UINT64_C(3) << 30);
        free(list);
    }
}
END_TEST

START_TEST(attacks_fall_on_data_that_show_an_order_and_on_the_control) {
    struct dataset *list;
    size_t count = tier_datasets(TIER_SMOKE, FLOAT_F32, SIMT_LIMIT, &list), attacked = 0, controls = 0;
    for (size_t i = 0; i < count; i++) {
        attacked += list[i].attacks == EVERY_ATTACK;
        controls += list[i].attacks == EVERY_ATTACK && list[i].key.values->integer_control;
        ck_assert(list[i].attacks == EVERY_ATTACK || list[i].attacks == ATTACK_NONE);
    }
    ck_assert_uint_ge(attacked, 5);
    ck_assert_uint_le(attacked, 8); // each costs as much as a dozen others
    ck_assert_uint_ge(controls, 1);
    free(list);
}
END_TEST

START_TEST(coverage_sizes_grow_with_the_tier) {
    for (int type = FLOAT_F32; type < FLOAT_TYPES; type++) {
        const uint64_t *smoke = tier_coverage_sizes(TIER_SMOKE, type), *full = tier_coverage_sizes(TIER_FULL, type);
        for (; *smoke; smoke++) {
            const uint64_t *same = full;
            while (*same && *same != *smoke)
                same++;
            ck_assert_uint_eq(*same, *smoke);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tiers");
    TCase *tests = tcase_create("tiers");
    tcase_add_test(tests, datasets_are_unique_allowed_and_affordable);
    tcase_add_test(tests, smoke_is_a_subset_of_full);
    tcase_add_test(tests, every_family_is_in_smoke_at_two_sizes);
    tcase_add_test(tests, every_corpus_file_is_in_full);
    tcase_add_test(tests, sizes_of_the_controls_stand_on_both_sides_of_warps_and_blocks);
    tcase_add_test(tests, max_n_limits_the_sizes);
    tcase_add_test(tests, large_arrays_are_few);
    tcase_add_test(tests, large_arrays_and_attacks_are_affordable);
    tcase_add_test(tests, attacks_fall_on_data_that_show_an_order_and_on_the_control);
    tcase_add_test(tests, coverage_sizes_grow_with_the_tier);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
