// SPDX-License-Identifier: MIT
// The worker on the host backend, through the pool, with variants that are right and variants that go wrong.
#include "harness/pool/test_pool.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ELEMENTS = 600, COVERED = 100 };

static struct answers answers;
static struct memory_file data;

// Elements 0, 1, 2, ... as f32 in the first half of the file and as f64 in the second: their sums are exact.
static void make_data(void) {
    char message[MEMORY_FILE_MESSAGE];
    answers.count = 0;
    ck_assert(memory_file_create(&data, "test", ELEMENTS * (sizeof(float) + sizeof(double)), message));
    float *narrow = data.data;
    double *wide = (double *)(narrow + ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
        narrow[i] = (float)i;
        wide[i] = i;
    }
    ck_assert(memory_file_seal(&data, message));
}

static void drop_data(void) {
    memory_file_close(&data);
}

static struct pool_item sum_of(uint64_t n) {
    return (struct pool_item){.request = {.kind = WORK_SUM, .n = n, .shape = {1, 0}, .runs = 3, .warmups = 1}};
}

static struct pool_item coverage_of(uint64_t n) {
    return (struct pool_item){.request = {.kind = WORK_COVERAGE, .n = n, .shape = {1, 0}}};
}

static struct pool_item time_of(uint64_t n) {
    struct pool_item item = sum_of(n);
    item.request.kind = WORK_TIME;
    item.request.runs = 5;
    return item;
}

static void run_items(const char *variant, const char *type, const struct pool_item *items, size_t count) {
    struct pool_queue queue = {.worker = TEST_WORKER,
                               .backend = "host",
                               .variant = variant,
                               .type = type,
                               .data = data.fd,
                               .items = items,
                               .item_count = count};
    struct pool_options options = test_options();
    options.limit_seconds = strcmp(variant, "hangs") == 0 ? 0.5 : 30;
    char message[BACKEND_MESSAGE];
    answers.count = 0;
    ck_assert_int_eq(pool_run(&queue, 1, &options, keep_answer, &answers, message), POOL_FINISHED);
    ck_assert_uint_eq(answers.count, count);
}

static const struct kept *run_one(const char *variant, const char *type, struct pool_item item) {
    run_items(variant, type, &item, 1);
    return &answers.kept[0];
}

static double value_of(const char *type, uint64_t bits) {
    float narrow;
    double wide;
    memcpy(&narrow, &bits, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return strcmp(type, "f32") == 0 ? (double)narrow : wide;
}

static const char *const types[] = {"f32", "f64", "f32:f64"};

START_TEST(sums_come_back_as_bits) {
    const char *type = types[_i];
    uint64_t start = strcmp(type, "f64") == 0 ? ELEMENTS * sizeof(float) : 0;
    struct pool_item items[] = {sum_of(ELEMENTS), sum_of(0), sum_of(1), sum_of(65), sum_of(64)};
    for (size_t i = 0; i < 5; i++) {
        items[i].request.data_offset = start;
        items[i].request.offset = (uint32_t)(i * 3);
    }
    items[4].request.data_offset += 5 * (strcmp(type, "f64") == 0 ? sizeof(double) : sizeof(float));
    run_items("test_variant_right", type, items, 5);
    const double expected[] = {ELEMENTS * (ELEMENTS - 1) / 2.0, 0, 0, 65 * 64 / 2.0, 64 * 63 / 2.0 + 5 * 64};
    for (size_t i = 0; i < 5; i++) {
        const struct kept *kept = &answers.kept[i];
        ck_assert_outcome(kept, WORK_DONE);
        ck_assert_uint_eq(kept->reply.runs, 3);
        ck_assert_uint_eq(kept->reply.input_changed, 0);
        ck_assert_uint_eq(kept->reply.output_untouched, 0);
        uint64_t n = items[i].request.n;
        ck_assert_uint_eq(kept->reply.height, n ? n - 1 : 0);
        ck_assert_uint_eq(kept->reply.workspace_bytes, n * (strcmp(type, "f32") == 0 ? 4 : 8));
        for (size_t run = 0; run < 3; run++) {
            struct work_run found;
            memcpy(&found, kept->payload + run * sizeof found, sizeof found);
            ck_assert_double_eq(value_of(type, found.bits), expected[i]);
            if (strcmp(type, "f32") == 0)
                ck_assert_uint_eq(found.bits >> 32, 0);
        }
    }
}
END_TEST

START_TEST(right_sum_covers_each_element_once) {
    static const uint64_t sizes[] = {0, 1, 11, 12, 13, 25, 26, 27, 53, 100, 1025};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct kept *kept = run_one("test_variant_right", types[_i], coverage_of(sizes[i]));
        ck_assert_outcome(kept, WORK_DONE);
        ck_assert_uint_eq(kept->reply.payload, sizes[i]);
        for (uint64_t j = 0; j < sizes[i]; j++)
            ck_assert_uint_eq(kept->payload[j], 1);
    }
}
END_TEST

