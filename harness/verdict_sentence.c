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

static char *claims_sentence(const struct run_result *result) {
    struct verdict_counts counts = count_verdicts(result);
    char *text = counts.broken ? text_format("%zu of %zu variants break%s a claim", counts.broken, counts.names,
                                             counts.broken == 1 ? "s" : "")
                               : text_format("None of %zu variants breaks a claim", counts.names);
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

const struct cell_result *find_catch(const struct run_result *result, size_t variant) {
    const struct variant_result *row = &result->variants[variant];
    enum finding wanted;
    if (!finding_parse(row->fault_finding, &wanted))
        harness_failed("fault %s names the unknown finding \"%s\".", row->name, row->fault_finding);
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell_result *cell = &result->cells[i];
        if (cell->variant == variant && cell->head == wanted && cell->detector &&
            strcmp(cell->detector, row->fault_detector) == 0)
            return cell;
    }
    return NULL;
}

// A fault counts once, and is caught where each of its rows is that could be.
static char *faults_sentence(const struct run_result *result) {
    size_t caught = 0, tried = 0, untried = 0;
    for (size_t v = 0; v < result->variant_count; v++) {
        if (!is_first_of_its_name(result, v))
            continue;
        size_t at_home = 0, catches = 0;
        for (size_t w = v; w < result->variant_count; w++) {
            const struct variant_result *row = &result->variants[w];
            if (strcmp(row->name, result->variants[v].name) != 0 ||
                !fault_is_at_home(row->backend, row->fault_detector))
                continue;
            at_home++;
            catches += find_catch(result, w) != NULL;
        }
        tried += at_home != 0;
        untried += at_home == 0;
        caught += at_home && catches == at_home;
    }
    if (!untried)
        return text_format("%zu of %zu planted faults caught", caught, tried);
    return text_format("%zu of %zu planted faults caught; %zu not tried", caught, tried, untried);
}

char *verdict_sentence(const struct run_result *result) {
    bool selftest = result->command && strcmp(result->command, "selftest") == 0;
    char *counts = selftest ? faults_sentence(result) : claims_sentence(result), *limits = verdict_limits(result);
    char *sentence = text_format("%s%s.", counts, limits);
    free(counts);
    free(limits);
    return sentence;
}
