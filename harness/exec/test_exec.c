// SPDX-License-Identifier: MIT
// The worker of programs that sum, against a program that goes wrong in one way each: a sentence and an outcome on the
// request that it went wrong on, and the requests around it answered right.
#include "harness/cards.h"
#include "harness/exec/fake_program.h"
#include "harness/pool/test_pool.h"

#include <stdio.h>

static const struct {
    const char *mode;
    enum work_outcome outcome;
    const char *says;
} mishaps[] = {
    {"die", WORK_CRASHED, "The program ended with exit code 3 without an answer."},
    {"crash", WORK_CRASHED, "The program was killed by SIGSEGV without an answer."},
    {"killed", WORK_LOST, "The program was killed by SIGKILL without an answer. One before it ended the same way."},
    {"close", WORK_CRASHED, "The program closed its standard output without an answer."},
    {"hang", WORK_HUNG, "No answer within the limit of 1 s"},
    {"garbage", WORK_CRASHED, "holds \"the sum is 42 \", which is no frame of the protocol"},
    {"short", WORK_CRASHED, "in the middle of its answer"},
    {"wrong size", WORK_CRASHED, "The program's answer has 40 bytes, where 48 are wanted."},
    {"excess", WORK_CRASHED, "More bytes follow the program's answer than it announced."},
    {"previous", WORK_CRASHED, "The program's answer belongs to request 1 and not to 2."},
    {"wrong sequence", WORK_CRASHED, "The program's answer belongs to request 3 and not to 2."},
    {"wrong kind", WORK_CRASHED, "The program answered with a frame of kind 2."},
    {"wrong n", WORK_CRASHED, "echoes another request"},
    {"wrong token", WORK_CRASHED, "echoes another request"},
    {"wide bits", WORK_CRASHED, "more bits than a result of 4 bytes"},
    {"failed", WORK_REFUSED, "The program has no sum: out of numbers."},
    {"tall", WORK_REFUSED, "fake.sum claims a tree of height 7 for n = 7; no tree of n terms is higher than 6."},
    {"failed empty", WORK_CRASHED, "in 0 bytes, where 1 to 800 are wanted"},
};

enum { NUMBERS = 8 };

static uint64_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// 1, 2, 3, ...; the caller closes the file.
static void make_numbers(struct memory_file *file, size_t count) {
    char message[MEMORY_FILE_MESSAGE];
    ck_assert_msg(memory_file_create(file, "numbers", count * sizeof(float), message), "%s", message);
    for (size_t i = 0; i < count; i++)
        ((float *)file->data)[i] = (float)(i + 1);
    ck_assert_msg(memory_file_seal(file, message), "%s", message);
}

static struct pool_item sum_of(uint64_t n, uint32_t runs) {
    return (struct pool_item){.tag = n, .request = {.kind = WORK_SUM, .n = n, .runs = runs}};
}

static void run_items(const char *load, const struct pool_item *items, size_t count, size_t numbers,
                      struct answers *answers) {
    char message[BACKEND_MESSAGE];
    struct memory_file file;
    make_numbers(&file, numbers);
    struct pool_queue queue = {.worker = EXEC_WORKER,
                               .load = load,
                               .backend = "exec",
                               .variant = "fake.sum",
                               .type = "f32",
                               .data = file.fd,
                               .items = items,
                               .item_count = count};
    struct pool_options options = test_options();
    if (strstr(load, "hang"))
        options.limit_seconds = 1;
    options.restart_limit_seconds = 0.5;
    answers->count = 0;
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, answers, message), POOL_FINISHED);
    ck_assert_uint_eq(answers->count, count);
    memory_file_close(&file);
}