// One element has another multiplicity, everything else is added once.
static const struct {
    const char *variant;
    int element, multiplicity;
} coverages[] = {
    {"drops_element", 30, 0},      {"doubles_element", 17, 2},
    {"quadruples_element", 17, 4}, {"quadruples_last_of_group", 35, 4},
    {"counts_too_often", 17, 255},
};

START_TEST(coverage_map_says_exactly_which) {
    const struct kept *kept = run_one(coverages[_i].variant, "f32", coverage_of(COVERED));
    ck_assert_outcome(kept, WORK_DONE);
    for (int i = 0; i < COVERED; i++)
        ck_assert_msg(kept->payload[i] == (i == coverages[_i].element ? coverages[_i].multiplicity : 1),
                      "element %d: %d", i, kept->payload[i]);
}
END_TEST

static const char *const unreadable[] = {"gives_nan", "gives_minus", "gives_half", "never_writes"};

START_TEST(carries_past_the_last_element_are_seen) {
    const struct kept *kept = run_one("quintuples_element", "f32", coverage_of(18));
    ck_assert_outcome(kept, WORK_DONE);
    for (int i = 0; i < 18; i++)
        ck_assert_uint_eq(kept->payload[i], i == 17 ? 5 : 1);
}
END_TEST

START_TEST(input_starts_where_it_was_asked_for) {
    for (uint32_t offset = 0; offset < 16; offset++) {
        struct pool_item item = sum_of(100);
        item.request.offset = offset;
        ck_assert_double_eq(value_of("f32", first_bits(run_one("tells_place", "f32", item))), offset);
    }
}
END_TEST

START_TEST(coverage_of_nonsense_is_not_told) {
    const struct kept *kept = run_one(unreadable[_i], "f32", coverage_of(COVERED));
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert_uint_eq(kept->reply.output_untouched, strcmp(unreadable[_i], "never_writes") == 0);
    for (int i = 0; i < COVERED; i++)
        ck_assert_uint_eq(kept->payload[i], 255);
}
END_TEST

START_TEST(untouched_output_is_seen) {
    ck_assert_uint_eq(run_one("never_writes", "f32", sum_of(10))->reply.output_untouched, 1);
    ck_assert_uint_eq(run_one("drops_element", "f32", sum_of(10))->reply.output_untouched, 0);
}
END_TEST

START_TEST(changed_input_is_seen_and_mended) {
    const struct kept *kept = run_one("writes_input", "f32", sum_of(100));
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert_uint_eq(kept->reply.input_changed, 1);
    for (size_t run = 0; run < 3; run++) { // each run had the true input
        struct work_run found;
        memcpy(&found, kept->payload + run * sizeof found, sizeof found);
        ck_assert_double_eq(value_of("f32", found.bits), 4950);
    }
    ck_assert_uint_eq(run_one("writes_input", "f32", coverage_of(COVERED))->reply.input_changed, 1);
}
END_TEST

