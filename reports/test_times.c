// SPDX-License-Identifier: MIT
// The table of times, the crossover lines, the columns of the CSV and the chart, on samples set by hand.
#include "reports/sample_result.h"
#include "reports/test_text.h"
#include "reports/timing.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char message[REPORT_MESSAGE];

// variant 0 is cub_sum and takes 2 µs at 2^10 and 4 µs at 2^20; variant 1, warp_shuffle, takes 1 µs and 8 µs.
static const struct {
    size_t variant;
    uint64_t n, low, median, high;
} samples[] = {{0, 1 << 10, 1900, 2000, 2200},
               {1, 1 << 10, 900, 1000, 1100},
               {1, 1 << 20, 7000, 8000, 9000},
               {0, 1 << 20, 3500, 4000, 6000}};
enum { TIMED = sizeof samples / sizeof *samples };

static char *copy(const char *text) {
    char *made = strdup(text);
    ck_assert_ptr_nonnull(made);
    return made;
}

static void set_text(char **field, const char *text) {
    free(*field);
    *field = copy(text);
}

static void name_variant(struct variant_result *variant, const char *name, const char *backend) {
    set_text(&variant->name, name);
    set_text(&variant->backend, backend);
    set_text(&variant->type, "f32");
}

static void time_cell(struct cell_result *cell, size_t sample) {
    free(cell->ns);
    cell->ns = calloc(3, sizeof *cell->ns);
    ck_assert_ptr_nonnull(cell->ns);
    cell->ns_count = 3;
    cell->ns[0] = samples[sample].high;
    cell->ns[1] = samples[sample].low;
    cell->ns[2] = samples[sample].median;
    cell->variant = samples[sample].variant;
    cell->n = samples[sample].n;
    cell->dataset = 0;
    cell->gigabytes_per_second = 4.0 * (double)cell->n / (double)samples[sample].median;
    cell->bandwidth_share = 0.5;
}

static json_t *timed_run(const char *backend) {
    struct run_result result = sample_result();
    size_t timed = 0;
    set_text(&result.command, "bench");
    name_variant(&result.variants[0], "cub_sum", backend);
    name_variant(&result.variants[1], "warp_shuffle", backend);
    for (size_t i = 0; i < result.cell_count; i++) {
        result.cells[i].gigabytes_per_second = 0;
        if (result.cells[i].has_result && timed < TIMED)
            time_cell(&result.cells[i], timed++);
    }
    ck_assert_uint_eq(timed, TIMED);
    json_t *run = report_of_result(&result, message);
    ck_assert_msg(run != NULL, "%s", message);
    run_result_free(&result);
    return run;
}

START_TEST(table_has_the_fastest_first) {
    char *text = text_of_run(report_write_times, timed_run("cuda"));
    const char *small = expect(text, "f32, n = 2^10"), *large = expect(text, "f32, n = 2^20");
    ck_assert(small < large);
    // Half of a read-only kernel's throughput: that is 4096 bytes in 0.5 µs.
    expect(small, "a kernel that only reads: 8.192 GB/s\n");
    const char *first = expect(small, "warp_shuffle"), *second = expect(small, "cub_sum ");
    ck_assert(first < second);
    expect(first, "0.00100       0.00090 - 0.00110     4.096   50.0 %      0.500\n");
    expect(second, "0.00200       0.00190 - 0.00220     2.048   50.0 %      1.000\n");
    ck_assert(expect(large, "cub_sum ") < expect(large, "warp_shuffle"));
    expect(large, "      2.000\n");
    ck_assert_ptr_null(strstr(text, "CPU"));
    free(text);
}
END_TEST

START_TEST(crossover_is_told) {
    char *text = text_of_run(report_write_times, timed_run("cuda"));
    expect(text, ": 2^10 warp_shuffle (1 us); 2^20 cub_sum (4 us).\n");
    free(text);
}
END_TEST

START_TEST(times_of_a_cpu_say_so) {
    char *text = text_of_run(report_write_times, timed_run("simt"));
    expect(text, "time of the CPU: says nothing of a GPU");
    free(text);
}
END_TEST

START_TEST(page_draws_time_against_n) {
    char *text = text_of_run(report_write_html, timed_run("cuda"));
    const char *chart = expect(text, "f32: time against n on cuda");
    expect(chart, "</svg> warp_shuffle");
    // The same mark as where speed stands against accuracy.
    const char *line = expect(chart, "<title>cub_sum f32</title><path class=\"line ");
    const char *pareto = expect(text, "f32: accuracy against throughput");
    ck_assert(pareto < chart);
    const char *point = expect(pareto, "<title>cub_sum@cuda</title><path class=\"mark ");
    char colour[4] = {0};
    strncpy(colour, expect(line, "\"line ") + strlen("\"line "), 2);
    ck_assert_int_eq(strncmp(expect(point, "\"mark ") + strlen("\"mark "), colour, 2), 0);
    expect(chart, "<tr><td class=r>1048576<td>warp_shuffle<td>f32<td class=r>8<td class=r>7<td class=r>9<td class=r>524"
                  "<td class=r>50<td class=r>2\n");
    free(text);
}
END_TEST

START_TEST(csv_has_median_throughput_and_share) {
    char *text = text_of_run(report_write_csv, timed_run("cuda"));
    expect(text, ",gigabytes_per_second,bandwidth_share,detail,median_ns\r\n");
    expect(text, ",2.048,0.5,");
    expect(text, ",2000.0\r\n");
    expect(text, ",1000.0\r\n");
    free(text);
}
END_TEST

START_TEST(nothing_timed_is_no_chart_and_no_table) {
    char *text = text_of_run(report_write_times, report_of_result(&(struct run_result){0}, message));
    ck_assert_ptr_null(strstr(text, "n = "));
    ck_assert_ptr_null(strstr(text, "fastest"));
    free(text);
}
END_TEST

START_TEST(samples_of_a_cell) {
    json_t *cell = json_pack("{s:[i,i,i,i]}", "ns", 40, 10, 30, 21), *none = json_object();
    double low, median, high;
    ck_assert(timing_of_samples(cell, &low, &median, &high));
    ck_assert_double_eq(low, 10);
    ck_assert_double_eq(median, 25.5);
    ck_assert_double_eq(high, 40);
    ck_assert(timing_of_samples(none, &low, &median, &high));
    ck_assert_double_eq(median, 0);
    json_decref(cell);
    json_decref(none);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("times");
    TCase *tests = tcase_create("times");
    tcase_add_test(tests, table_has_the_fastest_first);
    tcase_add_test(tests, crossover_is_told);
    tcase_add_test(tests, times_of_a_cpu_say_so);
    tcase_add_test(tests, page_draws_time_against_n);
    tcase_add_test(tests, csv_has_median_throughput_and_share);
    tcase_add_test(tests, nothing_timed_is_no_chart_and_no_table);
    tcase_add_test(tests, samples_of_a_cell);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