START_TEST(a_mishap_costs_one_request) {
    struct answers answers;
    const struct pool_item items[] = {sum_of(3, 1), sum_of(FAKE_N, 1), sum_of(5, 1)};
    char load[256];
    snprintf(load, sizeof load, "%s '%s'", FAKE_PROGRAM, mishaps[_i].mode);
    run_items(load, items, 3, NUMBERS, &answers);
    ck_assert_outcome(&answers.kept[0], WORK_DONE);
    ck_assert_uint_eq(first_bits(&answers.kept[0]), bits_of(6));
    ck_assert_outcome(&answers.kept[1], mishaps[_i].outcome);
    ck_assert_says(&answers.kept[1], mishaps[_i].says);
    ck_assert_outcome(&answers.kept[2], WORK_DONE);
    ck_assert_uint_eq(first_bits(&answers.kept[2]), bits_of(15));
}
END_TEST

// The token for an answer is a result that was never written, in some run of the several.
START_TEST(the_token_is_no_result) {
    struct answers answers;
    const struct pool_item items[] = {sum_of(FAKE_N, 2), sum_of(5, 2)};
    run_items(FAKE_PROGRAM " poison", items, 2, NUMBERS, &answers);
    ck_assert_outcome(&answers.kept[0], WORK_DONE);
    ck_assert_uint_eq(answers.kept[0].reply.output_untouched, 1);
    ck_assert_uint_eq(answers.kept[1].reply.output_untouched, 0);
}
END_TEST

// What was right a moment ago, under the sequence of now: the protocol cannot tell, and the exact sum can. See the
// command line's test.
START_TEST(a_stale_value_is_handed_on) {
    struct answers answers;
    const struct pool_item items[] = {sum_of(3, 1), sum_of(FAKE_N, 1)};
    run_items(FAKE_PROGRAM " 'stale value'", items, 2, NUMBERS, &answers);
    ck_assert_outcome(&answers.kept[1], WORK_DONE);
    ck_assert_uint_eq(first_bits(&answers.kept[1]), bits_of(6));
}
END_TEST

START_TEST(an_array_larger_than_any_pipe) {
    struct answers answers;
    const struct pool_item items[] = {sum_of(FAKE_LARGE_N, 2), sum_of(0, 1), sum_of(1, 1)};
    run_items(FAKE_PROGRAM " right", items, 3, FAKE_LARGE_N, &answers);
    float sum = 0;
    for (int i = 1; i <= FAKE_LARGE_N; i++)
        sum += (float)i;
    ck_assert_uint_eq(first_bits(&answers.kept[0]), bits_of(sum));
    ck_assert_uint_eq(first_bits(&answers.kept[1]), bits_of(0));
    ck_assert_uint_eq(first_bits(&answers.kept[2]), bits_of(1));
    run_items(FAKE_PROGRAM " early", items, 1, FAKE_LARGE_N, &answers);
    ck_assert_outcome(&answers.kept[0], WORK_CRASHED);
    ck_assert_says(&answers.kept[0], "before it had read the request");
}
END_TEST

// Two starts of 0.3 s after crashes are within half a second no more.
START_TEST(restarts_are_not_for_ever) {
    struct answers answers;
    const struct pool_item item = sum_of(FAKE_N, 1), items[] = {item, item, item, item, item};
    run_items(FAKE_PROGRAM " 'start slowly and die'", items, 5, NUMBERS, &answers);
    ck_assert_outcome(&answers.kept[0], WORK_CRASHED);
    ck_assert_outcome(&answers.kept[1], WORK_CRASHED);
    ck_assert_outcome(&answers.kept[4], WORK_NOT_CHECKED); // nothing was found there
    ck_assert_says(&answers.kept[4], "Not run: starting its worker anew after ");
}
END_TEST

START_TEST(what_it_prints_is_shown) {
    struct answers answers;
    const struct pool_item items[] = {sum_of(FAKE_N, 1)};
    run_items(FAKE_PROGRAM " complain", items, 1, NUMBERS, &answers);
    ck_assert_outcome(&answers.kept[0], WORK_DONE);
    ck_assert_ptr_nonnull(strstr(answers.kept[0].output, "7 is no good number."));
}
END_TEST