static const struct {
    const char *variant;
    enum work_outcome outcome;
    const char *words;
    bool from_worker;
} failures[] = {
    {"reads_just_past", WORK_OUT_OF_BOUNDS, "just past the end of the input", true},
    {"reads_before", WORK_OUT_OF_BOUNDS, "16384 bytes before the start of the input", true},
    {"writes_past_workspace", WORK_OUT_OF_BOUNDS, "just past the end of the workspace", true},
    {"writes_before_output", WORK_OUT_OF_BOUNDS, "4 bytes before the start of the output", true},
    {"wild_address", WORK_CRASHED, "SIGSEGV", true},
    {"overflows_stack", WORK_CRASHED, "SIGSEGV", true},
    {"aborts", WORK_CRASHED, "SIGABRT", true},
    {"divides", WORK_CRASHED, "SIGFPE", true},
    {"exits", WORK_CRASHED, "ended with exit code 3 without an answer", false},
    {"hangs", WORK_HUNG, "limit of 0.5 s", false},
    {"fails_to_launch", WORK_REFUSED, "returned the error 9", true},
};

START_TEST(failure_is_explained_and_the_queue_goes_on) {
    struct pool_item items[] = {sum_of(64), coverage_of(64), sum_of(64)};
    run_items(failures[_i].variant, "f32", items, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct kept *kept = &answers.kept[i];
        ck_assert_outcome(kept, failures[_i].outcome);
        ck_assert_says(kept, failures[_i].words);
        ck_assert_int_eq(kept->from_worker, failures[_i].from_worker);
        ck_assert_uint_eq(kept->reply.runs, 0);
        ck_assert_uint_eq(kept->reply.payload, 0);
    }
}
END_TEST

START_TEST(prints_belong_to_their_item) {
    struct pool_item items[] = {sum_of(5), sum_of(6)};
    run_items("prints", "f32", items, 2);
    ck_assert_str_eq(answers.kept[1].output,
                     "and a warning, and a warning, and a warning, and a warning, " // not buffered
                     "partial sum of 6, partial sum of 6, partial sum of 6, partial sum of 6, ");
    ck_assert_ptr_null(strstr(answers.kept[0].output, "of 6"));
}
END_TEST

START_TEST(what_cannot_be_served_is_refused) {
    struct pool_item too_many = sum_of(1001), beyond = sum_of(ELEMENTS * 3 + 1), huge = sum_of((uint64_t)1 << 40),
                     overflow = sum_of(UINT64_MAX / 2), unknown = sum_of(1);
    unknown.request.kind = 7;
    ck_assert_says(run_one("drops_element", "f32", too_many), "takes at most 1000 elements and was given 1001");
    ck_assert_outcome(&answers.kept[0], WORK_REFUSED);
    ck_assert_says(run_one("test_variant_right", "f32", beyond), "The data of the run has 7200 bytes");
    ck_assert_outcome(&answers.kept[0], WORK_REFUSED);
    ck_assert_says(run_one("test_variant_right", "f32", huge), "n = 1099511627776 is too large for the memory");
    ck_assert_outcome(&answers.kept[0], WORK_NOT_POSSIBLE);
    ck_assert_says(run_one("test_variant_right", "f32", overflow), "too large for the memory");
    ck_assert_outcome(&answers.kept[0], WORK_NOT_POSSIBLE);
    ck_assert_says(run_one("wants_all_memory", "f32", sum_of(1)), "a workspace of 18446744073709551612 bytes");
    ck_assert_outcome(&answers.kept[0], WORK_REFUSED);
    ck_assert_says(run_one("test_variant_right", "f32", unknown), "unknown kind of work, 7");
    ck_assert_says(run_one("no_such", "f32", sum_of(1)), "no variant no_such of type f32");
    ck_assert_outcome(&answers.kept[0], WORK_REFUSED);
    ck_assert_says(run_one("drops_element", "f64", sum_of(1)), "no variant drops_element of type f64");
}
END_TEST

