// SPDX-License-Identifier: MIT
// The worker on the host backend, through the pool, with variants that are right and variants that go wrong.
#include "harness/worker/test_worker.h"

#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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
            uint64_t bits = run_at(kept, run).bits;
            ck_assert_double_eq(value_of(type, bits), expected[i]);
            if (strcmp(type, "f32") == 0)
                ck_assert_uint_eq(bits >> 32, 0);
        }
    }
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

START_TEST(untouched_output_is_seen) {
    ck_assert_uint_eq(run_one("never_writes", "f32", sum_of(10))->reply.output_untouched, 1);
    ck_assert_uint_eq(run_one("drops_element", "f32", sum_of(10))->reply.output_untouched, 0);
}
END_TEST

START_TEST(changed_input_is_seen_and_mended) {
    const struct kept *kept = run_one("writes_input", "f32", sum_of(100));
    ck_assert_outcome(kept, WORK_DONE);
    ck_assert_uint_eq(kept->reply.input_changed, 1);
    for (size_t run = 0; run < 3; run++) // each run had the true input
        ck_assert_double_eq(value_of("f32", run_at(kept, run).bits), 4950);
    ck_assert_uint_eq(run_one("writes_input", "f32", coverage_of(100))->reply.input_changed, 1);
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

static void add_tests(TCase *tcase) {
    tcase_add_loop_test(tcase, sums_come_back_as_bits, 0, TYPES);
    tcase_add_test(tcase, input_starts_where_it_was_asked_for);
    tcase_add_test(tcase, untouched_output_is_seen);
    tcase_add_test(tcase, changed_input_is_seen_and_mended);
    tcase_add_loop_test(tcase, failure_is_explained_and_the_queue_goes_on, 0, sizeof failures / sizeof *failures);
    tcase_add_test(tcase, prints_belong_to_their_item);
    tcase_add_test(tcase, what_cannot_be_served_is_refused);
    tcase_add_test(tcase, other_version_is_refused);
    tcase_add_test(tcase, fault_that_was_sent_is_no_fault);
}

int main(void) {
    return run_worker_suite("worker", add_tests);
}