// A loop claims n - 1; this program claims n / 2.
START_TEST(heights_are_its_own) {
    struct answers answers;
    const struct pool_item items[] = {sum_of(6, 1), sum_of(8, 3)};
    run_items(FAKE_PROGRAM " claims", items, 2, NUMBERS, &answers);
    ck_assert_uint_eq(answers.kept[0].reply.height, 3);
    ck_assert_uint_eq(answers.kept[1].reply.height, 4);
    ck_assert_uint_eq(first_bits(&answers.kept[1]), bits_of(36));
}
END_TEST

// ---- the hello ----

static const struct {
    const char *mode, *says;
} hellos[] = {
    {"die at once", "ended with exit code 3 before its hello; it said \"Something is missing here.\"."},
    {"say nothing", "did not answer within 0.5 s."},
    {"close at once", "did not answer within 0.5 s."}, // it lives, and a second of grace is longer
    {"print first", "holds \"Loading... "},
    {"huge hello", "first frame is no hello: kind 1, sequence 0, 18446744073709551615 bytes."},
    {"short hello", "in the middle of its hello"},
    {"no json", "it is no JSON object: "},
    {"no object", "it is no JSON object."},
    {"other version", "it speaks another version of the protocol than 1."},
    {"unknown key", "it has the unknown key \"colour\"."},
    {"no library", "it has no \"library\"."},
    {"no rows", "\"rows\" is no list of 1 to 256 rows."},
    {"bad name", "\"f@ke\" is no name of a program"},
    {"bad row name", "\"a/b\" is no name of a row"},
    {"bad type", "row sum has the type \"f17\"; there are f32, f64, f32:f64, f16, bf16, f16:f32 and bf16:f32."},
    {"twice", "it has two rows fake.sum of type f32."},
    {"bad claim", "a row's claims has the unknown key \"acuracy\"."},
    {"bad accuracy", "no accuracy is called \"good\"."},
    {"kahan", "no accuracy is called \"Kahan\"."},
    {"shape", "none of run, placement, order and device."},
    {"placement", "row fake.sum claims the same bits at every placement and does not place"},
    {"absent", "fake is not here: no fakes on Mondays."},
};

static char message[BACKEND_MESSAGE];

static enum cards_answer load_cards(const char *mode, double limit, struct variant_card **cards, size_t *count) {
    char load[256];
    snprintf(load, sizeof load, "%s '%s'", FAKE_PROGRAM, mode);
    return cards_load(&(struct worker_command){.path = EXEC_WORKER, .load = load}, limit, cards, count, message);
}

START_TEST(a_bad_hello_is_a_sentence) {
    struct variant_card *cards;
    size_t count;
    bool hangs = strstr(hellos[_i].says, "within") != NULL;
    ck_assert_int_ne(load_cards(hellos[_i].mode, hangs ? 0.5 : 20, &cards, &count), CARDS_FINE);
    ck_assert_msg(strstr(message, hellos[_i].says) != NULL, "%s: \"%s\" does not say \"%s\"", hellos[_i].mode, message,
                  hellos[_i].says);
}
END_TEST

START_TEST(a_program_that_is_not_there) {
    struct variant_card *cards;
    size_t count;
    const struct worker_command command = {.path = EXEC_WORKER, .load = "/no/such/program"};
    ck_assert_int_eq(cards_load(&command, 20, &cards, &count, message), CARDS_NO_PROGRAM);
    ck_assert_msg(strstr(message, "The program cannot be started; it said \"") == message, "%s", message);
    const struct worker_command none = {.path = EXEC_WORKER};
    ck_assert_int_eq(cards_load(&none, 20, &cards, &count, message), CARDS_NO_DEVICE);
    ck_assert_str_eq(message, "This worker was not told which program to start.");
}
END_TEST

