// SPDX-License-Identifier: MIT
#include "harness/verdict.h"

#include "harness/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mark_broken(struct cell_result *cell, enum claim claim) {
    cell->tested |= 1u << claim;
    cell->broken |= 1u << claim;
}

static void note_detector(struct cell_result *cell, const char *detector) {
    for (size_t i = 0; i < cell->detector_count; i++)
        if (strcmp(cell->detectors[i], detector) == 0)
            return;
    cell->detectors = grow_array(cell->detectors, cell->detector_count, sizeof *cell->detectors);
    cell->detectors[cell->detector_count++] = must_copy_text(detector);
}

void add_finding(struct cell_result *cell, enum finding finding, const char *detector, const char *format, ...) {
    bool heads = !cell->findings || finding < finding_head(cell->findings);
    cell->findings |= (finding_set)1 << finding;
    cell->head = finding_head(cell->findings);
    if (finding_is_bad(finding))
        note_detector(cell, detector);
    if (heads && finding_is_bad(finding)) {
        free(cell->detector);
        cell->detector = must_copy_text(detector);
    }
    if (!format)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *sentence = NULL;
    if (vasprintf(&sentence, format, arguments) < 0)
        harness_failed("no memory for a line of text.");
    va_end(arguments);
    cell->detail = text_append(cell->detail, "%s", sentence);
    free(sentence);
}

static void judge_failure(struct cell_result *cell, const struct work_reply *reply, const char *backend) {
    // WORK_DONE, and what says nothing of the variant, have no meaning here.
    static const struct {
        enum finding finding;
        const char *detector;
    } meaning[] = {
        [WORK_REFUSED] = {FINDING_DID_NOT_RUN, "limits"}, [WORK_MISUSED] = {FINDING_MISUSED, "misuse"},
        [WORK_RACED] = {FINDING_RACED, "tsan"},           [WORK_OUT_OF_BOUNDS] = {FINDING_OUT_OF_BOUNDS, "guard"},
        [WORK_CRASHED] = {FINDING_CRASHED, "limits"},     [WORK_HUNG] = {FINDING_HUNG, "limits"},
    };
    mark_broken(cell, CLAIM_SOUND);
    if (reply->outcome > WORK_HUNG || !meaning[reply->outcome].detector)
        harness_failed("a worker's reply has the outcome %u.", reply->outcome);
    const char *detector = meaning[reply->outcome].detector;
    if (reply->outcome == WORK_OUT_OF_BOUNDS && strcmp(backend, "asan") == 0)
        detector = backend;
    add_finding(cell, meaning[reply->outcome].finding, detector, "%s",
                *reply->message ? reply->message : "No reason was given.");
}

const char *harness_fault(enum work_outcome outcome) {
    return outcome == WORK_NOT_POSSIBLE ? "not possible" : outcome == WORK_LOST ? "worker lost" : NULL;
}

void judge_cell(struct cell_result *cell, const struct evidence *evidence) {
    const struct work_reply *reply = evidence->reply;
    cell->harness_fault = must_copy_text(harness_fault(reply->outcome));
    if (reply->outcome == WORK_NOT_CHECKED || cell->harness_fault) {
        add_finding(cell, FINDING_NOT_CHECKED, NULL, "%s", reply->message);
        return;
    }
    cell->tested |= 1u << CLAIM_SOUND;
    cell->height = reply->height;
    cell->atomics = reply->atomics;
    cell->serial_terms = reply->serial_terms;
    cell->workspace_bytes = reply->workspace_bytes;
    if (reply->outcome != WORK_DONE) {
        judge_failure(cell, reply, evidence->card->backend);
        return;
    }
    if (reply->input_changed) {
        mark_broken(cell, CLAIM_SOUND);
        add_finding(cell, FINDING_OUT_OF_BOUNDS, "guard", "It wrote to its input.");
    }
    if (reply->output_untouched) {
        mark_broken(cell, CLAIM_SOUND);
        add_finding(cell, FINDING_DID_NOT_RUN, "poison", "The launch reported success but wrote no result.");
        return;
    }
    if (evidence->exact)
        judge_sum(cell, evidence);
    else
        judge_coverage(cell, evidence);
}
