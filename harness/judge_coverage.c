// SPDX-License-Identifier: MIT
// The coverage map: which elements were added, and how often.
#include "harness/support.h"
#include "harness/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { UNREADABLE = 255, RANGES_SHOWN = 4 };

// All blocks that lie wholly inside the array lose the same lanes, and there are at least two such blocks.
static bool same_lanes_everywhere(const bool *marked, uint64_t n, unsigned threads) {
    if (!threads || n / threads < 2)
        return false;
    for (uint64_t i = threads; i < n; i++)
        if (marked[i] != marked[i % threads])
            return false;
    return true;
}

// "3, 5..9 and 12" for the marked places of 0..n-1; more than RANGES_SHOWN ranges end in "...".
static char *list_ranges(const bool *marked, uint64_t n) {
    char *text = NULL;
    int ranges = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (!marked[i])
            continue;
        uint64_t last = i;
        while (last + 1 < n && marked[last + 1])
            last++;
        const char *comma = text ? "," : "";
        char *longer = ++ranges > RANGES_SHOWN ? text_format("%s, ...", text)
                       : last > i ? text_format("%s%s %" PRIu64 "..%" PRIu64, text ? text : "", comma, i, last)
                                  : text_format("%s%s %" PRIu64, text ? text : "", comma, i);
        free(text);
        text = longer;
        if (ranges > RANGES_SHOWN)
            break;
        i = last;
    }
    return text ? text : must_copy_text(" none");
}

char *describe_positions(const bool *marked, uint64_t n, unsigned threads) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++)
        count += marked[i];
    bool lanes = count != n && same_lanes_everywhere(marked, n, threads);
    char *ranges = list_ranges(marked, lanes ? threads : n);
    char *text = count == n ? text_format("all %" PRIu64 " elements", n)
                 : lanes ? text_format("lanes%s of each %u-thread block (%" PRIu64 " of %" PRIu64 " elements)", ranges,
                                       threads, count, n)
                         : text_format("elements%s (%" PRIu64 " of %" PRIu64 ")", ranges, count, n);
    free(ranges);
    return text;
}

static void report_marked(struct cell_result *cell, const struct evidence *evidence, const bool *marked,
                          enum finding finding, const char *what) {
    char *where = describe_positions(marked, evidence->n, evidence->shape.threads);
    mark_broken(cell, CLAIM_SOUND);
    add_finding(cell, finding, "coverage map", "%s: %s.", what, where);
    free(where);
}

// Elements whose multiplicity satisfies low <= m <= high; returns how many.
static uint64_t mark_between(const struct evidence *evidence, unsigned low, unsigned high, bool *marked) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < evidence->n; i++) {
        marked[i] = evidence->multiplicity[i] >= low && evidence->multiplicity[i] <= high;
        count += marked[i];
    }
    return count;
}

void judge_coverage(struct cell_result *cell, const struct evidence *evidence) {
    bool *marked = must_calloc(evidence->n, sizeof *marked);
    if (mark_between(evidence, 0, 0, marked))
        report_marked(cell, evidence, marked, FINDING_LOST_ELEMENTS, "Never added");
    if (mark_between(evidence, 2, UNREADABLE - 1, marked))
        report_marked(cell, evidence, marked, FINDING_DOUBLE_COUNTED, "Added more than once");
    if (mark_between(evidence, UNREADABLE, UNREADABLE, marked))
        report_marked(
            cell, evidence, marked, FINDING_WRONG_CLASS,
            "The sum is no sum of the elements' multiples (uninitialised data, or added more than 254 times)");
    if (!cell->findings)
        add_finding(cell, FINDING_CORRECTLY_ROUNDED, NULL, NULL);
    free(marked);
}
