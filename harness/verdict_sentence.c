// SPDX-License-Identifier: MIT
#include "harness/verdict_sentence.h"

#include "harness/claim.h"
#include "harness/finding.h"
#include "harness/support.h"

#include <stdlib.h>
#include <string.h>

struct verdict_counts {
    size_t names, broken, varying, known;
};

static bool is_first_of_its_name(const struct run_result *result, size_t variant) {
    for (size_t v = 0; v < variant; v++)
        if (strcmp(result->variants[v].name, result->variants[variant].name) == 0)
            return false;
    return true;
}

// A variant counts once, whatever the number of its types and backends.
static struct verdict_counts count_verdicts(const struct run_result *result) {
    struct verdict_counts counts = {0};
    for (size_t v = 0; v < result->variant_count; v++) {
        if (!is_first_of_its_name(result, v))
            continue;
        bool broken = false, varying = false, known = false;
        for (size_t w = v; w < result->variant_count; w++) {
            const struct variant_result *row = &result->variants[w];
            if (strcmp(row->name, result->variants[v].name) != 0)
                continue;
            for (size_t c = 0; c < row->claim_count; c++) {
                broken |= row->claims[c].status == CLAIM_BROKEN;
                known |= row->claims[c].status == CLAIM_KNOWN;
            }
            const struct claim_result *run = &row->claims[CLAIM_SAME_BITS_RUN];
            varying |= run->status == CLAIM_NOT_CLAIMED && run->differing;
        }
        counts.names++;
        counts.broken += broken;
        counts.known += known && !broken;
        counts.varying += varying;
    }
    return counts;
}

// Why the sentence is not about all cells; from malloc.
static char *verdict_limits(const struct run_result *result) {
    size_t unchecked = 0;
    for (size_t i = 0; i < result->cell_count; i++)
        unchecked += result->cells[i].harness_fault != NULL;
    const char *interrupted = result->interrupted ? " (interrupted: not all cells were run)" : "";
    if (!unchecked)
        return must_copy_text(interrupted);
    return text_format(" (%zu of %zu cells could not be checked)%s", unchecked, result->cell_count, interrupted);
}

// Where the harness failed in all cells the limits of the sentence say so.
static bool no_detector_saw_anything(const struct run_result *result) {
    size_t lost = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        if (result->cells[i].head != FINDING_NOT_CHECKED)
            return false;
        lost += result->cells[i].harness_fault != NULL;
    }
    return lost < result->cell_count;
}

static char *claims_sentence(const struct run_result *result) {
    struct verdict_counts counts = count_verdicts(result);
    char *text = counts.broken ? text_format("%zu of %zu variants break%s a claim", counts.broken, counts.names,
                                             counts.broken == 1 ? "s" : "")
                               : text_format("None of %zu variants breaks a claim%s", counts.names,
                                             no_detector_saw_anything(result) ? ", and nothing was checked" : "");
    char *varying = !counts.varying       ? must_copy_text("")
                    : counts.varying == 1 ? must_copy_text("; 1 varies from run to run, as it says")
                                          : text_format("; %zu vary from run to run, as they say", counts.varying);
    char *known = counts.known ? text_format("; %zu ha%s known defects", counts.known, counts.known == 1 ? "s" : "ve")
                               : must_copy_text("");
    char *sentence = text_format("%s%s%s", text, varying, known);
    free(text);
    free(varying);
    free(known);
    return sentence;
}

// ---- of a selftest ----

struct fault_row *fault_rows_of(const struct run_result *result) {
    struct fault_row *rows = must_calloc(result->variant_count, sizeof *rows);
    for (size_t v = 0; v < result->variant_count; v++) {
        const struct variant_result *row = &result->variants[v];
        enum finding wanted;
        if (row->fault_finding && !finding_parse(row->fault_finding, &wanted))
            harness_failed("fault %s names the unknown finding \"%s\".", row->name, row->fault_finding);
        rows[v] = (struct fault_row){.name = row->name,
                                     .backend = row->backend,
                                     .type = row->type,
                                     .finding = row->fault_finding,
                                     .detector = row->fault_detector};
    }
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        fault_row_take_cell(&rows[cell->variant], cell->head, cell->detector, cell->harness_fault != NULL);
    }
    fault_rows_settle(rows, result->variant_count, result->interrupted);
    return rows;
}

// "; 7 not tried"; nothing of an outcome that no fault came to.
static char *append_part(char *sentence, const char *separator, const size_t faults[FAULT_OUTCOMES],
                         enum fault_outcome outcome) {
    if (!faults[outcome])
        return sentence;
    char *longer = text_format("%s%s%zu %s", sentence, separator, faults[outcome], fault_outcome_word(outcome));
    free(sentence);
    return longer;
}

static char *faults_sentence(const struct run_result *result) {
    struct fault_row *rows = fault_rows_of(result);
    size_t faults[FAULT_OUTCOMES], tried = 0;
    fault_rows_count(rows, result->variant_count, faults);
    free(rows);
    for (enum fault_outcome outcome = FAULT_CAUGHT; outcome < FAULT_OUTCOMES; outcome++)
        tried += faults[outcome];
    char *sentence = text_format("%zu of %zu planted faults caught", faults[FAULT_CAUGHT], tried);
    sentence = append_part(sentence, ", ", faults, FAULT_FOUND_OTHERWISE);
    sentence = append_part(sentence, ", ", faults, FAULT_SURVIVED);
    sentence = append_part(sentence, ", ", faults, FAULT_NOT_CHECKED);
    return append_part(sentence, "; ", faults, FAULT_NOT_TRIED);
}

char *verdict_sentence(const struct run_result *result) {
    bool selftest = result->command && strcmp(result->command, "selftest") == 0;
    char *counts = selftest ? faults_sentence(result) : claims_sentence(result), *limits = verdict_limits(result);
    char *sentence = text_format("%s%s.", counts, limits);
    free(counts);
    free(limits);
    return sentence;
}