// The first worker under this process that serves.
static pid_t only_child_of(pid_t parent) {
    char path[64];
    pid_t child = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    for (pid_t pid; fscanf(file, "%d", &pid) == 1;)
        child = pid != getpid() ? pid : child;
    fclose(file);
    return child;
}

// Anybody can send what a fault raises; both workers are killed by it, and it is nobody's verdict.
START_TEST(fault_that_was_sent_is_no_fault) {
    pid_t parent = getpid(), sender = fork();
    if (sender == 0) {
        for (pid_t last = 0, worker; getppid() == parent; usleep(100000)) { // it is at work when it is seen again
            if ((worker = only_child_of(parent)) && worker == last)
                kill(worker, SIGSEGV);
            last = worker;
        }
        _exit(0);
    }
    run_items("hangs", "f32", (struct pool_item[]){sum_of(64)}, 1);
    kill(sender, SIGKILL);
    waitpid(sender, NULL, 0);
    ck_assert_outcome(&answers.kept[0], WORK_LOST);
    ck_assert_says(&answers.kept[0], "signal 11 by process");
}
END_TEST

// Past the pool, which always asks in its own version.
START_TEST(other_version_is_refused) {
    int pair[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", pair[1]);
        close(pair[0]);
        execl(TEST_WORKER, TEST_WORKER, "--serve", "test_variant_right", "f32", "--socket", number, "--data", "-1",
              (char *)NULL);
        _exit(127);
    }
    close(pair[1]);
    struct work_reply reply;
    ck_assert_int_eq(recv(pair[0], &reply, sizeof reply, MSG_WAITALL), sizeof reply);
    ck_assert_uint_eq(reply.outcome, WORK_DONE);
    struct work_request request = {.version = PROTOCOL_VERSION + 1, .kind = WORK_SUM, .sequence = 5};
    ck_assert_int_eq(send(pair[0], &request, sizeof request, 0), sizeof request);
    ck_assert_int_eq(recv(pair[0], &reply, sizeof reply, MSG_WAITALL), sizeof reply);
    ck_assert_uint_eq(reply.outcome, WORK_REFUSED);
    ck_assert_uint_eq(reply.sequence, 5);
    char sentence[128];
    snprintf(sentence, sizeof sentence, "The worker speaks version %d of the protocol and was asked in version %d.",
             (int)PROTOCOL_VERSION, (int)PROTOCOL_VERSION + 1);
    ck_assert_str_eq(reply.message, sentence);
    close(pair[0]);
    int status; // it ends when the socket closes
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

static struct work_run run_at(const struct kept *kept, size_t index) {
    struct work_run run;
    memcpy(&run, kept->payload + index * sizeof run, sizeof run);
    return run;
}

START_TEST(samples_of_a_timing_are_times_of_right_sums) {
    const char *type = types[_i];
    struct pool_item items[] = {time_of(ELEMENTS), time_of(1), time_of(0)};
    for (size_t i = 0; i < 3 && strcmp(type, "f64") == 0; i++)
        items[i].request.data_offset = ELEMENTS * sizeof(float);
    run_items("test_variant_right", type, items, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct kept *kept = &answers.kept[i];
        ck_assert_outcome(kept, WORK_DONE);
        ck_assert_uint_eq(kept->reply.runs, 5);
        ck_assert_uint_eq(kept->reply.output_untouched, 0);
        ck_assert_uint_eq(kept->reply.read_ns, 0); // a CPU has no such kernel
        for (size_t run = 0; run < 5; run++)
            ck_assert_double_eq(value_of(type, run_at(kept, run).bits), i == 0 ? ELEMENTS * (ELEMENTS - 1) / 2.0 : 0);
    }
}
END_TEST

// `sleeps` takes 100 µs and a little: a sample that were the sum of its calls would take the span of 2 ms.
START_TEST(a_sample_is_the_time_of_one_call) {
    const struct kept *kept = run_one("sleeps", "f32", time_of(10));
    uint64_t least = UINT64_MAX;
    ck_assert_outcome(kept, WORK_DONE);
    for (size_t run = 0; run < 5; run++) {
        uint64_t ns = run_at(kept, run).ns;
        ck_assert_uint_ge(ns, 100000);
        least = ns < least ? ns : least;
    }
    ck_assert_uint_lt(least, 1000000);
}
END_TEST

// tells_distance returns the distance of its input from that of the process' first call, in elements.
START_TEST(calls_go_around_copies_that_no_cache_holds) {
    const struct kept *kept = run_one("tells_distance", "f32", time_of(ELEMENTS));
    ck_assert_outcome(kept, WORK_DONE);
    double last = 0, stride = ELEMENTS * sizeof(float) / 256 * 256 + 256;
    for (size_t run = 0; run < 5; run++) {
        double distance = value_of("f32", run_at(kept, run).bits) * sizeof(float);
        ck_assert_double_gt(distance, last); // fewer calls than copies: it has not come around
        ck_assert_double_eq(fmod(distance, stride), 0);
        last = distance;
    }
}
END_TEST

START_TEST(copies_keep_the_offset) {
    struct pool_item item = time_of(100);
    item.request.offset = 7;
    const struct kept *kept = run_one("tells_place", "f32", item);
    for (size_t run = 0; run < 5; run++)
        ck_assert_double_eq(value_of("f32", run_at(kept, run).bits), 7);
}
END_TEST

START_TEST(failure_of_a_timing_is_explained) {
    ck_assert_outcome(run_one("writes_past_workspace", "f32", time_of(64)), WORK_OUT_OF_BOUNDS);
    ck_assert_outcome(run_one("fails_to_launch", "f32", time_of(64)), WORK_REFUSED);
    ck_assert_says(&answers.kept[0], "returned the error 9");
    ck_assert_outcome(run_one("divides", "f32", time_of(64)), WORK_CRASHED);
    ck_assert_says(run_one("drops_element", "f32", time_of(1001)), "takes at most 1000 elements");
    ck_assert_uint_eq(run_one("never_writes", "f32", time_of(64))->reply.output_untouched, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("worker");
    TCase *tcase = tcase_create("worker");
    tcase_add_checked_fixture(tcase, make_data, drop_data);
    tcase_add_loop_test(tcase, sums_come_back_as_bits, 0, 3);
    tcase_add_loop_test(tcase, right_sum_covers_each_element_once, 0, 3);
    tcase_add_loop_test(tcase, coverage_map_says_exactly_which, 0, sizeof coverages / sizeof *coverages);
    tcase_add_loop_test(tcase, coverage_of_nonsense_is_not_told, 0, sizeof unreadable / sizeof *unreadable);
    tcase_add_test(tcase, carries_past_the_last_element_are_seen);
    tcase_add_test(tcase, input_starts_where_it_was_asked_for);
    tcase_add_test(tcase, untouched_output_is_seen);
    tcase_add_test(tcase, changed_input_is_seen_and_mended);
    tcase_add_loop_test(tcase, failure_is_explained_and_the_queue_goes_on, 0, sizeof failures / sizeof *failures);
    tcase_add_test(tcase, prints_belong_to_their_item);
    tcase_add_test(tcase, what_cannot_be_served_is_refused);
    tcase_add_test(tcase, other_version_is_refused);
    tcase_add_test(tcase, fault_that_was_sent_is_no_fault);
    tcase_add_loop_test(tcase, samples_of_a_timing_are_times_of_right_sums, 0, 3);
    tcase_add_test(tcase, a_sample_is_the_time_of_one_call);
    tcase_add_test(tcase, calls_go_around_copies_that_no_cache_holds);
    tcase_add_test(tcase, copies_keep_the_offset);
    tcase_add_test(tcase, failure_of_a_timing_is_explained);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
