// SPDX-License-Identifier: MIT
// How long the rows took, for a terminal: a table a size, the fastest first, then who is the fastest where.
#include "reports/reports.h"
#include "reports/timing.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void print_time(double ns, FILE *out) {
    if (ns < 1e3)
        fprintf(out, "%.0f ns", ns);
    else if (ns < 1e6)
        fprintf(out, "%.3g us", ns / 1e3);
    else
        fprintf(out, "%.4g ms", ns / 1e6);
}

static void print_size(uint64_t n, FILE *out) {
    int power = 0;
    while (n >> power > 1)
        power++;
    if (n == (uint64_t)1 << power && power >= 10)
        fprintf(out, "2^%d", power);
    else
        fprintf(out, "%" PRIu64, n);
}

static bool on_gpu(const struct timing *timing) {
    return !strcmp(timing->backend, "cuda");
}

static void print_heading(const struct timing *first, FILE *out) {
    fprintf(out, "\n%.*s, n = ", timing_input_type(first->type), first->type);
    print_size(first->n, out);
    fputs(", ", out);
    write_printable(first->values, out);
    fputs(", on ", out);
    write_printable(first->backend, out);
    if (!on_gpu(first))
        fputs(" (time of the CPU: says nothing of a GPU)", out);
    if (first->share > 0)
        fprintf(out, "; a kernel that only reads: %.4g GB/s", first->rate / first->share);
    fprintf(out, "\n  %-28s %-8s %-10s %12s %23s %9s %8s %10s\n", "variant", "type", "shape", "median ms", "min - max",
            "GB/s", "of read", "x cub_sum");
}

static void print_timing(const struct timing *timing, const struct timing *reference, FILE *out) {
    char range[64], share[16] = "-", ratio[16] = "-";
    snprintf(range, sizeof range, "%.5f - %.5f", timing->low / 1e6, timing->high / 1e6);
    if (timing->share > 0)
        snprintf(share, sizeof share, "%.1f %%", 100 * timing->share);
    if (reference)
        snprintf(ratio, sizeof ratio, "%.3f", timing->median / reference->median);
    fprintf(out, "  %-28.60s %-8.20s %-10.20s %12.5f %23s %9.4g %8s %10s\n", timing->name, timing->type, timing->shape,
            timing->median / 1e6, range, timing->rate, share, ratio);
}

static void print_groups(const struct timings *timings, FILE *out) {
    for (size_t first = 0, end; first < timings->count; first = end) {
        const struct timing *reference = timings_reference(timings, first);
        end = timings_group_end(timings, first);
        print_heading(&timings->items[first], out);
        for (size_t i = first; i < end; i++)
            print_timing(&timings->items[i], reference, out);
    }
}

// One line a series: "2^10 to 2^14 warp_shuffle; 2^16 to 2^28 cub_sum", with the time at the last size of each.
static void print_fastest(const struct timings *timings, size_t first, FILE *out) {
    const struct timing *from = NULL, *to = NULL;
    size_t last = timings_series_end(timings, first);
    fprintf(out, "  %.*s on %.20s, %.60s:", timing_input_type(timings->items[first].type), timings->items[first].type,
            timings->items[first].backend, timings->items[first].values);
    for (size_t i = first; i <= last; i = i < last ? timings_group_end(timings, i) : last + 1) {
        const struct timing *winner = i < last ? &timings->items[i] : NULL;
        if (from && (!winner || strcmp(winner->name, from->name) != 0 || strcmp(winner->type, from->type) != 0)) {
            fputc(' ', out);
            print_size(from->n, out);
            if (to != from) {
                fputs(" to ", out);
                print_size(to->n, out);
            }
            fprintf(out, " %.60s (", from->name);
            print_time(to->median, out);
            fputs(winner ? ");" : ").\n", out);
            from = NULL;
        }
        from = from ? from : winner;
        to = winner;
    }
}

// What was run and has no time: its result is wrong, or there is none.
static void print_untimed(const struct run_view *view, FILE *out) {
    bool any = false;
    for (size_t i = 0; i < view->cell_count; i++) {
        const struct cell_view *cell = &view->cells[i];
        if (!finding_is_bad(cell->head))
            continue;
        fputs(any ? "" : "\nNot timed, because the result is wrong or missing:\n", out);
        any = true;
        fprintf(out, "  %s: ", finding_word(cell->head));
        write_printable(text_of(cell->json, "id"), out);
        fputs(". ", out);
        write_printable(text_of(cell->json, "detail"), out);
        fputc('\n', out);
    }
}

static void print_times(const struct run_view *view, const struct timings *timings, FILE *out) {
    fputs("Each sample is the mean over calls in a row, as many as fill 2 ms (1 to 256), each on the next copy of the "
          "input;\non a GPU between two CUDA events, launches included where they are not hidden. GB/s count each "
          "input byte once.\n",
          out);
    print_groups(timings, out);
    if (timings->count)
        fputs("\nThe fastest at each n (with its time at the last):\n", out);
    for (size_t first = 0; first < timings->count; first = timings_series_end(timings, first))
        print_fastest(timings, first, out);
    print_untimed(view, out);
}

bool report_write_times(const json_t *run, FILE *out, char *message) {
    struct run_view view;
    struct timings timings = {0};
    bool made = run_view_make(&view, run) && timings_make(&timings, &view);
    if (made)
        print_times(&view, &timings, out);
    else
        snprintf(message, REPORT_MESSAGE, "The times do not fit in memory.");
    timings_free(&timings);
    run_view_free(&view);
    return made;
}