// What somebody did to it is no property of the program.
START_TEST(a_program_that_is_killed_before_its_hello_is_lost) {
    struct variant_card *cards;
    size_t count;
    ck_assert_int_eq(load_cards("killed at once", 20, &cards, &count), CARDS_LOST);
    ck_assert_str_eq(message, "The program was killed by SIGKILL before its hello.");
}
END_TEST

START_TEST(claims_arrive) {
    struct variant_card *cards;
    size_t count;
    ck_assert_msg(load_cards("claims", 20, &cards, &count) == CARDS_FINE, "%s", message);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(cards[0].name, "fake.sum");
    ck_assert_str_eq(cards[0].type, "f32");
    ck_assert_str_eq(cards[0].summary, "a loop");
    ck_assert_uint_eq(cards[0].max_n, 100);
    ck_assert_uint_eq(cards[0].accuracy, REDUCTIO_HEIGHT);
    ck_assert_uint_eq(cards[0].has_height, 1);
    ck_assert_uint_eq(cards[0].same_bits, REDUCTIO_RUN | REDUCTIO_ORDER);
    ck_assert_uint_eq(cards[0].keeps_subnormals, REDUCTIO_NO);
    ck_assert_uint_eq(cards[0].specials, REDUCTIO_YES);
    ck_assert_uint_eq(cards[0].empty, REDUCTIO_UNSTATED);
    ck_assert_uint_eq(cards[0].all_minus_zero, REDUCTIO_PLUS);
    ck_assert_uint_eq(cards[0].fixed_placement, 1); // it does not say that it places
    free(cards);
}
END_TEST

START_TEST(what_is_not_claimed_is_not) {
    struct variant_card *cards;
    size_t count;
    ck_assert_msg(load_cards("right", 20, &cards, &count) == CARDS_FINE, "%s", message);
    ck_assert_uint_eq(count, 2);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(cards[i].accuracy, REDUCTIO_ACCURACY_NOT_CLAIMED);
        ck_assert_uint_eq(cards[i].same_bits, 0);
        ck_assert_uint_eq(cards[i].fixed_placement, 0);
    }
    free(cards);
}
END_TEST

START_TEST(the_environment_is_told) {
    struct environment_line *lines;
    size_t count;
    const struct worker_command command = {.path = EXEC_WORKER, .load = FAKE_PROGRAM " right"};
    ck_assert_int_eq(environment_load(&command, 0, 20, &lines, &count, message), CARDS_FINE);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(lines[0].key, "fake.library");
    ck_assert_str_eq(lines[0].value, "fake 1.0");
    ck_assert_str_eq(lines[1].key, "fake.device");
    environment_free(lines, count);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("exec");
    TCase *requests = tcase_create("requests"), *first = tcase_create("hello");
    tcase_add_loop_test(requests, a_mishap_costs_one_request, 0, sizeof mishaps / sizeof *mishaps);
    tcase_add_test(requests, the_token_is_no_result);
    tcase_add_test(requests, a_stale_value_is_handed_on);
    tcase_add_test(requests, an_array_larger_than_any_pipe);
    tcase_add_test(requests, restarts_are_not_for_ever);
    tcase_add_test(requests, what_it_prints_is_shown);
    tcase_add_test(requests, heights_are_its_own);
    tcase_add_loop_test(first, a_bad_hello_is_a_sentence, 0, sizeof hellos / sizeof *hellos);
    tcase_add_test(first, a_program_that_is_not_there);
    tcase_add_test(first, a_program_that_is_killed_before_its_hello_is_lost);
    tcase_add_test(first, claims_arrive);
    tcase_add_test(first, what_is_not_claimed_is_not);
    tcase_add_test(first, the_environment_is_told);
    tcase_set_timeout(requests, 60);
    tcase_set_timeout(first, 60);
    suite_add_tcase(suite, requests);
    suite_add_tcase(suite, first);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
