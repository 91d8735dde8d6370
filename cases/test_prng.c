// SPDX-License-Identifier: MIT
// Against the published reference outputs of each generator.
#include "cases/prng.h"
#include "cases/test_support.h"

START_TEST(splitmix64_gives_its_reference_outputs) {
    // Vigna's splitmix64.c, seed 1234567.
    uint64_t state = 1234567;
    ck_assert_uint_eq(splitmix64(&state), UINT64_C(6457827717110365317));
    ck_assert_uint_eq(splitmix64(&state), UINT64_C(3203168211198807973));
    ck_assert_uint_eq(splitmix64(&state), UINT64_C(9817491932198370423));
}
END_TEST

START_TEST(xoshiro_gives_its_reference_outputs) {
    // Blackman & Vigna's xoshiro256starstar.c, state 1, 2, 3, 4; the first three follow by hand.
    struct prng prng = {{1, 2, 3, 4}};
    ck_assert_uint_eq(prng_next(&prng), 11520);
    ck_assert_uint_eq(prng_next(&prng), 0);
    ck_assert_uint_eq(prng_next(&prng), 1509978240);
    ck_assert_uint_eq(prng_next(&prng), UINT64_C(1215971899390074240));
}
END_TEST

START_TEST(fnv_gives_its_reference_outputs) {
    // The test vectors of Fowler, Noll and Vo.
    ck_assert_uint_eq(fnv1a64(""), UINT64_C(0xcbf29ce484222325));
    ck_assert_uint_eq(fnv1a64("a"), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(fnv1a64("foobar"), UINT64_C(0x85944171f73967e8));
}
END_TEST

START_TEST(draws_stay_below_their_bound_and_reach_each_value) {
    struct prng prng = prng_seeded(1);
    unsigned seen[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint64_t draw = prng_below(&prng, 7);
        ck_assert_uint_lt(draw, 7);
        seen[draw]++;
    }
    // 1000 expected, standard deviation 29: six of them.
    for (int i = 0; i < 7; i++) {
        ck_assert_uint_gt(seen[i], 824);
        ck_assert_uint_lt(seen[i], 1176);
    }
    ck_assert_uint_eq(prng_below(&prng, 1), 0);
}
END_TEST

// 2^64 is one and a third times 3·2^62: a plain remainder would give the lowest third half of the draws.
START_TEST(draws_have_no_bias) {
    struct prng prng = prng_seeded(3);
    unsigned low = 0;
    for (int i = 0; i < 9000; i++)
        low += prng_below(&prng, UINT64_C(3) << 62) < (UINT64_C(1) << 62);
    // 3000 expected, standard deviation 45: six of them.
    ck_assert_uint_gt(low, 2730);
    ck_assert_uint_lt(low, 3270);
}
END_TEST

START_TEST(units_lie_above_0_and_up_to_1) {
    struct prng prng = prng_seeded(2);
    bool seen_half = false, seen_one = false;
    for (int i = 0; i < 100; i++) {
        double unit = prng_unit(&prng, 1);
        ck_assert(unit == 0.5 || unit == 1);
        seen_half |= unit == 0.5;
        seen_one |= unit == 1;
    }
    ck_assert(seen_half && seen_one);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("prng");
    TCase *tests = tcase_create("prng");
    tcase_add_test(tests, splitmix64_gives_its_reference_outputs);
    tcase_add_test(tests, xoshiro_gives_its_reference_outputs);
    tcase_add_test(tests, fnv_gives_its_reference_outputs);
    tcase_add_test(tests, draws_stay_below_their_bound_and_reach_each_value);
    tcase_add_test(tests, draws_have_no_bias);
    tcase_add_test(tests, units_lie_above_0_and_up_to_1);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
